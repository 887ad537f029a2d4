package answer_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
	"fiscube/internal/golden"
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

// told checks what is told of the questions in the file of testdata that has the name of the test.
func told(t *testing.T, tell func(question string) string) {
	t.Helper()
	golden.Answers(t, "testdata/"+strings.TrimPrefix(t.Name(), "TestRun_")+".txt", tell)
}

// answers checks the answers to questions that go on with some clauses.
func answers(t *testing.T, s answer.Store, c *cube.Cube, clauses string) {
	t.Helper()
	told(t, func(question string) string { return comparedText(t, s, c, question+clauses) })
}

// Unit u has amounts in June alone in 2018, unit v in 2019 alone; of 2017 there is nothing but December.
func TestRun_SnapshotsShowWhatIsNewAndGone(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2017/12", "2018/06", "2018/12", "2019/06"))
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}}
	store := cubetest.NewStore(c.Model, "2017 12 - - t 1 -", "2017 12 - - u 1 -", "2018 06 - - t 2 -", "2018 06 - - u 3 -",
		"2018 12 - - t 4 -", "2019 06 - - t 5 -", "2019 06 - - v 7 -")
	answers(t, store, c, "&aggregates=pi_monto.sum&compare=ejercicio:-1")
}

// Where it is not known which years have rows, the rows show which points have no counterpart.
func TestRun_WarnsOfRowsWithoutACounterpart(t *testing.T) {
	c := cubetest.Spending(t)
	store := cubetest.NewStore(c.Model, "2014 n a A 1 - - - -", "2016 n a A 2 - - - -", "2017 n a A 4 - - - -", "2017 s d D 5 - - - -", "- s d D 8 - - - -")
	answers(t, store, c, "&aggregates=plan.sum&compare=year:-1")
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
	answers(t, store, c, "")
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
	answers(t, store, c, "&cut=!ejercicio:1999&aggregates=pi_monto.sum&compare=ejercicio:-1")
}

// The years that a question is about are compared, and no others: neither an open cut nor an inverted one lets more
// in, and where one of them has no counterpart nothing is compared.
func TestRun_TheSameNumberOfYearsIsCompared(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "paid", Years: []int64{2014}}}}
	store := cubetest.NewStore(c.Model, "2014 n a A 1 - - - -", "2015 n a A 2 20 - - -", "2016 n a A 4 40 - - -")
	answers(t, store, c, "&aggregates=plan.sum|paid.sum&compare=year:-1")
}

// A share of the parent in one year compares one year with another, though several are asked and one of them has nothing
// to be compared with. A share of several years does not.
func TestRun_SharesOfOneYearAreCompared(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "paid", Years: []int64{2014}}}}
	store := cubetest.NewStore(c.Model, "2014 n a A 1 - - - -", "2014 s c C 1 - - - -", "2015 n a A 2 20 - - -", "2015 s c C 2 20 - - -",
		"2016 n a A 4 30 - - -", "2016 s c C 4 10 - - -")
	answers(t, store, c, "&compare=year:-1")
}

// The town is empty in 2014: neither are its rows another town's, nor are the towns of 2015 new.
func TestRun_YearsAreComparedInLevelsThatBothHave(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2013, 2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "town", Years: []int64{2013, 2014}}}}
	store := cubetest.NewStore(c.Model, "2013 n - - 1 - - - -", "2014 n - - 2 - - - -", "2015 n a A 3 - - - -", "2016 n a A 4 - - - -", "2016 s - - 5 - - - -")
	answers(t, store, c, "&aggregates=plan.sum")
}

// Snapshots of years are compared in the same way.
func TestRun_SnapshotsAreComparedInLevelsThatBothHave(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2017/12", "2018/06", "2018/12", "2019/06"))
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}, Gaps: []cube.YearGap{{Column: "titulo", Years: []int64{2017}}}}
	store := cubetest.NewStore(c.Model, "2017 12 - - - 1 -", "2018 06 - - t 2 -", "2018 12 - - t 4 -", "2019 06 - - t 5 -")
	answers(t, store, c, "&aggregates=pi_monto.sum&compare=ejercicio:-1")
}

// A year that was asked has no counterpart, though the cuts leave it no cell: a sum of it is of more years than those that
// it would be compared with. What top leaves out is of its own cells alone.
func TestRun_SumsOfYearsWithoutACounterpartAreNotCompared(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}}
	store := cubetest.NewStore(c.Model, "2014 n a A 1 - - - -", "2015 s c C 2 - - - -", "2016 n a A 3 - - - -", "2016 s c C 4 - - - -")
	answers(t, store, c, "&aggregates=plan.sum&compare=year:-1")
}

// The warning names the measures that one side alone has, and says more only where years are added up.
func TestRun_WarnsOfMeasuresThatOneSideHasAlone(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "paid", Years: []int64{2014}}}}
	store := cubetest.NewStore(c.Model, "2014 n a A 1 - - - -", "2015 n a A 2 1 - - -", "2016 n a A 4 1 - - -")
	answers(t, store, c, "&aggregates=execution|plan.sum&compare=year:-1")
}

// A cell that is gone has the amounts that fill gives it, which sums leave out; years in gaps are compared, too.
func TestRun_FillsBesideAComparison(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2012, 2013, 2014, 2015, 2017}}
	store := cubetest.NewStore(c.Model, "2012 n a A 7 - - - -", "2013 n a A 1 - - - -", "2014 n a A 2 - - - -", "2015 s c C 4 - - - -", "2017 n a A 8 - - - -")
	answers(t, store, c, "&aggregates=plan.sum&compare=year:-2")
}
