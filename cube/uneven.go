package cube

import (
	"slices"
	"strings"
)

// markUneven marks the roles of aggregates whose measures have no amounts in some of the years that have a counterpart.
// Where those are other years than their counterparts, a sum over several would compare one number of years with
// another; and a cell that only one side has may be one that the other side had no amounts for.
func (b *binder) markUneven(c *comparison, years []int64) {
	patchy := map[string][]int64{}
	for _, name := range measuresOf(b.plan.aggregates) {
		here, before := b.cube.Coverage.gap(name, years), b.cube.Coverage.gap(name, moved(years, c.offset))
		patchy[name] = append(here, moved(before, -c.offset)...)
		if !slices.Equal(moved(here, c.offset), before) {
			c.uneven = append(c.uneven, name)
		}
	}
	for i, a := range b.plan.aggregates {
		if a.Role != "" {
			for _, name := range a.Measures() {
				a.patchy = append(a.patchy, patchy[name]...)
			}
			a.uneven = slices.ContainsFunc(a.Measures(), func(name string) bool { return slices.Contains(c.uneven, name) })
			b.plan.aggregates[i] = a.mixedBeside(b.plan.mixesIn(a, moved(years, c.offset)))
		}
	}
}

// patchyIn tells whether a cell that only one side has may be one that the other side had no amounts for: in its year,
// where it is of one, else in any.
func (a Aggregate) patchyIn(b basis) bool {
	if year, ok := b.year.Int(); ok && !a.addsYears(b) {
		return slices.Contains(a.patchy, year)
	}
	return len(a.patchy) > 0
}

// mixedBeside is the role of a formula, told whether the years that are compared with mix it. The value then goes by them
// alone: where those asked mix the formula, it stands beside no value of another number of years.
func (a Aggregate) mixedBeside(before bool) Aggregate {
	if a.Role == RoleEarlier {
		a.uneven, a.mixed = a.uneven && !a.mixed, false
	}
	a.mixed = a.mixed || before
	return a
}

// moved gives years so many later.
func moved(years []int64, offset int64) []int64 {
	list := make([]int64, len(years))
	for i, year := range years {
		list[i] = year + offset
	}
	return list
}

// warnUneven names the measures that one side has in years which the other has not.
func (p *Plan) warnUneven() []Warning {
	c, words := p.finish.compare, in(comparedTexts, p.language)
	if len(c.uneven) == 0 {
		return nil
	}
	text := words.uneven
	if p.spans(0) {
		text += words.sums
	}
	return warning(WarnNotCompared, text, c.ref, strings.Join(c.uneven, ", "))
}
