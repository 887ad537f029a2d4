package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
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

func TestOpenWith_URLOfAPackage(t *testing.T) {
	s := newSite(t, map[string]string{
		"/p/datapackage.json": smallDescriptor("data/a.csv", "data/año 1 #2?.csv", "data/c.csv"),
		"/p/data/a.csv":       "code,amount\na,1\n", "/p/data/año 1 #2?.csv": "code,amount\nb,2\n",
		"/p/data/c.csv.gz": gzipText(t, "code,amount\nc,3\n"),
		"/old":             "->/p/datapackage.json",
		"/p.zip":           string(zipText(t, map[string]string{"p/" + DescriptorName: smallDescriptor("a.csv"), "p/a.csv": "code,amount\nzip,1\n"})),
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

// TestFetcher_FetchesEachFileOnce: it is read twice, and several may read it at once.
func TestFetcher_FetchesEachFileOnce(t *testing.T) {
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

func TestFetcher_LeavesNothingBehind(t *testing.T) {
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

func TestFetcher_BoundsAFile(t *testing.T) {
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
	small := Options{AllowPrivate: true, MaxDownload: 999}
	cannotOpenURL(t, known.URL+"/datapackage.json", small, "the package has more than the 1 MB that may be downloaded; --max-download allows more")
	cannotOpenURL(t, endless, small, "the package has more than the 1 MB that may be downloaded; --max-download allows more")
}

// TestFetcher_BoundsAllFilesTogether: many small files are a large package too.
func TestFetcher_BoundsAllFilesTogether(t *testing.T) {
	s := newSite(t, map[string]string{
		"/datapackage.json": smallDescriptor("a.csv", "b.csv"), "/a.csv": "code,amount\n" + strings.Repeat("a,1\n", 200), "/b.csv": "code,amount\n" + strings.Repeat("b,1\n", 200),
	})
	rows := allRows(t, mustOpen(t, s.URL+"/datapackage.json", Options{AllowPrivate: true, MaxDownload: 1800}))
	if last := rows[len(rows)-1]; len(rows) != 201 || last != "0: b.csv cannot be fetched: the package has more than the 1 MB that may be downloaded; --max-download allows more [fetch-failed]" {
		t.Error(len(rows), last)
	}
}

func TestFetcher_GivesUpSlowServers(t *testing.T) {
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

func TestFetcher_RefusesOtherAnswers(t *testing.T) {
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

// TestFetcher_FetchesAgainAfterAFailure: a failure is not remembered, so that a load can be tried again.
func TestFetcher_FetchesAgainAfterAFailure(t *testing.T) {
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

func TestOpenWith_AllowsMissingURLs(t *testing.T) {
	s := newSite(t, map[string]string{"/datapackage.json": smallDescriptor("a.csv", "b.csv"), "/b.csv": "code,amount\nb,2\n"})
	source := mustOpen(t, s.URL+"/datapackage.json", Options{AllowPrivate: true, AllowMissing: true})
	if rows := allRows(t, source); !slices.Equal(rows, []string{"b|2"}) {
		t.Error(rows)
	}
}

// TestFetcher_DialsNoPrivateAddress: nothing is even dialled.
func TestFetcher_DialsNoPrivateAddress(t *testing.T) {
	s := newSite(t, map[string]string{"/datapackage.json": "{}"})
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	for _, host := range []string{"127.0.0.1", "localhost", "127.1.2.3", "[::ffff:127.0.0.1]", "0.0.0.0", "[::1]", "169.254.169.254", "10.0.0.1", "100.64.0.1"} {
		cannotOpenURL(t, "http://"+host+":"+port+"/datapackage.json", Options{Timeout: time.Minute}, "its address is private or local")
	}
	if n := s.asked.Load(); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}
}

// TestFetcher_RefusesOtherURLs: only http and https are spoken, and nobody's password is kept.
func TestFetcher_RefusesOtherURLs(t *testing.T) {
	for at, want := range map[string]string{
		"file:///etc/passwd":                      "only http and https URLs are read, not file",
		"ftp://example.org/datapackage.json":      "only http and https URLs are read, not ftp",
		"gopher://example.org/":                   "only http and https URLs are read, not gopher",
		"http:///datapackage.json":                "the URL names no host",
		"https://me:secret@example.org/data.json": "the URL holds a name or password",
		"http://%zz/":                             "is no URL",
	} {
		cannotOpenURL(t, at, private, want)
	}
}

func TestFetcher_BoundsRedirects(t *testing.T) {
	files := map[string]string{
		"/0": smallDescriptor("a.csv"), "/a.csv": "code,amount\na,1\n", "/file": "->file:///etc/passwd", "/ftp": "->ftp://example.org/",
		"/password": "->http://me:secret@example.org/",
	}
	for i := range 7 {
		files["/"+strconv.Itoa(i+1)] = "->/" + strconv.Itoa(i)
	}
	s := newSite(t, files)
	if rows := allRows(t, mustOpen(t, s.URL+"/5", private)); !slices.Equal(rows, []string{"a|1"}) {
		t.Error(rows)
	}
	cannotOpenURL(t, s.URL+"/6", private, "it redirects more than 5 times")
	cannotOpenURL(t, s.URL+"/file", private, "only http and https URLs are read, not file")
	cannotOpenURL(t, s.URL+"/ftp", private, "only http and https URLs are read, not ftp")
	cannotOpenURL(t, s.URL+"/password", private, "the URL holds a name or password")
}

// A file at an address is fetched as a package is; a page of a site is none.
func TestFetch(t *testing.T) {
	s := newSite(t, map[string]string{"/data/town.csv": "a,b\n1,2\n", "/get": "->/data/town.csv", "/about": "<!DOCTYPE html><title>Budget</title>"})
	for address, want := range map[string]string{
		"/data/town.csv?v=1": "town.csv: a,b\n1,2\n", "/get": "town.csv: a,b\n1,2\n", "/about": "it is a page of a site, and no file", "/none.csv": "does not exist",
	} {
		data, name, err := Fetch(t.Context(), " "+s.URL+address, 1<<20, private)
		got := fmt.Sprint(err)
		if err == nil {
			text, _ := io.ReadAll(data)
			got = name + ": " + string(text)
			_ = data.Close()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s", address, got)
		}
	}
	for want, o := range map[string]Options{"its address is private": {}, "may be downloaded": private} {
		if _, _, err := Fetch(t.Context(), s.URL+"/data/town.csv", 3, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
