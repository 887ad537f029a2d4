package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"fiscube/cube"
)

// Loader loads packages for callers who have the token.
type Loader interface {
	// Load loads a package and serves it: all or nothing. The error is *Refused for a package that cannot be
	// loaded as it is. The source is only there until Load returns.
	Load(ctx context.Context, source Source, progress Progress) (cube.Loaded, error)
}

// Progress is told how a load goes: stages one after the other, bytes and rows within each. Add is called from
// several goroutines at once.
type Progress interface {
	// Begin starts a stage over so many bytes; 0 where that is not known.
	Begin(stage string, bytes int64)
	Add(bytes, rows int64)
	End()
}

// Refused is the error of a package that cannot be loaded as it is, with a line for each reason.
type Refused struct{ Problems []string }

// Error implements error.
func (r *Refused) Error() string {
	return fmt.Sprintf("the package is refused: %d problems", len(r.Problems))
}

// codeTooManyLoads is the code of a package that finds the queue full.
const codeTooManyLoads cube.Code = "too-many-loads"

// The bounds of the queue. What waits lies on disk; what has ended is a few lines in memory.
const (
	mostWaiting   = 8   // being sent, or waiting for their turn
	mostEnded     = 100 // jobs that can still be asked for
	keptFor       = 24 * time.Hour
	mostProblems  = 1000 // of a refused package
	defaultUpload = 1 << 30
)

// LoadOptions are what an operator decides of loading over HTTP.
type LoadOptions struct {
	Token    string       // that callers have to show
	MaxBytes int64        // of a zip that is sent; 0 for a gigabyte
	Log      *slog.Logger // gets a line for each load, and the causes of what fails inside
}

// Loads is the queue of the packages that are sent: one is loaded at a time, a bounded number waits. The request
// that brings a package ends when it stands in the queue. Jobs are kept in memory and are gone with the process.
type Loads struct {
	loader   Loader
	token    token
	maxBytes int64
	log      *slog.Logger
	queue    chan *job // never full: a place is taken before
	metrics  *loadMetrics

	mu      sync.Mutex
	places  int    // taken by packages that are being sent or wait
	jobs    []*job // oldest first
	stopped bool
}

// NewLoads makes an empty queue; Run works it off.
func NewLoads(loader Loader, o LoadOptions) *Loads {
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultUpload
	}
	l := &Loads{
		loader: loader, token: newToken(o.Token), maxBytes: o.MaxBytes, log: o.Log, queue: make(chan *job, mostWaiting),
	}
	l.metrics = newLoadMetrics(l)
	return l
}

// Run loads what stands in the queue until ctx ends. Then it cancels what runs and what waits, and returns when
// nothing uses the loader any more.
func (l *Loads) Run(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case j := <-l.queue:
			l.leave()
			l.run(ctx, j)
		case <-ctx.Done():
		}
	}
	l.stop(ctx)
}

// stop lets nobody in any more and cancels those who wait.
func (l *Loads) stop(ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
	for {
		select {
		case j := <-l.queue:
			l.finish(j, cube.Loaded{}, ctx.Err(), true)
		default:
			return
		}
	}
}

func errStopping() error { return cube.Errorf(cube.CodeUnavailable, "the server is stopping") }

// enter takes a place in the queue.
func (l *Loads) enter() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return errStopping()
	}
	if l.places >= mostWaiting {
		err := cube.Errorf(codeTooManyLoads, "%d packages are waiting to be loaded already", l.places)
		err.Hint = "try again when some of them are loaded"
		return err
	}
	l.places++
	return nil
}

// leave gives a place back.
func (l *Loads) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.places--
}

// waiting counts the places that are taken.
func (l *Loads) waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.places
}

// submit puts the job of a caller who has a place into the queue.
func (l *Loads) submit(j *job) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return errors.Join(errStopping(), j.close())
	}
	l.jobs = append(l.jobs, j)
	l.forget(time.Now().Add(-keptFor))
	l.queue <- j
	return nil
}

// forget drops the jobs that ended before a time, and of the others the oldest while they are too many. Those
// have ended: what has not is the newest, and few.
func (l *Loads) forget(before time.Time) {
	l.jobs = slices.DeleteFunc(l.jobs, func(j *job) bool { return j.endedBefore(before) })
	if more := len(l.jobs) - mostEnded - mostWaiting; more > 0 {
		l.jobs = slices.Delete(l.jobs, 0, more)
	}
}

// find gives a job by its id.
func (l *Loads) find(id string) (*job, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.jobs, func(j *job) bool { return j.told.ID == id }) // which never changes
	if i < 0 {
		return nil, cube.Errorf(codeUnknownJob, "no job %q; a server forgets them when it ends, and after a day", id)
	}
	return l.jobs[i], nil
}

func (l *Loads) run(ctx context.Context, j *job) {
	j.start()
	l.metrics.running.Inc()
	defer l.metrics.running.Dec()
	loaded, err := l.load(ctx, j)
	l.finish(j, loaded, err, ctx.Err() != nil)
}

// load runs the loader. A package that makes it panic must not end the server.
func (l *Loads) load(ctx context.Context, j *job) (loaded cube.Loaded, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return l.loader.Load(ctx, j.source, j)
}

// finish notes how a job ended, removes what was sent and writes a line in the log.
func (l *Loads) finish(j *job, loaded cube.Loaded, err error, stopped bool) {
	var refused *Refused
	switch {
	case err == nil:
		j.end(stateDone, resultOf(loaded), nil)
	case stopped:
		j.end(stateCancelled, nil, &refusalJSON{Code: cube.CodeUnavailable, Message: "the server was stopped; nothing was loaded"})
	case errors.As(err, &refused):
		j.end(stateRefused, nil, &refusalJSON{cube.CodeBadPackage, "the package is refused", refused.shown()})
	default:
		known := explain(err)
		j.end(stateFailed, nil, &refusalJSON{Code: known.Code, Message: known.Message})
	}
	if unclosed := j.close(); unclosed != nil {
		l.log.Warn("a package that was sent is not removed", "job", j.told.ID, "error", unclosed)
	}
	told := j.snapshot()
	l.metrics.count(told)
	l.logEnd(told, err)
}

// shown is what is kept of the reasons.
func (r *Refused) shown() []string {
	if len(r.Problems) <= mostProblems {
		return r.Problems
	}
	return append(slices.Clone(r.Problems[:mostProblems]), fmt.Sprintf("and %d more", len(r.Problems)-mostProblems))
}

func (l *Loads) logEnd(j jobJSON, err error) {
	attributes := []slog.Attr{slog.String("job", j.ID), slog.String("state", string(j.State))}
	level := slog.LevelInfo
	if j.Result != nil {
		attributes = append(attributes, slog.String("cube", j.Result.Cube), slog.Int("version", j.Result.Version),
			slog.String("outcome", string(j.Result.Outcome)), slog.Int64("rows", j.Result.Rows))
	}
	if j.State == stateFailed {
		if level = slog.LevelError; statuses[j.Problem.Code] < http.StatusInternalServerError {
			level = slog.LevelWarn // what somebody else has made is in the way: no fault of the service
		}
		attributes = append(attributes, slog.String("cause", causes(err)))
	}
	l.log.LogAttrs(context.Background(), level, "load", attributes...)
}
