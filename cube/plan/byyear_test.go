package plan_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/internal/each"
)

// inCroatia gives the towns of cubetest.Spending, which have rows of 2016 and 2017, a country.
func inCroatia(t *testing.T, country string) *cube.Cube {
	c := cubetest.Spending(t)
	c.Country, c.GovtLevel, c.Coverage = country, "National", &cube.YearCoverage{Years: []int64{2016, 2017}}
	return c
}

func TestBind_RefusesRealTermsAndAmountsPerHead(t *testing.T) {
	undated := inCroatia(t, "Croatia")
	undated.Coverage = nil
	town := inCroatia(t, "Croatia")
	town.GovtLevel = "Municipal"
	perhaps := inCroatia(t, "Croatia")
	perhaps.GovtLevel = ""
	gap := inCroatia(t, "Croatia")
	gap.Series = []cube.Series{{Title: "Prices", Country: "Croatia", Unit: cube.UnitIndex, Values: []cube.YearValue{
		{Year: 2011, Value: decimal.NewFromInt(50)}, {Year: 2012, Value: decimal.NewFromInt(60)}, {Year: 2018, Value: decimal.NewFromInt(100)}}}}
	for _, tt := range []struct {
		name     string
		of       *cube.Cube
		question string
		code     cube.Code
		want     string
	}{
		{"no year", nil, "aggregates=real(plan.sum)", cube.CodeBadSyntax,
			"aggregates at 0: real is of a sum and of the year in whose prices it is asked (as real(a.sum,2018))"},
		{"an aggregate for the year", nil, "aggregates=_count|real(plan.sum,paid.sum)", cube.CodeBadSyntax,
			"aggregates at 7: real is of a sum and of the year in whose prices it is asked (as real(a.sum,2018))"},
		{"a year of amounts per head", nil, "aggregates=per_head(plan.sum,2018)", cube.CodeBadSyntax,
			"aggregates at 0: per_head is of one sum (as per_head(a.sum))"},
		{"an average", nil, "aggregates=real(plan.avg,2016)", cube.CodeBadSyntax,
			"aggregates at 0: plan.avg is no sum, so it is neither in real terms nor per head " +
				"(ask this of a sum, or of a diff of sums; ratio and share take real(a.sum,2018) and per_head(a.sum))"},
		{"a derived quotient", nil, "aggregates=per_head(execution)", cube.CodeBadSyntax,
			"aggregates at 0: execution is no sum, so it is neither in real terms nor per head " +
				"(ask this of a sum, or of a diff of sums; ratio and share take real(a.sum,2018) and per_head(a.sum))"},
		{"twice", nil, "aggregates=real(per_head(real(plan.sum,2016)),2017)", cube.CodeBadSyntax,
			"aggregates at 0: per_head(real(plan.sum,2016)) is so already (write it once)"},
		{"prices of two years", nil, "aggregates=diff(real(plan.sum,2016),paid.sum)", cube.CodeBadSyntax,
			"aggregates at 0: real(plan.sum,2016) and paid.sum are in prices of different years " +
				"(ask both in prices of one year, as diff(real(a.sum,2018),real(b.sum,2018)))"},
		{"two kinds", nil, "aggregates=diff(per_head(plan.sum),paid.sum)", cube.CodeBadSyntax,
			"aggregates at 0: per_head(plan.sum) is an amount per head, paid.sum is an amount " +
				"(a diff is of two amounts, two counts or two ratios; ratio divides one by the other)"},
		{"prices that are not known", nil, "aggregates=real(plan.sum,1998)", cube.CodeBadValue,
			`aggregates at 0: the series "Consumer prices, annual change" has no prices of 1998 (it is of 2000 to 2023)`},
		{"prices of a year in a gap", gap, "aggregates=real(plan.sum,2015)", cube.CodeBadValue,
			`aggregates at 0: the series "Prices" has no prices of 2015 (it has 2012 and 2018, and no year between)`},
		{"no country", inCroatia(t, ""), "aggregates=real(plan.sum,2016)", cube.CodeNoSeries,
			"aggregates at 0: no prices are known, since neither the descriptor nor the overlay of spending names a country " +
				"(name it in the overlay, as country: {en: Croatia}, or load the package with a folder series, which has those of its country)"},
		{"no country for its inhabitants", inCroatia(t, ""), "aggregates=per_head(plan.sum)", cube.CodeNoSeries,
			"aggregates at 0: no inhabitants are known, since neither the descriptor nor the overlay of spending names a country " +
				"(name it in the overlay, as country: {en: Croatia}, or load the package with a folder series, which has those of its country)"},
		{"perhaps a town", perhaps, "aggregates=per_head(plan.sum)", cube.CodeNoSeries,
			"aggregates at 0: the descriptor of spending does not say whether it is the budget of the whole country (if it is, say so in the descriptor, " +
				`as "govt_level": "National"; else load the package with a folder series, which has its own inhabitants)`},
		{"a country without series", inCroatia(t, "Atlantis"), "having=per_head(plan.sum)>1", cube.CodeNoSeries,
			"having at 0: no inhabitants of Atlantis are known (load the package with a folder series, which has those of its country)"},
		{"a town", town, "aggregates=real(plan.sum,2016)|per_head(plan.sum)", cube.CodeNoSeries,
			`aggregates at 20: the inhabitants of the country are not those of spending, which is a budget of the level "Municipal" ` +
				"(load the package with a folder series, which has its own inhabitants)"},
		{"no years", undated, "aggregates=per_head(plan.sum)", cube.CodeNoSeries,
			"aggregates at 0: the rows of spending have no fiscal year (ask the amounts as they are)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.of == nil {
				tt.of = inCroatia(t, "Croatia")
			}
			q, err := cubetest.Read(tt.question)
			if err == nil {
				_, err = plan.Bind(tt.of, q)
			}
			cubetest.WantError(t, err, tt.code, tt.want)
		})
	}
}

