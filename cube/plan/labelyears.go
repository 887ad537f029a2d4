package plan

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/internal/each"
)

// The labels of a member can change over the years. An answer shows the labels of the years that the cuts admit, and a cut on
// labels goes by the labels of these years too:
//
//  1. A cut on a label, or on a part of one, admits the members that have such a label in a year that the other cuts admit.
//  2. If a member only has another name in other years, it is admitted in all years.
//  3. If its code means another thing in other years (cube.LabelBreak.Reused), it is admitted in the years in which it means
//     what has such a label. So Health without a year counts, in each year, what is Health in that year.
//  4. The keys of a level that belongs to the fiscal year determine the year, so its labels need no other cut.
//
// A version that was loaded before fiscube looked for a cube.LabelHistory goes by the labels of all years.

// LabelYears gives the parts of the filters that restrict the fiscal year. Their tests are on the fiscal year alone. An
// alternative with further tests may still admit its year, but with Not it excludes no year. A test of members whose path is
// longer than the year is no test of a year.
func LabelYears(c *cube.Cube, all []Filter) []Filter {
	year, ok := c.Model.FiscalYear()
	if !ok {
		return nil
	}
	var filters []Filter
	for _, f := range all {
		on, restricts := Filter{Ref: year.Name, Not: f.Not}, !f.Default
		for _, tests := range f.Any {
			ofYear := slices.DeleteFunc(slices.Clone(tests), func(t Test) bool {
				return t.Column.Name != year.Name || t.Members != nil && len(t.Members.Path) > 1
			})
			if len(ofYear) > 0 && (len(ofYear) == len(tests) || !f.Not) {
				on.Any = append(on.Any, ofYear)
			} else if !f.Not {
				restricts = false // it admits every year
				break
			}
		}
		if restricts && len(on.Any) > 0 {
			on.text = on.canonical()
			filters = append(filters, on)
		}
	}
	return filters
}

// byLabelYears gives the filters with their tests of labels bound to the years that the other filters admit.
func byLabelYears(c *cube.Cube, filters []Filter) []Filter {
	return withLabelYears(c, filters, func(i int) []Filter {
		return LabelYears(c, slices.Delete(slices.Clone(filters), i, i+1))
	})
}

// withLabelYears gives the filters with their tests of labels bound to the years for the i-th filter.
func withLabelYears(c *cube.Cube, filters []Filter, years func(i int) []Filter) []Filter {
	year, ok := c.Model.FiscalYear()
	if !ok || c.LabelHistory == nil {
		return filters
	}
	filters = slices.Clone(filters)
	for i, f := range filters {
		filters[i].Any = slices.Clone(f.Any)
		for j, tests := range f.Any {
			m := tests[0].Members // a test of members is the only one of its alternative
			if m == nil || !m.Level.HasLabels() || slices.Contains(m.Level.Path, year.Name) {
				continue
			}
			members := *m
			members.Year, members.Years, members.Reused = year, years(i), c.LabelHistory.Reuses(m.Level.Ref)
			filters[i].Any[j] = []Test{{Column: tests[0].Column, Members: &members}}
		}
	}
	return filters
}

// yearsText prints filters on the fiscal year.
func yearsText(years []Filter) string { return strings.Join(each.Text(years, Filter.String), "|") }
