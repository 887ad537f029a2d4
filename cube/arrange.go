package cube

import (
	"cmp"
	"slices"
)

// arrange gives all rows of the answer in order: those of each step sorted among those of the same step before, with
// their subtotal in front where it is asked.
func (a *assembly) arrange() []*entry {
	a.setBases(a.entries)
	if !a.finish.rollup && a.finish.top == 0 {
		a.sort(a.entries)
		return a.entries
	}
	return a.branch(a.entries, 0)
}

func (a *assembly) branch(entries []*entry, step int) []*entry {
	if step >= len(a.finish.steps)-1 {
		return a.leaves(entries)
	}
	var heads []*entry
	inside := map[*entry][]*entry{}
	for _, group := range groups(entries, a.finish.steps[step].Keys) {
		head := a.subtotal(group, step)
		heads, inside[head] = append(heads, head), group
	}
	a.setBases(heads)
	a.sort(heads)
	var rows []*entry
	for _, head := range heads {
		below := a.branch(inside[head], step+1)
		if a.finish.rollup && (len(below) > 0 || a.shows(head)) {
			rows = append(rows, head)
		}
		rows = append(rows, below...)
	}
	return rows
}

// subtotal is the cell of a step that a group of cells belongs to.
func (a *assembly) subtotal(group []*entry, step int) *entry {
	n := a.finish.steps[step].Keys
	first := group[0]
	head := &entry{Cell: Cell{Keys: first.Keys[:n:n], Labels: a.names.cropped(first.Labels, n), Ranks: first.Ranks},
		basis: *a.sumOf(group, n)}
	if a.subtotals[step] != nil && slices.ContainsFunc(group, func(e *entry) bool { return !e.fillsGap }) {
		if cell, ok := a.subtotals[step][head.id(n)]; ok {
			head.own = cell.Parts
		} else { // the statements that are counted have none of its rows
			head.own = nothing(a.plan.parts)
		}
	}
	return head
}

// leaves sorts the cells of the last step and gives the greatest of them, with what is left out as one more.
func (a *assembly) leaves(entries []*entry) []*entry {
	entries = a.shown(entries)
	a.sort(entries)
	top := a.finish.top
	if top == 0 || len(entries) <= top {
		return entries
	}
	ranked := slices.Clone(entries)
	slices.SortStableFunc(ranked, func(x, y *entry) int { return a.compareBy(a.finish.rank, x, y) })
	left := map[*entry]bool{}
	for _, e := range ranked[top:] {
		left[e] = true
	}
	rows := slices.DeleteFunc(slices.Clone(entries), func(e *entry) bool { return left[e] })
	if a.finish.remainder {
		rows = append(rows, a.others(ranked[top:]))
	}
	return rows
}

// others adds up what top leaves out of one group: it has the keys of the steps before.
func (a *assembly) others(rest []*entry) *entry {
	n := 0
	if steps := a.finish.steps; len(steps) > 1 {
		n = steps[len(steps)-2].Keys
	}
	others := &entry{basis: *a.sum(rest)}
	others.Cell = Cell{Keys: rest[0].Keys[:n:n], Labels: a.names.cropped(rest[0].Labels, n), Others: int64(len(rest))}
	a.date(others)
	others.measuredBy(a.total, a.parentOfAll(rest))
	return others
}

// sort puts rows that have equally many keys in the order of the plan.
func (a *assembly) sort(rows []*entry) {
	if slices.ContainsFunc(a.plan.order, func(s Sort) bool { return s.By == ByAggregate }) {
		a.value(rows)
	}
	slices.SortStableFunc(rows, func(x, y *entry) int {
		for i := range a.plan.order {
			if order := a.compareBy(i, x, y); order != 0 {
				return order
			}
		}
		return 0
	})
}

// value gives rows what the order's aggregates sort by.
func (a *assembly) value(rows []*entry) {
	for _, e := range rows {
		e.sorts = make([]fraction, len(a.plan.order))
		for i, s := range a.plan.order {
			if s.By == ByAggregate {
				e.sorts[i] = a.plan.aggregates[s.Index].of(e.basis)
			}
		}
	}
}

// compareBy compares two rows by one key of the order. What they have no key for does not decide.
func (a *assembly) compareBy(i int, x, y *entry) int {
	s := a.plan.order[i]
	switch s.By {
	case ByAggregate:
		return oriented(s.Desc, x.sorts[i].known, y.sorts[i].known, func() int { return x.sorts[i].compare(y.sorts[i]) })
	case ByLabel:
		if a.names.depth(s.Index) > len(x.Keys) {
			return 0
		}
		return compareValues(s.Desc, x.Ranks[s.Index], y.Ranks[s.Index])
	}
	if s.Index >= len(x.Keys) {
		return 0
	}
	stated := a.plan.cube.Model.StatedOrder(a.plan.keys[s.Index].Name)
	return cmp.Or(compareStated(s.Desc, stated, x.Keys[s.Index], y.Keys[s.Index]),
		compareValues(s.Desc, x.Keys[s.Index], y.Keys[s.Index]))
}

// compareStated compares by the places in a declared order; what has none comes after what has one.
func compareStated(desc bool, order []Value, x, y Value) int {
	if len(order) == 0 || x.IsMissing() || y.IsMissing() {
		return 0
	}
	i, j := slices.Index(order, x), slices.Index(order, y)
	return oriented(desc, i >= 0, j >= 0, func() int { return cmp.Compare(i, j) })
}

func compareValues(desc bool, x, y Value) int {
	return oriented(desc, !x.IsMissing(), !y.IsMissing(), func() int { return x.Compare(y) })
}

// oriented compares in the direction asked; what is not there comes last in both.
func oriented(desc, x, y bool, compare func() int) int {
	switch {
	case !x || !y:
		return cmp.Compare(boolRank(!x), boolRank(!y))
	case desc:
		return -compare()
	}
	return compare()
}

// cells makes the cells of the page and their values.
func (a *assembly) cells(rows []*entry) []Cell {
	page := a.plan.page
	if page.Size >= 0 {
		from := min(int64(len(rows)), int64(page.Number-1)*int64(page.Size))
		rows = rows[from:min(int64(len(rows)), from+int64(page.Size))]
	}
	cells := make([]Cell, len(rows))
	for i, e := range rows {
		cells[i] = e.Cell
		cells[i].Values = a.plan.values(e.basis)
		cells[i].Level = a.levelOf(e)
	}
	return cells
}

// levelOf names the step that a row belongs to, where rows belong to several.
func (a *assembly) levelOf(e *entry) string {
	if !a.finish.rollup {
		return ""
	}
	if step := a.finish.stepOf(e.Cell); step >= 0 {
		return a.finish.steps[step].Ref
	}
	return ""
}

// stepOf gives the place of the step that a row belongs to; what top leaves out belongs to the last. It is -1 where
// nothing is drilled.
func (f *finish) stepOf(c Cell) int {
	step := slices.IndexFunc(f.steps, func(s Step) bool { return s.Keys == len(c.Keys) && c.Others == 0 })
	if step < 0 {
		return len(f.steps) - 1
	}
	return step
}
