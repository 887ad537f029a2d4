package api_test

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// kept is a store that keeps versions 1 and 3 of croatia, of which 3 is served; 2 and 4 were pruned.
func kept(t testing.TB) *fake {
	t.Helper()
	store := newFake(t)
	old := *store.cubes[0]
	old.ID, old.Version, old.Served, old.Rows, old.Fingerprint = 9, 1, false, 10, "f1"
	store.cubes = append(store.cubes, &old)
	return store
}

// pinnable are the paths that take a version.
var pinnable = []string{
	"/cubes/croatia", "/cubes/croatia/model", "/cubes/croatia/report", "/cubes/croatia/datapackage.json", "/cubes/croatia/image",
	"/cubes/croatia/aggregate",
}

func TestVersion_Pins(t *testing.T) {
	store := kept(t)
	h := handler(t, store)
	for _, path := range pinnable {
		for query, want := range map[string]int64{"": 3, "?version=3": 3, "?version=1": 1} {
			r := ask(t, h, path+query)
			cached := "no-cache"
			if query != "" {
				cached = "max-age=86400"
			}
			if r.status != http.StatusOK || r.header.Get("Cache-Control") != cached {
				t.Errorf("%s%s: status %d, Cache-Control %q: %s", path, query, r.status, r.header.Get("Cache-Control"), r.body)
			}
			if s := store.asked(); s != nil && int64(s.Cube().Version) != want {
				t.Errorf("%s%s asked version %d, want %d", path, query, s.Cube().Version, want)
			}
			if path == "/cubes/croatia/datapackage.json" || path == "/cubes/croatia/image" {
				continue
			}
			var body struct{ Version int64 }
			r.read(t, &body)
			if body.Version != want {
				t.Errorf("%s%s: version %d, want %d", path, query, body.Version, want)
			}
		}
	}
}

func TestVersion_Unknown(t *testing.T) {
	h := handler(t, kept(t))
	for _, path := range pinnable {
		for version, want := range map[string]struct {
			status int
			code   cube.Code
			hint   string
		}{
			"2":                    {http.StatusGone, cube.CodeGone, "version 3 is served; kept are 1, 3"},
			"4":                    {http.StatusGone, cube.CodeGone, "version 3 is served; kept are 1, 3"},
			"5":                    {http.StatusNotFound, cube.CodeUnknownVersion, "version 3 is served; kept are 1, 3"},
			"0":                    {http.StatusBadRequest, cube.CodeBadValue, "versions are numbered 1, 2, 3 …"},
			"1.0":                  {http.StatusBadRequest, cube.CodeBadValue, "versions are numbered 1, 2, 3 …"},
			"":                     {http.StatusBadRequest, cube.CodeBadValue, "versions are numbered 1, 2, 3 …"},
			"99999999999999999999": {http.StatusBadRequest, cube.CodeBadValue, "versions are numbered 1, 2, 3 …"},
			"1&version=1":          {http.StatusBadRequest, cube.CodeBadValue, "give it once"},
		} {
			r := ask(t, h, path+"?version="+version)
			if p := r.problem(t); r.status != want.status || p.Code != want.code || p.Context.Hint != want.hint {
				t.Errorf("%s, version %s: status %d: %s", path, version, r.status, r.body)
			}
			if r.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s, version %s may be kept: %s", path, version, r.header.Get("Cache-Control"))
			}
			if linked := r.header.Get("Link") != ""; linked != (want.status == http.StatusGone) {
				t.Errorf("%s, version %s: Link %q", path, version, r.header.Get("Link"))
			}
		}
	}
	if r := ask(t, h, "/cubes/nope?version=1"); r.status != http.StatusNotFound || r.problem(t).Code != cube.CodeUnknownCube {
		t.Errorf("of no cube: %s", r.body)
	}
}

