package describe

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"fiscube/cube"
)

// measure is what a person knows of an amount, with the evidence of what its name says.
type measure struct {
	currency, unit, phase, direction             string
	currencyWhy, unitWhy, phaseWhy, directionWhy string
}

func (m *measure) says() bool { return m.currency+m.unit+m.phase+m.direction != "" }

// guessMeasures takes from the names of columns and files what they say of the phase and the direction, and from the signs beside amounts the currency.
func (d *Description) guessMeasures() {
	d.measures = map[*column]*measure{}
	for _, c := range d.roles.amounts {
		m := &measure{}
		if phase, word := phaseIn(c.words); phase != "" {
			m.phase, m.phaseWhy = phase, fmt.Sprintf("its name says %q", word)
		}
		for _, words := range d.namesAround(c) {
			if direction, word := directionIn(words); direction != "" && m.direction == "" {
				m.direction, m.directionWhy = direction, fmt.Sprintf("a name says %q", word)
			}
		}
		if signs := c.numbers.signs; len(signs) == 1 {
			if currency := currencyOf(signs[0]); currency != "" {
				m.currency, m.currencyWhy = currency, fmt.Sprintf("its cells have %q", signs[0])
			}
		}
		m.unit, m.unitWhy = d.unitOf(c)
		if w, ok := d.roles.wide.of(c); ok {
			m.phase, m.direction = cube.MeaningOf("phase", w.phase), cube.MeaningOf("direction", w.direction) // others are words of their own
		}
		if o := d.options; o.Currency != "" {
			m.currency, m.currencyWhy = strings.ToUpper(o.Currency), told
		}
		if o := d.options; o.Direction != "" && !d.saysInRows("direction") {
			m.direction, m.directionWhy = o.Direction, told
		}
		for _, q := range d.roles.quality { // what the rows say, the measure does not
			switch q {
			case "phase":
				m.phase = ""
			case "direction":
				m.direction = ""
			case "currency":
				m.currency = ""
			}
		}
		if d.roles.directions != nil {
			m.direction = ""
		}
		d.measures[c] = m
	}
}

// saysInRows tells whether a column, the columns of a wide table, or a constant of each file say a qualifier of each amount.
func (d *Description) saysInRows(qualifier string) bool {
	for _, q := range d.roles.quality {
		if q == qualifier {
			return true
		}
	}
	w := d.roles.wide
	return w != nil && (qualifier == "phase" && w.phases || qualifier == "direction" && w.directions) || qualifier == "direction" && d.roles.directions != nil
}

// signCurrencies are the currencies that a sign means in one country alone.
var signCurrencies = map[string]string{"€": "EUR", "£": "GBP", "₴": "UAH", "₹": "INR", "₽": "RUB", "₺": "TRY", "₪": "ILS", "₦": "NGN", "₫": "VND", "₩": "KRW", "฿": "THB",
	"₱": "PHP", "₲": "PYG", "kč": "CZK", "zł": "PLN", "kn": "HRK", "fr": "CHF", "lei": "RON", "ft": "HUF"}

// currencyOf gives the currency of a sign, or "" where several have it, such as $.
func currencyOf(sign string) string {
	if code := signCurrencies[strings.ToLower(sign)]; code != "" {
		return code
	}
	return cube.MeaningOf("currency", sign)
}

// units are what titles and names say of the unit of amounts.
var units = []struct {
	words *regexp.Regexp
	unit  string
}{
	{regexp.MustCompile(`(?i)billions?\b|\bmrd\b|milliarden|milliards`), "1000000000"},
	{regexp.MustCompile(`(?i)millions?\b|\bmio\b|\bmill?\.|millones|milijun|[$€£]\s?m\b|['’]?000[,. ]?000\b`), "1000000"},
	{regexp.MustCompile(`(?i)thousands?\b|\btsd\b|\bmiles de\b|tisu[ćc]|tausend|milliers|['’,]000\b|[$€£]\s?k\b|\bteur\b|тис|тыс`), "1000"},
}

