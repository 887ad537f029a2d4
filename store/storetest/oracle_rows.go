package storetest

import (
	"cmp"
	"maps"
	"math/big"
	"slices"

	"fiscube/cube"
)

// rows is an answer in the making: the cells, and what stands beside them.
type rows struct {
	*oracle
	inquiry
	cells    []*node
	all      []*node                     // with those that are left out of the cells for their shares
	total    *node                       // of all
	kept     *node                       // of the cells
	families map[int]map[string]*node    // by how many keys: the cells that share them, added up
	kin      map[string]map[string]*node // by names of fields: the cells that have the same in them, added up
	apart    map[int]map[string]*node    // by how many keys: subtotals of cells that cannot be added up
	order    *order
	uneven   []string        // the measures that have amounts in other years on the side that is compared with
	mixed    map[string]bool // of the aggregates, here and before: they are of amounts of different years
	few      bool            // enough to be finished in memory
}

// newRows makes the cells, with those that are gone and those that fill gaps.
func (o *oracle) newRows(q inquiry) *rows {
	r := &rows{oracle: o, inquiry: q, families: map[int]map[string]*node{}, apart: map[int]map[string]*node{},
		kin: map[string]map[string]*node{}, mixed: map[string]bool{}}
	if q.compare != nil {
		r.about = o.asksAbout(q)
		r.faced = o.yearsFaced(r.inquiry)
		q, r.uneven = r.inquiry, o.unevenOf(r.inquiry)
	}
	nodes := o.kept(q, o.nodes(q), o.isTested)
	r.few = len(nodes) <= cube.MaxPageSize
	nodes = o.kept(q, nodes, func(cube.AggregateRef) bool { return true })
	known := o.labelled(q, slices.Collect(maps.Values(nodes)))
	var before map[string]*node
	if q.compare != nil {
		before = o.earlier(q)
		r.few = r.few && len(before) <= cube.MaxPageSize
		nodes = o.compared(q, nodes, before)
	}
	r.total = r.sumBy(nil, slices.Collect(maps.Values(nodes))) // which fill does not change
	if q.query.Fill != cube.FillNone {
		r.fill(nodes, before)
		r.few = r.few && len(nodes) <= cube.MaxPageSize
	}
	r.cells = slices.Collect(maps.Values(nodes))
	o.relabelled(q, known, r.cells)
	r.weigh()
	return r
}

// answer answers a plan: the summary, whose Count is the number of rows, and the rows of the page. False where it is
// finished in memory and has too many cells for that.
func (o *oracle) answer(plan *cube.Plan, query cube.Query) (result *cube.Result, few bool) {
	r := o.newRows(inquiry{plan: plan, query: query, keys: plan.Keys(), compare: query.Compare})
	if plan.Finished() && !r.few {
		return nil, false
	}
	all := r.arranged()
	summary := cube.Cell{Count: int64(len(all)), Values: r.summary().Values}
	result = &cube.Result{Plan: plan, Summary: summary}
	for _, n := range paged(all, plan.Page()) {
		result.Cells = append(result.Cells, n.Cell)
	}
	return result, true
}

// summary is what all cells come to; where they state the same money, what they come to without that drilldown.
func (r *rows) summary() *node {
	sub := r.plan.SummaryPlan()
	if sub == nil {
		r.measure(r.kept)
		return r.kept
	}
	q := inquiry{plan: r.plan, query: r.query, keys: sub.Keys()}
	q.query.Fill = cube.FillNone
	if sub.Compared() {
		q.compare = r.compare
	}
	return r.newRows(q).bare()
}

// bare is the summary of an inquiry of other keys than its plan's.
func (r *rows) bare() *node {
	r.measure(r.kept)
	if r.compare == nil && r.query.Compare != nil {
		for i, a := range r.plan.Aggregates() {
			if a.Role != "" {
				r.kept.exact[i] = nil
			}
		}
		r.complete(r.kept)
	}
	return r.kept
}

// together adds cells up. What fills gaps is compared with nothing in it, unless all do.
func together(cells []*node) *node {
	var own, earlier []*bag
	for _, n := range cells {
		own = append(own, n.own)
	}
	if slices.ContainsFunc(cells, func(n *node) bool { return !n.filled }) {
		cells = slices.DeleteFunc(slices.Clone(cells), func(n *node) bool { return n.filled })
	}
	for _, n := range cells {
		if n.earlier != nil {
			earlier = append(earlier, n.earlier)
		}
	}
	all := &node{own: union(own), apart: slices.ContainsFunc(cells, func(n *node) bool { return n.apart })}
	if len(cells) == 0 {
		all.own = &bag{}
	}
	if len(earlier) > 0 && !slices.ContainsFunc(cells, func(n *node) bool { return n.alone }) {
		all.earlier = union(earlier)
	}
	for _, change := range []cube.Change{cube.ChangeNew, cube.ChangeGone} {
		if len(cells) > 0 && !slices.ContainsFunc(cells, func(n *node) bool { return n.Change != change }) {
			all.parts = change
		}
	}
	return all
}

