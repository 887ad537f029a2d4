package api

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

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
