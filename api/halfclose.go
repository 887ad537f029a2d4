package api

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// firstSign is how long after the end of what a client sends it gets the first byte of its answer; each byte more takes
// twice as long as the one before.
const firstSign = 500 * time.Millisecond

// opening is how every answer of HTTP/1 begins.
const opening = "HTTP/1."

// answeringListener makes connections whose client may close its side after the request, as nc -N does. http.Server takes
// the end of what a client sends for the end of the client, and cancels the request. To TCP a client that is gone looks the
// same, until something is sent to it, which it refuses. So the end is kept from http.Server, and the client gets the opening
// of its answer byte by byte: one that is gone shows with the second byte, and one that waits cannot tell it from a slow
// network.
type answeringListener struct {
	net.Listener
	firstSign time.Duration
}

// Accept implements net.Listener.
func (l answeringListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &answeredConn{Conn: conn, firstSign: l.firstSign}, nil
}

// answeredConn is a connection of an answeringListener.
type answeredConn struct {
	net.Conn
	firstSign time.Duration

	sending sync.Mutex // while something is written
	opened  int        // bytes of the opening that are sent before the answer is there
	held    *[]byte    // what gather holds; nil where it is sent at once
	failed  error      // of gather: http.Server only looks at Write

	mu       sync.Mutex
	active   bool          // a request is being answered
	begun    bool          // the answer is there
	closed   bool          // by us
	deadline time.Time     // of reading; zero for none
	changed  chan struct{} // closed when one of these changes; nil where nobody waits for that
}

// followState notes whether a connection is between two requests. It is made for http.Server.ConnState.
func followState(conn net.Conn, state http.ConnState) {
	if c, ok := conn.(*answeredConn); ok {
		c.change(func() { c.active, c.begun = state == http.StateActive, false })
	}
}

func (c *answeredConn) change(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// Read implements net.Conn. The end of what the client sends comes late while its request is being answered.
func (c *answeredConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, io.EOF) {
		err = c.waitForAnswer()
	}
	return n, err
}

// waitForAnswer gives the end of what the client sends, io.EOF, when the request is over or the client is gone, unless the
// reader stops waiting before.
func (c *answeredConn) waitForAnswer() error {
	pause := c.firstSign
	next := time.NewTimer(pause)
	defer next.Stop()
	for {
		c.mu.Lock()
		if c.changed == nil {
			c.changed = make(chan struct{})
		}
		changed, over, begun, deadline := c.changed, !c.active || c.closed, c.begun, c.deadline
		c.mu.Unlock()
		if over {
			return io.EOF
		}
		sign, late := next.C, (<-chan time.Time)(nil)
		if begun { // what cannot be written ends the request
			sign = nil
		}
		if !deadline.IsZero() {
			late = time.After(time.Until(deadline))
		}
		select {
		case <-changed:
		case <-late:
			return os.ErrDeadlineExceeded
		case <-sign:
			if c.isGone() {
				return io.EOF
			}
			pause *= 2
			next.Reset(pause)
		}
	}
}

// isGone sends a byte of the opening, and tells whether the client has refused the one before. With nothing left to
// send, a system tells only whether the connection has ended.
func (c *answeredConn) isGone() bool {
	c.sending.Lock()
	defer c.sending.Unlock()
	c.mu.Lock()
	skip := c.begun || !c.active
	c.mu.Unlock()
	if skip {
		return false
	}
	rest := opening[c.opened:]
	n, err := c.Conn.Write([]byte(rest[:min(1, len(rest))]))
	c.opened += n
	return err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
}

// Write implements net.Conn. What is sent of an answer already is left out.
func (c *answeredConn) Write(p []byte) (int, error) {
	c.sending.Lock()
	defer c.sending.Unlock()
	c.mu.Lock()
	begun := c.begun
	c.mu.Unlock()
	if !begun {
		c.change(func() { c.begun = true })
	}
	sent := 0
	if bytes.HasPrefix(p, []byte(opening)) {
		sent, c.opened = c.opened, 0
	}
	if c.failed != nil {
		return 0, c.failed
	}
	if c.held != nil {
		*c.held = append(*c.held, p[sent:]...)
		return len(p), nil
	}
	n, err := c.Conn.Write(p[sent:])
	return sent + n, err
}

// held are buffers for what is gathered.
var held = sync.Pool{New: func() any { return new([]byte) }}

// gather sends in one piece what write writes. http.Server writes the header with the beginning of a body, and then the rest, and a
// call of the system costs as much as all else that is done for an answer that was kept.
func (c *answeredConn) gather(write func() error) error {
	buffer := held.Get().(*[]byte)
	c.sending.Lock()
	c.held = buffer
	c.sending.Unlock()
	err := write()
	c.sending.Lock()
	defer c.sending.Unlock()
	c.held = nil
	if len(*buffer) > 0 {
		_, c.failed = c.Conn.Write(*buffer)
	}
	*buffer = (*buffer)[:0]
	held.Put(buffer)
	return errors.Join(err, c.failed)
}

// SetReadDeadline implements net.Conn.
func (c *answeredConn) SetReadDeadline(t time.Time) error {
	c.change(func() { c.deadline = t })
	return c.Conn.SetReadDeadline(t)
}

// SetDeadline implements net.Conn.
func (c *answeredConn) SetDeadline(t time.Time) error {
	c.change(func() { c.deadline = t })
	return c.Conn.SetDeadline(t)
}

// Close implements net.Conn.
func (c *answeredConn) Close() error {
	c.change(func() { c.closed = true })
	return c.Conn.Close()
}
