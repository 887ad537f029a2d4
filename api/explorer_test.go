package api_test

import (
	"context"
	"encoding/json"
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
	"time"

	"github.com/shopspring/decimal"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/cube/cubetest"
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
		if r.header.Get("Content-Type") == "text/html; charset=UTF-8" {
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

// Mistakes are told in the language of the page. What has no translation is in English, and marked so.
func TestExplorer_MistakesInTheLanguageOfThePage(t *testing.T) {
	h := handler(t, newFake(t))
	for address, want := range map[string]string{
		"?drilldown=admin1_cod&lang=hr":    `<p lang="hr">nema polja ni dimenzije „admin1_cod“.</p><p lang="hr"><a href="../explore/croatia?drilldown=admin1_code&lang=hr">jeste li mislili na admin1_code?</a></p>`,
		"?drilldown=admin1_cod&lang=es":    `<p lang="es">no hay ningún campo ni dimensión «admin1_cod».</p><p lang="es"><a href="../explore/croatia?drilldown=admin1_code&lang=es">¿quiso decir admin1_code?</a></p>`,
		"?drilldown=admin1_cod&lang=en":    `<p lang="en">no field or dimension “admin1_cod”.</p>`,
		"?drilldown=xxxxxxxxxx&lang=es":    `<p lang="es">no hay ningún campo ni dimensión «xxxxxxxxxx».</p><p lang="es">los niveles son `,
		"?version=99&lang=hr":              `<p lang="hr">croatia nema verzije 99.</p><p lang="hr">poslužuje se verzija 3.</p>`,
		"?version=x&lang=es":               `<p lang="es">version es «x».</p><p lang="es">las versiones se numeran 1, 2, 3…</p>`,
		"?aggregates=aproved.sum&lang=es":  `<p lang="es">no hay ninguna medida «aproved».</p>`,
		"?cut=Year:abc&lang=hr":            `<p lang="hr">polje Year ima cijele brojeve, a „abc“ to nije.</p><p lang="hr">napišite samo znamenke, kao 2016.</p>`,
		"?cut=Year:2016;&colour=1&lang=es": `<p lang="es">no hay ningún parámetro «colour».</p>`,
		"?drilldown=Year,x&lang=es":        `<p lang="es">se esperaba | o el final, y hay ",".</p><p lang="en">`,
		"?cut=Year&lang=hr":                `<p lang="hr">iza Year očekuju se : i vrijednosti.</p>`,
		"?page=0&lang=es":                  `<p lang="es">page es «0», y no un número entero de `,
		"?fill=much&lang=es":               `<p lang="en">fill is "much".</p>`,
	} {
		if page := html.UnescapeString(ask(t, h, "/explore/croatia"+address).body); !strings.Contains(page, want) {
			t.Errorf("%s does not say %s: %s", address, want, page)
		}
	}
	if page := html.UnescapeString(ask(t, h, "/explore/nowhere?lang=es").body); !strings.Contains(page, `<p lang="es">no hay ningún presupuesto «nowhere».</p>`) {
		t.Errorf("an unknown cube: %s", page)
	}
	if r := ask(t, h, "/cubes/croatia/aggregate?drilldown=admin1_cod&lang=hr"); !strings.Contains(r.body, `"message":"no field or dimension \"admin1_cod\""`) || !strings.Contains(r.body, `"hint":"did you mean admin1_code?"`) {
		t.Errorf("the API: %s", r.body)
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
		_, hint, _ := strings.Cut(r.body, `<p lang="`)
		_, hint, _ = strings.Cut(hint, `<p lang="`)
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
		rows := []row{nothing(s), {Keys: []cube.Value{cube.Integer(2016)}, Values: amounts("1234.5", "99")}, {Keys: []cube.Value{cube.Integer(2014)}, Values: amounts("", "")}}
		if len(s.Keys()) == 3 {
			of := func(year int64) []cube.Value {
				return []cube.Value{cube.Text("010"), cube.Text("2"), cube.Integer(year)}
			}
			rows = []row{nothing(s), {Keys: of(2016), Values: amounts("12345.5")}, {Keys: of(2014), Values: amounts("")}}
		}
		return yielding(rows...)(ctx, s)
	}
	h := searchable(t, above{f})
	for _, tt := range []struct {
		address string
		texts   []string
	}{
		{"/?q=unit&lang=es", []string{
			`<h1>3 resultados para «unit»</h1>`, `<h3>admin2_label <span class="soft">· quién gasta</span></h3>`, `<p class="soft">Sabor</p>`, `12.345,50</p>`, `<span class="soft">código 2 · 2014, 2016</span>`, `Approved (HRK) 2016`,
			`href="explore/croatia?drilldown=unit&amp;cut=Year:2016&amp;lang=es"`, `value="unit"`,
			`cut=admin1_code:010%7Cadmin2_code:2%7CYear:2016`,
		}},
		{"/?q=unit&cube=croatia&lang=hr", []string{`<a href="./?lang=hr&amp;q=unit&amp;cube=croatia" aria-current="true">Croatia &lt;Budget&gt; &amp; More</a>`, `<a href="./?lang=hr&amp;q=unit">Svi proračuni</a>`}},
		{"/?q=croatia+sabor+2013&lang=es", []string{`<li>2013 no está en «Croatia &lt;Budget&gt; &amp; More», que tiene 2014–2017: los resultados son allí de su último año.</li>`, `cut=admin1_code:010%7CYear:2017`}},
		{"/?q=%3Cb%3E&lang=en", []string{`<h1>1 hit for “&lt;b&gt;”</h1>`}},
		{"/?q=cash&lang=en", []string{`drilldown=Year&amp;aggregates=%22executed:&#43;cash%22.sum`}},
		{"/?q=croatia&lang=hr", []string{`href="explore/croatia?lang=hr">Croatia &lt;Budget&gt; &amp; More</a>`, "Proračun"}},
		{"/?q=sabor+2014&lang=en", []string{`cut=admin1_code:010%7CYear:2014`}},
		{"/?q=croatia+2014&lang=en", []string{`explore/croatia?drilldown=admin1_code&amp;cut=Year:2014&amp;lang=en`, `Approved (HRK) 2014`}},
		{"/?q=saborr+xyz+1990&lang=hr", []string{`<h1>0 pogodaka`, "<dt>Prepoznate riječi</dt><dd>saborr</dd>", "<dt>Ni u jednom proračunu</dt><dd>xyz</dd>", "<dd>1990</dd>", `href="./?lang=hr&amp;q=saborr"`, `<li><a href="explore/croatia?lang=hr">Croatia &lt;Budget&gt; &amp; More</a> <span class="soft">2014–2017</span></li>`}},
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

// A hit says what is doubtful about its amount: that it is 0 as all of its year are, or that it includes financing.
func TestExplorer_SearchSaysWhatIsDoubtful(t *testing.T) {
	store := drawn(t, "2016 1 x 1 x u 1 1 250.5 10", "2016 2 x 1 x u 1 1 130 10", "2017 2 x 1 x u 1 1 0 10")
	cb := store.cubes[0]
	cb.Financing = []cube.Financing{{Level: "admin1_code", Keys: []string{"2"}}}
	cb.Coverage.Zeros = []cube.YearGap{{Column: "approved_value", Years: []int64{2017}}}
	h := searchable(t, above{store})
	for address, marks := range map[string][]string{
		"/?q=croatia+2016&lang=en":       {"includes financing"},
		"/?q=croatia+2016&lang=hr":       {"uključuje financiranje"},
		"/?q=croatia+2017&lang=en":       {"probably not known", "includes financing"},
		"/?q=croatia+sabor+2017&lang=en": nil,
	} {
		page := ask(t, h, address).body
		_, hits, _ := strings.Cut(page, `<ul class="hits">`)
		if n := strings.Count(hits, `class="doubt"`); n != len(marks) {
			t.Errorf("%s: %d marks: %s", address, n, page)
		}
		for _, mark := range marks {
			if !strings.Contains(hits, `<strong class="doubt">`+mark+"</strong>") {
				t.Errorf("%s: without %s: %s", address, mark, page)
			}
		}
	}
}

// Words are shown as they were typed.
func TestExplorer_SearchShowsWordsAsTyped(t *testing.T) {
	h := searchable(t, above{newFake(t)})
	for address, want := range map[string]string{
		"/?q=%C2%BFCu%C3%A1nto+recaud%C3%B3+Croatia%3F&lang=es": "«recaudó» se lee como la fase «gastado o recaudado»",
		"/?q=Sab%C3%B4r+Xyz%C3%A9w&lang=en":                     "<dd>Sabôr</dd>",
	} {
		if page := ask(t, h, address).body; !strings.Contains(page, want) {
			t.Errorf("%s: without %s: %s", address, want, page)
		}
	}
}

// A member of the name of the one above it says that it is a part of that.
func TestExplorer_SearchSaysWhatIsAPart(t *testing.T) {
	if page := ask(t, searchable(t, twoOfOneName{newFake(t)}), "/?q=sabor&lang=en").body; strings.Count(page, "part of admin1_label Sabor") != 1 {
		t.Errorf("%s", page)
	}
}

// twoOfOneName has a member, and one of the same name below it, beside another.
type twoOfOneName struct{ *fake }

// Members implements answer.Store.
func (twoOfOneName) Members(_ context.Context, s *plan.MemberStatement) (plan.MemberRows, error) {
	rows := map[string][]plan.MemberRow{
		"admin1_code": {{Path: []cube.Value{cube.Text("010")}, Label: cube.Text("Sabor"), Rows: 2}},
		"admin2_code": {{Path: []cube.Value{cube.Text("010"), cube.Text("2")}, Label: cube.Text("SABOR"), Rows: 1}},
	}[s.Level().Ref]
	return plan.MemberRows{Count: int64(len(rows)), Members: endingIn(nil, rows), Close: func() {}}, nil
}

// A member with several names says which of them it has in which years: the one that is shown, and another.
func TestExplorer_SearchTellsNamesOfYears(t *testing.T) {
	_, l := amounted(t)
	l.members[0].Labels = []plan.LabelUse{{Text: "Novi naziv 2", Years: []int64{2017}}, {Text: "Stari", Years: []int64{2014, 2016}}}
	h := searchable(t, l)
	for address, want := range map[string]string{
		"/?q=stari&lang=en":  "called so in 2014 and 2016; now Novi naziv 2",
		"/?q=novi+2&lang=en": "code 2 · 2017; in 2014 and 2016: Stari<",
		"/?q=novi+2&lang=hr": "šifra 2 · 2017; naziv 2014. i 2016.: Stari<",
	} {
		if r := ask(t, h, address); !strings.Contains(r.body, want) {
			t.Errorf("%s: without %s:\n%s", address, want, r.body)
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
			"1 amount rounds to 175.1 bn", "Looked through were the sums by year", "Read as: 175,100,000,000", "<h3>when rounded so</h3>", "175,132,659,815.4", "Approved (HRK) 2016",
			`href="explore/croatia/number?cut=Year:2016&amp;aggregates=approved_value.sum&amp;lang=en"`,
		}},
		{"/?q=175.1+bn+croatia+2016&lang=en", []string{"1 amount rounds to 175.1 bn<", "Read as: 175,100,000,000 · Croatia &lt;Budget&gt; &amp; More · 2016<", "175,132,659,815.4"}},
		{"/?q=croatia+175.1+bn+2016&lang=hr", []string{"1 iznos zaokružuje se na 175.1 bn<", "Pročitano kao: 175.100.000.000 · Croatia &lt;Budget&gt; &amp; More · 2016.<"}},
		{"/?q=croatia:+175.1+bn&lang=es", []string{"1 cifra se redondea a 175.1 bn<", "Leído como: 175.100.000.000 · Croatia"}},
		{"/?q=12.345,50&lang=es", []string{
			"1 cifra es igual a 12.345,50", "<h3>exactamente</h3>", "admin2_label · Croatia &lt;Budget&gt; &amp; More › Sabor",
			`number?cut=admin1_code:010%7Cadmin2_code:2%7CYear:2016&amp;aggregates=approved_value.sum`,
		}},
		{"/?q=1234567890123456789012&lang=hr", []string{"1.234.567.890.123.456.789.012", `aggregates=%22executed:&#43;cash%22.sum`}},
		{"/?q=12345.6&lang=en", []string{"0 amounts equal 12345.6", "<h3>Nearest to it</h3>", "12,345.50</p>"}},
		{"/?q=175.1+mrd+kn&lang=en", []string{"1 amount rounds to 175.1 mrd kn", "Read as: 175,100,000,000 · HRK<"}},
		{"/?q=175.1+bn+USD&lang=en", []string{"No budget here has amounts in “USD”: those listed are in other currencies.", "175,132,659,815.4"}},
		{"/?q=175.1+bn+USD&lang=hr", []string{"Nijedan proračun ovdje nema iznosa u valuti „USD“"}},
		{"/?q=175.1+bn&cube=croatia&lang=en", []string{"1 amount rounds to 175.1 bn", `name="cube" value="croatia"`}},
		{"/?q=5000+zillion&lang=en", []string{"0 hits for", "<dt>In no budget</dt><dd>5000, zillion</dd>", `href="explore/croatia?lang=en"`}},
	} {
		r := ask(t, h, tt.address)
		for _, text := range tt.texts {
			if r.status != http.StatusOK || !strings.Contains(r.body, text) || strings.Contains(r.body, "data-retry") {
				t.Errorf("%s: status %d without %s:\n%s", tt.address, r.status, text, r.body)
			}
		}
	}
}

// Each found amount of a made-up budget says that it is made up, and so does each that is nearest.
func TestExplorer_SearchForAnAmountThatIsMadeUp(t *testing.T) {
	store := drawn(t, "2017 1 x 1 x u 1 1 1500000 10")
	store.cubes[0].Synthetic = true
	index := search.New(store, slog.New(slog.DiscardHandler))
	h := api.New(store, api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Search: index})
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask(t, h, "/?q=1500000")
	if err := index.RefreshSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	for lang, mark := range map[string]string{"en": "made up", "es": "inventado", "hr": "izmišljeno"} {
		for _, text := range []string{"1500000", "1500001"} {
			page := ask(t, h, "/?q="+text+"&lang="+lang).body
			if amounts, marks := strings.Count(page, `<p class="amount">`), strings.Count(page, `<p><span class="madeup">`+mark+`</span></p>`); amounts == 0 || marks != amounts {
				t.Errorf("%s: %d amounts have %d marks: %s", text, amounts, marks, page)
			}
		}
	}
}

// Where nothing is found, the budgets that are named are listed first, and what finds nothing but what is made up says so.
func TestExplorer_SearchThatFindsNothing(t *testing.T) {
	store := newFake(t)
	published := store.cubes[0]
	of := func(id int64, name, title string) *cube.Cube {
		other, described := *published, *published.Package
		other.ID, other.Package, described.Name, described.Title = id, &described, name, title
		return &other
	}
	madeUp := of(published.ID+1, "imagined", "Imagined")
	madeUp.Synthetic = true
	store.cubes = append(store.cubes, madeUp, of(published.ID+2, "uruguay", "Uruguay"))
	index := search.New(store, slog.New(slog.DiscardHandler))
	h := api.New(store, api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Search: index})
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for address, texts := range map[string][]string{
		"/?q=zillion+uruguay&lang=en":  {"Nearest to it", `<li><a href="./?lang=en&amp;q=uruguay">`, "<h2>Budgets</h2>", `href="explore/uruguay?`, `href="explore/croatia?`},
		"/?q=zillion+imagined&lang=es": {`<li><a href="./?lang=es&amp;q=imagined">`, `</a> <span class="madeup">inventado</span></li>`, `href="explore/imagined?`, `href="explore/croatia?`},
	} {
		rest := ask(t, h, address).body
		for _, text := range texts {
			_, after, ok := strings.Cut(rest, text)
			if !ok {
				t.Errorf("%s: without %s in:\n%s", address, text, rest)
			}
			rest = after
		}
	}
}

// An amount is looked for in the budget that is searched; what others have is one link away, and is shown where that has none.
func TestExplorer_SearchForAnAmountInOneBudget(t *testing.T) {
	store := drawn(t, "2017 1 x 1 x u 1 1 1500000 1234567")
	other, described := *store.cubes[0], *store.cubes[0].Package
	other.ID, other.Package, described.Name, described.Title = 9, &described, "uruguay", "Uruguay"
	store.cubes = append(store.cubes, &other)
	all := store.run
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		if s.Cube().ID == 9 {
			return all(ctx, s)
		}
		return yielding(nothing(s), row{Keys: []cube.Value{cube.Integer(2017)}, Values: amounts("2500000", "1234567")})(ctx, s)
	}
	index := search.New(store, slog.New(slog.DiscardHandler))
	h := api.New(store, api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Search: index})
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask(t, h, "/?q=1500000")
	if err := index.RefreshSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	for address, texts := range map[string][2]string{
		"/?q=1500000&cube=uruguay&lang=en": {`href="explore/uruguay/number`, "other budgets"},
		"/?q=1500000&cube=croatia&lang=en": {"Nothing for “1500000” in “Croatia", `explore/croatia/number`},
		"/?q=1500000&lang=en":              {`href="explore/uruguay/number`, "Nothing for"},
		"/?q=1234567&cube=croatia&lang=en": {"1 amount in other budgets</a>", `explore/uruguay/number`},
		"/?q=1700000&cube=croatia&lang=en": {`href="explore/croatia/number`, `explore/uruguay/number`},
	} {
		page := ask(t, h, address).body
		if !strings.Contains(page, texts[0]) || strings.Contains(page, texts[1]) {
			t.Errorf("%s: with %s or without %s: %s", address, texts[1], texts[0], page)
		}
	}
	if page := ask(t, h, "/?q=10&cube=uruguay&lang=en").body; strings.Contains(page, "Find the number") {
		t.Errorf("10 is no amount: %s", page)
	}
}