// unitOf gives the unit of a column, which its name or a title above the table says.
func (d *Description) unitOf(c *column) (unit, why string) {
	texts := []string{c.name}
	for _, f := range d.profile.forms {
		texts = append(texts, f.titles...)
	}
	for _, text := range texts {
		for _, u := range units {
			if found := u.words.FindString(text); found != "" {
				return u.unit, fmt.Sprintf("%q says %q", shown(text), found)
			}
		}
	}
	return "", ""
}

// namedMeasure is an amount with its name in the model, and the column that it is of, or one of several.
type namedMeasure struct {
	name    string
	column  *column
	measure *measure
}

// namedMeasures lists the amounts of the model: the columns, or what a load makes of those of a wide table.
func (d *Description) namedMeasures() (list []namedMeasure) {
	w := d.roles.wide
	if w == nil {
		for _, c := range d.roles.amounts {
			list = append(list, namedMeasure{c.name, c, d.measures[c]})
		}
		return list
	}
	var phases, directions []string
	for _, c := range w.columns {
		phases, directions = appendNew(phases, c.phase), appendNew(directions, c.direction)
	}
	for _, c := range w.columns {
		name := d.freeName("amount")
		if w.phases && len(phases) > 1 {
			name += "_" + cube.NameOfQualifier("phase", c.phase, phases)
		}
		if w.directions && len(directions) > 1 {
			name += "_" + cube.NameOfQualifier("direction", c.direction, directions)
		}
		if !slices.ContainsFunc(list, func(m namedMeasure) bool { return m.name == name }) {
			list = append(list, namedMeasure{name, c.column, d.measures[c.column]})
		}
	}
	return list
}

