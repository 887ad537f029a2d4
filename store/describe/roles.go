package describe

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/qualifier"
	"fiscube/internal/each"
	"fiscube/store/evidence"
)

// role is what a column is in the model.
type role int

const (
	isLevel      role = iota // a key of a level
	isLabel                  // the label of one
	isFiscalYear             // the fiscal year
	isAmount                 // a measure
	isQualifier              // it says what the amounts of its rows are (cube.Qualifiers)
	isLeft                   // in no part of the model
)

// roles says what each column is.
type roles struct {
	of         []role // by column
	why        []cube.Titles
	year       yearSource
	wide       *wide // nil where no amounts of several years stand in columns
	amounts    []*column
	quality    map[*column]string      // the qualifier that a column is
	told       map[*column]Reading     // what a person says of columns
	named      map[*column]bool        // the keys of which a person says what their labels are
	labels     map[*column]*column     // by key
	pairWhy    map[*column]cube.Titles // by key
	directions []string                // of each file; nil where they say none, or all the same
	near       []string                // columns that look like amounts, and why they are none
	// besideYears are columns of amounts that are left out, since they say no year beside others that do
	besideYears []*column
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
		case vocabulary.Code[word]:
			n.code = true
		case vocabulary.Label[word]:
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
func (d *Description) settleRoles(allowNoYear bool) (*roles, error) {
	p := d.profile
	r := &roles{of: make([]role, len(p.Columns)), why: make([]cube.Titles, len(p.Columns)), labels: map[*column]*column{}, pairWhy: map[*column]cube.Titles{}, quality: map[*column]string{}, told: map[*column]Reading{}, named: map[*column]bool{}}
	for _, c := range p.Columns {
		leaveTotals(c)
	}
	if err := r.take(p, d.options.Readings); err != nil {
		return nil, err
	}
	if err := r.takeLabels(p, d.options.Labels); err != nil {
		return nil, err
	}
	if d.findYear(r); r.year.kind == noYear && !allowNoYear {
		return nil, refusal(p.forms[max(0, slices.IndexFunc(p.forms, saysNoYear))].path, 0, "no column, no name of a column and no title says the fiscal year: name it, as in --year 2024. "+
			"--allow no-year describes the file without one; validate and load need it then, too")
	}
	d.yearsDiffer(r)
	if err := d.yearBeside(r); err != nil {
		return nil, err
	}
	for _, c := range p.Columns {
		if _, told := r.told[c]; !told {
			r.judgeQualifier(c)
		}
	}
	r.pairByName(p)
	r.pairAlone(p)
	for _, c := range p.Columns {
		if _, told := r.told[c]; !told {
			r.judge(c)
		}
	}
	r.takeAlike(p)
	if !slices.Contains(r.of, isAmount) && len(r.near) == 0 {
		r.takeNumbers(p)
	}
	if !slices.Contains(r.of, isAmount) {
		return nil, r.noAmounts(p)
	}
	r.judgeEmpty(p)
	for _, c := range p.Columns {
		if r.of[c.At] == isAmount {
			r.amounts = append(r.amounts, c)
		}
	}
	if d.options.Direction == "" && !r.sayDirection() {
		r.directions = directionsOf(p.forms)
	}
	return r, nil
}

// sayDirection tells whether a column, or the columns of a wide table, say the direction of each amount.
func (r *roles) sayDirection() bool {
	return slices.Contains(slices.Collect(maps.Values(r.quality)), "direction") || r.wide != nil && r.wide.directions
}

// takeNumbers takes numbers that differ from row to row for amounts, where nothing else is one: their names are in a language that is not known here.
func (r *roles) takeNumbers(p *profile) {
	for _, c := range p.Columns {
		n := &c.Numbers
		if r.of[c.At] == isLevel && r.labels[c] == nil && c.HoldsNumbers() && n.Percents == 0 && len(n.Signs) < 2 && n.Largest >= 3 &&
			has(c.Words, vocabulary.Code) == "" && has(c.Words, vocabulary.Rate) == "" && has(c.Words, vocabulary.Count) == "" && (c.Many || int64(c.Different())*2 > c.Cells) {
			r.set(c, isAmount, say("only-numbers", "Evidence", say("numbers", "Numbers", n.Readable(), "Cells", c.Cells)))
		}
	}
}

// takeAlike takes numbers for amounts whose columns are named as one of amounts is but for their numbers, as fy2 is as fy1, and all numbers of a table
// with one row for each year, where no other column tells rows apart.
func (r *roles) takeAlike(p *profile) {
	y := r.year.column
	series := y != nil && !y.Many && y.Dates == 0 && y.Cells == p.Rows && int64(y.Different()) == p.Rows && p.Rows >= fewestYears
	var amounts [][]string
	for _, c := range p.Columns {
		if stem := withoutNumbers(c.Words); r.of[c.At] == isAmount && len(stem) < len(c.Words) && !slices.Equal(stem, unnamed) {
			amounts = append(amounts, stem)
		}
	}
	for _, c := range p.Columns {
		stem := withoutNumbers(c.Words)
		alike := len(stem) < len(c.Words) && slices.ContainsFunc(amounts, func(other []string) bool { return slices.Equal(other, stem) })
		_, told := r.told[c]
		if told || c == y || r.of[c.At] != isLevel || r.labels[c] != nil || !alike && !series || !c.HoldsNumbers() || c.Numbers.Percents > 0 || len(c.Numbers.Signs) > 1 || strings.Contains(c.Name, "%") ||
			has(c.Words, vocabulary.Code) != "" || has(c.Words, vocabulary.Rate) != "" || has(c.Words, vocabulary.Count) != "" {
			continue
		}
		why := say("named-alike")
		if !alike {
			why = say("one-row-each-year")
		}
		r.set(c, isAmount, together(say("numbers", "Numbers", c.Numbers.Readable(), "Cells", c.Cells), why))
	}
}

// fewestYears is how many rows a table has at least that has one for each year.
const fewestYears = 3

// unnamed is the word of the names that columns without one get.
var unnamed = []string{"column"}

// withoutNumbers gives the words of a name that are no numbers.
func withoutNumbers(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), evidence.IsDigits)
}

