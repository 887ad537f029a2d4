package api

import (
	"context"
	"fmt"
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
)

// Serve answers with the handler what arrives at the listener, until ctx ends. Then it accepts nothing more,
// lets the requests under way finish for ten seconds, and cuts those that do not.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           patiently(handler),
		ReadHeaderTimeout: headerPatience,
		ReadTimeout:       readPatience,
		WriteTimeout:      writePatience,
		IdleTimeout:       idlePatience,
		MaxHeaderBytes:    maxHeaderBytes,
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
func patiently(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(patientWriter{w, http.NewResponseController(w)}, r)
	})
}

type patientWriter struct {
	http.ResponseWriter
	controller *http.ResponseController
}

// Write sends the bytes piece by piece and puts the end of the patience off before each.
func (w patientWriter) Write(b []byte) (int, error) {
	written := 0
	for piece := range slices.Chunk(b, pieceBytes) {
		if err := w.controller.SetWriteDeadline(time.Now().Add(writePatience)); err != nil {
			return written, err
		}
		n, err := w.ResponseWriter.Write(piece)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// Unwrap lets http.ResponseController find the writer below.
func (w patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