func appendNew(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// namesAround gives the words of a column, of the package, and of the files where all say the same direction.
func (d *Description) namesAround(c *column) [][]string {
	all := [][]string{c.words, wordsOf(d.Name)}
	for i, f := range d.profile.forms {
		words := wordsOf(stemOf(f))
		if i > 0 && directionOf(words) != directionOf(all[len(all)-1]) {
			return all[:2]
		}
		all = append(all, words)
	}
	return all
}

// name settles the name and title of the package.
func (d *Description) name(forms []*form) error {
	d.Name = d.options.Name
	why := "the name that you gave"
	if d.Name == "" {
		d.Name, why = nameOf(forms, d.options.Folder), "from the name of the file"
	}
	if d.Name == "" || strings.ContainsAny(d.Name, "/\x00") || d.Name[0] == '_' || d.Name[0] == '.' || len([]rune(d.Name)) > 100 {
		return cube.Errorf(cube.CodeBadPackage, "%q is no name of a package: it has letters, digits and hyphens", d.Name)
	}
	d.Title, d.titleWhy = titled(d.Name), why
	return nil
}

// nameOf makes a name of those of the files: what they begin with alike, or else that of their folder.
func nameOf(forms []*form, folder string) string {
	common := stemOf(forms[0])
	for _, f := range forms[1:] {
		for !strings.HasPrefix(stemOf(f), common) {
			common = common[:len(common)-1]
		}
	}
	if len(forms) > 1 {
		common = strings.TrimRight(common, "0123456789")
	}
	for _, name := range []string{common, folder} {
		if name = slug(strings.Join(wordsOf(strings.ToValidUTF8(name, "")), " ")); name != "" {
			return name
		}
	}
	return "budget"
}

// stemOf is the name of a file without its endings.
func stemOf(f *form) string {
	name := path.Base(f.path)
	for _, packed := range []string{".gz", ".zip"} {
		name = strings.TrimSuffix(name, packed)
	}
	return strings.TrimSuffix(name, path.Ext(name))
}

func titled(name string) string {
	words := strings.Fields(strings.NewReplacer("-", " ", "_", " ").Replace(name))
	if len(words) == 0 {
		return name
	}
	first := []rune(words[0])
	words[0] = strings.ToUpper(string(first[:1])) + string(first[1:])
	return strings.Join(words, " ")
}

// Question is something that no cell says.
type Question struct {
	Key     string // names it among those of the files
	Text    string
	Choices []string // the answers that there are; nil where any text will do
	Default string   // what counts without an answer; "" leaves it open
	set     func(answer string) error
}

// Answer takes an answer; an empty one leaves the default.
func (q Question) Answer(answer string) error {
	answer = strings.TrimSpace(answer)
	if answer == "" {
		return nil
	}
	if q.Choices != nil {
		at := slices.IndexFunc(q.Choices, func(choice string) bool { return strings.EqualFold(choice, answer) })
		if at < 0 {
			return cube.Errorf(cube.CodeBadValue, "%q is none of %s", answer, listed(q.Choices, "or"))
		}
		answer = q.Choices[at]
	}
	return q.set(answer)
}

const told = "as you said"

var currencyCode = regexp.MustCompile(`^[A-Za-z]{3}$`)

// Questions lists what a person may know, in the order in which it is best asked.
func (d *Description) Questions() []Question {
	questions := []Question{{Key: "title", Text: "Title of the package", Default: d.Title, set: func(answer string) error {
		d.Title, d.titleWhy = answer, told
		return nil
	}}}
	for i := range d.forms.files {
		if f := &d.forms.files[i]; f.alike {
			questions = append(questions, d.askMarks(i, f))
		}
	}
	if l := d.statements.asked; l != nil {
		questions = append(questions, Question{
			Key:     "statements",
			Text:    fmt.Sprintf("Amounts of a %s: of it alone, or of the year since January", shown(l.column.name)),
			Choices: []string{"alone", "since"}, Default: "alone",
			set: func(answer string) error {
				if answer == "since" {
					d.statements = statements{by: l.column.name, why: told}
				}
				return nil
			},
		})
	}
	for _, q := range []Question{{Key: "currency", Text: "Currency of the amounts, in three letters (ISO 4217)", Default: d.alike(func(m *measure) string { return m.currency }), set: func(answer string) error {
		if !currencyCode.MatchString(answer) {
			return cube.Errorf(cube.CodeBadValue, "%q is no code of a currency, such as EUR", answer)
		}
		d.each(func(m *measure) { m.currency, m.currencyWhy = strings.ToUpper(answer), told })
		return nil
	}}, {Key: "unit", Text: "Unit: the amounts are in 1, 1000 or 1000000 of the currency", Default: d.alike(func(m *measure) string { return m.unit }), Choices: []string{"1", "1000", "1000000"}, set: func(answer string) error {
		d.each(func(m *measure) { m.unit, m.unitWhy = answer, told })
		return nil
	}}, {Key: "direction", Text: "Is the money spent or received", Default: d.alike(func(m *measure) string { return m.direction }), Choices: []string{"expenditure", "revenue"}, set: func(answer string) error {
		d.each(func(m *measure) { m.direction, m.directionWhy = answer, told })
		return nil
	}}} {
		if !d.saysInRows(q.Key) {
			questions = append(questions, q)
		}
	}
	for _, c := range d.roles.amounts {
		m := d.measures[c]
		if d.saysInRows("phase") {
			continue
		}
		questions = append(questions, Question{
			Key: "phase:" + c.name, Text: "What are the amounts of " + shown(c.name), Choices: []string{"approved", "proposed", "adjusted", "executed"}, Default: m.phase,
			set: func(answer string) error {
				m.phase, m.phaseWhy = answer, told
				return nil
			},
		})
	}
	return questions
}

// alike gives what is known of all amounts, if it is the same of all.
func (d *Description) alike(of func(*measure) string) string {
	known := of(d.measures[d.roles.amounts[0]])
	for _, m := range d.measures {
		if of(m) != known {
			return ""
		}
	}
	return known
}

func (d *Description) each(set func(*measure)) {
	for _, m := range d.measures {
		set(m)
	}
}

// askMarks asks for the marks in the amounts of a file that stand before three digits.
func (d *Description) askMarks(file int, f *fileForm) Question {
	group := numberForms[f.form].group
	return Question{
		Key:     "marks:" + d.profile.forms[file].path,
		Text:    fmt.Sprintf("The amounts of %s have %q before three digits: does it separate thousands or decimals", shown(d.profile.forms[file].path), group),
		Choices: []string{"thousands", "decimals"}, Default: "thousands",
		set: func(answer string) error {
			if answer == "decimals" {
				f.form, f.why = slices.Index(numberForms, numberForm{decimal: group}), told
			}
			return nil
		},
	}
}
