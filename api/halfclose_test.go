package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

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
		if _, err := answers.ReadByte(); err != io.EOF || time.Since(began) > 4*time.Second {
			t.Errorf("the connection ends after %v with %v", time.Since(began), err)
		}
	}
}

// Once the answer has begun, it takes as long as it takes, unless its client is gone.
func TestServe_NoticesAClientThatIsGone(t *testing.T) {
	t.Parallel()
	cancelled := make(chan time.Duration, 1)
	begin := make(chan bool, 1)
	address, _ := serve(t.Context(), t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		for writes := <-begin; r.Context().Err() == nil; {
			if writes {
				_, _ = fmt.Fprintln(w, strings.Repeat("x", 5000))
				writes = time.Since(began) < 7*time.Second
			}
			select {
			case <-time.After(100 * time.Millisecond):
			case <-r.Context().Done():
			}
			if time.Since(began) > 7*time.Second && r.URL.Path == "/whole" {
				_, _ = fmt.Fprint(w, "end")
				return
			}
		}
		cancelled <- time.Since(began)
	}))
	const request = "GET %s HTTP/1.0\r\n\r\n"
	t.Run("reads on", func(t *testing.T) {
		begin <- true
		body, err := io.ReadAll(sendAndClose(t, address, fmt.Sprintf(request, "/whole")))
		if err != nil || !strings.HasSuffix(string(body), "end") {
			t.Errorf("%d bytes, %v", len(body), err)
		}
	})
	for writes, least := range map[bool]time.Duration{true: 0, false: 4 * time.Second} {
		t.Run(fmt.Sprint("gone, writes ", writes), func(t *testing.T) {
			begin <- writes
			_ = sendAndClose(t, address, fmt.Sprintf(request, "/")).Close()
			select {
			case after := <-cancelled:
				if after < least || after > 6500*time.Millisecond {
					t.Errorf("it is noticed after %v", after)
				}
			case <-time.After(patience):
				t.Error("it is never noticed")
			}
		})
	}
}
