package api

import (
	"context"
	"errors"
	"time"

	"fiscube/cube"
)

// turns lets so many at the store at once, and so many wait. A nil turns lets everybody.
type turns struct {
	places   chan struct{} // one taken by each that works or waits
	work     chan struct{} // one taken by each that works
	patience time.Duration
}

// queuePatience is how long a question waits for its turn before its caller is told to come back: enough for a
// burst of short answers to pass, and short enough that nobody is left to guess.
const queuePatience = 5 * time.Second

func newTurns(working, waiting int) *turns {
	if working <= 0 {
		return nil
	}
	return &turns{make(chan struct{}, working+max(waiting, 0)), make(chan struct{}, working), queuePatience}
}

var (
	errQueueFull = errors.New("the queue is full")
	errQueueLate = errors.New("no turn came in time")
)

func busy(cause error) error {
	return cube.Wrap(cube.CodeUnavailable, "too many questions at once", cause)
}

// take waits for a turn, which lasts until release.
func (t *turns) take(ctx context.Context) (release func(), err error) {
	if t == nil {
		return func() {}, nil
	}
	select {
	case t.places <- struct{}{}:
	default:
		return nil, busy(errQueueFull)
	}
	if err := t.wait(ctx); err != nil {
		<-t.places
		return nil, err
	}
	return func() { <-t.work; <-t.places }, nil
}

func (t *turns) wait(ctx context.Context) error {
	patience, cancel := context.WithTimeoutCause(ctx, t.patience, errQueueLate)
	defer cancel()
	select {
	case t.work <- struct{}{}:
		return nil
	case <-patience.Done():
	}
	if errors.Is(context.Cause(patience), errQueueLate) {
		return busy(errQueueLate)
	}
	return ctx.Err()
}

// working and waiting count those who have a turn, and those who have none yet.
func (t *turns) working() int {
	if t == nil {
		return 0
	}
	return len(t.work)
}

func (t *turns) waiting() int {
	if t == nil {
		return 0
	}
	return max(0, len(t.places)-len(t.work))
}
