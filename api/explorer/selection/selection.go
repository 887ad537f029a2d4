// Package selection has what a page is of: a question in an address about a budget, with its filters by name, its years and its unit, and the
// questions that a page asks beside it. It asks the store nothing.
package selection

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Selection is the question of a page, bound to a budget.
type Selection struct {
	*site.Guest
	Cube    *cube.Cube
	Address site.Address // of the page
	Plan    *plan.Plan   // of the question, or of one that has it
	Filters []Filter     // what is above before what is below it
	Apart   []string     // what the selection beside it has other cuts on
	Title   string       // names what it is of, but for the financing that pages leave out, which a note says
	Heading string       // the same without what is above other members of it
	Trail   []site.Choice
	names   Names
}

// New is the selection of an address. Names has the names of members that its filters admit, and may have those of others.
func New(guest *site.Guest, a site.Address, p *plan.Plan, names Names) *Selection {
	s := &Selection{Guest: guest, Cube: p.Cube(), Address: a, Plan: p, names: names}
	s.Filters = s.filters()
	whole := s.TitleOfCube(s.Cube)
	told := slices.DeleteFunc(slices.Clone(s.Filters), func(f Filter) bool { return IsLeftOut(s.Cube, f.Cut) })
	s.Title = TitleOf(told, whole)
	last := slices.DeleteFunc(told, func(f Filter) bool { return f.Below != "" })
	for i, f := range last {
		isAbove := func(other Filter) bool { return other.Below != "" && strings.EqualFold(other.Members, f.Members) }
		if slices.ContainsFunc(s.Filters, isAbove) {
			last[i].Members += " (" + f.Level + ")" // or it would be taken for the one above
		}
	}
	s.Heading = TitleOf(last, whole)
	for _, f := range s.Filters {
		if f.Below != "" {
			s.Trail = append(s.Trail, site.Choice{Text: f.Members, Link: f.Below})
		}
	}
	return s
}

// With is the selection of another address and plan with the same names.
func (s *Selection) With(a site.Address, p *plan.Plan) *Selection {
	other := New(s.Guest, a, p, s.names)
	other.Apart = s.Apart
	return other
}

// Main is the first aggregate, which the page is about.
func (s *Selection) Main() plan.Aggregate { return s.Plan.Aggregates()[0] }

// Asked is the first aggregate as the address has it.
func (s *Selection) Asked() query.AggregateRef {
	return MainAggregates(s.Cube.Model, s.Address.Query.Aggregates)[0]
}

// Measure is the measure that it is of; counts of rows have none.
func (s *Selection) Measure() cube.Measure {
	m, _ := s.Cube.Model.Measure(s.Main().Measure)
	return m
}

// Currency is that of the first aggregate, or "".
func (s *Selection) Currency() string { return CurrencyOf(s.Cube.Model, s.Main()) }

// CurrencyOf is the currency of an aggregate whose amounts are counted in ones of it, or "".
func CurrencyOf(m *cube.Model, a plan.Aggregate) string {
	measure, _ := m.Measure(a.Measure) // counts and formulas have none
	if measure.Unit > 1 {
		return ""
	}
	return measure.Currency
}

// Drilled lists the levels of the drilldown.
func (s *Selection) Drilled() []cube.Level {
	return each.Found(s.Plan.Steps(), func(step plan.Step) (cube.Level, bool) { return s.Cube.Model.LevelOfKey(step.Ref) })
}

// DrillsTime tells whether it is broken down by a level of time.
func (s *Selection) DrillsTime() bool { return DrillsTime(s.Cube.Model, s.Address.Query) }

// IsFixed tells whether a cut admits one member of a level.
func (s *Selection) IsFixed(level string) bool {
	isOne := func(t plan.Test) bool { return t.Column.Name == level && len(t.In) == 1 }
	return slices.ContainsFunc(s.Plan.FiltersAsked(), func(f plan.Filter) bool {
		return !f.Not && len(f.Any) == 1 && slices.ContainsFunc(f.Any[0], isOne)
	})
}

// IsApart tells whether the selection beside it has other cuts on a level, or above or below it.
func (s *Selection) IsApart(level string) bool {
	return slices.ContainsFunc(s.Apart, func(name string) bool { return Related(s.Cube.Model, name, level) })
}

// Related tells whether one of two names is of a level above the other, of the same level, or of a dimension that has it.
func Related(m *cube.Model, name, other string) bool {
	x, _ := m.Level(name)
	y, _ := m.Level(other)
	return name == other || x.Dimension == other || y.Dimension == name || slices.Contains(x.Path, y.Ref) || slices.Contains(y.Path, x.Ref)
}

// HasNone tells whether a measure or a level has no cells in all the years of the selection.
func (s *Selection) HasNone(field string) bool {
	years := s.Plan.Years()
	return len(years) > 0 && len(s.Cube.Coverage.Gap(field, years)) == len(years)
}

// NameMeasure names the measure in a question, so that an address without drilldown and cuts is not that of the overview.
func (s *Selection) NameMeasure(q *query.Query) {
	q.Aggregates = MainAggregates(s.Cube.Model, q.Aggregates)
}

// Subtitle names the levels by which it is broken down, or is "".
func (s *Selection) Subtitle() string {
	drilled := s.Drilled()
	if len(drilled) == 0 {
		return ""
	}
	return prose.Begin(strings.Join(each.Text(drilled, s.ByLevel), ", "))
}

// Unit names what is added up, and in what.
func (s *Selection) Unit() string { return prose.AggregateTitle(s.Plan, s.Main(), s.Language) }

// SumOf names what the sum is of, also the years if it adds up several.
func (s *Selection) SumOf() string {
	if years := s.Plan.Years(); len(years) > 1 {
		return s.Unit() + ", " + s.Say("view.years-added", "Years", s.Years(years))
	}
	return s.Unit()
}

// NumberAt leads to the page of the number of a selection.
func (s *Selection) NumberAt(of site.Address) string {
	of.Query = query.Query{Cuts: of.Query.Cuts, Aggregates: s.Address.Query.Aggregates, Snapshots: of.Query.Snapshots, Page: query.FirstPage}
	of.View = ""
	return of.Alone().At(s.Explore(s.Cube).Path + "/number").String()
}

// Permanent leads to this version of the page, for ever.
func (s *Selection) Permanent() string {
	a := s.Address
	a.Version = strconv.Itoa(s.Cube.Version)
	return a.String()
}

// Source names who published the numbers, the cube with its version, and whose prices and inhabitants are used.
func (s *Selection) Source() string {
	names := slices.DeleteFunc([]string{s.Cube.Publisher, s.TitleOfCube(s.Cube)}, func(name string) bool { return name == "" })
	published := s.Say("figure.source", "Source", strings.Join(slices.Compact(names), ", "))
	published += " (" + strings.ToLower(s.Say("number.version")) + " " + strconv.Itoa(s.Cube.Version) + ")"
	return strings.Join(append([]string{published}, prose.SeriesUsed(s.Plan, s.Locale)...), "; ")
}

// TitleOf names what filters select: their members or else the whole, the time last.
func TitleOf(filters []Filter, whole string) string {
	var names, times []string
	for _, f := range filters {
		if f.IsTime {
			times = append(times, cmp.Or(f.Year, f.Members))
		} else {
			names = append(names, f.Members)
		}
	}
	isChosen := func(f Filter) bool { return !f.IsTime && !f.Not }
	if whole != "" && !slices.ContainsFunc(filters, isChosen) {
		names = append([]string{whole}, names...) // what filters leave out is left out of all
	}
	return strings.Join(append(site.Once(names), times...), ", ")
}
