package answer

import (
	"cmp"
	"context"
	"slices"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
)

// NotInLast lists the lines with an amount of a measure, as the latest snapshot that has each states it, unless there are more than most
// lines.
func NotInLast(ctx context.Context, s Store, n *plan.NotInLast, measure cube.Measure, most int) (left caveat.Left, err error) {
	lines, err := collect(ctx, s, n.Lines(most), int64(most))
	if err != nil || lines.count == 0 || lines.count > int64(most) {
		return caveat.Left{TooMany: lines.count > int64(most)}, err
	}
	statement := n.Amounts(lines.groups, measure.Ref)
	found, err := collect(ctx, s, statement, anyNumber)
	if err != nil {
		return left, err
	}
	factor, err := measure.Multiplier()
	if err != nil {
		return left, err
	}
	model, end := statement.Cube().Model, len(statement.Keys())-1
	rank := func(g plan.Group) int64 {
		rank, _ := model.Snapshots().Rank(g.Keys[end].String()) // a load refuses snapshots without one
		return rank
	}
	slices.SortFunc(found.groups, func(x, y plan.Group) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), slices.CompareFunc(x.Keys, y.Keys, cube.Value.Compare))
	})
	periods, member := len(model.Snapshots().Per), slices.IndexFunc(statement.Keys(), func(c cube.Column) bool { return c.Name == n.Level.Ref })
	var list []caveat.LeftBehind
	inLine := map[string]int{} // the index in list, by the keys of the line
	for _, g := range found.groups {
		if !g.Parts[0].Valid {
			continue
		}
		id := plan.KeysID(g.Keys[:end])
		at, known := inLine[id]
		if !known {
			at = len(list)
			inLine[id] = at
			list = append(list, caveat.LeftBehind{Period: g.Keys[:periods], Member: g.Keys[member], First: g.Keys[end]})
		}
		list[at].Last, list[at].Amount = g.Keys[end], g.Parts[0].Decimal.Mul(factor)
		if len(g.Labels) > 0 {
			list[at].Label = g.Labels[0]
		}
	}
	list = slices.DeleteFunc(list, func(l caveat.LeftBehind) bool { return l.Amount.IsZero() })
	slices.SortStableFunc(list, func(x, y caveat.LeftBehind) int { return y.Amount.Abs().Cmp(x.Amount.Abs()) })
	return caveat.Left{Lines: list}, nil
}

// WithLeft is the answer whose caveats name the lines that are left behind.
func (a *Answer) WithLeft(left caveat.Left, l cube.Language) *Answer {
	told := *a
	told.evidence.Left = &left
	told.tell(l)
	return &told
}
