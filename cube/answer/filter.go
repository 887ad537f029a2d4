package answer

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube/plan"
)

// filter leaves out the rows that do not meet the conditions that no store has tested, and says what the summary is of.
// What having compares is as a rule a matter of each row by itself, which a store tests. A share is not: its divisor is
// known when all rows are there. A row that is left out stays in what the others are shares of, whichever condition it
// fails: more than a tenth of all, and overspent, is a tenth of all and not of the overspent.
func (t *table) filter() {
	t.weighted = t.rows
	if len(t.plan.PostHaving()) == 0 {
		return
	}
	ofShares := t.plan.FiltersShares()
	if ofShares {
		t.sumAll()
		t.measure(t.rows)
	} else {
		for _, r := range t.rows {
			t.date(r)
		}
	}
	t.rows = slices.DeleteFunc(slices.Clone(t.rows), func(r *row) bool { return !r.meets(t.plan.PostHaving()) })
	kept := t.sum(t.rows, 0)
	kept.addsYears = t.plan.AddsYears(0)
	if ofShares {
		kept.measureBy(t.all, t.all)
	} else {
		t.weighted, t.all = t.rows, kept
	}
	t.kept = kept
}

// meets tells whether a row meets all conditions. A value that is not known meets none, nor does a row that is gone.
func (r *row) meets(conditions []plan.Having) bool {
	return !slices.ContainsFunc(conditions, func(h plan.Having) bool {
		value := value(h.Aggregate, &r.basis)
		number := whole(decimal.NewNullDecimal(h.Number))
		return r.state == isGone || !value.known || !h.Op.Holds(value.compare(number))
	})
}
