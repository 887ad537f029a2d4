package api_test

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/plan"
)

const anyQuestion = "/cubes/croatia/aggregate?aggregates=_count"

// differently asks anyQuestion so that it is not the same as the others.
func differently(n int) string { return anyQuestion + fmt.Sprintf("&having=_count>%d", n) }

// counts checks how many questions of a class the metrics count.
func counts(t testing.TB, h http.Handler, class string, working, waiting int) {
	t.Helper()
	says(t, from(t, h, "192.0.2.99:1", "/metrics").body, fmt.Sprintf("fiscube_questions_working{class=%q} %d\n", class, working),
		fmt.Sprintf("fiscube_questions_waiting{class=%q} %d\n", class, waiting))
}

// limited serves the fake within limits.
func limited(t testing.TB, f *fake, limits limits.Options) http.Handler {
	t.Helper()
	return api.New(f, api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Limits: limits})
}

// from asks as the connection from an address does.
func from(t testing.TB, h http.Handler, address, target string, headers ...string) response {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, target, nil)
	request.RemoteAddr = address
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	r := response{recorder.Code, recorder.Header(), recorder.Body.String()}
	if r.header.Get("Content-Type") == "application/json" {
		r.conform(t, request)
	}
	return r
}

// Who asks too much hears it in a language; what operators ask is not counted.
func TestRate_OfPages(t *testing.T) {
	h := limited(t, newFake(t), limits.Options{Rate: 0.01}) // so one at once
	from(t, h, "192.0.2.1:1000", anyQuestion)
	if r := from(t, h, "192.0.2.1:2000", "/explore/croatia", "Accept-Language", "es"); r.status != http.StatusTooManyRequests || r.header.Get("Retry-After") != "100" {
		t.Errorf("%d %v", r.status, r.header)
	} else {
		says(t, r.body, "Demasiadas preguntas a la vez")
	}
	if r := from(t, h, "192.0.2.1:3000", "/metrics"); r.status != http.StatusOK {
		t.Errorf("/metrics: %d", r.status)
	}
}

func TestRate_Recovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := limited(t, newFake(t), limits.Options{Rate: 0.2}) // so one at once
		for i, want := range []int{200, 429, 200, 429} {
			if r := from(t, h, "192.0.2.1:1000", anyQuestion); r.status != want {
				t.Errorf("request %d: %d, want %d", i, r.status, want)
			} else if wait, _ := strconv.Atoi(r.header.Get("Retry-After")); wait > 0 {
				time.Sleep(time.Duration(wait) * time.Second)
			}
		}
	})
}

// gate is a store whose answers wait.
type gate struct {
	running chan struct{} // tells of each that has begun
	open    chan struct{}
}

func newGate(f *fake) *gate {
	g := &gate{make(chan struct{}, 100), make(chan struct{})}
	f.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		return func(yield func(row, error) bool) {
			g.running <- struct{}{}
			select {
			case <-g.open:
				yield(nothing(s), nil)
			case <-ctx.Done():
				yield(row{}, ctx.Err())
			}
		}
	}
	return g
}

func TestLimiter_QuestionsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFake(t)
		g := newGate(store)
		h := limited(t, store, limits.Options{Queries: 2, Queue: 3})
		var all sync.WaitGroup
		answered := make(chan int, 5)
		for i := range 5 {
			all.Go(func() { answered <- ask(t, h, differently(i)).status })
		}
		synctest.Wait()
		if len(g.running) != 2 {
			t.Errorf("%d questions are put to the store", len(g.running))
		}
		for range 10 {
			r := ask(t, h, anyQuestion)
			if p := r.problem(t); r.status != 503 || p.Code != "unavailable" || p.Message != "too many questions at once" || r.header.Get("Retry-After") == "" {
				t.Errorf("one more: %d %s", r.status, r.body)
			}
		}
		if r := ask(t, h, "/cubes/croatia/model"); r.status != 200 {
			t.Errorf("what asks the store nothing: %d", r.status)
		}
		counts(t, h, "cheap", 2, 3)
		close(g.open)
		all.Wait()
		for range 5 {
			if status := <-answered; status != 200 {
				t.Errorf("one that waited: %d", status)
			}
		}
		counts(t, h, "cheap", 0, 0)
		counts(t, h, "dear", 0, 0)
	})
}

