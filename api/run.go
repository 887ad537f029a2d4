package api

import (
	"context"
	"iter"
	"slices"
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
	release, err := a.questions.take(ctx)
	if err != nil {
		return none, err
	}
	defer release()
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

// stream runs through what the store yields. Only the first of it has to be there within the limit: the rest may
// take as long as somebody reads. So that readers who take their time leave room for short questions, streams
// have half of the turns, and those of one asker half of these.
func stream[T any](
	ctx context.Context, a *api, t *timing, run func(context.Context) iter.Seq2[T, error],
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		release, err := a.takeStream(ctx, t.asker)
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		defer release()
		t.done(stageWait)
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

// takeStream waits for a turn among the streams of the asker, then for one among all streams, and then for one among
// all questions.
func (a *api) takeStream(ctx context.Context, asker string) (release func(), err error) {
	var held []func()
	release = func() {
		for _, end := range slices.Backward(held) {
			end()
		}
	}
	for _, take := range []func(context.Context) (func(), error){
		func(ctx context.Context) (func(), error) { return a.shares.take(ctx, asker) }, a.streams.take, a.questions.take,
	} {
		end, err := take(ctx)
		if err != nil {
			release()
			return nil, err
		}
		held = append(held, end)
	}
	return release, nil
}
