package cube

import "slices"

// Fill beside a comparison. A cell that is gone stands where fill would put one of its own, so it takes its numbers; and
// what fill adds, which changes no sum, may stand beside years that no other cell is compared with.

// fillGone gives cells that are gone the numbers of those that fill gaps.
func (a *assembly) fillGone() {
	for _, e := range a.entries {
		_, whole := e.Keys[a.finish.axis].Int()
		if e.Change == ChangeGone && whole && a.finish.fill == FillZero {
			e.own, e.fillsGap = zeros(a.plan.parts), true
		}
	}
}

// summed leaves cells that fill added out of those that a sum compares, unless there are no others.
func summed(entries []*entry) []*entry {
	added := func(e *entry) bool { return e.fillsGap && e.Change == "" }
	if !slices.ContainsFunc(entries, added) {
		return entries
	}
	if list := slices.DeleteFunc(slices.Clone(entries), added); len(list) > 0 {
		return list
	}
	return entries
}

// besideGaps gives the years that those stand beside which fill puts between the years asked: no rows are of them.
func (b *binder) besideGaps(c *comparison, f *finish, axis Column) []Value {
	if f.fill == FillNone || f.axis != c.key {
		return nil
	}
	var there []Value
	asked := b.plan.years()
	for _, year := range b.cube.Coverage.Years {
		gap, _ := Integer(year).shifted(-c.offset)
		if at, ok := gap.Int(); ok && b.isGap(at, asked) && b.plan.admits(axis, gap) {
			there = append(there, Integer(year))
		}
	}
	return there
}

// isGap tells whether a year without rows is between the years asked.
func (b *binder) isGap(year int64, asked []int64) bool {
	return len(asked) > 0 && asked[0] < year && year < asked[len(asked)-1] && !slices.Contains(b.cube.Coverage.Years, year)
}

// withGaps adds the periods of the years that fill's own stand beside, each with the last statement of those admitted.
func (c *comparison) withGaps(periods, admitted []period, axis int) []period {
	for _, p := range admitted {
		if len(c.gaps) > 0 && slices.Contains(c.gaps, p.key[axis]) {
			periods = append(periods, period{key: p.key, snapshots: []snapshot{p.last()}})
		}
	}
	slices.SortFunc(periods, func(a, b period) int { return slices.CompareFunc(a.key, b.key, Value.Compare) })
	return periods
}
