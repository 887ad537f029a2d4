package command

import (
	"cmp"
	"io"
	"sync"
)

// output is a writer that fails nobody: a load goes on when its output is lost. It remembers the first error, of which the command tells at its end.
type output struct {
	io.Writer
	mu   sync.Mutex
	lost error
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err := o.Writer.Write(b)
	o.lost = cmp.Or(o.lost, err)
	return len(b), nil
}
