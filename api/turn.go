package api

import (
	"context"
	"errors"
	"time"

	"fiscube/cube"
)

// turns lets so many do something at once. Nil turns let everybody.
type turns chan struct{}

func newTurns(n int) turns {
	if n <= 0 {
		return nil
	}
	return make(turns, n)
}

// try takes a turn if one is free, which it is not as long as somebody waits for it: a channel hands a place that
// becomes free to who is blocked on it first.
func (t turns) try() bool {
	if t == nil {
		return true
	}
	select {
	case t <- struct{}{}:
		return true
	default:
		return false
	}
}

// wait takes the next turn that is free.
func (t turns) wait(ctx context.Context) error {
	if t == nil {
		return nil
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t turns) end() {
	if t != nil {
		<-t
	}
}

// tryEach takes a turn of each, or of none.
func tryEach(each []turns) bool {
	for i, t := range each {
		if !t.try() {
			endEach(each[:i])
			return false
		}
	}
	return true
}

func endEach(each []turns) {
	for _, t := range each {
		t.end()
	}
}

// admission is how a question comes to the store: with a turn of each, which it takes in their order. Where one is not
// free it waits, if there is a place for it in each of the queues.
type admission struct {
	turns, queues []turns
}

// queuePatience is how long a question waits for its turns before its caller is told to come back: enough for a
// burst of short answers to pass, and short enough that nobody is left to guess.
const queuePatience = 5 * time.Second

var (
	errQueueFull = errors.New("the queue is full")
	errQueueLate = errors.New("no turn came in time")
)

func busy(cause error) error {
	return cube.Wrap(cube.CodeUnavailable, "too many questions at once", cause)
}

// try takes the turns if all of them are free. They last until end.
func (a admission) try() bool { return tryEach(a.turns) }

func (a admission) end() { endEach(a.turns) }

// take takes the turns as soon as they are free. They last until end.
func (a admission) take(ctx context.Context) error {
	if a.try() {
		return nil
	}
	if !tryEach(a.queues) {
		return busy(errQueueFull)
	}
	defer endEach(a.queues)
	ctx, cancel := context.WithTimeoutCause(ctx, queuePatience, busy(errQueueLate))
	defer cancel()
	for i, t := range a.turns {
		if err := t.wait(ctx); err != nil {
			endEach(a.turns[:i])
			return err
		}
	}
	return nil
}
