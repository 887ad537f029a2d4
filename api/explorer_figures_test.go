package api_test

import (
	"context"
	"html"
	"iter"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
)

// drawn is a fake whose first cube has a few rows: Year, office with its label, unit with its label, unit, two codes, amounts.
func drawn(t testing.TB, lines ...string) *fake {
	t.Helper()
	store := newFake(t)
	cb := store.cubes[0]
	cb.Coverage = &cube.YearCoverage{Years: []int64{2016, 2017}}
	rows := cubetest.NewStore(cb.Model, lines...)
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		return func(yield func(row, error) bool) {
			found, err := rows.Cells(ctx, s)
			if err != nil {
				yield(row{}, err)
				return
			}
			more := yield(row{Values: found.Total, Count: found.Count}, nil)
			for g, err := range found.Groups {
				if !more {
					return
				}
				more = yield(row{Keys: g.Keys, Labels: g.Labels, Values: g.Parts}, err)
			}
		}
	}
	return store
}

var someBudget = []string{
	"2016 1 x 1 x u 1 1 100 10", "2016 2 x 1 x u 1 2 250.5 20", "2016 3 x 1 x u 2 1 30 5",
	"2017 1 x 1 x u 1 1 130 12", "2017 2 x 1 x u 1 2 200.25 20", "2017 4 x 1 x u 2 1 7 3", "2017 5 x 2 x u 2 3 1000000000000000000.01 1",
}

// smallFigure is the titles of the marks in the figure for phones, with their links.
func smallFigure(t testing.TB, page string) (list [][2]string) {
	t.Helper()
	_, page, _ = strings.Cut(page, `<div class="small">`)
	page, _, ok := strings.Cut(page, `<div class="large">`)
	if !ok {
		t.Fatalf("no figure: %s", page)
	}
	for _, match := range marks.FindAllStringSubmatch(page, -1) {
		list = append(list, [2]string{html.UnescapeString(match[2]), html.UnescapeString(match[1])})
	}
	return list
}

var marks = regexp.MustCompile(`<a href="([^"]*)"><title>([^<]*)</title>`)

func TestExplorer_Figures(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	for address, want := range map[string]string{
		"?drilldown=fin_code&cut=Year:2016&_view=bars":               "2: 250.50 (65.8%)",
		"?drilldown=fin_code&cut=Year:2017&_view=treemap":            "1: 137.00 (< 0.1%)",
		"?drilldown=fin_code&cut=Year:2016&_view=line":               "Total, 2016: 380.50",
		"?drilldown=admin1_code&cut=Year:2017&_view=change":          "5: +1,000,000,000,000,000,000.01 (new)",
		"?drilldown=econ_code%7Cfin_code&cut=Year:2016&_view=sankey": "1 → 2: 250.50",
	} {
		r := ask(t, h, "/explore/croatia"+address)
		if r.status != http.StatusOK || !strings.Contains(r.body, "<title>"+html.EscapeString(want)+"</title>") || !strings.Contains(r.body, `<table class="cells">`) {
			t.Errorf("%s: status %d: %s", address, r.status, r.body)
		}
	}
}

// Where there is no figure, a sentence says why.
func TestExplorer_RefusedFigures(t *testing.T) {
	h := handler(t, drawn(t, append(someBudget, "2016 6 x 1 x u 1 3 -5 1")...))
	for address, want := range map[string]string{
		"/explore/croatia?drilldown=fin_code&cut=Year:2016&_view=treemap":                               "an amount of zero or below, and 3 has -5.00",
		"/explore/croatia?drilldown=fin_code&cut=Year:2016&aggregates=approved_value.avg&_view=treemap": "Averages, extremes and ratios",
		"/explore/croatia?drilldown=fin_code&top=1&_view=treemap&lang=es":                               "no suma",
		"/explore/croatia?drilldown=econ_code&cut=Year:2017&_view=treemap":                              "from 3 parts on",
		"/explore/croatia?cut=Year:2017&_view=bars":                                                     "Choose what to break",
		"/explore/croatia?drilldown=fin_code&_view=change":                                              "Choose a year",
		"/explore/croatia?drilldown=fin_code&cut=Year:2014&_view=change&lang=hr":                        "ne mogu se usporediti",
		"/explore/croatia?drilldown=fin_code&_view=sankey":                                              "Choose two",
		"/explore/own:h%22r%20100%25%2F%C5%BE?aggregates=_count&_view=line":                             "no fiscal years",
		"/explore/own:h%22r%20100%25%2F%C5%BE?aggregates=_count&_view=change":                           "no fiscal years",
	} {
		r := ask(t, h, address)
		_, sentence, _ := strings.Cut(r.body, `<p class="refused">`)
		sentence, _, _ = strings.Cut(sentence, "</p>")
		if r.status != http.StatusOK || !strings.Contains(sentence, want) {
			t.Errorf("%s: status %d: %q", address, r.status, sentence)
		}
	}
}

// What a change shows leads from the amount of the year before to that of the year.
func TestExplorer_ChangeAddsUp(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	shown := smallFigure(t, ask(t, h, "/explore/croatia?drilldown=admin1_code&cut=Year:2017&_view=change").body)
	amount := regexp.MustCompile(`: \+?(-?[\d,.]+)`)
	var amounts []decimal.Decimal
	for _, mark := range shown {
		match := amount.FindStringSubmatch(mark[0])
		amounts = append(amounts, decimal.RequireFromString(strings.ReplaceAll(match[1], ",", "")))
	}
	last := len(amounts) - 1
	sum := decimal.Zero
	for _, d := range amounts[:last] {
		sum = sum.Add(d)
	}
	if want := "1000000000000000337.26"; last != 6 || sum.String() != want || !amounts[last].Equal(sum) {
		t.Errorf("%v: %s", shown, sum)
	}
	// A contributor leads to what made it change on the level below.
	for _, mark := range shown {
		if name, _, _ := strings.Cut(mark[0], ":"); name == "2" && !(strings.Contains(mark[1], "drilldown=admin2_code") && strings.Contains(mark[1], "_view=change")) {
			t.Errorf("%v", mark)
		}
	}
}
