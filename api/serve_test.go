package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube/plan"
)

// patience is how long anything may take that does not promise to be faster.
const patience = time.Minute

// serve runs Serve and gives its address and what it returned.
func serve(ctx context.Context, t *testing.T, h http.Handler) (address string, ended chan error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended = make(chan error, 1)
	go func() { ended <- api.Serve(ctx, listener, h) }()
	return listener.Addr().String(), ended
}

func TestServe_StopLetsRequestsFinish(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	store := newFake(t)
	running, release := make(chan struct{}), make(chan struct{})
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		close(running)
		<-release
		return yielding(nothing(s))(ctx, s)
	}
	address, ended := serve(ctx, t, handler(t, store))

	answered := make(chan string, 1)
	go func() {
		response, err := http.Get("http://" + address + "/cubes/croatia/aggregate?aggregates=_count")
		if err != nil {
			answered <- err.Error()
			return
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		answered <- fmt.Sprint(response.StatusCode, err, strings.HasSuffix(string(body), `"warnings":[]}`))
	}()
	<-running
	stop()
	refused(t, address)
	select {
	case err := <-ended:
		t.Fatalf("it ended before its request: %v", err)
	default:
	}
	close(release)
	if got := <-answered; got != "200 <nil> true" {
		t.Errorf("answer: %s", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// refused waits until the address takes no connection.
func refused(t *testing.T, address string) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		connection.Close()
	}
	t.Fatal("it still accepts")
}

func TestServe_SaysWhyItCannot(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if err := api.Serve(t.Context(), listener, http.NotFoundHandler()); err == nil || !strings.Contains(err.Error(), "serve 127.0.0.1:") {
		t.Errorf("error %v", err)
	}
}

func TestServe_AnswersAreWhole(t *testing.T) {
	cells := []row{{Values: amounts("0"), Count: 200_000}}
	for range 200_000 {
		cells = append(cells, row{Values: amounts("12345678.90")})
	}
	store := newFake(t)
	store.run = yielding(cells...)
	ctx, stop := context.WithCancel(t.Context())
	address, ended := serve(ctx, t, handler(t, store))
	response, err := http.Get("http://" + address + "/cubes/croatia/aggregate?aggregates=approved_value.sum&format=csv")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if n := strings.Count(string(body), "\r\n"); err != nil || n != 200_001 {
		t.Errorf("%d lines, error %v", n, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A question may name ten thousand values; what is larger than that is refused before it is read.
func TestServe_LongQuestions(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	address, _ := serve(ctx, t, handler(t, newFake(t)))
	for values, want := range map[int]int{10_000: 200, 10_001: 413, 60_000: 431} {
		cut := strings.TrimSuffix(strings.Repeat("1234567890;", values), ";")
		question := "http://" + address + "/cubes/croatia/aggregate?cut=unit:" + cut
		response, err := http.Get(question)
		for tries := 0; err != nil && tries < 5; tries++ { // who sends a header of 431 has half a second to listen
			response, err = http.Get(question)
		}
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%d values: status %d, want %d", values, response.StatusCode, want)
		}
	}
}

// An answer of HTTP/1.0 ends with its connection: one that is cut must not end in order.
func TestServe_CutAnswerIsNotTakenForAWholeOne(t *testing.T) {
	store := newFake(t)
	cells := []row{{Values: amounts("0"), Count: 100_000}}
	for range 100_000 {
		cells = append(cells, row{Values: amounts("1.50")})
	}
	for _, end := range []error{nil, errors.New("secret")} {
		store.run = failing(end, cells...)
		address, _ := serve(t.Context(), t, handler(t, store))
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		fmt.Fprint(connection, "GET /cubes/croatia/aggregate?aggregates=approved_value.sum&format=csv HTTP/1.0\r\n\r\n")
		answer, err := io.ReadAll(connection)
		if (err == nil) != (end == nil) {
			t.Errorf("a store that ends in %v: %d bytes, %v", end, len(answer), err)
		}
	}
}

func TestServe_OversizedBodies(t *testing.T) {
	address, _ := serve(t.Context(), t, handler(t, newFake(t)))
	for _, test := range []struct {
		method  string
		bytes   int64
		chunked bool
		want    int
	}{
		{"GET", 1000, false, 200}, {"GET", 1000, true, 200}, {"GET", 1 << 20, false, 413}, {"HEAD", 1 << 20, false, 413},
		{"GET", 1 << 20, true, 200}, {"POST", 1 << 20, false, 405},
	} {
		body := &counted{left: test.bytes}
		request, err := http.NewRequest(test.method, "http://"+address+anyQuestion, body)
		if err != nil {
			t.Fatal(err)
		}
		if !test.chunked {
			request.ContentLength = test.bytes
		}
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatalf("%v: %v", test, err)
		}
		answer, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != test.want {
			t.Errorf("%v: %d %s", test, response.StatusCode, answer)
		}
	}
}

// counted is a body of so many bytes.
type counted struct{ left int64 }

func (b *counted) Read(p []byte) (int, error) {
	n := min(int64(len(p)), b.left)
	b.left -= n
	if b.left == 0 {
		return int(n), io.EOF
	}
	return int(n), nil
}

// reader is a client that takes some time for each write, as far as the deadline lets it.
type reader struct {
	httptest.ResponseRecorder
	per      time.Duration
	deadline time.Time
}

func (r *reader) SetWriteDeadline(deadline time.Time) error {
	r.deadline = deadline
	return nil
}

func (r *reader) Write(b []byte) (int, error) {
	if until := time.Until(r.deadline); until < r.per {
		time.Sleep(max(until, 0))
		return 0, os.ErrDeadlineExceeded
	}
	time.Sleep(r.per)
	return len(b), nil
}

// A client that reads nothing, or only in drops, is cut; one that keeps the pace is not, however long it takes.
func TestServe_SlowReaders(t *testing.T) {
	const piece, pace, size = time.Minute, 16 << 10, 64 << 10 // so a piece in four seconds keeps the pace
	for _, test := range []struct {
		per, pause time.Duration // of the reader for a piece, and of the store between two
		cut        time.Duration // after so long; 0 for never
	}{
		{2 * time.Minute, 0, time.Minute},
		{4 * time.Second, 0, 0},
		{time.Second, 10 * time.Minute, 0},
		{8 * time.Second, 0, 2 * time.Minute},
		{30 * time.Second, 0, 75 * time.Second},
	} {
		t.Run(fmt.Sprint(test.per), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var err error
				start := time.Now()
				write := func(w http.ResponseWriter, _ *http.Request) {
					for range 1000 {
						if _, err = w.Write(make([]byte, size)); err != nil {
							return
						}
						time.Sleep(test.pause)
					}
				}
				h := api.WithDeadlines(http.HandlerFunc(write), piece, pace)
				h.ServeHTTP(&reader{per: test.per}, httptest.NewRequest(http.MethodGet, "/", nil))
				took := time.Since(start)
				if (err != nil) != (test.cut > 0) || test.cut > 0 && (took < test.cut-piece || took > test.cut+piece/4) {
					t.Errorf("after %v: %v", took, err)
				}
			})
		})
	}
}

