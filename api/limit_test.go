package api_test

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
)

const anyQuestion = "/cubes/croatia/aggregate?aggregates=_count"

// limited serves the fake within limits.
func limited(t testing.TB, f *fake, limits limits.Options) http.Handler {
	t.Helper()
	return api.New(cube.NewEngine(f), api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Limits: limits})
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

func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where no time goes by
		h := limited(t, newFake(t), limits.Options{Rate: 0.5}) // so three at once
		for i := range 3 {
			if r := from(t, h, "192.0.2.1:1000", anyQuestion); r.status != http.StatusOK {
				t.Fatalf("request %d: %d", i, r.status)
			}
		}
		for _, target := range []string{anyQuestion, "/", "/cubes", "/cubes/croatia", "/openapi.yaml", "/nothing"} {
			r := from(t, h, "192.0.2.1:2000", target)
			if p := r.problem(t); r.status != http.StatusTooManyRequests || p.Code != "too-many-requests" || r.header.Get("Retry-After") != "2" {
				t.Errorf("%s: %d, Retry-After %q: %s", target, r.status, r.header.Get("Retry-After"), r.body)
			}
		}
		for address, target := range map[string]string{
			"192.0.2.2:1000": anyQuestion, "192.0.2.1:3000": "/healthz", "192.0.2.1:3001": "/readyz/", "192.0.2.1:3002": "/metrics",
		} {
			if r := from(t, h, address, target); r.status != http.StatusOK {
				t.Errorf("%s from %s: %d", target, address, r.status)
			}
		}
	})
}

func TestRateRecovers(t *testing.T) {
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

// Who asks is told by the connection, unless the operator has a proxy in front.
func TestRateByAddress(t *testing.T) {
	for _, test := range []struct {
		name          string
		trust         bool
		one, another  string // addresses of connections
		first, second string // X-Forwarded-For
		shared        bool
	}{
		{"a header of the caller's own", false, "192.0.2.1:1", "192.0.2.1:2", "198.51.100.1", "198.51.100.2", true},
		{"two connections", false, "192.0.2.1:1", "192.0.2.2:1", "", "", false},
		{"two clients of a proxy", true, "10.0.0.1:1", "10.0.0.1:1", "198.51.100.1", "198.51.100.2", false},
		{"one client of a proxy", true, "10.0.0.1:1", "10.0.0.2:1", "198.51.100.1", "198.51.100.1", true},
		{"a client that lies to the proxy", true, "10.0.0.1:1", "10.0.0.1:1", "1.1.1.1, 198.51.100.1", "2.2.2.2, 198.51.100.1", true},
		{"a client beside the proxy", true, "192.0.2.1:1", "192.0.2.1:1", "198.51.100.1", "198.51.100.2", true},
		{"one network of IPv6", false, "[2001:db8::1]:1", "[2001:db8::ffff:1]:1", "", "", true},
		{"two networks of IPv6", false, "[2001:db8::1]:1", "[2001:db8:0:1::1]:1", "", "", false},
		{"IPv4 written as IPv6", false, "[::ffff:192.0.2.1]:1", "[::ffff:192.0.2.2]:1", "", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := limited(t, newFake(t), limits.Options{Rate: 0.01, TrustProxy: test.trust})
			first := from(t, h, test.one, anyQuestion, "X-Forwarded-For", test.first)
			second := from(t, h, test.another, anyQuestion, "X-Forwarded-For", test.second)
			if first.status != 200 || (second.status == 429) != test.shared {
				t.Errorf("%d, then %d", first.status, second.status)
			}
		})
	}
}

// gate is a store whose answers wait.
type gate struct {
	running chan struct{} // tells of each that has begun
	open    chan struct{}
}

func newGate(f *fake) *gate {
	g := &gate{make(chan struct{}, 100), make(chan struct{})}
	f.run = func(ctx context.Context, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
		return func(yield func(cube.Cell, error) bool) {
			g.running <- struct{}{}
			select {
			case <-g.open:
				yield(nothing(plan), nil)
			case <-ctx.Done():
				yield(cube.Cell{}, ctx.Err())
			}
		}
	}
	return g
}

func TestQuestionsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFake(t)
		g := newGate(store)
		h := limited(t, store, limits.Options{Queries: 2, Queue: 3})
		var all sync.WaitGroup
		answered := make(chan int, 5)
		for range 5 {
			all.Go(func() { answered <- ask(t, h, anyQuestion).status })
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
		page := ask(t, h, "/metrics").body
		says(t, page, "fiscube_questions_working 2\n", "fiscube_questions_waiting 3\n")
		close(g.open)
		all.Wait()
		for range 5 {
			if status := <-answered; status != 200 {
				t.Errorf("one that waited: %d", status)
			}
		}
		says(t, ask(t, h, "/metrics").body, "fiscube_questions_working 0\n", "fiscube_questions_waiting 0\n")
	})
}

// Slow readers of files leave room for questions.
func TestStreamsHaveHalfOfTheTurns(t *testing.T) {
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
		for range 2 {
			all.Go(func() { ask(t, h, anyQuestion) })
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
			for range 2 { // the first leaves its turn
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
func TestStreamsTakeAsLongAsTheyTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFake(t)
		store.run = func(ctx context.Context, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
			return func(yield func(cube.Cell, error) bool) {
				for range 10 {
					time.Sleep(20 * time.Second)
					if !yield(nothing(plan), ctx.Err()) {
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
