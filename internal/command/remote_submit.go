package command

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// submitPatience is how long a user who stops waits for what a server says of a package that it has.
const submitPatience = 10 * time.Second

// submit sends a package. To stop ends that, unless the server has all of it: then its answer is waited for, so that
// nobody is told that nothing was loaded while the server loads it.
func (r *remote) submit(ctx context.Context, send *body, job *remoteJob) error {
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	content := &sentContent{ReadCloser: send.content, left: send.length}
	send.content = content
	defer context.AfterFunc(ctx, func() {
		if content.whole.Load() {
			select {
			case <-time.After(submitPatience):
			case <-sending.Done():
			}
		}
		cancel()
	})()
	err := r.ask(sending, http.MethodPost, "cubes", send, job)
	if err != nil && ctx.Err() != nil && content.whole.Load() {
		return &loadGoesOn{}
	}
	return err
}

// sentContent knows when all of it was taken to be sent.
type sentContent struct {
	io.ReadCloser
	left  int64 // -1 where it is not known
	whole atomic.Bool
}

// Read implements io.Reader.
func (c *sentContent) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if c.left > 0 {
		c.left -= int64(n)
	}
	if err == io.EOF || c.left == 0 {
		c.whole.Store(true)
	}
	return n, err
}
