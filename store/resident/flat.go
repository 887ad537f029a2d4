package resident

import (
	"cmp"
	"context"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/store/dictionary"
)

// flatReading makes the cells of a flat statement of groups. A cell has the groups with the same values of its keys, which may be of
// several members.
type flatReading struct {
	*question
	keys   []func(numbers []int32) cube.Value // of each key
	labels []func(numbers []int32) labelOfGroup
	cells  []*flatCell
	index  []map[valueAfter]int // by key: the number of the keys up to it
	parts  []*part              // of the cells
}

// valueAfter is the value of a key after the keys before it, which have a number.
type valueAfter struct {
	before int
	value  cube.Value
}

// flatCell is a cell with the labels of its levels.
type flatCell struct {
	number int32
	keys   []cube.Value
	rows   []labelRows
	labels []cube.Value
}

// labelOfGroup is the label cell of the rows of a group, and the index of their fiscal year (dictionary.Labels).
type labelOfGroup struct {
	text string
	year int
}

// labelRows counts the rows by label in the latest year in which a cell has one.
type labelRows struct {
	year int
	rows map[string]int64
}

// newFlatReading finds what the keys and labels of a statement need.
func newFlatReading(ctx context.Context, d *dictionary.Dictionary, q *question) (*flatReading, error) {
	f := &flatReading{question: q, labels: make([]func([]int32) labelOfGroup, len(q.Levels()))}
	for _, key := range q.Keys() {
		if group := q.groupWith(key.Name); group >= 0 {
			m := q.groups[group]
			at := slices.Index(m.Level.Path, key.Name)
			f.keys = append(f.keys, func(numbers []int32) cube.Value { return m.Path(numbers[group])[at] })
			continue
		}
		level, _ := q.LevelOfLabel(key.Name)
		label, err := f.labelOf(ctx, d, level)
		if err != nil {
			return nil, err
		}
		f.keys = append(f.keys, func(numbers []int32) cube.Value { return cube.Text(label(numbers).text) })
	}
	for i, level := range q.Levels() {
		var err error
		if f.labels[i], err = f.labelOf(ctx, d, level); err != nil {
			return nil, err
		}
	}
	f.index = make([]map[valueAfter]int, len(f.keys))
	for i := range f.index {
		f.index[i] = map[valueAfter]int{}
	}
	return f, nil
}

// groupWith gives the index of the level of the groups with a field in its path, or -1.
func (q *question) groupWith(field string) int {
	return slices.IndexFunc(q.groups, func(m *dictionary.Members) bool { return slices.Contains(m.Level.Path, field) })
}

// labelOf makes a function that gives the label of a member of a level by the numbers of a group.
func (f *flatReading) labelOf(ctx context.Context, d *dictionary.Dictionary, level cube.Level) (func(numbers []int32) labelOfGroup, error) {
	labels, err := d.Labels(ctx, f.Cube(), level)
	if err != nil {
		return nil, err
	}
	members, err := d.Members(ctx, f.Cube(), level)
	if err != nil {
		return nil, err
	}
	group := slices.IndexFunc(f.groups, func(m *dictionary.Members) bool { return m.Level.PathHas(level.Path) })
	above, yearOf := f.groups[group].Above(members), f.yearOf(labels)
	return func(numbers []int32) labelOfGroup {
		year := yearOf(numbers)
		return labelOfGroup{labels.Cell(above[numbers[group]], year), year}
	}, nil
}

// yearOf makes a function that gives the index of the fiscal year among those of labels by the numbers of a group.
func (f *flatReading) yearOf(labels *dictionary.Labels) func(numbers []int32) int {
	column, ok := f.Cube().Model.FiscalYear()
	if !ok {
		year := labels.YearIndex(cube.Missing)
		return func([]int32) int { return year }
	}
	group := f.groupWith(column.Name)
	m := f.groups[group]
	at, years := slices.Index(m.Level.Path, column.Name), make([]int, m.Size)
	for n := range m.Size {
		years[n] = labels.YearIndex(m.Path(n)[at])
	}
	return func(numbers []int32) int { return years[numbers[group]] }
}

