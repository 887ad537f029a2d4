package describe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// role is what a column is in the model.
type role int

const (
	isLevel      role = iota // a key of a level
	isLabel                  // the label of one
	isFiscalYear             // the fiscal year
	isAmount                 // a measure
	isLeft                   // in no part of the model
)

// roles says what each column is.
type roles struct {
	of      []role // by column
	why     []string
	year    *column
	amounts []*column
	labels  map[*column]*column // by key
	pairWhy map[*column]string  // by key
	near    []string            // columns that look like amounts, and why they are none
}

// nameRole is what the name of a column says: about what it is, and whether it is a code or a label.
type nameRole struct {
	stem        string
	code, label bool
}

func nameRoleOf(words []string) nameRole {
	var n nameRole
	var stem []string
	for _, word := range words {
		switch {
		case codeWords[word]:
			n.code = true
		case labelWords[word]:
			n.label = true
		default:
			stem = append(stem, word)
		}
	}
	if len(stem) == 0 {
		return nameRole{stem: strings.Join(words, " ")}
	}
	n.stem = strings.Join(stem, " ")
	return n
}

// settleRoles finds what each column is. Of the rest, each is a level.
func (p *profile) settleRoles(allowNoYear bool) (*roles, error) {
	r := &roles{of: make([]role, len(p.columns)), why: make([]string, len(p.columns)), labels: map[*column]*column{}, pairWhy: map[*column]string{}}
	if err := p.checkFirstRows(); err != nil {
		return nil, err
	}
	if r.findYear(p); r.year == nil && !allowNoYear {
		return nil, noYear(p)
	}
	r.pairByName(p)
	for _, c := range p.columns {
		r.judge(c)
	}
	if !slices.Contains(r.of, isAmount) {
		return nil, r.noAmounts(p)
	}
	r.judgeEmpty(p)
	for _, c := range p.columns {
		if r.of[c.at] == isAmount {
			r.amounts = append(r.amounts, c)
		}
	}
	return r, nil
}

// noYear is the error of files without a fiscal year.
func noYear(p *profile) error {
	message := "no column holds the fiscal year in all rows, such as 2024: add one"
	for _, c := range p.columns {
		switch {
		case c.dates == c.cells && c.cells > 0:
			message = fmt.Sprintf("no column holds the fiscal year in all rows, such as 2024; %s holds dates: add a column with the year", shown(c.name))
		case c.years > 0 && c.years < c.cells && has(c.words, yearWords) != "":
			message = fmt.Sprintf("%s of %s cells of %s are no years such as 2024: correct them", count(c.cells-c.years), count(c.cells), shown(c.name))
		}
	}
	return refusal(p.forms[0].path, 0, "%s. --allow no-year describes the file without one; validate and load need it then, too", message)
}

// checkFirstRows refuses files whose first row is a second line of names: text above columns of numbers, or the numbers of the
// columns.
func (p *profile) checkFirstRows() error {
	for file, f := range p.forms {
		numeric, names, cells, counted := 0, 0, []string(nil), 0
		for i, at := range p.index[file] {
			c := p.columns[at]
			first := strings.TrimSpace(c.firsts[file])
			if first == strconv.Itoa(i+1) || first == fmt.Sprintf("(%d)", i+1) {
				counted++
			}
			if c.cells < 2 || c.numbers.readable()*10 < (c.cells-1)*9 {
				continue
			}
			numeric++
			if hasLetter(first) && len([]rune(first)) > mostNothing && !isPlainNumber(first) { // 1.5E+06 is a number
				names++
				cells = append(cells, shown(first))
			}
		}
		switch {
		case names > 0 && names*2 >= numeric:
			return refusal(f.path, 2, "this line is a second line of names (%s): leave one line of names, one for each column, at the top of the file",
				listed(clipped(cells), "and"))
		case counted == len(f.header) && counted > 2:
			return refusal(f.path, 2, "this line numbers the columns: leave one line of names alone at the top of the file")
		}
	}
	return nil
}

