package answer

import (
	"cmp"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// rank sorts the rows, adds subtotals, and leaves out the rows that top does not keep:
//
//  1. The rows of each step are sorted within their group of the step before, by the order of the plan. A sort by a key
//     that they do not have is skipped.
//  2. Top keeps, in each group of the last step, the first rows by the first aggregate of the order. The remainder adds up
//     the others, after them.
//  3. Rollup puts the subtotal of each group before its rows. The store computes subtotals of snapshots of the same money.
//  4. The rows of one page, of more than the passes accept, keep the order of the store.
//  5. In a tree, having leaves out nodes. Each node is tested with its own total, which does not depend on the depth of
//     the tree. A node above a kept one is kept too.
func (t *table) rank() {
	if !t.hasAll {
		return
	}
	if !t.plan.Rollup() && t.plan.Top() == nil {
		t.sort(t.rows)
		return
	}
	t.rows = t.branch(t.rows, 0)
}

// branch ranks the rows of one group of the step before.
func (t *table) branch(rows []*row, step int) []*row {
	if step >= len(t.plan.Steps())-1 {
		return t.leaves(rows)
	}
	var heads []*row
	inside := map[*row][]*row{}
	for _, group := range groups(rows, t.plan.Steps()[step].Keys) {
		head := t.subtotal(group, step)
		heads, inside[head] = append(heads, head), group
	}
	t.setDivisors(heads...)
	t.sort(heads)
	var ranked []*row
	for _, head := range heads {
		below := t.branch(inside[head], step+1)
		if t.plan.Rollup() && (len(below) > 0 || head.meets(t.plan.NodeHaving())) {
			ranked = append(ranked, head)
		}
		ranked = append(ranked, below...)
	}
	return ranked
}

// subtotal makes the row of a step that adds up a group of rows.
func (t *table) subtotal(group []*row, step int) *row {
	n := t.plan.Steps()[step].Keys
	first := group[0]
	head := &row{Group: plan.Group{Keys: first.Keys[:n:n], Labels: t.labels.within(first.Labels, n), Ranks: first.Ranks},
		basis: *t.sum(group, n), kind: subtotal}
	if t.subtotals[step] != nil && slices.ContainsFunc(group, func(r *row) bool { return !r.isAbsent() }) {
		if r, ok := t.subtotals[step][head.id(n)]; ok {
			head.parts = r.parts
		} else { // it has no rows in the snapshots that are counted
			head.parts = noRows(t.plan.Main().Parts())
		}
	}
	return head
}

// leaves sorts the rows of one group of the last step, and keeps the first of them with a remainder of the others.
func (t *table) leaves(rows []*row) []*row {
	if having := t.plan.NodeHaving(); len(having) > 0 {
		rows = slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return !r.meets(having) })
	}
	t.sort(rows)
	top := t.plan.Top()
	if top == nil || len(rows) <= top.Count {
		return rows
	}
	ranked := slices.Clone(rows)
	slices.SortStableFunc(ranked, func(x, y *row) int { return t.compareBy(top.Rank, x, y) })
	left := map[*row]bool{}
	for _, r := range ranked[top.Count:] {
		left[r] = true
	}
	kept := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return left[r] })
	if top.Remainder {
		kept = append(kept, t.remainder(ranked[top.Count:]))
	}
	return kept
}

// remainder adds up the rows that top leaves out of one group. It has the keys of the steps before. Its parent is known if
// all its rows have the same parent.
func (t *table) remainder(rest []*row) *row {
	n := 0
	if steps := t.plan.Steps(); len(steps) > 1 {
		n = steps[len(steps)-2].Keys
	}
	r := &row{Group: plan.Group{Keys: rest[0].Keys[:n:n], Labels: t.labels.within(rest[0].Labels, n)},
		basis: *t.plainSum(rest), kind: remainder, others: int64(len(rest))}
	parent := t.parentOf(rest[0])
	if slices.ContainsFunc(rest, func(o *row) bool { return t.parentOf(o) != parent }) {
		parent = nil
	}
	r.years = t.yearsOf(r.Keys)
	r.divideBy(t.all, parent)
	return r
}

// sort sorts rows with the same number of keys by the order of the plan.
func (t *table) sort(rows []*row) {
	order := t.plan.Order()
	if slices.ContainsFunc(order, func(s plan.Sort) bool { return s.By == plan.ByAggregate }) {
		for _, r := range rows {
			r.sorts = make([]fraction, len(order))
			for i, s := range order {
				if s.By == plan.ByAggregate {
					r.sorts[i] = value(&t.plan.Aggregates()[s.Index], &r.basis)
					if s.Size {
						r.sorts[i] = r.sorts[i].abs()
					}
				}
			}
		}
	}
	slices.SortStableFunc(rows, func(x, y *row) int {
		for i := range order {
			if c := t.compareBy(i, x, y); c != 0 {
				return c
			}
		}
		return 0
	})
}

