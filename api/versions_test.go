package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"fiscube/cube"
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