// A client that stops reading gives up its turn and what it holds of the store.
func TestServe_ReaderThatStops(t *testing.T) {
	t.Parallel()
	store, ended := newFake(t), make(chan struct{})
	store.run = func(context.Context, *plan.Statement) iter.Seq2[row, error] {
		return func(yield func(row, error) bool) {
			defer close(ended)
			for yield(row{Values: amounts("12345678.90")}, nil) {
			}
		}
	}
	server := httptest.NewServer(api.WithDeadlines(limited(t, store, limits.Options{Queries: 1, Query: time.Minute}), 2*time.Second, 16<<10))
	defer server.Close()
	plain := &http.Client{Transport: &http.Transport{DisableCompression: true}} // so much of the same would fit into a socket
	response, err := plain.Get(server.URL + "/cubes/croatia/aggregate?drilldown=Year&aggregates=approved_value.sum&format=csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the store is still read")
	}
	store.mu.Lock()
	store.run = nil
	store.mu.Unlock()
	again, err := http.Get(server.URL + anyQuestion)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Body.Close()
	if again.StatusCode != http.StatusOK {
		t.Errorf("the next question: %s", again.Status)
	}
}

// Connections that send their header in drops, or nothing, are closed while others are answered.
func TestServe_SlowHeaders(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	address, _ := serve(ctx, t, handler(t, newFake(t)))
	for range 200 {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = connection.Close() }()
		_, _ = io.WriteString(connection, "GET /cubes HTTP/1.1\r\nHost: x\r\nX-")
	}
	start := time.Now()
	response, err := http.Get("http://" + address + "/cubes")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK || time.Since(start) > 9*time.Second { // the header of the others has ten
		t.Errorf("%s after %v", response.Status, time.Since(start))
	}
}
