package answer

import (
	"slices"

	"github.com/shopspring/decimal"
)

// total adds up all rows, unless filter has done so to test shares, and gives every row the sums that its shares divide by.
func (t *table) total() {
	if !t.plan.FiltersShares() {
		t.sumAll()
	}
	t.setDivisors(t.rows...)
}

// sumAll completes the basis over all rows, whose parts come from the store, and clears the sums of parents.
func (t *table) sumAll() {
	t.all.total, t.all.parent = t.all, t.all
	if t.plan.Comparison() != nil {
		sum := t.sum(t.rows, 0)
		t.all.earlier, t.all.state = sum.earlier, sum.state
		t.all.earlier.total, t.all.earlier.parent = t.all.earlier, t.all.earlier
		t.all.withheld = t.breaks.Withholds(nil)
	}
	t.parents = map[int]map[string]*basis{}
}

// setDivisors sets the years of rows, and the sums that their shares divide by.
func (t *table) setDivisors(rows ...*row) {
	for _, r := range rows {
		t.setYears(r)
		r.divideBy(t.all, t.parentOf(r))
	}
}

// setYears sets the fiscal year of a row, or that it adds up several, and whether its comparison is withheld.
func (t *table) setYears(r *row) {
	r.withheld = t.plan.Comparison() != nil && t.breaks.Withholds(r.Keys)
	r.addsYears = t.plan.AddsYears(len(r.Keys))
	if at := t.plan.YearKey(); at >= 0 && at < len(r.Keys) {
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
	if t.parents[n] == nil {
		t.parents[n] = map[string]*basis{}
		for _, group := range groups(t.divisor, n) {
			sum := t.sum(group, n)
			sum.addsYears = t.plan.AddsYears(n)
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
//     over the whole axis, this includes positions that have neither rows nor a counterpart.
//  4. A sum is new, or gone, if all of its rows are. It has no difference if one of its rows has none.
func (t *table) sum(rows []*row, n int) *basis {
	sum := t.plainSum(rows)
	if c := t.plan.Comparison(); c != nil && n <= c.Key && len(c.Unmatched) > 0 {
		sum.earlier = &basis{}
		if sum.state != isGone {
			sum.state = compared
		}
	}
	return sum
}

func (t *table) plainSum(rows []*row) *basis {
	parts := t.plan.Main().Parts()
	sum := &basis{parts: noRows(parts)}
	if len(rows) > 0 && !slices.ContainsFunc(rows, func(r *row) bool { return !r.isFilled() }) {
		sum.parts = rows[0].parts
	}
	for _, r := range rows {
		if !r.isFilled() {
			sum.parts = added(parts, sum.parts, r.parts)
		}
	}
	if t.plan.Comparison() == nil {
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
			sum = added(t.plan.Main().Parts(), sum, r.earlier.parts)
		}
	}
	return sum
}
