package cube

import (
	"fmt"
	"slices"
	"strconv"
)

// coveredYears says which years the numbers cover. It is empty where the cuts say that themselves.
func (c citing) coveredYears() string {
	if c.cutsTellYears() {
		return ""
	}
	column, _ := c.plan.cube.Model.FiscalYear()
	return c.field(column.Name) + " " + c.yearsText(c.commonYears())
}

// cutsTellYears tells whether the cuts say by themselves which years they admit, or there are none to tell.
func (c citing) cutsTellYears() bool {
	column, _ := c.plan.cube.Model.FiscalYear()
	naming := slices.DeleteFunc(c.plan.AllFilters(), func(f Filter) bool { return !f.names(column.Name) })
	alone := func(f Filter) bool { return !f.Default && f.settledBy([]Column{column}) }
	return len(c.plan.statedYears()) == 0 || len(naming) > 0 && !slices.ContainsFunc(naming, leavesOpen) ||
		slices.ContainsFunc(naming, func(f Filter) bool { return !alone(f) })
}

// commonYears gives the years that the sentence names for all numbers: those that cuts tell, else those of the numbers.
func (c citing) commonYears() []int64 {
	years := c.plan.statedYears()
	if c.cutsTellYears() {
		return years
	}
	return c.counted(years)
}

// ownYears says of which years an amount is, where those are not the ones that are named for all: " (2018)". Counts are
// of all years, also of those in which there is nothing to count.
func (c citing) ownYears(a Aggregate) string {
	own := slices.DeleteFunc(c.plan.statedYears(), func(year int64) bool { return !c.has(a, year) })
	if len(own) == 0 || a.counts() || slices.Equal(own, c.commonYears()) {
		return ""
	}
	return " (" + c.yearsText(own) + ")"
}

// yearsText lists years, and what has none where that is admitted.
func (c citing) yearsText(years []int64) string {
	column, _ := c.plan.cube.Model.FiscalYear()
	spans := yearSpans(years, c.words.to)
	if column.Missing > 0 && c.plan.admits(column, Missing) {
		spans = append(spans, c.words.missing)
	}
	return c.words.and.last(spans)
}

// leavesOpen tells whether a cut does not say by itself what it admits: all but some, or a range, which may be without
// an end or reach beyond what there is.
func leavesOpen(f Filter) bool {
	return f.Not || slices.ContainsFunc(f.Echo, func(item EchoItem) bool { return item.Op == OpRange })
}

// counted leaves out the years in which no measure that is asked has an amount.
func (c citing) counted(years []int64) []int64 {
	some := slices.DeleteFunc(slices.Clone(years), func(year int64) bool {
		return !slices.ContainsFunc(c.asked.aggregates, func(a Aggregate) bool { return c.has(a, year) })
	})
	if len(some) == 0 {
		return years
	}
	return some
}

// has tells whether there are amounts, or rows, of an aggregate in a year.
func (c citing) has(a Aggregate, year int64) bool {
	return slices.ContainsFunc(a.leaves(), func(leaf Aggregate) bool {
		return leaf.Func == Rows || len(c.plan.cube.Coverage.gap(leaf.Measure, []int64{year})) == 0
	})
}

// yearSpans writes years, those in a row as a range.
func yearSpans(years []int64, format string) []string {
	return texts(runs(years, isNext), func(run []int64) string {
		first, last := strconv.FormatInt(run[0], 10), strconv.FormatInt(run[len(run)-1], 10)
		if first == last {
			return first
		}
		return fmt.Sprintf(format, first, last)
	})
}
