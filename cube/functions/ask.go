// Package functions sets budgets side by side by what the money is for: the ten divisions of COFOG, as far as overlays or column types
// say which members are of which (cube.Functions). It asks no store.
//
//	ask.go       which year and measure of a budget are asked for, or why it is left out
//	sum.go       its cells, added up by division
//	compare.go   shares, growth and amounts per person, and who may not have them
package functions

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Code says why a budget is left out, or what a reader must know of a comparison.
type Code string

// Why a budget is left out.
const (
	NoSpending  Code = "no-spending"  // it has no amounts of expenditure, as one of revenue
	NoFunctions Code = "no-functions" // nobody says which of its members are of which division
	Excerpt     Code = "excerpt"      // it has so few rows that it may be an excerpt
	TooMany     Code = "too-many"     // others stand side by side already
	MadeUp      Code = "made-up"      // its data are made up, and published budgets are compared
	PartOfYear  Code = "part-of-year" // it has some months alone
	NoYear      Code = "no-year"      // it has no amounts of a whole year
	OtherYears  Code = "other-years"  // it has whole years, and not the one that is asked for
	Unassigned  Code = "mostly-not-assigned"
	NoTotal     Code = "no-total"       // its amounts do not add up to more than 0
	NoPrices    Code = "no-prices"      // the prices of its years are not known
	YearBefore  Code = "no-year-before" // it has nothing of the year before to compare with
	NoPersons   Code = "no-inhabitants" // the inhabitants are not known, or it is no budget of all of them
	NoUnit      Code = "no-unit"        // its currency, or how much of it an amount of 1 is, is not known
	Currency    Code = "other-currency" // it counts in another currency than others
)

// What a reader must know.
const (
	YearsDiffer   Code = "years-differ"
	ApprovedAlone Code = "approved-alone" // what was spent is not known
	LevelsDiffer  Code = "levels-differ"  // it is no budget of a whole country, and others are
	WithoutLoans  Code = "without-financing"
)

// Reason is why a budget is left out, or what must be known of it, with what a sentence about it names.
type Reason struct {
	Code    Code
	Cube    *cube.Cube
	Years   []int64
	Count   int64           // of Excerpt: how many rows a year; of TooMany: how many budgets there may be
	Level   cube.Level      // of PartOfYear: what names the periods
	Periods []int64         // likewise: which there are
	Share   decimal.Decimal // of Unassigned
	Other   string          // of Currency: that of the others
}

// Budget is what is asked of a cube: the amounts of a measure in a year, and in the year before where they can be compared.
type Budget struct {
	Cube    *cube.Cube
	Level   cube.Level // that has the functions
	Measure cube.Measure
	Year    int64
	Before  int64 // 0: none
}

// phases are those of which amounts are compared: what was spent before what was approved.
var phases = []string{"executed", "approved"}

// Years lists the whole years of which a budget can be compared, ascending: those of which it is known what was spent or, if there are none,
// what was approved. It gives the reason if the budget cannot be compared at all.
func Years(c *cube.Cube) ([]int64, *Reason) {
	measures := spending(c.Model)
	_, hasYears := c.Model.YearLevel()
	if len(measures) == 0 {
		return nil, &Reason{Code: NoSpending, Cube: c}
	}
	if _, ok := c.FunctionLevel(); !ok {
		return nil, &Reason{Code: NoFunctions, Cube: c}
	}
	if c.MayBeExcerpt() {
		rows, _ := c.RowsOfYear()
		return nil, &Reason{Code: Excerpt, Cube: c, Count: rows}
	}
	for _, m := range measures {
		if years := c.WholeYears(m.Ref); hasYears && len(years) > 0 {
			return years, nil
		}
	}
	for _, year := range c.FiscalYears() {
		if level, periods, ok := c.PartOfYear(year); ok {
			return nil, &Reason{Code: PartOfYear, Cube: c, Years: []int64{year}, Level: level, Periods: periods}
		}
	}
	return nil, &Reason{Code: NoYear, Cube: c}
}

// Of gives what is asked of a budget for a year, or the reason why it has nothing of it.
func Of(c *cube.Cube, year int64) (Budget, *Reason) {
	years, reason := Years(c)
	if reason != nil {
		return Budget{}, reason
	}
	level, _ := c.FunctionLevel()
	for _, m := range spending(c.Model) {
		whole := c.WholeYears(m.Ref)
		if !slices.Contains(whole, year) {
			continue
		}
		b := Budget{Cube: c, Level: level, Measure: m, Year: year}
		if slices.Contains(whole, year-1) {
			b.Before = year - 1
		}
		return b, nil
	}
	return Budget{}, &Reason{Code: OtherYears, Cube: c, Years: years}
}

