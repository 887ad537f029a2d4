package limits

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
)

// workSlots are those for dear questions that work at the same moment, since a file of any length keeps a processor busy. Who
// waits longest gets the next one. While others are cheap questions at the store, who has a slot rests for most of the time.
type workSlots struct {
	taken  chan struct{} // has room for as many as there are; nil: no bound
	others func() bool
}

func newWorkSlots(n int, others func() bool) *workSlots {
	s := &workSlots{others: others}
	if n > 0 {
		s.taken = make(chan struct{}, n)
	}
	return s
}

// take waits for a slot.
func (s *workSlots) take(ctx context.Context) error {
	if s.taken == nil {
		return nil
	}
	select {
	case s.taken <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *workSlots) giveBack() {
	if s.taken != nil {
		<-s.taken
	}
}

// work is what a dear question does: its store reads, and its rows are encoded. It has a slot meanwhile, but gives it
// to others now and then, and while its client does not take what is sent. The zero work has none. An answer may be
// compressed and sent by another goroutine than the one that encodes.
type work struct {
	mu    sync.Mutex
	slots *workSlots // nil before begin, and after end
	held  bool
	since time.Time
	leave func() bool // whether others wait for the place of a reader who takes nothing
}

const (
	longestWork = 50 * time.Millisecond // until others may work: much longer than it takes to let them
	longestRest = 3 * longestWork       // while cheap questions are answered: a file goes on at a quarter of its pace
	restStep    = 5 * time.Millisecond  // until one who rests looks again whether they are
	longestGap  = 10 * time.Second      // that a client brings about while others wait for the place at the store
	nextLook    = time.Second           // until it is looked again whether others wait
	shortestGap = 5 * time.Millisecond  // that a client brings about, for which others may work
)

// begin waits for a slot, which lasts until end.
func (w *work) begin(ctx context.Context, s *workSlots) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slots, w.held, w.since = s, true, time.Now()
	return nil
}

// end gives the slot back.
func (w *work) end() {
	w.pause()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slots = nil
}

// pause gives the slot back until resume. It gives nil where there is none.
func (w *work) pause() *workSlots {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.held {
		return nil
	}
	w.held = false
	w.slots.giveBack()
	return w.slots
}

// resume waits for the slot that pause gave back. A client that leaves waits no more.
func (w *work) resume(ctx context.Context, s *workSlots) {
	if s == nil || s.take(ctx) != nil {
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

// share lets others work if this has worked for long: cheap questions for a while, and then dear ones.
func (w *work) share(ctx context.Context) {
	w.mu.Lock()
	s, long := w.slots, w.held && time.Since(w.since) >= longestWork
	w.mu.Unlock()
	if !long {
		return
	}
	for end := time.Now().Add(longestRest); s.others() && time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(restStep)
	}
	w.resume(ctx, w.pause())
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
	held, leave := w.held, w.leave
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
	timer := time.AfterFunc(shortestGap, func() { paused <- w.pause() })
	wait()
	if !timer.Stop() {
		w.resume(ctx, <-paused)
	}
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
