package api

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// closedPatience is how long a client that has closed its side of the connection waits for its answer to begin.
const closedPatience = 5 * time.Second

// answeringListener makes connections whose client may close its side after the request, as nc -N does. http.Server takes
// the end of what a client sends for the end of the client, and cancels the request. A client that is gone looks the same,
// until something is written to it. So the end is kept from http.Server while the answer has not begun, for a time;
// afterwards a client that is gone shows in what cannot be written.
type answeringListener struct {
	net.Listener
	patience time.Duration
}

// Accept implements net.Listener.
func (l answeringListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &answeredConn{Conn: conn, patience: l.patience, changed: make(chan struct{})}, nil
}

// answeredConn is a connection of an answeringListener.
type answeredConn struct {
	net.Conn
	patience time.Duration

	mu       sync.Mutex
	active   bool          // a request is being answered
	begun    bool          // something of the answer is written
	closed   bool          // by us
	deadline time.Time     // of reading; zero for none
	changed  chan struct{} // closed when one of these changes
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
	close(c.changed)
	c.changed = make(chan struct{})
}

// Read implements net.Conn. The end of what the client sends comes late while its request is being answered.
func (c *answeredConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, io.EOF) {
		err = c.waitForAnswer(time.Now().Add(c.patience))
	}
	return n, err
}

// waitForAnswer gives the end of what the client sends: io.EOF, unless the reader stops waiting before.
func (c *answeredConn) waitForAnswer(patience time.Time) error {
	for {
		c.mu.Lock()
		end, err := patience, io.EOF
		if c.begun {
			end = time.Time{}
		}
		if !c.deadline.IsZero() && (end.IsZero() || c.deadline.Before(end)) {
			end, err = c.deadline, os.ErrDeadlineExceeded
		}
		changed, over := c.changed, !c.active || c.closed
		c.mu.Unlock()
		if over {
			return io.EOF
		}
		var ends <-chan time.Time // never, without an end
		if !end.IsZero() {
			ends = time.After(time.Until(end))
		}
		select {
		case <-changed:
		case <-ends:
			return err
		}
	}
}

// Write implements net.Conn.
func (c *answeredConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	begun := c.begun
	c.mu.Unlock()
	if !begun {
		c.change(func() { c.begun = true })
	}
	return c.Conn.Write(p)
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
