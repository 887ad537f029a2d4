package api_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fiscube/api"
)

// A server of one machine is read by its programs and pages, not by those of other sites, unless the operator lets them.
func TestLocal(t *testing.T) {
	open := func(origins ...string) http.Handler {
		return api.New(newFake(t), api.Options{Log: slog.New(slog.DiscardHandler), Local: true, AllowOrigin: origins})
	}
	closed, one, all := open(), open("https://example.org"), open("*")
	for _, test := range []struct {
		server       http.Handler
		host, origin string
		status       int
	}{
		{closed, "localhost:8080", "", 200},
		{closed, "127.0.0.1", "http://localhost:3000", 200},
		{closed, "[::1]:8080", "http://[::1]:3000", 200},
		{closed, "localhost:8080", "null", 403}, // a file, or a sandboxed frame of any site
		{open("null"), "localhost:8080", "null", 200},
		{closed, "localhost:8080", "https://example.org", 403},
		{closed, "localhost:8080", "http://localhost.example.org", 403},
		{closed, "rebound.example.org:8080", "", 403},
		{closed, "rebound.example.org:8080", "http://rebound.example.org:8080", 403},
		{one, "localhost:8080", "https://example.org", 200},
		{one, "localhost:8080", "https://other.example.org", 403},
		{one, "example.org", "", 200},
		{all, "anything.example.org", "https://example.org", 200},
	} {
		for _, path := range []string{"/cubes", "/", "/mcp"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			if path == "/mcp" {
				r = httptest.NewRequest(http.MethodPost, path, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Accept", "application/json, text/event-stream")
			}
			if r.Host = test.host; test.origin != "" {
				r.Header.Set("Origin", test.origin)
			}
			w := httptest.NewRecorder()
			test.server.ServeHTTP(w, r)
			allowed := w.Header().Get("Access-Control-Allow-Origin")
			if w.Code != test.status || test.status == 200 && allowed != test.origin || test.status == 403 && allowed != "" && allowed != test.origin {
				t.Errorf("%s, host %s, origin %q: %d %q %s", path, test.host, test.origin, w.Code, allowed, w.Body)
			}
			if test.status == 403 && !strings.Contains(w.Body.String(), "--allow-origin") {
				t.Errorf("no hint in %s", w.Body)
			}
		}
	}
}
