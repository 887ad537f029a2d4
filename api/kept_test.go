package api_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
)

// keeping serves the fake, and keeps answers in so many bytes.
func keeping(t testing.TB, f *fake, bytes int64) http.Handler {
	t.Helper()
	return api.New(f, api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Kept: bytes})
}

// keptPaths are paths whose answers are kept.
var keptPaths = []string{
	someCells, "/cubes/croatia/aggregate/?drilldown=Year&links=1&cite=1&lang=es", "/cubes/croatia/aggregate?drilldown=Year&numbers=string&version=3",
	"/cubes/croatia/tree/administrative-classification?depth=2", "/cubes/croatia/members/Year?pagesize=2", "/cubes/croatia/facts?pagesize=3",
	"/api/3/cubes/croatia/aggregate?drilldown=Year&callback_=x", "/api/3/cubes/croatia/facts", "/api/3/cubes/croatia/members/admin1_code",
}

// own are the fields of a header that belong to one request.
var own = regexp.MustCompile(`^(X-Request-Id|Server-Timing|Content-Length)$`)

// An answer that is kept is the same as one that is not, whatever asks for it and how often, and asks the store once.
func TestKept_SameAnswers(t *testing.T) {
	for _, path := range keptPaths {
		for _, headers := range [][]string{
			nil, {"Accept-Encoding", "gzip"}, {"Accept-Encoding", "zstd, br"}, {"Accept", "image/png, */*;q=0.1", "X-Request-Id", "mine"}, {"If-None-Match", `"other"`},
		} {
			t.Run(fmt.Sprint(path, headers), func(t *testing.T) {
				store := newFake(t)
				if path == someCells {
					store = many(t, 300)
				}
				plain, h := handler(t, store), keeping(t, store, 1<<20)
				for _, method := range []string{http.MethodGet, http.MethodGet, http.MethodHead, http.MethodGet} {
					got, want := raw(h, method, path, headers...), raw(plain, method, path, headers...)
					for _, r := range []response{got, want} {
						maps.DeleteFunc(r.header, func(name string, _ []string) bool { return own.MatchString(name) })
					}
					if got.status != http.StatusOK || !maps.EqualFunc(got.header, want.header, slices.Equal) || unpacked(t, got) != unpacked(t, want) {
						t.Errorf("%s: %d %v\n%s\ninstead of %v\n%s", method, got.status, got.header, got.body, want.header, want.body)
					}
				}
				r := raw(h, http.MethodGet, path, headers...)
				if length := r.header.Get("Content-Length"); length != strconv.Itoa(len(r.body)) || r.header.Get("Server-Timing")[:5] != "kept;" {
					t.Errorf("of %d bytes: %v", len(r.body), r.header)
				}
				tag := r.header.Get("ETag")
				again := raw(h, http.MethodGet, path, append(slices.Clone(headers), "If-None-Match", tag)...)
				plainly := raw(plain, http.MethodGet, path, append(slices.Clone(headers), "If-None-Match", tag)...)
				for _, r := range []response{again, plainly} {
					maps.DeleteFunc(r.header, func(name string, _ []string) bool { return own.MatchString(name) })
				}
				if again.status != http.StatusNotModified || again.body != "" || !maps.EqualFunc(again.header, plainly.header, slices.Equal) {
					t.Errorf("unchanged: %d %v instead of %v", again.status, again.header, plainly.header)
				}
				keptAs(t, h, 5, 1)
			})
		}
	}
}

func unpacked(t *testing.T, r response) string {
	t.Helper()
	if r.body == "" {
		return ""
	}
	return decode(t, r.header.Get("Content-Encoding"), r.body)
}

// keptAs checks how many answers were found and made.
func keptAs(t *testing.T, h http.Handler, found, made int) {
	t.Helper()
	says(t, ask(t, h, "/metrics").body, fmt.Sprintf("fiscube_answer_cache_hits_total %d\n", found), fmt.Sprintf("fiscube_answer_cache_misses_total %d\n", made))
}

