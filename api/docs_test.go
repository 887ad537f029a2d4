package api_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// loaded finds what the page of the reference loads.
var loaded = regexp.MustCompile(`(?:src|href)="([^"]*\.(?:js|css)\?v=[0-9a-f]{16})"`)

func TestDocs_Page(t *testing.T) {
	h := handler(t, newFake(t))
	for asked, base := range map[string]string{"/docs": "/", "/docs/": "/docs/"} {
		page := ask(t, h, asked)
		says(t, page.body, "<title>fiscube")
		policy := page.header.Get("Content-Security-Policy")
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s: the policy %s", asked, policy)
		}
		files := loaded.FindAllStringSubmatch(page.body, -1)
		if len(files) != 4 {
			t.Fatalf("%s loads %q", asked, files)
		}
		for _, file := range files {
			r := ask(t, h, base+file[1])
			if r.status != http.StatusOK || r.header.Get("Cache-Control") != "max-age=31536000, immutable" {
				t.Errorf("%s: %d, %s", file[1], r.status, r.header.Get("Cache-Control"))
			}
		}
		document := regexp.MustCompile(`data-document="([^"]*)"`).FindStringSubmatch(page.body)
		if document == nil || ask(t, h, path.Join(base, document[1])).status != http.StatusOK {
			t.Errorf("%s shows %q", asked, document)
		}
		if again := ask(t, h, asked, "If-None-Match", page.header.Get("ETag")); again.status != http.StatusNotModified || again.body != "" {
			t.Errorf("%s is sent again: %d", asked, again.status)
		}
	}
}

func TestDocs_File(t *testing.T) {
	h := handler(t, newFake(t))
	const file = "/docs/swagger-ui.css"
	plain, packed := ask(t, h, file), ask(t, h, file, "Accept-Encoding", "gzip")
	if packed.header.Get("Content-Encoding") != "gzip" || unpack(t, []byte(packed.body)) != plain.body {
		t.Errorf("gzip: %v", packed.header)
	}
	for name, r := range map[string]response{"plain": plain, "gzip": packed} {
		if r.header.Get("Vary") != "Accept-Encoding" || r.header.Get("Cache-Control") != "no-cache" ||
			r.header.Get("Content-Type") != "text/css; charset=utf-8" {
			t.Errorf("%s: %v", name, r.header)
		}
		again := ask(t, h, file, "If-None-Match", r.header.Get("ETag"), "Accept-Encoding", r.header.Get("Content-Encoding"))
		if again.status != http.StatusNotModified {
			t.Errorf("%s is sent again: %d", name, again.status)
		}
		head := send(t, h, http.MethodHead, file, "Accept-Encoding", r.header.Get("Content-Encoding"))
		if head.body != "" || head.header.Get("Content-Length") != r.header.Get("Content-Length") {
			t.Errorf("%s: HEAD sends %d bytes and %v", name, len(head.body), head.header)
		}
	}
	if r := ask(t, h, file+"?v=0123456789abcdef"); r.status != http.StatusOK || r.header.Get("Cache-Control") != "no-cache" {
		t.Errorf("another sum: %d, %s", r.status, r.header.Get("Cache-Control"))
	}
	if r := ask(t, h, "/docs/docs.html"); r.status != http.StatusNotFound {
		t.Errorf("no file of the page: %d", r.status)
	}
}

// The viewer is what its authors published: nobody reads a megabyte and a half in a review.
func TestDocs_ViewerIsAsPublished(t *testing.T) {
	readme, err := os.ReadFile("docs/viewer/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"swagger-ui-bundle.js", "swagger-ui.css"} {
		file, err := os.ReadFile("docs/viewer/" + name + ".gz")
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(unpack(t, file)))
		says(t, string(readme), "| `"+name+"` | `"+hex.EncodeToString(sum[:])+"` |")
	}
}

func unpack(t *testing.T, packed []byte) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
