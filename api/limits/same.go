package limits

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
)

// same answers equal questions that are asked at the same moment once: what many look at costs as much as what one does.
type same struct {
	mu      sync.Mutex
	running map[sameKey]*running
}

// sameKey is what equal questions have in common.
type sameKey struct {
	cube *cube.Cube
	plan string
	lang cube.Language
}

// running is a question that is being answered.
type running struct {
	plan   *plan.Plan
	done   chan struct{} // closed when the rest is set
	ended  bool          // false where its client left or the store panicked: there is nothing for others
	answer *answer.Answer
	err    error
}

// ask runs a plan or, while an equal one runs, waits for the answer to that.
func (s *same) ask(
	ctx context.Context, t *Timing, p *plan.Plan, lang cube.Language, run func() (*answer.Answer, error),
) (*answer.Answer, error) {
	key := sameKey{p.Cube(), p.String(), lang}
	for {
		r, first := s.enter(key, p)
		switch {
		case first:
			return s.lead(ctx, key, r, run)
		case !reflect.DeepEqual(r.plan, p): // to be sure that the text says everything
			return run()
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		t.Done(stageWait)
		if r.ended {
			return copyOf(r.answer), r.err
		}
	}
}

// enter gives the question that runs under a key, and whether it is this one.
func (s *same) enter(key sameKey, p *plan.Plan) (r *running, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.running[key]; ok {
		return r, false
	}
	r = &running{plan: p, done: make(chan struct{})}
	s.running[key] = r
	return r, true
}

// lead runs a question, also for those who ask the same meanwhile.
func (s *same) lead(ctx context.Context, key sameKey, r *running, run func() (*answer.Answer, error)) (*answer.Answer, error) {
	defer func() { // also where the store panics
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, key)
		close(r.done)
	}()
	a, err := run()
	r.answer, r.err, r.ended = a, err, ctx.Err() == nil
	return copyOf(a), err
}

// copyOf gives an answer that its client may change, but for the cells.
func copyOf(a *answer.Answer) *answer.Answer {
	if a == nil {
		return nil
	}
	own := *a
	own.Cells, own.Warnings = slices.Clip(a.Cells), slices.Clip(a.Warnings)
	return &own
}
