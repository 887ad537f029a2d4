package answer_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
)

// comparedText asks a question and adds the warning of what is not compared.
func comparedText(t *testing.T, s answer.Store, c *cube.Cube, question string) string {
	t.Helper()
	a := run(t, s, cubetest.Bind(t, c, question))
	text := answerText(a)
	for _, w := range a.Warnings {
		if w.Code == cube.WarnNotCompared || w.Code == cube.WarnNothingMatches {
			text += "\n" + w.Message
		}
	}
	return text
}

type comparing struct{ name, question, want string }

func compareAll(t *testing.T, s answer.Store, c *cube.Cube, clauses string, tests []comparing) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := comparedText(t, s, c, tt.question+clauses); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
}

// Unit u has amounts in June alone in 2018, unit v in 2019 alone; of 2017 there is nothing but December.
func TestRun_SnapshotsShowWhatIsNewAndGone(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2017/12", "2018/06", "2018/12", "2019/06"))
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}}
	store := cubetest.NewStore(c.Model, "2017 12 - - t 1 -", "2017 12 - - u 1 -", "2018 06 - - t 2 -", "2018 06 - - u 3 -",
		"2018 12 - - t 4 -", "2019 06 - - t 5 -", "2019 06 - - v 7 -")
	compareAll(t, store, c, "&aggregates=pi_monto.sum&compare=ejercicio:-1", []comparing{
		{"a unit that is stated no more", "drilldown=titulo&cut=ejercicio:2019|titulo:u",
			"u = null 3 -3 -100 gone\n1: null 3 -3 -100"},
		{"the same without the drilldown", "cut=ejercicio:2019|titulo:u",
			"= null 3 -3 -100 gone\n1: null 3 -3 -100"},
		{"a unit that was not stated", "cut=ejercicio:2019|titulo:v", "= 7 null 7 null new\n1: 7 null 7 null"},
		{"in each year", "drilldown=ejercicio&cut=titulo:u",
			"2017 = 1 null null null\n2018 = null 1 -1 -100 gone\n2019 = null 3 -3 -100 gone\n3: 1 null null null\n" +
				"ejercicio: nothing is there to compare with for 2017 (no mes 12 of 2016)"},
		{"in each statement", "drilldown=mes|titulo&cut=ejercicio:2018|titulo:u",
			"06 u = 3 null null null\n12 u = null 1 -1 -100 gone\n2: null 1 -1 -100\n" +
				"ejercicio: nothing is there to compare with for 2018/06 (no mes 06 of 2017)"},
	})
}

// Where it is not known which years have rows, the rows show which points have no counterpart.
func TestRun_WarnsOfRowsWithoutACounterpart(t *testing.T) {
	c := cubetest.Spending(t)
	store := cubetest.NewStore(c.Model, "2014 n a A 1 - - - -", "2016 n a A 2 - - - -", "2017 n a A 4 - - - -", "2017 s d D 5 - - - -", "- s d D 8 - - - -")
	const nothing = "year: nothing is there to compare with for "
	compareAll(t, store, c, "&aggregates=plan.sum&compare=year:-1", []comparing{
		{"drilled", "drilldown=town|year",
			"a 2014 = 1 null null null\na 2016 = 2 null null null\na 2017 = 4 2 2 100\nd 2017 = 5 null 5 null new\nd - = 8 null null null\n" +
				"5: 20 null null null\n" + nothing + "2014 (no such rows of 2013), 2016 (no such rows of 2015), rows without year"},
		{"cut", "cut=year:2016", "= 2 null null null\n1: 2 null null null\n" + nothing + "2016 (no such rows of 2015)"},
		{"cut and drilled by others", "drilldown=town&cut=year:2014", "a = 1 null null null\n1: 1 null null null\n" + nothing + "2014 (no such rows of 2013)"},
		{"as far as the cuts go", "cut=year:2017|town:d", "= 5 null null null\n1: 5 null null null\n" + nothing + "2017 (no such rows of 2016)"},
		{"nothing at all", "drilldown=town&cut=year:2015|town:d", "0: null null null null\n" +
			"no row of the package has year:2015"},
		{"beside too great a number", "cut=year:-9223372036854775808", "0: null null null null\n" +
			"no row of the package has year:-9223372036854775808"},
	})
	var many []string
	for year := range 15 {
		many = append(many, strings.Replace("20YY n a A 1 - - - -", "YY", string(rune('0'+year/5))+string(rune('0'+2*(year%5))), 1))
	}
	got := comparedText(t, cubetest.NewStore(c.Model, many...), c, "drilldown=year&cut=year:2000..2099&aggregates=plan.sum&compare=year:-1&pagesize=0")
	if !strings.HasSuffix(got, "2022 (no such rows of 2021) and 3 more") {
		t.Error(got)
	}
}

