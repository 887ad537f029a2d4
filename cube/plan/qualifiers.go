package plan

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/query"
)

// AddsOver lists the levels that look like qualifiers of amounts, that nobody has declared, and over which sums or averages of the plan add
// up amounts of members that mean different things, with these: it has no cell for each of them, and no cut leaves one.
func (p *Plan) AddsOver() (list []cube.Undeclared) {
	if !p.adds() {
		return nil
	}
	for _, u := range p.cube.Undeclared {
		column, ok := p.cube.Model.Column(u.Level)
		if !ok || slices.ContainsFunc(p.Keys(), func(key cube.Column) bool { return key.Name == u.Level }) {
			continue
		}
		admitted := slices.DeleteFunc(slices.Clone(u.Members), func(member string) bool {
			value, err := column.Value(member)
			return err != nil || !p.Admits(column, value)
		})
		if len(admitted) > 1 {
			list = append(list, cube.Undeclared{Level: u.Level, Qualifier: u.Qualifier, Members: admitted})
		}
	}
	return list
}

// CutsOf gives the cuts that leave the rows whose qualifiers are those of a measure; none for one whose amounts are those of all rows.
func CutsOf(m *cube.Model, measure string) (cuts []query.Cut) {
	column, ok := m.Column(measure)
	if !ok || column.From == nil || column.From.Rule != cube.RuleWhere {
		return nil
	}
	for i, field := range column.From.Fields[1:] {
		cut := query.Cut{Ref: query.Ref{Name: field}}
		for _, cell := range column.From.CellsOf(i) {
			cut.Items = append(cut.Items, query.Item{Op: query.OpEqual, Path: []query.Key{{Text: cell}}})
		}
		cuts = append(cuts, cut)
	}
	return cuts
}
