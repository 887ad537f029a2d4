package command

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"fiscube/store"
	"fiscube/store/postgres"
	"fiscube/store/resident"
)

// One process owns an embedded file. A server leaves FILE.server beside it, readable by its user alone, with
// the loopback address at which it runs the commands of others and the token they must show. A command that
// finds the file owned has the server run the same command line and prints what the server writes.

// server is the content of FILE.server.
type server struct {
	Address string `json:"address"`
	Token   string `json:"token"`
}

// order is a command line handed over.
type order struct {
	Args []string `json:"args"`
}

// line is a piece of what a handed-over command writes; the last one has its exit code.
type line struct {
	Out  []byte `json:"out,omitempty"`
	Err  string `json:"err,omitempty"`
	Exit *int   `json:"exit,omitempty"`
}

// handedOver are the commands that a server runs for others.
var handedOver = []string{"load", "list", "query", "versions", "diff", "rollback", "prune", "remove", "visibility", "backup", "series", "migrate"}

func serverFile(database string) string { return database + ".server" }

// acceptHandOver lets other processes hand their commands to this one until stop is called. A server that cannot leave its
// address serves all the same.
func acceptHandOver(ctx context.Context, database string, s *resident.Store, log *slog.Logger) (stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for other fiscube commands: %w", err)
	}
	us := server{Address: listener.Addr().String(), Token: rand.Text()}
	if err := us.write(database); err != nil {
		log.Warn("other fiscube commands do not find this server", "error", err)
	}
	h := &http.Server{
		Handler: us.handler(s), ReadHeaderTimeout: 5 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	go func() { _ = h.Serve(listener) }()
	return func() {
		_ = os.Remove(serverFile(database))
		_ = h.Close()
	}, nil
}

// write leaves the address and token where only this user can read them.
func (s server) write(database string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_ = os.Remove(serverFile(database)) // of a server that was killed; its mode may be another
	if err := os.WriteFile(serverFile(database), data, 0o600); err != nil {
		_ = os.Remove(serverFile(database)) // of which a part may be there
		return err
	}
	return nil
}

func (s server) handler(shared *resident.Store) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := []byte(r.Header.Get("Authorization"))
		if subtle.ConstantTimeCompare(given, []byte("Bearer "+s.Token)) != 1 {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		var o order
		err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&o)
		if err != nil || len(o.Args) == 0 || !slices.Contains(handedOver, o.Args[0]) {
			http.Error(w, "no such command", http.StatusBadRequest)
			return
		}
		runHandedOver(r.Context(), w, o.Args, shared)
	})
}

// runHandedOver runs a command line on the store that this process has open, streaming what it writes.
func runHandedOver(ctx context.Context, w http.ResponseWriter, args []string, shared *resident.Store) {
	stream := &lineStream{encoder: json.NewEncoder(w), flush: http.NewResponseController(w).Flush}
	p := &program{
		out: writerFunc(func(text string) { stream.write(line{Out: []byte(text)}) }),
		err: writerFunc(func(text string) { stream.write(line{Err: text}) }),
		open: func(context.Context, string, postgres.Options, *slog.Logger) (store.Store, error) {
			return keepOpen{shared}, nil
		},
	}
	code := p.run(ctx, args)
	stream.write(line{Exit: &code})
}

// keepOpen is the server's store, which a command must not close.
type keepOpen struct{ *resident.Store }

// Close does nothing.
func (keepOpen) Close() error { return nil }

// writerFunc is a writer that calls a function with each text.
type writerFunc func(text string)

// Write implements io.Writer.
func (f writerFunc) Write(p []byte) (int, error) {
	f(string(p))
	return len(p), nil
}

// lineStream writes lines from several goroutines.
type lineStream struct {
	mu      sync.Mutex
	encoder *json.Encoder
	flush   func() error
}

// write sends a line at once. A reader that is gone cancels the command by its context.
func (s *lineStream) write(l line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.encoder.Encode(l)
	_ = s.flush()
}

// readServer reads what the server that owns the embedded file left; the error is fs.ErrNotExist where none did.
func readServer(database string) (owner server, err error) {
	data, err := os.ReadFile(serverFile(database))
	if err != nil {
		return owner, err
	}
	if err := json.Unmarshal(data, &owner); err != nil {
		return owner, fmt.Errorf("read %s: %w", serverFile(database), err)
	}
	return owner, nil
}

// handOverTo has the server that owns the embedded file run the command; inUse is the error without one.
func (p *program) handOverTo(cmd *cobra.Command, args []string, database string, inUse error) error {
	owner, err := readServer(database)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w, and no fiscube server says it does (%s)", inUse, serverFile(database))
	case err != nil:
		return fmt.Errorf("%w, and its server is not known: %w", inUse, err)
	}
	if cmd.Name() == "load" || cmd.Name() == "add" || cmd.Name() == "backup" { // their arguments are paths
		args = absolute(args)
	}
	line := slices.Concat(strings.Fields(cmd.CommandPath())[1:], givenFlags(cmd.Flags()), []string{"--"}, args)
	c := newClient(&url.URL{Scheme: "http", Host: owner.Address}, owner.Token, 0)
	stopped := errors.New("stopped; the server that has " + database + " open stops it too")
	response, err := c.send(cmd.Context(), http.MethodPost, "", jsonBody(order{Args: line}))
	if cmd.Context().Err() != nil {
		return stopped
	}
	if err != nil {
		return fmt.Errorf("%w, and the server of %s does not answer: %w", inUse, serverFile(database), err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server that has %s open refused the command: %s", database, response.Status)
	}
	err = p.relay(response.Body, database)
	if err != nil && cmd.Context().Err() != nil {
		return stopped
	}
	return err
}

// relay prints what the server writes, and ends with its exit code.
func (p *program) relay(body io.Reader, database string) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("the server answered something unknown: %w", err)
		}
		_, _ = p.out.Write(l.Out)
		_, _ = io.WriteString(p.err, l.Err)
		if l.Exit != nil && *l.Exit != exitDone {
			return &exitError{*l.Exit}
		}
		if l.Exit != nil {
			return nil
		}
	}
	return errors.New("the server that has " + database + " open ended before the command did; nothing more is known of it")
}