// findYear takes the column all of whose cells are years. Of several it is the one that is named so, and the first of these.
func (r *roles) findYear(p *profile) {
	best := 0
	for _, c := range p.columns {
		if c.years < c.cells || c.isEmpty() {
			continue
		}
		score := 1
		if named := has(c.words, yearWords) != ""; named && len(c.words) == 1 {
			score = 3
		} else if named {
			score = 2
		}
		if score > best && !c.many {
			best, r.year = score, c
		}
	}
	if r.year == nil {
		return
	}
	first, last := r.year.values[1].text, r.year.values[1].text
	for _, v := range r.year.values[1:] {
		first, last = min(first, strings.TrimSpace(v.text)), max(last, strings.TrimSpace(v.text))
	}
	span := first
	if last != first {
		span += " to " + last
	}
	r.set(r.year, isFiscalYear, fmt.Sprintf("%s of %s cells are years: %s", count(r.year.years), count(r.year.cells), span))
}

func (r *roles) set(c *column, to role, why string) { r.of[c.at], r.why[c.at] = to, why }

// pairByName pairs codes with labels whose names are alike but for the word for a code or a label.
func (r *roles) pairByName(p *profile) {
	byStem := map[string][]*column{}
	for _, c := range p.columns {
		if c != r.year {
			stem := nameRoleOf(c.words).stem
			byStem[stem] = append(byStem[stem], c)
		}
	}
	for _, c := range p.columns {
		same := byStem[nameRoleOf(c.words).stem]
		if len(same) < 2 || same[0] != c {
			continue
		}
		code, label := codeAndLabel(same)
		if code != nil && label != nil {
			r.pair(code, label, "their names are alike")
		}
	}
	for _, c := range p.columns { // abbreviated: desc_proy_inv is of proyecto_inv
		if n := nameRoleOf(c.words); n.label && r.of[c.at] == isLevel && c.holdsWords() {
			if code := r.abbreviated(p, c, n.stem); code != nil {
				r.pair(code, c, "their names are alike")
			}
		}
	}
}

func (r *roles) pair(code, label *column, why string) {
	r.labels[code], r.pairWhy[code] = label, why
	r.set(label, isLabel, why)
}

// codeAndLabel gives of columns with one stem the one that is the code and the one that is its label, nil where there is none.
func codeAndLabel(same []*column) (code, label *column) {
	for _, c := range same {
		switch n := nameRoleOf(c.words); {
		case n.label && !n.code && label == nil:
			label = c
		case n.code && !n.label && code == nil:
			code = c
		}
	}
	for _, c := range same {
		n := nameRoleOf(c.words)
		bare := !n.code && !n.label
		switch {
		case bare && code == nil && label != nil:
			code = c
		case bare && label == nil && code != nil && c.holdsWords():
			label = c
		}
	}
	return code, label
}

// holdsWords tells whether most cells have a letter.
func (c *column) holdsWords() bool { return c.cells > 0 && c.letters*2 > c.cells }

// abbreviated gives the column whose name has the same words as a stem, some of them cut off.
func (r *roles) abbreviated(p *profile, label *column, stem string) *column {
	words := strings.Fields(stem)
	for _, c := range p.columns {
		n := nameRoleOf(c.words)
		own := strings.Fields(n.stem)
		if c == label || n.label || len(own) != len(words) || r.of[c.at] != isLevel || r.labels[c] != nil {
			continue
		}
		alike := true
		for i := range own {
			short, long := own[i], words[i]
			if len(short) > len(long) {
				short, long = long, short
			}
			alike = alike && (short == long || len(short) >= 3 && strings.HasPrefix(long, short))
		}
		if alike {
			return c
		}
	}
	return nil
}

