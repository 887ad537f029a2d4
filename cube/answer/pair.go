package answer

import (
	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// pair gives every row the earlier row that it is compared with, if there is one (plan.Comparison):
//
//  1. If the plan does not know which points have counterparts, the rows of both sides show them.
//  2. Rows that only the earlier side has, at a point with a counterpart, are added, unless there is a having, which may have
//     left the row of this side out. An earlier row with a member that is not known to be the same as any here gets that state.
func (t *table) pair() {
	c := t.grouping.Comparison()
	t.beforeBy = map[string]*row{}
	for _, r := range t.before {
		t.beforeBy[plan.KeysID(r.Keys)] = r
	}
	t.matched = t.pointsWithCounterpart()
	paired := map[*row]bool{}
	for _, r := range t.rows {
		paired[t.pairWith(r)] = true
	}
	if len(t.grouping.Main().Having()) > 0 {
		return
	}
	for _, r := range t.before {
		keys, ok := r.keysAt(c.Key, -c.Offset)
		if !ok || paired[r] || !t.isMatched(keys) {
			continue
		}
		if keys, ok = c.Here(r.Keys, len(r.Keys)); ok {
			t.rows = append(t.rows, t.goneRow(r, keys))
		} else {
			r.state = noSameMember
		}
	}
}

// isMatched tells whether the point of a row with these keys has a counterpart.
func (t *table) isMatched(keys []cube.Value) bool {
	c := t.grouping.Comparison()
	return t.matched[c.Point(keys)] && !t.isWithheld(keys)
}

// pointsWithCounterpart gives the points with a counterpart: those that the plan knows, or else those that rows show.
func (t *table) pointsWithCounterpart() map[string]bool {
	c := t.grouping.Comparison()
	if c.WithCounterpart != nil {
		return c.WithCounterpart
	}
	there, matched := map[string]bool{}, map[string]bool{}
	for _, r := range t.before {
		if keys, ok := r.keysAt(c.Key, -c.Offset); ok && t.hasFacts(r.parts) {
			there[c.Point(keys)] = true
		}
	}
	for _, r := range t.rows {
		point := c.Point(r.Keys)
		matched[point] = matched[point] || there[point] && t.hasFacts(r.parts)
	}
	return matched
}

// hasFacts tells whether the parts of a row add up any facts. Without a drilldown each side has one row, even if it adds up
// none.
func (t *table) hasFacts(parts []decimal.NullDecimal) bool {
	part := t.grouping.Comparison().RowsPart
	return part < 0 || !parts[part].Decimal.IsZero()
}

// pairWith sets the earlier side of a row, and gives its earlier row, or nil.
func (t *table) pairWith(r *row) *row {
	c := t.grouping.Comparison()
	keys, ok := c.There(r.Keys, len(r.Keys))
	r.earlier = &basis{}
	other := t.beforeBy[plan.KeysID(keys)]
	if !ok || other == nil {
		return nil
	}
	r.earlier.parts = other.parts
	return other
}

// goneRow makes the row of this side for a row that only the earlier side has.
func (t *table) goneRow(before *row, keys []cube.Value) *row {
	r := &row{Group: before.Group, kind: gone, basis: basis{parts: noRows(t.grouping.Main().Parts()),
		earlier: &basis{parts: before.parts}}}
	r.Keys = keys
	t.labels.rename(r, t.grouping.Comparison().Key)
	return r
}
