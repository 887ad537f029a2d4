package plan

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/query"
)

// Counting is the statement that counts the rows that pass the filters, and the different combinations of some columns in
// them: Result.Count has the combinations, and the one part the rows. Its page has no groups.
func Counting(c *cube.Cube, keys []cube.Column, filters []Filter) *Statement {
	return &Statement{cube: c, keys: keys, filters: filters, parts: []Part{{Func: cube.Rows}}, page: query.Page{Number: 1, Size: 0}}
}

// Resources is the statement whose groups are the resources, by their indexes, that have a row which s counts. A guard leaves
// no row out, since some part counts what it does not admit.
func (s *Statement) Resources() *Statement {
	resources := Counting(s.cube, []cube.Column{{Name: ResourceField, Type: cube.TypeInteger}}, s.filters)
	resources.page = query.Every
	return resources
}

// MembersIn is the statement that counts the members, of the levels that a filter names, that pass this filter alone, and
// their rows.
func (s *selection) MembersIn(f Filter) *Statement {
	var levels []cube.Level
	for _, tests := range f.Any {
		for _, t := range tests {
			if level, ok := s.cube.Model.LevelOfKey(t.Column.Name); ok {
				levels = append(levels, level)
			}
		}
	}
	return Counting(s.cube, names{s.cube.Model}.columns(pathsOf(levels)), []Filter{f})
}

// LabelsOf is the statement whose groups are the members of a level that a filter names, with the labels that they have
// under the other filters. Its page has at most most of them.
func (s *selection) LabelsOf(level cube.Level, f Filter, most int) *Statement {
	named := f
	named.Not = false
	filters := slices.DeleteFunc(s.AllFilters(), func(o Filter) bool { return o.text == f.text })
	return labelsIn(s.cube, level, append(filters, named), query.Page{Number: 1, Size: most})
}

// labelsIn is the statement whose groups are the members of a level that pass the filters, with the labels that they have then.
func labelsIn(c *cube.Cube, level cube.Level, filters []Filter, page query.Page) *Statement {
	b := binder{Plan: &Plan{Grouping: Grouping{selection: selection{cube: c}}}, model: names{c.Model}, drilled: []cube.Level{level}}
	b.group()
	_ = b.bindOrder(query.Query{}) // by the keys alone; this cannot fail
	labels := Counting(c, b.keys, filters)
	labels.levels, labels.order, labels.page = b.levels, b.order, page
	return labels
}

// Reads estimates, without asking a store, how many rows the statements of the plan read: of the cuboid that answers each, or of
// the facts, those of the fiscal years that the cuts admit, as if all years had equally many.
func (p *Plan) Reads() int64 {
	rows := p.main.reads()
	for _, subtotals := range p.subtotals {
		if subtotals != nil {
			rows += subtotals.reads()
		}
	}
	if p.comparison != nil {
		rows += p.main.reads()
	}
	if p.summary != nil {
		rows += p.summary.main.reads()
	}
	return p.ofYears(rows)
}

// reads gives how many rows the cuboid has that answers the statement, or how many facts there are.
func (s *Statement) reads() int64 {
	if chosen := s.Choose().Cuboid; chosen != nil {
		return chosen.Rows
	}
	return s.cube.Rows
}

// Reads estimates how many rows are read for a fact plan. The first facts in the order of the files are read alone.
func (p *FactPlan) Reads() int64 {
	if p.counting == nil {
		return p.cube.Rows
	}
	rows := p.counting.ofYears(p.cube.Rows)
	if p.size != query.EveryFact && p.IsInFileOrder() && len(p.filters) == 0 {
		return min(rows, int64(p.size))
	}
	return rows
}

// ofYears gives how many of some rows are of the fiscal years that the cuts admit.
func (s *selection) ofYears(rows int64) int64 {
	if s.cube.Coverage == nil || len(s.cube.Coverage.Years) == 0 {
		return rows
	}
	all, admitted := int64(len(s.cube.Coverage.Years)), int64(len(s.Years()))
	return rows * admitted / all
}
