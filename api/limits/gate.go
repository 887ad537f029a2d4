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

// gate admits questions to the store: so many at once, and of these half may be dear, so that there is room for cheap
// ones at any time. Where there is none a question waits in the queue of its class. The next one is that of the client
// with the fewest questions of the class at the store; of equals, who waits longest.
type gate struct {
	all    int // questions at once; 0: no bound
	dear   int // dear ones among them
	client int // dear ones of one client among these
	queue  int // questions of each class that wait; half of them may be for files of one client

	mu      sync.Mutex
	working [classes]int
	clients [classes]map[string]int // their questions that are at the store
	waiting []*question             // of both classes, who waits longest first
}

// question is what asks for admission.
type question struct {
	class    class
	client   string
	file     bool
	admitted chan struct{} // closed when it is
}

func newGate(all, queue int) *gate {
	half := (all + 1) / 2
	return &gate{
		all: all, dear: half, client: max(1, half/2), queue: max(queue, 0),
		clients: [classes]map[string]int{{}, {}},
	}
}

// maxWait is how long a question waits before its client has to come back: enough for a burst of short
// answers to pass, and short enough to be an answer.
const maxWait = 5 * time.Second

var (
	errQueueFull = cube.Wrap(cube.CodeUnavailable, "too many questions at once", errors.New("the queue is full"))
	errQueueLate = cube.Wrap(cube.CodeUnavailable, "too many questions at once", errors.New("no slot was free in time"))
)

// Busy reports whether an error only says that there are too many questions at once.
func Busy(err error) bool { return errors.Is(err, errQueueFull) || errors.Is(err, errQueueLate) }

// enter admits a question as soon as possible, if ctx does not end before. It is then at the store until leave.
func (g *gate) enter(ctx context.Context, q question) error {
	g.mu.Lock()
	if !g.hasRoom(&q) && g.isFull(&q) {
		g.mu.Unlock()
		return errQueueFull
	}
	q.admitted = make(chan struct{})
	g.waiting = append(g.waiting, &q)
	g.admitWaiting()
	g.mu.Unlock()
	select {
	case <-q.admitted:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting, &q)
	if i < 0 { // admitted at the same moment
		return nil
	}
	g.waiting = slices.Delete(g.waiting, i, i+1)
	return context.Cause(ctx)
}

// leave ends what enter began, and admits who may come now.
func (g *gate) leave(q question) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.working[q.class]--
	clients := g.clients[q.class]
	if clients[q.client]--; clients[q.client] == 0 {
		delete(clients, q.client)
	}
	g.admitWaiting()
}

// admitWaiting admits the questions for which there is room.
func (g *gate) admitWaiting() {
	for {
		var next *question
		for _, q := range g.waiting {
			if g.hasRoom(q) && (next == nil || g.clients[q.class][q.client] < g.clients[next.class][next.client]) {
				next = q
			}
		}
		if next == nil {
			return
		}
		g.working[next.class]++
		g.clients[next.class][next.client]++
		g.waiting = slices.DeleteFunc(g.waiting, func(q *question) bool { return q == next })
		close(next.admitted)
	}
}

// isFree tells whether a question would be admitted at once.
func (g *gate) isFree(q question) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.hasRoom(&q)
}

// hasRoom tells whether there is room for a question at the store. There is none for those that wait, since admitWaiting admits
// them; so nobody is overtaken.
func (g *gate) hasRoom(q *question) bool {
	switch {
	case g.all <= 0:
		return true
	case g.working[cheap]+g.working[dear] >= g.all:
		return false
	}
	return q.class == cheap || g.working[dear] < g.dear && g.clients[dear][q.client] < g.client
}

// isFull tells whether there is no room for a question in the queue of its class.
func (g *gate) isFull(q *question) bool {
	all, files := 0, 0
	for _, w := range g.waiting {
		if w.class == q.class {
			all++
			if w.file && w.client == q.client {
				files++
			}
		}
	}
	return all >= g.queue || q.file && files >= (g.queue+1)/2
}

// hasCheap tells whether cheap questions are at the store, or wait.
func (g *gate) hasCheap() bool {
	working, waiting := g.count(cheap)
	return working+waiting > 0
}

// count counts the questions of a class that are at the store, and those that wait.
func (g *gate) count(c class) (working, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, q := range g.waiting {
		if q.class == c {
			waiting++
		}
	}
	return g.working[c], waiting
}
