package command

import (
	"io"
	"sync"
)

// logWriter writes the lines of a log in the background: those that come while others are written are written together. Who
// logs waits only where the reader of the log falls behind.
type logWriter struct {
	out  io.Writer
	done chan struct{} // closed when all is written

	mu      sync.Mutex
	changed *sync.Cond
	lines   []byte
	closed  bool
}

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
