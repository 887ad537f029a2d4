package cube_test

import (
	"testing"

	"fiscube/cube"
)

// The town is empty in 2014: neither are its rows another town's, nor are the towns of 2015 new.
func TestYearsAreComparedInLevelsThatBothHave(t *testing.T) {
	c := spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2013, 2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "town", Years: []int64{2013, 2014}}}}
	store := remember(c.Model, "2013 n - - 1 - - - -", "2014 n - - 2 - - - -", "2015 n a A 3 - - - -", "2016 n a A 4 - - - -", "2016 s - - 5 - - - -")
	const nothing = "\nyear: nothing is there to compare with for "
	compareAll(t, store, c, "&aggregates=plan.sum", []comparing{
		{"cut", "cut=town:a|year:2015&compare=year:-1", "= 3 null null null\n1: 3 null null null" + nothing + "2015 (town is empty in 2014)"},
		{"cut out", "cut=!town:a|year:2015..2016&compare=year:-1",
			"= 5 null null null\n1: 5 null null null" + nothing + "2015 (town is empty in 2014)"},
		{"drilled", "drilldown=town&cut=year:2015&compare=year:-1", "a = 3 null null null\n1: 3 null null null" + nothing + "2015 (town is empty in 2014)"},
		{"in each year", "drilldown=town|year&cut=year:2014..2016&compare=year:-1", "a 2015 = 3 null null null\na 2016 = 4 3 1 33.33333333\n" +
			"- 2014 = 2 1 1 100\n- 2016 = 5 null 5 null new\n4: 14 null null null" + nothing + "2015 (town is empty in 2014)"},
		{"the other way round", "drilldown=town&cut=year:2014&compare=year:1",
			"- = 2 null null null\n1: 2 null null null" + nothing + "2014 (town is empty in 2014)"},
		{"where there are no rows at all", "drilldown=year|town&cut=year:2013;2015|town:a&compare=year:-1",
			"2015 a = 3 null null null\n1: 3 null null null" + nothing + "2013 (no rows of 2012), 2015 (town is empty in 2014)"},
		{"a level that both have", "drilldown=region&cut=year:2015&compare=year:-1", "n = 3 2 1 50\n1: 3 2 1 50"},
		{"a level that both lack", "drilldown=town&cut=year:2014&compare=year:-1", "- = 2 1 1 100\n1: 2 1 1 100"},
	})
}

// So are the statements of years.
func TestStatementsAreComparedInLevelsThatBothHave(t *testing.T) {
	c := stated(t, statements("2017/12", "2018/06", "2018/12", "2019/06"))
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}, Gaps: []cube.YearGap{{Column: "titulo", Years: []int64{2017}}}}
	store := remember(c.Model, "2017 12 - - - 1 -", "2018 06 - - t 2 -", "2018 12 - - t 4 -", "2019 06 - - t 5 -")
	const nothing = "\nejercicio: nothing is there to compare with for "
	compareAll(t, store, c, "&aggregates=pi_monto.sum&compare=ejercicio:-1", []comparing{
		{"one year", "cut=ejercicio:2018|titulo:t", "= 4 null null null\n1: 4 null null null" + nothing + "2018 (titulo is empty in 2017)"},
		{"each year", "drilldown=ejercicio|titulo&cut=ejercicio:2018..", "2018 t = 4 null null null\n2019 t = 5 2 3 150\n2: 9 null null null" +
			nothing + "2018 (titulo is empty in 2017)"},
		{"each statement", "drilldown=ejercicio|mes|titulo&cut=ejercicio:2018..",
			"2018 06 t = 2 null null null\n2018 12 t = 4 null null null\n2019 06 t = 5 2 3 150\n3: 9 null null null" +
				nothing + "2018 (titulo is empty in 2017)"},
		{"without the level", "cut=ejercicio:2018", "= 4 1 3 300\n1: 4 1 3 300"},
	})
}

