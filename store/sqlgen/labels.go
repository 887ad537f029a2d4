package sqlgen

import (
	"slices"
	"strconv"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// The label of a member can change over the years. An answer has the label of the latest fiscal year that the cuts admit and
// in which the member has a label:
//
//  1. If no cut is on the fiscal year, the label is in the member table, as the load chose it.
//  2. If a cut is on one year, the label is in the row of that year in the label table, which has one for each member.
//  3. Otherwise the label is, for each member, in the latest row with a label among those of the admitted years.

// members writes the table that has the labels and ranks of a level's members for the years that the filters admit.
func (r *renderer) members(c *cube.Cube, filters []plan.Filter, l cube.Level) {
	years := inLabelTable(plan.LabelYears(c, filters))
	if len(years) == 0 || !l.HasLabels() {
		r.write(MemberTable(c.ID, l))
		return
	}
	path, oneYear := list(len(l.Path), ", ", func(i int) string { return numbered("f.p", i) }), slices.ContainsFunc(years, ofOneYear)
	r.write("(SELECT ")
	if !oneYear {
		r.write("DISTINCT ON (", path, ") ")
	}
	r.write(path, ", f.label, f._rank FROM ", LabelTable(c.ID, l), " AS f")
	r.where(years)
	r.write(" AND f._shown")
	if !oneYear {
		r.write(" ORDER BY ", path, ", f.label = '', f._year DESC NULLS LAST")
	}
	r.write(")")
}

// cellLabels writes the table that has the labels of the cells of a flat statement by their keys, as p0 …: of the latest
// fiscal year in which rows of the cell have a label, that of most rows, and of equals the first by bytes. It also ranks them.
func (r *renderer) cellLabels(s *plan.Statement, l cube.Level) {
	keys := s.Keys()
	path := list(len(keys), ", ", func(i int) string { return numbered("p", i) })
	fields := list(len(keys), ", ", func(i int) string { return "f." + column(keys[i].Name) + numbered(" AS p", i) })
	year, label := "CAST(NULL AS bigint)", "f."+column(l.LabelRef)
	if c, _ := s.Cube().Model.Column(l.LabelRef); c.Type != cube.TypeText {
		label = "CAST(" + label + " AS text)"
	}
	if fiscal, ok := s.Cube().Model.FiscalYear(); ok {
		year = "f." + column(fiscal.Name)
	}
	r.write("(SELECT DISTINCT ON (", path, ") ", path, ", label, label AS _rank FROM (SELECT ", fields, ", ", year, " AS _year, ", label,
		" AS label, count(*) AS rows FROM ", FactTable(s.Cube().ID), " AS f")
	r.where(s.Filters())
	r.write(" GROUP BY ", list(len(keys)+2, ", ", func(i int) string { return strconv.Itoa(i + 1) }), ") AS n WHERE label <> '' ORDER BY ",
		path, ", _year DESC NULLS LAST, rows DESC, label)")
}

// inLabelTable gives filters on the fiscal year as conditions on the label table.
func inLabelTable(years []plan.Filter) []plan.Filter {
	filters := slices.Clone(years)
	for i, f := range filters {
		filters[i].Any = make([][]plan.Test, len(f.Any))
		for j, tests := range f.Any {
			tests = slices.Clone(tests)
			for k := range tests {
				tests[k].Column.Name = "_year"
			}
			filters[i].Any[j] = tests
		}
	}
	return filters
}

// ofOneYear tells whether a filter on the year admits a single one.
func ofOneYear(f plan.Filter) bool {
	return !f.Not && len(f.Any) == 1 && len(f.Any[0]) == 1 && len(f.Any[0][0].In) == 1
}
