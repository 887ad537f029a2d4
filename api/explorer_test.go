package api_test

import (
	"context"
	"fmt"
	"html"
	"image/png"
	"iter"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
)

// What pages say is in the stories. Here is what takes more than reading.

// drawn is a fake whose first cube has a few rows: Year, office with its label, unit with its label, unit, two codes, amounts.
func drawn(t testing.TB, lines ...string) *fake {
	t.Helper()
	store := newFake(t)
	cb := store.cubes[0]
	cb.Coverage = &cube.YearCoverage{Years: []int64{2016, 2017}}
	store.run = runOver(cubetest.NewStore(cb.Model, lines...))
	return store
}

// runOver runs statements over a store of a few rows.
func runOver(rows cubetest.Store) func(context.Context, *plan.Statement) iter.Seq2[row, error] {
	return func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
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
}

var someBudget = []string{
	"2016 1 x 1 x u 1 1 100 10", "2016 2 x 1 x u 1 2 250.5 20", "2016 3 x 1 x u 2 1 30 5",
	"2017 1 x 1 x u 1 1 130 12", "2017 2 x 1 x u 1 2 200.25 20", "2017 4 x 1 x u 2 1 7 3", "2017 5 x 2 x u 2 3 1000000000000000000.01 1",
}

// What the store cannot answer is said as it is, with when to try again, whichever of the questions of a page it is.
func TestExplorer_WhatTheStoreCannotAnswer(t *testing.T) {
	store := newFake(t)
	away := cube.Errorf(cube.CodeUnavailable, "the database is away")
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		if len(s.Keys()) == 1 && s.Keys()[0].Name == "Year" {
			return failing(away)(ctx, s)
		}
		return yielding(something(s))(ctx, s)
	}
	h := handler(t, store)
	refused := func(address string) {
		r := ask(t, h, address)
		again := `data-retry="` + r.header.Get("Retry-After") + `">Try again</a>`
		if r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" || !strings.Contains(r.body, again) || !strings.Contains(r.body, "the database is away") {
			t.Errorf("%s: status %d: %s", address, r.status, r.body)
		}
	}
	refused("/explore/croatia/number?cut=admin1_code:020&aggregates=approved_value.sum")
	store.catalogErr = away
	refused("/explore/croatia")
}

// Where amounts cannot be had, the cards are there without them, and a store that is away is not asked again for each.
func TestExplorer_HomeWithoutAmounts(t *testing.T) {
	store, asked := drawn(t, someBudget...), 0
	for i := range 50 {
		other, of := *store.cubes[0], *store.cubes[0].Package
		of.Name = fmt.Sprint("croatia-", i)
		other.Package = &of
		store.cubes = append(store.cubes, &other)
	}
	var mu sync.Mutex
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		mu.Lock()
		defer mu.Unlock()
		asked++
		return failing(cube.Errorf(cube.CodeUnavailable, "the database is away"))(ctx, s)
	}
	r := ask(t, handler(t, store), "/?lang=en")
	if r.status != http.StatusOK || strings.Count(r.body, "More (croatia-") != 50 || strings.Contains(r.body, "<b>") || asked > 10 {
		t.Errorf("status %d after %d questions: %s", r.status, asked, r.body)
	}
}

// A page is in the language that its address names, or else in that of the browser.
func TestExplorer_Languages(t *testing.T) {
	h := handler(t, newFake(t))
	for accept, want := range map[string]string{"": "en", "es-MX,es;q=0.9": "es", "hr": "hr", "de, hr;q=0.5": "hr", "zh": "en", "\xff": "en"} {
		says(t, ask(t, h, "/", "Accept-Language", accept).body, `<html lang="`+want+`">`)
	}
	says(t, ask(t, h, "/?lang=es", "Accept-Language", "hr").body, `<html lang="es">`)
}

var (
	rowOfTable = regexp.MustCompile(`(?s)<tr[^>]*><th scope="row"[^>]*>(.*?)</th>(.*?)</tr>`)
	tags       = regexp.MustCompile(`<[^>]*>`)
	marks      = regexp.MustCompile(`<a href="([^"]*)"><title>([^<]*)</title>`)
)

// pairRows gives the rows of a comparison, the total last: what each is called, and its numbers.
func pairRows(t testing.TB, page string) (rows [][]string) {
	t.Helper()
	_, page, ok := strings.Cut(page, `<table class="cells pairs">`)
	if !ok {
		t.Fatalf("nothing is compared: %s", page)
	}
	for _, match := range rowOfTable.FindAllStringSubmatch(strings.ReplaceAll(page, "\n", ""), -1) {
		cells := []string{html.UnescapeString(tags.ReplaceAllString(match[1], ""))}
		for _, cell := range strings.Split(match[2], "</td>") {
			cells = append(cells, html.UnescapeString(strings.TrimSpace(tags.ReplaceAllString(cell, ""))))
		}
		rows = append(rows, cells[:len(cells)-1])
	}
	return rows
}

