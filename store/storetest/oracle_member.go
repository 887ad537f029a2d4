package storetest

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"fiscube/cube"
)

// callings lists, for each member of a level by its path, all that rows of any year call it; "" where they do not.
type callings map[string]*calling

type calling struct {
	path   []cube.Value
	labels []string   // tidied, each once
	plain  []string   // its key and the labels as they are looked for
	of     [][]string // the rows
}

// judgeMember tells whether a row is of a member that the test admits.
func (o *oracle) judgeMember(m *cube.MemberTest, cell func(cube.Column) (cube.Value, bool)) judgement {
	var path []cube.Value
	for _, field := range m.Level.Path {
		column, _ := o.model.Column(field)
		value, known := cell(column)
		if !known {
			return maybe
		}
		path = append(path, value)
	}
	if one := o.callingsOf(m.Level)[pathText(path)]; one != nil && one.isAdmitted(m) {
		return yes
	}
	return no
}

func (c *calling) isAdmitted(m *cube.MemberTest) bool {
	return slices.ContainsFunc(m.Labels, func(label string) bool { return slices.Contains(c.labels, label) }) ||
		slices.ContainsFunc(m.Parts, c.holds)
}

// holds tells whether the key or a label has the text in it.
func (c *calling) holds(part string) bool {
	return slices.ContainsFunc(c.plain, func(text string) bool { return strings.Contains(text, sought(part)) })
}

// callingsOf reads what all rows call the members of a level.
func (o *oracle) callingsOf(level cube.Level) callings {
	if known, ok := o.called[level.Ref]; ok {
		return known
	}
	all := callings{}
	for _, row := range o.rows {
		path := o.cells(row, level.Path...)
		one := all[pathText(path)]
		if one == nil {
			one = &calling{path: path}
			all[pathText(path)] = one
		}
		one.of = append(one.of, row)
		if level.LabelRef != "" {
			if label := tidied(row[o.places[level.LabelRef]]); !slices.Contains(one.labels, label) {
				one.labels = append(one.labels, label)
			}
		}
	}
	for _, one := range all {
		for _, text := range append([]string{tidied(one.path[len(one.path)-1].String())}, one.labels...) {
			one.plain = append(one.plain, sought(text))
		}
	}
	o.called[level.Ref] = all
	return all
}

// stroked are letters that are written in others where there is no key for them; no decomposition says in which.
var stroked = map[rune]string{'đ': "d", 'ð': "d", 'ħ': "h", 'ı': "i", 'ł': "l", 'ø': "o", 'ŧ': "t", 'æ': "ae", 'œ': "oe", 'þ': "th"}

// sought is a text as it is looked for: without accents, which stand behind their letter once it is decomposed, without
// case and without strokes.
func sought(text string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(text) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	folded := cases.Fold().String(norm.NFC.String(b.String()))
	b.Reset()
	for _, r := range folded {
		b.WriteString(cmp.Or(stroked[r], string(r)))
	}
	return b.String()
}
