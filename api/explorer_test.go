package api_test

import (
	"context"
	"fmt"
	"html"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/search"
)

var links = regexp.MustCompile(`<a [^>]*?href="([^"]*)"`)

// linksOf gives the links of a page as a browser follows them.
func linksOf(t testing.TB, address, page string) []string {
	t.Helper()
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, match := range links.FindAllStringSubmatch(page, -1) {
		target, err := base.Parse(html.UnescapeString(match[1]))
		if err != nil {
			t.Fatal(err)
		}
		target.Fragment = ""
		list = append(list, target.String())
	}
	return list
}

// Every link of the pages leads somewhere, whatever the names are.
func TestExplorer_LinksResolve(t *testing.T) {
	h := searchable(t, newFake(t))
	seen, todo := map[string]bool{}, []string{"/", "/?q=novi", "/?q=croatia", "/?q=approved", "/?q=admin2", "/explore/croatia/?drilldown=admin1_code"}
	for len(todo) > 0 && len(seen) < 400 {
		address := todo[0]
		todo = todo[1:]
		if seen[address] {
			continue
		}
		seen[address] = true
		r := ask(t, h, address)
		if r.status != http.StatusOK {
			t.Fatalf("%s: status %d: %s", address, r.status, r.body)
		}
		if r.header.Get("Content-Type") == "text/html; charset=UTF-8" && !strings.HasPrefix(address, "/docs") {
			todo = append(todo, linksOf(t, address, r.body)...)
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d pages", len(seen))
	}
}

func TestExplorer_Mistakes(t *testing.T) {
	store := newFake(t)
	h := handler(t, store)
	for address, want := range map[string]struct {
		status int
		text   string
	}{
		"/explore/nowhere":                     {404, "There is no such page"},
		"/explore/nowhere?lang=es":             {404, "No existe esta página"},
		"/explore/croatia?drilldown=admin":     {400, "did you mean"},
		"/explore/croatia?cut=%3Cscript%3E:1":  {400, "&lt;"},
		"/explore/croatia?version=99":          {404, "There is no such page"},
		"/explore/croatia?colour=red":          {400, "no parameter"},
		"/?lang=xx":                            {400, "lang is"},
		"/explore/croatia?drilldown=Year&_x=1": {200, "Year"},
	} {
		r := ask(t, h, address)
		if r.status != want.status || !strings.Contains(r.body, want.text) || strings.Contains(r.body, "<script>") {
			t.Errorf("%s: status %d\n%s", address, r.status, r.body)
		}
		if policy := r.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'; script-src 'self'") {
			t.Errorf("%s: %s", address, policy)
		}
	}
	store.catalogErr = cube.Errorf(cube.CodeUnavailable, "the database is away")
	if r := ask(t, h, "/explore/croatia"); r.status != 503 || r.header.Get("Retry-After") == "" ||
		!strings.Contains(r.body, `data-retry="`+r.header.Get("Retry-After")+`">Try again</a>`) {
		t.Errorf("status %d: %s", r.status, r.body)
	}
}

// Where a mistake has a name that is nearly right, the hint is a link to what was probably meant.
func TestExplorer_HintsLead(t *testing.T) {
	h := handler(t, newFake(t))
	for address, want := range map[string]string{
		"/explore/croatai?drilldown=Year":                           "/explore/croatia?drilldown=Year",
		"/explore/croatia/number?cutt=Year:2016&lang=es":            "/explore/croatia/number?cut=Year:2016&lang=es",
		"/explore/croatia?drilldown=Year%7Cadmin1_cod&_view=bars":   "/explore/croatia?drilldown=Year%7Cadmin1_code&_view=bars",
		"/explore/croatia?cut=Year:2016|%22admin_code%22:1&lang=en": "/explore/croatia?cut=Year:2016%7Cadmin1_code:1&lang=en",
		"/explore/croatia?aggregates=aproved_value.sum":             "/explore/croatia?aggregates=approved_value.sum",
		"/explore/croatia?drilldown=xxxxxxxxxx":                     "",
	} {
		r := ask(t, h, address)
		_, hint, _ := strings.Cut(r.body, `<p lang="en">`)
		_, hint, _ = strings.Cut(hint, `<p lang="en">`)
		hint, _, _ = strings.Cut(hint, "</p>")
		got := ""
		if list := linksOf(t, address, hint); len(list) > 0 {
			got = list[0]
		}
		if r.status/100 != 4 || got != want || got == "" && hint == "" || want != "" && ask(t, h, got).status != http.StatusOK {
			t.Errorf("%s: status %d, the hint %q leads to %q, want %q", address, r.status, hint, got, want)
		}
	}
}

