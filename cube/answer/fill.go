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
//  1. For all members of the other keys there is a row at each place that the cuts admit, between the first and the
//     last place that any row has.
//  2. Its amounts are null or 0, as is asked. It changes no sum.
//  3. A row that is gone takes the numbers that fill would give a row of its own.
//  4. It stands beside the earlier row of the same members, if there is one. A place of which there are no rows at
//     all has become no less, so no difference is given there; nor where the amounts are null.
func (t *table) fill(ctx context.Context) error {
	f := t.plan.Fill()
	if f == nil {
		return nil
	}
	for _, r := range t.rows {
		if _, whole := r.Keys[f.Axis].Int(); r.kind == gone && whole && f.With == query.FillZero {
			r.kind, r.parts = goneInGap, zeros(t.plan.Main().Parts())
		}
	}
	first, last, ok := span(t.rows, f.Axis)
	if !ok {
		return nil
	}
	if uint64(last-first) >= query.MaxPageSize {
		return tooManyFilled()
	}
	var places []cube.Value // found once for all members, since there may be thousands of both
	for offset := range last - first + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if place := cube.Integer(first + offset); t.plan.Admits(t.plan.Keys()[f.Axis], place) {
			places = append(places, place)
		}
	}
	withoutAxis := func(r *row) string { return cube.KeysID(slices.Delete(slices.Clone(r.Keys), f.Axis, f.Axis+1)) }
	for _, rows := range gathered(t.rows, withoutAxis) {
		taken := map[cube.Value]bool{}
		for _, r := range rows {
			taken[r.Keys[f.Axis]] = true
		}
		for _, place := range places {
			if !taken[place] {
				t.rows = append(t.rows, t.gapRow(rows[0], place))
			}
		}
		if len(t.rows) > query.MaxPageSize {
			return tooManyFilled()
		}
	}
	return nil
}

// span gives the first and the last place on an axis that rows have.
func span(rows []*row, axis int) (first, last int64, ok bool) {
	for _, r := range rows {
		place, whole := r.Keys[axis].Int()
		if !whole {
			continue
		}
		if !ok || place < first {
			first = place
		}
		if !ok || place > last {
			last = place
		}
		ok = true
	}
	return first, last, ok
}

// gapRow is a row of the same members as another, at a place of its own.
func (t *table) gapRow(like *row, place cube.Value) *row {
	f := t.plan.Fill()
	r := &row{Group: plan.Group{Keys: slices.Clone(like.Keys), Labels: like.Labels, Ranks: like.Ranks}, kind: inGap}
	r.Keys[f.Axis] = place
	t.labels.rename(r, f.Axis)
	if r.parts = noRows(t.plan.Main().Parts()); f.With == query.FillZero {
		r.parts = zeros(t.plan.Main().Parts())
	}
	if c := t.plan.Comparison(); c != nil {
		t.pairWith(r)
		if f.With == query.FillNull || c.Matched != nil && !c.Matched[c.Position(r.Keys)] {
			r.state = noDifference
		}
	}
	return r
}

func tooManyFilled() error {
	return cube.Errorf(cube.CodeTooLarge, "the answer has more than %d cells", query.MaxPageSize).
		At(cube.Position{Parameter: "fill"}).WithHint("cut it down, or ask without fill")
}
