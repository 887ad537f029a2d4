package api

import (
	"context"
	"iter"
	"time"

	"fiscube/cube"
)

// Whatever is asked of the store goes through whole or stream, which see to its turn, its time limit and what
// the metrics say of it.

// result asks for a whole answer.
func (a *api) result(ctx context.Context, t *timing, plan *cube.Plan) (*cube.Result, error) {
	result, err := whole(ctx, a, t, func(ctx context.Context) (*cube.Result, error) {
		checked, err := a.engine.Check(ctx, plan)
		if err != nil {
			return nil, err
		}
		return a.engine.Aggregate(ctx, checked)
	})
	if err == nil {
		a.metrics.rows.Add(float64(len(result.Cells)))
	}
	return result, err
}

// checked looks for the members that the cuts of a plan name, before its answer is streamed: its warnings come first.
func checked[T any](ctx context.Context, a *api, check func(context.Context) (T, error)) (T, error) {
	return whole(ctx, a, &timing{since: time.Now()}, check)
}

// whole waits for what the store answers as one, which has to be there within the limit.
func whole[T any](ctx context.Context, a *api, t *timing, run func(context.Context) (T, error)) (T, error) {
	var none T
	question := admission{[]turns{a.questions}, []turns{a.queue}}
	if err := question.take(ctx); err != nil {
		return none, err
	}
	defer question.end()
	t.done(stageWait)
	defer t.done(stageStore)
	l := a.limit(ctx)
	defer l.end()
	answer, err := run(l.ctx)
	if err != nil {
		return none, l.explain(err, a.Limits.Query)
	}
	return answer, nil
}

// cells asks for the cells of an answer one by one, the summary first.
func (a *api) cells(ctx context.Context, t *timing, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
	return stream(ctx, a, t, func(ctx context.Context) iter.Seq2[cube.Cell, error] { return a.engine.Run(ctx, plan) })
}

// stream runs through what the store yields, for as long as somebody reads. So that readers who take their time leave
// room for others, streams have half of the turns, and those of one asker half of these. Where none is free, a short
// answer needs none: it is asked for as a question is, and sent when its turn is over. A long one waits and is asked
// for anew.
func stream[T any](
	ctx context.Context, a *api, t *timing, run func(context.Context) iter.Seq2[T, error],
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		mine := a.shares.enter(t.asker)
		defer a.shares.leave(t.asker)
		queues := []turns{mine.queue, a.queue}
		streaming := admission{[]turns{mine.streams, a.streams, a.questions}, queues}
		if !streaming.try() {
			if answer := gathered(ctx, a, t, admission{[]turns{a.questions}, queues}, run); answer != nil {
				answer(yield)
				return
			}
			if err := streaming.take(ctx); err != nil {
				failed[T](err)(yield)
				return
			}
		}
		defer streaming.end()
		t.done(stageWait)
		read(ctx, a, t, run)(yield)
	}
}

// shortRows is how many rows a short answer has at most: some megabytes of memory, and most of what is drilled.
const shortRows = 2500

// gathered gives a short answer, or how it failed, when the turn in which it is asked for is over. It gives nil where
// the answer is a long one.
func gathered[T any](
	ctx context.Context, a *api, t *timing, question admission, run func(context.Context) iter.Seq2[T, error],
) iter.Seq2[T, error] {
	if err := question.take(ctx); err != nil {
		return failed[T](err)
	}
	defer question.end()
	t.done(stageWait)
	ctx, drop := context.WithCancel(ctx)
	defer drop()
	var rows []T
	for row, err := range read(ctx, a, t, run) {
		if err != nil {
			return failed[T](err)
		}
		if len(rows) > shortRows { // with the summary in front
			drop() // before the range ends, where a store may read on to the end of its answer
			return nil
		}
		rows = append(rows, row)
	}
	return yielded(rows)
}

func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}

// read runs through what the store yields. Only the first of it has to be there within the limit.
func read[T any](
	ctx context.Context, a *api, t *timing, run func(context.Context) iter.Seq2[T, error],
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		l := a.limit(ctx)
		defer l.end()
		rows, first := 0, true
		defer func() { a.metrics.rows.Add(float64(rows)) }()
		for v, err := range run(l.ctx) {
			if first {
				l.lift()
				t.done(stageStore)
				first = false
			}
			if err == nil {
				rows++
			}
			if !yield(v, l.explain(err, a.Limits.Query)) {
				return
			}
		}
	}
}
