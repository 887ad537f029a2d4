package plan_test

import (
	"fmt"
	"slices"
	"testing"

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
