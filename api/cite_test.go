package api_test

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
)

// Links begin where callers reach the service, which no caller makes up.
func TestCite_WhereLinksBegin(t *testing.T) {
	for name, test := range map[string]struct {
		public    string
		trust     bool
		forwarded string
		secure    bool
		want      string
	}{
		"as asked":                     {"", false, "", false, "http://example.com/cubes/"},
		"over TLS":                     {"", false, "", true, "https://example.com/cubes/"},
		"a header of the caller's own": {"", false, "https", false, "http://example.com/cubes/"},
		"the header of a proxy":        {"", true, "https", false, "https://example.com/cubes/"},
		"no scheme":                    {"", true, "javascript", false, "http://example.com/cubes/"},
		"less than the connection":     {"", true, "http", true, "https://example.com/cubes/"},
		"as the operator says":         {"https://budgets.example.org/a/", true, "http", false, "https://budgets.example.org/a/cubes/"},
	} {
		h := api.New(newFake(t), api.Options{
			Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), PublicURL: test.public, Limits: limits.Options{TrustProxy: test.trust},
		})
		request := httptest.NewRequest(http.MethodGet, anyQuestion+"&format=csv", nil)
		request.Header.Set("X-Forwarded-Proto", test.forwarded)
		if test.secure {
			request.TLS = &tls.ConnectionState{}
		}
		recorder := httptest.NewRecorder()
		h.ServeHTTP(recorder, request)
		if got := recorder.Header().Get("Link"); !strings.HasPrefix(got, "<"+test.want) {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// A citation is refused where it would be left out.
func TestCite_FormatsWithoutACitation(t *testing.T) {
	h := answering(t, nasty()...)
	for target, accept := range map[string]string{
		question + "&cite=1&format=csv": "", question + "&cite=true&format=ndjson": "", question + "&cite=1": "text/csv",
		strings.Replace(question, "/aggregate", "/explain", 1) + "&cite=1": "",
	} {
		r := ask(t, h, target, "Accept", accept)
		if p := r.problem(t); r.status != http.StatusBadRequest || p.Code != cube.CodeBadValue || *p.Context.Parameter != "cite" || p.Context.Hint == "" {
			t.Errorf("%s %s: %v", target, accept, p)
		}
	}
	if r := ask(t, h, question+"&cite=0&format=csv"); r.status != http.StatusOK {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// A workbook and a Parquet file carry the sentence, in the language that is asked for.
func TestCite_Files(t *testing.T) {
	f := newFake(t)
	f.run = yielding(nasty()...)
	f.cubes[0].Titles = cube.Titles{"en": "Croatia", "es": "Croacia"}
	h := handler(t, f)
	const asked = question + "&cite=1&lang=es"
	lines, err := workbook(t, ask(t, h, asked+"&format=xlsx").body).GetRows("About")
	if err != nil {
		t.Fatal(err)
	}
	says(t, fmt.Sprint(lines), "[title Croacia]", "[citation Approved: ", "Fuente: Croacia (Ministry), versión 3, cargada el 2018-05-02. http://example.com/")
	body := ask(t, h, asked+"&format=parquet").body
	file, err := parquet.OpenFile(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := file.Lookup("fiscube.citation")
	says(t, got, "Approved: ", "Fuente: Croacia (Ministry), versión 3")
	if uncited := ask(t, h, question+"&lang=es&format=parquet").body; strings.Contains(uncited, "fiscube.citation") {
		t.Error("nobody asked for a citation")
	}
}

func TestCube_InALanguage(t *testing.T) {
	f := newFake(t)
	f.cubes[0].Titles = cube.Titles{"en": "Croatia", "es": "Croacia"}
	h := handler(t, f)
	for query, title := range map[string]string{"": "Croatia", "?lang=en": "Croatia", "?lang=es": "Croacia", "?version=3&lang=es": "Croacia"} {
		says(t, ask(t, h, "/cubes/croatia"+query).body, `"title":"`+title+`","country"`)
	}
	if p := ask(t, h, "/cubes/croatia?lang=tlh").problem(t); p.Code != cube.CodeBadValue {
		t.Errorf("%v", p)
	}
}
