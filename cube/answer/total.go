package answer

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// total adds up the rows:
//
//  1. The basis over all rows gets its earlier side, if rows are compared, unless filter has set it to test shares.
//  2. Every row gets the sums that its shares divide by: of all rows, and of the rows of the same parent.
//  3. It is noted whether some row is gone, before top leaves rows out.
func (t *table) total() {
	if t.divisor == nil {
		t.divisor = t.rows
	}
	t.hasGone = slices.ContainsFunc(t.rows, func(r *row) bool { return r.state == isGone })
	if t.grouping.NeedsAllGroups() && !t.grouping.FiltersShares() {
		t.sumAll()
	}
	t.setDivisors(t.rows...)
}

// sumAll completes the basis over all rows, whose parts come from the store, and clears the sums of parents.
func (t *table) sumAll() {
	t.all.total, t.all.parent = t.all, t.all
	if t.grouping.Comparison() != nil {
		sum := t.sum(t.rows, 0)
		t.all.earlier, t.all.state = sum.earlier, sum.state
		t.all.earlier.total, t.all.earlier.parent = t.all.earlier, t.all.earlier
		t.all.withheld = t.breaks.Withholds(nil)
	}
	t.parents = nil
}

// setDivisors sets the years of rows, and the sums that their shares divide by.
func (t *table) setDivisors(rows ...*row) {
	for _, r := range rows {
		t.setYears(r)
		r.divideBy(t.all, t.parentOf(r))
		if t.isMovedElsewhere(r) {
			r.earlier.parent = nil
		}
	}
}

// isMovedElsewhere tells whether a row is compared with one of another parent, as its member had another one.
func (t *table) isMovedElsewhere(r *row) bool {
	step := t.step(r)
	if t.plan.ParentKeys() == nil || step < 0 || r.earlier == nil || t.grouping.Comparison() == nil || r.kind == remainder {
		return false
	}
	n := t.plan.ParentKeys()[step]
	all, ok := t.grouping.Comparison().There(r.Keys, len(r.Keys))
	parent, okToo := t.grouping.Comparison().There(r.Keys, n)
	return ok && okToo && !slices.Equal(all[:n], parent)
}

// setYears sets the fiscal year of a row, or that it adds up several, and whether its comparison is withheld.
func (t *table) setYears(r *row) {
	r.withheld = t.grouping.Comparison() != nil && t.breaks.Withholds(r.Keys)
	r.addsYears = t.grouping.AddsYears(len(r.Keys))
	if at := t.grouping.YearKey(); at >= 0 && at < len(r.Keys) {
		r.year = r.Keys[at]
	}
}

// divideBy sets the sums that shares divide by. A parent that is nil is unknown.
func (b *basis) divideBy(total, parent *basis) {
	b.total, b.parent = total, parent
	if b.earlier == nil {
		return
	}
	b.earlier.total = total.earlier
	if parent != nil {
		b.earlier.parent = parent.earlier
	}
}

// parentOf gives the sum of the rows of the same parent. It is nil if no share of a parent is asked, or if the sum would
// add snapshots of the same money.
func (t *table) parentOf(r *row) *basis {
	if t.plan.ParentKeys() == nil {
		return nil
	}
	n := 0
	if step := t.step(r); step >= 0 {
		n = t.plan.ParentKeys()[step]
	}
	if t.plan.SnapshotKey() >= n {
		return nil
	}
	if n == 0 {
		return t.all
	}
	if t.parents == nil {
		t.parents = map[int]map[string]*basis{}
	}
	if t.parents[n] == nil {
		t.parents[n] = map[string]*basis{}
		for _, group := range groups(t.divisor, n) {
			sum := t.sum(group, n)
			sum.addsYears = t.grouping.AddsYears(n)
			t.parents[n][group[0].id(n)] = sum
		}
	}
	return t.parents[n][r.id(n)]
}

// sum adds up all rows that share their first n keys:
//
//  1. Rows with parts from fill do not count, unless there are no others.
//  2. A sum is compared with the sum of the earlier rows of its rows. Rows in gaps do not count, unless there are no
//     others.
//  3. A sum is compared only if all of its rows are, since else eight years would be compared with seven. If the sum is
//     over the whole axis, this includes points that have neither rows nor a counterpart.
//  4. A sum over all members of a level with editions (plan.Comparison) is compared with all of the other side, whatever their
//     codes: also with rows of members that are not known to be the same as any.
//  5. A sum is new, or gone, if all of its rows are. It has no difference if one of its rows has none.
func (t *table) sum(rows []*row, n int) *basis {
	sum := t.plainSum(rows)
	if c := t.grouping.Comparison(); c != nil && n <= c.Key && len(c.WithoutCounterpart) > 0 {
		sum.earlier = &basis{}
		if sum.state != isGone {
			sum.state = compared
		}
	} else if c != nil && c.Crosses() {
		t.sumAcross(sum, rows, n)
	}
	return sum
}

