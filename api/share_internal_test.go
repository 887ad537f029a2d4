package api

import "testing"

func TestAskersAreForgotten(t *testing.T) {
	s := newShares(3, 5)
	first := s.enter("a")
	if !first.streams.try() || first.streams.try() {
		t.Error("one asker has not one stream of three")
	}
	if again := s.enter("a"); again != first || cap(again.queue) != 3 {
		t.Errorf("one asker has two shares, or %d places of five", cap(again.queue))
	}
	other := s.enter("b")
	if !other.streams.try() || len(s.askers) != 2 {
		t.Errorf("another has nothing, with %d askers", len(s.askers))
	}
	s.leave("a")
	if s.enter("a") != first {
		t.Error("an asker who has a file yet is forgotten")
	}
	for _, asker := range []string{"a", "a", "b"} {
		s.leave(asker)
	}
	if len(s.askers) != 0 {
		t.Errorf("%d askers are remembered", len(s.askers))
	}
}

func TestSharesOfLittle(t *testing.T) {
	if s := newShares(1, 0); s.streams != 1 || s.queue != 0 || s.enter("a").queue.try() {
		t.Error("one turn and no queue are shared otherwise")
	}
	none := newShares(0, 64)
	for range 2 {
		if !none.enter("a").streams.try() {
			t.Error("without a limit there is one for each asker")
		}
		none.leave("a")
	}
}

// Turns that are not taken together are not taken.
func TestEachOrNone(t *testing.T) {
	free, taken := newTurns(1), newTurns(1)
	if !taken.try() || tryEach([]turns{free, nil, taken}) {
		t.Error("a turn is taken twice")
	}
	if !free.try() {
		t.Error("a turn is kept for nothing")
	}
}
