package api

import "testing"

func TestAskersAreForgotten(t *testing.T) {
	s := newShares(3)
	first, err := s.take(t.Context(), "a")
	if err != nil || len(s.askers) != 1 {
		t.Fatalf("%d askers, %v", len(s.askers), err)
	}
	s.askers["a"].turns.patience = 0
	if _, err := s.take(t.Context(), "a"); err == nil {
		t.Error("one asker has two turns of three")
	}
	other, err := s.take(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	first()
	other()
	if len(s.askers) != 0 {
		t.Errorf("%d askers are remembered", len(s.askers))
	}
	if newShares(0) != nil || newShares(1).most != 1 {
		t.Error("no limit, or one turn, is shared otherwise")
	}
}
