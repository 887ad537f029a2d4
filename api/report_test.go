package api_test

import (
	"net/http"
	"strings"
	"testing"

	"fiscube/cube"
)

func TestReport(t *testing.T) {
	r := ask(t, handler(t, newFake(t)), "/cubes/croatia/report")
	want := `{"status":"ok","cube":"croatia","version":3,"synthetic":false,` + budgetReport[1:len(budgetReport)-1] + `,"warnings":[]}`
	if r.body != want {
		t.Errorf("%s\nwant %s", r.body, want)
	}
}

func TestAReportThatCannotBeReadIsAFaultOfOurs(t *testing.T) {
	store := newFake(t)
	store.cubes[0].Report = "{"
	if r := ask(t, handler(t, store), "/cubes/croatia/report"); r.status != http.StatusInternalServerError {
		t.Errorf("status %d: %s", r.status, r.body)
	}
}

func TestDescriptorIsServedAsItWasPublished(t *testing.T) {
	store := newFake(t)
	store.cubes[0].Descriptor = []byte("{ \"name\":\n\t\"croatia\", \"more\": 1e400 }\r\n")
	r := send(t, handler(t, store), http.MethodGet, "/cubes/croatia/datapackage.json")
	if r.status != http.StatusOK || r.body != string(store.cubes[0].Descriptor) || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("status %d, %q", r.status, r.body)
	}
}

func TestImage(t *testing.T) {
	const pixel = "GIF89a\x01\x00\x01\x00\x00\x00\x00,"
	for uri, want := range map[string]struct{ media, body string }{
		"data:image/gif;base64,R0lGODlhAQABAAAAACw=":           {"image/gif", pixel},
		"data:image/gif;base64,R0lGODlhAQABAAAAACw":            {"image/gif", pixel},
		"DATA:Image/GIF;name=x;BASE64,R0lGODlhAQAB\n AAAAACw=": {"image/gif", pixel},
		"data:image/png;base64,R0lGODlhAQABAAAAACw%3D":         {"image/png", pixel},
		"data:image/jpeg,GIF89a%01":                            {"image/jpeg", "GIF89a\x01"},
		"data:image/webp;base64,":                              {"image/webp", ""},

		"":                                      {},
		"data:":                                 {},
		"data:image/png;base64":                 {},
		"data:image/png;base64,*":               {},
		"data:image/png;base64,%zz":             {},
		"data:,image":                           {},
		"data:image/svg+xml;base64,PHN2Zy8+":    {},
		"data:text/html,<script>x</script>":     {},
		"data:text/html;image/png,x":            {},
		"https://example.org/image.png":         {},
		"javascript:image/png,alert(1)":         {},
		" data:image/gif;base64,R0lGODlhAQAB":   {},
		"data:image/png\r\nX-Evil: 1;base64,AA": {},
	} {
		store := newFake(t)
		store.cubes[0].Image = uri
		r := ask(t, handler(t, store), "/cubes/croatia/image")
		if want.media == "" {
			if r.status != http.StatusNotFound || r.problem(t).Code != cube.CodeUnknownRoute {
				t.Errorf("%q: status %d, %s", uri, r.status, r.header.Get("Content-Type"))
			}
			continue
		}
		if r.status != http.StatusOK || r.header.Get("Content-Type") != want.media || r.body != want.body {
			t.Errorf("%q: status %d, %s: %q", uri, r.status, r.header.Get("Content-Type"), r.body)
		}
		if r.header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(r.header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%q: a browser may take it for something else: %v", uri, r.header)
		}
	}
}
