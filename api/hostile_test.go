package api_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
)

func TestOversizedBodies(t *testing.T) {
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
func TestSlowReaders(t *testing.T) {
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
func TestAReaderThatStops(t *testing.T) {
	store, ended := newFake(t), make(chan struct{})
	store.run = func(context.Context, *cube.Plan) iter.Seq2[cube.Cell, error] {
		return func(yield func(cube.Cell, error) bool) {
			defer close(ended)
			for yield(cube.Cell{Values: amounts("12345678.90")}, nil) {
			}
		}
	}
	server := httptest.NewServer(api.WithDeadlines(limited(t, store, limits.Options{Queries: 1, Query: time.Minute}), 2*time.Second, 16<<10))
	defer server.Close()
	plain := &http.Client{Transport: &http.Transport{DisableCompression: true}} // so much of the same would fit into a socket
	response, err := plain.Get(server.URL + "/cubes/croatia/aggregate?aggregates=approved_value.sum&format=csv")
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
func TestSlowHeaders(t *testing.T) {
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
