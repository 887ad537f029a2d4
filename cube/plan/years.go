package plan

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// A formula relates amounts of several measures, such as executed divided by approved. If one measure has no amounts in
// some of the years that another has, the sums of the two over several years are of different years, and the formula means
// nothing. Its value is null in a row that adds up several years. In a row of one year it is right.

// markMixedYears finds out which rows add up several fiscal years, and marks the formulas that mix years in them.
func (b *binder) markMixedYears(query.Query) error {
	p := b.Plan
	p.yearKey = -1
	column, ok := b.model.FiscalYear()
	if !ok || b.cube.Coverage == nil {
		return nil
	}
	p.manyYears, p.yearKey = len(p.addingYears().Years()) > 1, p.keyNamed(column.Name)
	for i := range p.aggregates {
		p.aggregates[i].MixesYears = p.mixesYears(p.aggregates[i], p.YearsOf(p.aggregates[i]))
	}
	for _, conditions := range [][]Having{p.having, p.postHaving, p.nodeHaving} {
		for i := range conditions {
			a := &conditions[i].Aggregate
			a.MixesYears = p.mixesYears(*a, p.YearsOf(*a))
			conditions[i].AlwaysNull = p.isNullInAll(*a)
		}
	}
	return nil
}

// Years gives the fiscal years that the filters admit, by the year or by an edition; none if rows have no year.
func (s *selection) Years() []int64 {
	column, ok := s.cube.Model.FiscalYear()
	if !ok || s.cube.Coverage == nil {
		return nil
	}
	years := slices.Clone(s.cube.Coverage.Years)
	testing := selection{cube: s.cube, filters: each.Where(s.filters, func(f Filter) bool { return f.mayTestYear(column) })}
	if testing.filters == nil {
		return years
	}
	return slices.DeleteFunc(years, func(year int64) bool { return !testing.mayAdmitYear(column, cube.Integer(year)) })
}

// mayTestYear tells whether the filter may test the fiscal year, by itself or by an edition.
func (f Filter) mayTestYear(year cube.Column) bool {
	return len(f.Any) == 0 || slices.ContainsFunc(f.Any, func(tests []Test) bool {
		return slices.ContainsFunc(tests, func(t Test) bool { return t.Column.Name == year.Name || t.Column.IsEdition() })
	})
}

// mayAdmitYear tells whether the filters may admit rows of a fiscal year, which is missing in some. All of these have the same
// editions.
func (s *selection) mayAdmitYear(column cube.Column, year cube.Value) bool {
	cell := func(field string) (cube.Value, bool) {
		if field == column.Name {
			return year, true
		}
		made, _ := s.cube.Model.Column(field)
		if !made.IsEdition() {
			return cube.Missing, false
		}
		if n, ok := year.Int(); ok {
			if first, has := made.From.Edition(n); has {
				return cube.Integer(first), true
			}
		}
		return cube.Missing, true
	}
	return !slices.ContainsFunc(s.filters, func(f Filter) bool { return f.match(cell) == fails })
}

// YearsWithSnapshots gives the fiscal years that the filters admit and, if snapshots have years, of which the cuts admit a
// snapshot.
func (s *selection) YearsWithSnapshots() []int64 {
	column, _ := s.cube.Model.FiscalYear()
	years, h := s.Years(), names{s.cube.Model}.reported()
	if h == nil || h.indexOf(column) < 0 || column.Name == h.By().Name {
		return years
	}
	at := h.indexOf(column)
	return slices.DeleteFunc(years, func(year int64) bool {
		return !slices.ContainsFunc(s.periods, func(p cube.Period) bool { return p.Key[at] == cube.Integer(year) })
	})
}

// OnlyValue gives the value of an axis if the cuts admit only one, by itself or in a path.
func (s *selection) OnlyValue(axis cube.Column) (cube.Value, bool) {
	if years := s.Years(); axis.FiscalYear && len(years) == 1 {
		return cube.Integer(years[0]), true
	}
	for _, f := range s.FiltersAsked() {
		if f.Not || len(f.Any) != 1 {
			continue
		}
		for _, t := range f.Any[0] {
			if t.Column.Name == axis.Name && len(t.In) == 1 && !t.In[0].IsMissing() {
				return t.In[0], true
			}
		}
	}
	return cube.Missing, false
}

// addingYears gives the grouping whose filters determine the years in a row that adds up years. If each fiscal year is a
// snapshot of the same money, that is the summary, which counts the last one.
func (p *Plan) addingYears() *Grouping {
	if p.summary != nil && p.cube.Model.History().By().FiscalYear {
		return p.summary
	}
	return &p.Grouping
}

// AddsYears tells whether a row with that many keys adds up several years.
func (g *Grouping) AddsYears(keys int) bool {
	return g.manyYears && (g.yearKey < 0 || keys <= g.yearKey)
}

