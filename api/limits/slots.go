package limits

import (
	"context"
	"errors"
	"sync"
	"time"

	"fiscube/cube"
)

// slots lets so many do something at once. Nil slots are no bound.
type slots chan struct{}

func newSlots(n int) slots {
	if n <= 0 {
		return nil
	}
	return make(slots, n)
}

// each is slots of several kinds, which are taken together or not at all.
type each []slots

// try takes a slot of each if all are free. A slot that somebody waits for is not free: a channel hands a slot that
// becomes free to the one that waits longest.
func (e each) try() bool {
	for i, s := range e {
		if s == nil {
			continue
		}
		select {
		case s <- struct{}{}:
		default:
			e[:i].release()
			return false
		}
	}
	return true
}

func (e each) release() {
	for _, s := range e {
		if s != nil {
			<-s
		}
	}
}

// admission is how a question comes to the store: with a slot of each, which it takes in their order. Where one is not
// free it waits, if each of the queues has a slot for it.
type admission struct{ slots, queues each }

// maxWait is how long a question waits for its slots before its client has to come back: enough for a burst of short
// answers to pass, and short enough to be an answer.
const maxWait = 5 * time.Second

var (
	errQueueFull = errors.New("the queue is full")
	errQueueLate = errors.New("no slot was free in time")
)

// Busy reports whether an error only says that there are too many questions at once.
func Busy(err error) bool { return errors.Is(err, errQueueFull) || errors.Is(err, errQueueLate) }

func busy(cause error) error {
	return cube.Wrap(cube.CodeUnavailable, "too many questions at once", cause)
}

// take takes the slots as soon as they are free. They last until they are released.
func (a admission) take(ctx context.Context) error {
	if a.slots.try() {
		return nil
	}
	if !a.queues.try() {
		return busy(errQueueFull)
	}
	defer a.queues.release()
	ctx, cancel := context.WithTimeoutCause(ctx, maxWait, busy(errQueueLate))
	defer cancel()
	for i, s := range a.slots {
		if s == nil {
			continue
		}
		select {
		case s <- struct{}{}:
		case <-ctx.Done():
			a.slots[:i].release()
			return context.Cause(ctx)
		}
	}
	return nil
}

// shares bounds how many streams one client has, and how many of its files wait, so that a client that does not read
// leaves some to the others. Nil shares are no bound.
type shares struct {
	streams, queue int // of one client

	mu      sync.Mutex
	clients map[string]*share // of those whose files are asked for or sent
}

// share is what one client has.
type share struct {
	streams slots
	queue   slots
	files   int // that are asked for or sent
}

// newShares gives each client half of the streams and half of the queue, and one stream at least.
func newShares(streams, queue int) *shares {
	if streams <= 0 {
		return nil
	}
	return &shares{streams: max(1, streams/2), queue: (queue + 1) / 2, clients: map[string]*share{}}
}

// enter gives the share of a client, which has it until leave.
func (s *shares) enter(client string) *share {
	if s == nil {
		return &share{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	has, ok := s.clients[client]
	if !ok {
		has = &share{streams: newSlots(s.streams), queue: make(slots, s.queue)}
		s.clients[client] = has
	}
	has.files++
	return has
}

// leave forgets a client that has nothing any more.
func (s *shares) leave(client string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	has := s.clients[client]
	if has.files--; has.files == 0 {
		delete(s.clients, client)
	}
}
