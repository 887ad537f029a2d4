package answer

import (
	"slices"

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
	}
	t.parents = nil
}

// setDivisors sets the years of rows, and the sums that their shares divide by.
func (t *table) setDivisors(rows ...*row) {
	for _, r := range rows {
		r.years = t.yearsOf(r.Keys)
		r.divideBy(t.all, t.parentOf(r))
		if t.isMovedElsewhere(r) {
			r.earlier.parent = nil
		}
	}
}

// isMovedElsewhere tells whether a row is compared with one of another parent, as its member had another one.
func (t *table) isMovedElsewhere(r *row) bool {
	step := t.step(r)
	if t.grouping.ParentKeys() == nil || step < 0 || r.earlier == nil || t.grouping.Comparison() == nil || r.kind == remainder {
		return false
	}
	n := t.grouping.ParentKeys()[step]
	all, ok := t.grouping.Comparison().There(r.Keys, len(r.Keys))
	parent, okToo := t.grouping.Comparison().There(r.Keys, n)
	return ok && okToo && !slices.Equal(all[:n], parent)
}

// yearsOf tells what the keys of a row say of its years.
func (t *table) yearsOf(keys []cube.Value) years {
	y := years{many: t.grouping.AddsYears(len(keys)), recoded: t.grouping.Comparison() != nil && t.breaks.Withholds(keys)}
	if at := t.grouping.YearKey(); at >= 0 && at < len(keys) {
		y.year = keys[at]
	}
	return y
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
	if t.grouping.ParentKeys() == nil {
		return nil
	}
	n := 0
	if step := t.step(r); step >= 0 {
		n = t.grouping.ParentKeys()[step]
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
			sum.years = t.yearsOf(group[0].Keys[:n])
			t.parents[n][group[0].id(n)] = sum
		}
	}
	return t.parents[n][r.id(n)]
}

// sum adds up all rows that share their first n keys, and compares the sum.
func (t *table) sum(rows []*row, n int) *basis {
	sum := t.plainSum(rows)
	if t.grouping.Comparison() != nil {
		t.compareSum(sum, rows, n)
	}
	return sum
}

// plainSum adds up rows. Rows that this side does not have do not count, unless there are no others.
func (t *table) plainSum(rows []*row) *basis {
	parts := t.grouping.Main().Parts()
	sum := &basis{parts: noRows(parts)}
	if len(rows) > 0 && !slices.ContainsFunc(rows, func(r *row) bool { return !r.isAbsent() }) {
		sum.parts = rows[0].parts
	}
	for _, r := range rows {
		if !r.isAbsent() {
			sum.parts = added(parts, sum.parts, r.parts)
		}
	}
	if t.grouping.Comparison() != nil {
		sum.earlier, sum.state = t.comparisonOf(rows)
	}
	return sum
}
