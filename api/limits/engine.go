// Package limits bounds how much, how often and for how long may be asked: rates of addresses, the slots and the queue of
// questions that are put to the store, time limits, and what the stages of a question took.
package limits

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// Options are the limits. A zero lifts one.
type Options struct {
	Query      time.Duration // until the store has answered a question, or given the first cell of a stream
	Queries    int           // questions that are put to the store at once; long files have half of these
	Queue      int           // questions that wait for a slot; the files of one address have half of it
	Rate       float64       // requests a second from one address, beyond a burst
	TrustProxy bool          // a proxy in a private network says the address in X-Forwarded-For
}

// Engine puts questions to a cube.Engine: so many at once, each for so long. The catalogue is in memory; asking the
// embedded engine for it needs no slot.
type Engine struct {
	*cube.Engine
	query     time.Duration
	questions slots   // of all questions that are put to the store
	streams   slots   // of those of them that are streamed
	queue     slots   // of those that wait for one of these
	shares    *shares // of streams and queue
	rows      atomic.Int64
}

// NewEngine limits an engine.
func NewEngine(engine *cube.Engine, o Options) *Engine {
	streams := (o.Queries + 1) / 2
	e := &Engine{
		Engine: engine, query: o.Query,
		questions: newSlots(o.Queries), streams: newSlots(streams), queue: make(slots, max(o.Queue, 0)),
	}
	e.shares = newShares(streams, cap(e.queue))
	return e
}

// Working counts the questions that are put to the store.
func (e *Engine) Working() int { return len(e.questions) }

// Waiting counts the questions that wait for a slot.
func (e *Engine) Waiting() int { return len(e.queue) }

// Rows counts the rows that the store has given to answers.
func (e *Engine) Rows() int64 { return e.rows.Load() }

// CountRows adds to Rows what a function given to Whole has read.
func (e *Engine) CountRows(n int) { e.rows.Add(int64(n)) }

// Aggregate asks for a whole answer.
func (e *Engine) Aggregate(ctx context.Context, t *Timing, plan *cube.Plan) (*cube.Result, error) {
	result, err := Whole(ctx, e, t, func(ctx context.Context) (*cube.Result, error) {
		checked, err := e.Check(ctx, plan)
		if err != nil {
			return nil, err
		}
		return e.Engine.Aggregate(ctx, checked)
	})
	if err == nil {
		e.rows.Add(int64(len(result.Cells)))
	}
	return result, err
}

// Cells asks for the cells of an answer one by one, the summary first.
func (e *Engine) Cells(ctx context.Context, t *Timing, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
	return stream(ctx, e, t, func(ctx context.Context) iter.Seq2[cube.Cell, error] { return e.Run(ctx, plan) })
}

// Facts asks for a page of facts.
func (e *Engine) Facts(ctx context.Context, t *Timing, plan *cube.FactPlan) (*cube.FactPage, error) {
	page, err := Whole(ctx, e, t, func(ctx context.Context) (*cube.FactPage, error) {
		checked, err := e.CheckFacts(ctx, plan)
		if err != nil {
			return nil, err
		}
		return e.Engine.Facts(ctx, checked)
	})
	if err == nil {
		e.CountRows(len(page.Facts))
	}
	return page, err
}

// CountFacts asks how many facts there are.
func (e *Engine) CountFacts(ctx context.Context, plan *cube.FactPlan) (int64, error) {
	page, err := Before(ctx, e, func(ctx context.Context) (*cube.FactPage, error) { return e.Engine.Facts(ctx, plan.Limited(0)) })
	if err != nil {
		return 0, err
	}
	return page.Total, nil
}

// EachFact asks for facts one by one.
func (e *Engine) EachFact(ctx context.Context, t *Timing, plan *cube.FactPlan) iter.Seq2[cube.Fact, error] {
	return stream(ctx, e, t, func(ctx context.Context) iter.Seq2[cube.Fact, error] { return e.StreamFacts(ctx, plan) })
}

// EachMember asks for members one by one, after the members that the cuts of the plan name: its warnings come first.
func (e *Engine) EachMember(
	ctx context.Context, t *Timing, plan *cube.MemberPlan,
) (*cube.MemberPlan, iter.Seq2[cube.MemberRow, error], error) {
	plan, err := Before(ctx, e, func(ctx context.Context) (*cube.MemberPlan, error) { return e.CheckMembers(ctx, plan) })
	if err != nil {
		return nil, nil, err
	}
	return plan, stream(ctx, e, t, func(ctx context.Context) iter.Seq2[cube.MemberRow, error] {
		return e.Members(ctx, plan)
	}), nil
}

// Before asks what has to be known before an answer is streamed, as its warnings have. It is no stage of the answer.
func Before[T any](ctx context.Context, e *Engine, run func(context.Context) (T, error)) (T, error) {
	return Whole(ctx, e, &Timing{since: time.Now()}, run)
}

// Whole waits for a slot, and then for what the store answers as one, which has to be there within the time limit.
func Whole[T any](ctx context.Context, e *Engine, t *Timing, run func(context.Context) (T, error)) (T, error) {
	var none T
	question := admission{each{e.questions}, each{e.queue}}
	if err := question.take(ctx); err != nil {
		return none, err
	}
	defer question.slots.release()
	t.Done(stageWait)
	defer t.Done(stageStore)
	l := newLimit(ctx, e.query)
	defer l.end()
	answer, err := run(l.ctx)
	if err != nil {
		return none, l.explain(err)
	}
	return answer, nil
}

