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

// cited gives the citation of the answer to a question of the test model, which has no rows.
func cited(t *testing.T, question string, language cube.Language) string {
	t.Helper()
	p := cubetest.MustAsk(t, question)
	store := cubetest.NewStore(p.Cube().Model)
	citation, err := answer.Cite(t.Context(), store, run(t, store, p), words.Locale{Language: language}, prose.Named{})
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return citation.Text
}

// What an answer is compared with is named by the point that the cuts admit, however they are written.
func TestCite_NamesThePositionThatIsComparedWith(t *testing.T) {
	for cut, want := range map[string]string{
		"quarter:2":                     "Approved of quarter 1: ",
		"date:2016/2":                   "Approved of quarter 1: ",
		"date:2016/2|quarter:..4":       "Approved of quarter 1: ",
		"quarter:2;3&drilldown=quarter": "Approved where quarter is lower by 1: ",
		"date:/&drilldown=quarter":      "Approved where quarter is lower by 1: ",
	} {
		question := "cut=" + cut + "&aggregates=approved_value.sum&compare=quarter:-1"
		if got := cited(t, question, cube.English); !strings.Contains(got, "; "+want) {
			t.Errorf("%s: no %q in\n%s", cut, want, got)
		}
	}
}

// A year that is compared with is cited with its statement, if it has several.
func TestCite_NamesTheStatementThatIsComparedWith(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2017/01", "2018/01", "2018/02", "2018/03", "2019/02"))
	store := cubetest.NewStore(c.Model)
	for question, want := range map[string]string{
		"cut=ejercicio:2019":        "; flujo of 2018 (mes 02): ",
		"cut=ejercicio:2019|mes:02": "; flujo of 2018: ",
		"cut=ejercicio:2017":        "; flujo of 2016: ",
	} {
		p := cubetest.Bind(t, c, question+"&aggregates=flujo.sum&compare=ejercicio:-1")
		citation, err := answer.Cite(t.Context(), store, run(t, store, p), words.Locale{Language: cube.English}, prose.Named{})
		if err != nil || !strings.Contains(citation.Text, want) {
			t.Errorf("%s: %v, no %q in\n%s", question, err, want, citation.Text)
		}
	}
}

// The report of a year is cited also where it is the only one.
func TestCite_NamesTheOnlyReport(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2017/09", "2018/09", "2019/06", "2020/06", "2020/09"))
	store := cubetest.NewStore(c.Model)
	for question, want := range map[string]string{
		"cut=ejercicio:2017":                  " – ejercicio: 2017; mes: 09, the last report. ",
		"cut=ejercicio:2017;2018":             "; mes: 09, the last report. ",
		"cut=ejercicio:2018;2019":             "; mes: the last report of each ejercicio (2018: 09, 2019: 06). ",
		"cut=ejercicio:2019|mes:06":           " – mes: 06; ejercicio: 2019. ",
		"cut=ejercicio:2020":                  " – mes: 09, the last report; ejercicio: 2020. ",
		"cut=ejercicio:2020&snapshots=all":    " – ejercicio: 2020; the same money added up ",
		"cut=ejercicio:2017&drilldown=titulo": " – ejercicio: 2017; mes: 09, the last report. ",
	} {
		p := cubetest.Bind(t, c, question+"&aggregates=pi_monto.sum")
		citation, err := answer.Cite(t.Context(), store, run(t, store, p), words.Locale{Language: cube.English}, prose.Named{})
		if err != nil || !strings.Contains(citation.Text, want) || strings.Count(citation.Text, "mes:") > 1 {
			t.Errorf("%s: %v, no %q in\n%s", question, err, want, citation.Text)
		}
	}
}

// Real terms and amounts per head are cited with their series.
func TestCite_NamesTheSeries(t *testing.T) {
	c := cubetest.Spending(t)
	c.Country, c.GovtLevel, c.Coverage = "Croatia", "National", &cube.YearCoverage{Years: []int64{2016, 2017}}
	store := cubetest.NewStore(c.Model, cubetest.Spent...)
	const question = "aggregates=per_head(real(plan.sum,2018))|ratio(real(plan.sum,2016),plan.sum)&cut=year:2017"
	for language, want := range map[cube.Language][]string{
		cube.English: {"plan in prices of 2018 per person: 0.0000 HRK; (plan in prices of 2016) / plan: 0.98883240 (98.9%)", "; prices: World Bank, FP.CPI.TOTL.ZG", "; inhabitants: World Bank, SP.POP.TOTL"},
		"es":         {"plan en precios de 2018 por persona", "; precios: World Bank", "; habitantes: World Bank"},
		"hr":         {"plan u cijenama iz 2018. po stanovniku", "; cijene: World Bank", "; stanovnici: World Bank"},
	} {
		p := cubetest.Bind(t, c, question)
		citation, err := answer.Cite(t.Context(), store, run(t, store, p), words.Locale{Language: language}, prose.Named{})
		for _, text := range want {
			if err != nil || !strings.Contains(citation.Text, text) {
				t.Errorf("%v, no %q in\n%s", err, text, citation.Text)
			}
		}
	}
}

// A citation names the years of the rows that the numbers include, of those that the cuts admit.
func TestCite_NamesTheYearsOfTheRows(t *testing.T) {
	c := breaking(t)
	c.Coverage.Years = []int64{2015, 2016, 2017}
	store := cubetest.NewStore(c.Model, append([]string{"2015 s d D 1 - - - -"}, cubetest.Spent...)...)
	for question, want := range map[string]string{
		"aggregates=plan.sum":            "– all rows; year: 2015 to 2017.",
		"cut=town:b":                     "– town: B (b); year: 2016.",
		"cut=town:b|year:2016;2017":      "– town: B (b); year: 2016.",
		"cut=town:d|year:2015;2016;2017": "– town: D (d); year: 2015 and 2017.",
		"cut=town:a|year:2016;2017":      "– town: A (a); year: 2016 or 2017.",
		"cut=town:a|year:2016..":         "– town: A (a); year: 2016 to 2017.",
		"cut=town:x|year:2016":           "– town: x; year: 2016.", // which has no rows
		"cut=town:x":                     "– town: x; year: 2015 to 2017.",
		"cut=town:c&drilldown=region&aggregates=paid.sum|_count":     "– town: C (c); year: 2016 to 2017.",
		"cut=town:b;d|year:2016;2017&compare=year:-1&drilldown=town": "year: 2016 or 2017.",
	} {
		if !strings.Contains(question, "aggregates") {
			question += "&aggregates=plan.sum"
		}
		p := cubetest.Bind(t, c, question)
		citation, err := answer.Cite(t.Context(), store, run(t, store, p), words.Locale{Language: cube.English}, prose.Named{})
		if err != nil {
			t.Fatalf("%s: %v", question, err)
		}
		if !strings.Contains(citation.Text, want) {
			t.Errorf("%s: no %q in\n%s", question, want, citation.Text)
		}
	}
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
