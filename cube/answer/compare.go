package answer

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// compare sets the state of every row, and notes what a reader of the comparison should know. The first rule that holds
// decides:
//
//  1. A row that only the earlier side has (pair) is gone.
//  2. A row in a gap (fill) has no difference if its amounts are null, or if the package has no rows at all at that point: then
//     the amounts have not become less. Else it is compared with the earlier row of the same members, if there is one.
//  3. Without a drilldown each side has one row, even if it adds up no facts. One with no facts at all is compared.
//  4. A row at a point without a counterpart is not comparable.
//  5. Nor is a row with a member that is not known to be the same as any of the other side.
//  6. A row that only one side has is new or gone.
func (t *table) compare() {
	for _, r := range t.rows {
		r.state = t.stateOf(r)
		if r.state == isNew || r.state.isIncomparable() {
			r.earlier = &basis{}
		}
	}
	t.seeWithoutCounterpart()
	t.seeSame()
}

// stateOf finds the state of a row from its kind, its earlier row, and its point.
func (t *table) stateOf(r *row) state {
	switch r.kind {
	case gone:
		return isGone
	case inGap:
		return t.stateInGap(r)
	}
	_, same := t.grouping.Comparison().There(r.Keys, len(r.Keys))
	matched := t.isMatched(r.Keys)
	here, there := t.hasFacts(r.parts), r.earlier.parts != nil && t.hasFacts(r.earlier.parts)
	switch {
	case !here && !there:
		return compared
	case !matched && !here:
		return noDifference
	case !matched:
		return notComparable
	case !same:
		return noSameMember
	case !there:
		return isNew
	case !here:
		return isGone
	}
	return compared
}

func (t *table) stateInGap(r *row) state {
	c := t.grouping.Comparison()
	if t.plan.Fill().With == query.FillNull || c.WithCounterpart != nil && !c.WithCounterpart[c.Point(r.Keys)] {
		return noDifference
	}
	return compared
}

// seeWithoutCounterpart notes the points without a counterpart, including those that only the rows show.
func (t *table) seeWithoutCounterpart() {
	c := t.grouping.Comparison()
	t.evidence.WithoutCounterpart = t.withoutCounterpart()
	if c.WithCounterpart != nil || len(t.evidence.WithoutCounterpart) > 0 {
		return
	}
	var points []cube.Value
	for _, r := range t.rows {
		switch {
		case r.kind == inGap || r.state != notComparable && r.state != noDifference:
		case c.Key >= 0:
			points = append(points, r.Keys[c.Key])
		default:
			points = append(points, c.Cut...)
		}
	}
	slices.SortFunc(points, func(x, y cube.Value) int { return compareValues(false, x, y) })
	for _, point := range slices.Compact(points) {
		t.evidence.WithoutCounterpart = append(t.evidence.WithoutCounterpart, t.whyNoCounterpart(point))
	}
}

// whyNoCounterpart says why a point on the axis has no counterpart: there are no rows to compare with, or it has none itself.
func (t *table) whyNoCounterpart(point cube.Value) plan.WithoutCounterpart {
	c := t.grouping.Comparison()
	there, ok := point.Shifted(c.Offset)
	switch {
	case c.RowsPart >= 0 && !t.hasFacts(t.rows[0].parts):
		return plan.WithoutCounterpart{Kind: plan.NoCellsHere, Args: []any{point}}
	case point.IsMissing():
		return plan.WithoutCounterpart{Kind: plan.NoPoint, Args: []any{plan.Fields{c.Axis.Name}}}
	case !ok:
		return plan.WithoutCounterpart{Kind: plan.NoNumber, Args: []any{point}}
	}
	return plan.WithoutCounterpart{Kind: plan.NoCellsThere, Args: []any{point, there}}
}