// Choose gives what is asked of budgets for a year or, for the year 0, for the last year that all of them have or, where they have none, of
// each its last. It lists the years that any of them has, ascending, and says why others are left out. Among budgets that nobody named, those of
// made-up data give way to published ones.
func Choose(cubes []*cube.Cube, year int64, named bool) (budgets []Budget, years []int64, out []Reason) {
	var usable []*cube.Cube
	lists := map[*cube.Cube][]int64{}
	for _, c := range cubes {
		list, reason := Years(c)
		if reason != nil {
			out = append(out, *reason)
			continue
		}
		usable, lists[c] = append(usable, c), list
	}
	isPublished := func(c *cube.Cube) bool { return !c.Synthetic }
	if !named && slices.ContainsFunc(usable, isPublished) {
		usable = slices.DeleteFunc(usable, func(c *cube.Cube) bool {
			if c.Synthetic {
				out = append(out, Reason{Code: MadeUp, Cube: c})
			}
			return c.Synthetic
		})
	}
	for _, c := range usable {
		years = append(years, lists[c]...)
	}
	slices.Sort(years)
	years = slices.Compact(years)
	if year == 0 {
		year = lastCommon(years, usable, lists)
	}
	for _, c := range usable {
		of := year
		if of == 0 {
			of = lists[c][len(lists[c])-1]
		}
		b, reason := Of(c, of)
		if reason == nil && len(budgets) == most {
			reason = &Reason{Code: TooMany, Cube: c, Count: most}
		}
		if reason != nil {
			out = append(out, *reason)
			continue
		}
		budgets = append(budgets, b)
	}
	return budgets, years, out
}

// most is how many budgets stand side by side.
const most = 8

// lastCommon gives the last year that all lists have, or 0.
func lastCommon(years []int64, cubes []*cube.Cube, lists map[*cube.Cube][]int64) int64 {
	for _, year := range slices.Backward(years) {
		if !slices.ContainsFunc(cubes, func(c *cube.Cube) bool { return !slices.Contains(lists[c], year) }) {
			return year
		}
	}
	return 0
}

// spending gives the measures of what was spent and of what was approved, as far as there are any: those that a derived measure divides, or
// the only ones of their phase. Amounts of revenue are none.
func spending(m *cube.Model) (list []cube.Measure) {
	isSpending := func(x cube.Measure) bool {
		return x.Direction == "expenditure" && slices.Contains(phases, x.Phase)
	}
	for _, d := range m.Derived() {
		refs, err := query.ParseAggregates(d.Formula)
		if err != nil || refs[0].Func != string(cube.Ratio) || len(refs[0].Args) != 2 {
			continue
		}
		x, _ := m.Measure(refs[0].Args[0].Measure)
		y, _ := m.Measure(refs[0].Args[1].Measure)
		if isSpending(x) && isSpending(y) && x.Phase == phases[0] && y.Phase == phases[1] {
			return []cube.Measure{x, y}
		}
	}
	for _, phase := range phases {
		of := slices.DeleteFunc(slices.Clone(m.Measures()), func(x cube.Measure) bool { return !isSpending(x) || x.Phase != phase })
		of = slices.DeleteFunc(of, func(x cube.Measure) bool { // a part of another one
			return slices.ContainsFunc(of, func(y cube.Measure) bool { return slices.Contains(m.FirstOf(y.Ref), x.Ref) })
		})
		if len(of) == 1 {
			list = append(list, of[0])
		}
	}
	return list
}

// Query asks for the amounts of a budget by year and function, without financing.
func (b Budget) Query() query.Query {
	year, _ := b.Cube.Model.YearLevel()
	years := query.CutTo(year.Ref, strconv.FormatInt(b.Year, 10))
	if b.Before != 0 {
		years.Items = append(years.Items, query.CutTo(year.Ref, strconv.FormatInt(b.Before, 10)).Items...)
	}
	return query.Query{
		Drilldown: []query.Ref{{Name: year.Ref}, {Name: b.Level.Ref}}, Cuts: append([]query.Cut{years}, b.withoutFinancing()...),
		Aggregates: []query.AggregateRef{b.Sum()}, Page: query.Every,
	}
}

// Sum is the aggregate that is asked for.
func (b Budget) Sum() query.AggregateRef {
	return query.AggregateRef{Measure: b.Measure.Ref, Func: string(cube.Sum)}
}

func (b Budget) withoutFinancing() []query.Cut {
	return each.Of(b.Cube.Financing, plan.WithoutFinancing)
}

// Cuts select what a part of the budget adds up; members are none for the whole. It gives false if the members cannot be written as one cut.
func (b Budget) Cuts(members [][]cube.Value) ([]query.Cut, bool) {
	year, _ := b.Cube.Model.YearLevel()
	cuts := append([]query.Cut{query.CutTo(year.Ref, strconv.FormatInt(b.Year, 10))}, b.withoutFinancing()...)
	if len(members) == 0 {
		return cuts, true
	}
	columns := b.Cube.Model.PathOf(b.Level)
	cut := query.Cut{Ref: query.Ref{Name: b.Level.Ref}}
	if own := query.KeyColumns(columns); len(own) > 1 {
		d, _ := b.Cube.Model.Dimension(b.Level.Dimension)
		chains := d.Chains()
		if len(chains) != 1 || len(own) > len(chains[0]) || chains[0][len(own)-1].Ref != b.Level.Ref {
			return nil, false
		}
		cut.Ref.Name = d.Name
	}
	for _, path := range members {
		keys, err := query.ParsePath(query.KeysText(columns, path))
		if err != nil {
			return nil, false
		}
		cut.Items = append(cut.Items, query.Item{Op: query.OpEqual, Path: keys})
	}
	return append(cuts, cut), true
}