// fill adds cells for the places between the least and the greatest of the axis, but for those that are not asked for.
// What is gone from a place is as empty as they are.
func (r *rows) fill(nodes, before map[string]*node) {
	axis := r.fillAxis(r.inquiry)
	first, last := int64(0), int64(-1)
	for _, n := range nodes {
		if place, ok := n.Keys[axis].Int(); ok {
			if n.Change == cube.ChangeGone {
				n.own = &bag{zero: r.query.Fill == cube.FillZero}
			}
			if last < first {
				first, last = place, place
			}
			first, last = min(first, place), max(last, place)
		}
	}
	standing := r.standing(nodes, before)
	for _, like := range slices.Collect(maps.Values(nodes)) {
		for place := first; place <= last; place++ {
			keys := slices.Clone(like.Keys)
			keys[axis] = cube.Integer(place)
			if nodes[pathText(keys)] == nil && r.admitsAt(r.plan, r.keys[axis], keys[axis]) {
				gap := r.gap(keys, before)
				gap.apart = gap.apart || !standing(keys)
				nodes[pathText(keys)] = gap
			}
			if len(nodes) > cube.MaxPageSize {
				return
			}
		}
	}
}

func (o *oracle) fillAxis(q inquiry) int {
	year, ok := o.model.FiscalYear()
	if axis := slices.IndexFunc(q.keys, func(c cube.Column) bool { return ok && c.Name == year.Name }); axis >= 0 {
		return axis
	}
	return slices.IndexFunc(q.keys, func(c cube.Column) bool { return c.Type == cube.TypeInteger })
}

// standing tells of keys whether rows of their place are on both sides, as far as all rows tell.
func (r *rows) standing(nodes, before map[string]*node) func(keys []cube.Value) bool {
	if r.compare == nil || !r.knows(r.inquiry) {
		return func([]cube.Value) bool { return true }
	}
	here, there := r.sides(r.inquiry, nodes, before)
	return func(keys []cube.Value) bool {
		return here[r.place(r.inquiry, keys, 0)] && there[r.place(r.inquiry, keys, r.compare.Offset)]
	}
}

// gap is a cell of no rows. What it is compared with may be there all the same.
func (r *rows) gap(keys []cube.Value, before map[string]*node) *node {
	n := &node{Cell: cube.Cell{Keys: keys}, own: &bag{zero: r.query.Fill == cube.FillZero}, filled: true,
		apart: r.query.Fill == cube.FillNull}
	if r.compare == nil {
		return n
	}
	if id, ok := r.beside(keys, r.compare.Offset); ok && before[id] != nil {
		n.earlier = before[id].own
	}
	return n
}

// measure makes the values of a row.
func (r *rows) measure(n *node) {
	total, parent := r.total, r.parent(n)
	here, before := figures{own: n.own, total: total.own}, figures{own: n.earlier, total: total.earlier}
	if parent != nil {
		here.parent, before.parent = parent.own, parent.earlier
	}
	refs := aggregateRefs(r.plan)
	n.exact = make([]*big.Rat, len(refs))
	for i, a := range r.plan.Aggregates() {
		change := cmp.Or(n.Change, n.parts)
		patchy := change != "" && a.Role != "" && a.Role != cube.RoleEarlier && r.isPatchy(refs[i], n, parent)
		if !patchy && r.isTold(a.Role, refs[i], n, parent) {
			n.exact[i] = r.ofRole(a.Role, refs[i], change, here, before)
		}
	}
	r.complete(n)
}

// ofRole makes a value. In its changes the side that a new or gone cell does not have is one of nothing.
func (r *rows) ofRole(role cube.Role, ref cube.AggregateRef, change cube.Change, here, before figures) *big.Rat {
	switch {
	case role == cube.RoleEarlier:
		return r.figure(ref, before)
	case role == "":
		return r.figure(ref, here)
	case change == cube.ChangeGone:
		here.own = &bag{none: true}
	case change == cube.ChangeNew:
		before.own = &bag{none: true}
	}
	value, earlier := r.figure(ref, here), r.figure(ref, before)
	by := difference(value, earlier)
	if role == cube.RolePercentage && by != nil {
		return quotient(by.Mul(by, big.NewRat(100, 1)), new(big.Rat).Abs(earlier))
	}
	return by
}

// complete rounds the values.
func (r *rows) complete(n *node) {
	refs := aggregateRefs(r.plan)
	n.Values = nil
	for i, a := range r.plan.Aggregates() {
		scale := r.decimals(refs[i])
		if a.Role == cube.RolePercentage {
			scale = 8
		}
		n.Values = append(n.Values, halfToEven(n.exact[i], scale))
	}
}

// family adds up the cells that share their first keys.
func (r *rows) family(keys int) map[string]*node {
	if known := r.families[keys]; known != nil {
		return known
	}
	members := map[string][]*node{}
	for _, n := range r.cells {
		id := pathText(n.Keys[:keys])
		members[id] = append(members[id], n)
	}
	all := map[string]*node{}
	for id, list := range members {
		all[id] = r.sumBy(fieldsOf(r.keys[:keys]), list)
		all[id].Keys = list[0].Keys[:keys]
	}
	r.families[keys] = all
	return all
}
