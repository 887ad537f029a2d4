package storetest

import (
	"slices"

	"fiscube/cube"
)

// Where a condition is on a share, shares are of all cells. Those that do not meet a condition, whichever, are left out of
// the answer, its summary and its subtotals, not of what the others are shares of.

// weigh leaves out the cells that do not meet the conditions, where one is on a share.
func (r *rows) weigh() {
	r.all, r.kept = r.cells, r.total
	if !r.weighsShares(r.inquiry) {
		return
	}
	r.cells = slices.DeleteFunc(slices.Clone(r.all), func(n *node) bool {
		return slices.ContainsFunc(r.query.Having, func(c cube.Condition) bool { return !r.isSuch(n, c) })
	})
	r.kept = r.sumBy(nil, r.cells)
}

// isSuch tells whether a cell meets a condition, which what is not known does not.
func (r *rows) isSuch(n *node, c cube.Condition) bool {
	parent, here := r.parent(n), figures{own: n.own, total: r.total.own}
	if parent != nil {
		here.parent = parent.own
	}
	value := r.figure(c.Aggregate, here)
	return n.Change != cube.ChangeGone && value != nil && r.isTold("", c.Aggregate, n, parent) && meets(value.Cmp(c.Number.Rat()), c.Op)
}

func (o *oracle) weighsShares(q inquiry) bool {
	return slices.ContainsFunc(q.query.Having, func(c cube.Condition) bool { return o.isOfShares(c.Aggregate) })
}

func (o *oracle) isOfShares(ref cube.AggregateRef) bool {
	return o.contains(ref, cube.Share) || o.contains(ref, cube.ShareOfParent)
}

// isTested tells whether a store tests conditions on an aggregate: no share is in it, nor a quotient in a formula.
func (o *oracle) isTested(ref cube.AggregateRef) bool {
	return !o.isOfShares(ref) && !slices.ContainsFunc(o.spelled(ref).Args, func(arg cube.AggregateRef) bool {
		return o.contains(arg, cube.Avg) || o.contains(arg, cube.Ratio)
	})
}
