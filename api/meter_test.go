package api_test

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/search"
)

// doors are a request of each kind that takes memory and time.
var doors = []struct{ name, target, body string }{
	{"aggregate", "/cubes/croatia/aggregate?drilldown=admin1_code", ""},
	{"facts", "/cubes/croatia/facts?pagesize=1000", ""},
	{"members", "/cubes/croatia/members/admin1_code?pagesize=1000", ""},
	{"search", "/search?q=novi+2016&pagesize=100", ""},
	{"results", "/?q=novi+2016", ""},
	{"page", "/explore/croatia?drilldown=admin1_code", ""},
	{"figure", "/explore/croatia.svg?drilldown=admin1_code&_view=bars", ""},
	{"picture", "/explore/croatia.png?drilldown=admin1_code&_view=bars", ""},
	{"export", "/cubes/croatia/aggregate?drilldown=admin1_code&format=xlsx", ""},
	{"batch", "/cubes/croatia/batch", `{"questions":["drilldown=admin1_code"` + strings.Repeat(`,"drilldown=admin1_code"`, 49) + `]}`},
	{"MCP", "/mcp", "[" + calling(1, "lines", `{"cube":"croatia","pagesize":200}`) + callsOfLines(2, 10) + "]"},
}

func callsOfLines(first, last int) string {
	var b strings.Builder
	for id := first; id <= last; id++ {
		b.WriteString("," + calling(id, "lines", fmt.Sprintf(`{"cube":"croatia","pagesize":%d}`, id)))
	}
	return b.String()
}

func requestOf(ctx context.Context, target, body string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, target, nil).WithContext(ctx)
	if body != "" {
		r = httptest.NewRequest(http.MethodPost, target, strings.NewReader(body)).WithContext(ctx)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
	}
	return r
}

// wide is a store whose answers have many rows with long names, and a service over it whose index is read.
func wide(t *testing.T, store func(*fake) api.Store, o limits.Options) (*fake, http.Handler) {
	f := newFake(t)
	name := strings.Repeat("Novi naziv ", 25)
	var cells []row
	for i := range 500 {
		key := cube.Text(fmt.Sprintf("%03d", i))
		cells = append(cells, row{Keys: []cube.Value{key}, Labels: []cube.Value{cube.Text(name)}, Values: amounts("1.5")})
		f.members = append(f.members, plan.MemberRow{Path: []cube.Value{key}, Label: cube.Text(name + key.String()), Rows: 1, First: cube.Integer(2014), Last: cube.Integer(2017)})
	}
	f.facts = slices.Repeat([]plan.Fact{{Values: make([]plan.FactValue, 20), Line: 2}}, 10_000)
	f.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		all := something(s)
		if all.Count = int64(len(cells)); len(s.Keys()) != 1 || s.Keys()[0].Name != "admin1_code" {
			return yielding(something(s))(ctx, s)
		}
		return yielding(append([]row{all}, cells...)...)(ctx, s)
	}
	log := slog.New(slog.DiscardHandler)
	index := search.New(levelled{f, "admin1_code"}, log)
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f, api.New(store(f), api.Options{Document: documentBytes(t), Log: log, Limits: o, Search: index})
}

// Whatever the door, an answer for which there is no memory beside others in flight is refused with 503 and comes back later, one that is larger
// than all memory is refused for ever, a cheap question is answered, and nothing is held in the end.
func TestMeter_EveryDoor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		itself := func(f *fake) api.Store { return f }
		const large = "/cubes/croatia/facts?pagesize=10000"
		_, h := wide(t, itself, limits.Options{Memory: 1 << 40})
		first := newReaders(t, h)
		first.askFor(large, 1, "192.0.2.1")
		held := int64(metric(t, h, "fiscube_answers_bytes"))
		first.stop()

		f, h := wide(t, itself, limits.Options{Memory: held + 100})
		reader := newReaders(t, h)
		reader.askFor(large, 1, "192.0.2.1")
		f.facts = f.facts[:300]
		check := func(isFull bool) {
			t.Helper()
			for _, door := range doors {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, requestOf(t.Context(), door.target, door.body))
				isLater := w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") != ""
				if door.name == "MCP" { // which has a status of its own, and the words of the API
					isLater = strings.Contains(w.Body.String(), `\"code\":\"unavailable\"`) && strings.Contains(w.Body.String(), "Try again after 5 s.")
				}
				if isLater != isFull || !isFull && w.Code != http.StatusOK {
					t.Errorf("%s, with memory full: %v: %d %.300s", door.name, isFull, w.Code, w.Body)
				}
			}
		}
		check(true)
		if got := from(t, h, "192.0.2.2:1", anyQuestion); got.status != http.StatusOK {
			t.Errorf("a cheap question: %d", got.status)
		}
		if got := reader.stop(); got[http.StatusOK] != 1 {
			t.Errorf("who took the memory: %v", got)
		}
		check(false)
		if left, bound := metric(t, h, "fiscube_answers_bytes"), metric(t, h, "fiscube_answers_bytes_limit"); left != 0 || int64(bound) != held+100 {
			t.Errorf("in the end %v bytes of %v are held", left, bound)
		}
		_, h = wide(t, itself, limits.Options{Memory: 4 << 20})
		if got := from(t, h, "192.0.2.2:1", large); got.status != http.StatusRequestEntityTooLarge {
			t.Errorf("larger than all: %d %s", got.status, got.body)
		}
	})
}

