package cube

import (
	"slices"
	"strings"
)

// Of a level that is empty in one of two years nothing can be told there: a cut on it leaves that year no row, and
// drilled all its rows are of the missing member. Nothing is new or gone by that, so such a year has no counterpart.

// lackOfYear says why a year has no counterpart in another, if so.
func (b *binder) lackOfYear(year, there int64) (lack, bool) {
	if !slices.Contains(b.cube.Coverage.Years, there) {
		return lack{lackYear, []any{year, there}}, true
	}
	for _, years := range [][2]int64{{there, year}, {year, there}} {
		if levels := b.emptyOnlyIn(years[0], years[1]); len(levels) > 0 {
			return lack{lackLevel, []any{year, strings.Join(levels, ", "), years[0]}}, true
		}
	}
	return lack{}, false
}

// emptyOnlyIn names the levels drilled or cut that are empty in a year and not in another.
func (b *binder) emptyOnlyIn(year, other int64) []string {
	empty := func(field string, year int64) bool { return len(b.cube.Coverage.gap(field, []int64{year})) > 0 }
	return slices.DeleteFunc(b.plan.fieldsAsked(), func(field string) bool { return !empty(field, year) || empty(field, other) })
}

// lacksLevels tells whether a level is empty in one of two years.
func (b *binder) lacksLevels(here, there Value) bool {
	year, _ := here.Int()
	other, _ := there.Int()
	return len(b.emptyOnlyIn(year, other))+len(b.emptyOnlyIn(other, year)) > 0
}

// withLevels leaves out what is stated of years that have no counterpart for their levels.
func (b *binder) withLevels(pairs []statementPair, year int) []statementPair {
	return slices.DeleteFunc(pairs, func(p statementPair) bool { return b.lacksLevels(p.here[year], p.there[year]) })
}

// levelLacks gives what lacks a counterpart for its levels.
func (c *comparison) levelLacks() []lack {
	return slices.DeleteFunc(slices.Clone(c.absent), func(l lack) bool { return l.kind != lackLevel })
}
