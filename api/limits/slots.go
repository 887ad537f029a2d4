package limits

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"fiscube/cube"
)

// class says how much a question costs. Each class has its own queue.
type class int

const (
	cheap class = iota // reads little, and is answered at once
	dear               // reads many rows, or is streamed for as long as its client reads
	classes
)

// slots are those for questions at the store: so many at once, and of these half may be dear, so that one is free for cheap
// questions at any time. Where none is free a question waits in the queue of its class. The next slot is for the client
// with the fewest questions of the class at the store; of equals, for who waits longest.
type slots struct {
	all    int // questions at once; 0: no bound
	dear   int // dear ones among them
	client int // dear ones of one client among these
	queue  int // questions of each class that wait; half of them may be for files of one client
	beside int // cheap ones at once while dearWorks; 0: no bound
	turns  int // very long files that have their turn at once, since ten that share are all late; 0: no bound

	dearWorks func() bool // a dear question works, not only waits for its reader

	mu      sync.Mutex
	working [classes]int
	clients [classes]map[string]int // their questions that are at the store
	inTurn  int                     // very long files that have their turn
	waiting []*question             // of both classes, who waits longest first
}

// question is what takes a slot.
type question struct {
	class  class
	client string
	file   bool
	long   bool          // a very long file
	given  chan struct{} // closed when it has a slot
}

func newSlots(all, queue int) *slots {
	half := (all + 1) / 2
	return &slots{
		all: all, dear: half, client: max(1, half/2), queue: max(queue, 0),
		clients: [classes]map[string]int{{}, {}},
	}
}

// maxWait is how long a question waits before its client has to come back: enough for a burst of short
// answers to pass, and short enough to be an answer.
const maxWait = 5 * time.Second

// maxTurn is how long a file waits for its turn: until a hundred before it have been read, or the queue does not move.
const maxTurn = 10 * time.Minute

var (
	errQueueFull = cube.Wrap(cube.CodeUnavailable, "too many questions at once", errors.New("the queue is full"))
	errQueueLate = cube.Wrap(cube.CodeUnavailable, "too many questions at once", errors.New("no slot was free in time"))
)

// Busy reports whether an error only says that there are too many questions at once.
func Busy(err error) bool {
	return errors.Is(err, errQueueFull) || errors.Is(err, errQueueLate) || errors.Is(err, errNoMemory)
}

// takeFree gives a question a slot if one is free.
func (s *slots) takeFree(q question) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	free := s.hasSlot(&q)
	if free {
		s.give(&q)
	}
	return free
}

// give notes that a question has a slot.
func (s *slots) give(q *question) {
	s.working[q.class]++
	s.clients[q.class][q.client]++
	if q.long {
		s.inTurn++
	}
}

// take gives a question a slot as soon as possible, if ctx does not end before. It has the slot until giveBack.
func (s *slots) take(ctx context.Context, q question) error {
	s.mu.Lock()
	if !s.hasSlot(&q) && s.isFull(&q) {
		s.mu.Unlock()
		return errQueueFull
	}
	q.given = make(chan struct{})
	s.waiting = append(s.waiting, &q)
	s.serveQueue()
	s.mu.Unlock()
	select {
	case <-q.given:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, &q)
	if i < 0 { // it got one at the same moment
		return nil
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	return context.Cause(ctx)
}

// giveBack gives the slot of a question back, and to who waits for one.
func (s *slots) giveBack(q question) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.working[q.class]--
	clients := s.clients[q.class]
	if clients[q.client]--; clients[q.client] == 0 {
		delete(clients, q.client)
	}
	s.serveQueue()
}

// serveQueue gives the free slots to the questions that wait.
func (s *slots) serveQueue() {
	for {
		var next *question
		for _, q := range s.waiting {
			if s.hasSlot(q) && (next == nil || s.clients[q.class][q.client] < s.clients[next.class][next.client]) {
				next = q
			}
		}
		if next == nil {
			return
		}
		s.give(next)
		s.waiting = slices.DeleteFunc(s.waiting, func(q *question) bool { return q == next })
		close(next.given)
	}
}

// endTurn lets the next very long file have a turn. The one that had it keeps its slot.
func (s *slots) endTurn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inTurn--
	s.serveQueue()
}

// awaitsTurn tells whether a question is a very long file, and others have their turn.
func (s *slots) awaitsTurn(q *question) bool { return q.long && s.turns > 0 && s.inTurn >= s.turns }

// isFree tells whether a question would get a slot at once.
func (s *slots) isFree(q question) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hasSlot(&q)
}

// hasSlot tells whether a slot is free for a question. None is for those that wait, since serveQueue would have given it to
// them; so nobody is overtaken.
func (s *slots) hasSlot(q *question) bool {
	switch {
	case s.all <= 0:
		return true
	case s.working[cheap]+s.working[dear] >= s.all:
		return false
	}
	if q.class == cheap {
		return s.beside <= 0 || s.working[cheap] < s.beside || !s.dearWorks() // else it would hardly get a processor
	}
	return s.working[dear] < s.dear && s.clients[dear][q.client] < s.client && !s.awaitsTurn(q)
}

// isFull tells whether there is no room for a question in the queue of its class.
func (s *slots) isFull(q *question) bool {
	all, files := 0, 0
	for _, w := range s.waiting {
		if w.class == q.class {
			all++
			if w.file && w.client == q.client {
				files++
			}
		}
	}
	return all >= s.queue || q.file && files >= (s.queue+1)/2
}

// hasCheap tells whether cheap questions are at the store, or wait.
func (s *slots) hasCheap() bool {
	working, waiting := s.count(cheap)
	return working+waiting > 0
}

// wantsSlot tells whether a dear question waits for a slot, not only for its turn.
func (s *slots) wantsSlot() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.waiting, func(q *question) bool { return q.class == dear && !s.awaitsTurn(q) })
}

// count counts the questions of a class that are at the store, and those that wait.
func (s *slots) count(c class) (working, waiting int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.waiting {
		if q.class == c {
			waiting++
		}
	}
	return s.working[c], waiting
}
