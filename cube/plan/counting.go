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
func (p *Plan) MembersIn(f Filter) *Statement {
	var levels []cube.Level
	for _, tests := range f.Any {
		for _, t := range tests {
			if level, ok := p.cube.Model.LevelOfKey(t.Column.Name); ok {
				levels = append(levels, level)
			}
		}
	}
	return Counting(p.cube, names{p.cube.Model}.columns(pathsOf(levels)), []Filter{f})
}

// LabelsOf is the statement whose groups are the members of a level that a filter names, with the labels that they have
// under the other filters. Its page has at most most of them.
func (p *Plan) LabelsOf(level cube.Level, f Filter, most int) *Statement {
	named := f
	named.Not = false
	filters := slices.DeleteFunc(p.AllFilters(), func(o Filter) bool { return o.text == f.text })
	b := binder{Plan: &Plan{selection: selection{cube: p.cube}}, model: names{p.cube.Model}, drilled: []cube.Level{level}}
	b.group()
	_ = b.bindOrder(query.Query{}) // by the keys alone; this cannot fail
	labels := Counting(p.cube, b.keys, append(filters, named))
	labels.levels, labels.order, labels.page = b.levels, b.order, query.Page{Number: 1, Size: most}
	return labels
}
