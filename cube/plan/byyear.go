package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/cube/series"
)

// ByYear is how a sum in real terms or per head is computed. Each fiscal year has a factor of its own, so a store gives a part for
// each: the value is the sum of these parts times their factors, divided by Divisor. So it adds up over cells as any sum does.
type ByYear struct {
	PriceYear int64 // it is in prices of this year; 0: in those of each year
	PerHead   bool
	Series    []cube.Series // that the factors are from
	Years     []YearPart    // at least one
	Divisor   decimal.Decimal
}

// YearPart is the part with the amounts of a fiscal year.
type YearPart struct {
	Part  int
	Year  cube.Value      // missing: the amounts without a year
	Times decimal.Decimal // their factor; 0 if the series have no value of the year
}

// byYear binds real(a,2018) and per_head(a).
func (b *binder) byYear(ref query.AggregateRef) (Aggregate, error) {
	by := ByYear{PerHead: cube.Func(ref.Func) == cube.PerHead}
	var isYear bool
	if len(ref.Args) == 2 && !by.PerHead {
		by.PriceYear, isYear = yearOf(ref.Args[1])
	}
	switch {
	case by.PerHead && len(ref.Args) != 1:
		return Aggregate{}, cube.Errorf(cube.CodeBadSyntax, "%s is of one sum", ref.Func).At(ref.At).WithHint("as per_head(a.sum)")
	case !by.PerHead && !isYear:
		return Aggregate{}, cube.Errorf(cube.CodeBadSyntax, "%s is of a sum and of the year in whose prices it is asked", ref.Func).
			At(ref.At).WithHint("as real(a.sum,2018)")
	}
	a, err := b.aggregate(ref.Args[0])
	if err == nil {
		a, err = b.adjusted(a, by, ref.At)
	}
	a.Name = ref.String()
	return a, err
}

var yearText = regexp.MustCompile(`^[0-9]{4}$`)

// yearOf reads a year, which the grammar takes for the name of an aggregate.
func yearOf(ref query.AggregateRef) (int64, bool) {
	if ref.Measure != "" || len(ref.Args) > 0 || !yearText.MatchString(ref.Func) {
		return 0, false
	}
	year, err := strconv.ParseInt(ref.Func, 10, 64)
	return year, err == nil
}

// adjusted puts a sum, or a difference of sums, in real terms or per head.
func (b *binder) adjusted(a Aggregate, by ByYear, at cube.Position) (Aggregate, error) {
	if a.Func == cube.Diff {
		a.Args = slices.Clone(a.Args)
		for i, arg := range a.Args {
			var err error
			if a.Args[i], err = b.adjusted(arg, by, at); err != nil {
				return a, err
			}
			a.Scale = max(a.Scale, a.Args[i].Scale)
		}
		return a, nil
	}
	if a.Func != cube.Sum {
		return a, cube.Errorf(cube.CodeBadSyntax, "%s is no sum, so it is neither in real terms nor per head", a.Name).At(at).
			WithHint("ask this of a sum, or of a diff of sums; ratio and share take real(a.sum,2018) and per_head(a.sum)")
	}
	if by.PerHead {
		a.Scale += averageScale
	}
	if before := a.ByYear; before != nil {
		if before.PerHead && by.PerHead || before.PriceYear != 0 && by.PriceYear != 0 {
			return a, cube.Errorf(cube.CodeBadSyntax, "%s is so already", a.Name).At(at).WithHint("write it once")
		}
		by.PerHead, by.PriceYear = true, before.PriceYear+by.PriceYear // one of the two is 0
	}
	if err := b.bindFactors(&by, a.Measure, at); err != nil {
		return a, err
	}
	a.ByYear, a.Parts = &by, [2]int{by.Years[0].Part}
	return a, nil
}

// bindFactors finds the series, and makes a part with its factor for each year.
func (b *binder) bindFactors(by *ByYear, measure string, at cube.Position) error {
	column, ok := b.model.FiscalYear()
	switch {
	case b.cube == nil: // the formula of a derived measure is bound to no cube
		return cube.Errorf(cube.CodeBadValue, "a derived measure is neither in real terms nor per head").At(at).
			WithHint("declare it without, and ask real(…,2018) or per_head(…) of it")
	case !ok || b.cube.Coverage == nil:
		return cube.Errorf(cube.CodeNoSeries, "the rows of %s have no fiscal year", b.cube.Name).At(at).
			WithHint("ask the amounts as they are")
	}
	years := b.Years()
	if b.moved { // the other side may be of any
		years = b.cube.Coverage.Years
	}
	factors := series.Plain(years)
	if by.PriceYear != 0 {
		prices, err := b.seriesOf(true, at)
		if err != nil {
			return err
		}
		of, ok := series.Real(prices, by.PriceYear, years)
		if !ok {
			return cube.Errorf(cube.CodeBadValue, "the series %q has no prices of %d", prices.Title, by.PriceYear).At(at).
				WithHint(yearsAround(prices, by.PriceYear))
		}
		by.Series, factors = append(by.Series, prices), factors.And(of)
	}
	if by.PerHead {
		inhabitants, err := b.seriesOf(false, at)
		if err != nil {
			return err
		}
		by.Series, factors = append(by.Series, inhabitants), factors.And(series.PerHead(inhabitants, years))
	}
	by.Divisor = factors.Divisor
	for _, year := range years {
		by.Years = append(by.Years, YearPart{Year: cube.Integer(year), Times: factors.Times[year]})
	}
	if len(years) == 0 || column.Missing > 0 && b.mayAdmitYear(column, cube.Missing) {
		by.Years = append(by.Years, YearPart{Year: cube.Missing})
	}
	for i := range by.Years {
		by.Years[i].Part = b.part(Part{Func: cube.Sum, Measure: measure, ByYear: true, Year: by.Years[i].Year})
	}
	return nil
}

