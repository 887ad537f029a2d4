package cube

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// What having weighs is as a rule a matter of each cell by itself, which a store tests. A share is not: of what, is
// known when all cells are there. What is left out stays in what the others are shares of, whichever condition it
// fails: more than a tenth of all, and overspent, is a tenth of all and not of the overspent.

// weigh leaves out the cells that do not meet what no store has tested, and gives what the summary is of.
func (a *assembly) weigh() *basis {
	switch {
	case a.plan.weighsShares():
		a.sumUp()
		a.setBases(a.entries)
		kept := a.keep()
		kept.measuredBy(a.total, a.total)
		return kept
	case len(a.plan.weighed) > 0:
		for _, e := range a.entries {
			a.date(e)
		}
		a.total = a.keep()
	}
	a.sumUp()
	return a.total
}

// keep leaves out the cells that do not meet the conditions, and adds up the others.
func (a *assembly) keep() *basis {
	a.entries = slices.DeleteFunc(slices.Clone(a.entries), func(e *entry) bool { return !e.meets(a.plan.weighed) })
	kept := a.sumOf(a.entries, 0)
	kept.spans = a.plan.spans(0)
	return kept
}

// meets tells whether a row meets all conditions. What is not known meets none, and what is gone has nothing to go by.
func (e *entry) meets(conditions []Having) bool {
	return !slices.ContainsFunc(conditions, func(h Having) bool {
		value := h.aggregate.of(e.basis)
		return e.noRows || !value.known || !h.Op.holds(value.compare(wholeFraction(decimal.NewNullDecimal(h.Number))))
	})
}

// weighsShares tells whether a condition is on a share; then no store tests any.
func (p *Plan) weighsShares() bool { return slices.ContainsFunc(p.weighed, Having.ofShares) }

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
