package limits

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fiscube/cube"
)

// entrance is a gate with the order in which it admits.
type entrance struct {
	*gate
	t        *testing.T
	admitted []string
	refused  []string
	ids      map[string]question
	done     chan struct{} // one after the other writes to the lists
}

func newEntrance(t *testing.T, all, queue int) *entrance {
	e := &entrance{gate: newGate(all, queue), t: t, ids: map[string]question{}, done: make(chan struct{}, 1)}
	e.done <- struct{}{}
	return e
}

// ask lets questions, each called by its client and a number, ask for admission one after the other.
func (e *entrance) ask(c class, file bool, ids ...string) {
	for _, id := range ids {
		q := question{class: c, client: id[:1], file: file}
		go func() {
			err := e.enter(e.t.Context(), q)
			<-e.done
			defer func() { e.done <- struct{}{} }()
			if err != nil {
				e.refused = append(e.refused, id)
				return
			}
			e.admitted, e.ids[id] = append(e.admitted, id), q
		}()
		synctest.Wait()
	}
}

// end ends questions one after the other.
func (e *entrance) end(ids ...string) {
	for _, id := range ids {
		e.leave(e.ids[id])
		synctest.Wait()
	}
}

func (e *entrance) want(ids ...string) {
	e.t.Helper()
	if !slices.Equal(e.admitted, ids) {
		e.t.Errorf("admitted are %q, not %q", e.admitted, ids)
	}
	e.admitted = nil
}

// Dear questions leave room for cheap ones, and these do not pass by dear ones that wait longer.
func TestGate_DearOnesHaveHalf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEntrance(t, 4, 10)
		e.ask(dear, false, "a1", "b1", "c1", "d1")
		e.want("a1", "b1")
		e.ask(cheap, false, "e1", "f1", "g1", "h1")
		e.want("e1", "f1")
		e.end("a1") // of those that wait, c1 waits longest
		e.want("c1")
		e.end("e1")
		e.want("g1")
		e.end("b1", "c1", "f1", "g1")
		e.want("d1", "h1")
		e.end("d1", "h1")
		if len(e.clients[cheap])+len(e.clients[dear]) != 0 {
			t.Errorf("clients without questions are remembered: %v", e.clients)
		}
	})
}

// A client who asks for much does not come before others who ask for little.
func TestGate_ClientsAreEqual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEntrance(t, 3, 10)
		e.ask(cheap, false, "a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1")
		e.want("a1", "a2", "a3")
		e.end("a1", "a2", "a3")
		e.want("b1", "c1", "a4")
		e.end("b1")
		e.want("b2")
		e.end("b2")
		e.want("a5")
	})
}

func TestGate_OneClientHasHalfOfTheDearOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEntrance(t, 8, 7)
		e.ask(dear, true, "a1", "a2", "a3", "a4", "a5", "a6", "a7")
		e.want("a1", "a2")
		if !slices.Equal(e.refused, []string{"a7"}) { // four of seven wait
			t.Errorf("refused are %q", e.refused)
		}
		e.ask(dear, true, "b1", "c1")
		e.want("b1", "c1")
		e.end("b1")
		e.want()
		e.end("a1")
		e.want("a3")
	})
}

// Each class has its own queue.
func TestGate_Queues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEntrance(t, 2, 2)
		e.ask(dear, false, "a1", "b1", "c1", "d1")
		e.ask(cheap, false, "e1", "f1", "g1", "h1")
		e.want("a1", "e1")
		if !slices.Equal(e.refused, []string{"d1", "h1"}) {
			t.Errorf("refused are %q", e.refused)
		}
		for c := range classes {
			if working, waiting := e.count(c); working != 1 || waiting != 2 {
				t.Errorf("class %d: %d and %d", c, working, waiting)
			}
		}
		e.end("a1", "e1")
		e.want("b1", "f1")
		e.end("b1", "f1")
		e.want("c1", "g1")
	})
}

// A question whose time is over or whose client left waits no more.
func TestGate_WaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(nil, Options{Queries: 1, Queue: 1})
		q := question{class: cheap}
		leave, err := l.admit(t.Context(), &Timing{}, q)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := l.admit(t.Context(), &Timing{}, q); cube.CodeOf(err) != cube.CodeUnavailable || time.Since(start) != 5*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := l.admit(ctx, &Timing{}, q); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who left got %v", err)
		}
		leave()
		if leave, err = l.admit(t.Context(), &Timing{}, q); err != nil {
			t.Fatal(err)
		}
		leave()
	})
}

func TestGate_WithoutBounds(t *testing.T) {
	g := newGate(0, 0)
	for range 100 {
		for c := range classes {
			if err := g.enter(t.Context(), question{class: c}); err != nil {
				t.Fatal(err)
			}
		}
	}
}
