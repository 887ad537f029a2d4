package answer

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// pair sets every row beside the earlier one that it is compared with (plan.Comparison):
//
//  1. Where the plan does not know which positions have counterparts, the rows of both sides show it.
//  2. A row at a position without a counterpart is not comparable.
//  3. A row that only one side has, at a position with a counterpart, is new or gone.
//  4. Rows that are gone are added, unless having may only have kept this side's row out.
//  5. Where nothing is drilled each side has one row, also of no rows of the package. Then their count decides.
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

// matched gives the positions that have a counterpart: those that are known, or else those that rows show.
func (t *table) matched() map[string]bool {
	c := t.plan.Comparison()
	if c.Matched != nil {
		return c.Matched
	}
	there, matched := map[string]bool{}, map[string]bool{}
	for _, r := range t.before {
		if keys, ok := r.keysAt(c.Key, -c.Offset); ok && t.isOfRows(r) {
			there[c.Position(keys)] = true
		}
	}
	for _, r := range t.rows {
		position := c.Position(r.Keys)
		matched[position] = matched[position] || there[position] && t.isOfRows(r)
	}
	return matched
}

// isOfRows tells whether a row is of any rows of the package.
func (t *table) isOfRows(r *row) bool {
	part := t.plan.Comparison().RowsPart
	return part < 0 || !r.parts[part].Decimal.IsZero()
}

// pairWith gives the earlier row of a row, if there is one.
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

// setState says how a row stands to the other, which may be nil.
func (t *table) setState(r, other *row, matched bool) {
	here, there := t.isOfRows(r), other != nil && t.isOfRows(other)
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

// seeUnmatched notes the positions that turned out to have no counterpart, where nothing was known of them before.
func (t *table) seeUnmatched() {
	c := t.plan.Comparison()
	t.seen.Unmatched = c.Unmatched
	if c.Matched != nil || len(c.Unmatched) > 0 {
		return
	}
	var places []cube.Value
	for _, r := range t.rows {
		switch {
		case r.state != notComparable && r.state != noDifference:
		case c.Key >= 0:
			places = append(places, r.Keys[c.Key])
		default:
			places = append(places, c.Cut...)
		}
	}
	slices.SortFunc(places, func(x, y cube.Value) int { return compareValues(false, x, y) })
	for _, place := range slices.Compact(places) {
		t.seen.Unmatched = append(t.seen.Unmatched, t.whyUnmatched(place))
	}
}

// whyUnmatched says of a place on the axis that there are no rows to compare its own with, or that it has none itself.
func (t *table) whyUnmatched(place cube.Value) plan.Unmatched {
	c := t.plan.Comparison()
	there, ok := place.Shifted(c.Offset)
	switch {
	case c.RowsPart >= 0 && !t.isOfRows(t.rows[0]):
		return plan.Unmatched{Kind: plan.NoCellsHere, Args: []any{place}}
	case place.IsMissing():
		return plan.Unmatched{Kind: plan.NoPosition, Args: []any{c.Axis.Name}}
	case !ok:
		return plan.Unmatched{Kind: plan.NoNumber, Args: []any{place}}
	}
	return plan.Unmatched{Kind: plan.NoCellsThere, Args: []any{place, there}}
}