// A load, a rollback and a removal are seen at once, and take away what was kept of versions that are gone.
func TestKept_Versions(t *testing.T) {
	store := newFake(t)
	h := keeping(t, store, 1<<20)
	const path, pinned = "/cubes/croatia/aggregate?drilldown=Year", "/cubes/croatia/aggregate?drilldown=Year&version=3"
	version := func(target string) int {
		var body struct{ Version int }
		r := ask(t, h, target)
		r.read(t, &body)
		return body.Version
	}
	old := *store.cubes[0]
	for range 2 {
		if n := version(path); n != 3 || version(pinned) != 3 {
			t.Fatalf("version %d", n)
		}
	}
	next := old
	next.Version, next.Fingerprint, next.ID = 4, "f4", 9
	was := old
	was.Served = false
	store.cubes = []*cube.Cube{&was, &next, store.cubes[1]} // a load
	for range 2 {
		if n := version(path); n != 4 || version(pinned) != 3 {
			t.Errorf("after a load: version %d", n)
		}
	}
	back, gone := next, was
	back.Served, gone.Served = false, true
	store.cubes = []*cube.Cube{&gone, &back, store.cubes[2]} // a rollback
	if n := version(path); n != 3 {
		t.Errorf("after a rollback: version %d", n)
	}
	store.cubes = []*cube.Cube{&next, store.cubes[2]} // version 3 is pruned
	if r := ask(t, h, pinned); r.status != http.StatusGone {
		t.Errorf("of a version that is gone: %d %s", r.status, r.body)
	}
	again := next
	again.Version, again.LoadedAt = 3, again.LoadedAt.Add(time.Hour)
	store.cubes = []*cube.Cube{&again, store.cubes[1]} // the number is used again
	before := store.asked()
	if n := version(pinned); n != 3 || store.asked() == before {
		t.Errorf("version %d of another load is not asked for", n)
	}
	store.cubes = store.cubes[1:]
	if r := ask(t, h, path); r.status != http.StatusNotFound {
		t.Errorf("of a package that is removed: %d", r.status)
	}
	eventually(t, func() bool { return keptBytes(t, h) == 0 }) // what is gone takes nothing
}

func keptBytes(t *testing.T, h http.Handler) int {
	t.Helper()
	_, after, _ := strings.Cut(ask(t, h, "/metrics").body, "\nfiscube_answer_cache_bytes ")
	text, _, _ := strings.Cut(after, "\n")
	bytes, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return int(bytes)
}

// What is kept takes so many bytes at most. A long answer is not kept, and without bytes none is.
func TestKept_Bounded(t *testing.T) {
	const most = 100_000
	h := keeping(t, many(t, 10), most)
	for n := range 500 {
		ask(t, h, someCells+"&having=_count>"+strconv.Itoa(n))
	}
	eventually(t, func() bool { n := keptBytes(t, h); return n > most/2 && n <= most })
	long := many(t, 5000)
	h = keeping(t, long, most)
	for range 2 {
		long.asked()
		if ask(t, h, someCells+"&pagesize=5000"); long.asked() == nil {
			t.Error("a long answer is kept")
		}
	}
	none := newFake(t)
	h = keeping(t, none, 0)
	for range 2 {
		none.asked()
		if ask(t, h, someCells); none.asked() == nil {
			t.Error("an answer is kept without bytes")
		}
	}
	keptAs(t, h, 0, 0)
}

func eventually(t *testing.T, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come about within %s", patience)
		}
	}
}

// A kept answer is a request like others: it counts for the limit of its address, and in the metrics and the log.
func TestKept_IsCounted(t *testing.T) {
	log := &logged{}
	h := api.New(newFake(t), api.Options{Document: documentBytes(t), Log: log.logger(), Kept: 1 << 20, Limits: limits.Options{Rate: 0.5}})
	for range 3 {
		if r := ask(t, h, someCells); r.status != http.StatusOK || r.header.Get("X-Request-Id") == "" || r.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%d %v", r.status, r.header)
		}
	}
	if r := ask(t, h, someCells); r.status != http.StatusTooManyRequests {
		t.Errorf("one request too many: %d", r.status)
	}
	says(t, ask(t, h, "/metrics").body, `fiscube_requests_total{method="GET",route="/cubes/:cube/aggregate",status="200"} 3`+"\n",
		"fiscube_answer_cache_hits_total 2\n", `fiscube_stage_duration_seconds_count{stage="kept"} 2`+"\n")
	if n := strings.Count(log.String(), `"route":"/cubes/:cube/aggregate"`); n < 4 {
		t.Errorf("%d of four requests are in the log:\n%s", n, log.String())
	}
}