// A year that was asked has no counterpart, though the cuts leave it no cell: what adds it up is of more years than it
// would stand beside. What top leaves out is of its own cells alone.
func TestSumsOfYearsWithoutACounterpartAreNotCompared(t *testing.T) {
	c := spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}}
	store := remember(c.Model, "2014 n a A 1 - - - -", "2015 s c C 2 - - - -", "2016 n a A 3 - - - -", "2016 s c C 4 - - - -")
	const lacking = "\nyear: nothing is there to compare with for 2014 (no rows of 2013)"
	compareAll(t, store, c, "&aggregates=plan.sum&compare=year:-1", []comparing{
		{"the summary", "drilldown=year&cut=region:s", "2015 = 2 null 2 null new\n2016 = 4 2 2 100\n2: 6 null null null" + lacking},
		{"heads", "drilldown=region|year&cut=region:s&rollup=1",
			"s = 6 null null null region\ns 2015 = 2 null 2 null year new\ns 2016 = 4 2 2 100 year\n3: 6 null null null" + lacking},
		{"heads of a year", "drilldown=year|region&cut=region:s|year:2016&rollup=1", "2016 = 4 2 2 100 year\n2016 s = 4 2 2 100 region\n2: 4 2 2 100"},
		{"what is left over", "drilldown=region|year&cut=region:s&top=1&remainder=1&order=plan.sum",
			"s 2015 = 2 null 2 null new\ns = 4 2 2 100 others 1\n2: 6 null null null" + lacking},
	})
}

// What one side alone has amounts of is named, and what that means only where years are added up.
func TestUnevenMeasuresAreNamedAlone(t *testing.T) {
	c := spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "paid", Years: []int64{2014}}}}
	store := remember(c.Model, "2014 n a A 1 - - - -", "2015 n a A 2 1 - - -", "2016 n a A 4 1 - - -")
	const uneven = "\nyear: the years that are compared do not all have amounts in paid"
	compareAll(t, store, c, "&aggregates=execution|plan.sum&compare=year:-1", []comparing{
		{"one year", "cut=year:2015", "= 0.5 null null null 2 1 1 100\n1: 0.5 null null null 2 1 1 100" + uneven},
		{"several", "cut=year:2015..", "= 0.33333333 null null null 6 3 3 100\n1: 0.33333333 null null null 6 3 3 100" + uneven +
			"; sums over several years are not compared"},
		{"with as many", "cut=year:2016", "= 0.25 0.5 -0.25 -50 4 2 2 100\n1: 0.25 0.5 -0.25 -50 4 2 2 100"},
	})
}

// Fill takes what is gone for what it fills with, in sums for nothing, and stands beside years that no row does.
func TestFillBesideAComparison(t *testing.T) {
	c := spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2012, 2013, 2014, 2015, 2017}}
	store := remember(c.Model, "2012 n a A 7 - - - -", "2013 n a A 1 - - - -", "2014 n a A 2 - - - -", "2015 s c C 4 - - - -", "2017 n a A 8 - - - -")
	for question, want := range map[string]string{
		"drilldown=region|year&cut=region:n|year:2014..&fill=zero&rollup=1": "n = 10 8 2 25 region\nn 2014 = 2 7 -5 -71.42857143 year\n" +
			"n 2015 = 0 1 -1 -100 year gone\nn 2016 = 0 2 null null year\nn 2017 = 8 null 8 null year new\n5: 10 8 2 25",
		"drilldown=year&cut=region:n|year:2014..&fill=null": "2014 = 2 7 -5 -71.42857143\n2015 = null 1 -1 -100 gone\n2016 = null 2 null null\n" +
			"2017 = 8 null 8 null new\n4: 10 8 2 25",
		"drilldown=year&cut=region:n|year:2015&fill=zero":      "2015 = 0 1 -1 -100 gone\n1: null 1 -1 -100",
		"drilldown=year&cut=region:n|year:2014;2017&fill=zero": "2014 = 2 7 -5 -71.42857143\n2017 = 8 null 8 null new\n2: 10 7 3 42.85714286",
	} {
		question += "&aggregates=plan.sum&compare=year:-2"
		if got := answered(t, store, c, question); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", question, got, want)
		}
	}
}
