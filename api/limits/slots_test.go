package limits

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"fiscube/cube"
)

// A question that waits for a slot is refused after five seconds; one whose client left is dropped.
func TestTake_WaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := admission{each{newSlots(1)}, each{newSlots(1)}}
		if err := a.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if err := a.take(t.Context()); cube.CodeOf(err) != cube.CodeUnavailable || time.Since(start) != 5*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		ctx, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		if err := a.take(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who left got %v", err)
		}
		a.slots.release()
		if err := a.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.slots.release()
	})
}

func TestShares_ForgetClients(t *testing.T) {
	s := newShares(3, 5)
	first := s.enter("a")
	if !(each{first.streams}).try() || (each{first.streams}).try() {
		t.Error("one client has not one stream of three")
	}
	if again := s.enter("a"); again != first || cap(again.queue) != 3 {
		t.Errorf("one client has two shares, or %d places of five", cap(again.queue))
	}
	other := s.enter("b")
	if !(each{other.streams}).try() || len(s.clients) != 2 {
		t.Errorf("another has nothing, with %d clients", len(s.clients))
	}
	s.leave("a")
	if s.enter("a") != first {
		t.Error("a client who has a file yet is forgotten")
	}
	for _, client := range []string{"a", "a", "b"} {
		s.leave(client)
	}
	if len(s.clients) != 0 {
		t.Errorf("%d clients are remembered", len(s.clients))
	}
}

func TestShares_OfLittle(t *testing.T) {
	if s := newShares(1, 0); s.streams != 1 || s.queue != 0 || (each{s.enter("a").queue}).try() {
		t.Error("one slot and no queue are shared otherwise")
	}
	none := newShares(0, 64)
	for range 2 {
		if !(each{none.enter("a").streams}).try() {
			t.Error("without a limit there is one for each client")
		}
		none.leave("a")
	}
}

// Slots that cannot be taken together are not taken.
func TestEach_AllOrNone(t *testing.T) {
	free, taken := newSlots(1), newSlots(1)
	if !(each{taken}).try() || (each{free, nil, taken}).try() {
		t.Error("a slot is taken twice")
	}
	if !(each{free}).try() {
		t.Error("a slot is kept for nothing")
	}
}
