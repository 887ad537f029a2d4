package plan

import (
	"slices"

	"fiscube/cube"
)

// Grouping is what the numbers of an answer are made of: which rows are counted, the keys by which they are grouped, what is
// computed for each group, and what a group is compared with. It has the statements for both sides. A plan has one for its
// cells and, if these are snapshots of the same money, another for the summary.
type Grouping struct {
	selection
	keys       []cube.Column
	levels     []cube.Level
	flat       bool // the keys are the fields that the drilldown names (query.Query.Flat)
	steps      []Step
	aggregates []Aggregate
	having     []Having // tested by the store
	postHaving []Having // tested in memory, with all groups
	countsAll  bool     // all snapshots are counted, though some repeat the same money
	manyYears  bool     // a row without a fiscal year adds up several
	yearKey    int      // index of the fiscal year in keys, or -1
	main       *Statement
	comparison *Comparison
}

// Step is a prefix of the drilldown: its last level, and its number of keys.
type Step struct {
	Ref  string
	Keys int
}

// Main is the statement for the groups.
func (g *Grouping) Main() *Statement { return g.main }

// Keys are the columns to group by, in the order of the answer.
func (g *Grouping) Keys() []cube.Column { return g.keys }

// Levels are the levels whose members the keys name, in the order of the answer. Their paths are among Keys or, in a Flat
// plan, their own keys.
func (g *Grouping) Levels() []cube.Level { return g.levels }

// Flat tells whether the keys are the fields that the drilldown names, without those above them (query.Query.Flat).
func (g *Grouping) Flat() bool { return g.flat }

// Steps lists the prefixes of the drilldown that have keys of their own, the whole of it last.
func (g *Grouping) Steps() []Step { return g.steps }

// Aggregates are the values of a cell, in the order of the answer.
func (g *Grouping) Aggregates() []Aggregate { return g.aggregates }

// Measures are those of the aggregates, each once.
func (g *Grouping) Measures() []cube.Measure {
	var list []cube.Measure
	for _, name := range measuresOf(g.aggregates) {
		measure, _ := g.cube.Model.Measure(name)
		list = append(list, measure)
	}
	return list
}

// Having lists the conditions on cells, whether the store tests them or a pass.
func (g *Grouping) Having() []Having { return sortedHaving(slices.Concat(g.having, g.postHaving)) }

// PostHaving are the conditions that a pass tests, since they need all cells.
func (g *Grouping) PostHaving() []Having { return g.postHaving }

// FiltersShares tells whether a condition is on a share. Then the store tests no condition.
func (g *Grouping) FiltersShares() bool { return slices.ContainsFunc(g.postHaving, Having.isOnShare) }

// Comparison is nil if nothing is compared.
func (g *Grouping) Comparison() *Comparison { return g.comparison }

// CountsAll tells whether every snapshot of the same money is counted (query.AllSnapshots).
func (g *Grouping) CountsAll() bool { return g.countsAll }

func (g *Grouping) keyNamed(field string) int {
	return slices.IndexFunc(g.keys, func(c cube.Column) bool { return c.Name == field })
}

// NeedsAllGroups tells whether the values over all groups are known only from the groups themselves: they are compared, or a
// pass leaves some out. If not, the store computes them.
func (g *Grouping) NeedsAllGroups() bool { return g.comparison != nil || len(g.postHaving) > 0 }

// selection says which rows are counted.
type selection struct {
	cube    *cube.Cube
	filters []Filter // those of the question come first
	guard   *Filter  // the default filter, if it applies to some of the parts alone
	parts   []Part
	periods []cube.Period // with the snapshots that the cuts admit; nil if the model has none
}

// Cube is the version of a package that the question is about.
func (s *selection) Cube() *cube.Cube { return s.cube }

// Periods lists the periods with the snapshots that the cuts admit. It is empty if the package has no snapshots.
func (s *selection) Periods() []cube.Period { return s.periods }

// AllFilters gives the filters and the guard, as an answer repeats them.
func (s *selection) AllFilters() []Filter {
	filters := slices.Clone(s.filters)
	if s.guard != nil {
		filters = append(filters, *s.guard)
	}
	return filters
}

// FiltersAsked gives the filters of the question.
func (s *selection) FiltersAsked() []Filter {
	return slices.DeleteFunc(s.AllFilters(), func(f Filter) bool { return f.Default })
}

// FiltersByDefault gives the filters that Bind added.
func (s *selection) FiltersByDefault() []Filter {
	return slices.DeleteFunc(s.AllFilters(), func(f Filter) bool { return !f.Default })
}

// Admits tells whether the filters of the question let a value of a column pass.
func (s *selection) Admits(column cube.Column, value cube.Value) bool {
	return !slices.ContainsFunc(s.FiltersAsked(), func(f Filter) bool { return !f.mayAdmit(column, value) })
}

// guardBy applies the default filter to all parts but those of measures that add up over snapshots (cube.Measure.Flow). If
// that is all parts, it becomes an ordinary filter.
func (s *selection) guardBy(filter Filter) {
	guarded := 0
	for _, part := range s.parts {
		if !s.isFlow(part.Measure) {
			guarded++
		}
	}
	switch guarded {
	case 0:
	case len(s.parts):
		s.filters = append(s.filters, filter)
	default:
		s.guard = &filter
		for i := range s.parts {
			s.parts[i].Guarded = !s.isFlow(s.parts[i].Measure)
		}
	}
}

func (s *selection) isFlow(measure string) bool {
	m, _ := s.cube.Model.Measure(measure)
	return m.Flow
}
