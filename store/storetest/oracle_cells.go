package storetest

import (
	"maps"
	"math/big"
	"slices"

	"fiscube/cube"
)

// inquiry is a plan on its way through the oracle: what it groups by may be less than the plan's keys.
type inquiry struct {
	plan    *cube.Plan
	query   cube.Query
	keys    []cube.Column
	compare *cube.Compare
	about   map[cube.Value]bool // the places of the axis that it asks for, where they are known
	faced   map[cube.Value]bool // the years that rows stand beside
}

// node is one row of an answer in the making.
type node struct {
	cube.Cell
	own, earlier *bag
	exact        []*big.Rat  // its values before they are rounded
	unranked     []bool      // by level: nothing is known that its label could be sorted by
	parts        cube.Change // of a sum: all its cells are new, or all gone
	alone        bool        // no cell at all stands at the place it is compared with
	filled       bool        // it is there to fill a gap
	apart        bool        // it is no less than what it is compared with, as it is nothing
	left         []*node     // of what is left over: the cells that it adds up
}

// cells groups the rows that are asked for. Money that is stated more than once is counted once, unless every
// statement is asked for or has a cell of its own.
func (o *oracle) nodes(q inquiry) map[string]*node {
	return o.grouped(q, o.lastStatements(q.plan, q.every()), func(row []string) bool { return o.passes(row, q.plan) })
}

func (q inquiry) every() bool { return q.query.Snapshots == cube.AllSnapshots }

func (o *oracle) grouped(q inquiry, last statements, passes func(row []string) bool) map[string]*node {
	nodes := map[string]*node{}
	if len(q.keys) == 0 {
		nodes[""] = &node{own: &bag{}} // totals of no rows are one cell too
	}
	apart, flows := o.statementsApart(q.keys), o.flows(q)
	for _, row := range o.rows {
		if !passes(row) {
			continue
		}
		counts := apart || last.counts(row)
		if !counts && !flows {
			continue
		}
		keys := o.keysOf(row, q.keys)
		one := nodes[pathText(keys)]
		if one == nil {
			one = &node{Cell: cube.Cell{Keys: keys}, own: &bag{}}
			nodes[pathText(keys)] = one
		}
		if counts {
			one.own.rows = append(one.own.rows, row)
		} else {
			one.own.again = append(one.own.again, row)
		}
	}
	return nodes
}

// flows tells whether any measure asked adds up over the statements of money.
func (o *oracle) flows(q inquiry) bool {
	for _, measure := range o.model.Measures() {
		asked := func(ref cube.AggregateRef) bool { return o.isOf(ref, measure.Ref) }
		if measure.Flow && (slices.ContainsFunc(aggregateRefs(q.plan), asked) ||
			slices.ContainsFunc(q.query.Having, func(c cube.Condition) bool { return asked(c.Aggregate) })) {
			return true
		}
	}
	return false
}

// isOf tells whether an aggregate is made of amounts of the measure.
func (o *oracle) isOf(ref cube.AggregateRef, measure string) bool {
	if ref.Measure == "" && len(ref.Args) == 0 && ref.Func != string(cube.Rows) {
		ref = o.formulaOf(ref.Func)
	}
	return ref.Measure == measure || slices.ContainsFunc(ref.Args, func(arg cube.AggregateRef) bool { return o.isOf(arg, measure) })
}

// aggregateRefs reads the names of a plan's aggregates.
func aggregateRefs(plan *cube.Plan) []cube.AggregateRef {
	refs := make([]cube.AggregateRef, len(plan.Aggregates()))
	for i, a := range plan.Aggregates() {
		name := a.Name
		if a.Role != "" {
			name = name[:len(name)-len(a.Role)-1]
		}
		refs[i] = aggregateRef(name)
	}
	return refs
}