// isSerial tells whether a column numbers the rows: its whole numbers are all different and leave no gaps.
func isSerial(c *column) bool {
	n := int64(c.Different())
	if c.Many || n < fewestSerial || n != c.Cells || c.Numbers.Decimals > 0 {
		return false
	}
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, v := range c.Values[1:] {
		number, err := strconv.ParseInt(strings.TrimSpace(v.Text), 10, 64)
		if err != nil {
			return false
		}
		first, last = min(first, number), max(last, number)
	}
	return last-first == n-1
}

// fewestSerial is how many rows a column numbers at least.
const fewestSerial = 10

// judgeQualifier decides whether the cells of a column say what the amounts of their rows are.
func (r *roles) judgeQualifier(c *column) {
	if r.of[c.At] != isLevel || c.Many || c.IsEmpty() {
		return
	}
	members := each.Text(c.Values[1:], func(v evidence.Value) string { return strings.TrimSpace(v.Text) })
	q := cmp.Or(qualifier.LooksLike(c.Name, members), qualifier.LooksLike(strings.Join(c.Words, " "), members))
	switch {
	case q != "":
	case saysBoth(c.Words) && len(members) > 1 && len(members) <= qualifier.Most:
		q = "direction"
	case (kindNames[strings.ToLower(c.Name)] || someAreShares(members) && c.HoldsWords()) && len(members) > 1 && len(members) <= qualifier.Most:
		q = "kind"
	default:
		q = looksLikeBy(members)
	}
	if taken := r.columnOf(q); q != "" && taken != nil { // a code beside its label says it once
		r.set(c, isLevel, say("says-same", "Column", shown(taken.Name)))
		return
	}
	if q != "" {
		r.quality[c] = q
		r.set(c, isQualifier, say("qualifier", "Qualifier", say(q), "Members", clipped(quotedAll(members))))
	}
}

func (r *roles) set(c *column, to role, why cube.Titles) { r.of[c.At], r.why[c.At] = to, why }

// pairByName pairs codes with labels whose names are alike but for the word for a code or a label.
func (r *roles) pairByName(p *profile) {
	byStem := map[string][]*column{}
	for _, c := range p.Columns {
		if c != r.year.column && r.mayBe(c, ReadLevel) && r.of[c.At] == isLevel {
			stem := nameRoleOf(c.Words).stem
			byStem[stem] = append(byStem[stem], c)
		}
	}
	for _, c := range p.Columns {
		same := byStem[nameRoleOf(c.Words).stem]
		if len(same) < 2 || same[0] != c {
			continue
		}
		code, label := codeAndLabel(same)
		if code != nil && label != nil {
			r.pair(code, label, say("alike"))
		}
	}
	for _, c := range p.Columns { // abbreviated: desc_proy_inv is of proyecto_inv
		if n := nameRoleOf(c.Words); n.label && r.of[c.At] == isLevel && c.HoldsWords() {
			if code := r.abbreviated(p, c, n.stem); code != nil {
				r.pair(code, c, say("alike"))
			}
		}
	}
}

