package limits

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
)

// permits let so many dear questions work at the same moment, as a file of any length keeps a processor busy. Nil
// permits are no bound. Who waits longest gets the next one. While others are cheap questions at the store, who has a
// permit rests for most of the time.
type permits struct {
	slots  chan struct{} // nil: no bound
	others func() bool
}

func newPermits(n int, others func() bool) *permits {
	p := &permits{others: others}
	if n > 0 {
		p.slots = make(chan struct{}, n)
	}
	return p
}

// take waits for a permit.
func (p *permits) take(ctx context.Context) error {
	if p.slots == nil {
		return nil
	}
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *permits) give() {
	if p.slots != nil {
		<-p.slots
	}
}

// work is what a dear question does: its store reads, and its rows are encoded. It has a permit meanwhile, but gives it
// to others now and then, and while its client does not take what is sent. The zero work has none. An answer may be
// compressed and sent by another goroutine than the one that encodes.
type work struct {
	mu      sync.Mutex
	permits *permits // nil before begin, and after end
	held    bool
	since   time.Time
}

const (
	longestWork = 50 * time.Millisecond // until others may work: much longer than it takes to let them
	longestRest = 3 * longestWork       // while cheap questions are answered: a file goes on at a quarter of its pace
	restStep    = 5 * time.Millisecond  // until one who rests looks again whether they are
	shortestGap = 5 * time.Millisecond  // that a client brings about, for which others may work
)

// begin waits for a permit, which lasts until end.
func (w *work) begin(ctx context.Context, p *permits) error {
	if err := p.take(ctx); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.permits, w.held, w.since = p, true, time.Now()
	return nil
}

// end gives the permit back.
func (w *work) end() {
	w.pause()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.permits = nil
}

// pause gives the permit back until resume. It gives nil where there is none.
func (w *work) pause() *permits {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.held {
		return nil
	}
	w.held = false
	w.permits.give()
	return w.permits
}

// resume waits for the permit that pause gave back. A client that leaves waits no more.
func (w *work) resume(ctx context.Context, p *permits) {
	if p == nil || p.take(ctx) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.permits == nil { // ended meanwhile
		p.give()
		return
	}
	w.held, w.since = true, time.Now()
}

// share lets others work if this has worked for long: cheap questions for a while, and then dear ones.
func (w *work) share(ctx context.Context) {
	w.mu.Lock()
	p, long := w.permits, w.held && time.Since(w.since) >= longestWork
	w.mu.Unlock()
	if !long {
		return
	}
	for end := time.Now().Add(longestRest); p.others() && time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(restStep)
	}
	w.resume(ctx, w.pause())
}

// during lets others work while something is waited for.
func (w *work) during(ctx context.Context, wait func()) {
	w.mu.Lock()
	held := w.held
	w.mu.Unlock()
	if !held {
		wait()
		return
	}
	paused := make(chan *permits, 1)
	timer := time.AfterFunc(shortestGap, func() { paused <- w.pause() })
	wait()
	if !timer.Stop() {
		w.resume(ctx, <-paused)
	}
}

// workKey is where a request keeps its work.
const workKey = "work"

// Pausing lets a dear question that is sent to its client leave its permit to others. It is below all that encodes or
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
	w.work.during(w.ctx, func() { n, err = w.ResponseWriter.Write(b) })
	return n, err
}

// Unwrap lets http.ResponseController find the writer below.
func (w *pausingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
