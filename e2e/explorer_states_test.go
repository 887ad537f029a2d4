package e2e

import (
	"io"
	"net/http"
	"path/filepath"
	"testing"
)

// The states of pages that show no answer, or one with a notice. TestExplorer_Scripts has those that only scripts know: loading, and
// without a connection.
func TestExplorer_States(t *testing.T) {
	t.Parallel()
	const croatia = "/explore/example-croatia"
	server := seeded.onDuckDB(t)
	for _, tt := range []struct {
		name, path string
		status     int
		texts      []string
	}{
		{"no row has all filters", croatia + "?drilldown=admin1_code&cut=Year:2017|func1_code:99|admin1_code:020", 200, []string{
			"No row of the budget matches all filters.</p>", "Remove a filter:</p>",
			`cut=func1_code:99%7Cadmin1_code:020&amp;aggregates=approved_value.sum&amp;lang=en">Remove: Year 2017</a>`,
			`cut=Year:2017%7Cadmin1_code:020&amp;aggregates=approved_value.sum&amp;lang=en">Remove: Function Ostalo</a>`,
			`cut=Year:2017%7Cfunc1_code:99&amp;aggregates=approved_value.sum&amp;lang=en">Remove: Section VLADA</a>`,
		}},
		{"nothing is broken down", croatia + "?cut=Year:1900", 200, []string{
			"<li>Year: there is no member 1900</li>", "No row of the budget matches all filters.</p>", `">Remove: Year 1900</a>`,
		}},
		{"one of two members", croatia + "?drilldown=Year&cut=admin1_code:020;999", 200, []string{
			"<li>admin1_code: there is no member &#34;999&#34;</li>", "<h1>020, 999 ",
		}},
		{"a figure is refused", croatia + "?drilldown=admin1_code&cut=Year:2017|admin1_code:010;020&_view=treemap", 200, []string{
			`<p class="refused">This figure says more than the table from 3 parts on; here their number is 2.</p>`, `<table class="cells">`,
		}},
		{"a figure needs a choice", croatia + "?drilldown=admin1_code&_view=change", 200, []string{
			`<p class="refused">A change is that of one fiscal year since the year before. Choose a year:</p>`, `&amp;_view=change">2019</a></li></ul>`,
		}},
		{"a mistake", croatia + "?drilldown=admin1_cod&cut=Year:2017", 400, []string{
			"<h1>This question has a mistake</h1>", "no field or dimension &#34;admin1_cod&#34;",
			`<a href="../explore/example-croatia?drilldown=admin1_code&amp;cut=Year:2017&amp;lang=en">did you mean admin1_code?</a>`,
		}},
		{"another cube", "/explore/example-croatai?drilldown=Year", 404, []string{
			"<h1>There is no such page</h1>", `<a href="../explore/example-croatia?drilldown=Year&amp;lang=en">did you mean example-croatia?</a>`,
		}},
		{"another version", croatia + "?drilldown=Year&version=9", 404, []string{
			"has no version 9", `<a href="../explore/example-croatia?drilldown=Year&amp;lang=en">the version served now</a>`,
		}},
		{"made-up data", croatia, 200, []string{`<p class="madeup">Made-up example data.`}},
		{"a made-up view", croatia + "?drilldown=admin1_code", 200, []string{`<p class="madeup">Made-up example data.`}},
		{"a made-up number", croatia + "/number?cut=Year:2017", 200, []string{`<p class="madeup">Made-up example data.`, "<blockquote data-copy>Made-up figures"}},
		{"made-up lines", croatia + "/lines/example-croatia__2017.csv", 200, []string{`<p class="madeup">Made-up example data.`}},
		{"a made-up figure in another page", "/embed/example-croatia?drilldown=admin1_code", 200, []string{`<p class="madeup">Made-up example data.`}},
		{"a made-up picture", croatia + ".svg?drilldown=admin1_code", 200, []string{">Made-up example data. The numbers say"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server.shows(t, withLanguage(tt.path, "en"), tt.status, tt.texts...)
		})
	}
}

// shows checks a page, which may be one of a mistake.
func (s *service) shows(t *testing.T, path string, status int, texts ...string) {
	t.Helper()
	got, body := s.get(t, path)
	if got != status {
		t.Errorf("%s: status %d, want %d", path, got, status)
	}
	says(t, string(body), texts...)
}

// The page of a version that is kept no more leads to the one that is served.
func TestExplorer_AVersionThatIsGone(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		folder := handFolder(t)
		must(t, "load", "--db", db, folder)
		write(filepath.Join(folder, "late.csv"), []byte(handLate+"2022,1,Health and care,01,Hospitals,z,1000.00,\r\n"))
		must(t, "load", "--db", db, folder)
		must(t, "prune", "--db", db, "hand", "--keep", "0")
		serve(t, db).shows(t, "/explore/hand/number?cut=year:2022&version=1&lang=en", http.StatusGone, "<h1>This version of the data was removed</h1>",
			`<a href="../../explore/hand/number?cut=year:2022&amp;lang=en">the version served now</a>`)
	})
}

// A page that is refused since too many came says when to try again, and leads to itself.
func TestExplorer_TooManyRequests(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	must(t, "load", "--db", db, handFolder(t))
	server := serve(t, db, "--rate", "1")
	const path = "/explore/hand?drilldown=area&lang=en"
	for range 100 {
		response, err := http.Get(server.url + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		check(err)
		_ = response.Body.Close()
		if response.StatusCode == http.StatusTooManyRequests {
			after := response.Header.Get("Retry-After")
			says(t, string(body), "<h1>", `<a href="../explore/hand?drilldown=area&amp;lang=en" data-retry="`+after+`">Try again</a>`)
			return
		}
	}
	t.Error("no page was refused")
}