// What many ask at the same moment is put to the store once.
func TestLimiter_EqualQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFake(t)
		g := newGate(store)
		h := limited(t, store, limits.Options{Queries: 2, Queue: 1})
		ctx, leave := context.WithCancel(t.Context())
		go h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, anyQuestion, nil))
		synctest.Wait()
		var all sync.WaitGroup
		answered := make(chan response, 10)
		for range 10 {
			all.Go(func() { answered <- ask(t, h, anyQuestion) })
		}
		synctest.Wait()
		counts(t, h, "cheap", 1, 0)
		leave() // of those who wait, another asks the store
		synctest.Wait()
		if len(g.running) != 2 {
			t.Errorf("the store is asked %d times", len(g.running))
		}
		counts(t, h, "cheap", 1, 0)
		go ask(t, h, anyQuestion+"&lang=es") // whose warnings differ
		synctest.Wait()
		counts(t, h, "cheap", 2, 0)
		close(g.open)
		all.Wait()
		first := <-answered
		for range 9 {
			if r := <-answered; r.status != http.StatusOK || r.body != first.body {
				t.Errorf("%d %s", r.status, r.body)
			}
		}
		synctest.Wait()
		if ask(t, h, anyQuestion); len(g.running) != 4 {
			t.Errorf("a later question is answered with what was read before: %d", len(g.running))
		}
	})
}

// An error is the answer for all who asked, and a panic ends the question of one client alone.
func TestLimiter_EqualQuestionsThatFail(t *testing.T) {
	for name, end := range map[string]struct {
		panics bool
		times  int32
	}{"error": {false, 1}, "panic": {true, 3}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := newFake(t)
				var times atomic.Int32
				store.run = func(context.Context, *plan.Statement) iter.Seq2[row, error] {
					return func(yield func(row, error) bool) {
						times.Add(1)
						time.Sleep(time.Second)
						if end.panics {
							panic("secret")
						}
						yield(row{}, cube.Errorf(cube.CodeGone, "it is gone"))
					}
				}
				h := limited(t, store, limits.Options{Queries: 1})
				var all sync.WaitGroup
				for range 3 {
					all.Go(func() {
						if r := ask(t, h, anyQuestion); r.status != http.StatusGone && !end.panics || r.status != http.StatusInternalServerError && end.panics {
							t.Errorf("%d %s", r.status, r.body)
						}
					})
				}
				all.Wait()
				if n := times.Load(); n != end.times {
					t.Errorf("the store is asked %d times", n)
				}
				counts(t, h, "cheap", 0, 0)
			})
		})
	}
}

// Files share the permit to work.
func TestLimiter_DearQuestionsWorkInPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFiles(t, long)
		h := limited(t, store.fake, limits.Options{Queries: 16, Queue: 16, Dear: 1})
		files := store.run
		working, most := 0, 0
		store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
			return func(yield func(row, error) bool) {
				for r, err := range files(ctx, s) {
					store.mu.Lock()
					working++
					most = max(most, working)
					store.mu.Unlock()
					time.Sleep(time.Millisecond)
					store.mu.Lock()
					working--
					store.mu.Unlock()
					if !yield(r, err) {
						return
					}
				}
			}
		}
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				r := from(t, h, fmt.Sprintf("192.0.2.%d:1", i+1), "/cubes/croatia/aggregate?drilldown=Year&aggregates=_count&format=csv")
				if r.status != http.StatusOK {
					t.Errorf("%d %s", r.status, r.body)
				}
			})
		}
		time.Sleep(time.Second)
		counts(t, h, "dear", 4, 0)
		all.Wait()
		if most != 1 {
			t.Errorf("%d files are read at the same moment", most)
		}
	})
}