// judge decides whether a column that is nothing yet holds amounts.
func (r *roles) judge(c *column) {
	if r.of[c.at] != isLevel || c.isEmpty() {
		return
	}
	n := &c.numbers
	nothing := c.marksOfNothing()
	var others int64
	for _, rows := range n.others {
		others += rows
	}
	numbers := n.readable()
	money := cmp.Or(has(c.words, moneyWords), monthOf(c.words))
	switch {
	case r.labels[c] != nil || has(c.words, codeWords) != "" || c.years == c.cells || c.zeros > 0 || c.dates == c.cells:
		return
	case numbers == 0 || numbers < c.cells && (nothing == nil || n.manyOther):
		other := anyOther(n.others)
		if money != "" && (numbers*10 >= c.cells*8 || c.letters == 0 && strings.ContainsAny(other, "0123456789")) {
			r.near = append(r.near, fmt.Sprintf("%s: %s of %s cells are no numbers, such as %q", shown(c.name), count(c.cells-numbers), count(c.cells), shown(other)))
		}
		return
	case has(c.words, rateWords) != "":
		r.set(c, isLeft, fmt.Sprintf("it is named %q: sums of rates mean nothing", has(c.words, rateWords)))
		return
	}
	evidence := fmt.Sprintf("%s of %s cells are numbers", count(numbers), count(c.cells))
	if others > 0 {
		evidence += ", the others are " + listed(quotedAll(nothing), "and")
	}
	kind := has(c.words, generic) != "" && n.decimals == 0 && n.largest <= 2 // tipo_gasto has the codes of kinds
	switch {
	case money != "" && !kind:
		evidence += fmt.Sprintf("; its name says %q", money)
	case n.decimals > 0:
		evidence += fmt.Sprintf(", %s of them with decimals", count(n.decimals))
	case n.negative > 0:
		evidence += fmt.Sprintf(", %s of them below zero", count(n.negative))
	case n.largest >= 4 && len(n.lengths) >= 3 && (c.many || int64(c.different())*2 > c.cells):
		evidence += fmt.Sprintf(" of %d lengths, most of them different", len(n.lengths))
	default:
		return
	}
	r.set(c, isAmount, evidence)
}

// anyOther gives one of the texts that are no numbers: the first by order, of those with a digit where there are some.
func anyOther(others map[string]int64) string {
	texts := slices.Sorted(maps.Keys(others))
	if i := slices.IndexFunc(texts, func(text string) bool { return strings.ContainsAny(text, "0123456789") }); i >= 0 {
		return texts[i]
	}
	return strings.Join(texts[:min(1, len(texts))], "")
}

func quotedAll(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = fmt.Sprintf("%q", shown(text))
	}
	return quoted
}

// judgeEmpty decides what empty columns are: amounts where they are named so, and nothing otherwise.
func (r *roles) judgeEmpty(p *profile) {
	for _, c := range p.columns {
		switch {
		case !c.isEmpty() || r.of[c.at] == isLabel:
		case has(c.words, moneyWords) != "" && has(c.words, codeWords) == "" && r.labels[c] == nil:
			r.set(c, isAmount, fmt.Sprintf("it is empty in all %s rows; its name says %q, as the names of other amounts do", count(p.rows), has(c.words, moneyWords)))
		default:
			r.set(c, isLeft, fmt.Sprintf("it is empty in all %s rows", count(p.rows)))
			if label := r.labels[c]; label != nil {
				r.set(label, isLeft, fmt.Sprintf("it would be the label of %s, which is empty", shown(c.name)))
				delete(r.labels, c)
			}
		}
	}
}

// noAmounts is the error of files without amounts.
func (r *roles) noAmounts(p *profile) error {
	message := "no column holds amounts: numbers in all rows, in a column that is no code"
	if len(r.near) > 0 {
		message = "no column holds amounts in all rows: " + strings.Join(r.near, "; ") + ". Write plain numbers in these cells, and leave them empty where nothing is known"
	}
	return refusal(p.forms[0].path, 0, "%s", message)
}

// monthLists are the names of the months in the languages of the files, folded.
var monthLists = []string{
	"january february march april may june july august september october november december",
	"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
	"sijecanj veljaca ozujak travanj svibanj lipanj srpanj kolovoz rujan listopad studeni prosinac",
	"janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
	"jan feb mar apr may jun jul aug sep oct nov dec",
	"ene feb mar abr may jun jul ago sep oct nov dic",
	"jan fev mar abr mai jun jul ago set out nov dez",
}

// monthNumber gives the number of a month by its folded name, 0 for none.
func monthNumber(word string) int {
	if word == "setiembre" {
		return 9
	}
	for _, list := range monthLists {
		if i := slices.Index(strings.Fields(list), word); i >= 0 {
			return i + 1
		}
	}
	return 0
}

// monthOf gives the word of a name that is a month, or "".
func monthOf(words []string) string {
	for _, word := range words {
		if monthNumber(word) > 0 {
			return word
		}
	}
	return ""
}
