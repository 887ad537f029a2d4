package cube

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"
)

// An empty answer is right, and often not what was meant: a range of years that the package has not, a code of
// another level. So it says which of the cuts is to blame.

// emptied gives the plan of an answer with a warning, where that has no rows and nothing says why.
func (e *Engine) emptied(ctx context.Context, result *Result) error {
	plan := result.Plan
	filters := plan.filtersBy(false)
	if len(filters) == 0 || len(plan.strangers) > 0 || len(plan.having) > 0 || !isEmpty(result.Summary) {
		return nil
	}
	all, err := e.collect(ctx, plan.rowsOf(nil, plan.AllFilters()))
	if err != nil || all.Summary.rows() > 0 {
		return err
	}
	warned := *plan
	for _, f := range filters {
		alone, err := e.match(ctx, plan, f)
		if err != nil {
			return err
		}
		if alone.Rows == 0 {
			warned.strangers = append(warned.strangers, warning(WarnNothingMatches, "no row of the package has %s", f.text)...)
		}
	}
	if len(warned.strangers) == 0 {
		warned.strangers = warning(WarnNothingMatches, "no row has all that the cuts ask for, though each of them matches some")
	}
	result.Plan = &warned
	return nil
}

// isEmpty tells whether a summary is over no rows, as far as its values say.
func isEmpty(summary Cell) bool {
	return summary.Count <= 1 && !slices.ContainsFunc(summary.Values, func(v decimal.NullDecimal) bool {
		return v.Valid && !v.Decimal.IsZero()
	})
}
