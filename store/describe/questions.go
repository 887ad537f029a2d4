package describe

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/qualifier"
	"fiscube/store/evidence"
)

// measure is what a person knows of an amount, with the evidence of what its name says.
type measure struct {
	currency, unit, phase, direction             string
	currencyWhy, unitWhy, phaseWhy, directionWhy cube.Titles
}

// qualifiers are the four, in the order in which they are asked.
var qualifiers = []string{"currency", "unit", "direction", "phase"}

// of gives the place of a qualifier and that of its evidence.
func (m *measure) of(qualifier string) (value *string, why *cube.Titles) {
	switch qualifier {
	case "currency":
		return &m.currency, &m.currencyWhy
	case "unit":
		return &m.unit, &m.unitWhy
	case "direction":
		return &m.direction, &m.directionWhy
	}
	return &m.phase, &m.phaseWhy
}

func (m *measure) says() bool { return m.currency+m.unit+m.phase+m.direction != "" }

// guessMeasures takes from the names of columns and files what they say of the phase and the direction, and from the signs beside amounts the currency.
func (d *Description) guessMeasures() {
	d.measures = map[*column]*measure{}
	for _, c := range d.roles.amounts {
		m := &measure{}
		if phase, word := phaseIn(c.Words); phase != "" {
			m.phase, m.phaseWhy = phase, say("named", "Word", word)
		}
		for _, words := range d.namesAround(c) {
			if direction, word := directionIn(words); direction != "" && m.direction == "" {
				m.direction, m.directionWhy = direction, say("a-name", "Word", word)
			}
		}
		if signs := c.Numbers.Signs; len(signs) == 1 {
			if currency := currencyOf(signs[0]); currency != "" {
				m.currency, m.currencyWhy = currency, say("has-sign", "Sign", signs[0])
			}
		}
		m.unit, m.unitWhy = d.unitOf(c)
		if w, ok := d.roles.wide.of(c); ok {
			m.phase, m.direction = qualifier.MeaningOf("phase", w.phase), qualifier.MeaningOf("direction", w.direction) // others are words of their own
		}
		if o := d.options; o.Currency != "" {
			m.currency, m.currencyWhy = strings.ToUpper(o.Currency), told()
		}
		if o := d.options; o.Direction != "" && !d.saysInRows("direction") {
			m.direction, m.directionWhy = o.Direction, told()
		}
		for _, q := range d.roles.quality { // what the rows say, the measure does not
			if q != "kind" {
				value, _ := m.of(q)
				*value = ""
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

// currencyOf gives the currency of a sign, or "" where several have it, such as $.
func currencyOf(sign string) string {
	if code := evidence.SignCurrencies[strings.ToLower(sign)]; code != "" {
		return code
	}
	return qualifier.MeaningOf("currency", sign)
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
func (d *Description) unitOf(c *column) (unit string, why cube.Titles) {
	texts := []string{c.Name}
	for _, f := range d.profile.forms {
		texts = append(texts, f.titles...)
	}
	for _, text := range texts {
		for _, u := range units {
			if found := u.words.FindString(text); found != "" {
				return u.unit, say("title-says", "Title", shown(text), "Word", found)
			}
		}
	}
	return "", nil
}

// namedMeasure is an amount with its name in the model, and the column that it is of, or the first of several.
type namedMeasure struct {
	name    string
	column  *column
	measure *measure
	all     []*measure // of all its columns
}

// namedMeasures lists the amounts of the model: the columns, or what a load makes of those of a wide table.
func (d *Description) namedMeasures() (list []namedMeasure) {
	w := d.roles.wide
	if w == nil {
		for _, c := range d.roles.amounts {
			list = append(list, namedMeasure{c.Name, c, d.measures[c], []*measure{d.measures[c]}})
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
			name += "_" + qualifier.NameOf("phase", c.phase, phases)
		}
		if w.directions && len(directions) > 1 {
			name += "_" + qualifier.NameOf("direction", c.direction, directions)
		}
		at := slices.IndexFunc(list, func(m namedMeasure) bool { return m.name == name })
		if at < 0 {
			at = len(list)
			list = append(list, namedMeasure{name: name, column: c.column, measure: d.measures[c.column]})
		}
		list[at].all = append(list[at].all, d.measures[c.column])
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
	all := [][]string{c.Words, wordsOf(d.Name)}
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
	findings.Question
	set func(answer string) error
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

var currencyCode = regexp.MustCompile(`^[A-Za-z]{3}$`)

// Questions lists what a person may know, in the order in which it is best asked.
func (d *Description) Questions() []Question {
	questions := []Question{{findings.Question{Key: "title", Text: say("ask-title"), Default: d.Title}, func(answer string) error {
		d.Title, d.titleWhy = answer, english(told())
		return nil
	}}}
	for i := range d.forms.files {
		if f := &d.forms.files[i]; f.alike {
			questions = append(questions, d.askMarks(i, f))
		}
	}
	if l := d.statements.asked; l != nil {
		questions = append(questions, Question{
			findings.Question{Key: "statements", Text: say("ask-statements", "Column", shown(l.column.Name)), Choices: []string{"alone", "since"}, Default: "alone"},
			func(answer string) error {
				if answer == "since" {
					d.statements = statements{by: l.column.Name, why: english(told())}
				}
				return nil
			},
		})
	}
	return append(questions, d.askAmounts()...)
}

// choices are the answers to questions about amounts.
var choices = map[string][]string{"unit": {"1", "1000", "1000000"}, "direction": {"expenditure", "revenue"}, "phase": {"approved", "proposed", "adjusted", "executed"}}

// askAmounts asks for what is alike of most amounts of all of them, and then of each of several; of the phase of each alone. What the rows say of
// each amount is not asked.
func (d *Description) askAmounts() (questions []Question) {
	list := d.namedMeasures()
	ask := func(qualifier, amount, byDefault string, all []*measure) {
		q := Question{Question: findings.Question{Key: qualifier, Choices: choices[qualifier], Default: byDefault, Amount: amount}}
		switch {
		case qualifier == "phase":
			q.Key, q.Text = qualifier+":"+amount, say("ask-phase", "Amount", shown(amount))
		case amount == "":
			q.Text = say("ask-" + qualifier)
		default:
			q.Key, q.General = qualifier+":"+amount, qualifier
			q.Text = say("ask-of", "Amount", shown(amount), "Question", say("ask-"+qualifier))
		}
		q.set = func(answer string) error {
			if qualifier == "currency" && !currencyCode.MatchString(answer) {
				return cube.Errorf(cube.CodeBadValue, "%q is no code of a currency, such as EUR", answer)
			}
			if qualifier == "currency" {
				answer = strings.ToUpper(answer)
			}
			for _, m := range all {
				value, why := m.of(qualifier)
				*value, *why = answer, told()
			}
			return nil
		}
		questions = append(questions, q)
	}
	for _, qualifier := range qualifiers[:3] {
		if !d.saysInRows(qualifier) {
			ask(qualifier, "", d.alike(qualifier), slices.Collect(maps.Values(d.measures)))
		}
	}
	for _, m := range list {
		for _, qualifier := range qualifiers {
			if !d.saysInRows(qualifier) && (len(list) > 1 || qualifier == "phase") {
				known, _ := m.measure.of(qualifier)
				ask(qualifier, m.name, *known, m.all)
			}
		}
	}
	return questions
}

// alike gives a qualifier of all amounts, if it is the same of all.
func (d *Description) alike(qualifier string) string {
	first, _ := d.measures[d.roles.amounts[0]].of(qualifier)
	for _, m := range d.measures {
		if known, _ := m.of(qualifier); *known != *first {
			return ""
		}
	}
	return *first
}

// askMarks asks for the marks in the amounts of a file that stand before three digits.
func (d *Description) askMarks(file int, f *fileForm) Question {
	group := evidence.Forms[f.form].Group
	return Question{
		findings.Question{Key: "marks:" + d.profile.forms[file].path, Choices: []string{"thousands", "decimals"}, Default: "thousands",
			Text: say("ask-marks", "File", shown(d.profile.forms[file].path), "Mark", group)},
		func(answer string) error {
			if answer == "decimals" {
				f.form, f.why = slices.Index(evidence.Forms, evidence.Form{Decimal: group}), english(told())
			}
			return nil
		},
	}
}
