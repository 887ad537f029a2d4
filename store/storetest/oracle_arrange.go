package storetest

import (
	"cmp"
	"slices"

	"fiscube/cube"
)

// arranged puts the rows in order: each stands where its ancestors, one for each step of the drilldown, have brought
// it, a subtotal before what it is made of and what is left over behind.
func (r *rows) arranged() []*node {
	r.order = &order{plan: r.plan, alphabet: newAlphabet(), exactly: r.plan.Finished(), rows: r}
	for _, n := range r.cells {
		r.measure(n)
	}
	if !r.query.Rollup && r.query.Top == 0 {
		slices.SortFunc(r.cells, r.order.compare)
		return r.cells
	}
	lines := r.lines()
	slices.SortFunc(lines, r.compareLines)
	all := make([]*node, len(lines))
	for i, l := range lines {
		all[i] = l[len(l)-1]
	}
	return all
}

// line is a row behind its ancestors.
type line []*node

// lines makes those of all rows that are shown.
func (r *rows) lines() []line {
	var lines []line
	for _, group := range r.siblings() {
		slices.SortFunc(group, func(a, b line) int {
			x, y := a[len(a)-1], b[len(b)-1]
			return cmp.Or(r.order.compareBy(r.rank(), x, y), r.order.compare(x, y))
		})
		if top := r.query.Top; top > 0 && len(group) > top {
			if r.query.Remainder {
				lines = append(lines, r.rest(group[top:]))
			}
			group = group[:top]
		}
		for _, l := range group {
			r.level(l[len(l)-1], len(l)-1)
		}
		lines = append(lines, group...)
	}
	if r.query.Rollup {
		lines = append(lines, r.heads(lines)...)
	}
	return lines
}

// rank is the first key of the order that is an aggregate, or the first key where none is.
func (r *rows) rank() cube.Sort {
	if i := slices.IndexFunc(r.plan.Order(), func(s cube.Sort) bool { return s.By == cube.ByAggregate }); i >= 0 {
		return r.plan.Order()[i]
	}
	return cube.Sort{}
}

// siblings gathers the cells that have their ancestors in common.
func (r *rows) siblings() map[string][]line {
	groups, steps := map[string][]line{}, r.plan.Steps()
	for _, n := range r.cells {
		id, l := "", line{}
		for _, step := range steps[:max(0, len(steps)-1)] {
			id = pathText(n.Keys[:step.Keys])
			l = append(l, r.subtotal(n, step.Keys))
		}
		groups[id] = append(groups[id], append(l, n))
	}
	return groups
}

// subtotal is the row of the cells that share the first keys of one. Of statements of the same money it is the answer
// to the question without what tells them apart.
func (r *rows) subtotal(n *node, keys int) *node {
	id := pathText(n.Keys[:keys])
	if r.plan.SummaryPlan() == nil || r.statementsApart(r.keys[:keys]) {
		one := r.family(keys)[id]
		r.named(one, n)
		return one
	}
	if r.apart[keys] == nil {
		q := r.inquiry
		q.keys, q.compare = r.keys[:keys], nil
		r.apart[keys] = r.nodes(q)
	}
	one := r.apart[keys][id]
	if one == nil {
		one = &node{Cell: cube.Cell{Keys: n.Keys[:keys]}, own: &bag{}}
		r.apart[keys][id] = one
	}
	r.named(one, n)
	return one
}

// named completes a subtotal: the labels of the members that its keys name are those of any of its cells.
func (r *rows) named(one, like *node) {
	if one.Labels != nil {
		return
	}
	r.measure(one)
	one.Labels, one.unranked = slices.Clone(like.Labels), like.unranked
	for i, level := range r.plan.Levels() {
		if !r.names(level, len(one.Keys)) {
			one.Labels[i] = cube.Missing
		}
	}
}

// names tells whether so many keys say which member of a level is meant.
func (r *rows) names(level cube.Level, keys int) bool {
	return !slices.ContainsFunc(level.Path, func(field string) bool {
		return !slices.ContainsFunc(r.keys[:keys], func(c cube.Column) bool { return c.Name == field })
	})
}

// rest is the row of what top leaves out.
func (r *rows) rest(lines []line) line {
	var cells []*node
	for _, l := range lines {
		cells = append(cells, l[len(l)-1])
	}
	rest, ancestors, keys := together(cells), lines[0][:len(lines[0])-1], 0
	if len(ancestors) > 0 {
		keys = len(ancestors[len(ancestors)-1].Keys)
	}
	rest.Keys, rest.Others, rest.left = cells[0].Keys[:keys], int64(len(cells)), cells
	r.named(rest, cells[0])
	r.level(rest, len(ancestors))
	return append(slices.Clone(ancestors), rest)
}

// heads makes the lines of the subtotals.
func (r *rows) heads(lines []line) []line {
	var heads []line
	seen := map[*node]bool{}
	for _, l := range lines {
		for i, n := range l[:len(l)-1] {
			if !seen[n] {
				seen[n] = true
				r.level(n, i)
				heads = append(heads, l[:i+1])
			}
		}
	}
	return heads
}

func (r *rows) level(n *node, step int) {
	if steps := r.plan.Steps(); r.query.Rollup && len(steps) > 0 {
		n.Level = steps[step].Ref
	}
}

func (r *rows) compareLines(a, b line) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		switch {
		case x == y:
		case x.Others > 0 || y.Others > 0:
			return cmp.Compare(x.Others, y.Others)
		default:
			return r.order.compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}