// Slow readers of files leave room for questions.
func TestLimiter_StreamsHaveHalf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFiles(t, long)
		h := limited(t, store.fake, limits.Options{Queries: 4, Queue: 2})
		readers := newReaders(t, h)
		for i := range 4 { // two are sent, two wait
			readers.ask(1, fmt.Sprintf("192.0.2.%d", i+1))
		}
		if len(readers.begun) != 2 {
			t.Errorf("%d files are sent", len(readers.begun))
		}
		if r := ask(t, h, anyFile); r.status != http.StatusServiceUnavailable {
			t.Errorf("one more file: %d", r.status)
		}
		g := newGate(store.fake)
		var all sync.WaitGroup
		for i := range 2 {
			all.Go(func() { ask(t, h, differently(i)) })
		}
		synctest.Wait()
		if len(g.running) != 2 {
			t.Errorf("%d questions are put to the store", len(g.running))
		}
		close(g.open)
		all.Wait()
		if got := readers.stop(); got[http.StatusOK] != 4 {
			t.Errorf("the readers: %v", got)
		}
	})
}

func TestTimeLimit(t *testing.T) {
	for _, format := range []string{"json", "csv"} {
		synctest.Test(t, func(t *testing.T) {
			store := newFake(t)
			newGate(store)
			h := limited(t, store, limits.Options{Query: 90 * time.Second, Queries: 1})
			for range 2 { // the first gives its slot back
				start := time.Now()
				r := ask(t, h, anyQuestion+"&format="+format)
				p := r.problem(t)
				if r.status != 503 || p.Code != cube.CodeUnavailable || p.Context.Hint == "" || r.header.Get("Retry-After") == "" ||
					p.Message != "the question took longer than the 1m30s that one may take" {
					t.Errorf("%s: %d %s", format, r.status, r.body)
				}
				if took := time.Since(start); took != 90*time.Second {
					t.Errorf("%s: after %v", format, took)
				}
			}
		})
	}
}

// A stream only has to begin in time.
func TestTimeLimit_StreamsHaveNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFake(t)
		store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
			return func(yield func(row, error) bool) {
				for range 10 {
					time.Sleep(20 * time.Second)
					if !yield(nothing(s), ctx.Err()) {
						return
					}
				}
			}
		}
		h := limited(t, store, limits.Options{Query: 30 * time.Second})
		if r := ask(t, h, anyQuestion+"&format=csv"); r.status != 200 || strings.Count(r.body, "\r\n") != 10 {
			t.Errorf("%d %q", r.status, r.body)
		}
	})
}

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
	f.run = func(ctx context.Context, _ *plan.Statement) iter.Seq2[row, error] {
		rows := f.rows
		return func(yield func(row, error) bool) {
			going := yield(row{Values: amounts("0"), Count: int64(rows)}, nil)
			for i := 0; going && i < rows; i++ {
				going = yield(row{Values: amounts("12345678.90")}, nil)
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
func (r *readers) ask(n int, address string) { r.askFor(anyFile, n, address) }

func (r *readers) askFor(file string, n int, address string) {
	r.t.Helper()
	for range n {
		r.all.Go(func() {
			request := httptest.NewRequest(http.MethodGet, file, nil)
			request.RemoteAddr = address + ":1"
			w := &stalled{ResponseRecorder: httptest.NewRecorder(), readers: r, cut: make(chan struct{})}
			defer func() {
				if recover() != nil { // the connection is cut
					w.Code = 0
				}
				r.ended <- w.Code
			}()
			r.h.ServeHTTP(w, request)
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
	cut     chan struct{}
}

// SetWriteDeadline ends a write that waits.
func (s *stalled) SetWriteDeadline(time.Time) error {
	close(s.cut)
	return nil
}

// Write implements io.Writer.
func (s *stalled) Write(b []byte) (int, error) {
	if !s.sent && s.Code == http.StatusOK {
		s.sent = true
		s.readers.begun <- struct{}{}
		select {
		case <-s.readers.read:
		case <-s.cut:
			return 0, os.ErrDeadlineExceeded
		}
	}
	return s.ResponseRecorder.Write(b)
}

// A file waits for its turn. Readers who take nothing of theirs for ten seconds are cut then, and not while nobody waits.
func TestStreams_WaitTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := limited(t, newFiles(t, long).fake, limits.Options{Queries: 4, Queue: 4})
		readers := newReaders(t, h)
		readers.ask(1, "192.0.2.1")
		time.Sleep(time.Minute)
		counts(t, h, "dear", 1, 0)
		readers.ask(1, "192.0.2.1") // one of an address at a time
		start := time.Now()
		r := from(t, h, "192.0.2.1:2", anyFile)
		if took := time.Since(start); r.status != http.StatusOK || took < 10*time.Second || took > 12*time.Second {
			t.Errorf("after %v: %d", took, r.status)
		}
		counts(t, h, "dear", 0, 0)
		if got := readers.stop(); got[0] != 2 {
			t.Errorf("%v", got)
		}
	})
}

// A store that gives no next row in time ends its file, and the place is free.
func TestTimeLimit_OfTheNextRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFiles(t, long)
		answers := store.run
		store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
			return func(yield func(row, error) bool) {
				for r, err := range answers(ctx, s) {
					if !yield(r, err) {
						return
					}
					if store.rows--; store.rows == 0 { // frozen
						<-ctx.Done()
						yield(row{}, ctx.Err())
						return
					}
				}
			}
		}
		h := limited(t, store.fake, limits.Options{Queries: 2, Query: 40 * time.Second})
		reader := newReaders(t, h)
		close(reader.read)
		start := time.Now()
		reader.ask(1, "192.0.2.1")
		reader.all.Wait()
		if took := time.Since(start); took < 40*time.Second || took > 50*time.Second || len(reader.begun) != 1 || reader.statuses()[0] != 1 {
			t.Errorf("after %v: %d files begun", took, len(reader.begun))
		}
		counts(t, h, "dear", 0, 0)
	})
}