// sumAcross sets what the sum of rows with the same n keys is compared with, where members have other codes there. With having it
// is the sum of what the rows are compared with, and withheld if there may be more.
func (t *table) sumAcross(sum *basis, rows []*row, n int) {
	c := t.grouping.Comparison()
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return r.kind == inGap })
	if len(rows) == 0 {
		return
	}
	before := t.beforeWithin(n)[rows[0].id(n)]
	filtered := len(t.grouping.Main().Having())+len(t.grouping.PostHaving()) > 0
	isWithoutCounterpart := func(r *row) bool { return r.state == notComparable && !r.alone }
	moves := func(r *row) bool { _, ok := c.There(r.Keys, n); return ok }
	switch {
	case slices.ContainsFunc(rows, isWithoutCounterpart) || filtered && !slices.ContainsFunc(before, func(r *row) bool { return t.unplaced[r] }):
	case filtered, c.LeavesOut(n), slices.ContainsFunc(rows, func(r *row) bool { return !moves(r) }):
		sum.earlier = &basis{}
		if sum.state != isGone {
			sum.state = compared
		}
	default:
		sum.earlier = &basis{}
		for i, r := range before {
			if i == 0 {
				sum.earlier.parts = r.parts
			} else {
				sum.earlier.parts = added(t.grouping.Main().Parts(), sum.earlier.parts, r.parts)
			}
		}
		switch {
		case len(before) == 0 && sum.state == compared:
			sum.state = isNew
		case len(before) > 0 && sum.state == isNew:
			sum.state = compared
		}
	}
}

// beforeWithin gives the rows of the other side by the first n keys of the rows that are compared with them.
func (t *table) beforeWithin(n int) map[string][]*row {
	if t.within[n] != nil {
		return t.within[n]
	}
	c, within := t.grouping.Comparison(), map[string][]*row{}
	matched := t.matched()
	for _, r := range t.before {
		if at, ok := r.keysAt(c.Key, -c.Offset); !ok || !matched[c.Point(at)] {
			continue
		}
		if keys, ok := c.Here(r.Keys, n); ok {
			within[cube.KeysID(keys)] = append(within[cube.KeysID(keys)], r)
		}
	}
	if t.within == nil {
		t.within = map[int]map[string][]*row{}
	}
	t.within[n] = within
	return within
}

func (t *table) plainSum(rows []*row) *basis {
	parts := t.grouping.Main().Parts()
	sum := &basis{parts: noRows(parts)}
	if len(rows) > 0 && !slices.ContainsFunc(rows, func(r *row) bool { return !r.isFilled() }) {
		sum.parts = rows[0].parts
	}
	for _, r := range rows {
		if !r.isFilled() {
			sum.parts = added(parts, sum.parts, r.parts)
		}
	}
	if t.grouping.Comparison() == nil {
		return sum
	}
	if others := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return r.kind == inGap }); len(others) > 0 {
		rows = others
	}
	sum.earlier = &basis{parts: t.sumOfEarlier(rows)}
	has := func(s state) bool { return slices.ContainsFunc(rows, func(r *row) bool { return r.state == s }) }
	all := func(s state) bool {
		return len(rows) > 0 && !slices.ContainsFunc(rows, func(r *row) bool { return r.state != s })
	}
	switch {
	case all(isNew):
		sum.state = isNew
	case all(isGone):
		sum.state = isGone
	case has(noDifference):
		sum.state = noDifference
	}
	return sum
}

// isFilled tells whether fill set the parts of a row.
func (r *row) isFilled() bool { return r.kind == inGap || r.kind == goneInGap }

// sumOfEarlier adds up the earlier rows of rows. It is nil if one of the rows is not comparable.
func (t *table) sumOfEarlier(rows []*row) []decimal.NullDecimal {
	var sum []decimal.NullDecimal
	for _, r := range rows {
		switch {
		case r.state == notComparable:
			return nil
		case r.earlier == nil || r.earlier.parts == nil:
		case sum == nil:
			sum = r.earlier.parts
		default:
			sum = added(t.grouping.Main().Parts(), sum, r.earlier.parts)
		}
	}
	return sum
}