// kept gives the cells that meet every condition on some aggregates, unless one is on a share; what is not known meets
// none.
func (o *oracle) kept(q inquiry, nodes map[string]*node, some func(cube.AggregateRef) bool) map[string]*node {
	nodes = maps.Clone(nodes)
	if o.weighsShares(q) {
		return nodes
	}
	maps.DeleteFunc(nodes, func(_ string, n *node) bool {
		return slices.ContainsFunc(q.query.Having, func(c cube.Condition) bool {
			if !some(c.Aggregate) {
				return false
			}
			value := o.figure(c.Aggregate, figures{own: n.own})
			mixed := o.addsYears(q, len(q.keys)) && o.mixes(q, c.Aggregate)
			return value == nil || mixed || !meets(value.Cmp(c.Number.Rat()), c.Op)
		})
	})
	return nodes
}

func meets(order int, op cube.Comparison) bool {
	switch op {
	case cube.Less:
		return order < 0
	case cube.LessOrEqual:
		return order <= 0
	case cube.Equal:
		return order == 0
	case cube.GreaterOrEqual:
		return order >= 0
	case cube.Greater:
		return order > 0
	}
	return order != 0
}

// compared sets the cells beside the rows so far away on the axis, and adds cells of which only those are there.
func (o *oracle) compared(q inquiry, nodes, before map[string]*node) map[string]*node {
	here, there := o.sides(q, nodes, before)
	paired := map[string]bool{}
	for _, n := range nodes {
		id, ok := q.beside(n.Keys, q.compare.Offset)
		other := before[id]
		if !ok || other == nil {
			other = nil
		} else {
			n.earlier, paired[id] = other.own, true
		}
		facing := ok && here[o.place(q, n.Keys, 0)] && there[o.place(q, n.Keys, q.compare.Offset)]
		switch is, was := q.isThere(n), other != nil && q.isThere(other); {
		case !is && !was:
		case !facing && !is:
			n.apart = true
		case !facing:
			n.alone, n.earlier = true, nil
		case !was:
			n.Change, n.earlier = cube.ChangeNew, nil
		case !is:
			n.Change = cube.ChangeGone
		}
	}
	all := maps.Clone(nodes)
	for id, n := range before {
		back, ok := q.beside(n.Keys, -q.compare.Offset)
		known := there[o.place(q, n.Keys, 0)] && here[o.place(q, n.Keys, -q.compare.Offset)]
		if paired[id] || !ok || len(q.query.Having) > 0 && !o.weighsShares(q) || !known {
			continue
		}
		keys := slices.Clone(n.Keys)
		if axis := q.axis(); axis >= 0 {
			keys[axis] = placeOf(keys, axis, -q.compare.Offset)
		}
		all[back] = &node{Cell: cube.Cell{Keys: keys, Change: cube.ChangeGone}, own: &bag{}, earlier: n.own}
	}
	return all
}

// axis gives the place among the keys of what is compared along, or -1.
func (q inquiry) axis() int {
	return slices.IndexFunc(q.keys, func(c cube.Column) bool { return c.Name == q.along() })
}

// beside gives the id of the cell so far away; false where none can be.
func (q inquiry) beside(keys []cube.Value, offset int64) (string, bool) {
	axis := q.axis()
	if axis < 0 {
		return pathText(keys), true
	}
	at := placeOf(keys, axis, offset)
	keys = slices.Clone(keys)
	keys[axis] = at
	return pathText(keys), !at.IsMissing()
}

// placeOf is where keys stand on the axis, moved; missing where that is nowhere.
func placeOf(keys []cube.Value, axis int, offset int64) cube.Value {
	if axis < 0 {
		return cube.Missing
	}
	return shifted(keys[axis], offset)
}

func shifted(v cube.Value, offset int64) cube.Value {
	n, ok := v.Int()
	sum := new(big.Int).Add(big.NewInt(n), big.NewInt(offset))
	if !ok || !sum.IsInt64() {
		return cube.Missing
	}
	return cube.Integer(sum.Int64())
}
