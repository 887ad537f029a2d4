package cube

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// What having weighs is as a rule a matter of each cell by itself, which a store tests. A share is not: of what, is
// known when all cells are there. Those that it leaves out stay in what the others are shares of.

// weigh leaves out the cells that do not meet what no store has tested, and gives what the summary is of.
func (a *assembly) weigh() *basis {
	shares := slices.DeleteFunc(slices.Clone(a.plan.weighed), func(h Having) bool { return !h.ofShares() })
	if len(shares) < len(a.plan.weighed) {
		for _, e := range a.entries {
			a.date(e)
		}
		a.keep(slices.DeleteFunc(slices.Clone(a.plan.weighed), Having.ofShares))
		a.total = a.sumOf(a.entries, 0)
		a.total.spans = a.plan.spans(0)
	}
	a.sumUp()
	if len(shares) == 0 {
		return a.total
	}
	a.setBases(a.entries)
	a.keep(shares)
	kept := a.sumOf(a.entries, 0)
	kept.spans = a.plan.spans(0)
	kept.measuredBy(a.total, a.total)
	return kept
}

// keep leaves out the cells that do not meet the conditions. What is gone has nothing to go by.
func (a *assembly) keep(conditions []Having) {
	a.entries = slices.DeleteFunc(slices.Clone(a.entries), func(e *entry) bool { return !e.meets(conditions) })
}

// meets tells whether a row meets all conditions; what is not known meets none.
func (e *entry) meets(conditions []Having) bool {
	return !slices.ContainsFunc(conditions, func(h Having) bool {
		value := h.aggregate.of(e.basis)
		return e.noRows || !value.known || !h.Op.holds(value.compare(wholeFraction(decimal.NewNullDecimal(h.Number))))
	})
}

// leavesOutOfShares tells whether having leaves out cells before shares are made of the others.
func (p *Plan) leavesOutOfShares() bool {
	return len(p.having) > 0 || slices.ContainsFunc(p.weighed, func(h Having) bool { return !h.ofShares() })
}

func (h Having) ofShares() bool { return h.aggregate.uses(Share, ShareOfParent) }

// needed lists what is asked, and what is weighed when all cells are there.
func (p *Plan) needed() []Aggregate {
	all := slices.Clone(p.aggregates)
	for _, h := range slices.Concat(p.weighed, p.shown) {
		all = append(all, h.aggregate)
	}
	return all
}

// conditions lists what having asks of the cells, whoever tests it.
func (p *Plan) conditions() []Having {
	all := slices.Concat(p.having, p.weighed)
	slices.SortFunc(all, func(x, y Having) int { return strings.Compare(x.text, y.text) })
	return all
}