// pairAlone pairs the one column that is named for codes alone with the one that is named for labels alone, as Code and Description are, and
// columns under one published name, of which one holds words and the other none.
func (r *roles) pairAlone(p *profile) {
	var codes, labels []*column
	for _, c := range p.Columns {
		if r.of[c.At] != isLevel || r.labels[c] != nil || c == r.year.column {
			continue
		}
		others := func(set map[string]bool) bool {
			return slices.ContainsFunc(c.Words, func(word string) bool { return !set[word] })
		}
		switch {
		case !others(vocabulary.Code):
			codes = append(codes, c)
		case !others(vocabulary.Label) && c.HoldsWords():
			labels = append(labels, c)
		}
		for _, again := range p.Columns {
			if again.Name == c.Name+" 2" && r.of[again.At] == isLevel && has(c.Words, vocabulary.Money) == "" {
				switch {
				case c.Letters == 0 && again.HoldsWords():
					r.pair(c, again, say("one-name"))
				case again.Letters == 0 && c.HoldsWords():
					r.pair(again, c, say("one-name"))
				}
			}
		}
	}
	if len(codes) == 1 && len(labels) == 1 && max(codes[0].At-labels[0].At, labels[0].At-codes[0].At) <= 2 {
		r.pair(codes[0], labels[0], say("code-and-label"))
	}
}

func (r *roles) pair(code, label *column, why cube.Titles) {
	if r.named[code] {
		return
	}
	r.labels[code], r.pairWhy[code] = label, why
	r.set(label, isLabel, why)
}

// codeAndLabel gives of columns with one stem the one that is the code and the one that is its label, nil where there is none.
func codeAndLabel(same []*column) (code, label *column) {
	for _, c := range same {
		switch n := nameRoleOf(c.Words); {
		case n.label && !n.code && label == nil:
			label = c
		case n.code && !n.label && code == nil:
			code = c
		}
	}
	for _, c := range same {
		n := nameRoleOf(c.Words)
		bare := !n.code && !n.label
		switch {
		case bare && code == nil && label != nil:
			code = c
		case bare && label == nil && code != nil && c.HoldsWords():
			label = c
		}
	}
	return code, label
}

