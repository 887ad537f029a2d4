package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/cube/findings"
)

// Loader loads packages for callers who have the token.
type Loader interface {
	// Load loads a package and serves it: all or nothing. The error is *Refused for a package that cannot be
	// loaded as it is. The source is only there until Load returns.
	Load(ctx context.Context, source Source, progress Progress) (findings.Loaded, error)
}

// Progress follows a load: stages one after the other, bytes and rows within each. Add is called from
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

// The bounds of the queue. What waits lies on disk; what has ended is a few lines in memory.
const (
	maxWaiting    = 8   // being sent, or waiting
	maxEnded      = 100 // jobs that can still be asked for
	keptFor       = 24 * time.Hour
	maxProblems   = 1000 // of a refused package
	defaultUpload = 1 << 30
)

// Options configure loading over HTTP.
type Options struct {
	Token    string       // that callers have to show
	MaxBytes int64        // of a zip that is sent; 0 for a gigabyte
	Log      *slog.Logger // gets a line for each load, and the causes of what fails inside
}

// Queue is the queue of the packages that are sent: one is loaded at a time, a bounded number waits. The request
// that brings a package ends when it is in the queue. Jobs are kept in memory and are gone with the process.
type Queue struct {
	loader   Loader
	token    token
	maxBytes int64
	log      *slog.Logger
	queue    chan *job // never full: a slot is taken before
	metrics  *loadMetrics

	mu      sync.Mutex
	slots   int    // taken by packages that are being sent or wait
	jobs    []*job // oldest first
	stopped bool
}

// New makes an empty queue; Run works it off.
func New(loader Loader, o Options) *Queue {
	q := &Queue{
		loader: loader, token: newToken(o.Token), maxBytes: cmp.Or(o.MaxBytes, defaultUpload), log: o.Log, queue: make(chan *job, maxWaiting),
	}
	q.metrics = newLoadMetrics(q)
	return q
}

// Run loads the packages in the queue until ctx ends. Then it cancels what runs and what waits, and returns when
// nothing uses the loader any more.
func (q *Queue) Run(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case j := <-q.queue:
			q.leave()
			q.run(ctx, j)
		case <-ctx.Done():
		}
	}
	q.stop(ctx)
}

// stop closes the queue and cancels the jobs that wait.
func (q *Queue) stop(ctx context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	for {
		select {
		case j := <-q.queue:
			q.finish(j, findings.Loaded{}, ctx.Err(), true)
		default:
			return
		}
	}
}

func errStopping() error { return cube.Errorf(cube.CodeUnavailable, "the server is stopping") }

// enter takes a slot in the queue.
func (q *Queue) enter() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return errStopping()
	}
	if q.slots >= maxWaiting {
		err := cube.Errorf(reply.CodeTooManyLoads, "%d packages are waiting to be loaded already", q.slots)
		err.Hint = "try again when some of them are loaded"
		return err
	}
	q.slots++
	return nil
}

// leave gives a slot back.
func (q *Queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots--
}

// waiting counts the slots that are taken.
func (q *Queue) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.slots
}

// submit puts the job of a caller who has a slot into the queue.
func (q *Queue) submit(j *job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return errors.Join(errStopping(), j.close())
	}
	q.jobs = append(q.jobs, j)
	q.forget(time.Now().Add(-keptFor))
	q.queue <- j
	return nil
}

// forget drops the jobs that ended before a time, and of the others the oldest while they are too many. Those
// have ended: what has not is the newest, and few.
func (q *Queue) forget(before time.Time) {
	q.jobs = slices.DeleteFunc(q.jobs, func(j *job) bool { return j.endedBefore(before) })
	if more := len(q.jobs) - maxEnded - maxWaiting; more > 0 {
		q.jobs = slices.Delete(q.jobs, 0, more)
	}
}

// find gives a job by its id.
func (q *Queue) find(id string) (*job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.IndexFunc(q.jobs, func(j *job) bool { return j.view.ID == id }) // which never changes
	if i < 0 {
		return nil, cube.Errorf(reply.CodeUnknownJob, "no job %q; a server forgets them when it ends, and after a day", id)
	}
	return q.jobs[i], nil
}

func (q *Queue) run(ctx context.Context, j *job) {
	j.start()
	q.metrics.running.Inc()
	defer q.metrics.running.Dec()
	loaded, err := q.loadSafely(ctx, j)
	q.finish(j, loaded, err, ctx.Err() != nil)
}

