package sqlgen

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/store/dictionary"
)

// flatReading makes the cells of a flat statement of the groups of a cuboid. A cell has the groups with the same values of its keys,
// which may be of several members. The cells are sorted and brought on pages in memory.
type flatReading struct {
	*cuboidCells
	keys   []func(numbers []any) cube.Value // of each key
	labels []func(numbers []any) labelOfGroup
	total  []any // the parts over all groups
	cells  []*flatCell
	index  []map[valueAfter]int // by key: the number of the keys up to it
}

// valueAfter is the value of a key after the keys before it, which have a number.
type valueAfter struct {
	before int
	value  cube.Value
}

// flatCell is a cell whose groups are added up.
type flatCell struct {
	keys   []cube.Value
	labels []labelRows
	parts  []any
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

var errTooManyGroups = errors.New("the cuboid has too many groups")

// newFlatReading finds what the keys and labels of a statement need.
func newFlatReading(ctx context.Context, d *dictionary.Dictionary, q *cuboidCells) (*flatReading, error) {
	f := &flatReading{cuboidCells: q, labels: make([]func([]any) labelOfGroup, len(q.Levels())), total: make([]any, len(q.Parts()))}
	for i, p := range q.Parts() {
		f.total[i] = sumOf(p.Func, nil, 0)
	}
	for _, key := range q.Keys() {
		if group := q.groupWith(key.Name); group >= 0 {
			m := q.groups[group]
			at := slices.Index(m.Level.Path, key.Name)
			f.keys = append(f.keys, func(numbers []any) cube.Value { return m.Path(int32Of(numbers[group]))[at] })
			continue
		}
		level, _ := q.LevelOfLabel(key.Name)
		label, err := f.labelOf(ctx, d, level)
		if err != nil {
			return nil, err
		}
		f.keys = append(f.keys, func(numbers []any) cube.Value { return cube.Text(label(numbers).text) })
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
func (q *cuboidCells) groupWith(field string) int {
	return slices.IndexFunc(q.groups, func(m *dictionary.Members) bool { return slices.Contains(m.Level.Path, field) })
}

// labelOf makes a function that gives the label of a member of a level by the numbers of a group.
func (f *flatReading) labelOf(ctx context.Context, d *dictionary.Dictionary, level cube.Level) (func(numbers []any) labelOfGroup, error) {
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
	return func(numbers []any) labelOfGroup {
		year := yearOf(numbers)
		return labelOfGroup{labels.Cell(above[int32Of(numbers[group])], year), year}
	}, nil
}

// yearOf makes a function that gives the index of the fiscal year among those of labels by the numbers of a group.
func (f *flatReading) yearOf(labels *dictionary.Labels) func(numbers []any) int {
	column, ok := f.Cube().Model.FiscalYear()
	if !ok {
		year := labels.YearIndex(cube.Missing)
		return func([]any) int { return year }
	}
	group := f.groupWith(column.Name)
	m := f.groups[group]
	at, years := slices.Index(m.Level.Path, column.Name), make([]int, m.Size)
	for n := range m.Size {
		years[n] = labels.YearIndex(m.Path(n)[at])
	}
	return func(numbers []any) int { return years[int32Of(numbers[group])] }
}

// add adds all groups to their cells.
func (f *flatReading) add(rows iter.Seq2[[]any, error]) error {
	count := 0
	for row, err := range rows {
		if err != nil {
			return err
		}
		if count++; count > plan.MostRegrouped {
			return errTooManyGroups
		}
		f.addGroup(row[:len(f.groups)], row[len(f.groups):])
	}
	return nil
}

func (f *flatReading) addGroup(numbers, parts []any) {
	cell := f.cell(numbers)
	for i, p := range f.Parts() {
		cell.parts[i], f.total[i] = plus(p.Func, cell.parts[i], parts[i]), plus(p.Func, f.total[i], parts[i])
	}
	rows := parts[len(f.Parts())].(int64)
	for i, label := range f.labels {
		cell.labels[i].add(label(numbers), rows)
	}
}

// cell gives the cell of a group.
func (f *flatReading) cell(numbers []any) *flatCell {
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
		f.cells = append(f.cells, &flatCell{keys: keys, labels: make([]labelRows, len(f.labels)), parts: make([]any, len(f.Parts()))})
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
func (f *flatReading) result() plan.Result {
	groups := make([]flatGroup, len(f.cells))
	for i, cell := range f.cells {
		groups[i] = flatGroup{cell, make([]cube.Value, len(cell.labels))}
		for j := range cell.labels {
			groups[i].labels[j] = cell.labels[j].most()
		}
	}
	slices.SortFunc(groups, f.compare)
	result := plan.Result{Count: int64(len(groups)), Total: f.amounts(f.total), Close: func() {}}
	groups = onPage(groups, f.Page())
	result.Groups = func(yield func(plan.Group, error) bool) {
		for _, g := range groups {
			if !yield(f.group(g), nil) {
				return
			}
		}
	}
	return result
}

// flatGroup is a cell with its labels.
type flatGroup struct {
	*flatCell
	labels []cube.Value
}

// compare gives the order of two cells: text by bytes, missing last.
func (f *flatReading) compare(a, b flatGroup) int {
	for _, o := range f.Order() {
		order := 0
		switch o.By {
		case plan.ByAggregate:
			aggregate := f.Aggregate(o)
			part := aggregate.Parts[0]
			order = compareAmounts(a.parts[part], b.parts[part], o.Desc != aggregate.Reversed())
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
func (f *flatReading) group(g flatGroup) plan.Group {
	group := plan.Group{Keys: g.keys, Labels: make([]cube.Value, len(g.labels)), Ranks: make([]cube.Value, len(g.labels)), Parts: f.amounts(g.parts)}
	for i, label := range g.labels {
		group.Labels[i] = labelOrKey(f.Statement, i, label.String(), g.keys)
	}
	for _, i := range ranked(f.Statement) {
		group.Ranks[i] = g.labels[i]
	}
	return group
}
