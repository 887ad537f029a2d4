package answer_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
	"fiscube/cube/prose"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// citation gives the citation of the answer to a question.
func citation(t *testing.T, s answer.Store, c *cube.Cube, question string, language cube.Language) string {
	t.Helper()
	cited, err := answer.Cite(t.Context(), s, run(t, s, cubetest.Bind(t, c, question)), words.Locale{Language: language}, prose.Named{})
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return cited.Text
}

// cited gives that of the test model, which has no rows.
func cited(t *testing.T, question string, language cube.Language) string {
	t.Helper()
	c := cubetest.Cube(t)
	return citation(t, cubetest.NewStore(c.Model), c, question, language)
}

// What an answer is compared with is named by the point that the cuts admit, however they are written.
func TestCite_NamesThePositionThatIsComparedWith(t *testing.T) {
	told(t, func(question string) string {
		return cited(t, question+"&aggregates=approved_value.sum&compare=quarter:-1", cube.English)
	})
}

// A year that is compared with is cited with its statement, if it has several.
func TestCite_NamesTheStatementThatIsComparedWith(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2017/01", "2018/01", "2018/02", "2018/03", "2019/02"))
	store := cubetest.NewStore(c.Model)
	told(t, func(question string) string {
		return citation(t, store, c, question+"&aggregates=flujo.sum&compare=ejercicio:-1", cube.English)
	})
}

// The report of a year is cited also where it is the only one.
func TestCite_NamesTheOnlyReport(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2017/09", "2018/09", "2019/06", "2020/06", "2020/09"))
	store := cubetest.NewStore(c.Model)
	told(t, func(question string) string {
		return citation(t, store, c, question+"&aggregates=pi_monto.sum", cube.English)
	})
}

// Real terms and amounts per head are cited with their series.
func TestCite_NamesTheSeries(t *testing.T) {
	c := cubetest.Spending(t)
	c.Country, c.GovtLevel, c.Coverage = "Croatia", "National", &cube.YearCoverage{Years: []int64{2016, 2017}}
	store := cubetest.NewStore(c.Model, cubetest.Spent...)
	const question = "aggregates=per_head(real(plan.sum,2018))|ratio(real(plan.sum,2016),plan.sum)&cut=year:2017"
	told(t, func(language string) string { return citation(t, store, c, question, cube.Language(language)) })
}

// A citation names the years of the rows that the numbers include, of those that the cuts admit.
func TestCite_NamesTheYearsOfTheRows(t *testing.T) {
	c := breaking(t)
	c.Coverage.Years = []int64{2015, 2016, 2017}
	store := cubetest.NewStore(c.Model, append([]string{"2015 s d D 1 - - - -"}, cubetest.Spent...)...)
	told(t, func(question string) string { return citation(t, store, c, question, cube.English) })
}

func TestCite_AnUnknownLanguageIsEnglish(t *testing.T) {
	question := "drilldown=quarter&cut=quarter:2&aggregates=share(approved_value.sum)&having=_count>1&compare=quarter:-1"
	if got, want := cited(t, question, "tlh"), cited(t, question, cube.English); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p := cubetest.MustAsk(t, question)
	store := cubetest.NewStore(p.Cube().Model)
	other, err := answer.Run(t.Context(), store, p, "tlh")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := warningsText(other.Warnings), warningsText(run(t, store, p).Warnings); got != want || want == "" {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// warningsText writes warnings, one a line.
func warningsText(list []cube.Warning) string {
	return strings.Join(each.Text(list, func(w cube.Warning) string { return w.Code + ": " + w.Message }), "\n")
}
