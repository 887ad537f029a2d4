package api_test

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fiscube/api/limits"
	"fiscube/cube"
)

// The questions of these tests, whose answers have so many rows as a files says; long ones are not sent in one piece.
const (
	anyFile = "/cubes/croatia/aggregate?aggregates=approved_value.sum&format=csv"
	short   = 2500
	long    = 20_000
)

// files is a store whose answers have so many rows. It tells of the last answer that was not read to its end
// whether its context had ended before.
type files struct {
	*fake
	rows    int
	dropped error
}

func newFiles(t testing.TB, rows int) *files {
	t.Helper()
	f := &files{fake: newFake(t), rows: rows}
	f.run = func(ctx context.Context, _ *cube.Plan) iter.Seq2[cube.Cell, error] {
		rows := f.rows
		return func(yield func(cube.Cell, error) bool) {
			going := yield(cube.Cell{Values: amounts("0"), Count: int64(rows)}, nil)
			for i := 0; going && i < rows; i++ {
				going = yield(cube.Cell{Values: amounts("12345678.90")}, nil)
			}
			if !going {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.dropped = ctx.Err()
			}
		}
	}
	return f
}

// readers read nothing of their files until they are let.
type readers struct {
	t     *testing.T
	h     http.Handler
	begun chan struct{} // tells of each whose file is being sent
	read  chan struct{} // closed when they may
	ended chan int      // the status of each
	all   sync.WaitGroup
}

func newReaders(t *testing.T, h http.Handler) *readers {
	return &readers{t: t, h: h, begun: make(chan struct{}, 100), read: make(chan struct{}), ended: make(chan int, 100)}
}

// ask lets so many readers at an address ask for a file.
func (r *readers) ask(n int, address string) {
	r.t.Helper()
	for range n {
		r.all.Go(func() {
			request := httptest.NewRequest(http.MethodGet, anyFile, nil)
			request.RemoteAddr = address + ":1"
			w := &stalled{ResponseRecorder: httptest.NewRecorder(), readers: r}
			r.h.ServeHTTP(w, request)
			r.ended <- w.Code
		})
	}
	synctest.Wait()
}

// statuses counts those that have ended.
func (r *readers) statuses() map[int]int {
	counts := map[int]int{}
	for len(r.ended) > 0 {
		counts[<-r.ended]++
	}
	return counts
}

// stop lets all of them read.
func (r *readers) stop() map[int]int {
	close(r.read)
	r.all.Wait()
	return r.statuses()
}

type stalled struct {
	*httptest.ResponseRecorder
	readers *readers
	sent    bool
}

// Write implements io.Writer.
func (s *stalled) Write(b []byte) (int, error) {
	if !s.sent && s.Code == http.StatusOK {
		s.sent = true
		s.readers.begun <- struct{}{}
		<-s.readers.read
	}
	return s.ResponseRecorder.Write(b)
}

// A file that gets no turn is refused after five seconds, and then waits no more.
func TestFilesWaitFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFiles(t, long)
		h := limited(t, store.fake, limits.Options{Queries: 4, Queue: 4})
		readers := newReaders(t, h)
		readers.ask(2, "192.0.2.1")
		store.dropped = nil
		start := time.Now()
		r := from(t, h, "192.0.2.1:2", anyFile)
		if took := time.Since(start); r.status != http.StatusServiceUnavailable || took != 5*time.Second {
			t.Errorf("after %v: %d %s", took, r.status, r.body)
		}
		if store.dropped == nil {
			t.Error("the store is asked for the rest of what nobody takes")
		}
		time.Sleep(time.Minute)
		says(t, ask(t, h, "/metrics").body, "fiscube_questions_waiting 0\n")
		if got := readers.stop(); got[http.StatusOK] != 1 || got[http.StatusServiceUnavailable] != 1 {
			t.Errorf("%v", got)
		}
	})
}

// Readers who take their time with long files leave room for short ones, which are the same then as ever.
func TestShortFilesBesideSlowReaders(t *testing.T) {
	for _, rows := range []int{0, 1, short} {
		for _, format := range []string{"csv", "ndjson", "parquet", "json"} {
			synctest.Test(t, func(t *testing.T) {
				store := newFiles(t, rows)
				h := limited(t, store.fake, limits.Options{Queries: 4, Queue: 4})
				question := strings.Replace(anyFile, "csv", format, 1)
				want := from(t, h, "192.0.2.9:1", question)
				store.rows = long
				readers := newReaders(t, h)
				for i := range 3 {
					readers.ask(6, fmt.Sprintf("192.0.2.%d", i+1))
				}
				time.Sleep(6 * time.Second)
				store.rows = rows
				start := time.Now()
				for range 10 {
					got := from(t, h, "192.0.2.9:1", question)
					if got.status != http.StatusOK || got.body != want.body || time.Since(start) != 0 {
						t.Errorf("%d rows as %s: %d after %v", rows, format, got.status, time.Since(start))
					}
				}
				if got := readers.stop(); got[http.StatusOK] != 2 {
					t.Errorf("the readers: %v", got)
				}
			})
		}
	}
}

// What is read slowly holds no turn once the store has given all of it.
func TestReadersOfShortFilesHoldNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFiles(t, long)
		h := limited(t, store.fake, limits.Options{Queries: 2, Queue: 4})
		slow := newReaders(t, h)
		slow.ask(1, "192.0.2.1")
		store.rows = short
		others := newReaders(t, h)
		for range 30 {
			others.ask(1, "192.0.2.2")
		}
		if len(others.begun) != 30 {
			t.Errorf("%d short files are sent", len(others.begun))
		}
		says(t, ask(t, h, "/metrics").body, "fiscube_questions_working 1\n", "fiscube_questions_waiting 0\n")
		others.stop()
		slow.stop()
	})
}

// A short file that fails is answered with its error, however far the store came.
func TestShortFilesThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFiles(t, long)
		h := limited(t, store.fake, limits.Options{Queries: 2, Queue: 4, Query: time.Minute})
		slow := newReaders(t, h)
		slow.ask(1, "192.0.2.1")
		store.run = failing(cube.Errorf(cube.CodeGone, "it is gone"), cube.Cell{Values: amounts("0")}, cube.Cell{Values: amounts("1")})
		if r := ask(t, h, anyFile); r.status != http.StatusGone {
			t.Errorf("%d %s", r.status, r.body)
		}
		newGate(store.fake)
		start := time.Now()
		if r := ask(t, h, anyFile); r.status != http.StatusServiceUnavailable || time.Since(start) != time.Minute {
			t.Errorf("%d %s after %v", r.status, r.body, time.Since(start))
		}
		slow.stop()
	})
}