// Several numbers that are one sum, since they are of the same rows, are one line that says how many they are.
func TestExplorer_SearchForAnAmountOfSeveral(t *testing.T) {
	f := newFake(t)
	f.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		keys := map[int][]cube.Value{
			1: {cube.Integer(2016)}, 2: {cube.Text("010"), cube.Integer(2016)}, 3: {cube.Text("010"), cube.Text("2"), cube.Integer(2016)},
		}[len(s.Keys())]
		return yielding(nothing(s), row{Keys: keys, Values: amounts("4321.5", "4321.5")})(ctx, s)
	}
	store := above{f}
	log := slog.New(slog.DiscardHandler)
	index := search.New(store, log)
	h := api.New(store, api.Options{Document: documentBytes(t), Log: log, Search: index})
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask(t, h, "/?q=4321.5")
	if err := index.RefreshSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := ask(t, h, "/?q=4321.5&lang=en")
	_, list, _ := strings.Cut(r.body, `<ul class="hits">`)
	list, _, _ = strings.Cut(list, "</section>")
	amounts, links := strings.Count(list, `<p class="amount">4,321.50</p>`), len(linksOf(t, "/", list))
	if want := fmt.Sprintf("<summary>%d other numbers are the same sum</summary>", links-1); amounts != 1 || links != 3 ||
		!strings.Contains(list, want) || !strings.Contains(r.body, fmt.Sprintf("%d amounts equal 4321.5", links)) {
		t.Errorf("%d lines with %d numbers: %s", amounts, links, r.body)
	}
	if r := ask(t, h, "/?q=4321,5&lang=hr"); !strings.Contains(r.body, "Još 2 broja imaju isti zbroj") {
		t.Errorf("%s", r.body)
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
		if page := ask(t, h, address).body; !strings.Contains(html.UnescapeString(page), `<a href="`+want+`">Where “Approved” comes from</a>`) {
			t.Errorf("%s: no %s: %s", address, want, page)
		}
	}
}

