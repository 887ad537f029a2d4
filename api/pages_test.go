package api_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// asBrowser is what browsers send as Accept.
const asBrowser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// An address of the API says which page shows its answer, and leads a browser there, also where the answer is kept; whoever wants data, or
// names a format, gets data.
func TestPages_OfAddresses(t *testing.T) {
	h := keeping(t, newFake(t), 1<<20)
	for address, want := range map[string]string{
		"/cubes":                                         "/",
		"/cubes/":                                        "/",
		"/search?q=sabor&pagesize=2":                     "/?q=sabor",
		"/cubes/croatia?version=3":                       "/explore/croatia?version=3",
		"/cubes/croatia/model?lang=es":                   "/explore/croatia?lang=es",
		"/cubes/croatia/report":                          "/explore/croatia/report",
		"/cubes/croatia/tree/date":                       "/explore/croatia?drilldown=date",
		"/cubes/croatia/members/admin1_code?page=1":      "/explore/croatia?drilldown=admin1_code",
		"/cubes/croatia/facts?cut=Year:2016&fields=Year": "/explore/croatia/number?cut=Year:2016",
		"/cubes/croatia/aggregate":                       "/explore/croatia/number",
		"/cubes/croatia/aggregate/?cut=Year:2016&aggregates=approved_value.sum&cite=1":                         "/explore/croatia/number?cut=Year:2016&aggregates=approved_value.sum",
		"/cubes/croatia/aggregate?drilldown=Year&numbers=string":                                               "/explore/croatia?drilldown=Year",
		"/cubes/croatia/aggregate?aggregates=_count%7Capproved_value.sum":                                      "/explore/croatia?aggregates=_count%7Capproved_value.sum",
		"/cubes/croatia/aggregate?aggregates=_count&aggregates=approved_value.sum":                             "/explore/croatia?aggregates=_count&aggregates=approved_value.sum",
		"/cubes/croatia/aggregate?aggregates=approved_value.sum&having=approved_value.sum%3E=1&drilldown=Year": "/explore/croatia?aggregates=approved_value.sum&having=approved_value.sum%3E=1&drilldown=Year",
	} {
		for range 2 {
			data := ask(t, h, address)
			if got := pageLinked(t, address, data); got != want || data.status != http.StatusOK {
				t.Errorf("%s: %d, its page is %s, want %s", address, data.status, got, want)
			}
			moved := raw(h, http.MethodGet, address, "Accept", asBrowser)
			at, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			if to, err := at.Parse(moved.header.Get("Location")); err != nil || moved.status != http.StatusSeeOther || to.String() != want ||
				moved.header.Get("Cache-Control") != "no-store" || !strings.HasPrefix(moved.header.Get("Vary"), "Accept") || !strings.HasPrefix(data.header.Get("Vary"), "Accept") {
				t.Errorf("%s: %d leads a browser to %v, with %v", address, moved.status, to, moved.header)
			}
			named := address + map[bool]string{true: "&", false: "?"}[strings.Contains(address, "?")] + "format=json"
			if r := ask(t, h, named, "Accept", asBrowser); r.status != http.StatusOK || r.body != data.body || pageLinked(t, address, r) != want {
				t.Errorf("%s: %d %s", named, r.status, r.body)
			}
			if r := ask(t, h, address, "Accept", "application/json, text/html"); r.status != http.StatusOK {
				t.Errorf("%s for who takes both: %d", address, r.status)
			}
		}
		page := raw(h, http.MethodGet, want, "Accept", asBrowser)
		if page.status != http.StatusOK || !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %d %s", want, page.status, page.header.Get("Content-Type"))
		}
	}
	for _, address := range []string{
		"/cubes/croatia/versions", "/cubes/croatia/tree/administrative-classification?path=010", "/cubes/croatia/aggregate?format=csv", "/cubes/croatia/datapackage.json",
	} {
		if r := raw(h, http.MethodGet, address, "Accept", asBrowser); r.status != http.StatusOK || pageLinked(t, address, r) != "" {
			t.Errorf("%s: %d leads to a page: %v", address, r.status, r.header)
		}
	}
}

var pageLink = regexp.MustCompile(`<([^>]*)>; rel="alternate"; type="text/html"`)

// paging are the links of an answer to other pages of data.
func paging(r response) []string {
	return slices.DeleteFunc(r.header.Values("Link"), pageLink.MatchString)
}

// pageLinked is the page that the header of an answer leads to.
func pageLinked(t *testing.T, address string, r response) string {
	t.Helper()
	found := pageLink.FindStringSubmatch(strings.Join(r.header.Values("Link"), ", "))
	if found == nil {
		return ""
	}
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	to, err := at.Parse(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return to.String()
}

// A citation leads people to the page of its number, which the version pins; where a page of a number cannot show it, to that of its cells.
func TestPages_OfCitations(t *testing.T) {
	h := handler(t, newFake(t))
	for question, want := range map[string]string{
		"cut=Year:2016&drilldown=admin1_code&top=1&page=2": "/number?cut=Year%3A2016&aggregates=approved_value.sum",
		"aggregates=_count": "/number?aggregates=_count",
		"drilldown=Year&aggregates=approved_value.sum&having=approved_value.sum>1": "?drilldown=Year&aggregates=approved_value.sum&having=approved_value.sum%3E1&order=Year%3Aasc",
	} {
		r := ask(t, h, "/cubes/croatia/aggregate?cite=1&"+question)
		page := "http://example.com/explore/croatia" + want + "&version=3"
		if !strings.Contains(r.body, `"page":"`+page+`"`) {
			t.Errorf("%s: the page is not %s: %s", question, page, r.body)
		}
		if r := ask(t, h, page); r.status != http.StatusOK {
			t.Errorf("%s: %d", page, r.status)
		}
	}
}
