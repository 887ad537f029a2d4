package answer

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// pair gives every row the earlier row that it is compared with (plan.Comparison):
//
//  1. If the plan does not know which points have counterparts, the rows of both sides show them.
//  2. A row at a point without a counterpart is not comparable.
//  3. A row that only one side has, at a point with a counterpart, is new or gone.
//  4. Rows that are gone are added, unless there is a having, which may have left the row of this side out.
//  5. A row with a member that is not known to be the same as any of the other side is not comparable.
//  6. Without a drilldown each side has one row, even if it adds up no facts. A count of facts tells whether it does.
func (t *table) pair() {
	c := t.grouping.Comparison()
	t.beforeBy, t.unplaced = map[string]*row{}, map[*row]bool{}
	for _, r := range t.before {
		t.beforeBy[cube.KeysID(r.Keys)] = r
	}
	matched := t.matched()
	paired := map[*row]bool{}
	for _, r := range t.rows {
		other := t.pairWith(r)
		paired[other] = true
		_, same := c.There(r.Keys, len(r.Keys))
		isMatched := matched[c.Point(r.Keys)] && !c.IsWithheld(r.Keys)
		r.alone = isMatched && !same
		t.setState(r, other, isMatched && same)
	}
	if len(t.grouping.Main().Having()) == 0 {
		for _, r := range t.before {
			keys, ok := r.keysAt(c.Key, -c.Offset)
			if !ok || paired[r] || !matched[c.Point(keys)] || c.IsWithheld(keys) {
				continue
			}
			if keys, ok = c.Here(r.Keys, len(r.Keys)); ok {
				t.rows = append(t.rows, t.goneRow(r, keys))
			} else {
				t.unplaced[r] = true
			}
		}
	}
	t.seeWithoutCounterpart()
	t.seeSame()
}

// seeSame notes the members of rows that are compared with members of other editions, and the years in which some members are
// compared with none.
func (t *table) seeSame() {
	c := t.grouping.Comparison()
	for _, same := range c.CutSame {
		t.seen.AddSame(same, cube.Missing, cube.Missing)
	}
	alone := map[cube.Value]bool{}
	for _, r := range t.rows {
		if r.earlier != nil && r.earlier.parts != nil {
			for _, same := range c.SameIn(r.Keys) {
				other := cube.Missing
				if keys, ok := c.There(r.Keys, len(r.Keys)); ok && t.beforeBy[cube.KeysID(keys)] != nil {
					other = t.beforeBy[cube.KeysID(keys)].Labels[same.Index]
				}
				t.seen.AddSame(same, r.Labels[same.Index], other)
			}
		}
		if year := c.YearOf(r.Keys); r.alone && !alone[year] {
			alone[year] = true
			there, _ := year.Shifted(c.Offset)
			t.seen.WithoutCounterpart = append(slices.Clip(t.seen.WithoutCounterpart), plan.WithoutCounterpart{Kind: plan.NoSameMember, Args: []any{year, there}})
		}
	}
}

// matched gives the points with a counterpart: those that the plan knows, or else those that rows show.
func (t *table) matched() map[string]bool {
	c := t.grouping.Comparison()
	if c.WithCounterpart != nil {
		return c.WithCounterpart
	}
	there, matched := map[string]bool{}, map[string]bool{}
	for _, r := range t.before {
		if keys, ok := r.keysAt(c.Key, -c.Offset); ok && t.hasFacts(r) {
			there[c.Point(keys)] = true
		}
	}
	for _, r := range t.rows {
		point := c.Point(r.Keys)
		matched[point] = matched[point] || there[point] && t.hasFacts(r)
	}
	return matched
}

// hasFacts tells whether a row adds up any facts.
func (t *table) hasFacts(r *row) bool {
	part := t.grouping.Comparison().RowsPart
	return part < 0 || !r.parts[part].Decimal.IsZero()
}

// pairWith sets the earlier side of a row, and gives its earlier row, if there is one.
func (t *table) pairWith(r *row) *row {
	c := t.grouping.Comparison()
	keys, ok := c.There(r.Keys, len(r.Keys))
	r.earlier = &basis{}
	other := t.beforeBy[cube.KeysID(keys)]
	if !ok || other == nil {
		return nil
	}
	r.earlier.parts = other.parts
	return other
}

// setState sets the state of a row from its earlier row, which may be nil.
func (t *table) setState(r, other *row, matched bool) {
	here, there := t.hasFacts(r), other != nil && t.hasFacts(other)
	switch {
	case !here && !there:
	case !matched && !here:
		r.state = noDifference
	case !matched:
		r.state, r.earlier = notComparable, &basis{}
	case !there:
		r.state, r.earlier = isNew, &basis{}
	case !here:
		r.state = isGone
	}
}

func (t *table) goneRow(before *row, keys []cube.Value) *row {
	r := &row{Group: before.Group, kind: gone, basis: basis{parts: noRows(t.grouping.Main().Parts()), state: isGone,
		earlier: &basis{parts: before.parts}}}
	r.Keys = keys
	t.labels.rename(r, t.grouping.Comparison().Key)
	return r
}

// seeWithoutCounterpart notes the points without a counterpart, including those that only the rows show.
func (t *table) seeWithoutCounterpart() {
	c := t.grouping.Comparison()
	t.seen.WithoutCounterpart = c.WithoutCounterpart
	if c.WithCounterpart != nil || len(c.WithoutCounterpart) > 0 {
		return
	}
	var points []cube.Value
	for _, r := range t.rows {
		switch {
		case r.state != notComparable && r.state != noDifference:
		case c.Key >= 0:
			points = append(points, r.Keys[c.Key])
		default:
			points = append(points, c.Cut...)
		}
	}
	slices.SortFunc(points, func(x, y cube.Value) int { return compareValues(false, x, y) })
	for _, point := range slices.Compact(points) {
		t.seen.WithoutCounterpart = append(t.seen.WithoutCounterpart, t.whyNoCounterpart(point))
	}
}

// whyNoCounterpart says why a point on the axis has no counterpart: there are no rows to compare with, or it has none itself.
func (t *table) whyNoCounterpart(point cube.Value) plan.WithoutCounterpart {
	c := t.grouping.Comparison()
	there, ok := point.Shifted(c.Offset)
	switch {
	case c.RowsPart >= 0 && !t.hasFacts(t.rows[0]):
		return plan.WithoutCounterpart{Kind: plan.NoCellsHere, Args: []any{point}}
	case point.IsMissing():
		return plan.WithoutCounterpart{Kind: plan.NoPoint, Args: []any{c.Axis.Name}}
	case !ok:
		return plan.WithoutCounterpart{Kind: plan.NoNumber, Args: []any{point}}
	}
	return plan.WithoutCounterpart{Kind: plan.NoCellsThere, Args: []any{point, there}}
}