// The page of a number has its citation right below what is said of it, before its years and its lines, and leads to the load report.
func TestExplorer_NumberIsCitedFirst(t *testing.T) {
	page := ask(t, handler(t, drawn(t, someBudget...)), "/explore/croatia/number?cut=Year:2017&lang=en").body
	last := 0
	for _, part := range []string{`<div class="noted"`, `<h2 id="cite">`, "<blockquote data-copy>", `id="years">`, `<table class="cells made`, `<a href="../../explore/croatia/report?lang=en">How the data was loaded</a>`, `<h2 id="check">`} {
		at := strings.Index(page, part)
		if at < last || strings.Count(page, part) != 1 {
			t.Errorf("%s is at %d, not behind %d: %s", part, at, last, page)
		}
		last = at
	}
}

// A view can be broken down by each level that its cuts leave open: by the first ones with a link, by those below with a form, which
// keeps the question.
func TestExplorer_BreaksDownByAnyLevel(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	const first, below = ">admin1_label</a>", `<optgroup label="administrative-classification"><option value="admin2_code">admin2_label</option></optgroup>`
	for address, want := range map[string]struct{ has, lacks []string }{
		"/explore/croatia?drilldown=fin_code&cut=econ_code:1|Year:2017&lang=en": {
			[]string{first, `<input type="hidden" name="cut" value="econ_code:1|Year:2017"><input type="hidden" name="lang" value="en">` + "\n" + `<select name="drilldown"`, below},
			[]string{">admin2_label</a>", `name="drilldown" value`},
		},
		"/explore/croatia?drilldown=admin2_code&lang=en": {
			[]string{first, ` aria-current="true">admin2_label</a>`, strings.Replace(below, `"admin2_code"`, `"admin2_code" selected`, 1)}, nil,
		},
		"/explore/croatia?drilldown=fin_code&cut=admin1_code:1&lang=en":                         {[]string{">admin2_label</a>"}, []string{first, "<optgroup"}},
		"/explore/croatia?drilldown=fin_code&cut=admin1_code:1|admin2_code:1&lang=en":           {nil, []string{first, ">admin2_label</a>", "<optgroup"}},
		"/explore/croatia?drilldown=fin_code&cut=econ_code:1&_with=econ_code:2&lang=en":         {[]string{first, `name="_with" value="econ_code:2"`, below}, nil},
		"/explore/croatia?drilldown=fin_code&cut=admin1_code:1&_with=admin1_code:2&lang=en":     {nil, []string{first, "<optgroup"}},
		"/explore/croatia?cut=econ_code:1%7CYear:2017&lang=en&drilldown=admin2_code&_view=bars": {[]string{`selected>admin2_label`}, nil}, // what the form asks
	} {
		page := ask(t, h, address)
		breakDown, _, _ := strings.Cut(page.body[max(strings.Index(page.body, ">Break down by<"), strings.Index(page.body, ">Break down by:"), 0):], "</details>")
		for _, part := range want.has {
			if !strings.Contains(html.UnescapeString(breakDown), part) {
				t.Errorf("%s: status %d, no %s in %s", address, page.status, part, breakDown)
			}
		}
		for _, part := range want.lacks {
			if strings.Contains(breakDown, part) {
				t.Errorf("%s: %s in %s", address, part, breakDown)
			}
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

// No link of a comparison leads to a question that has lost the year along which it moves.
func TestExplorer_LinksOfAComparisonKeepItsYear(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	for _, query := range []string{"drilldown=admin1_code&cut=Year:2017", "drilldown=Year", "drilldown=Year|admin1_code&cut=Year:2016;2017"} {
		page := ask(t, h, "/explore/croatia?lang=en&order=approved_value.sum.difference:desc&compare=Year:-1&"+query)
		ended := 0
		for _, link := range linksOf(t, "/explore/croatia", page.body) {
			if !strings.HasPrefix(link, "/explore/croatia?") {
				continue
			}
			if r := ask(t, h, link); r.status != http.StatusOK {
				t.Errorf("%s leads to %s: status %d", query, link, r.status)
			}
			if !strings.Contains(link, "compare=") {
				ended++
			}
		}
		if page.status != http.StatusOK || ended == 0 {
			t.Errorf("%s: status %d, %d links end the comparison", query, page.status, ended)
		}
	}
}

// The head of the column that rows are in the order of says so, and leads to the reverse order: that of amounts, of names and of codes.
func TestExplorer_HeadsSort(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	for order, reversed := range map[string]string{
		"approved_value.sum:desc": "approved_value.sum:asc", "admin1_label:asc": "admin1_label:desc", "econ_code:desc": "econ_code:asc",
	} {
		level := "admin1_code"
		if strings.HasPrefix(order, "econ") {
			level = "econ_code"
		}
		page := html.UnescapeString(ask(t, h, "/explore/croatia?drilldown="+level+"&cut=Year:2017&order="+order+"&lang=en").body)
		_, head, _ := strings.Cut(page, ` aria-sort="`)
		head, _, _ = strings.Cut(head, "</th>")
		if strings.Count(page, ` aria-sort="`) != 1 || !strings.HasPrefix(head, order[strings.Index(order, ":")+1:]) || !strings.Contains(head, "order="+reversed+"&") {
			t.Errorf("%s: %q", order, head)
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

// The measure of both sides of a comparison can be chosen, unless they have different ones.
func TestExplorer_CompareInAnotherMeasure(t *testing.T) {
	store := spent(t, "2017 a 100 120 90", "2017 b 300 120 50")
	const sides, paid = "?cut=Year:2017%7Coffice:a&_with=office:b&lang=en", `<li><a href="../explore/croatia?cut=Year:2017%7Coffice:a&aggregates=paid.sum&lang=en&_with=office:b">Paid</a></li>`
	saying(t, store, paid, map[string]int{sides: 1, sides + "&_measure=paid": 0})
	saying(t, store, `aria-current="true">Paid</a>`, map[string]int{sides + "&aggregates=paid.sum": 1, sides: 0})
}

// Two members have their amounts, shares and growth side by side, with what each has more.
func TestExplorer_CompareSideBySide(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	page := ask(t, h, "/explore/croatia?drilldown=econ_code&cut=Year:2017|admin1_code:1&_with=admin1_code:5&lang=en").body
	rows := pairRows(t, page)
	want := [][]string{
		{"2", "", "", "", "1,000,000,000,000,000,000.01", "100.0%", "new", "+1,000,000,000,000,000,000.01"},
		{"1", "130.00", "100.0%", "+30.0%", "", "", "", "-130.00"},
		{"Total", "130.00", "100.0%", "+30.0%", "1,000,000,000,000,000,000.01", "100.0%", "", "+999,999,999,999,999,870.01"},
	}
	if !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("%q", rows)
	}
	for _, text := range []string{
		`<span class="what">1 and 5, 2017</span></h1>`, `<span class="big">130 kuna</span>`, "exactly <b>130.00</b>", "+30.0% on 2016",
		"5 has 1 quintillion HRK more than 1, exactly 999,999,999,999,999,870.01", `<th scope="col" rowspan="2" class="number">Difference: 5 minus 1</th>`,
		`href="../explore/croatia/number?cut=Year:2017%7Cadmin1_code:5%7Cecon_code:2&aggregates=approved_value.sum&lang=en"`,
		`href="../cubes/croatia/aggregate?drilldown=econ_code&cut=Year:2017%7Cadmin1_code:5&aggregates=approved_value.sum%7Cshare%28approved_value.sum%29&order=approved_value.sum:desc&compare=Year:-1&lang=en&format=json"`,
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

// A view of one row says nothing that its total does not: it also shows what that is made of in another way.
func TestExplorer_OneRowIsDividedFurther(t *testing.T) {
	store := drawn(t, "2017 1 x 1 x u 1 1 30 1", "2017 1 x 1 x v 2 1 70 1", "2017 2 y 1 x u 1 1 5 1", "2017 2 y 2 x u 1 1 6 1")
	const oneRow, several = "?drilldown=admin2_code&cut=Year:2017%7Cadmin1_code:1&lang=en", "?drilldown=admin2_code&cut=Year:2017%7Cadmin1_code:2&lang=en"
	const divided = `<a href="../explore/croatia?drilldown=unit&cut=Year:2017%7Cadmin1_code:1&lang=en">By unit, 2017</a>`
	saying(t, store, divided, map[string]int{oneRow: 1, several: 0, oneRow + "&_view=bars": 0, "?cut=Year:2017%7Cadmin1_code:1&lang=en": 1})
	saying(t, store, "By unit, 2017", map[string]int{several: 0, several + "&pagesize=1": 0})
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
	amounts := []int{1, 4, len(total) - 1} // of each, and the difference
	for _, column := range amounts {
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
	if all := pairRows(t, ask(t, h, html.UnescapeString(rest[1])).body); len(all) != 71 || !slices.Equal(all[70], total) {
		t.Errorf("%d rows, the last one %q", len(all), all[len(all)-1])
	}
}

// Two members side by side are downloaded as one file, which has their amounts in rows. What are two questions has two files, and a sentence
// that says why.
func TestExplorer_CompareDownloads(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	const view, why = "/explore/croatia?drilldown=econ_code&lang=en&cut=", "two questions, so each has a file of its own"
	page := html.UnescapeString(ask(t, h, view+"Year:2017|admin1_code:1&_with=admin1_code:2").body)
	file := regexp.MustCompile(`<a href="\.\.(/cubes/[^"]*format=csv)">CSV</a>`).FindAllStringSubmatch(page, -1)
	if len(file) != 1 || strings.Contains(page, why) {
		t.Fatalf("%q: %s", file, page)
	}
	const want = "admin1_code,admin1_label,econ_code,approved_value.sum,approved_value.sum.earlier,approved_value.sum.difference,approved_value.sum.percentage,_change\r\n" +
		"1,1,1,130.00,100.00,30.00,30.00000000,\r\n2,2,1,200.25,250.50,-50.25,-20.05988024,\r\n"
	if got := ask(t, h, file[0][1]).body; got != want {
		t.Errorf("%s is %s, want %s", file[0][1], got, want)
	}
	for _, other := range []string{
		"Year:2017|admin1_code:1&_with=fin_code:2", "Year:2017|admin1_code:1;3&_with=admin1_code:2", "Year:2017|admin1_code:1&_with=admin1_code:2|fin_code:1",
	} {
		page := html.UnescapeString(ask(t, h, view+other).body)
		if !strings.Contains(page, why) || strings.Count(page, `, CSV</a>`) != 2 || strings.Contains(page, `>CSV</a>`) {
			t.Errorf("%s: %s", other, page)
		}
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

// unmatched has no member with a text in its name.
type unmatched struct{ above }

// Members implements answer.Store.
func (u unmatched) Members(ctx context.Context, s *plan.MemberStatement) (plan.MemberRows, error) {
	if s.Search() != "" {
		return plan.MemberRows{Members: endingIn[plan.MemberRow](nil, nil), Close: func() {}}, nil
	}
	return u.above.Members(ctx, s)
}

// A view finds members to filter by and to compare with as the search does, and says so where none is called so.
func TestExplorer_FiltersFindWhatTheSearchFinds(t *testing.T) {
	h := searchable(t, unmatched{above{drawn(t, someBudget...)}})
	for address, want := range map[string]string{
		"?_in=admin1_code&_find=parliament&lang=en":                       `cut=Year:2017%7Cadmin1_code:010`,
		"?_in=admin1_code&_find=sabro&lang=hr":                            `cut=Year:2017%7Cadmin1_code:010`,
		"?_in=admin1_code&_find=xyz&lang=en":                              "<li>Nothing in “admin1_label” is called “xyz”.</li>",
		"?_in=admin1_code&_find=xyz&lang=hr":                              "<li>U razini „admin1_label“ ništa se ne zove „xyz“.</li>",
		"%7Cadmin1_code:1?_beside=admin1_code&_like=parliament&lang=en":   "_with=admin1_code:010",
		"%7Cadmin1_code:1?_beside=admin1_code&_like=%3F%3F&lang=es":       "<li>En «admin1_label» nada se llama «??».</li>",
		"%7Cadmin1_code:1?_beside=admin1_code&_like=parliament+x&lang=en": "<li>Nothing in “admin1_label” is called “parliament x”.</li>",
	} {
		cut, asked, _ := strings.Cut(address, "?")
		page := html.UnescapeString(ask(t, h, "/explore/croatia?drilldown=econ_code&cut=Year:2017"+cut+"&"+asked).body)
		if !strings.Contains(page, want) {
			t.Errorf("%s: without %s: %s", address, want, page)
		}
	}
}

// A pinned page says how the served version answers, and leads to it.
func TestExplorer_PinnedPageSaysWhatChanged(t *testing.T) {
	store := drawn(t, someBudget...)
	old, now := *store.cubes[0], store.run
	described := *old.Package
	old.ID, old.Version, old.Served, old.Package = 9, 1, false, &described
	old.Model = newModel(t, append(slices.Clone(old.Model.Columns()), cube.Column{Name: "gone", Type: cube.TypeText}),
		append(slices.Clone(old.Model.Dimensions()), cube.Dimension{Name: "gone", Levels: []cube.Level{{Ref: "gone"}}}), old.Model.Measures())
	store.cubes = append(store.cubes, &old)
	before := runOver(cubetest.NewStore(old.Model, "2016 1 x 1 x u 1 1 90 10 g", "2016 2 x 1 x u 1 2 260.5 20 g", "2016 3 x 1 x u 2 1 30 5 g", "2017 1 x 1 x u 1 1 400 1 g"))
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		if s.Cube().Version == 1 {
			return before(ctx, s)
		}
		return now(ctx, s)
	}
	h := handler(t, store)
	const served = "Version 3, which is served now,"
	for address, want := range map[string]string{
		"?drilldown=admin1_code&cut=Year:2016&version=1":               served + " has the same total.",
		"?drilldown=admin1_code&cut=Year:2016|admin1_code:1&version=1": served + " has 10 HRK more, exactly 10.00 (+11.1%).",
		"?drilldown=admin1_code&cut=Year:2016|admin1_code:3&version=1": served + " has the same total.",
		"?cut=Year:2017|admin1_code:1&version=1":                       served + " has 270 HRK less, exactly 270.00 (-67.5%).",
		"?cut=Year:2017|admin1_code:5&version=1":                       served + " has 1 quintillion HRK here, exactly 1,000,000,000,000,000,000.01.",
		"?cut=gone:g&version=1":                                        served + " cannot answer this.",
		"/number?cut=Year:2017|admin1_code:1&version=1":                served + " has 270 HRK less, exactly 270.00 (-67.5%).",
		"?cut=Year:2016|admin1_code:1&_with=admin1_code:3&version=1":   `<p class="soft">` + served + " answers the same.",
		"?cut=Year:2016|admin1_code:1&version=1&lang=hr":               "Verzija 3, koja se sada poslužuje, ima 10 HRK više, točno 10,00 (+11,1\u00a0%).",
	} {
		page := html.UnescapeString(ask(t, h, "/explore/croatia"+address).body)
		_, pinned, _ := strings.Cut(page, `<p class="pinned">`)
		pinned, _, _ = strings.Cut(pinned, "</p>")
		if !strings.Contains(page, want) || !strings.Contains(pinned, `<a href="../`) || strings.Contains(pinned, "version=") {
			t.Errorf("%s: %s", address, page)
		}
	}
	if page := ask(t, h, "/explore/croatia?cut=Year:2016&version=3").body; strings.Contains(page, "pinned") {
		t.Errorf("the served version: %s", page)
	}
}

// reportOfAll has a finding of each kind, with lines, cells, and more of one code than are shown at once.
var reportOfAll = `{"resources":[` +
	`{"name":"a","path":"data/a.csv","rows":3,"declared":{"bytes":7,"hash":"ab"},"found":{"bytes":7,"hash":"ab","hashcopy":"","rows":3,"first_year":2014,"last_year":2016}},` +
	`{"name":"b","path":"data/b.csv","rows":4,"declared":{"bytes":9,"hash":"md5:1"},"found":{"bytes":8,"hash":"cd","hashcopy":"","rows":4},"left_out":"its rows are in others"}],` +
	`"totals":[{"resource":"a","year":"2014","measure":"approved_value","sum":"1.50","cells":2,"rows":2},` +
	`{"resource":"a","year":"2014","measure":"executed: cash","sum":"","cells":0,"rows":2},` +
	`{"resource":"a","year":"","measure":"approved_value","sum":"7","cells":1,"rows":1},` +
	`{"resource":"a","year":"","measure":"executed: cash","sum":"5","cells":1,"rows":1},` +
	`{"resource":"b","year":"2014","measure":"approved_value","sum":"100","cells":2,"rows":4}],` +
	`"coverage":[{"column":"Year","resource":"a","filled":2},{"column":"unit","resource":"a","filled":3},` +
	`{"column":"econ_code","resource":"a","filled":0}],"levels":[],` +
	`"findings":[{"code":"totals-row","severity":"warning","resource":"a","sentence":"left-out","params":{"line":3},"message":"the row at line 3 is the total of the others, so it is left out","count":1},` +
	`{"code":"label-changed","severity":"info","field":"unit","message":"<b>","count":12,"places":[{"cell":"x: \"A\" (2014), \"B\" (2015)"},{"cell":"x: 2"},{"cell":"x: 3"}]},` +
	`{"code":"level-renumbered","severity":"warning","resource":"b","message":"bad","count":1,` +
	`"places":[{"line":9,"cell":"2015: 2 of 3 members","sentence":"case","params":{"members":2,"of":3,"year":2015}}]}` + sevenPaired + `]}`

var sevenPaired = strings.Repeat(`,{"code":"label-paired","severity":"info","field":"econ_code","message":"paired","count":1}`, 7)

func TestExplorer_Report(t *testing.T) {
	f := newFake(t)
	cb := f.cubes[0]
	cb.Report = reportOfAll
	cb.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015}, Gaps: []cube.YearGap{{Column: "econ_code", Years: []int64{2015}}}}
	cb.Resources[1].LeftOut, cb.Resources[1].Repeats = "its rows are in others", true
	executed := "5"
	f.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		if len(s.Parts()) < 3 { // the years of the overview
			return yielding(something(s))(ctx, s)
		}
		return yielding(nothing(s),
			row{Keys: []cube.Value{cube.Integer(2014)}, Values: amounts("2", "1.5", "")}, row{Keys: []cube.Value{{}}, Values: amounts("1", "7", executed)})(ctx, s)
	}
	h := handler(t, f)
	for _, tt := range []struct {
		address string
		texts   []string
	}{
		{"/explore/croatia/report?lang=en", []string{
			"2 files, control totals match; 1 note to check, 8 assumptions, 1 repair", "✓</span> 6 numbers are the same.",
			`<a href="../../explore/croatia/lines/a?lang=en&amp;line=3">3</a>`, "&lt;b&gt;", "12 cases, the first 3", "<li>x: “A” (2014), “B” (2015)</li>", "<li>x: 2</li>", "<summary>3 more</summary>",
			"declared: 9 bytes", "declared in an unknown form", "as declared", "not loaded: other files have its rows", `<li title="level-renumbered"><p><strong>2015</strong>, b: Bad.</p>`, "9 ", `<strong>unit</strong>: &lt;b&gt;.`,
			"1 field has no cells in some fiscal years", `class="empty"`, "66.7%", "2 fields have cells in every year", `href="../../cubes/croatia/report?lang=en&amp;format=json"`,
		}},
		{"/explore/croatia/report?lang=es", []string{"2 archivos, los totales de control coinciden; 1 nota por revisar, 8 suposiciones, 1 corrección", "La fila de la línea 3 es el total de las demás, así que no se carga.", "<li>2015: 2 de 3 miembros</li>"}},
		{"/explore/croatia/report?lang=hr", []string{"2 datoteke, kontrolni zbrojevi se slažu; 1 napomena za provjeru, 8 pretpostavki, 1 ispravak", "Redak 3 zbroj je ostalih, pa se izostavlja."}},
		{"/explore/croatia?lang=en", []string{`<a href="../explore/croatia/report?lang=en">2 files, control totals match; 1 note to check,`}},
	} {
		r := ask(t, h, tt.address)
		for _, text := range tt.texts {
			if r.status != http.StatusOK || !strings.Contains(r.body, text) {
				t.Errorf("%s: status %d without %s:\n%s", tt.address, r.status, text, r.body)
			}
		}
	}
	executed = "6"
	for _, text := range []string{"1 control total differs", "1 of 6 numbers differ", "✗ answered: 6"} {
		if r := ask(t, h, "/explore/croatia/report?lang=en"); !strings.Contains(r.body, text) {
			t.Errorf("no %s:\n%s", text, r.body)
		}
	}
	cb.Report = "{"
	if r := ask(t, h, "/explore/croatia/report"); r.status != http.StatusInternalServerError {
		t.Errorf("a report that cannot be read: status %d", r.status)
	}
}

// A package without fiscal years, or without anything, has a report too.
func TestExplorer_ReportOfLittle(t *testing.T) {
	f := newFake(t)
	little := bare(t)
	f.cubes = []*cube.Cube{little}
	if r := ask(t, handler(t, f), "/explore/own:h%22r%20100%25%2F%C5%BE/report?lang=en"); r.status != http.StatusOK || !strings.Contains(r.body, "nothing looks wrong") ||
		!strings.Contains(r.body, "0 files</p>") {
		t.Errorf("status %d: %s", r.status, r.body)
	}
}

// The page of a budget says under which licence it was published and when it was loaded, and draws three years or more.
func TestExplorer_OverviewHasLicenceAndLine(t *testing.T) {
	store := drawn(t, someBudget...)
	store.cubes[0].Extra = map[string]json.RawMessage{"licenses": json.RawMessage(`[{"name": "CC-BY-4.0"}]`)}
	page := ask(t, handler(t, store), "/explore/croatia?lang=en").body
	for _, want := range []string{"<dt>Licence</dt><dd>CC-BY-4.0</dd>", "<dt>Loaded</dt><dd><time>" + store.cubes[0].LoadedAt.Format(time.DateOnly)} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s: %s", want, page)
		}
	}
	if strings.Contains(page, `<div class="figure drawn">`) {
		t.Errorf("two years are drawn: %s", page)
	}
	page = ask(t, handler(t, drawn(t, append(slices.Clone(someBudget), "2015 1 x 1 x u 1 1 90 10")...)), "/explore/croatia?lang=en").body
	if !strings.Contains(page, `<div class="large"><svg`) || !strings.Contains(page, "2015: 90.00") {
		t.Errorf("three years are not drawn: %s", page)
	}
}

// A figure that does not exist is named, and a cut on what is missing has a name.
func TestExplorer_OddAddresses(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	for address, want := range map[string]string{
		"drilldown=admin1_code&_view=pie": "<li>There is no figure “pie”, so this is the table.</li>",
		"drilldown=admin1_code&cut=Year:": `<span class="members">(not given)</span>`,
		"cut=Year:&drilldown=admin1_code": `<span class="what">Croatia <Budget> & More, (not given)</span>`,
	} {
		if page := html.UnescapeString(ask(t, h, "/explore/croatia?lang=en&"+address).body); !strings.Contains(page, want) {
			t.Errorf("%s does not have %s: %s", address, want, page)
		}
	}
	if page := ask(t, h, "/explore/croatia?lang=en&drilldown=admin1_code&_view=table").body; strings.Contains(page, "There is no figure") {
		t.Errorf("a table is no figure: %s", page)
	}
}
