package limits

import (
	"testing"
	"testing/synctest"
	"time"
)

// Dear questions work in the order in which they ask, each for a while.
func TestWork_IsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPermits(1)
		var first, second work
		if err := first.begin(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		began := make(chan time.Time, 1)
		start := time.Now()
		go func() {
			if err := second.begin(t.Context(), p); err == nil {
				began <- time.Now()
			}
		}()
		synctest.Wait()
		first.share(t.Context()) // too early
		synctest.Wait()
		if len(began) != 0 {
			t.Fatal("two work at the same moment")
		}
		time.Sleep(longestWork)
		again := make(chan struct{})
		go func() { first.share(t.Context()); close(again) }()
		if at := <-began; at.Sub(start) != longestWork {
			t.Errorf("the second began after %v", at.Sub(start))
		}
		synctest.Wait()
		select {
		case <-again:
			t.Error("the first works beside the second")
		default:
		}
		second.end()
		<-again
		first.end()
		if len(p) != 0 {
			t.Errorf("%d permits are lost", len(p))
		}
	})
}

// A client who does not take its file keeps nobody from working.
func TestWork_OfSlowClientsIsGivenAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPermits(1)
		var slow, other work
		if err := slow.begin(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		taken, ended := make(chan struct{}), make(chan struct{})
		go func() {
			slow.during(t.Context(), func() { <-taken })
			close(ended)
		}()
		start := time.Now()
		if err := other.begin(t.Context(), p); err != nil || time.Since(start) != shortestGap {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		slow.end() // while it waits
		close(taken)
		synctest.Wait()
		other.end()
		<-ended
		if len(p) != 0 {
			t.Errorf("%d permits are lost", len(p))
		}
	})
}