// amount reads an amount in English, with its sign; nothing is 0.
func amount(text string) decimal.Decimal {
	if text == "" {
		return decimal.Zero
	}
	return decimal.RequireFromString(strings.NewReplacer(",", "", "+", "").Replace(text))
}

// Of a comparison, others are added up beyond the largest rows, so that the rows come to the totals. They lead to all rows.
func TestExplorer_CompareAddsUp(t *testing.T) {
	var lines []string
	for i := range 50 {
		lines = append(lines, fmt.Sprintf("2017 1 x 1 x u %d 1 %d.5 1", 100+i, i), fmt.Sprintf("2017 2 x 1 x u %d 1 %d.25 1", 120+i, 3*i))
	}
	h := handler(t, drawn(t, lines...))
	page := ask(t, h, "/explore/croatia?drilldown=econ_code&aggregates=approved_value.sum&cut=Year:2017|admin1_code:1&_with=admin1_code:2&lang=en").body
	rows := pairRows(t, page)
	total, others := rows[len(rows)-1], rows[len(rows)-2]
	if len(rows) != 32 || others[0] != "40 others" {
		t.Fatalf("%d rows, the last ones %q", len(rows), rows[len(rows)-2:])
	}
	for _, column := range []int{1, 4, len(total) - 1} { // the amounts of each, and the difference
		sum := decimal.Zero
		for _, row := range rows[:len(rows)-1] {
			sum = sum.Add(amount(row[column]))
		}
		if !sum.Equal(amount(total[column])) {
			t.Errorf("column %d adds up to %s, the total is %s", column, sum, total[column])
		}
	}
	rest := regexp.MustCompile(`<a href="\.\.(/explore/[^"]*)">40 others`).FindStringSubmatch(page)
	if rest == nil {
		t.Fatalf("%s", page)
	}
	if all := pairRows(t, ask(t, h, html.UnescapeString(rest[1])).body); len(all) != 71 || !slices.Equal(all[70], total) {
		t.Errorf("%d rows, the last one %q", len(all), all[len(all)-1])
	}
}

// marksOf is what the marks in the figure for phones are called.
func marksOf(t testing.TB, page string) (list []string) {
	t.Helper()
	_, page, _ = strings.Cut(page, `<div class="small">`)
	page, _, ok := strings.Cut(page, `<div class="large">`)
	if !ok {
		t.Fatalf("no figure: %s", page)
	}
	for _, match := range marks.FindAllStringSubmatch(page, -1) {
		list = append(list, html.UnescapeString(match[2]))
	}
	return list
}

// What a change shows leads from the amount of the year before to that of the year. It has the digits of its table, also in real terms, where each
// difference is rounded once.
func TestExplorer_ChangeAddsUp(t *testing.T) {
	lines := slices.Clone(someBudget)
	for i := range 9 {
		lines = append(lines, fmt.Sprintf("2016 1%d x 1 x u 1 1 %d.37 1", i, 1000+317*i), fmt.Sprintf("2017 1%d x 1 x u 1 1 %d.11 1", i, 900+411*i))
	}
	h := handler(t, drawn(t, lines...))
	for _, aggregate := range []string{"approved_value.sum", "real(approved_value.sum,2018)"} {
		page := html.UnescapeString(ask(t, h, "/explore/croatia?drilldown=admin1_code&cut=Year:2017&aggregates="+aggregate+"&_view=change&lang=en").body)
		shown, sum := marksOf(t, page), decimal.Zero
		for _, mark := range shown {
			_, difference, _ := strings.Cut(strings.TrimSuffix(mark, ")"), ": ")
			difference, rate, ofMember := strings.Cut(difference, " (")
			sum = sum.Add(amount(difference))
			if ofMember {
				says(t, page, difference+"</td>", rate+"</td>")
			}
		}
		last := amount(strings.SplitAfter(shown[len(shown)-1], ": ")[1])
		if sum = sum.Sub(last); len(shown) != 15 || !sum.Equal(last) {
			t.Errorf("%d marks of %s add up to %s, the last is %s", len(shown), aggregate, sum, last)
		}
		_, total, _ := strings.Cut(page, "<tfoot>")
		told := regexp.MustCompile(`, exactly ([^ ]*)\. `).FindStringSubmatch(page)
		if told == nil {
			t.Fatalf("it is not told: %s", page)
		}
		says(t, total, ">"+told[1]+"<")
	}
}

