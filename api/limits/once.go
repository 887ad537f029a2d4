package limits

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"sync"

	"fiscube/cube"
)

// asked is a bound question of one kind, which prints its canonical text.
type asked interface {
	fmt.Stringer
	Cube() *cube.Cube
}

// once answers equal questions that are asked while the first of them is being answered with one answer: what many look at costs
// as much as what one does. So nobody may change an answer.
type once[Question asked, Answer any] struct {
	running sync.Map // *running by sameKey
}

// sameKey is what equal questions have in common.
type sameKey struct {
	cube *cube.Cube
	plan string
	lang cube.Language
}

// running is a question that is being answered.
type running[Question asked, Answer any] struct {
	question Question
	done     chan struct{} // closed when the rest is set
	ended    bool          // false where its client left or the store panicked: there is nothing for others
	answer   Answer
	bytes    int64 // that it takes
	err      error
}

// ask runs a question, or waits for the answer to an equal one.
func (o *once[Q, A]) ask(ctx context.Context, t *Timing, q Q, lang cube.Language, run func() (A, error)) (A, error) {
	key, own := sameKey{q.Cube(), q.String(), lang}, &running[Q, A]{question: q, done: make(chan struct{})}
	for {
		found, others := o.running.LoadOrStore(key, own)
		if !others {
			break
		}
		same := found.(*running[Q, A])
		if !reflect.DeepEqual(same.question, q) { // to be sure that the text says everything
			return run()
		}
		select {
		case <-same.done:
		case <-ctx.Done():
			var none A
			return none, ctx.Err()
		}
		t.Done(stageWait)
		if same.ended {
			return same.answer, cmp.Or(same.err, Hold(ctx, same.bytes)) // which its owner may free first
		}
	}
	defer func() { // also where the store panics
		o.running.Delete(key)
		close(own.done)
	}()
	before := heldBy(ctx)
	own.answer, own.err = run()
	own.bytes = heldBy(ctx) - before
	own.ended = ctx.Err() == nil
	return own.answer, own.err
}
