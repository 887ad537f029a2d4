package api_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"fiscube/api"
)

// Who reads none of the files that they asked for keeps nobody else from theirs.
func TestTheStreamsOfOneAddressAreHalf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFake(t)
		g := newGate(store)
		h := limited(t, store, api.Limits{Queries: 8, Queue: 64})
		var all sync.WaitGroup
		answered := make(chan int, 10)
		export := func(address string) {
			all.Go(func() { answered <- from(t, h, address, anyQuestion+"&format=csv").status })
		}
		for i := range 8 {
			export(fmt.Sprintf("192.0.2.1:%d", i+1)) // two at work, two wait, four are refused
		}
		synctest.Wait()
		if len(g.running) != 2 || len(answered) != 4 {
			t.Errorf("%d streams of one address are put to the store, %d are refused", len(g.running), len(answered))
		}
		export("192.0.2.2:1")
		export("[2001:db8::1]:1")
		synctest.Wait()
		if len(g.running) != 4 {
			t.Errorf("%d streams are put to the store", len(g.running))
		}
		close(g.open)
		all.Wait()
		statuses := map[int]int{}
		for range 10 {
			statuses[<-answered]++
		}
		if statuses[200] != 6 || statuses[503] != 4 {
			t.Errorf("%v", statuses)
		}
	})
}
