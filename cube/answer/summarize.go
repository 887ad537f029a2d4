package answer

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// summarize sets the values of the summary if the cells are snapshots of the same money:
//
//  1. Another plan (plan.Plan.Summary) answers them, since the sum of the cells would count the same money several times.
//  2. The number of cells stays that of this plan.
//  3. An aggregate that only this plan has, such as one compared along what the other plan does not drill, has no value.
func (t *table) summarize(ctx context.Context, s Store, l cube.Language) (err error) {
	t.answer.Summary.Values, err = summaryValues(ctx, s, t.plan, l)
	return err
}

func summaryValues(ctx context.Context, s Store, p *plan.Plan, l cube.Language) ([]decimal.NullDecimal, error) {
	summary, err := Run(ctx, s, p.Summary(), l)
	if err != nil {
		return nil, err
	}
	values := make([]decimal.NullDecimal, len(p.Aggregates()))
	for i, aggregate := range p.Aggregates() {
		j := slices.IndexFunc(p.Summary().Aggregates(), func(o plan.Aggregate) bool { return o.Name == aggregate.Name })
		if j >= 0 {
			values[i] = summary.Summary.Values[j]
		}
	}
	return values, nil
}
