package limits

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Dear questions work in the order in which they ask, each for a while.
func TestWork_IsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newWorkSlots(1, nobody)
		var first, second work
		if err := first.begin(t.Context(), p, true, nothing); err != nil {
			t.Fatal(err)
		}
		began := make(chan time.Time, 1)
		start := time.Now()
		go func() {
			if err := second.begin(t.Context(), p, false, nothing); err == nil {
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
		if p.free != 1 {
			t.Errorf("%d slots are free", p.free)
		}
	})
}

// A very long file keeps its turn, between whose parts a question works, until it has worked for long.
func TestWork_OfAVeryLongFileHasATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newWorkSlots(1, nobody)
		var order []string
		works := func(name string, long bool, stretches int) func() {
			return func() {
				var w work
				if err := w.begin(t.Context(), p, long, nothing); err != nil {
					t.Error(err)
				}
				for range stretches {
					order = append(order, name)
					time.Sleep(longestWork)
					w.share(t.Context())
				}
				w.end()
			}
		}
		turn := int(longestTurn / longestWork)
		for _, w := range []func(){works("a", true, turn+1), works("b", true, 3), works("?", false, 2)} {
			go w()
			time.Sleep(restStep)
		}
		time.Sleep(2 * longestTurn)
		want := slices.Concat([]string{"a", "?", "a", "?"}, slices.Repeat([]string{"a"}, turn-2), []string{"b", "b", "b", "a"})
		if !slices.Equal(order, want) {
			t.Errorf("%d stretches of work, the first of %v, the last of %v", len(order), order[:8], order[len(order)-8:])
		}
		if p.isBusy() {
			t.Error("a slot is lost")
		}
	})
}

// nothing waits for the turn of another.
func nothing() {}

// nobody asks a cheap question.
func nobody() bool { return false }

// While cheap questions are answered a dear one rests now and then, and no other works in its rest.
func TestWork_RestsForCheapQuestions(t *testing.T) {
	for _, bound := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			var asked atomic.Bool
			asked.Store(true)
			p := newWorkSlots(bound, asked.Load)
			var file, other work
			if err := file.begin(t.Context(), p, false, nothing); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			share := func() time.Duration {
				before := time.Now()
				file.share(t.Context())
				return time.Since(before)
			}
			if took := share(); took != 0 {
				t.Errorf("it rests for %v before it has worked", took)
			}
			began := make(chan time.Time, 1)
			if bound > 0 {
				go func() {
					if err := other.begin(t.Context(), p, false, nothing); err == nil {
						began <- time.Now()
						other.end()
					}
				}()
			}
			time.Sleep(longestWork)
			if took := share(); took != longestRest {
				t.Errorf("it rests for %v", took)
			}
			if bound > 0 {
				if at := <-began; at.Sub(start) != longestWork+longestRest {
					t.Errorf("another began after %v", at.Sub(start))
				}
			}
			time.Sleep(longestWork)
			time.AfterFunc(longestRest/2, func() { asked.Store(false) })
			if took := share(); took < longestRest/2 || took >= longestRest {
				t.Errorf("it rests for %v, when the cheap questions end after %v", took, longestRest/2)
			}
			time.Sleep(longestWork)
			if took := share(); took != 0 {
				t.Errorf("it rests for %v for nobody", took)
			}
			file.end()
		})
	}
}

// A client who does not take its file keeps nobody from working.
func TestWork_OfSlowClientsIsGivenAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newWorkSlots(1, nobody)
		var slow, other work
		if err := slow.begin(t.Context(), p, false, nothing); err != nil {
			t.Fatal(err)
		}
		taken, ended := make(chan struct{}), make(chan struct{})
		go func() {
			slow.during(t.Context(), func() { <-taken }, nil)
			close(ended)
		}()
		start := time.Now()
		if err := other.begin(t.Context(), p, false, nothing); err != nil || time.Since(start) != shortestGap {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		slow.end() // while it waits
		close(taken)
		synctest.Wait()
		other.end()
		<-ended
		if p.free != 1 {
			t.Errorf("%d slots are free", p.free)
		}
	})
}

// The turn of a very long file ends once when its reader takes nothing for long, whether in one gap or in many; short ones do not count.
func TestWork_OfAReaderWhoTakesNothingEndsItsTurn(t *testing.T) {
	for gap, gaps := range map[time.Duration]int{longestGaps: 1, longestGaps/4 + shortestGap: 4, shortestGap / 2: 0} {
		synctest.Test(t, func(t *testing.T) {
			var file work
			ended := 0
			if err := file.begin(t.Context(), newWorkSlots(1, nobody), true, sync.OnceFunc(func() { ended++ })); err != nil {
				t.Fatal(err)
			}
			for i := range 5 {
				if over := gaps > 0 && i >= gaps; over != (ended == 1) {
					t.Errorf("after %d gaps of %v the turn is over: %v", i, gap, !over)
				}
				file.during(t.Context(), func() { time.Sleep(gap + time.Nanosecond) }, nil)
			}
			file.end()
			if ended != 1 {
				t.Errorf("the turn ended %d times", ended)
			}
		})
	}
}
