package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fiscube/cube"
)

// site is a server of files by path, counting what is asked of it.
type site struct {
	*httptest.Server
	files map[string]string
	asked atomic.Int64
}

func newSite(t *testing.T, files map[string]string) *site {
	t.Helper()
	s := &site{files: files}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP implements http.Handler. A file that begins with -> is a redirect.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	text, ok := s.files[r.URL.Path]
	if to, redirect := strings.CutPrefix(text, "->"); redirect {
		http.Redirect(w, r, to, http.StatusFound)
		return
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = io.WriteString(w, text)
}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

var private = Options{AllowPrivate: true}

// cannotOpenURL opens a package that cannot be fetched.
func cannotOpenURL(t *testing.T, at string, o Options, want string) {
	t.Helper()
	_, err := openWith(t, at, o)
	if err == nil || !strings.Contains(err.Error(), want) || cube.CodeOf(err) != cube.CodeBadPackage {
		t.Errorf("%s: %v, want %s", at, err, want)
	}
}

func TestPackageByURL(t *testing.T) {
	s := newSite(t, map[string]string{
		"/p/datapackage.json": smallDescriptor("data/a.csv", "data/año 1 #2?.csv", "data/c.csv"),
		"/p/data/a.csv":       "code,amount\na,1\n", "/p/data/año 1 #2?.csv": "code,amount\nb,2\n",
		"/p/data/c.csv.gz": string(gzipped(t, "code,amount\nc,3\n")),
		"/old":             "->/p/datapackage.json",
		"/p.zip":           string(zipOf(t, map[string]string{"p/" + DescriptorName: smallDescriptor("a.csv"), "p/a.csv": "code,amount\nzip,1\n"})),
	})
	for path, want := range map[string][]string{
		"/p/datapackage.json": {"a|1", "b|2", "c|3"}, "/p/datapackage.json?version=2#top": {"a|1", "b|2", "c|3"},
		"/old": {"a|1", "b|2", "c|3"}, "/p.zip": {"zip|1"},
	} {
		if rows := allRows(t, mustOpen(t, s.URL+path, private)); !slices.Equal(rows, want) {
			t.Errorf("%s: %q, want %q", path, rows, want)
		}
	}
}

func TestResourceByURL(t *testing.T) {
	s := &site{files: map[string]string{"/a.csv": "code,amount\na,1\n", "/b.csv.gz": string(gzipped(t, "code,amount\nb,2\n"))}}
	s.Server = httptest.NewTLSServer(s)
	t.Cleanup(s.Close)
	folder := writeFolder(t, map[string]string{
		DescriptorName: smallDescriptor(s.URL+"/a.csv", s.URL+"/b.csv.gz?x=1", "c.csv", s.URL+"/none.csv"), "c.csv": "code,amount\nc,3\n",
	})
	source := mustOpen(t, folder, private)
	source.files.fetcher.client.Transport.(*http.Transport).TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig
	want := []string{"a|1", "b|2", "c|3", "0: " + s.URL + "/none.csv cannot be read: file does not exist [missing-file]"}
	if rows := allRows(t, source); !slices.Equal(rows, want) {
		t.Errorf("%q, want %q", rows, want)
	}
	rows := allRows(t, mustOpen(t, folder, Options{}))
	if !strings.Contains(rows[0], "its address is private or local") || !strings.Contains(rows[0], "[fetch-failed]") || rows[2] != "c|3" {
		t.Errorf("%q", rows)
	}
}

// TestEachFileIsFetchedOnce: it is read twice, and several may read it at once.
func TestEachFileIsFetchedOnce(t *testing.T) {
	s := newSite(t, map[string]string{"/datapackage.json": smallDescriptor("a.csv"), "/a.csv": "code,amount\na,1\n"})
	source := mustOpen(t, s.URL+"/datapackage.json", private)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { allRows(t, source) })
	}
	group.Wait()
	if n := s.asked.Load(); n != 2 {
		t.Errorf("the server was asked %d times", n)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	s := newSite(t, map[string]string{"/datapackage.json": smallDescriptor("a.csv"), "/a.csv": "code,amount\na,1\n"})
	source, err := openWith(t, s.URL+"/datapackage.json", private)
	if err != nil {
		t.Fatal(err)
	}
	allRows(t, source)
	for _, after := range []string{"while it is read, in case the process is killed", "after Close"} {
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %v", after, left, err)
		}
		if err := source.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTooLargeToFetch(t *testing.T) {
	text := strings.Repeat("x", 1000)
	known := newSite(t, map[string]string{"/datapackage.json": text})
	endless := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, text); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
	})
	small := Options{AllowPrivate: true, MaxBytes: 999}
	cannotOpenURL(t, known.URL+"/datapackage.json", small, "the package is larger than is allowed")
	cannotOpenURL(t, endless, small, "the package is larger than is allowed")
}

