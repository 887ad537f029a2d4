package plan

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/query"
)

// A formula sets amounts of several measures against each other: executed by approved, approved less executed. Where one
// of them has no amounts in some of the years asked that another has, a sum over those years is of different years on
// each side, and the value of the formula means nothing. Such a value is null; in a row of one year it is right.

// markMixedYears marks the formulas that are of different fiscal years in the rows that add several up, and finds out
// which rows those are.
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
			conditions[i].AlwaysNull = p.IsNullInAll(*a)
		}
	}
	return nil
}

// Years gives the fiscal years that the filters admit; none where rows have no year.
func (s *selection) Years() []int64 {
	column, ok := s.cube.Model.FiscalYear()
	if !ok || s.cube.Coverage == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.cube.Coverage.Years), func(year int64) bool {
		return slices.ContainsFunc(s.filters, func(f Filter) bool { return !f.mayAdmit(column, cube.Integer(year)) })
	})
}

// YearsWithSnapshots gives the fiscal years that rows of the answer are of, as far as it is known without them: of
// those that the cuts admit, the ones of which they admit a snapshot.
func (s *selection) YearsWithSnapshots() []int64 {
	column, _ := s.cube.Model.FiscalYear()
	years, h := s.Years(), names{s.cube.Model}.history()
	if h == nil || h.position(column) < 0 || column.Name == h.By().Name {
		return years
	}
	at := h.position(column)
	return slices.DeleteFunc(years, func(year int64) bool {
		return !slices.ContainsFunc(s.periods, func(p cube.Period) bool { return p.Key[at] == cube.Integer(year) })
	})
}

// OnlyValue gives the value of an axis that the cuts admit, where they admit one alone: by itself, or on a path.
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

// addingYears gives the plan whose filters say which years are in a row that adds years up: where each year states the
// same money again, that which counts the last of them.
func (p *Plan) addingYears() *Plan {
	if p.summary != nil && p.cube.Model.History().By().FiscalYear {
		return p.summary
	}
	return p
}

// AddsYears tells whether a row of so many keys adds several years up.
func (p *Plan) AddsYears(keys int) bool { return p.manyYears && (p.yearKey < 0 || keys <= p.yearKey) }

// YearKey is the place of the fiscal year among the keys, or -1.
func (p *Plan) YearKey() int { return p.yearKey }

// YearsOf gives the fiscal years that an aggregate is of in a row that adds years up: those that the guard admits,
// unless a measure in it adds up over snapshots.
func (p *Plan) YearsOf(a Aggregate) []int64 {
	adding := p.addingYears()
	years := adding.Years()
	if adding.guard == nil || slices.ContainsFunc(a.Measures(), p.isFlow) {
		return years
	}
	column, _ := p.cube.Model.FiscalYear()
	return slices.DeleteFunc(years, func(year int64) bool { return !adding.guard.mayAdmit(column, cube.Integer(year)) })
}

// mixesYears tells whether a formula is of amounts of different ones of some years. All of them have rows. What is
// made of counts alone is right: in a year without amounts the count is 0.
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

// IsNullInAll tells whether an aggregate is null in every cell, so that it sorts none of them: it mixes years, and
// every cell, or for a share all cells together, adds years up. What a cell's parent adds up is not known before.
func (p *Plan) IsNullInAll(a Aggregate) bool {
	return a.MixesYears && (p.AddsYears(len(p.keys)) || a.Uses(cube.Share) && p.AddsYears(0))
}

// MixedYears lists the formulas, asked or compared with a number, that amounts of different years would be in.
func (p *Plan) MixedYears() []Aggregate {
	list := slices.DeleteFunc(slices.Clone(p.aggregates), func(a Aggregate) bool { return !a.MixesYears || a.Role != "" })
	for _, h := range slices.Concat(p.having, p.postHaving, p.nodeHaving) {
		if h.AlwaysNull && !slices.ContainsFunc(list, func(a Aggregate) bool { return a.Name == h.Aggregate.Name }) {
			list = append(list, h.Aggregate)
		}
	}
	return list
}

// firstAmount gives the place of the first amount that all the years of the answer have, so that it ranks every group;
// else of the first that some have, else of the first.
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

// How many of the years have values of an aggregate.
const (
	inNoYear = iota
	inSomeYears
	inAllYears
)

// coverageOf tells how many of the years have values of an aggregate: each of its measures has amounts in them.
func (b *binder) coverageOf(a Aggregate, years []int64) int {
	least := inAllYears
	switch {
	case b.IsNullInAll(a):
		return inNoYear
	case len(years) == 0: // it is not known which there are
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
