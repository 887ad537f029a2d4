package sqlgen

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// What a member is called changes over the years. The label to show is the one that the member has in the
// latest of the fiscal years that the cut admits, if it has one in any of them:
//
//  1. A question that restricts no fiscal year takes the label from the member table, where it was chosen at
//     the load.
//  2. A question about one year takes the row of that year from the label table: there is one for each member.
//  3. Any other takes, of the rows of the years it admits, for each member the latest that has a label.

// members writes the table that has the labels and ranks of a level's members for the years that the filters admit.
func (r *renderer) members(c *cube.Cube, filters []plan.Filter, l cube.Level) {
	years := labelYears(c, filters)
	if len(years) == 0 || !l.HasLabels() {
		r.write(MemberTable(c.ID, l))
		return
	}
	path, one := list(len(l.Path), ", ", func(i int) string { return numbered("f.p", i) }), slices.ContainsFunc(years, ofOneYear)
	r.write("(SELECT ")
	if !one {
		r.write("DISTINCT ON (", path, ") ")
	}
	r.write(path, ", f.label, f._rank FROM ", LabelTable(c.ID, l), " AS f")
	r.where(years)
	r.write(" AND f._shown")
	if !one {
		r.write(" ORDER BY ", path, ", f.label = '', f._year DESC NULLS LAST")
	}
	r.write(")")
}

// labelYears gives the filters that restrict the fiscal year, as conditions on the column _year.
func labelYears(c *cube.Cube, all []plan.Filter) []plan.Filter {
	year, ok := c.Model.FiscalYear()
	if !ok {
		return nil
	}
	var filters []plan.Filter
	for _, f := range all {
		if on, ok := onYear(f, year.Name); ok && !f.Default {
			filters = append(filters, on)
		}
	}
	return filters
}

// onYear is what a filter says of the fiscal year alone, false where it admits every year. An alternative that
// asks more of a fact may admit its year; the complement of such a one shuts no year out. A year that is a member only
// below another level is more than a year.
func onYear(f plan.Filter, year string) (plan.Filter, bool) {
	on := plan.Filter{Not: f.Not}
	for _, tests := range f.Any {
		var ofYear []plan.Test
		for _, t := range tests {
			if t.Column.Name == year && (t.Members == nil || len(t.Members.Path) == 1) {
				t.Column.Name = "_year"
				ofYear = append(ofYear, t)
			}
		}
		switch {
		case len(ofYear) > 0 && (len(ofYear) == len(tests) || !f.Not):
			on.Any = append(on.Any, ofYear)
		case !f.Not:
			return on, false
		}
	}
	return on, len(on.Any) > 0
}

// ofOneYear tells whether a filter on the year admits a single one.
func ofOneYear(f plan.Filter) bool {
	return !f.Not && len(f.Any) == 1 && len(f.Any[0]) == 1 && len(f.Any[0][0].In) == 1
}
