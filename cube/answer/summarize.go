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
//  1. Another grouping (plan.Plan.Summary) has them, since the sum of the cells would count the same money several times. The
//     store adds up its groups, unless they are compared or left out by a condition: then the passes of that grouping do.
//  2. The number of cells stays that of this plan.
//  3. An aggregate that only this plan has, such as one compared along what the other grouping does not drill, has no value.
func (t *table) summarize(ctx context.Context, s Store, l cube.Language) (err error) {
	t.answer.Summary.Values, err = summaryValues(ctx, s, t.plan, l)
	return err
}

func summaryValues(ctx context.Context, s Store, p *plan.Plan, l cube.Language) ([]decimal.NullDecimal, error) {
	summary := p.Summary()
	t := &table{plan: p, grouping: summary, breaks: summary.LabelBreaks(), hasAll: summary.NeedsAllGroups()}
	if err := t.fetchRows(ctx, s); err != nil {
		return nil, err
	}
	if err := t.run(ctx, s, l); err != nil {
		return nil, err
	}
	known := t.values(t.kept)
	values := make([]decimal.NullDecimal, len(p.Aggregates()))
	for i, aggregate := range p.Aggregates() {
		j := slices.IndexFunc(summary.Aggregates(), func(o plan.Aggregate) bool { return o.Name == aggregate.Name })
		if j >= 0 {
			values[i] = known[j]
		}
	}
	return values, nil
}