// TimeOverYears lists the fields of time below the year, such as months, in the keys of rows that may put several years together:
// levels of a dimension of time, and the snapshots of a year.
func (p *Plan) TimeOverYears() []cube.Column {
	year, ok := p.cube.Model.FiscalYear()
	if !ok || len(p.Years()) < 2 {
		return nil
	}
	rows := []int{len(p.keys)}
	if p.rollup {
		rows = rows[:0]
		rows = append(rows, each.Of(p.steps, func(step Step) int { return step.Keys })...)
	}
	var list []cube.Column
	for i, key := range p.keys {
		hasNoYear := func(keys int) bool { return i < keys && (p.yearKey < 0 || keys <= p.yearKey) }
		if slices.ContainsFunc(rows, hasNoYear) && p.isBelowYear(key, year) {
			list = append(list, key)
		}
	}
	return list
}

// isBelowYear tells whether a field is one of time, and neither the fiscal year nor above it.
func (p *Plan) isBelowYear(field, year cube.Column) bool {
	if declared := p.cube.Model.Snapshots(); declared != nil && declared.By == field.Name && slices.Contains(declared.Per, year.Name) {
		return true
	}
	level, ok := p.cube.Model.LevelOfKey(field.Name)
	dimension, _ := p.cube.Model.Dimension(level.Dimension)
	ofYear, _ := p.cube.Model.LevelOfKey(year.Name)
	return ok && dimension.Type == cube.DimensionTime && field.Name != year.Name && !slices.Contains(ofYear.Path, field.Name)
}

// InYears is the statement that counts the pairs of a member of a field and a fiscal year in the rows that the plan counts, and
// InAll the one that counts the members.
func (p *Plan) InYears(field cube.Column) *Statement {
	year, _ := p.cube.Model.FiscalYear()
	return Counting(p.cube, []cube.Column{field, year}, p.AllFilters())
}

// InAll counts the members of a field: see InYears.
func (p *Plan) InAll(field cube.Column) *Statement {
	return Counting(p.cube, []cube.Column{field}, p.AllFilters())
}

// YearKey is the index of the fiscal year in Keys, or -1.
func (g *Grouping) YearKey() int { return g.yearKey }

// YearsOf gives the fiscal years that an aggregate includes in a row that adds up years: those that the guard admits, or
// all if a measure of the aggregate adds up over snapshots.
func (p *Plan) YearsOf(a Aggregate) []int64 {
	adding := p.addingYears()
	years := adding.Years()
	if adding.guard == nil || slices.ContainsFunc(a.Measures(), p.isFlow) {
		return years
	}
	column, _ := p.cube.Model.FiscalYear()
	return slices.DeleteFunc(years, func(year int64) bool { return !adding.guard.mayAdmit(column, cube.Integer(year)) })
}

// mixesYears tells whether the measures of a formula have amounts in different years, of some years that all have rows. A
// formula of counts never mixes years: in a year without amounts the count is 0.
func (p *Plan) mixesYears(a Aggregate, years []int64) bool {
	leaves := a.Leaves()
	if len(leaves) < 2 || a.CountsRows() {
		return false
	}
	gap := p.cube.Coverage.Gap(leaves[0].Measure, years)
	return len(years) > 1 && slices.ContainsFunc(leaves, func(l Aggregate) bool {
		return !slices.Equal(p.cube.Coverage.Gap(l.Measure, years), gap)
	})
}

// isNullInAll tells whether an aggregate is null in every cell, so that sorting by it has no effect: it mixes years, and
// every cell, or for a share the sum of all cells, adds up years. For a share of a parent this is known only from the rows.
func (p *Plan) isNullInAll(a Aggregate) bool {
	return a.MixesYears && (p.AddsYears(len(p.keys)) || a.Uses(cube.Share) && p.AddsYears(0))
}

// MixedYears lists the formulas, among the aggregates and the conditions, that mix years.
func (p *Plan) MixedYears() []Aggregate {
	list := slices.DeleteFunc(slices.Clone(p.aggregates), func(a Aggregate) bool { return !a.MixesYears || a.Role != "" })
	for _, h := range slices.Concat(p.having, p.postHaving, p.nodeHaving) {
		if h.AlwaysNull && !slices.ContainsFunc(list, func(a Aggregate) bool { return a.Name == h.Aggregate.Name }) {
			list = append(list, h.Aggregate)
		}
	}
	return list
}

// firstAmount gives the index of the aggregate that top ranks by: the first, other than _count, with values in all years
// of the answer, so that it ranks every group; else the first with values in some years; else the first.
func (b *binder) firstAmount() int {
	years := b.YearsWithSnapshots()
	first, most := 0, inNoYear-1
	for i, a := range b.aggregates {
		if c := b.coverageOf(a, years); a.Func != cube.Rows && c > most {
			first, most = i, c
		}
	}
	return first
}

// In how many of the years an aggregate has values.
const (
	inNoYear = iota
	inSomeYears
	inAllYears
)

// coverageOf tells in how many of the years an aggregate has values, which needs amounts of each of its measures.
func (b *binder) coverageOf(a Aggregate, years []int64) int {
	least := inAllYears
	switch {
	case b.isNullInAll(a):
		return inNoYear
	case len(years) == 0: // the years are not known
		return least
	}
	for _, name := range a.Measures() {
		switch gap := b.cube.Coverage.Gap(name, years); {
		case len(gap) == 0:
		case len(gap) < len(years):
			least = min(least, inSomeYears)
		default:
			least = inNoYear
		}
	}
	return least
}
