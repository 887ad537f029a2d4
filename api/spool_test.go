package api_test

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/cube/plan"
)

// A program reads parts of an export of a pinned version, which is made once for all who ask.
func TestSpool(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var made atomic.Int64
	f := newFake(t)
	failsAfter, cells := error(nil), 20_000
	f.run = func(context.Context, *plan.Statement) iter.Seq2[row, error] {
		made.Add(1)
		rows := []row{{Values: amounts("9"), Count: int64(cells)}}
		for i := range cells {
			rows = append(rows, row{Keys: []cube.Value{cube.Integer(int64(i))}, Labels: make([]cube.Value, 1), Values: amounts("1.25")})
		}
		return endingIn(failsAfter, rows)
	}
	spooling := func(bytes int64) http.Handler {
		return api.New(f, api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Spool: bytes})
	}
	plain, h := spooling(0), spooling(1<<20)
	const of, pinned = "/cubes/croatia/aggregate?drilldown=Year&aggregates=approved_value.sum&format=", "&version=3"
	for _, format := range []string{"csv", "xlsx", "parquet", "arrow"} {
		want := ask(t, plain, of+format+pinned)
		made.Store(0)
		var readers sync.WaitGroup
		for _, method := range []string{http.MethodHead, http.MethodGet, http.MethodGet, http.MethodHead} {
			readers.Go(func() {
				r := send(t, h, method, of+format+pinned)
				for name, value := range map[string]string{
					"Accept-Ranges": "bytes", "Content-Type": want.header.Get("Content-Type"), "Etag": want.header.Get("Etag"), "Link": want.header.Get("Link"),
					"X-Total-Count": "20000", "Content-Disposition": want.header.Get("Content-Disposition"), "Content-Length": strconv.Itoa(len(want.body)),
				} {
					if got := r.header.Get(name); got != value || value == "" {
						t.Errorf("%s %s: %s is %q, want %q", method, format, name, got, value)
					}
				}
				if method == http.MethodGet && r.body != want.body {
					t.Errorf("%s: %d bytes, want %d", format, len(r.body), len(want.body))
				}
			})
		}
		readers.Wait()
		end := ask(t, h, of+format+pinned, "Range", "bytes=-8", "Accept-Encoding", "gzip")
		if n := len(want.body); end.status != http.StatusPartialContent || end.body != want.body[n-8:] || made.Load() != 1 {
			t.Errorf("%s: %d %q; made %d times", format, end.status, end.body, made.Load())
		}
		if other := ask(t, h, of+format+pinned, "Range", "bytes=0-3", "If-Range", `"another"`); other.status != http.StatusOK || other.body != want.body {
			t.Errorf("%s: a range of another answer: %d", format, other.status)
		}
	}
	for name, r := range map[string]response{
		"what is served now":    ask(t, h, of+"csv", "Range", "bytes=0-3"),
		"what is compressed":    ask(t, h, of+"csv"+pinned, "Accept-Encoding", "gzip"),
		"more than may be kept": ask(t, spooling(20_000), of+"csv"+pinned),
	} {
		if r.status != http.StatusOK || r.header.Get("Accept-Ranges") != "" || r.header.Get("Content-Length") != "" || name[0] == 'm' && r.body != ask(t, plain, of+"csv"+pinned).body {
			t.Errorf("%s: %d %v, %d bytes", name, r.status, r.header, len(r.body))
		}
	}
	cells = 3
	made.Store(0)
	for range 2 { // what is short has parts, and takes no file
		if r := ask(t, h, of+"csv&having=approved_value.sum>0"+pinned, "Range", "bytes=0-3"); r.status != http.StatusPartialContent || r.body != "Year" {
			t.Errorf("a short answer: %d %q", r.status, r.body)
		}
	}
	if made.Load() != 2 {
		t.Errorf("a short answer was made %d times", made.Load())
	}
	failsAfter, cells = errors.New("the disk of the store is gone"), 20_000
	made.Store(0)
	for range 2 { // what is cut is not kept, and said
		r := ask(t, h, of+"ndjson"+pinned)
		if r.status != http.StatusInternalServerError || r.header.Get("Content-Disposition")+r.header.Get("Etag") != "" {
			t.Errorf("%d %v", r.status, r.header)
		}
	}
	if made.Load() != 2 {
		t.Errorf("made %d times", made.Load())
	}
}