// loadSafely runs the loader. A package that makes it panic must not end the server.
func (q *Queue) loadSafely(ctx context.Context, j *job) (loaded findings.Loaded, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return q.loader.Load(ctx, j.source, j)
}

// finish removes what was sent, notes how the job ended and writes a line in the log. Who sees the end finds nothing left on disk.
func (q *Queue) finish(j *job, loaded findings.Loaded, err error, stopped bool) {
	if unclosed := j.close(); unclosed != nil {
		q.log.Warn("a package that was sent is not removed", "job", j.view.ID, "error", unclosed)
	}
	var refused *Refused
	switch {
	case err == nil:
		j.end(stateDone, resultOf(loaded), nil)
	case stopped:
		j.end(stateCancelled, nil, &refusalJSON{Code: cube.CodeUnavailable, Message: "the server was stopped; nothing was loaded"})
	case errors.As(err, &refused):
		j.end(stateRefused, nil, &refusalJSON{cube.CodeBadPackage, "the package is refused", refused.kept()})
	default:
		known := reply.Explain(err)
		j.end(stateFailed, nil, &refusalJSON{Code: known.Code, Message: known.Error()})
	}
	view := j.current()
	q.metrics.count(view)
	q.logEnd(view, err)
}

// kept gives the reasons that are kept.
func (r *Refused) kept() []string {
	if len(r.Problems) <= maxProblems {
		return r.Problems
	}
	return append(slices.Clone(r.Problems[:maxProblems]), fmt.Sprintf("and %d more", len(r.Problems)-maxProblems))
}

func (q *Queue) logEnd(j jobJSON, err error) {
	attributes := []slog.Attr{slog.String("job", j.ID), slog.String("state", string(j.State))}
	level := slog.LevelInfo
	if j.Result != nil {
		attributes = append(attributes, slog.String("cube", j.Result.Cube), slog.Int("version", j.Result.Version),
			slog.String("outcome", string(j.Result.Outcome)), slog.Int64("rows", j.Result.Rows))
	}
	if j.State == stateFailed {
		if level = slog.LevelError; reply.Statuses[j.Problem.Code] < http.StatusInternalServerError {
			level = slog.LevelWarn // another load or removal is in the way: no fault of the service
		}
		attributes = append(attributes, slog.String("cause", reply.Causes(err)))
	}
	q.log.LogAttrs(context.Background(), level, "load", attributes...)
}

// loadMetrics are what the queue of loads counts of itself.
type loadMetrics struct {
	ended    *prometheus.CounterVec
	duration prometheus.Histogram
	running  prometheus.Gauge
	waiting  prometheus.Collector
}

// loadBounds of the histogram in seconds: from a package of a few lines to a national budget of many years.
var loadBounds = []float64{.1, .5, 1, 5, 15, 60, 300, 900, 3600}

// outcomeUnchanged is the outcome of a load that found the package loaded already; the others are ends of jobs.
const outcomeUnchanged = "unchanged"

func newLoadMetrics(q *Queue) *loadMetrics {
	m := &loadMetrics{
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fiscube_loads_total", Help: "Jobs that ended: done, unchanged, refused, failed, cancelled.",
		}, []string{"outcome"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "fiscube_load_duration_seconds", Help: "From the begin of a load to its end.", Buckets: loadBounds,
		}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{Name: "fiscube_loads_running", Help: "Packages that are being loaded."}),
		waiting: prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "fiscube_loads_waiting", Help: "Packages that are being sent or wait for their turn.",
		}, func() float64 { return float64(q.waiting()) }),
	}
	for _, outcome := range []string{string(stateDone), outcomeUnchanged, string(stateRefused), string(stateFailed), string(stateCancelled)} {
		m.ended.WithLabelValues(outcome) // 0 is shown too
	}
	return m
}

// Collectors lists the metrics; there are none where nothing is loaded over HTTP.
func (q *Queue) Collectors() []prometheus.Collector {
	if q == nil {
		return nil
	}
	return []prometheus.Collector{q.metrics.ended, q.metrics.duration, q.metrics.running, q.metrics.waiting}
}

// count takes up a job that has ended. One that never began has no duration.
func (m *loadMetrics) count(j jobJSON) {
	outcome := string(j.State)
	if j.Result != nil && j.Result.Outcome == findings.OutcomeUnchanged {
		outcome = outcomeUnchanged
	}
	m.ended.WithLabelValues(outcome).Inc()
	if j.StartedAt != nil {
		m.duration.Observe(j.EndedAt.Sub(*j.StartedAt).Round(time.Millisecond).Seconds())
	}
}
