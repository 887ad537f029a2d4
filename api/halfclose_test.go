package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fiscube/api"
	"fiscube/cube/plan"
)

// sendAndClose sends a text over a connection and closes that side of it.
func sendAndClose(t *testing.T, address, text string) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	return conn.(*net.TCPConn)
}

// A client that closes its side after the request gets its answer, and so do requests that it sent together.
func TestServe_AnswersAClientThatHasClosedItsSide(t *testing.T) {
	t.Parallel()
	store := newFake(t)
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		select {
		case <-time.After(500 * time.Millisecond):
			return yielding(nothing(s))(ctx, s)
		case <-ctx.Done():
			return failing(ctx.Err())(ctx, s)
		}
	}
	address, _ := serve(t.Context(), t, handler(t, store))
	const request = "GET /cubes/croatia/aggregate?aggregates=_count HTTP/1.1\r\nHost: a\r\n\r\n"
	for _, n := range []int{1, 2} {
		began := time.Now()
		answers := bufio.NewReader(sendAndClose(t, address, strings.Repeat(request, n)))
		for i := range n {
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatalf("answer %d of %d: %v", i+1, n, err)
			}
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != http.StatusOK || !strings.HasSuffix(string(body), `"warnings":[]}`) {
				t.Errorf("answer %d of %d: %d %v %s", i+1, n, response.StatusCode, err, body)
			}
		}
		if _, err := answers.ReadByte(); err != io.EOF || time.Since(began) > patience/2 {
			t.Errorf("the connection ends after %v with %v", time.Since(began), err)
		}
	}
}

// A client that waits gets its answer, however late it begins and ends. One that is gone is noticed, whether it closed its
// side first or is cut off, and whether the answer has begun.
func TestServe_NoticesAClientThatIsGone(t *testing.T) {
	t.Parallel()
	cancelled := make(chan string, 1)
	address, _ := serve(t.Context(), t, lateAnswers(cancelled))
	requests := []string{
		"GET /begins HTTP/1.0\r\n\r\n", "GET /late HTTP/1.0\r\n\r\n",
		"GET /begins HTTP/1.1\r\nHost: a\r\n\r\n", "GET /late HTTP/1.1\r\nHost: a\r\n\r\n",
	}
	waiting := map[string]net.Conn{} // all at once
	for _, request := range requests {
		waiting[request] = sendAndClose(t, address, strings.Repeat(request, 2))
		_ = waiting[request].SetReadDeadline(time.Now().Add(patience))
	}
	for _, request := range requests {
		answers := bufio.NewReader(waiting[request])
		for i := range 1 + strings.Count(request, "HTTP/1.1") {
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatalf("%q, answer %d: %v", request, i+1, err)
			}
			body, err := io.ReadAll(response.Body)
			if err != nil || !strings.HasSuffix(string(body), "end") {
				t.Errorf("%q, answer %d: %d bytes, %v", request, i+1, len(body), err)
			}
		}
	}
	unnoticed := map[string]bool{}
	for _, linger := range []int{-1, 0} {
		for _, request := range requests {
			long := fmt.Sprintf("?long=%d HTTP", linger)
			asked := strings.Replace(request, " HTTP", long, 1)
			line, _, _ := strings.Cut(asked, "\r\n")
			unnoticed[line] = true
			gone := sendAndClose(t, address, asked)
			_ = gone.SetLinger(linger)
			_ = gone.Close()
		}
	}
	for late := time.After(patience / 2); len(unnoticed) > 0; {
		select {
		case one := <-cancelled:
			delete(unnoticed, one)
		case <-late:
			t.Fatalf("these are not noticed within %v: %v", patience/2, slices.Collect(maps.Keys(unnoticed)))
		}
	}
}

// lateAnswers takes four seconds for an answer, in which a client gets three signs, or far longer, and gives the first line of one that
// is cancelled. That of /begins begins at once.
func lateAnswers(cancelled chan<- string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		began, lasts := time.Now(), 4*time.Second
		if r.URL.RawQuery != "" {
			lasts = patience
		}
		for time.Since(began) < lasts {
			if r.URL.Path == "/begins" {
				_, _ = fmt.Fprintln(w, strings.Repeat("x", 5000))
			}
			select {
			case <-time.After(100 * time.Millisecond):
			case <-r.Context().Done():
				cancelled <- fmt.Sprintf("%s %s %s", r.Method, r.URL, r.Proto)
				return
			}
		}
		_, _ = fmt.Fprint(w, "end")
	}
}

// countingListener counts what is written to its connections.
type countingListener struct {
	net.Listener
	writes *atomic.Int64
}

func (l countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return countingConn{conn, l.writes}, err
}

type countingConn struct {
	net.Conn
	writes *atomic.Int64
}

func (c countingConn) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

// An answer of some kilobytes is sent with its header in one call of the system, and is whole.
func TestServe_SendsAnAnswerAtOnce(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var writes atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- api.Serve(ctx, countingListener{listener, &writes}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := strings.Repeat("x", len(r.URL.Path)*1000)
			if r.URL.RawQuery != "" {
				w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			}
			_, _ = io.WriteString(w, body)
		}))
	}()
	t.Cleanup(func() { stop(); <-served })
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	answers := bufio.NewReader(conn)
	for _, size := range []int{1, 2, 3, 4, 5, 9, 30} {
		for _, length := range []string{"?length", ""} {
			writes.Store(0)
			if _, err := fmt.Fprintf(conn, "GET /%s%s HTTP/1.1\r\nHost: a\r\n\r\n", strings.Repeat("a", size-1), length); err != nil {
				t.Fatal(err)
			}
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			if err != nil || len(body) != size*1000 {
				t.Errorf("%d KB: got %d bytes, %v", size, len(body), err)
			}
			if n := writes.Load(); length != "" && n != 1 {
				t.Errorf("%d KB are sent in %d calls", size, n)
			}
		}
	}
}
