package api_test

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"

	"fiscube/api/limits"
)

// A notebook that asks for many small files at once gets them all.
func TestManyFilesOfOneAddress(t *testing.T) {
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
		says(t, from(t, h, "192.0.2.9:1", "/metrics").body, "fiscube_questions_working 16\n", "fiscube_questions_waiting 24\n")
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
func TestTheFilesOfOneAddress(t *testing.T) {
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
		says(t, ask(t, h, "/metrics").body, "fiscube_questions_working 4\n", "fiscube_questions_waiting 7\n")
		if got := readers.stop(); got[http.StatusOK] != 11 || len(got) != 1 {
			t.Errorf("in the end %v", got)
		}
	})
}