// endlessStore is a store that gives rows without an end, and does not look whether anybody wants them. Its caller leaves in the middle.
type endlessStore struct {
	*fake
	leave             func()
	rows, open, after atomic.Int64 // given; answers that are read; questions that come when the caller has left
}

const leavesAfter = 1000

func endlessly[T any](e *endlessStore, row T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		e.open.Add(1)
		defer e.open.Add(-1)
		for {
			if e.rows.Add(1) == leavesAfter {
				e.leave()
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

func (e *endlessStore) asked() {
	if e.rows.Load() >= leavesAfter {
		e.after.Add(1)
	}
}

// Cells implements answer.Store.
func (e *endlessStore) Cells(_ context.Context, s *plan.Statement) (plan.Result, error) {
	e.asked()
	texts := make([]cube.Value, max(len(s.Keys()), len(s.Levels())))
	for i := range texts {
		texts[i] = cube.Text("1")
	}
	group := plan.Group{Keys: texts[:len(s.Keys())], Labels: texts[:len(s.Levels())], Ranks: texts[:len(s.Levels())], Parts: something(s).Values}
	return plan.Result{Count: 1, Total: something(s).Values, Close: func() {}, Groups: endlessly(e, group)}, nil
}

// Facts implements answer.Store.
func (e *endlessStore) Facts(context.Context, *plan.FactStatement) iter.Seq2[plan.Fact, error] {
	e.asked()
	return endlessly(e, e.facts[0])
}

// Members implements answer.Store.
func (e *endlessStore) Members(context.Context, *plan.MemberStatement) (plan.MemberRows, error) {
	e.asked()
	return plan.MemberRows{Count: 1, Members: endlessly(e, e.members[0]), Close: func() {}}, nil
}

// Whatever the door, the work for a caller who leaves in its middle ends, and nothing more is asked for him. So it is with work whose time is up.
func TestEveryDoor_CallerLeaves(t *testing.T) {
	for _, door := range doors {
		for _, end := range []string{"the caller leaves", "time is up"} {
			if door.name == "export" && end == "time is up" {
				continue // a file takes as long as rows come and are read
			}
			t.Run(door.name+", "+end, func(t *testing.T) {
				ctx, leave := context.WithCancel(t.Context())
				defer leave()
				e, o := &endlessStore{leave: leave}, limits.Options{}
				if end == "time is up" {
					e.leave, o.Query = func() { time.Sleep(100 * time.Millisecond) }, 50*time.Millisecond
				}
				_, h := wide(t, func(f *fake) api.Store { e.fake = f; return e }, o)
				answered := make(chan struct{})
				go func() {
					defer close(answered)
					defer func() { _ = recover() }() // the connection of a file is cut
					h.ServeHTTP(httptest.NewRecorder(), requestOf(ctx, door.target, door.body))
				}()
				late := time.After(patience)
				select {
				case <-answered:
				case <-late:
					t.Fatal("the work goes on")
				}
				for e.open.Load() > 0 {
					select {
					case <-late:
						t.Fatal("the store is still read")
					case <-time.After(time.Millisecond):
					}
				}
				if rows := e.rows.Load(); rows < leavesAfter || end == "the caller leaves" && rows > 2*leavesAfter {
					t.Errorf("%d rows are read, and he leaves after %d", rows, leavesAfter)
				}
				if after := e.after.Load(); end == "the caller leaves" && after > 0 {
					t.Errorf("%d questions are asked for nobody", after)
				}
			})
		}
	}
}
