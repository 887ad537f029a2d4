package cube

import (
	"slices"
	"strings"
)

// markUneven marks the roles of aggregates whose measures have no amounts in some of the years that are compared. Where
// those are other years than their counterparts, a sum over several would compare one number of years with another;
// and a cell that only one side has may be one that the other side had no amounts for.
func (b *binder) markUneven(years []int64, offset int64) {
	years = slices.DeleteFunc(slices.Clone(years), func(y int64) bool {
		return !slices.Contains(b.cube.Coverage.Years, y+offset)
	})
	there := make([]int64, len(years))
	for i, year := range years {
		there[i] = year + offset
	}
	for i, a := range b.plan.aggregates {
		if a.Role == "" {
			continue
		}
		for _, name := range a.Measures() {
			here, before := b.cube.Coverage.gap(name, years), b.cube.Coverage.gap(name, there)
			a.patchy = a.patchy || len(here)+len(before) > 0
			for j := range before {
				before[j] -= offset
			}
			a.uneven = a.uneven || !slices.Equal(here, before)
		}
		a.sharing = len(years) > 1 && a.uses(Share, ShareOfParent)
		b.plan.aggregates[i] = a
	}
}

// warnUneven names the measures that one side has in years which the other has not.
func (p *Plan) warnUneven() []Warning {
	var names []string
	for _, a := range p.aggregates {
		for _, name := range a.Measures() {
			if a.uneven && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return warning(WarnNotCompared, p.comparedWords().uneven, p.finish.compare.ref, strings.Join(names, ", "))
}
