package answer

import (
	"context"
	"slices"

	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/fold"
	"fiscube/internal/tidy"
)

// withholdOtherSpellings withholds the comparison of years of which one alone has a label that a cut names, while the other writes
// it with other case, accents or spacing, under a code that the cut does not admit.
func (t *table) withholdOtherSpellings(ctx context.Context, s Store) error {
	withheld := map[int64]plan.WithoutCounterpart{}
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
				withheld[cut.Year] = plan.WithoutCounterpart{Kind: plan.OtherSpelling,
					Args: []any{cut.Year, query.Clip(query.QuoteText(label)), query.Clip(query.QuoteText(other)), cut.Here}}
			}
		}
	}
	t.grouping = t.grouping.Withholding(withheld)
	return nil
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