// The link of a 410 asks the same of the served version, whatever the question is made of.
func TestVersion_GoneLinksToTheServedOne(t *testing.T) {
	h := handler(t, kept(t))
	for _, question := range []string{
		"version=2", "version=2&drilldown=Year", "drilldown=Year|unit&version=2&cut=Year:", "%76ersion=2&drilldown=%22unit%22",
		`drilldown=unit&version=2&cut=unit:"a>;<b"|!Year:2016;2017&order=unit:desc`, "version=2&cut=unit:ž",
	} {
		r := ask(t, h, "/cubes/croatia/aggregate?"+question)
		target, rel, _ := strings.Cut(strings.TrimPrefix(r.header.Get("Link"), "<"), ">")
		if r.status != http.StatusGone || rel != `; rel="alternate latest-version"` {
			t.Errorf("%s: status %d, Link %q", question, r.status, r.header.Get("Link"))
		}
		base, _ := url.Parse("http://budgets.example/below/cubes/croatia/aggregate?version=2")
		at, err := base.Parse(target)
		if err != nil || at.Path != base.Path || at.Host != base.Host {
			t.Errorf("%s: the link %q leads to %v, %v", question, target, at, err)
		}
		followed := asked(t, h, at.RawQuery)
		if same := asked(t, h, strings.Replace(question, "2", "3", 1)); followed != same {
			t.Errorf("%s: the link asks %s, want %s", question, followed, same)
		}
	}
}

// asked gives the canonical question that a question comes to.
func asked(t *testing.T, h http.Handler, question string) string {
	t.Helper()
	r := ask(t, h, "/cubes/croatia/aggregate?"+cited(question))
	if r.status != http.StatusOK {
		t.Fatalf("%s: %s", question, r.body)
	}
	return r.question(t)
}

func TestVersions(t *testing.T) {
	r := ask(t, handler(t, kept(t)), "/cubes/croatia/versions")
	want := `{"status":"ok","cube":"croatia","version":3,"versions":[` +
		`{"number":1,"loaded_at":"2018-05-02T10:00:00Z","rows":10,"fingerprint":"f1","served":false},` +
		`{"number":3,"loaded_at":"2018-05-02T10:00:00Z","rows":539917,"fingerprint":"f3","served":true}],` +
		`"page":1,"page_size":2,"warnings":[]}`
	if r.body != want || r.header.Get("Cache-Control") != "no-cache" {
		t.Errorf("%s\nwant %s", r.body, want)
	}
	if r := ask(t, handler(t, kept(t)), "/cubes/nope/versions"); r.problem(t).Code != cube.CodeUnknownCube {
		t.Errorf("of no cube: %s", r.body)
	}
}

// monthly is a store with a cube whose months state the same money again, and notes on it.
func monthly(t testing.TB, notes ...string) *fake {
	t.Helper()
	model, err := (&cube.Draft{
		Columns: []cube.Column{
			{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "month", Type: cube.TypeText}, {Name: "plan", Scale: 2},
		},
		Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}, {Ref: "month", Parent: "year"}}}},
		Measures:   []cube.Measure{{Ref: "plan"}},
		Snapshots: &cube.Snapshots{By: "month", Per: []string{"year"}, Statements: []cube.PeriodSnapshot{
			{Period: []string{"2017"}, Snapshot: "11"}, {Period: []string{"2017"}, Snapshot: "12"},
			{Period: []string{"2018"}, Snapshot: "05"}, {Period: []string{"2018"}, Snapshot: "06"},
		}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	pkg := &cube.Package{Name: "monthly", Model: model}
	for _, note := range notes {
		pkg.Notes = append(pkg.Notes, cube.Titles{"en": note})
	}
	return &fake{cubes: []*cube.Cube{{Package: pkg, ID: 3, Version: 1, Served: true}}}
}

const monthlyQuestion = "/cubes/monthly/aggregate?aggregates=plan.sum"