// Readers who take their time with long files leave room for short ones, which are the same then as ever.
func TestStreams_ShortFilesBesideSlowReaders(t *testing.T) {
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
				if got := readers.stop(); got[http.StatusOK] != 6 { // four have waited
					t.Errorf("the readers: %v", got)
				}
			})
		}
	}
}

// What is read slowly holds no slot once the store has given all of it.
func TestStreams_ReadersOfShortFilesHoldNoSlot(t *testing.T) {
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
		counts(t, h, "cheap", 0, 0)
		counts(t, h, "dear", 1, 0)
		others.stop()
		slow.stop()
	})
}

// A workbook is sent when the store has given all of it, so its reader holds no slot.
func TestStreams_ReadersOfWorkbooksHoldNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := limited(t, newFiles(t, long).fake, limits.Options{Queries: 2, Queue: 4})
		slow := newReaders(t, h)
		slow.askFor(strings.Replace(anyFile, "csv", "xlsx", 1), 1, "192.0.2.1")
		if len(slow.begun) != 1 {
			t.Errorf("%d workbooks are sent", len(slow.begun))
		}
		counts(t, h, "dear", 0, 0)
		slow.stop()
	})
}

// A store that panics leaves its slots to others, wherever it does.
func TestStreams_PanicsHoldNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFiles(t, long)
		h := limited(t, store.fake, limits.Options{Queries: 2, Queue: 4})
		slow := newReaders(t, h)
		answers := store.run
		for _, busy := range []int{0, 1} { // of the one stream at once
			slow.ask(busy, "192.0.2.1")
			for _, summaries := range []int{0, 1} {
				store.run = func(context.Context, *plan.Statement) iter.Seq2[row, error] {
					return func(yield func(row, error) bool) {
						for range summaries {
							yield(row{Values: amounts("1"), Count: 1}, nil)
						}
						panic("secret")
					}
				}
				for range 4 {
					if r := from(t, h, "192.0.2.2:1", anyFile); r.status != http.StatusInternalServerError {
						t.Errorf("%d %s", r.status, r.body)
					}
				}
			}
			counts(t, h, "dear", busy, 0)
			counts(t, h, "cheap", 0, 0)
			store.run = answers
		}
		slow.stop()
	})
}