// stream yields what the store does, for as long as the client reads. Streams have half of the slots, and those of
// one client half of these, so that slow readers leave room for others. Where no slot is free, a short answer needs none:
// it is asked for as a question is, and sent when its slot is free again. A long one waits and is asked for anew.
func stream[T any](
	ctx context.Context, e *Engine, t *Timing, run func(context.Context) iter.Seq2[T, error],
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		share := e.shares.enter(t.client)
		defer e.shares.leave(t.client)
		queues := each{share.queue, e.queue}
		streaming := admission{each{share.streams, e.streams, e.questions}, queues}
		if !streaming.slots.try() {
			if answer := gathered(ctx, e, t, admission{each{e.questions}, queues}, run); answer != nil {
				answer(yield)
				return
			}
			if err := streaming.take(ctx); err != nil {
				failed[T](err)(yield)
				return
			}
		}
		defer streaming.slots.release()
		t.Done(stageWait)
		read(ctx, e, t, run)(yield)
	}
}

// shortRows is how many rows a short answer has at most: some megabytes of memory, and most of what is drilled.
const shortRows = 2500

// gathered gives a short answer, or its error, once the slot in which it is asked for is free again. It gives nil where
// the answer is a long one.
func gathered[T any](
	ctx context.Context, e *Engine, t *Timing, question admission, run func(context.Context) iter.Seq2[T, error],
) iter.Seq2[T, error] {
	if err := question.take(ctx); err != nil {
		return failed[T](err)
	}
	defer question.slots.release()
	t.Done(stageWait)
	ctx, drop := context.WithCancel(ctx)
	defer drop()
	var rows []T
	for row, err := range read(ctx, e, t, run) {
		if err != nil {
			return failed[T](err)
		}
		if len(rows) > shortRows { // with the summary in front
			drop() // before the range ends, where a store may read on to the end of its answer
			return nil
		}
		rows = append(rows, row)
	}
	return func(yield func(T, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}

// read runs through what the store yields. Only the first of it has to be there within the time limit.
func read[T any](
	ctx context.Context, e *Engine, t *Timing, run func(context.Context) iter.Seq2[T, error],
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		l := newLimit(ctx, e.query)
		defer l.end()
		rows, first := 0, true
		defer func() { e.CountRows(rows) }()
		for v, err := range run(l.ctx) {
			if first {
				l.lift()
				t.Done(stageStore)
				first = false
			}
			if err == nil {
				rows++
			}
			if !yield(v, l.explain(err)) {
				return
			}
		}
	}
}

// limit bounds how long the store may take, until it is lifted. End has to be called in any case.
type limit struct {
	ctx   context.Context
	after time.Duration
	timer *time.Timer // nil: no bound
	end   func()
}

func newLimit(ctx context.Context, after time.Duration) limit {
	ctx, cancel := context.WithCancelCause(ctx)
	if after <= 0 {
		return limit{ctx, 0, nil, func() { cancel(nil) }}
	}
	timer := time.AfterFunc(after, func() { cancel(errLate) })
	return limit{ctx, after, timer, func() { timer.Stop(); cancel(nil) }}
}

// errLate is why a limit ended a question.
var errLate = errors.New("the time limit of questions is over")

// lift lets the rest take as long as it takes.
func (l limit) lift() {
	if l.timer != nil {
		l.timer.Stop()
	}
}

// explain says of an error that the limit brought about how long was allowed.
func (l limit) explain(err error) error {
	if err == nil || !errors.Is(context.Cause(l.ctx), errLate) {
		return err
	}
	late := cube.Wrap(cube.CodeUnavailable, fmt.Sprintf("the question took longer than the %v that one may take", l.after), err)
	late.Hint = "cut it down, or drill fewer levels"
	return late
}

// Stage is a part of the way of a question. A file that is streamed counts until its first cell; from there on
// the store, the encoder and the reader work at the same time.
type Stage string

// The stages of a question.
const (
	StageParse  Stage = "parse"  // the URL
	StagePlan   Stage = "plan"   // names to levels
	stageWait   Stage = "wait"   // for a slot at the store
	stageStore  Stage = "store"  // until the whole answer is there
	StageEncode Stage = "encode" // as JSON
)

// Timing is how long the stages of one request took, for Server-Timing and the metrics.
type Timing struct {
	client string    // who has made the request, as the limits count clients
	since  time.Time // the last stage ended, or the request began
	Stages []StageTime
}

// StageTime is how long a stage took.
type StageTime struct {
	Stage Stage
	Took  time.Duration
}

// Done ends a stage, which began where the one before it ended.
func (t *Timing) Done(s Stage) {
	now := time.Now()
	t.Stages = append(t.Stages, StageTime{s, now.Sub(t.since)})
	t.since = now
}

// Of gives how long a stage took.
func (t *Timing) Of(s Stage) time.Duration {
	for _, st := range t.Stages {
		if st.Stage == s {
			return st.Took
		}
	}
	return 0
}

// String writes the stages as Server-Timing does, in milliseconds.
func (t *Timing) String() string {
	var text []byte
	for i, s := range t.Stages {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(append(text, s.Stage...), ";dur="...)
		text = strconv.AppendFloat(text, float64(s.Took.Microseconds())/1000, 'f', 3, 64)
	}
	return string(text)
}

// timingKey is where a request keeps its timing.
const timingKey = "timing"

// TimingOf gives the timing of a request.
func TimingOf(c echo.Context) *Timing { return c.Get(timingKey).(*Timing) }

// headerTiming says how long the stages took, as far as they are known when the answer begins.
const headerTiming = "Server-Timing"

// NewTiming begins the timing of a request. The header of its answer has it.
func NewTiming(c echo.Context) *Timing {
	t := &Timing{client: network(c.RealIP()), since: time.Now()}
	c.Set(timingKey, t)
	c.Response().Before(func() {
		if len(t.Stages) > 0 {
			c.Response().Header().Set(headerTiming, t.String())
		}
	})
	return t
}
