package load

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// members counts the members of every listed level while rows go by.
type members struct {
	year   int // the place of the fiscal year among the columns, or -1
	levels []*levelMembers
}

// levelMembers counts the members of one level. Rows of one member often follow each other, so the last path
// is compared before anything is looked up.
type levelMembers struct {
	level  cube.Level
	path   []int // the places of the path among the columns
	label  int   // the place of the label, or -1
	types  []cube.ColumnType
	byPath map[string]*member
	last   *member
	key    []byte
}

// member is a member as it is counted.
type member struct {
	cells  []string
	rows   int64
	labels []labelCount
}

// labelCount is how many rows of a year give a member a label.
type labelCount struct {
	year string
	text string
	rows int64
}

func newMembers(m *cube.Model) *members {
	all := &members{year: -1}
	if year, ok := m.FiscalYear(); ok {
		all.year = place(m, year.Name)
	}
	for _, level := range m.Levels() {
		if !level.Listed {
			all.levels = append(all.levels, nil)
			continue
		}
		l := &levelMembers{level: level, label: -1, byPath: map[string]*member{}}
		for _, field := range level.Path {
			l.path = append(l.path, place(m, field))
			column, _ := m.Column(field)
			l.types = append(l.types, column.Type)
		}
		if level.LabelRef != "" {
			l.label = place(m, level.LabelRef)
		}
		all.levels = append(all.levels, l)
	}
	return all
}

func place(m *cube.Model, field string) int {
	return slices.IndexFunc(m.Columns(), func(c cube.Column) bool { return c.Name == field })
}

// add counts a row, whose cells are copied where they are kept.
func (m *members) add(cells []string) {
	year := ""
	if m.year >= 0 {
		year = cells[m.year]
	}
	for _, l := range m.levels {
		if l != nil {
			l.add(cells, year)
		}
	}
}

func (l *levelMembers) add(cells []string, year string) {
	one := l.find(cells)
	one.rows++
	if l.label >= 0 && cells[l.label] != "" {
		one.count(year, cells[l.label])
	}
}

func (l *levelMembers) find(cells []string) *member {
	if l.last != nil && l.isLast(cells) {
		return l.last
	}
	l.key = l.key[:0]
	for _, p := range l.path {
		l.key = append(append(l.key, cells[p]...), 0) // no cell holds a NUL
	}
	one, ok := l.byPath[string(l.key)]
	if !ok {
		one = &member{}
		for _, p := range l.path {
			one.cells = append(one.cells, strings.Clone(cells[p]))
		}
		l.byPath[string(l.key)] = one
	}
	l.last = one
	return one
}

func (l *levelMembers) isLast(cells []string) bool {
	for i := len(l.path) - 1; i >= 0; i-- {
		if l.last.cells[i] != cells[l.path[i]] {
			return false
		}
	}
	return true
}

// count adds a row to a label of a year. The latest label comes first, as the next row is likely to have it.
func (m *member) count(year, text string) {
	for i := range m.labels {
		if c := &m.labels[i]; c.text == text && c.year == year {
			c.rows++
			m.labels[0], m.labels[i] = m.labels[i], m.labels[0]
			return
		}
	}
	m.labels = append(m.labels, labelCount{strings.Clone(year), strings.Clone(text), 1})
}

// list gives the members of a level with labels chosen, folded and ranked.
func (m *members) list(level cube.Level) iter.Seq[cube.Member] {
	l := m.levels[level.Index]
	var list []cube.Member
	for _, one := range l.byPath {
		list = append(list, l.finish(one))
	}
	slices.SortFunc(list, comparePaths)
	rank(list)
	return slices.Values(list)
}

func comparePaths(a, b cube.Member) int {
	return slices.CompareFunc(a.Path, b.Path, cube.Value.Compare)
}

func (l *levelMembers) finish(one *member) cube.Member {
	m := cube.Member{Rows: one.rows, Label: chooseLabel(one.labels)}
	for i, cell := range one.cells {
		m.Path = append(m.Path, keyOf(cell, l.types[i]))
	}
	m.Fold = fold(display(m))
	return m
}

func keyOf(cell string, kind cube.ColumnType) cube.Value {
	if kind == cube.TypeInteger && cell != "" {
		n, _ := strconv.ParseInt(cell, 10, 64) // the survey read it
		return cube.Integer(n)
	}
	return cube.Text(cell)
}

// display is what a member is shown by: its label or else its key.
func display(m cube.Member) string {
	return cmp.Or(m.Label, m.Path[len(m.Path)-1].String())
}

// chooseLabel picks, of the labels of the latest year that has one, that of the most rows, and of equals the
// smallest text.
func chooseLabel(labels []labelCount) string {
	tidied := map[labelCount]int64{} // by year and tidied text
	for _, l := range labels {
		tidied[labelCount{year: l.year, text: tidy(l.text)}] += l.rows
	}
	best, most := labelCount{}, int64(0)
	for l, rows := range tidied {
		order := cmp.Or(cmp.Compare(yearOf(l), yearOf(best)), cmp.Compare(rows, most), strings.Compare(best.text, l.text))
		if l.text != "" && (best.text == "" || order > 0) {
			best, most = l, rows
		}
	}
	return best.text
}

func yearOf(l labelCount) int64 {
	n, _ := strconv.ParseInt(l.year, 10, 64) // a missing year counts as the earliest
	return n
}