func TestExplorer_Languages(t *testing.T) {
	h := handler(t, newFake(t))
	for accept, want := range map[string]string{"": "en", "es-MX,es;q=0.9": "es", "hr": "hr", "de, hr;q=0.5": "hr", "zh": "en", "\xff": "en"} {
		if r := ask(t, h, "/", "Accept-Language", accept); !strings.Contains(r.body, `<html lang="`+want+`">`) {
			t.Errorf("%q: %.60s", accept, r.body)
		}
	}
	if r := ask(t, h, "/?lang=es", "Accept-Language", "hr"); !strings.Contains(r.body, `<html lang="es">`) {
		t.Errorf("%.60s", r.body)
	}
}

// What is found is grouped by cube and level, with what is above it, and leads to its view in the year of its amount.
func TestExplorer_Search(t *testing.T) {
	f := newFake(t)
	f.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		cell := row{Keys: []cube.Value{cube.Integer(2016)}, Values: amounts("1234.5", "99")}
		if keys := s.Keys(); len(keys) == 3 {
			cell = row{Keys: []cube.Value{cube.Text("010"), cube.Text("2"), cube.Integer(2016)}, Values: amounts("12345.5")}
		}
		return yielding(nothing(s), cell)(ctx, s)
	}
	h := searchable(t, above{f})
	for _, tt := range []struct {
		address string
		texts   []string
	}{
		{"/?q=unit&lang=es", []string{
			`<h1>3 resultados para «unit»</h1>`, `<h3>admin2_label</h3>`, `<p class="soft">Sabor</p>`, `12.345,50</p>`, `Approved (HRK) 2016`,
			`href="explore/croatia?drilldown=unit&amp;cut=Year:2016&amp;lang=es"`, `value="unit"`, `2014–2016`,
			`cut=admin1_code:010%7Cadmin2_code:2%7CYear:2016`,
		}},
		{"/?q=%3Cb%3E&lang=en", []string{`<h1>1 hit for “&lt;b&gt;”</h1>`}},
		{"/?q=cash&lang=en", []string{`drilldown=Year&amp;aggregates=%22executed:&#43;cash%22.sum`}},
		{"/?q=croatia&lang=hr", []string{`href="explore/croatia?lang=hr">Croatia &lt;Budget&gt; &amp; More</a>`, "Proračun"}},
		{"/?q=sabor+2014&lang=en", []string{`cut=admin1_code:010%7CYear:2014`}},
		{"/?q=croatia+2014&lang=en", []string{`explore/croatia?drilldown=admin1_code&amp;cut=Year:2014&amp;lang=en`, `Approved (HRK) 2014`}},
		{"/?q=saborr+xyz+1990&lang=hr", []string{`<h1>0 pogodaka`, "saborr, xyz, 1990", "<dd>1990</dd>", `href="./?lang=hr&amp;q=saborr"`, `href="explore/croatia?lang=hr"`}},
		{"/?q=+&lang=en", []string{"Public budgets, to the line"}},
	} {
		r := ask(t, h, tt.address)
		for _, text := range tt.texts {
			if r.status != http.StatusOK || !strings.Contains(r.body, text) {
				t.Errorf("%s: status %d without %s:\n%s", tt.address, r.status, text, r.body)
			}
		}
	}
	for address, want := range map[string]string{"/?q=---": "no letter", "/?q=a&q=b": "more than once", "/?q=unit&page=21": "pages end"} {
		if r := ask(t, h, address); r.status != http.StatusBadRequest || !strings.Contains(r.body, want) {
			t.Errorf("%s: status %d\n%s", address, r.status, r.body)
		}
	}
}

// An amount finds the numbers that it is, each with its page.
func TestExplorer_SearchForAnAmount(t *testing.T) {
	f := newFake(t)
	f.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		cell := row{Keys: []cube.Value{cube.Integer(2016)}, Values: amounts("175132659815.4", "99")}
		switch len(s.Keys()) {
		case 2:
			cell = row{Keys: []cube.Value{cube.Text("010"), cube.Integer(2016)}, Values: amounts("7", "8")}
		case 3:
			cell = row{Keys: []cube.Value{cube.Text("010"), cube.Text("2"), cube.Integer(2016)}, Values: amounts("12345.5", "1234567890123456789012")}
		}
		return yielding(nothing(s), cell)(ctx, s)
	}
	store := above{f}
	log := slog.New(slog.DiscardHandler)
	index := search.New(store, log)
	h := api.New(store, api.Options{Document: documentBytes(t), Log: log, Search: index})
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := ask(t, h, "/?q=175.1bn&lang=en"); !strings.Contains(r.body, "Still being added up: Croatia &lt;Budget&gt; &amp; More") || !strings.Contains(r.body, `<a href="./?lang=en&amp;q=175.1bn" data-retry="3">`) {
		t.Errorf("at first: %s", r.body)
	}
	if err := index.RefreshSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		address string
		texts   []string
	}{
		{"/?q=175.1+bn&lang=en", []string{
			"1 amount equals 175.1 bn", "Read as: 175,100,000,000", "<h3>when rounded so</h3>", "175,132,659,815.4", "Approved (HRK) 2016",
			`href="explore/croatia/number?cut=Year:2016&amp;aggregates=approved_value.sum&amp;lang=en"`,
		}},
		{"/?q=12.345,50&lang=es", []string{
			"1 cifra es igual a 12.345,50", "<h3>exactamente</h3>", "admin2_label · Croatia &lt;Budget&gt; &amp; More › Sabor",
			`number?cut=admin1_code:010%7Cadmin2_code:2%7CYear:2016&amp;aggregates=approved_value.sum`,
		}},
		{"/?q=1234567890123456789012&lang=hr", []string{"1.234.567.890.123.456.789.012", `aggregates=%22executed:&#43;cash%22.sum`}},
		{"/?q=12345.6&lang=en", []string{"0 amounts equal 12345.6", "<h3>Nearest to it</h3>", "12,345.50</p>"}},
		{"/?q=5000+zillion&lang=en", []string{"0 hits for", "5000, zillion", `href="explore/croatia?lang=en"`}},
	} {
		r := ask(t, h, tt.address)
		for _, text := range tt.texts {
			if r.status != http.StatusOK || !strings.Contains(r.body, text) || strings.Contains(r.body, "data-retry") {
				t.Errorf("%s: status %d without %s:\n%s", tt.address, r.status, text, r.body)
			}
		}
	}
}

