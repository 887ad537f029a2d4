package command

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// slowReader is a reader of a log that takes a part when it is let to.
type slowReader struct {
	bytes.Buffer
	next chan struct{}
}

func (r *slowReader) Write(b []byte) (int, error) {
	<-r.next
	return r.Buffer.Write(b)
}

// Every line is written whole and once, those of a goroutine in their order, also where the reader falls behind.
func TestLogWriter(t *testing.T) {
	const writers, each = 4, 20_000
	reader := &slowReader{next: make(chan struct{})}
	w := newLogWriter(reader)
	var all sync.WaitGroup
	for n := range writers {
		all.Go(func() {
			for i := range each {
				_, _ = fmt.Fprintf(w, "%d %d %s\n", n, i, strings.Repeat("x", 30))
			}
		})
	}
	for range 2 {
		reader.next <- struct{}{}
	}
	w.mu.Lock()
	if len(w.lines) > mostLogged+100 {
		t.Errorf("%d bytes wait", len(w.lines))
	}
	w.mu.Unlock()
	close(reader.next)
	all.Wait()
	w.Close()
	_, _ = fmt.Fprintf(w, "0 %d %s\n", each, strings.Repeat("x", 30))
	var next [writers]int
	for line := range strings.Lines(reader.String()) {
		var n, i int
		var rest string
		if _, err := fmt.Sscanf(line, "%d %d %s\n", &n, &i, &rest); err != nil || len(rest) != 30 || i != next[n] {
			t.Fatalf("%q comes where line %v is next: %v", line, next, err)
		}
		next[n]++
	}
	if next != [writers]int{each + 1, each, each, each} {
		t.Errorf("there are %v lines", next)
	}
}