// A short file that fails is answered with its error, however far the store came.
func TestStreams_ShortFilesThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFiles(t, long)
		h := limited(t, store.fake, limits.Options{Queries: 2, Queue: 4, Query: time.Minute})
		slow := newReaders(t, h)
		slow.ask(1, "192.0.2.1")
		store.run = failing(cube.Errorf(cube.CodeGone, "it is gone"), row{Values: amounts("0")}, row{Values: amounts("1")})
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

// A notebook that asks for many small files at once gets them all.
func TestStreams_ManyFilesOfOneAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFake(t)
		g := newGate(store)
		h := limited(t, store, limits.Options{Queries: 16, Queue: 64})
		var all sync.WaitGroup
		answered := make(chan int, 40)
		for range 40 {
			all.Go(func() { answered <- from(t, h, "192.0.2.1:1", anyQuestion+"&format=csv").status })
		}
		synctest.Wait()
		if len(g.running) != 16 || len(answered) != 0 {
			t.Errorf("%d files are asked for, %d questions answered", len(g.running), len(answered))
		}
		counts(t, h, "cheap", 16, 24)
		close(g.open)
		all.Wait()
		for range 40 {
			if status := <-answered; status != http.StatusOK {
				t.Errorf("status %d", status)
			}
		}
	})
}

// Who reads none of the files that they asked for keeps nobody else from theirs, nor fills the queue.
func TestStreams_FilesOfOneAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := limited(t, newFiles(t, long).fake, limits.Options{Queries: 8, Queue: 7})
		readers := newReaders(t, h)
		readers.ask(9, "192.0.2.1") // two are sent, four wait, three are refused
		if got := readers.statuses(); len(readers.begun) != 2 || got[http.StatusServiceUnavailable] != 3 {
			t.Errorf("%d files of one address are sent, of the others %v", len(readers.begun), got)
		}
		readers.ask(1, "192.0.2.2")
		readers.ask(1, "[2001:db8::1]")
		if len(readers.begun) != 4 {
			t.Errorf("%d files are sent", len(readers.begun))
		}
		readers.ask(4, "192.0.2.2") // three wait, with which the queue is full
		if got := readers.statuses(); got[http.StatusServiceUnavailable] != 1 {
			t.Errorf("another address: %v", got)
		}
		counts(t, h, "dear", 4, 7)
		if got := readers.stop(); got[http.StatusOK] != 11 || len(got) != 1 {
			t.Errorf("in the end %v", got)
		}
	})
}

// held is a store whose facts and members wait too.
type held struct {
	*fake
	gate *gate
}

// Facts implements answer.Store.
func (h held) Facts(ctx context.Context, s *plan.FactStatement) iter.Seq2[plan.Fact, error] {
	h.gate.running <- struct{}{}
	<-h.gate.open
	return h.fake.Facts(ctx, s)
}

// Members implements answer.Store.
func (h held) Members(ctx context.Context, s *plan.MemberStatement) (plan.MemberRows, error) {
	h.gate.running <- struct{}{}
	<-h.gate.open
	return h.fake.Members(ctx, s)
}

func TestLimiter_EqualQuestionsForFactsAndMembers(t *testing.T) {
	for _, question := range []string{"/cubes/croatia/facts?pagesize=1", "/cubes/croatia/members/Year?pagesize=1"} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(t)
			g := newGate(f)
			h := api.New(held{f, g}, api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler)})
			var all sync.WaitGroup
			for range 5 {
				all.Go(func() {
					if r := ask(t, h, question); r.status != http.StatusOK {
						t.Errorf("%s: %d %s", question, r.status, r.body)
					}
				})
			}
			synctest.Wait()
			if len(g.running) != 1 {
				t.Errorf("%s: the store is asked %d times", question, len(g.running))
			}
			close(g.open)
			all.Wait()
		})
	}
}

// metric reads a number of the metrics.
func metric(t testing.TB, h http.Handler, name string) float64 {
	t.Helper()
	_, rest, _ := strings.Cut(from(t, h, "192.0.2.99:1", "/metrics").body, "\n"+name+" ")
	text, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
