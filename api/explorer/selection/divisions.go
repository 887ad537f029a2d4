package selection

import (
	"slices"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/query"
)

// The bounds of the levels by which a page tries to divide a sum, and of the members that it ranks.
const (
	mostOffered = 20
	mostDivided = 8
	MostRanked  = 13
)

// Divisions are the levels by which the sum may be divided: what is open of each dimension that is worth a look, those dimensions first that say
// what money is for.
func Divisions(s *Selection) (list [][]cube.Level) {
	years, m := s.Plan.Years(), s.Cube.Model
	known := map[string]bool{}
	for _, level := range s.Drilled() {
		known[level.Dimension] = true
	}
	for _, first := range InOrder(m, m.FirstLevels(mostOffered)) {
		if known[first.Dimension] || IsOfTime(m, first) || len(list) == mostDivided {
			continue
		}
		known[first.Dimension] = true
		dimension, _ := m.Dimension(first.Dimension)
		var levels []cube.Level
		for _, level := range dimension.Chains()[0] {
			isCut := func(c query.Cut) bool { return c.Ref.Name == level.Ref && !c.Not }
			isAbsent := s.Cube.Coverage != nil && len(s.Cube.Coverage.Gap(level.Ref, years)) > 0
			if level.Listed && !m.IsEdition(level.Ref) && !isAbsent && !slices.ContainsFunc(s.Address.Query.Cuts, isCut) {
				levels = append(levels, level)
			}
		}
		if at := slices.IndexFunc(levels, func(l cube.Level) bool { return s.Cube.Functions != nil && l.Ref == s.Cube.Functions.Level }); at > 0 {
			levels = slices.Concat(levels[at:], levels[:at]) // the purposes, before what is above them
		}
		list = append(list, levels)
	}
	return list
}

// Dividing asks for the largest members of the level that an address drills, and the others together, the most telling question first: compared with the
// year before, where the budget has it; with shares; and alone, which the store ranks where there are too many members.
func Dividing(s *Selection, a site.Address) []query.Query {
	main := s.Asked()
	plain := a.Query
	plain.Aggregates, plain.Order, plain.Compare, plain.Having = []query.AggregateRef{main}, []query.Order{ByAggregate(main)}, nil, nil
	plain.Top, plain.Remainder, plain.Page = 0, false, query.Page{Number: 1, Size: MostRanked}
	shared := plain
	shared.Aggregates = append(slices.Clone(plain.Aggregates), ShareOf(main))
	shared.Top, shared.Remainder, shared.Page = MostRanked, true, query.FirstPage
	list := []query.Query{shared, plain}
	if s.HasYearBefore() {
		compared := shared
		compared.Compare = s.Compares()
		list = append([]query.Query{compared}, list...)
	}
	return list
}