// yearsAround says which years a series has that has none of another: from when to when, or those on both sides of a gap.
func yearsAround(s cube.Series, year int64) string {
	i := slices.IndexFunc(s.Values, func(v cube.YearValue) bool { return v.Year > year })
	if i > 0 {
		return fmt.Sprintf("it has %d and %d, and no year between", s.Values[i-1].Year, s.Values[i].Year)
	}
	first, last := s.Years()
	return fmt.Sprintf("it is of %d to %d", first, last)
}

// seriesOf gives the series of prices, or of inhabitants, for the country of the package.
func (b *binder) seriesOf(prices bool, at cube.Position) (cube.Series, error) {
	for _, s := range series.Of(b.cube) {
		if s.IsOfPrices() == prices {
			return s, nil
		}
	}
	what, hint := "inhabitants", "load the package with a folder series, which has those of its country"
	if prices {
		what = "prices"
	}
	countries := series.Countries(b.cube.Package)
	switch {
	case len(countries) == 0:
		return cube.Series{}, cube.Errorf(cube.CodeNoSeries, "no %s are known, since neither the descriptor nor the overlay of %s names a country", what, b.cube.Name).
			At(at).WithHint("name it in the overlay, as country: {en: Croatia}, or " + hint)
	case !prices && b.cube.GovtLevel == "":
		return cube.Series{}, cube.Errorf(cube.CodeNoSeries, "the descriptor of %s does not say whether it is the budget of the whole country", b.cube.Name).
			At(at).WithHint(`if it is, say so in the descriptor, as "govt_level": "National"; else load the package with a folder series, which has its own inhabitants`)
	case !prices && !series.IsNational(b.cube.Package):
		return cube.Series{}, cube.Errorf(cube.CodeNoSeries, "the inhabitants of the country are not those of %s, which is a budget of the level %q", b.cube.Name,
			b.cube.GovtLevel).At(at).WithHint("load the package with a folder series, which has its own inhabitants")
	}
	return cube.Series{}, cube.Errorf(cube.CodeNoSeries, "no %s of %s are known", what, strings.Join(countries, " or ")).At(at).WithHint(hint)
}

// priceYear is the year in whose prices the amounts of a value are, or 0.
func (a Aggregate) priceYear() int64 {
	for _, leaf := range a.Leaves() {
		if leaf.ByYear != nil {
			return leaf.ByYear.PriceYear
		}
	}
	return 0
}

// Series lists the series that the aggregates and the conditions of the answer are computed with, each once.
func (p *Plan) Series() []cube.Series {
	var list []cube.Series
	for _, by := range p.allByYear() {
		for _, s := range by.Series {
			if !slices.ContainsFunc(list, func(o cube.Series) bool { return o.Name == s.Name && o.Country == s.Country }) {
				list = append(list, s)
			}
		}
	}
	return list
}

// YearsWithoutFactor lists the years asked, and those compared with them, of which the series of Series have no value, and tells
// whether rows without a year are asked. Their amounts are null in real terms and per head.
func (p *Plan) YearsWithoutFactor() (years []int64, missing bool) {
	column, _ := p.cube.Model.FiscalYear() // without it there is no ByYear
	asked, undated := p.Years(), column.Missing > 0 && p.mayAdmitYear(column, cube.Missing)
	if p.comparison != nil {
		asked = append(asked, yearsShifted(asked, p.comparison.Offset)...)
	}
	for _, by := range p.allByYear() {
		for _, y := range by.Years {
			missing = missing || undated && y.Year.IsMissing()
			if year, ok := y.Year.Int(); ok && y.Times.IsZero() && slices.Contains(asked, year) && !slices.Contains(years, year) {
				years = append(years, year)
			}
		}
	}
	slices.Sort(years)
	return years, missing
}

func (p *Plan) allByYear() []*ByYear {
	asked := slices.Clone(p.aggregates)
	for _, h := range slices.Concat(p.Having(), p.nodeHaving) {
		asked = append(asked, h.Aggregate)
	}
	var list []*ByYear
	for _, a := range asked {
		for _, leaf := range a.Leaves() {
			if leaf.ByYear != nil {
				list = append(list, leaf.ByYear)
			}
		}
	}
	return list
}
