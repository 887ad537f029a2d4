package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fiscube/internal/testrequire"
)

// obstacles is what axe says of a page.
type obstacles struct {
	Error      string
	Dark       bool
	Background string
	Passes     int // rules that it keeps
	Open       int // operations that are unfolded
	Violations []string
}

// Readers who see little or nothing, or use no mouse, meet no obstacle in the reference, whether their screen is light or dark.
func TestReference_HasNoObstacles(t *testing.T) {
	t.Parallel()
	browser := browserOrSkip(t)
	folder := axe(t)
	server := seeded.onDuckDB(t)
	backgrounds := map[string]bool{}
	for _, dark := range []bool{false, true} {
		got := server.obstacles(t, browser, folder, "/docs#/questions/aggregate", dark) // one operation is unfolded, the others are not
		if got.Error != "" || got.Dark != dark || got.Passes < 20 || got.Open != 1 {
			t.Errorf("%+v", got)
		}
		if len(got.Violations) > 0 {
			t.Errorf("dark: %v:\n%s", dark, strings.Join(got.Violations, "\n"))
		}
		backgrounds[got.Background] = dark
	}
	if len(backgrounds) != 2 {
		t.Errorf("light and dark have the backgrounds %v", backgrounds)
	}
}

// axe gives the folder where axe is installed beside the script that runs it, or skips.
func axe(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		testrequire.Skip(t, "node", "there is no npm, which installs axe")
	}
	folder := t.TempDir()
	check(os.CopyFS(folder, os.DirFS("e2e/testdata/axe")))
	if _, err := runIn(t, folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000"); err != nil {
		testrequire.Skip(t, "node", "axe cannot be installed: "+err.Error())
	}
	return folder
}

// obstacles opens a page of the service with axe in it, under the policy that the page has.
func (s *service) obstacles(t *testing.T, browser, folder, path string, dark bool) obstacles {
	t.Helper()
	found := make(chan obstacles, 1)
	target, err := url.Parse(s.url)
	check(err)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /axe/run.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, filepath.Join(folder, "run.js")) })
	mux.Handle("GET /axe/", http.StripPrefix("/axe/", http.FileServer(http.Dir(filepath.Join(folder, "node_modules/axe-core")))))
	mux.HandleFunc("POST /axe/found", func(_ http.ResponseWriter, r *http.Request) {
		var o obstacles
		if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
			o.Error = err.Error()
		}
		found <- o
	})
	mux.Handle("/", &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Header.Del("Accept-Encoding") },
		ModifyResponse: func(r *http.Response) error {
			if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
				return nil
			}
			page, err := io.ReadAll(r.Body)
			page = bytes.Replace(page, []byte("</head>"), []byte(`<script src="/axe/axe.min.js"></script><script src="/axe/run.js"></script></head>`), 1)
			r.Body = io.NopCloser(bytes.NewReader(page))
			r.Header.Del("Content-Length")
			r.ContentLength = -1
			return err
		},
	})
	page := httptest.NewServer(mux)
	defer page.Close()
	scheme := "1" // light, as Chromium numbers it
	if dark {
		scheme = "0"
	}
	open(t, browser, page.URL+path, "--blink-settings=preferredColorScheme="+scheme)
	select {
	case o := <-found:
		return o
	case <-time.After(patience):
		t.Fatalf("axe says nothing of %s within %s", path, patience)
		return obstacles{}
	}
}
