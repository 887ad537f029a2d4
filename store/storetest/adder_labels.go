package storetest

import (
	"bytes"
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// memberNames is what the rows of all years call a member.
type memberNames struct {
	key    string                   // as it is searched
	called map[int64][]string       // the labels of a year, tidied, each once; "" if rows have none
	years  map[int64]map[string]int // how many rows have a label in a year
}

// noYear is the fiscal year of rows without one: before all others.
const noYear = -1 << 62

// namesOf reads what the rows call the members of a level.
func (a *adder) namesOf(level cube.Level) map[string]*memberNames {
	if known, ok := a.names[level.Ref]; ok {
		return known
	}
	all, tidy := map[string]*memberNames{}, map[string]string{}
	for _, r := range a.rows {
		path := a.fields(r, level.Path...)
		member := all[pathText(path)]
		if member == nil {
			member = &memberNames{years: map[int64]map[string]int{}, called: map[int64][]string{}}
			member.key = folded(tidied(path[len(path)-1].String()))
			all[pathText(path)] = member
		}
		year := a.yearOf(r)
		cell := ""
		if level.LabelRef != "" {
			cell = r.cells[a.index[level.LabelRef]]
		}
		label, known := tidy[cell]
		if !known {
			label = tidied(cell)
			tidy[cell] = label
		}
		if !slices.Contains(member.called[year], label) {
			member.called[year] = append(member.called[year], label)
		}
		if label != "" {
			if member.years[year] == nil {
				member.years[year] = map[string]int{}
			}
			member.years[year][label]++
		}
	}
	a.names[level.Ref] = all
	return all
}

func (a *adder) yearOf(r row) int64 {
	if column, ok := a.model.FiscalYear(); ok {
		if year, ok := a.value(r, column).Int(); ok {
			return year
		}
	}
	return noYear
}

var space = regexp.MustCompile(`[\p{Z}\p{Cc}]+`)

// tidied is a label as it is displayed.
func tidied(label string) string {
	return norm.NFC.String(strings.Trim(space.ReplaceAllString(label, " "), " "))
}

// isCalled tells whether the key or a label of the member has the text in it.
func (m *memberNames) isCalled(label, part string) bool {
	return strings.Contains(m.key, folded(part)) || strings.Contains(folded(label), folded(part))
}

// stroked are letters that are written as others where a keyboard does not have them, and that no decomposition takes apart.
var stroked = map[rune]string{'đ': "d", 'ð': "d", 'ħ': "h", 'ı': "i", 'ł': "l", 'ø': "o", 'ŧ': "t", 'æ': "ae", 'œ': "oe", 'þ': "th"}

// folded is a text as it is searched: without accents, which follow their letter once it is decomposed, without case
// and without strokes.
func folded(text string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(text) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	bare := cases.Fold().String(norm.NFC.String(b.String()))
	b.Reset()
	for _, r := range bare {
		b.WriteString(cmp.Or(stroked[r], string(r)))
	}
	return b.String()
}

// label gives the label of a member: of the latest year that the cuts admit and in which it has one, the label of most
// rows, and of those the smallest text; without any, its key.
func (a *adder) label(level cube.Level, path []cube.Value, admitted func(year int64) bool) cube.Value {
	if member := a.namesOf(level)[pathText(path)]; member != nil {
		for _, year := range slices.Backward(slices.Sorted(maps.Keys(member.years))) {
			if admitted(year) {
				return cube.Text(byRows(member.years[year])[0])
			}
		}
	}
	return cube.Text(path[len(path)-1].String())
}

// byRows lists labels, that of most rows first.
func byRows(labels map[string]int) []string {
	return slices.SortedFunc(maps.Keys(labels), func(x, y string) int {
		return cmp.Or(cmp.Compare(labels[y], labels[x]), cmp.Compare(x, y))
	})
}

// yearsAdmitted tells which fiscal years the cuts of a plan admit, whatever else they ask of a row.
func (a *adder) yearsAdmitted(p *plan.Plan) func(year int64) bool {
	fiscal, ok := a.model.FiscalYear()
	return func(year int64) bool { return !ok || a.admits(p, fiscal.Name, yearValue(year)) }
}

func yearValue(year int64) cube.Value {
	if year == noYear {
		return cube.Missing
	}
	return cube.Integer(year)
}

// pathOf gives the keys that name the member of a level; false where some are not among them.
func pathOf(columns []cube.Column, keys []cube.Value, level cube.Level) ([]cube.Value, bool) {
	path := make([]cube.Value, len(level.Path))
	for i, field := range level.Path {
		k := slices.IndexFunc(columns, func(c cube.Column) bool { return c.Name == field })
		if k < 0 || k >= len(keys) {
			return nil, false
		}
		path[i] = keys[k]
	}
	return path, true
}

// labels gives the labels of the members that the keys of a cell name, one for each level of the plan.
func (a *adder) labels(p *plan.Plan, keys []cube.Value, admitted func(year int64) bool) []cube.Value {
	labels := make([]cube.Value, len(p.Levels()))
	for i, level := range p.Levels() {
		if path, ok := pathOf(p.Keys(), keys, level); ok && level.LabelRef != "" {
			labels[i] = a.label(level, path, admitted)
		}
	}
	return labels
}

// alphabet orders labels by the root of the Unicode collation.
type alphabet struct {
	collator *collate.Collator
	buffer   *collate.Buffer
	keys     map[string][]byte
}

func newAlphabet() *alphabet {
	return &alphabet{collate.New(language.Und), &collate.Buffer{}, map[string][]byte{}}
}

func (a *alphabet) compare(x, y cube.Value) int {
	return bytes.Compare(a.key(x.String()), a.key(y.String()))
}

func (a *alphabet) key(text string) []byte {
	key, ok := a.keys[text]
	if !ok {
		key = a.collator.KeyFromString(a.buffer, text)
		a.keys[text] = key
	}
	return key
}

// missingLast compares two values in a direction. Missing ones come last in both.
func missingLast(x, y cube.Value, desc bool, compare func(x, y cube.Value) int) int {
	switch {
	case x.IsMissing() && y.IsMissing():
		return 0
	case x.IsMissing():
		return 1
	case y.IsMissing():
		return -1
	case desc:
		return compare(y, x)
	}
	return compare(x, y)
}
