package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"time"
)

// The bounds of a connection. A long answer may take as long as it takes, provided somebody reads it.
const (
	headerPatience = 10 * time.Second // for the header of a request
	readPatience   = 30 * time.Second // for the whole of a request
	writePatience  = time.Minute      // for each piece of an answer
	idlePatience   = 2 * time.Minute  // between two requests
	stopPatience   = 10 * time.Second // for the requests that are under way at the end
	maxHeaderBytes = 512 << 10        // a cut may name 10,000 values
	pieceBytes     = 64 << 10
	leastPace      = 16 << 10 // bytes a second that a reader takes in the long run
)

// patience says how long a reader of an answer may keep us waiting: so long for a piece, and so many bytes a second
// on the whole. An answer under way holds a connection of the store, and readers who take it in drops must not
// hold them all.
type patience struct {
	piece time.Duration
	pace  float64
}

// Serve answers with the handler what arrives at the listener, until ctx ends. Then it accepts nothing more,
// lets the requests under way finish for ten seconds, and cuts those that do not.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           cutting(lingering(patiently(handler, patience{writePatience, leastPace}))),
		ReadHeaderTimeout: headerPatience,
		ReadTimeout:       readPatience,
		WriteTimeout:      writePatience,
		IdleTimeout:       idlePatience,
		MaxHeaderBytes:    maxHeaderBytes,
		ConnContext:       withConnection,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", listener.Addr(), err)
	case <-ctx.Done():
		return stop(server)
	}
}

func stop(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopPatience)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		_ = server.Close()
		return fmt.Errorf("requests were cut at the end: %w", err)
	}
	return nil
}

// patiently gives every piece of an answer its own time, where http.Server only knows one for the whole.
func patiently(next http.Handler, p patience) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&patientWriter{w, http.NewResponseController(w), p, p.piece}, r)
	})
}

type patientWriter struct {
	http.ResponseWriter
	controller *http.ResponseController
	patience
	left time.Duration // what the reader may still keep us waiting, at most patience.piece
}

// Write sends the bytes piece by piece and puts the end of the patience off before each.
func (w *patientWriter) Write(b []byte) (int, error) {
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
func (w *patientWriter) send(piece []byte) (int, error) {
	start := time.Now()
	if err := w.controller.SetWriteDeadline(start.Add(w.left)); err != nil {
		return 0, err
	}
	n, err := w.ResponseWriter.Write(piece)
	earned := time.Duration(float64(n) / w.pace * float64(time.Second))
	w.left = min(w.piece, w.left-time.Since(start)+earned)
	return n, err
}

// Unwrap lets http.ResponseController find the writer below.
func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// lingerPatience is how long the rest of a body is read that nobody wants any more.
const lingerPatience = 5 * time.Second

// lingering lets those who send a body to its end before they listen hear why it was not taken. A connection that
// is closed over bytes nobody read is reset, and that takes the answer away from a client that has not read it
// yet (RFC 9112, section 9.6); http.Server waits for it by itself, but not for those who asked with Expect first.
func lingering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body
		next.ServeHTTP(w, r)
		if body == http.NoBody {
			return
		}
		controller := http.NewResponseController(w)
		if errors.Join(controller.Flush(), controller.SetReadDeadline(time.Now().Add(lingerPatience))) == nil {
			_, _ = io.Copy(io.Discard, body)
		}
	})
}

// connectionKey is the key of a request's connection in its context.
type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// cutting resets the connection where an answer of HTTP/1.0 is cut. Such an answer ends with its connection, so that one
// that ended in order would be taken for the whole.
func cutting(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		whole := false
		defer func() {
			if c, ok := r.Context().Value(connectionKey{}).(*net.TCPConn); ok && !whole && !r.ProtoAtLeast(1, 1) {
				_ = c.SetLinger(0)
			}
		}()
		next.ServeHTTP(w, r)
		whole = true
	})
}
