package answer

import (
	"context"
	"maps"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/fold"
	"fiscube/internal/tidy"
)

// withhold finds the years that are compared with none because of the way in which labels are written (plan.LabelCut):
//
//  1. Of two years one alone has a label that a cut names.
//  2. The other writes it with other case, accents or spacing, under a code that the cut does not admit.
//  3. Either side may be the one that has it.
func (t *table) withhold(ctx context.Context, s Store) error {
	t.withheld = map[int64]plan.WithoutCounterpart{}
	for _, pair := range t.grouping.LabelCuts() {
		var unknown [2][]string
		for i, cut := range pair {
			found, err := s.Unknown(ctx, t.plan.Cube(), cut.Named, 0)
			if err != nil {
				return err
			}
			for _, u := range found {
				unknown[i] = append(unknown[i], cut.Named[u.Index].Text)
			}
		}
		for i, cut := range pair {
			alone := slices.DeleteFunc(unknown[i], func(label string) bool { return slices.Contains(unknown[1-i], label) })
			label, other, err := otherSpelling(ctx, s, cut, alone)
			if err != nil {
				return err
			}
			if label != "" {
				t.withheld[cut.Year] = plan.WithoutCounterpart{Kind: plan.OtherSpelling,
					Args: []any{cut.Year, query.Clip(query.QuoteText(label)), query.Clip(query.QuoteText(other)), cut.Here}}
			}
		}
	}
	return nil
}

// isWithheld tells whether a row with these keys is of a year that is compared with none.
func (t *table) isWithheld(keys []cube.Value) bool {
	c := t.grouping.Comparison()
	if c.Key < 0 || c.Key >= len(keys) {
		return len(t.withheld) > 0
	}
	year, ok := keys[c.Key].Int()
	_, withheld := t.withheld[year]
	return ok && withheld
}

// withoutCounterpart lists the points without a counterpart that the plan or the labels of cuts tell.
func (t *table) withoutCounterpart() []plan.WithoutCounterpart {
	list := slices.Clone(t.grouping.Comparison().WithoutCounterpart)
	for _, year := range slices.Sorted(maps.Keys(t.withheld)) {
		list = append(list, t.withheld[year])
	}
	return list
}

// otherSpelling gives the first of the labels that the year of a cut writes in another way, and how. The labels are "" if it writes
// none so.
func otherSpelling(ctx context.Context, s Store, cut plan.LabelCut, labels []string) (label, other string, err error) {
	folded := map[string]string{}
	for _, label := range labels {
		folded[fold.Text(label)] = label
	}
	for _, statement := range cut.Similar(labels) {
		members, err := collect(ctx, s, statement, anyNumber)
		if err != nil {
			return "", "", err
		}
		for _, m := range members.groups {
			other := m.Labels[len(m.Labels)-1].String()
			if label, ok := folded[fold.Text(tidy.Label(other))]; ok {
				return label, other, nil
			}
		}
	}
	return "", "", nil
}
