package command

import (
	"io"
	"sync"
	"time"
)

// logWriter writes the lines of a log in the background: those of some milliseconds together, and those that come while others
// are written. Who logs waits only where the reader of the log falls behind.
type logWriter struct {
	out  io.Writer
	done chan struct{} // closed when all is written

	mu      sync.Mutex
	changed *sync.Cond
	lines   []byte
	closed  bool
}

// gathering is how long a line waits for others: to wake who writes it takes longer than to make it.
const gathering = 10 * time.Millisecond

// mostLogged is how many bytes wait for the reader of a log.
const mostLogged = 1 << 20

func newLogWriter(out io.Writer) *logWriter {
	w := &logWriter{out: out, done: make(chan struct{})}
	w.changed = sync.NewCond(&w.mu)
	go w.run()
	return w
}

// Write implements io.Writer.
func (w *logWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.lines) > mostLogged && !w.closed {
		w.changed.Wait()
	}
	if w.closed { // nobody writes it later
		return w.out.Write(line)
	}
	if len(w.lines) == 0 {
		w.changed.Broadcast()
	}
	w.lines = append(w.lines, line...)
	return len(line), nil
}

func (w *logWriter) run() {
	defer close(w.done)
	var lines []byte
	for {
		w.mu.Lock()
		for len(w.lines) == 0 && !w.closed {
			w.changed.Wait()
		}
		if !w.closed && len(w.lines) < mostLogged {
			w.mu.Unlock()
			time.Sleep(gathering)
			w.mu.Lock()
		}
		lines, w.lines = w.lines, lines[:0]
		w.changed.Broadcast()
		w.mu.Unlock()
		if len(lines) == 0 {
			return
		}
		_, _ = w.out.Write(lines) // there is nowhere to report it
	}
}

// Close writes what is left. Later lines are written as they come.
func (w *logWriter) Close() {
	w.mu.Lock()
	w.closed = true
	w.changed.Broadcast()
	w.mu.Unlock()
	<-w.done
}