// June of 2019, the last month there is, is compared with June of 2018, though December of 2018 is there.
func TestRun_SnapshotsAreComparedWithEqualOnes(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Flat)
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}}
	store := cubetest.NewStore(c.Model, "2017 06 - - t 40 1", "2017 12 - - t 90 2", "2018 06 - - t 100 4", "2018 12 - - t 250 8",
		"2019 06 - - t 130 16", "2019 06 - - u 5 -")
	for _, tt := range []struct{ name, question, want string }{
		{"a year cut", "cut=ejercicio:2019&aggregates=pi_monto.sum&compare=ejercicio:-1", "= 135 100 35 35\n1: 135 100 35 35"},
		{"years drilled", "drilldown=ejercicio&aggregates=pi_monto.sum&compare=ejercicio:-1",
			"2017 = 90 null null null\n2018 = 250 90 160 177.77777778\n2019 = 135 100 35 35\n3: 475 null null null"},
		{"a year after has no June", "cut=ejercicio:2018&aggregates=pi_monto.sum&compare=ejercicio:1", "= 250 null null null\n1: 250 null null null"},
		{"as of June", "drilldown=titulo&cut=ejercicio:2018|mes:..06&aggregates=pi_monto.sum&compare=ejercicio:1",
			"t = 100 130 -30 -23.07692308\nu = null 5 -5 -100 gone\n2: 100 135 -35 -25.92592593"},
		{"each statement", "drilldown=mes&cut=ejercicio:2019&aggregates=pi_monto.sum&compare=ejercicio:-1",
			"06 = 135 100 35 35\n1: 135 100 35 35"},
		{"subtotals count one statement", "drilldown=titulo|ejercicio|mes&cut=ejercicio:2018..&aggregates=pi_monto.sum|_count&rollup=1",
			"t = 380 2 titulo\nt 2018 = 250 1 ejercicio\nt 2018 06 = 100 1 mes\nt 2018 12 = 250 1 mes\n" +
				"t 2019 = 130 1 ejercicio\nt 2019 06 = 130 1 mes\nu = 5 1 titulo\nu 2019 = 5 1 ejercicio\nu 2019 06 = 5 1 mes\n9: 385 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
	warnings := run(t, store, cubetest.Bind(t, c, "drilldown=ejercicio&compare=ejercicio:-1")).Warnings
	if i := len(warnings) - 1; i < 0 || warnings[i].Code != cube.WarnNotCompared ||
		warnings[i].Message != "ejercicio: nothing is there to compare with for 2017 (no mes 12 of 2016)" {
		t.Errorf("warnings %v", warnings)
	}
}

// Of the years before, 2017 alone has the December to compare with. That it is one snapshot does not let the others
// in, and all years together have nothing to be compared with.
func TestRun_PeriodsThatAreNotComparedAreLeftOut(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2017/06", "2017/12", "2018/12", "2020/12"))
	store := cubetest.NewStore(c.Model, "2017 06 - - t 1 -", "2017 12 - - t 2 -", "2018 12 - - t 4 -", "2020 12 - - t 8 -")
	for question, want := range map[string]string{
		"drilldown=ejercicio&": "2017 = 2 null null null\n2018 = 4 2 2 100\n2020 = 8 null null null\n3: 14 null null null",
		"":                     "= 14 null null null\n1: 14 null null null",
	} {
		question += "cut=!ejercicio:1999&aggregates=pi_monto.sum&compare=ejercicio:-1"
		if got := answered(t, store, c, question); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", question, got, want)
		}
	}
}

// The years that a question is about are compared, and no others: neither an open cut nor an inverted one lets more
// in, and where one of them has no counterpart nothing is compared.
func TestRun_TheSameNumberOfYearsIsCompared(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "paid", Years: []int64{2014}}}}
	store := cubetest.NewStore(c.Model, "2014 n a A 1 - - - -", "2015 n a A 2 20 - - -", "2016 n a A 4 40 - - -")
	for cut, want := range map[string]string{
		"year:2015..":     "= 6 3 3 100 60 null null null",
		"!year:2014":      "= 6 3 3 100 60 null null null",
		"year:2015..2099": "= 6 3 3 100 60 null null null",
		"year:2016":       "= 4 2 2 100 40 20 20 100",
		"year:2015":       "= 2 1 1 100 20 null null null",
		"year:2014..2015": "= 3 null null null 20 null null null",
		"year:2014;2016":  "= 5 null null null 40 null null null",
	} {
		question := "cut=" + cut + "&aggregates=plan.sum|paid.sum&compare=year:-1"
		if got, _, _ := strings.Cut(answered(t, store, c, question), "\n"); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
}

