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

// queue is slots with the order in which questions get them.
type queue struct {
	*slots
	t       *testing.T
	given   []string
	refused []string
	ids     map[string]question
	done    chan struct{} // one after the other writes to the lists
}

func newQueue(t *testing.T, all, length int) *queue {
	qs := &queue{slots: newSlots(all, length), t: t, ids: map[string]question{}, done: make(chan struct{}, 1)}
	qs.done <- struct{}{}
	return qs
}

// ask lets questions, each called by its client and a number, ask for a slot one after the other.
func (qs *queue) ask(c class, file bool, ids ...string) {
	for _, id := range ids {
		qs.put(question{class: c, client: id[:1], file: file}, id)
	}
}

func (qs *queue) put(asked question, id string) {
	go func() {
		err := qs.take(qs.t.Context(), asked)
		<-qs.done
		defer func() { qs.done <- struct{}{} }()
		if err != nil {
			qs.refused = append(qs.refused, id)
			return
		}
		qs.given, qs.ids[id] = append(qs.given, id), asked
	}()
	synctest.Wait()
}

// end ends questions one after the other.
func (qs *queue) end(ids ...string) {
	for _, id := range ids {
		qs.giveBack(qs.ids[id])
		synctest.Wait()
	}
}

func (qs *queue) want(ids ...string) {
	qs.t.Helper()
	if !slices.Equal(qs.given, ids) {
		qs.t.Errorf("slots went to %q, not to %q", qs.given, ids)
	}
	qs.given = nil
}

// Dear questions leave slots for cheap ones, and these do not pass by dear ones that wait longer.
func TestSlots_DearOnesHaveHalf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		qs := newQueue(t, 4, 10)
		qs.ask(dear, false, "a1", "b1", "c1", "d1")
		qs.want("a1", "b1")
		qs.ask(cheap, false, "e1", "f1", "g1", "h1")
		qs.want("e1", "f1")
		qs.end("a1") // of those that wait, c1 waits longest
		qs.want("c1")
		qs.end("e1")
		qs.want("g1")
		qs.end("b1", "c1", "f1", "g1")
		qs.want("d1", "h1")
		qs.end("d1", "h1")
		if len(qs.clients[cheap])+len(qs.clients[dear]) != 0 {
			t.Errorf("clients without questions are remembered: %v", qs.clients)
		}
	})
}

// A client who asks for much does not come before others who ask for little.
func TestSlots_ClientsAreEqual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		qs := newQueue(t, 3, 10)
		qs.ask(cheap, false, "a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1")
		qs.want("a1", "a2", "a3")
		qs.end("a1", "a2", "a3")
		qs.want("b1", "c1", "a4")
		qs.end("b1")
		qs.want("b2")
		qs.end("b2")
		qs.want("a5")
	})
}

func TestSlots_OneClientHasHalfOfTheDearOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		qs := newQueue(t, 8, 7)
		qs.ask(dear, true, "a1", "a2", "a3", "a4", "a5", "a6", "a7")
		qs.want("a1", "a2")
		if !slices.Equal(qs.refused, []string{"a7"}) { // four of seven wait
			t.Errorf("refused are %q", qs.refused)
		}
		qs.ask(dear, true, "b1", "c1")
		qs.want("b1", "c1")
		qs.end("b1")
		qs.want()
		qs.end("a1")
		qs.want("a3")
	})
}

// Each class has its own queue.
func TestSlots_Queues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		qs := newQueue(t, 2, 2)
		qs.ask(dear, false, "a1", "b1", "c1", "d1")
		qs.ask(cheap, false, "e1", "f1", "g1", "h1")
		qs.want("a1", "e1")
		if !slices.Equal(qs.refused, []string{"d1", "h1"}) {
			t.Errorf("refused are %q", qs.refused)
		}
		for c := range classes {
			if working, waiting := qs.count(c); working != 1 || waiting != 2 {
				t.Errorf("class %d: %d and %d", c, working, waiting)
			}
		}
		qs.end("a1", "e1")
		qs.want("b1", "f1")
		qs.end("b1", "f1")
		qs.want("c1", "g1")
	})
}

// A question whose time is over or whose client left waits no more.
func TestSlots_WaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(nil, Options{Queries: 1, Queue: 1})
		q := question{class: cheap}
		giveBack, err := l.takeSlot(t.Context(), &work{}, q)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := l.takeSlot(t.Context(), &work{}, q); cube.CodeOf(err) != cube.CodeUnavailable || time.Since(start) != 5*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := l.takeSlot(ctx, &work{}, q); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who left got %v", err)
		}
		giveBack()
		if giveBack, err = l.takeSlot(t.Context(), &work{}, q); err != nil {
			t.Fatal(err)
		}
		giveBack()
	})
}

func TestSlots_WithoutBounds(t *testing.T) {
	s := newSlots(0, 0)
	for range 100 {
		for c := range classes {
			if err := s.take(t.Context(), question{class: c}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// While a dear question works, few cheap ones are at the store at once.
func TestSlots_AreFewBesideDearWork(t *testing.T) {
	works := true
	s := newSlots(8, 8)
	s.beside, s.dearWorks = 2, func() bool { return works }
	for _, want := range []bool{true, true, false} {
		if free := s.isFree(question{class: cheap}); free != want {
			t.Errorf("with %d at the store another has a slot: %v", s.working[cheap], free)
		}
		s.working[cheap]++
	}
	if works = false; !s.isFree(question{class: cheap}) {
		t.Error("cheap questions wait though nothing dear works")
	}
}

// Very long files have a turn each. Others pass them by, and who has had his turn keeps his slot.
func TestSlots_VeryLongFilesHaveATurnEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		qs := newQueue(t, 8, 10)
		qs.turns = 1
		long := func(ids ...string) {
			for _, id := range ids {
				qs.put(question{class: dear, client: id[:1], file: true, long: true}, id)
			}
		}
		long("a1", "b1", "c1")
		qs.ask(dear, true, "d1")
		qs.want("a1", "d1")
		if qs.wantsSlot() {
			t.Error("a file that waits for its turn takes the slot of a reader")
		}
		qs.endTurn()
		synctest.Wait()
		qs.want("b1")
		qs.end("a1") // whose turn is over
		qs.want()
		qs.endTurn()
		synctest.Wait()
		qs.want("c1")
		qs.end("b1")
		qs.ask(dear, true, "e1", "f1", "g1")
		qs.want("e1", "f1")
		if !qs.wantsSlot() {
			t.Error("who waits for a slot is not seen")
		}
	})
}
