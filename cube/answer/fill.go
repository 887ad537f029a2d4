package answer

import (
	"context"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// fill adds rows in the gaps of an axis of whole numbers:
//
//  1. Every combination of the other keys gets a row at each point of the axis that the cuts admit, between the first and
//     the last point of any row.
//  2. The amounts of a new row are null or 0, as asked. It changes no sum.
//  3. A row that is gone (pair) gets the same amounts as a new row.
//  4. A new row is paired with the earlier row of the same members, if there is one.
func (t *table) fill(ctx context.Context) error {
	f := t.plan.Fill()
	for _, r := range t.rows {
		if _, whole := r.Keys[f.Axis].Int(); r.kind == gone && whole && f.With == query.FillZero {
			r.parts = zeros(t.plan.Main().Parts())
		}
	}
	first, last, ok := span(t.rows, f.Axis)
	if !ok {
		return nil
	}
	if uint64(last-first) >= query.MaxPageSize {
		return tooManyFilled()
	}
	var points []cube.Value // computed once, since there may be thousands of points and of members
	for offset := range last - first + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if point := cube.Integer(first + offset); t.plan.Admits(t.plan.Keys()[f.Axis], point) {
			points = append(points, point)
		}
	}
	withoutAxis := func(r *row) string { return plan.KeysID(slices.Delete(slices.Clone(r.Keys), f.Axis, f.Axis+1)) }
	for _, rows := range gathered(t.rows, withoutAxis) {
		taken := map[cube.Value]bool{}
		for _, r := range rows {
			taken[r.Keys[f.Axis]] = true
		}
		for _, point := range points {
			if !taken[point] {
				t.rows = append(t.rows, t.gapRow(rows[0], point))
			}
		}
		if len(t.rows) > query.MaxPageSize {
			return tooManyFilled()
		}
	}
	return nil
}

// span gives the first and the last point on an axis that rows have.
func span(rows []*row, axis int) (first, last int64, ok bool) {
	for _, r := range rows {
		point, whole := r.Keys[axis].Int()
		if !whole {
			continue
		}
		if !ok || point < first {
			first = point
		}
		if !ok || point > last {
			last = point
		}
		ok = true
	}
	return first, last, ok
}

// gapRow makes a row with the members of another row, at another point of the axis.
func (t *table) gapRow(like *row, point cube.Value) *row {
	f := t.plan.Fill()
	r := &row{Group: plan.Group{Keys: slices.Clone(like.Keys), Labels: like.Labels, Ranks: like.Ranks}, kind: inGap}
	r.Keys[f.Axis] = point
	t.labels.rename(r, f.Axis)
	if r.parts = noRows(t.plan.Main().Parts()); f.With == query.FillZero {
		r.parts = zeros(t.plan.Main().Parts())
	}
	if t.plan.Comparison() != nil {
		t.pairWith(r)
	}
	return r
}

func tooManyFilled() error {
	return cube.Errorf(cube.CodeTooLarge, "the answer has more than %d cells", query.MaxPageSize).
		At(cube.Position{Parameter: "fill"}).WithHint("cut it down, or ask without fill")
}
