package api_test

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
)

var links = regexp.MustCompile(`<a href="([^"]*)"`)

// home gives the links of the page as a browser follows them.
func home(t testing.TB, h http.Handler) (page string, hrefs []string) {
	t.Helper()
	r := ask(t, h, "/")
	if r.header.Get("Content-Type") != "text/html; charset=UTF-8" {
		t.Errorf("Content-Type: %s", r.header.Get("Content-Type"))
	}
	for _, match := range links.FindAllStringSubmatch(r.body, -1) {
		target, err := url.Parse(html.UnescapeString(match[1]))
		if err != nil {
			t.Fatal(err)
		}
		hrefs = append(hrefs, (&url.URL{Path: "/"}).ResolveReference(target).String())
	}
	return r.body, hrefs
}

func TestHome_LinksResolve(t *testing.T) {
	h := handler(t, newFake(t))
	page, hrefs := home(t, h)
	want := []string{
		"/cubes/croatia",
		"/cubes/croatia/aggregate?drilldown=Year",
		"/cubes/croatia/aggregate?drilldown=admin1_code&order=approved_value.sum:desc",
		"/cubes/croatia/aggregate?drilldown=admin1_code&order=approved_value.sum:desc&format=csv",
		"/cubes/croatia/model",
		"/cubes/own:h%22r%20100%25%2F%C5%BE",
		"/cubes/own:h%22r%20100%25%2F%C5%BE/aggregate",
		"/cubes/own:h%22r%20100%25%2F%C5%BE/aggregate?aggregates=_count",
		"/cubes/own:h%22r%20100%25%2F%C5%BE/aggregate?aggregates=_count&format=csv",
		"/cubes/own:h%22r%20100%25%2F%C5%BE/model",
		"/cubes",
		"/docs",
		"/openapi.yaml",
	}
	if !slices.Equal(hrefs, want) {
		t.Errorf("links\n%s", strings.Join(hrefs, "\n"))
	}
	for _, href := range hrefs {
		if r := ask(t, h, href); r.status != http.StatusOK {
			t.Errorf("%s: status %d: %s", href, r.status, r.body)
		}
	}
	for _, text := range []string{"Croatia &lt;Budget&gt; &amp; More", "<dd>HR</dd>", "<dd>2014–2017</dd>", "<dd>539,917</dd>",
		"By admin1_code, largest Approved first", "own:h&#34;r 100%/ž"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not show %s", text)
		}
	}
	if n := strings.Count(page, "Synthetic example data"); n != 1 {
		t.Errorf("%d cubes are marked synthetic", n)
	}
}

// Models of every shape have examples that work.
func TestHome_AnyModel(t *testing.T) {
	fiscal := cube.Column{Name: `a "year"`, Type: cube.TypeInteger, FiscalYear: true}
	text, amount := cube.Column{Name: "50% & more", Type: cube.TypeText}, cube.Column{Name: "a+b", Scale: 2}
	columns := []cube.Column{fiscal, text, amount}
	measures := []cube.Measure{{Ref: "a+b"}}
	years := cube.Dimension{Name: "years", Levels: []cube.Level{{Ref: fiscal.Name}}}
	lines := cube.Dimension{Name: "lines", Type: cube.DimensionFact, Levels: []cube.Level{{Ref: text.Name}}}
	plain := cube.Dimension{Name: "plain", Levels: []cube.Level{{Ref: text.Name}}}
	empty := cube.Dimension{Name: "empty", Classification: "functional"}
	for name, model := range map[string]*cube.Model{
		"no dimension":  newModel(t, columns, nil, measures),
		"years only":    newModel(t, columns, []cube.Dimension{years}, measures),
		"budget lines":  newModel(t, columns, []cube.Dimension{lines}, measures),
		"no measure":    newModel(t, columns, []cube.Dimension{empty, plain}, nil),
		"no class":      newModel(t, columns, []cube.Dimension{years, plain}, measures),
		"nothing at al": newModel(t, nil, nil, nil),
	} {
		t.Run(name, func(t *testing.T) {
			store := newFake(t)
			store.cubes = []*cube.Cube{{Package: &cube.Package{Name: "x", Model: model}, Version: 1, Served: true, Report: "{}"}}
			h := handler(t, store)
			_, hrefs := home(t, h)
			if len(hrefs) != 8 {
				t.Errorf("links %v", hrefs)
			}
			for _, href := range hrefs {
				if r := ask(t, h, href); r.status != http.StatusOK {
					t.Errorf("%s: status %d: %s", href, r.status, r.body)
				}
			}
		})
	}
}

func TestHome_WithoutCubes(t *testing.T) {
	if page, _ := home(t, handler(t, &fake{})); !strings.Contains(page, "fiscube load path/to/package") {
		t.Error("the page does not say how to load a package")
	}
}

// The policy names the style by its hash: a browser drops a style that differs by a byte.
func TestHome_PolicyAdmitsItsStyle(t *testing.T) {
	r := ask(t, handler(t, newFake(t)), "/")
	_, rest, _ := strings.Cut(r.body, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	want := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if policy := r.header.Get("Content-Security-Policy"); len(style) < 100 || !strings.Contains(policy, want) {
		t.Errorf("policy %s does not admit the style, %s", policy, want)
	}
}
