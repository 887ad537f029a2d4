package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"
)

// The bounds of a connection. A long answer may take as long as it takes, as long as it is read.
const (
	headerTimeout  = 10 * time.Second // for the header of a request
	readTimeout    = 30 * time.Second // for the whole of a request
	writeTimeout   = time.Minute      // for each piece of an answer
	idleTimeout    = 2 * time.Minute  // between two requests
	stopTimeout    = 10 * time.Second // for the requests that are under way at the end
	maxHeaderBytes = 512 << 10        // a cut may name 10,000 values
	pieceBytes     = 64 << 10
	minPace        = 16 << 10 // bytes a second that a reader takes in the long run
)

// readerLimit says how long a reader of an answer may keep us waiting: so long for a piece, and so many bytes a second
// on the whole. An answer under way holds a connection of the store, and slow readers must not
// hold them all.
type readerLimit struct {
	piece time.Duration
	pace  float64
}

// Serve answers the requests that arrive at the listener, until ctx ends. Then it accepts nothing more,
// lets the requests under way finish for ten seconds, and cuts those that do not. What the server itself has to say goes to the log.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	var underWay atomic.Int64
	began := time.Now()
	server := &http.Server{
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn), // else its lines would stand between those of the log
		Handler:           counting(&underWay, resetWhenCut(drainBody(withDeadlines(handler, readerLimit{writeTimeout, minPace})))),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ConnContext:       withConnection,
		ConnState:         followState,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(answeringListener{listener, firstSign}) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", listener.Addr(), err)
	case <-ctx.Done():
		log.Info("fiscube stops", "why", context.Cause(ctx), "answered_for", time.Since(began).Round(time.Second).String(), "under_way", underWay.Load())
		return stop(server, &underWay, log)
	}
}

func stop(server *http.Server, underWay *atomic.Int64, log *slog.Logger) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	began, cut := time.Now(), int64(0)
	err := server.Shutdown(ctx)
	if err != nil {
		cut = underWay.Load()
		_ = server.Close()
		err = fmt.Errorf("requests were cut at the end: %w", err)
	}
	log.Info("fiscube has stopped", "drained_ms", time.Since(began).Milliseconds(), "cut", cut)
	return err
}

// counting counts the requests that are under way.
func counting(underWay *atomic.Int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		underWay.Add(1)
		defer underWay.Add(-1)
		next.ServeHTTP(w, r)
	})
}

// withDeadlines gives every piece of an answer its own time, where http.Server only knows one for the whole.
func withDeadlines(next http.Handler, l readerLimit) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _ := r.Context().Value(connectionKey{}).(*answeredConn)
		next.ServeHTTP(&deadlineWriter{w, http.NewResponseController(w), conn, l, l.piece}, r)
	})
}

type deadlineWriter struct {
	http.ResponseWriter
	controller *http.ResponseController
	conn       *answeredConn // nil where it is another one
	readerLimit
	left time.Duration // how long the reader may still keep us waiting, at most piece
}

// Write sends the bytes piece by piece and moves the deadline before each.
func (w *deadlineWriter) Write(b []byte) (int, error) {
	written := 0
	for piece := range slices.Chunk(b, pieceBytes) {
		n, err := w.send(piece)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// send sends a piece. The time that it takes is used up; each byte that went out earns some back. The time between
// two pieces is the store's and ours, and does not count.
func (w *deadlineWriter) send(piece []byte) (int, error) {
	start := time.Now()
	if err := w.controller.SetWriteDeadline(start.Add(w.left)); err != nil {
		return 0, err
	}
	n, err := w.gathered(piece)
	earned := time.Duration(float64(n) / w.pace * float64(time.Second))
	w.left = min(w.piece, w.left-time.Since(start)+earned)
	return n, err
}

// A piece of so many bytes is gathered with what http.Server writes before it: a shorter one goes with the header anyway, and a
// longer one is copied for nothing.
const (
	leastGathered = 2 << 10
	mostGathered  = 32 << 10
)

// gathered sends a piece, perhaps in one call of the system with the header before it.
func (w *deadlineWriter) gathered(piece []byte) (int, error) {
	if w.conn == nil || len(piece) < leastGathered || len(piece) > mostGathered {
		return w.ResponseWriter.Write(piece)
	}
	n := 0
	err := w.conn.gather(func() (err error) {
		if n, err = w.ResponseWriter.Write(piece); err == nil && w.Header().Get("Content-Length") != "" { // else the header is not known yet
			err = w.controller.Flush()
		}
		return err
	})
	return n, err
}

// Unwrap lets http.ResponseController find the writer below.
func (w *deadlineWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// drainTimeout is how long the rest of a body is read that is not wanted any more.
const drainTimeout = 5 * time.Second

// drainBody lets clients that send a whole body before they read get the answer that refuses it. A connection that
// is closed over unread bytes is reset, and that takes the answer away from a client that has not read it
// yet (RFC 9112, section 9.6); http.Server waits for it by itself, but not for clients that asked with Expect first.
func drainBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body
		next.ServeHTTP(w, r)
		if body == http.NoBody {
			return
		}
		controller := http.NewResponseController(w)
		if errors.Join(controller.Flush(), controller.SetReadDeadline(time.Now().Add(drainTimeout))) == nil {
			_, _ = io.Copy(io.Discard, body)
		}
	})
}

// connectionKey is the key of a request's connection in its context.
type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// resetWhenCut resets the connection where an answer of HTTP/1.0 is cut. Such an answer ends with its connection, so that one
// that ended in order would be taken for the whole.
func resetWhenCut(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		whole := false
		defer func() {
			if c, ok := tcpOf(r); ok && !whole && !r.ProtoAtLeast(1, 1) {
				_ = c.SetLinger(0)
			}
		}()
		next.ServeHTTP(w, r)
		whole = true
	})
}

func tcpOf(r *http.Request) (*net.TCPConn, bool) {
	c := r.Context().Value(connectionKey{})
	if answered, ok := c.(*answeredConn); ok {
		c = answered.Conn
	}
	tcp, ok := c.(*net.TCPConn)
	return tcp, ok
}