// many is a store with so many cells.
func many(t testing.TB, cells int) *fake {
	t.Helper()
	list := []row{{Values: amounts(strconv.Itoa(cells)), Count: int64(cells)}}
	for i := range cells {
		list = append(list, row{Values: amounts(strconv.Itoa(i) + ".50")})
	}
	store := newFake(t)
	store.run = yielding(list...)
	return store
}

const someCells = "/cubes/croatia/aggregate?aggregates=approved_value.sum"

// decode gives what a body is in its coding.
func decode(t testing.TB, coding, body string) string {
	t.Helper()
	var r io.Reader = strings.NewReader(body)
	var err error
	switch coding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", coding, err)
	}
	return string(plain)
}

// Each answer is the same whether it is compressed or not, and HEAD says of it what GET does.
func TestCompress_Answers(t *testing.T) {
	for name, test := range map[string]struct {
		target string
		cells  int
		small  bool // not to be compressed
	}{
		"json":            {someCells, 1000, false},
		"csv":             {someCells + "&format=csv", 1000, false},
		"a long csv":      {someCells + "&format=csv", 100_000, false},
		"a short json":    {someCells, 3, true},
		"a short csv":     {someCells + "&format=csv", 3, true},
		"a short ndjson":  {someCells + "&format=ndjson", 3, true},
		"ndjson":          {someCells + "&format=ndjson", 1000, false},
		"the document":    {"/openapi.yaml", 0, false},
		"the page":        {"/", 0, false},
		"an image":        {"/cubes/croatia/image", 0, true},
		"an error":        {"/cubes/croatia/aggregate?drilldown=nope", 0, true},
		"no such path":    {"/nothing", 0, true},
		"a long csv page": {someCells + "&format=csv&pagesize=10000", 10_000, false},
	} {
		for _, coding := range []string{"gzip", "zstd"} {
			t.Run(name+" "+coding, func(t *testing.T) {
				h := handler(t, many(t, test.cells))
				plain := raw(h, http.MethodGet, test.target)
				got := raw(h, http.MethodGet, test.target, "Accept-Encoding", coding)
				used := got.header.Get("Content-Encoding")
				if (used == "") != test.small || used != "" && used != coding {
					t.Fatalf("Content-Encoding: %q", used)
				}
				if decode(t, used, got.body) != plain.body || len(got.body) > len(plain.body) || plain.header.Get("Content-Encoding") != "" {
					t.Errorf("%d bytes are %d bytes otherwise", len(plain.body), len(got.body))
				}
				if length := got.header.Get("Content-Length"); used != "" && length != "" || used == "" && length != "" && length != strconv.Itoa(len(got.body)) {
					t.Errorf("Content-Length: %s of %d bytes in coding %q", length, len(got.body), used)
				}
				head := raw(h, http.MethodHead, test.target, "Accept-Encoding", coding)
				if head.status != got.status || head.body != "" {
					t.Errorf("HEAD: %d %q", head.status, head.body)
				}
				for _, header := range []string{"Content-Type", "Content-Encoding", "Content-Length", "Vary", "Content-Disposition"} {
					if g, h := got.header.Get(header), head.header.Get(header); g != h && (h != "" || header != "Content-Length") {
						t.Errorf("%s: GET %q, HEAD %q", header, g, h)
					}
				}
			})
		}
	}
}

// raw asks without a look at the document, which knows no codings.
func raw(h http.Handler, method, target string, headers ...string) response {
	request := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	return response{recorder.Code, recorder.Header(), recorder.Body.String()}
}

// A compressed part must not look like the whole either: it has no end of its coding.
func TestCompress_FailureInTheMiddle(t *testing.T) {
	store := many(t, 50_000)
	whole := store.run
	store.run = nil
	cells := []row{}
	for cell := range whole(t.Context(), nil) {
		cells = append(cells, cell)
	}
	store.run = failing(errors.New("secret"), cells...)
	server := httptest.NewServer(handler(t, store))
	defer server.Close()
	for _, coding := range []string{"gzip", "zstd"} {
		request, _ := http.NewRequest(http.MethodGet, server.URL+someCells+"&format=csv", nil)
		request.Header.Set("Accept-Encoding", coding)
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(body) == 0 || response.Header.Get("Content-Encoding") != coding {
			t.Errorf("%s: %d bytes, %v", coding, len(body), err)
		}
		if coding == "gzip" {
			r, err := gzip.NewReader(bytes.NewReader(body))
			if err == nil {
				_, err = io.Copy(io.Discard, r)
			}
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("the part reads to its end: %v", err)
			}
		}
	}
}