// TestAllFilesTogetherAreBounded: many small files are a large package too.
func TestAllFilesTogetherAreBounded(t *testing.T) {
	s := newSite(t, map[string]string{
		"/datapackage.json": smallDescriptor("a.csv", "b.csv"), "/a.csv": "code,amount\n" + strings.Repeat("a,1\n", 200), "/b.csv": "code,amount\n" + strings.Repeat("b,1\n", 200),
	})
	rows := allRows(t, mustOpen(t, s.URL+"/datapackage.json", Options{AllowPrivate: true, MaxBytes: 1800}))
	if last := rows[len(rows)-1]; len(rows) != 201 || last != "0: b.csv cannot be fetched: the package is larger than is allowed [fetch-failed]" {
		t.Error(len(rows), last)
	}
}

func TestSlowServers(t *testing.T) {
	wait := func(r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	}
	silent := serve(t, func(_ http.ResponseWriter, r *http.Request) { wait(r) })
	dripping := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"name"`)
		w.(http.Flusher).Flush()
		wait(r)
	})
	hasty := Options{AllowPrivate: true, Timeout: 50 * time.Millisecond}
	cannotOpenURL(t, silent, hasty, "it takes longer than 50ms")
	cannotOpenURL(t, dripping, hasty, "it takes longer than 50ms")

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := OpenWith(ctx, dripping, private); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestServersThatSendSomethingElse(t *testing.T) {
	answer := func(header, value string, status int, body string) string {
		return serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(header, value)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
	}
	cannotOpenURL(t, answer("X", "", 500, ""), private, "the server answers 500 Internal Server Error")
	cannotOpenURL(t, answer("X", "", 206, ""), private, "the server answers 206 Partial Content")
	cannotOpenURL(t, answer("X", "", 404, ""), private, "file does not exist")
	cannotOpenURL(t, answer("Content-Encoding", "br", 200, "x"), private, "the server sends it in br, which was not asked for")
	cannotOpenURL(t, answer("Content-Length", "99", 200, "{}"), private, "unexpected EOF")
	cannotOpenURL(t, "http://no-such-host.invalid/", private, "cannot be read")
	if _, err := openWith(t, answer("X", "", 200, "<html>"), private); err == nil || !strings.Contains(err.Error(), "invalid character '<'") {
		t.Error(err)
	}
}

// TestFetchingAgainAfterAFailure: a failure is not remembered, so that a load can be tried again.
func TestFetchingAgainAfterAFailure(t *testing.T) {
	s := newSite(t, map[string]string{"/datapackage.json": smallDescriptor("a.csv")})
	source := mustOpen(t, s.URL+"/datapackage.json", private)
	if rows := allRows(t, source); !strings.Contains(fmt.Sprint(rows), "[missing-file]") {
		t.Error(rows)
	}
	s.files["/a.csv"] = "code,amount\na,1\n"
	if rows := allRows(t, source); !slices.Equal(rows, []string{"a|1"}) {
		t.Error(rows)
	}
}

func TestMissingByURL(t *testing.T) {
	s := newSite(t, map[string]string{"/datapackage.json": smallDescriptor("a.csv", "b.csv"), "/b.csv": "code,amount\nb,2\n"})
	source := mustOpen(t, s.URL+"/datapackage.json", Options{AllowPrivate: true, AllowMissing: true})
	if rows := allRows(t, source); !slices.Equal(rows, []string{"b|2"}) {
		t.Error(rows)
	}
}
