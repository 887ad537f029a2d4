package api_test

import (
	"crypto/tls"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fiscube/api"
	"fiscube/cube"
)

// Links begin where callers reach the service, which no caller makes up.
func TestWhereLinksBegin(t *testing.T) {
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
		h := api.New(cube.NewEngine(newFake(t)), api.Options{
			Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), PublicURL: test.public, Limits: api.Limits{TrustProxy: test.trust},
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
