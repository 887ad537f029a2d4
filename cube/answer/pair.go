package answer

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// pair gives every row the earlier row that it is compared with (plan.Comparison):
//
//  1. If the plan does not know which positions have counterparts, the rows of both sides show them.
//  2. A row at a position without a counterpart is not comparable.
//  3. A row that only one side has, at a position with a counterpart, is new or gone.
//  4. Rows that are gone are added, unless there is a having, which may have left the row of this side out.
//  5. Without a drilldown each side has one row, even if it adds up no facts. A count of facts tells whether it does.
func (t *table) pair() {
	c := t.plan.Comparison()
	if c == nil {
		return
	}
	t.beforeBy = map[string]*row{}
	for _, r := range t.before {
		t.beforeBy[cube.KeysID(r.Keys)] = r
	}
	matched := t.matched()
	paired := map[*row]bool{}
	for _, r := range t.rows {
		other := t.pairWith(r)
		paired[other] = true
		t.setState(r, other, matched[c.Position(r.Keys)])
	}
	if len(t.plan.Main().Having()) == 0 {
		for _, r := range t.before {
			if keys, ok := r.keysAt(c.Key, -c.Offset); ok && !paired[r] && matched[c.Position(keys)] {
				t.rows = append(t.rows, t.goneRow(r, keys))
			}
		}
	}
	t.seeUnmatched()
}

// matched gives the positions with a counterpart: those that the plan knows, or else those that rows show.
func (t *table) matched() map[string]bool {
	c := t.plan.Comparison()
	if c.Matched != nil {
		return c.Matched
	}
	there, matched := map[string]bool{}, map[string]bool{}
	for _, r := range t.before {
		if keys, ok := r.keysAt(c.Key, -c.Offset); ok && t.hasFacts(r) {
			there[c.Position(keys)] = true
		}
	}
	for _, r := range t.rows {
		position := c.Position(r.Keys)
		matched[position] = matched[position] || there[position] && t.hasFacts(r)
	}
	return matched
}

// hasFacts tells whether a row adds up any facts.
func (t *table) hasFacts(r *row) bool {
	part := t.plan.Comparison().RowsPart
	return part < 0 || !r.parts[part].Decimal.IsZero()
}

// pairWith sets the earlier side of a row, and gives its earlier row, if there is one.
func (t *table) pairWith(r *row) *row {
	c := t.plan.Comparison()
	keys, ok := r.keysAt(c.Key, c.Offset)
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
	r := &row{Group: before.Group, kind: gone, basis: basis{parts: noRows(t.plan.Main().Parts()), state: isGone,
		earlier: &basis{parts: before.parts}}}
	r.Keys = keys
	t.labels.rename(r, t.plan.Comparison().Key)
	return r
}

// seeUnmatched notes the positions without a counterpart, including those that only the rows show.
func (t *table) seeUnmatched() {
	c := t.plan.Comparison()
	t.seen.Unmatched = c.Unmatched
	if c.Matched != nil || len(c.Unmatched) > 0 {
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
		t.seen.Unmatched = append(t.seen.Unmatched, t.whyUnmatched(point))
	}
}

// whyUnmatched says why a point on the axis has no counterpart: there are no rows to compare with, or it has none itself.
func (t *table) whyUnmatched(point cube.Value) plan.Unmatched {
	c := t.plan.Comparison()
	there, ok := point.Shifted(c.Offset)
	switch {
	case c.RowsPart >= 0 && !t.hasFacts(t.rows[0]):
		return plan.Unmatched{Kind: plan.NoCellsHere, Args: []any{point}}
	case point.IsMissing():
		return plan.Unmatched{Kind: plan.NoPosition, Args: []any{c.Axis.Name}}
	case !ok:
		return plan.Unmatched{Kind: plan.NoNumber, Args: []any{point}}
	}
	return plan.Unmatched{Kind: plan.NoCellsThere, Args: []any{point, there}}
}
