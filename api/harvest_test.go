package api_test

import (
	"encoding/json"
	"encoding/xml"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/cube/words"
)

// harvested serves a budget that says much of itself, and one that says nothing.
func harvested(t *testing.T) http.Handler {
	f := newFake(t)
	cb := f.cubes[0]
	cb.Publisher, cb.Tags = "Ministry <of> Finance", []string{"budget"}
	cb.Titles = cube.Titles{"en": "Croatia", "hr": "Hrvatska"}
	cb.Extra = map[string]json.RawMessage{"license": json.RawMessage(`"https://creativecommons.org/licenses/by/4.0/"`)}
	cb.Resources[0].URL = "https://example.org/a.csv"
	cb.Resources[1].LeftOut = "it was not there"
	return api.New(f, api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), PublicURL: "https://budgets.example/data"})
}

func TestHarvest_Catalogue(t *testing.T) {
	h := harvested(t)
	r := ask(t, h, "/catalog.jsonld")
	var c struct {
		Context  map[string]string `json:"@context"`
		ID       string            `json:"@id"`
		Type     string            `json:"@type"`
		Datasets []map[string]any  `json:"dcat:dataset"`
		Service  struct {
			Serves []any `json:"dcat:servesDataset"`
		} `json:"dcat:service"`
	}
	if err := json.Unmarshal([]byte(r.body), &c); err != nil || r.status != http.StatusOK || r.header.Get("Content-Type") != "application/ld+json" {
		t.Fatalf("status %d, %s: %v", r.status, r.header.Get("Content-Type"), err)
	}
	if c.ID != "https://budgets.example/data/catalog.jsonld" || c.Type != "dcat:Catalog" || len(c.Datasets) != 2 || len(c.Service.Serves) != 2 {
		t.Errorf("%+v", c)
	}
	for _, want := range []string{
		`"dct:title":[{"@value":"Croatia","@language":"en"},{"@value":"Hrvatska","@language":"hr"}]`, `"dct:license":{"@id":"https://creativecommons.org/licenses/by/4.0/"}`,
		`"dct:publisher":{"@type":"foaf:Agent","foaf:name":"Ministry <of> Finance"}`, `"dcat:landingPage":{"@id":"https://budgets.example/data/explore/croatia"}`,
		`"dcat:startDate":{"@value":"2014","@type":"xsd:gYear"}`, `"dct:issued":{"@value":"2018-05-01","@type":"xsd:date"}`, `"dcat:keyword":["budget"]`,
		`"dcat:downloadURL":{"@id":"https://budgets.example/data/cubes/croatia/package.zip"}`, `"dcat:downloadURL":{"@id":"https://budgets.example/data/cubes/croatia/resources/a"}`,
		`"spdx:checksumValue":{"@value":"ab","@type":"xsd:hexBinary"}`, `authority/language/HRV`,
		`"@id":"https://budgets.example/data/cubes/own:h%22r%20100%25%2F%C5%BE"`, `"@value":"Izmišljeni podaci`,
	} {
		if !strings.Contains(r.body, want) {
			t.Errorf("no %s in\n%s", want, r.body)
		}
	}
	if strings.Contains(r.body, "resources/b") {
		t.Error("a file that was not loaded is offered")
	}
	terms(t, c.Context, r.body)
	if again := ask(t, h, "/catalog.jsonld", "If-None-Match", r.header.Get("ETag")); again.status != http.StatusNotModified {
		t.Errorf("asked again: status %d", again.status)
	}
}

// terms checks that every prefix of a key or a type is in the context.
func terms(t *testing.T, context map[string]string, body string) {
	t.Helper()
	var whole any
	if err := json.Unmarshal([]byte(body), &whole); err != nil {
		t.Fatal(err)
	}
	known := func(term string) {
		if prefix, _, ok := strings.Cut(term, ":"); !strings.HasPrefix(term, "@") && (!ok || context[prefix] == "") {
			t.Errorf("the term %q is unknown", term)
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for key, item := range v {
				if key == "@context" {
					continue
				}
				known(key)
				if kind, ok := item.(string); ok && key == "@type" {
					known(kind)
				}
				walk(item)
			}
		}
	}
	walk(whole)
}

func TestHarvest_Sitemap(t *testing.T) {
	h := harvested(t)
	r := ask(t, h, "/sitemap.xml")
	var set struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Pages   []struct {
			Address string `xml:"loc"`
			Changed string `xml:"lastmod"`
			Others  []struct {
				Language string `xml:"hreflang,attr"`
				Address  string `xml:"href,attr"`
			} `xml:"http://www.w3.org/1999/xhtml link"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal([]byte(r.body), &set); err != nil || r.status != http.StatusOK {
		t.Fatalf("status %d: %v\n%s", r.status, err, r.body)
	}
	var all []string
	for _, page := range set.Pages {
		all = append(all, page.Address)
		if len(page.Others) != 1+len(words.Languages()) || page.Others[0].Language != "x-default" {
			t.Errorf("%s: %+v", page.Address, page.Others)
		}
	}
	for _, page := range set.Pages {
		for _, other := range page.Others {
			if !slices.Contains(all, other.Address) {
				t.Errorf("%s has no page of its own", other.Address)
			}
		}
		path, ok := strings.CutPrefix(page.Address, "https://budgets.example/data")
		if answer := ask(t, h, path); !ok || answer.status != http.StatusOK {
			t.Errorf("%s: status %d", page.Address, answer.status)
		}
	}
	if len(all) != 3*(1+len(words.Languages())) || set.Pages[0].Changed != "2018-05-02T10:00:00Z" {
		t.Errorf("%d pages, the first of %s", len(all), set.Pages[0].Changed)
	}
	robots := ask(t, h, "/robots.txt")
	for _, line := range []string{"User-agent: *\n", "Disallow: /data/explore/*?\n", "Sitemap: https://budgets.example/data/sitemap.xml\n"} {
		if !strings.Contains(robots.body, line) {
			t.Errorf("no %q in\n%s", line, robots.body)
		}
	}
}

// The page of a cube describes it to search engines, in words that cannot end the script that they are in.
func TestHarvest_DatasetInThePage(t *testing.T) {
	h := harvested(t)
	r := ask(t, h, "/explore/croatia?lang=hr")
	_, text, _ := strings.Cut(r.body, `<script type="application/ld+json">`)
	text, _, ended := strings.Cut(text, "</script>")
	var d struct {
		Type    string `json:"@type"`
		Name    string
		License string
		Creator struct{ Name string }
		Years   string                        `json:"temporalCoverage"`
		Files   []struct{ ContentURL string } `json:"distribution"`
	}
	if err := json.Unmarshal([]byte(text), &d); err != nil || !ended {
		t.Fatalf("%v: %s", err, text)
	}
	if d.Type != "Dataset" || d.Name != "Hrvatska" || d.Creator.Name != "Ministry <of> Finance" || d.Years != "2014/2017" || len(d.Files) != 2 ||
		d.Files[1].ContentURL != "https://budgets.example/data/cubes/croatia/resources/a" || !strings.HasPrefix(d.License, "https://creativecommons.org/") {
		t.Errorf("%+v", d)
	}
	if strings.ContainsAny(text, "<>") {
		t.Error("it has signs of HTML")
	}
}
