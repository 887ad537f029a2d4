package cube

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"
)

// An empty answer is right, and often not what was meant: a range of years that the package has not, a code of
// another level. So it says which of the cuts is to blame.

// CheckStream does what Check does for a plan whose cells come one by one, and warns before them where there are none.
func (e *Engine) CheckStream(ctx context.Context, plan *Plan) (*Plan, error) {
	checked, err := e.Check(ctx, plan)
	if err != nil {
		return nil, err
	}
	return e.warnEmpty(ctx, checked)
}

// warnEmpty gives a plan with a warning where no row is counted and nothing says why. What having leaves out are cells,
// of rows that the cuts admit.
func (e *Engine) warnEmpty(ctx context.Context, plan *Plan) (*Plan, error) {
	if len(plan.filtersBy(false)) == 0 || len(plan.found) > 0 {
		return plan, nil
	}
	rows, err := e.count(ctx, plan, plan.AllFilters())
	if err != nil || rows > 0 {
		return plan, err
	}
	warned := *plan
	warned.found, err = e.blamed(ctx, plan)
	return &warned, err
}

// blamed says why no row is counted. The cuts are to blame only where they admit none by themselves: what they ask for
// may be in earlier statements than those that are counted, which nobody asked for.
func (e *Engine) blamed(ctx context.Context, plan *Plan) ([]Warning, error) {
	if len(plan.filtersBy(true)) > 0 {
		rows, err := e.count(ctx, plan, plan.filtersBy(false))
		if err != nil || rows > 0 {
			return plan.warnUncounted(rows), err
		}
	}
	var list []Warning
	for _, f := range plan.filtersBy(false) {
		alone, err := e.match(ctx, plan, f)
		if err != nil {
			return nil, err
		}
		if alone.Rows == 0 {
			list = append(list, warning(WarnNothingMatches, plan.words().nobody, f.text)...)
		}
	}
	if len(list) == 0 {
		list = warning(WarnNothingMatches, "%s", plan.words().none)
	}
	return list, nil
}

// warnUncounted says how to see rows that no statement has that is counted.
func (p *Plan) warnUncounted(rows int64) []Warning {
	w := p.words()
	return warning(WarnNothingMatches, w.uncounted, rows, w.statements(p.stated), p.cube.Model.Snapshots().By)
}

// isEmpty tells whether a summary is over no rows, as far as its values say.
func isEmpty(summary Cell) bool {
	return summary.Count <= 1 && !slices.ContainsFunc(summary.Values, func(v decimal.NullDecimal) bool {
		return v.Valid && !v.Decimal.IsZero()
	})
}
