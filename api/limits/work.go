package limits

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
)

// workSlots are those for dear questions that work at the same moment, since a file of any length keeps a processor busy. A very long
// file works until its turn is over, which is when it has worked for long or its reader has taken nothing for long; others work in between,
// and share. While cheap questions are at the store, who has a slot rests now and then.
type workSlots struct {
	all    int // 0: no bound
	others func() bool

	mu       sync.Mutex
	free     int
	lastLong bool // a very long file got the last slot
	waiting  []*waiter
}

// waiter is a dear question that waits to work.
type waiter struct {
	long  bool          // a very long file
	turn  time.Time     // since when it is its turn, or it waits for that
	given chan struct{} // closed when it has a slot
}

func newWorkSlots(n int, others func() bool) *workSlots {
	return &workSlots{all: n, others: others, free: n}
}

// take waits for a slot.
func (s *workSlots) take(ctx context.Context, long bool, turn time.Time) error {
	if s.all <= 0 {
		return nil
	}
	w := &waiter{long, turn, make(chan struct{})}
	s.mu.Lock()
	s.waiting = append(s.waiting, w)
	s.serve()
	s.mu.Unlock()
	select {
	case <-w.given:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, w)
	if i < 0 { // it got one at the same moment
		return nil
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	return context.Cause(ctx)
}

func (s *workSlots) giveBack() {
	if s.all <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free++
	s.serve()
}

// serve gives the free slots to a very long file and another in turn, and of each to whose turn it has been for longest.
func (s *workSlots) serve() {
	for s.free > 0 && len(s.waiting) > 0 {
		next := slices.MinFunc(s.waiting, func(a, b *waiter) int {
			if a.long != b.long {
				if a.long == s.lastLong {
					return 1
				}
				return -1
			}
			return a.turn.Compare(b.turn)
		})
		s.waiting = slices.DeleteFunc(s.waiting, func(w *waiter) bool { return w == next })
		s.free, s.lastLong = s.free-1, next.long
		close(next.given)
	}
}

// isBusy tells whether a question works.
func (s *workSlots) isBusy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.free < s.all
}

// isAwaited tells whether a slot that is given back would go to another.
func (s *workSlots) isAwaited(long bool, turn time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.waiting, func(w *waiter) bool { return w.long != long || w.turn.Before(turn) })
}

// work is what a dear question does: its store reads, and its rows are encoded. It has a slot meanwhile, but gives it
// to others now and then, and while its client does not take what is sent. The zero work has none. An answer may be
// compressed and sent by another goroutine than the one that encodes.
type work struct {
	mu    sync.Mutex
	slots *workSlots // nil before begin, and after end
	held  bool
	since time.Time
	long  bool          // a very long file
	turn  time.Time     // since when it is its turn
	used  time.Duration // of its turn
	gaps  time.Duration // in which its reader took nothing
	leave func() bool   // whether others wait for the place of a reader who takes nothing

	endTurn func() // lets another very long file begin
}

const (
	longestWork = 50 * time.Millisecond // until others may work: much longer than it takes to let them
	longestTurn = time.Minute           // that a very long file works until another has its turn
	longestRest = 10 * time.Millisecond // while cheap questions are answered
	restStep    = time.Millisecond      // until one who rests looks again whether they are
	longestGap  = 10 * time.Second      // that a client brings about while others wait for the place at the store
	nextLook    = time.Second           // until it is looked again whether others wait
	shortestGap = 5 * time.Millisecond  // that a client brings about, for which others may work
	longestGaps = 10 * time.Second      // of a very long file, beyond as long as it has worked, until another has its turn
)

// begin waits for a slot, which lasts until end. EndTurn is called when the turn of a very long file is over, and may be called again.
func (w *work) begin(ctx context.Context, s *workSlots, long bool, endTurn func()) error {
	turn := time.Now()
	if err := s.take(ctx, long, turn); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slots, w.held, w.since, w.long, w.turn, w.used, w.gaps, w.endTurn = s, true, time.Now(), long, turn, 0, 0, endTurn
	return nil
}

