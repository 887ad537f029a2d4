package answer

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube/plan"
)

// filter leaves out the rows that fail a condition of having:
//
//  1. A store tests most conditions, since they need only one row. Filter tests the others.
//  2. A share needs the sum of all rows as its divisor. That sum includes the rows that any condition leaves out: "share above
//     a tenth, and overspent" means a tenth of all rows, not of the overspent ones.
//  3. The rows that are left are added up for the summary.
func (t *table) filter() {
	t.divisor = t.rows
	ofShares := t.grouping.FiltersShares()
	if ofShares {
		t.sumAll()
		t.setDivisors(t.rows...)
	} else {
		for _, r := range t.rows {
			r.years = t.yearsOf(r.Keys)
		}
	}
	t.rows = slices.DeleteFunc(slices.Clone(t.rows), func(r *row) bool { return !r.meets(t.grouping.PostHaving()) })
	kept := t.sum(t.rows, 0)
	kept.years = t.yearsOf(nil)
	if ofShares {
		kept.divideBy(t.all, t.all)
	} else {
		t.divisor, t.all = t.rows, kept
	}
	t.kept = kept
}

// meets tells whether a row meets all conditions. An unknown value meets none, nor does a row that is gone.
func (r *row) meets(conditions []plan.Having) bool {
	return !slices.ContainsFunc(conditions, func(h plan.Having) bool {
		value := value(&h.Aggregate, &r.basis)
		number := whole(decimal.NewNullDecimal(h.Number))
		return r.state == isGone || !value.known || !h.Op.Holds(value.compare(number))
	})
}