// A share of the parent in one year compares one year with another, though several are asked and one of them has nothing
// to be compared with. A share of several years does not.
func TestRun_SharesOfOneYearAreCompared(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "paid", Years: []int64{2014}}}}
	store := cubetest.NewStore(c.Model, "2014 n a A 1 - - - -", "2014 s c C 1 - - - -", "2015 n a A 2 20 - - -", "2015 s c C 2 20 - - -",
		"2016 n a A 4 30 - - -", "2016 s c C 4 10 - - -")
	for question, want := range map[string]string{
		"drilldown=year|region&cut=year:2015..2016&aggregates=share_of_parent(paid.sum)": "2015 n = 0.5 null null null\n2015 s = 0.5 null null null\n" +
			"2016 n = 0.75 0.5 0.25 50\n2016 s = 0.25 0.5 -0.25 -50\n4: 1 null null null",
		"drilldown=region|year&cut=region:n|year:2015..2016&aggregates=share_of_parent(paid.sum)": "n 2015 = 0.4 null null null\n" +
			"n 2016 = 0.6 null null null\n2: 1 null null null",
		"drilldown=year|region&cut=region:n|year:2015..2016&aggregates=share(paid.sum)": "2015 n = 0.4 null null null\n2016 n = 0.6 null null null\n" +
			"2: 1 null null null",
	} {
		question += "&compare=year:-1"
		if got := answered(t, store, c, question); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", question, got, want)
		}
	}
}

// The town is empty in 2014: neither are its rows another town's, nor are the towns of 2015 new.
func TestRun_YearsAreComparedInLevelsThatBothHave(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2013, 2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "town", Years: []int64{2013, 2014}}}}
	store := cubetest.NewStore(c.Model, "2013 n - - 1 - - - -", "2014 n - - 2 - - - -", "2015 n a A 3 - - - -", "2016 n a A 4 - - - -", "2016 s - - 5 - - - -")
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

// Snapshots of years are compared in the same way.
func TestRun_SnapshotsAreComparedInLevelsThatBothHave(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2017/12", "2018/06", "2018/12", "2019/06"))
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}, Gaps: []cube.YearGap{{Column: "titulo", Years: []int64{2017}}}}
	store := cubetest.NewStore(c.Model, "2017 12 - - - 1 -", "2018 06 - - t 2 -", "2018 12 - - t 4 -", "2019 06 - - t 5 -")
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

// A year that was asked has no counterpart, though the cuts leave it no cell: a sum of it is of more years than those that
// it would be compared with. What top leaves out is of its own cells alone.
func TestRun_SumsOfYearsWithoutACounterpartAreNotCompared(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}}
	store := cubetest.NewStore(c.Model, "2014 n a A 1 - - - -", "2015 s c C 2 - - - -", "2016 n a A 3 - - - -", "2016 s c C 4 - - - -")
	const without = "\nyear: nothing is there to compare with for 2014 (no rows of 2013)"
	compareAll(t, store, c, "&aggregates=plan.sum&compare=year:-1", []comparing{
		{"the summary", "drilldown=year&cut=region:s", "2015 = 2 null 2 null new\n2016 = 4 2 2 100\n2: 6 null null null" + without},
		{"heads", "drilldown=region|year&cut=region:s&rollup=1",
			"s = 6 null null null region\ns 2015 = 2 null 2 null year new\ns 2016 = 4 2 2 100 year\n3: 6 null null null" + without},
		{"heads of a year", "drilldown=year|region&cut=region:s|year:2016&rollup=1", "2016 = 4 2 2 100 year\n2016 s = 4 2 2 100 region\n2: 4 2 2 100"},
		{"what is left over", "drilldown=region|year&cut=region:s&top=1&remainder=1&order=plan.sum",
			"s 2015 = 2 null 2 null new\ns = 4 2 2 100 others 1\n2: 6 null null null" + without},
	})
}

// The warning names the measures that one side alone has, and says more only where years are added up.
func TestRun_WarnsOfMeasuresThatOneSideHasAlone(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "paid", Years: []int64{2014}}}}
	store := cubetest.NewStore(c.Model, "2014 n a A 1 - - - -", "2015 n a A 2 1 - - -", "2016 n a A 4 1 - - -")
	const partial = "\nyear: the years that are compared do not all have amounts in paid"
	compareAll(t, store, c, "&aggregates=execution|plan.sum&compare=year:-1", []comparing{
		{"one year", "cut=year:2015", "= 0.5 null null null 2 1 1 100\n1: 0.5 null null null 2 1 1 100" + partial},
		{"several", "cut=year:2015..", "= 0.33333333 null null null 6 3 3 100\n1: 0.33333333 null null null 6 3 3 100" + partial +
			"; sums over several years are not compared"},
		{"with as many", "cut=year:2016", "= 0.25 0.5 -0.25 -50 4 2 2 100\n1: 0.25 0.5 -0.25 -50 4 2 2 100"},
	})
}

// A cell that is gone has the amounts that fill gives it, which sums leave out; years in gaps are compared, too.
func TestRun_FillsBesideAComparison(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2012, 2013, 2014, 2015, 2017}}
	store := cubetest.NewStore(c.Model, "2012 n a A 7 - - - -", "2013 n a A 1 - - - -", "2014 n a A 2 - - - -", "2015 s c C 4 - - - -", "2017 n a A 8 - - - -")
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