// compareBy compares two rows by the i-th sort of the order.
func (t *table) compareBy(i int, x, y *row) int {
	s := t.plan.Order()[i]
	switch s.By {
	case plan.ByAggregate:
		return oriented(s.Desc, x.sorts[i].known, y.sorts[i].known, func() int { return x.sorts[i].compare(y.sorts[i]) })
	case plan.ByLabel:
		if t.labels.keys(s.Index) > len(x.Keys) {
			return 0
		}
		return compareBytes(s.Desc, x.Ranks[s.Index], y.Ranks[s.Index]) // of a flat plan they are texts
	}
	if s.Index >= len(x.Keys) {
		return 0
	}
	if t.plan.Flat() {
		return compareBytes(s.Desc, x.Keys[s.Index], y.Keys[s.Index])
	}
	declared := t.plan.Cube().Model.SnapshotOrder(t.plan.Keys()[s.Index].Name)
	return cmp.Or(compareDeclared(s.Desc, declared, x.Keys[s.Index], y.Keys[s.Index]),
		compareValues(s.Desc, x.Keys[s.Index], y.Keys[s.Index]))
}

// compareDeclared compares by the indexes in a declared order. Values outside it come last.
func compareDeclared(desc bool, order []cube.Value, x, y cube.Value) int {
	if len(order) == 0 || x.IsMissing() || y.IsMissing() {
		return 0
	}
	i, j := slices.Index(order, x), slices.Index(order, y)
	return oriented(desc, i >= 0, j >= 0, func() int { return cmp.Compare(i, j) })
}

func compareValues(desc bool, x, y cube.Value) int {
	return oriented(desc, !x.IsMissing(), !y.IsMissing(), func() int { return x.Compare(y) })
}

func compareBytes(desc bool, x, y cube.Value) int {
	return oriented(desc, !x.IsMissing(), !y.IsMissing(), func() int { return x.CompareBytes(y) })
}

// oriented compares in the direction asked; missing values come last in both directions.
func oriented(desc, hasX, hasY bool, compare func() int) int {
	switch {
	case hasX != hasY && hasX:
		return -1
	case hasX != hasY:
		return 1
	case !hasX:
		return 0
	case desc:
		return -compare()
	}
	return compare()
}

// labels has the labels of members in the rows of the store, for the rows that the passes add.
type labels struct {
	of    *plan.Grouping
	rows  []*row             // of the store
	paths [][]int            // by level: the indexes in the keys of its path
	known []map[string]label // by level and path; nil until rename needs it
}

// label is the label of a member, and its rank.
type label struct{ text, rank cube.Value }

func newLabels(g *plan.Grouping, rows []*row) *labels {
	l := &labels{of: g, rows: rows, paths: make([][]int, len(g.Levels()))}
	for i, level := range g.Levels() {
		for _, field := range level.Path {
			l.paths[i] = append(l.paths[i], slices.IndexFunc(g.Keys(), func(c cube.Column) bool { return c.Name == field }))
		}
	}
	return l
}

// id identifies a member of a level by the keys of a row.
func (l *labels) id(level int, keys []cube.Value) string {
	path := make([]cube.Value, len(l.paths[level]))
	for i, key := range l.paths[level] {
		path[i] = keys[key]
	}
	return plan.KeysID(path)
}

// rename sets the labels of a row after the key with index moved has changed, -1 for none. A member that no row of the
// store has keeps its label or, if the moved key is in its path, is labelled by its own key.
func (l *labels) rename(r *row, moved int) {
	if l.known == nil {
		l.known = make([]map[string]label, len(l.paths))
		for i := range l.paths {
			l.known[i] = map[string]label{}
			for _, r := range l.rows {
				l.known[i][l.id(i, r.Keys)] = label{r.Labels[i], r.Ranks[i]}
			}
		}
	}
	r.Labels, r.Ranks = slices.Clone(r.Labels), slices.Clone(r.Ranks)
	for i, level := range l.of.Levels() {
		found, ok := l.known[i][l.id(i, r.Keys)]
		switch {
		case ok:
			r.Labels[i], r.Ranks[i] = found.text, found.rank
		case level.LabelRef != "" && slices.Contains(l.paths[i], moved):
			r.Labels[i], r.Ranks[i] = cube.Text(r.Keys[l.paths[i][len(level.Path)-1]].String()), cube.Missing
		}
	}
}

// keys is how many of the first keys include the path of a level.
func (l *labels) keys(level int) int { return slices.Max(l.paths[level]) + 1 }

// within leaves the labels of the members that the first keys identify.
func (l *labels) within(all []cube.Value, keys int) []cube.Value {
	all = slices.Clone(all)
	for i := range all {
		if l.keys(i) > keys {
			all[i] = cube.Missing
		}
	}
	return all
}