func TestBind_SumsByYear(t *testing.T) {
	bound := cubetest.Bind(t, inCroatia(t, "Croatia"), "aggregates=real(plan.sum,2018)|per_head(real(paid.sum,2018))|real(diff(plan.sum,paid.sum),2018)&cut=year:2016")
	var parts []string
	for _, p := range bound.Main().Parts() {
		parts = append(parts, fmt.Sprint(p.Measure, " ", p.ByYear, " ", p.Year))
	}
	if want := []string{"plan false ", "plan true 2016", "paid false ", "paid true 2016"}; !slices.Equal(parts, want) {
		t.Errorf("parts %q, want %q", parts, want)
	}
	var scales []int32
	for _, a := range bound.Aggregates() {
		scales = append(scales, a.Scale)
	}
	if want := []int32{0, 6, 2}; !slices.Equal(scales, want) {
		t.Errorf("decimals %v, want %v", scales, want)
	}
	names := each.Text(bound.Series(), func(s cube.Series) string { return s.Name + " " + s.Country })
	if want := []string{"inflation HRV", "population HRV"}; !slices.Equal(names, want) {
		t.Errorf("series %q, want %q", names, want)
	}
	if years, missing := bound.YearsWithoutFactor(); len(years) > 0 || missing {
		t.Errorf("no factor of %v, of no year: %v", years, missing)
	}
}

// The other side of a comparison may be of a year that the cuts do not admit.
func TestBind_SumsByYearOfBothSides(t *testing.T) {
	bound := cubetest.Bind(t, inCroatia(t, "Croatia"), "aggregates=per_head(plan.sum)&cut=year:2017&compare=year:-1")
	if n := len(bound.Aggregates()[0].ByYear.Years); n != 2 {
		t.Errorf("%d years, want 2", n)
	}
}

func TestDerived_IsNotInRealTerms(t *testing.T) {
	_, err := plan.ReadDerived(cubetest.Spending(t).Model, cube.Derived{Ref: "r", Formula: "share(real(plan.sum,2018))"})
	cubetest.WantError(t, err, cube.CodeBadValue, "aggregates at 6: a derived measure is neither in real terms nor per head "+
		"(declare it without, and ask real(…,2018) or per_head(…) of it)")
}