// A browser that comes to a path where nothing is gets a page; a program gets a problem.
func TestExplorer_LostBrowsersGetAPage(t *testing.T) {
	h := handler(t, newFake(t))
	for _, path := range []string{"/explore", "/budget/2019?q=health", "/cubes/croatia/nothing"} {
		for accept, kind := range map[string]string{"text/html,application/xhtml+xml,*/*;q=0.8": "text/html", "*/*": "application/", "": "application/"} {
			request := httptest.NewRequest(http.MethodGet, path, nil)
			request.Header.Set("Accept", accept)
			r := httptest.NewRecorder()
			h.ServeHTTP(r, request)
			if got := r.Header().Get("Content-Type"); r.Code != http.StatusNotFound || !strings.HasPrefix(got, kind) || !slices.Contains(strings.Split(strings.Join(r.Header().Values("Vary"), ", "), ", "), "Accept") {
				t.Errorf("%s for %q: status %d, %s, %v", path, accept, r.Code, got, r.Header().Values("Vary"))
			}
		}
	}
}

// What the store cannot answer is said as it is, whichever of the questions of a page it is.
func TestExplorer_NumberWhoseYearsCannotBeAsked(t *testing.T) {
	store := newFake(t)
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		if len(s.Keys()) == 1 && s.Keys()[0].Name == "Year" {
			return failing(cube.Errorf(cube.CodeUnavailable, "the database is away"))(ctx, s)
		}
		return yielding(something(s))(ctx, s)
	}
	r := ask(t, handler(t, store), "/explore/croatia/number?cut=admin1_code:020&aggregates=approved_value.sum")
	if r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" || !strings.Contains(r.body, "the database is away") {
		t.Errorf("status %d: %s", r.status, r.body)
	}
}

// A view leads to the page of its own number, also where nothing is below it.
func TestExplorer_ViewLeadsToItsNumber(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	for address, want := range map[string]string{
		"/explore/croatia?cut=Year:2017|admin1_code:1&lang=en":                  "../explore/croatia/number?cut=Year:2017%7Cadmin1_code:1&lang=en",
		"/explore/croatia?drilldown=econ_code&cut=Year:2017&_view=bars&lang=en": "../explore/croatia/number?cut=Year:2017&lang=en",
	} {
		if page := ask(t, h, address).body; !strings.Contains(html.UnescapeString(page), `<a href="`+want+`">Its lines`) {
			t.Errorf("%s: no %s: %s", address, want, page)
		}
	}
}

// A view says only on request that there is no year to compare with.
func TestExplorer_ComparesWhatThereIs(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	const view, nothing, before = "/explore/croatia?drilldown=admin1_code&lang=en&cut=Year:", "nothing is there to compare with", ">In 201"
	for address, want := range map[string][2]bool{
		view + "2017": {false, true}, view + "2016": {}, view + "2016&_view=change": {true, true}, view + "2016&compare=Year:-1": {true, true},
	} {
		page := ask(t, h, address).body
		if got := [2]bool{strings.Contains(page, nothing), strings.Contains(page, before)}; got != want {
			t.Errorf("%s: said and in a column: %v: %s", address, got, page)
		}
	}
}

// A table says how many rows there are, also those that the last one adds up.
func TestExplorer_CountsAllRows(t *testing.T) {
	var lines []string
	for i := range 63 {
		lines = append(lines, fmt.Sprintf("2017 %d x 1 x u 1 1 %d 1", i, i+1))
	}
	page := ask(t, handler(t, drawn(t, lines...)), "/explore/croatia?drilldown=admin1_code&cut=Year:2017&lang=en").body
	if !strings.Contains(page, ">33 others</a>") || !strings.Contains(page, "<caption>63 rows</caption>") {
		t.Error(page)
	}
}
