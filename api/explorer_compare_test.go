package api_test

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
)

var (
	rowOfPairs = regexp.MustCompile(`(?s)<t[rf][^>]*>\n?(<tr>)?<th scope="row"[^>]*>(.*?)</th>(.*?)</tr>`)
	tags       = regexp.MustCompile(`<[^>]*>`)
)

// pairRows gives the rows of a comparison, the total last: what each is called, and its numbers.
func pairRows(t testing.TB, page string) (rows [][]string) {
	t.Helper()
	_, page, ok := strings.Cut(page, `<table class="cells pairs">`)
	if !ok {
		t.Fatalf("nothing is compared: %s", page)
	}
	for _, match := range rowOfPairs.FindAllStringSubmatch(page, -1) {
		cells := []string{html.UnescapeString(tags.ReplaceAllString(match[2], ""))}
		for _, cell := range strings.Split(match[3], "</td>") {
			cells = append(cells, html.UnescapeString(strings.TrimSpace(tags.ReplaceAllString(cell, ""))))
		}
		rows = append(rows, cells[:len(cells)-1])
	}
	return rows
}

// Two members have their amounts, shares and growth side by side, with what each has more.
func TestExplorer_CompareSideBySide(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	page := ask(t, h, "/explore/croatia?drilldown=econ_code&cut=Year:2017|admin1_code:1&_with=admin1_code:5&lang=en").body
	rows := pairRows(t, page)
	want := [][]string{
		{"2", "", "1,000,000,000,000,000,000.01", "-1,000,000,000,000,000,000.01", "", "100.0%", "", "new"},
		{"1", "130.00", "", "130.00", "100.0%", "", "+30.0%", ""},
		{"Total", "130.00", "1,000,000,000,000,000,000.01", "-999,999,999,999,999,870.01", "100.0%", "100.0%", "+30.0%", ""},
	}
	if !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("%q", rows)
	}
	for _, text := range []string{
		"<h1>1 and 5, 2017", "130 HRK", "exactly 130.00 · +30.0% (2016)", "1 quintillion HRK",
		"5 has 1 quintillion HRK more than 1, exactly 999,999,999,999,999,870.01",
		`href="../explore/croatia/number?cut=Year:2017%7Cadmin1_code:5%7Cecon_code:2&aggregates=approved_value.sum&lang=en"`,
		`href="../cubes/croatia/aggregate?drilldown=econ_code&cut=Year:2017%7Cadmin1_code:5&aggregates=approved_value.sum&lang=en"`,
		`cut=Year:2016%7Cadmin1_code:1&aggregates=approved_value.sum&lang=en&_with=admin1_code:5`, `>fin_code</a>`,
	} {
		if !strings.Contains(html.UnescapeString(page), text) {
			t.Errorf("no %s: %s", text, page)
		}
	}
	if strings.Contains(page, ">admin2_label</a>") {
		t.Error("the two are to be broken down by what is below one of them")
	}
}

// Beyond the largest rows others are added up, so that the rows come to the totals.
func TestExplorer_CompareAddsUp(t *testing.T) {
	var lines []string
	for i := range 50 {
		lines = append(lines, fmt.Sprintf("2017 1 x 1 x u %d 1 %d.5 1", 100+i, i), fmt.Sprintf("2017 2 x 1 x u %d 1 %d.25 1", 120+i, 3*i))
	}
	h := handler(t, drawn(t, lines...))
	page := ask(t, h, "/explore/croatia?drilldown=econ_code&cut=Year:2017|admin1_code:1&_with=admin1_code:2&lang=en").body
	rows := pairRows(t, page)
	total, others := rows[len(rows)-1], rows[len(rows)-2]
	if len(rows) != 32 || others[0] != "40 others" {
		t.Fatalf("%d rows, the last ones %q", len(rows), rows[len(rows)-2:])
	}
	for column := 1; column <= 3; column++ {
		sum := decimal.Zero
		for _, row := range rows[:len(rows)-1] {
			if row[column] != "" {
				sum = sum.Add(decimal.RequireFromString(strings.ReplaceAll(row[column], ",", "")))
			}
		}
		if want := decimal.RequireFromString(strings.ReplaceAll(total[column], ",", "")); !sum.Equal(want) {
			t.Errorf("column %d adds up to %s, the total is %s", column, sum, want)
		}
	}
	rest := regexp.MustCompile(`<a href="\.\.(/explore/[^"]*)">40 others`).FindStringSubmatch(page)
	if rest == nil {
		t.Fatalf("%s", page)
	}
	if all := pairRows(t, ask(t, h, html.UnescapeString(rest[1])).body); len(all) != 71 || all[70][3] != total[3] {
		t.Errorf("%d rows, the last one %q", len(all), all[len(all)-1])
	}
}