// add adds all groups to their cells.
func (f *flatReading) add(g *groups) {
	all, in, last := make([]int32, len(g.rows)), make([]int32, len(g.rows)), len(g.parts)-1
	numbers := make([]int32, len(f.groups))
	for i := range g.rows {
		g.read(f.question, int32(i), numbers)
		cell := f.cell(numbers)
		all[i], in[i] = int32(i), cell.number
		for j, label := range f.labels {
			cell.rows[j].add(label(numbers), g.parts[last].low[i])
		}
	}
	for _, p := range g.parts[:last] {
		f.parts = append(f.parts, p.regrouped(all, in, len(f.cells)))
	}
}

// cell gives the cell of a group.
func (f *flatReading) cell(numbers []int32) *flatCell {
	keys, before := make([]cube.Value, len(f.keys)), 0
	for i, key := range f.keys {
		keys[i] = key(numbers)
		id := valueAfter{before, keys[i]}
		number, ok := f.index[i][id]
		if !ok {
			number = len(f.index[i])
			f.index[i][id] = number
		}
		before = number
	}
	if before == len(f.cells) {
		f.cells = append(f.cells, &flatCell{int32(before), keys, make([]labelRows, len(f.labels)), make([]cube.Value, len(f.labels))})
	}
	return f.cells[before]
}

func (l *labelRows) add(label labelOfGroup, rows int64) {
	switch {
	case label.text == "" || l.rows != nil && label.year < l.year:
		return
	case l.rows == nil || label.year > l.year:
		l.year, l.rows = label.year, map[string]int64{}
	}
	l.rows[label.text] += rows
}

// most gives the label of the most rows, of equals the first by bytes; missing without any.
func (l *labelRows) most() cube.Value {
	label, most := "", int64(0)
	for text, rows := range l.rows {
		if rows > most || rows == most && text < label {
			label, most = text, rows
		}
	}
	return cube.Text(label)
}

// result sorts the cells and gives those of the page.
func (f *flatReading) result(g *groups) plan.Result {
	f.add(g)
	for _, cell := range f.cells {
		for i := range cell.rows {
			cell.labels[i] = cell.rows[i].most()
		}
	}
	slices.SortFunc(f.cells, f.compare)
	result := plan.Result{Count: int64(len(f.cells)), Close: func() {}}
	all := make([]int32, len(f.cells))
	for i, cell := range f.cells {
		all[i] = cell.number
	}
	for _, p := range f.parts {
		result.Total = append(result.Total, p.total(all))
	}
	page := onPage(f.cells, f.Page())
	result.Groups = func(yield func(plan.Group, error) bool) {
		for _, cell := range page {
			if !yield(f.group(cell), nil) {
				return
			}
		}
	}
	return result
}

// compare gives the order of two cells: text by bytes, missing last.
func (f *flatReading) compare(a, b *flatCell) int {
	for _, o := range f.Order() {
		order := 0
		switch o.By {
		case plan.ByAggregate:
			aggregate := f.Aggregate(o)
			p := f.parts[aggregate.Parts[0]]
			order = missingLast(p.isNull(a.number), p.isNull(b.number), o.Desc != aggregate.Reversed(), func() int { return p.compare(a.number, b.number) })
		case plan.ByLabel:
			order = compareBytes(a.labels[o.Index], b.labels[o.Index], o.Desc)
		default:
			order = compareBytes(a.keys[o.Index], b.keys[o.Index], o.Desc)
		}
		if order != 0 {
			return order
		}
	}
	return 0
}

// compareBytes puts values that are missing last.
func compareBytes(x, y cube.Value, desc bool) int {
	switch {
	case x.IsMissing() || y.IsMissing():
		return cmp.Compare(rankOfMissing(x), rankOfMissing(y))
	case desc:
		return y.CompareBytes(x)
	}
	return x.CompareBytes(y)
}

func rankOfMissing(v cube.Value) int {
	if v.IsMissing() {
		return 1
	}
	return 0
}

// group makes the group of a cell. Where there is no label, the key is shown.
func (f *flatReading) group(c *flatCell) plan.Group {
	group := plan.Group{Keys: c.keys, Labels: make([]cube.Value, len(c.labels)), Ranks: c.labels, Parts: numbersOf(f.parts, c.number, nil)}
	for i, label := range c.labels {
		if group.Labels[i] = label; label.IsMissing() {
			at := slices.IndexFunc(f.Keys(), func(k cube.Column) bool { return k.Name == f.Levels()[i].Ref })
			if at >= 0 {
				group.Labels[i] = cube.Text(c.keys[at].String())
			}
		}
	}
	return group
}