// end gives the slot back.
func (w *work) end() {
	w.pause()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.slots != nil {
		w.slots = nil
		w.endTurn()
	}
}

// pause gives the slot back until resume. It gives nil where there is none.
func (w *work) pause() *workSlots {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.held {
		return nil
	}
	w.held = false
	w.count(0)
	w.slots.giveBack()
	return w.slots
}

// count adds to its turn what it has worked since it was last counted, and gives the turn to others when that is long.
func (w *work) count(rested time.Duration) {
	now := time.Now()
	if w.used += now.Sub(w.since) - rested; w.used >= longestTurn || !w.long {
		w.turn, w.used = now, 0
		w.endTurn()
	}
	w.since = now
}

// resume waits for the slot that pause gave back. A client that leaves waits no more.
func (w *work) resume(ctx context.Context, s *workSlots) {
	if s == nil {
		return
	}
	w.mu.Lock()
	long, turn := w.long, w.turn
	w.mu.Unlock()
	if s.take(ctx, long, turn) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.slots == nil { // ended meanwhile
		s.giveBack()
		return
	}
	w.held, w.since = true, time.Now()
}

// share lets others work if this has worked for long: cheap questions for a while, and then dear ones whose turn it is.
func (w *work) share(ctx context.Context) {
	w.mu.Lock()
	s, long := w.slots, w.held && time.Since(w.since) >= longestWork
	w.mu.Unlock()
	if !long {
		return
	}
	began := time.Now()
	for s.others() && time.Since(began) < longestRest && ctx.Err() == nil {
		time.Sleep(restStep)
	}
	w.mu.Lock()
	if w.held {
		w.count(time.Since(began))
	}
	awaited := s.isAwaited(w.long, w.turn)
	w.mu.Unlock()
	if awaited {
		w.resume(ctx, w.pause())
	}
}

// leaveFor says who else waits for the place at the store.
func (w *work) leaveFor(others func() bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leave = others
}

// during lets others work while something is waited for. Where that takes long and others wait for the place, it is given up.
func (w *work) during(ctx context.Context, wait, giveUp func()) {
	w.mu.Lock()
	held, leave, endTurn, rest := w.held, w.leave, w.endTurn, longestGaps+w.used-w.gaps
	w.mu.Unlock()
	if !held {
		wait()
		return
	}
	if leave != nil {
		done := make(chan struct{})
		defer close(done)
		timer := time.AfterFunc(longestGap, func() {
			for !leave() {
				select {
				case <-time.After(nextLook):
				case <-done:
					return
				}
			}
			giveUp()
		})
		defer timer.Stop()
	}
	paused := make(chan *workSlots, 1)
	began, timer := time.Now(), time.AfterFunc(shortestGap, func() { paused <- w.pause() })
	turn := time.AfterFunc(rest, endTurn)
	wait()
	turn.Stop()
	if timer.Stop() {
		return
	}
	s := <-paused
	w.mu.Lock()
	w.gaps += time.Since(began)
	w.mu.Unlock()
	w.resume(ctx, s)
}

// workKey is where a request keeps its work.
const workKey = "work"

// Pausing lets a dear question that is sent to its client leave its slot to others. It is below all that encodes or
// compresses an answer.
func Pausing(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		w := &work{}
		c.Set(workKey, w)
		c.Response().Writer = &pausingWriter{c.Response().Writer, c.Request().Context(), w}
		return next(c)
	}
}

type pausingWriter struct {
	http.ResponseWriter
	ctx  context.Context
	work *work
}

// Write implements io.Writer.
func (w *pausingWriter) Write(b []byte) (n int, err error) {
	w.work.share(w.ctx)
	w.work.during(w.ctx, func() { n, err = w.ResponseWriter.Write(b) }, w.cut)
	return n, err
}

// cut ends a write that a reader keeps waiting, as if his time were over.
func (w *pausingWriter) cut() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now())
}

// Unwrap lets http.ResponseController find the writer below.
func (w *pausingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
