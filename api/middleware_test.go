package api_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestRequestID(t *testing.T) {
	h := handler(t, newFake(t))
	for id, kept := range map[string]bool{
		"":                      false,
		"a-B_7.x":               true,
		strings.Repeat("a", 64): true,
		strings.Repeat("a", 65): false,
		"a b":                   false,
		"ž":                     false,
		"a\tb":                  false,
		"{}":                    false,
	} {
		got := ask(t, h, "/healthz", "X-Request-Id", id).header.Get("X-Request-Id")
		if (got == id) != kept || got == "" {
			t.Errorf("%q is answered with %q", id, got)
		}
	}
	if one, two := ask(t, h, "/healthz"), ask(t, h, "/healthz"); one.header.Get("X-Request-Id") == two.header.Get("X-Request-Id") {
		t.Error("two requests have one id")
	}
}

func TestRequestLine(t *testing.T) {
	log := &logged{}
	h := logging(t, newFake(t), log.logger())
	r := ask(t, h, "/cubes/croatia/model/?utm_source=x")
	line := log.lines(t)[0]
	for name, want := range map[string]any{
		"level":  "INFO",
		"msg":    "request",
		"id":     r.header.Get("X-Request-Id"),
		"method": "GET",
		"route":  "/cubes/:cube/model/",
		"status": 200.0,
		"bytes":  float64(len(r.body)),
	} {
		if line[name] != want {
			t.Errorf("%s is %v, want %v", name, line[name], want)
		}
	}
	if _, ok := line["duration"]; !ok || line["cut"] != nil {
		t.Errorf("line %v", line)
	}
}

func TestHeaders(t *testing.T) {
	h := handler(t, newFake(t))
	for _, path := range []string{"/", "/cubes", "/cubes/croatia/aggregate?format=csv", "/nothing", "/openapi.yaml", "/docs"} {
		header := ask(t, h, path).header
		for name, want := range map[string]string{
			"Access-Control-Allow-Origin": "*",
			"X-Content-Type-Options":      "nosniff",
			"Referrer-Policy":             "no-referrer",
		} {
			if header.Get(name) != want {
				t.Errorf("%s: %s: %q", path, name, header.Get(name))
			}
		}
		if !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") || header.Get("Cache-Control") == "" {
			t.Errorf("%s: %v", path, header)
		}
	}
}

func TestPreflight(t *testing.T) {
	h := handler(t, newFake(t))
	r := send(t, h, http.MethodOptions, "/cubes/croatia/aggregate", "Origin", "https://example.org",
		"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "x-request-id")
	if r.status != http.StatusNoContent || r.header.Get("Access-Control-Allow-Origin") != "*" ||
		r.header.Get("Access-Control-Allow-Headers") != "*" || r.header.Get("Access-Control-Allow-Methods") != "GET, HEAD, OPTIONS" {
		t.Errorf("status %d, %v", r.status, r.header)
	}
	if r := send(t, h, http.MethodOptions, "/nothing"); r.status != http.StatusNotFound {
		t.Errorf("status %d", r.status)
	}
}