// seeSame notes the members of rows that are compared with members of other editions, and the years in which some members are
// compared with none.
func (t *table) seeSame() {
	c := t.grouping.Comparison()
	for _, same := range c.CutSame {
		t.evidence.AddSame(same, cube.Missing, cube.Missing)
	}
	alone := map[cube.Value]bool{}
	for _, r := range t.rows {
		if r.kind == inGap {
			continue
		}
		if r.earlier != nil && r.earlier.parts != nil {
			for _, same := range c.SameIn(r.Keys) {
				other := cube.Missing
				if keys, ok := c.There(r.Keys, len(r.Keys)); ok && t.beforeBy[plan.KeysID(keys)] != nil {
					other = t.beforeBy[plan.KeysID(keys)].Labels[same.Index]
				}
				t.evidence.AddSame(same, r.Labels[same.Index], other)
			}
		}
		if year := c.YearOf(r.Keys); r.state == noSameMember && !alone[year] {
			alone[year] = true
			there, _ := year.Shifted(c.Offset)
			t.evidence.WithoutCounterpart = append(t.evidence.WithoutCounterpart, plan.WithoutCounterpart{Kind: plan.NoSameMember, Args: []any{year, there}})
		}
	}
}

// comparisonOf gives what the sum of rows is compared with, and its state. Rows in gaps do not count, unless there are no others.
func (t *table) comparisonOf(rows []*row) (*basis, state) {
	if others := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return r.kind == inGap }); len(others) > 0 {
		rows = others
	}
	earlier := &basis{parts: t.sumOfEarlier(rows)}
	has := func(s state) bool { return slices.ContainsFunc(rows, func(r *row) bool { return r.state == s }) }
	all := func(s state) bool {
		return len(rows) > 0 && !slices.ContainsFunc(rows, func(r *row) bool { return r.state != s })
	}
	switch {
	case all(isNew):
		return earlier, isNew
	case all(isGone):
		return earlier, isGone
	case has(noDifference):
		return earlier, noDifference
	}
	return earlier, compared
}

// sumOfEarlier adds up the earlier rows of rows. It is nil if one of the rows is not comparable.
func (t *table) sumOfEarlier(rows []*row) []decimal.NullDecimal {
	var sum []decimal.NullDecimal
	for _, r := range rows {
		switch {
		case r.state.isIncomparable():
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

// compareSum completes the comparison of the sum of all rows that share their first n keys:
//
//  1. A sum is compared with the sum of the earlier rows of its rows (comparisonOf). It is new, or gone, if all of its rows are.
//     It has no difference if one of its rows has none.
//  2. A sum is compared only if all of its rows are, since else eight years would be compared with seven. If the sum is
//     over the whole axis, this includes points that have neither rows nor a counterpart.
//  3. A sum over all members of a level with editions (plan.Comparison) is compared with all of the other side, whatever their
//     codes: also with rows of members that are not known to be the same as any.
func (t *table) compareSum(sum *basis, rows []*row, n int) {
	if c := t.grouping.Comparison(); n <= c.Key && len(c.WithoutCounterpart)+len(t.withheld) > 0 {
		sum.setIncomparable()
	} else if c.Crosses() {
		t.compareAcross(sum, rows, n)
	}
}

// setIncomparable leaves a sum nothing to compare with. A sum of rows that are gone stays gone.
func (b *basis) setIncomparable() {
	b.earlier = &basis{}
	if b.state != isGone {
		b.state = notComparable
	}
}

// compareAcross sets what the sum of rows with the same n keys is compared with, where members have other codes there. With having it
// is the sum of what the rows are compared with, and not comparable if there may be more.
func (t *table) compareAcross(sum *basis, rows []*row, n int) {
	c := t.grouping.Comparison()
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return r.kind == inGap })
	if len(rows) == 0 {
		return
	}
	before := t.beforeWithin(n)[rows[0].id(n)]
	filtered := len(t.grouping.Main().Having())+len(t.grouping.PostHaving()) > 0
	isNotComparable := func(r *row) bool { return r.state == notComparable }
	moves := func(r *row) bool { _, ok := c.There(r.Keys, n); return ok }
	switch {
	case slices.ContainsFunc(rows, isNotComparable) || filtered && !slices.ContainsFunc(before, func(r *row) bool { return r.state == noSameMember }):
	case filtered, c.LeavesOut(n), slices.ContainsFunc(rows, func(r *row) bool { return !moves(r) }):
		sum.setIncomparable()
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
	for _, r := range t.before {
		if at, ok := r.keysAt(c.Key, -c.Offset); !ok || !t.matched[c.Point(at)] {
			continue
		}
		if keys, ok := c.Here(r.Keys, n); ok {
			within[plan.KeysID(keys)] = append(within[plan.KeysID(keys)], r)
		}
	}
	if t.within == nil {
		t.within = map[int]map[string][]*row{}
	}
	t.within[n] = within
	return within
}