// abbreviated gives the column whose name has the same words as a stem, some of them cut off.
func (r *roles) abbreviated(p *profile, label *column, stem string) *column {
	words := strings.Fields(stem)
	for _, c := range p.Columns {
		n := nameRoleOf(c.Words)
		own := strings.Fields(n.stem)
		if c == label || n.label || len(own) != len(words) || r.of[c.At] != isLevel || r.labels[c] != nil {
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

// columnOf gives the column that is a qualifier, or nil.
func (r *roles) columnOf(qualifier string) *column {
	for c, q := range r.quality {
		if q == qualifier {
			return c
		}
	}
	return nil
}

// kindNames are of columns that say of what kind a number is, such as an amount or a share of GDP.
var kindNames = map[string]bool{"measure": true, "indicator": true, "unit of measure": true, "unit_measure": true, "uom": true, "units": true, "unit measure": true, "scale": true, "medida": true, "indicador": true}

// saysBoth tells whether a name has a word for revenue and one for expenditure.
func saysBoth(words []string) bool {
	var revenue, expenditure bool
	for _, word := range words {
		direction := cmp.Or(qualifier.MeaningOf("direction", word), directionOf([]string{word}))
		revenue, expenditure = revenue || direction == "revenue" || word == "rev", expenditure || direction == "expenditure" || word == "exp"
	}
	return revenue && expenditure
}

// shares are in members that say that numbers are shares or per head, beside others that say no such thing.
var shares = regexp.MustCompile(`(?i)percent|per cent|%|\bgdp\b|\bpib\b|per capita|per head|pro kopf|\bthousands?\b|\bmillions?\b`)

func someAreShares(members []string) bool {
	return slices.ContainsFunc(members, func(member string) bool { return shares.MatchString(strings.ReplaceAll(member, "_", " ")) })
}

// directionStems are parts of words that say a direction, in names that are put together.
var directionStems = []struct{ stem, direction string }{{"ausgab", "expenditure"}, {"aufwend", "expenditure"}, {"aufwand", "expenditure"}, {"auszahl", "expenditure"}, {"einnahm", "revenue"},
	{"ertrag", "revenue"}, {"erträg", "revenue"}, {"einzahl", "revenue"}, {"gasto", "expenditure"}, {"egreso", "expenditure"}, {"ingreso", "revenue"}, {"dépens", "expenditure"}, {"recett", "revenue"},
	{"despesa", "expenditure"}, {"receita", "revenue"}, {"rashod", "expenditure"}, {"prihod", "revenue"}, {"výdaj", "expenditure"}, {"příjm", "revenue"}, {"видатк", "expenditure"}, {"доход", "revenue"},
	{"expens", "expenditure"}, {"expend", "expenditure"}, {"spending", "expenditure"}, {"revenue", "revenue"}, {"income", "revenue"}, {"spese", "expenditure"}, {"entrate", "revenue"}}

// looksLikeBy gives the qualifier that longer members say: a direction, where each of two has a word for another one and says nothing else, or both say
// the same beside it; a phase, where most are words for one, with two meanings at least.
func looksLikeBy(members []string) string {
	if len(members) < 2 || len(members) > qualifier.Most {
		return ""
	}
	directions, beside, phases, known := map[string]bool{}, map[string]bool{}, map[string]bool{}, 0
	for _, member := range members {
		direction, rest := qualifier.MeaningOf("direction", member), ""
		if first, others, several := strings.Cut(member, " "); several && direction == "" { // Ingresos corrientes, Gastos corrientes
			direction, rest = qualifier.MeaningOf("direction", first), others
		}
		beside[rest] = true
		for _, s := range directionStems {
			if strings.ContainsRune(member, ' ') { // Income Support is a programme
				break
			}
			if direction == "" && strings.Contains(strings.ToLower(member), s.stem) {
				direction = s.direction
			}
		}
		directions[direction] = true
		if phase := phaseOf(wordsOf(member)); phase != "" {
			known++
			phases[phase] = true
		}
	}
	switch {
	case len(directions) == 2 && !directions[""] && len(members) == 2 && len(beside) == 1:
		return "direction"
	case known*3 >= len(members)*2 && len(phases) > 1:
		return "phase"
	}
	return ""
}

// judge decides whether a column that is nothing yet holds amounts.
func (r *roles) judge(c *column) {
	if r.of[c.At] != isLevel || c.IsEmpty() {
		return
	}
	n := &c.Numbers
	if w, ok := r.wide.of(c); ok {
		r.set(c, isAmount, together(say("numbers", "Numbers", n.Readable(), "Cells", c.Cells), say("named", "Word", w.year)))
		return
	}
	nothing := c.MarksOfNothing()
	var others int64
	for _, rows := range n.Others {
		others += rows
	}
	numbers := n.Readable()
	money := cmp.Or(has(c.Words, vocabulary.Money), monthOf(c.Words))
	switch {
	case money == "" && n.Decimals == 0 && n.Negative == 0 && (has(c.Words, vocabulary.Document) != "" || isOfParties(c.Words)):
		return
	case r.labels[c] != nil || has(c.Words, vocabulary.Code) != "" || c.Years == c.Cells || c.Zeros > 0 || c.Dates == c.Cells:
		return
	case money == "" && (has(c.Words, vocabulary.Level) != "" || numberSign.MatchString(c.Name)):
		return
	case money == "" && isSerial(c):
		r.set(c, isLeft, say("numbers-rows"))
		return
	case numbers == 0 || numbers < c.Cells && (nothing == nil || n.ManyOther):
		other := anyOther(n.Others)
		if n.Decimals*10 >= c.Cells*8 || money != "" && (numbers*10 >= c.Cells*8 || c.Letters == 0 && strings.ContainsAny(other, "0123456789")) {
			r.near = append(r.near, fmt.Sprintf("%s: %s of %s cells are no numbers, such as %q", shown(c.Name), count(c.Cells-numbers), count(c.Cells), shown(other)))
		}
		return
	case strings.Contains(c.Name, "%"):
		r.set(c, isLeft, say("percent-name"))
		return
	case n.Percents > 0:
		r.set(c, isLeft, say("percents", "Percents", n.Percents, "Cells", c.Cells))
		return
	case len(n.Signs) > 1:
		r.near = append(r.near, fmt.Sprintf("%s: its amounts are in several currencies (%s), which are never added: put the currency into a column of its own", shown(c.Name), listed(quotedAll(n.Signs), "and")))
		return
	case r.wide != nil:
		r.besideYears = append(r.besideYears, c)
		r.set(c, isLeft, say("no-year-named"))
		return
	case has(c.Words, vocabulary.Count) != "" && has(c.Words, vocabulary.Amount) == "":
		r.set(c, isLeft, say("counts", "Word", has(c.Words, vocabulary.Count)))
		return
	case has(c.Words, vocabulary.Rate) != "":
		r.set(c, isLeft, say("rates", "Word", has(c.Words, vocabulary.Rate)))
		return
	}
	why := say("numbers", "Numbers", numbers, "Cells", c.Cells)
	if others > 0 {
		why = say("others", "Evidence", why, "Texts", quotedAll(nothing))
	}
	kind := has(c.Words, vocabulary.Generic) != "" && n.Decimals == 0 && n.Largest <= 2 // tipo_gasto has the codes of kinds
	switch {
	case money != "" && !kind:
		why = together(why, say("named", "Word", money))
	case len(n.Signs) == 1:
		why = say("with-sign", "Evidence", why, "Sign", n.Signs[0])
	case n.Decimals > 0 && (n.Largest >= 3 || c.Many || int64(c.Different())*3 > c.Cells): // 1.1 and 17.2 again and again are codes
		why = say("decimals", "Evidence", why, "Cells", n.Decimals)
	case n.Negative > 0:
		why = say("below-zero", "Evidence", why, "Cells", n.Negative)
	case n.Largest >= 4 && len(n.Lengths) >= 3 && (c.Many || int64(c.Different())*2 > c.Cells-n.Zeros && n.Zeros < c.Cells):
		why = say("lengths", "Evidence", why, "Lengths", len(n.Lengths))
	default:
		return
	}
	r.set(c, isAmount, why)
}

// numberSign is of names of numbers, as P.O. N°.
var numberSign = regexp.MustCompile(`(?i)\bn\s?[°º]|№`)

// anyOther gives one of the texts that are no numbers: the first by order, of those with a digit where there are some.
func anyOther(others map[string]int64) string {
	texts := slices.Sorted(maps.Keys(others))
	if i := slices.IndexFunc(texts, func(text string) bool { return strings.ContainsAny(text, "0123456789") }); i >= 0 {
		return texts[i]
	}
	return strings.Join(texts[:min(1, len(texts))], "")
}

func quotedAll(texts []string) []string {
	return each.Text(texts, func(text string) string { return fmt.Sprintf("%q", shown(text)) })
}

// judgeEmpty decides what empty columns are: amounts where they are named so, and nothing otherwise.
func (r *roles) judgeEmpty(p *profile) {
	for _, c := range p.Columns {
		switch {
		case !c.IsEmpty() || r.of[c.At] == isLabel || r.told[c] != "":
		case has(c.Words, vocabulary.Money) != "" && has(c.Words, vocabulary.Code) == "" && r.labels[c] == nil && r.wide == nil && has(c.Words, vocabulary.Count) == "":
			r.set(c, isAmount, say("empty-amount", "Rows", p.Rows, "Word", has(c.Words, vocabulary.Money)))
		default:
			r.set(c, isLeft, say("empty", "Rows", p.Rows))
			if label := r.labels[c]; label != nil {
				r.set(label, isLeft, say("label-of-empty", "Column", shown(c.Name)))
				delete(r.labels, c)
			}
		}
	}
}

// noAmounts is the error of files without amounts.
func (r *roles) noAmounts(p *profile) error {
	message := "no column holds amounts: numbers in all rows, in a column that is no code"
	if len(r.near) > 0 {
		message = "no column holds amounts in all rows: " + strings.Join(clipped(r.near), "; ") +
			". Write plain numbers in these cells, and leave them empty where nothing is known; where they are names of columns, --header says the last line of them"
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
	"januar februar marz april mai juni juli august september oktober november dezember",
	"januari februari mars april maj juni juli augusti september oktober november december",
	"januari februari maart april mei juni juli augustus september oktober november december",
	"janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
	"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
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