// The frame that a page offers is as high as its figure with the texts around it, also of a table; there is none where there is no figure.
func TestExplorer_FramesFitTheirFigures(t *testing.T) {
	h := handler(t, drawn(t, append(someBudget, "2017 9 x 1 x u 1 9 -7 1")...))
	heights := map[string]string{}
	for _, view := range []string{"admin1_code", "admin1_code&_view=bars", "econ_code&_view=bars", "fin_code&_view=treemap", "fin_code&_view=sankey"} {
		page := html.UnescapeString(ask(t, h, "/explore/croatia?cut=Year:2017&lang=en&drilldown="+view).body)
		if found := regexp.MustCompile(`width="800" height="(\d+)"`).FindStringSubmatch(page); found != nil {
			heights[view] = found[1]
		} else if strings.Contains(page, "Share the figure") {
			t.Errorf("%s has no frame", view)
		}
	}
	if got, want := fmt.Sprint(heights), "map[admin1_code:301 admin1_code&_view=bars:301 econ_code&_view=bars:209]"; got != want {
		t.Errorf("frames are %s high, want %s", got, want)
	}
}

// A figure is also a file, of the size that is asked for and of a name of its own.
func TestExplorer_Pictures(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	r := ask(t, h, "/explore/croatia.svg?drilldown=fin_code&cut=Year:2016&_w=600")
	if got := r.header.Get("Content-Disposition"); r.header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(r.body, ` width="600"`) ||
		!strings.HasPrefix(got, "inline; filename=croatia-bars-fin_code-2016-") || !strings.HasSuffix(got, "-v3.svg") {
		t.Errorf("it is saved as %s: %s", got, r.body)
	}
	if other := ask(t, h, "/explore/croatia.svg?drilldown=fin_code&cut=Year:2016&_view=treemap").header; other.Get("Content-Disposition") == r.header.Get("Content-Disposition") {
		t.Error("two figures are saved as one file")
	}
	for address, size := range map[string]string{
		"/explore/croatia.png": "(1200,675)", "/explore/croatia.png?drilldown=fin_code&cut=Year:2016&_w=600&_h=500": "(600,500)",
		"/explore/croatia.png?drilldown=econ_code&cut=Year:2016&_view=treemap": "(1200,675)", "/explore/croatia.png?_w=wide&_size=square": "(1200,1200)",
		"/explore/croatia.png?_w=999999999": "(2400,1350)", "/explore/croatia.png?_view=sankey&_w=900": "(900,506)",
	} {
		r := ask(t, h, address)
		picture, err := png.Decode(strings.NewReader(r.body))
		if err != nil || picture.Bounds().Max.String() != size {
			t.Errorf("%s: status %d: %v of %v", address, r.status, err, picture.Bounds())
		}
		if again := ask(t, h, address, "If-None-Match", r.header.Get("ETag")); again.status != http.StatusNotModified {
			t.Errorf("%s: status %d", address, again.status)
		}
	}
	if r := ask(t, h, "/explore/nowhere.png"); r.status != http.StatusNotFound {
		t.Errorf("status %d", r.status)
	}
}

// Other pages may frame a figure, which runs nothing and opens what it leads to elsewhere, and may frame nothing else.
func TestExplorer_Embed(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	for address, isFigure := range map[string]bool{"/embed/croatia?drilldown=fin_code&cut=Year:2016&lang=hr": true, "/embed/nowhere?lang=hr": true, "/explore/croatia?drilldown=fin_code&_view=line&lang=hr": false} {
		r := ask(t, h, address)
		policy := r.header.Get("Content-Security-Policy")
		if isFigure {
			says(t, r.body, `<html lang="hr" class="embed">`, `<base target="_blank">`)
		}
		if strings.HasSuffix(policy, "frame-ancestors *") != isFigure || strings.HasSuffix(policy, "frame-ancestors 'none'") == isFigure ||
			isFigure && (strings.Contains(policy+r.body, "script") || strings.Contains(r.body, "<form")) {
			t.Errorf("%s: %s: %s", address, policy, r.body)
		}
		icon := regexp.MustCompile(`<link rel="icon" href="\.\.(/[^"]*)">`).FindStringSubmatch(r.body)
		if icon == nil || ask(t, h, icon[1]).status != http.StatusOK {
			t.Errorf("%s has no icon, which browsers then look for elsewhere", address)
		}
	}
}
