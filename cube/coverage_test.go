package cube_test

import (
	"fmt"
	"testing"

	"fiscube/cube"
)

// A year has a part alone if it has fewer periods than the level has by its name or, without one, than divide a year and no year exceeds.
func TestCube_PartOfYear(t *testing.T) {
	upTo := func(last int64) (numbers []int64) {
		for n := range last {
			numbers = append(numbers, n+1)
		}
		return numbers
	}
	of := func(year int64, numbers ...int64) cube.YearPeriods {
		return cube.YearPeriods{Column: "part", Year: year, Numbers: numbers}
	}
	named := func(title string) cube.Titles { return cube.Titles{"en": "Part", "es": title} }
	for name, tt := range map[string]struct {
		titles  cube.Titles
		periods []cube.YearPeriods
		want    string // those of 2017
	}{
		"one of some":                    {nil, []cube.YearPeriods{of(2017, 1)}, "part [1]"},
		"another one":                    {nil, []cube.YearPeriods{of(2017, 3)}, "none"},
		"all months":                     {nil, []cube.YearPeriods{of(2017, upTo(12)...)}, "none"},
		"the last month":                 {named("Mes"), []cube.YearPeriods{of(2017, 12)}, "none"},
		"seven":                          {nil, []cube.YearPeriods{of(2017, upTo(7)...)}, "part [1 2 3 4 5 6 7]"},
		"perhaps quarters":               {nil, []cube.YearPeriods{of(2017, upTo(4)...)}, "none"},
		"four months by their name":      {named("El mes"), []cube.YearPeriods{of(2017, upTo(4)...)}, "part [1 2 3 4]"},
		"four quarters by their name":    {named("Trimestre"), []cube.YearPeriods{of(2017, upTo(4)...)}, "none"},
		"two quarters by their name":     {named("Trimestre"), []cube.YearPeriods{of(2017, 1, 2)}, "part [1 2]"},
		"more than there are quarters":   {named("Trimestre"), []cube.YearPeriods{of(2017, upTo(5)...)}, "part [1 2 3 4 5]"},
		"a word that begins so":          {named("Mesa"), []cube.YearPeriods{of(2017, upTo(4)...)}, "none"},
		"four where another year has 12": {nil, []cube.YearPeriods{of(2016, upTo(12)...), of(2017, upTo(4)...)}, "part [1 2 3 4]"},
		"with a gap":                     {nil, []cube.YearPeriods{of(2017, 1, 2, 12)}, "part [1 2 12]"},
		"another year":                   {nil, []cube.YearPeriods{of(2016, 1)}, "none"},
	} {
		m, err := (&cube.Draft{
			Columns:    []cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "part", Type: cube.TypeInteger}, {Name: "plan"}},
			Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}}}, {Name: "parts", Levels: []cube.Level{{Ref: "part", Titles: tt.titles}}}},
			Measures:   []cube.Measure{{Ref: "plan"}},
		}).Model()
		if err != nil {
			t.Fatal(err)
		}
		c := &cube.Cube{Package: &cube.Package{Model: m, Coverage: &cube.YearCoverage{Years: []int64{2016, 2017}, Periods: tt.periods}}}
		got := "none"
		if level, numbers, ok := c.PartOfYear(2017); ok {
			got = fmt.Sprint(level.Ref, " ", numbers)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	if _, _, ok := (&cube.Cube{Package: &cube.Package{}}).PartOfYear(2017); ok {
		t.Error("rows without a year have a part of one")
	}
}