// What cannot stand side by side is refused with a sentence, and years alone are a change.
func TestExplorer_CompareRefuses(t *testing.T) {
	store := drawn(t, someBudget...)
	m := store.cubes[0].Model
	for _, measure := range []cube.Measure{
		{Ref: "executed: cash", Currency: "HRK", Unit: 1, Phase: "executed", Direction: "expenditure"},
		{Ref: "executed: cash", Currency: "EUR", Unit: 1, Phase: "approved", Direction: "expenditure"},
		{Ref: "executed: cash", Currency: "HRK", Unit: 1, Phase: "approved", Direction: "revenue"},
		{Ref: "executed: cash", Currency: "HRK", Unit: 1, Phase: "approved", Direction: "expenditure"},
	} {
		store.cubes[0].Model = newModel(t, m.Columns(), m.Dimensions(), []cube.Measure{m.Measures()[0], measure})
		page := ask(t, handler(t, store), "/explore/croatia?drilldown=econ_code&cut=Year:2017&_measure=executed:+cash").body
		want := map[string]string{"executed": "two stages of a budget", "EUR": "not in the same unit", "revenue": "one is spent and the other received"}
		sentence, refused := "", false
		for mark, text := range want {
			if mark == measure.Phase || mark == measure.Currency || mark == measure.Direction {
				sentence, refused = text, true
			}
		}
		if got := strings.Contains(page, `<p class="refused">`); got != refused || !strings.Contains(page, sentence) || strings.Contains(page, "<table") == refused {
			t.Errorf("%v: %s", measure, page)
		}
	}
	h := handler(t, drawn(t, someBudget...))
	for address, want := range map[string]string{
		"?drilldown=admin2_code&cut=Year:2017|admin1_code:1&_with=admin1_code:2&lang=hr": "zajedničkih članova",
		"?drilldown=admin1_code&cut=Year:2017|admin1_code:1&_with=admin1_code:2&lang=es": "miembros en común",
	} {
		if r := ask(t, h, "/explore/croatia"+address); r.status != http.StatusOK || !strings.Contains(r.body, want) || strings.Contains(r.body, "<table") {
			t.Errorf("%s: status %d: %s", address, r.status, r.body)
		}
	}
	for address, want := range map[string]string{"_with=colour:1": "no field", "_with=Year": "expected :", "_measure=gold": "no measure"} {
		if r := ask(t, h, "/explore/croatia?cut=Year:2017&"+address); r.status != http.StatusBadRequest || !strings.Contains(r.body, want) {
			t.Errorf("%s: status %d: %s", address, r.status, r.body)
		}
	}
	r := ask(t, h, "/explore/croatia?drilldown=econ_code&cut=Year:2017|admin1_code:1&_with=Year:2014")
	if got := r.header.Get("Location"); r.status != http.StatusSeeOther || !strings.Contains(got, "&compare=Year:-3&_view=change") || strings.Contains(got, "_with") {
		t.Errorf("status %d: %s", r.status, got)
	}
}

// A view finds what else its member can be compared with, broken down by what both have.
func TestExplorer_CompareFindsTheOther(t *testing.T) {
	store := drawn(t, someBudget...)
	h := handler(t, store)
	page := ask(t, h, "/explore/croatia?drilldown=admin2_code&cut=Year:2017|admin1_code:1").body
	if _, levels, ok := strings.Cut(page, `<select name="_beside"`); !ok || strings.Contains(levels, `<option value="Year"`) {
		t.Errorf("%s", page)
	}
	if page := ask(t, h, "/explore/croatia?drilldown=econ_code&cut=Year:2017").body; strings.Contains(page, "_beside") {
		t.Errorf("there is no member to compare: %s", page)
	}
	store.members = []plan.MemberRow{{Path: []cube.Value{cube.Text("1")}}, {Path: []cube.Value{cube.Text("5")}}}
	page = html.UnescapeString(ask(t, h, "/explore/croatia?drilldown=admin2_code&cut=Year:2017|admin1_code:1&_beside=admin1_code&_like=x").body)
	if link := `<li><a href="../explore/croatia?drilldown=econ_code&cut=Year:2017%7Cadmin1_code:1&aggregates=approved_value.sum&_with=admin1_code:5">`; !strings.Contains(page, link) ||
		strings.Contains(page, "_with=admin1_code:1") {
		t.Errorf("%s", page)
	}
}