func TestAggregate_ShowsDefaultCuts(t *testing.T) {
	h := handler(t, monthly(t, "Preliminary."))
	for _, test := range []struct{ question, want string }{
		{"", `"cell":[{"ref":"year/month","term":0,"operator":":","value":[[2017,"12"]],"default":true},` +
			`{"ref":"year/month","term":0,"operator":":","value":[[2018,"06"]],"default":true}]`},
		{"&cut=year:2017", `"cell":[{"ref":"year","term":0,"operator":":","value":[2017]},` +
			`{"ref":"month","term":1,"operator":":","value":["12"],"default":true}]`},
		{"&cut=date:2017/11", `"cell":[{"ref":"date","term":0,"operator":":","value":[[2017,"11"]]}]`},
		{"&cut=year:2017", `"warnings":[{"code":"snapshot-default","weight":"background","message":"month: the last statement of each year is counted (2017: 12)"},` +
			`{"code":"note","weight":"background","message":"Preliminary."}]`},
		{"&snapshots=all", `"cell":[]`},
		{"&snapshots=all", `"warnings":[{"code":"snapshots-all","weight":"stop","message":"month: all statements of each year are added up, ` +
			`so the same money is counted up to 2 times"},{"code":"note","weight":"background","message":"Preliminary."}]`},
	} {
		if r := ask(t, h, monthlyQuestion+test.question); !strings.Contains(r.body, test.want) {
			t.Errorf("%s\ngot  %s\nwant %s", test.question, r.body, test.want)
		}
	}
}

// The first statement gives the cells and how many there are, the second what they come to with one statement a year.
func TestAggregate_SummaryOfDrilledSnapshots(t *testing.T) {
	store := monthly(t)
	cells := yielding(row{Values: amounts("46"), Count: 4},
		row{Keys: []cube.Value{cube.Integer(2017), cube.Text("11")}, Labels: make([]cube.Value, 2), Values: amounts("11")})
	summary := yielding(row{Values: amounts("18"), Count: 1})

	statements := 0
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		if statements++; statements == 1 {
			return cells(ctx, s)
		}
		return summary(ctx, s)
	}
	r := ask(t, handler(t, store), monthlyQuestion+"&drilldown=month&pagesize=1")
	for _, want := range []string{`"total_cell_count":4`, `"summary":{"plan.sum":18.00},"summary_without":["month"],"cell":[]`} {
		if !strings.Contains(r.body, want) {
			t.Errorf("got  %s\nwant %s", r.body, want)
		}
	}
	if got := store.asked().Page(); statements != 2 || got != (query.Page{Number: 1, Size: 0}) {
		t.Errorf("%d statements, the last of page %v", statements, got)
	}
}

func TestAggregate_SummaryFails(t *testing.T) {
	store := monthly(t)
	statements := 0
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		if statements++; statements == 1 {
			return yielding(nothing(s))(ctx, s)
		}
		return failing(cube.Errorf(cube.CodeGone, "gone"))(ctx, s)
	}
	if r := ask(t, handler(t, store), monthlyQuestion+"&drilldown=month"); r.status != http.StatusGone {
		t.Errorf("status %d: %s", r.status, r.body)
	}
}

func TestCSV_Warnings(t *testing.T) {
	const first = `snapshot-default;message=%"month: the last statement of each year is counted (2017: 12)"`
	long := strings.Repeat("ñ", 300)
	for name, test := range map[string]struct {
		notes []string
		want  string
	}{
		"one":                 {nil, first},
		"quotes and percents": {[]string{`50% "más"`}, first + `, note;message=%"50%25 %22m%c3%a1s%22"`},
		"line ends":           {[]string{"a\r\nb"}, first + `, note;message=%"a%0d%0ab"`},
		"a long one is cut":   {[]string{long}, first + `, note;message=%"` + strings.Repeat("%c3%b1", 240) + `%e2%80%a6"`},
		"what is too much is counted": {[]string{long, long, "x"},
			first + `, note;message=%"` + strings.Repeat("%c3%b1", 240) + `%e2%80%a6", more;count=2`},
	} {
		r := ask(t, handler(t, monthly(t, test.notes...)), monthlyQuestion+"&cut=year:2017&format=csv")
		if got := r.header.Get("Fiscube-Warnings"); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", name, got, test.want)
		}
	}
	r := ask(t, handler(t, newFake(t)), "/cubes/croatia/aggregate?format=csv")
	if _, there := r.header["Fiscube-Warnings"]; there {
		t.Error("an answer without warnings has the header")
	}
	if exposed := r.header.Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, "Fiscube-Warnings") {
		t.Errorf("scripts may read %s", exposed)
	}
	if r := ask(t, handler(t, monthly(t)), monthlyQuestion); r.header.Get("Fiscube-Warnings") != "" {
		t.Error("JSON has the header, though its body says it")
	}
}
