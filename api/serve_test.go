package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"fiscube/api"
	"fiscube/cube"
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

func TestStopLetsRequestsFinish(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	store := newFake(t)
	running, release := make(chan struct{}), make(chan struct{})
	store.run = func(ctx context.Context, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
		close(running)
		<-release
		return yielding(nothing(plan))(ctx, plan)
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

func TestServeSaysWhyItCannot(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if err := api.Serve(t.Context(), listener, http.NotFoundHandler()); err == nil || !strings.Contains(err.Error(), "serve 127.0.0.1:") {
		t.Errorf("error %v", err)
	}
}

func TestServedAnswersAreWhole(t *testing.T) {
	cells := []cube.Cell{{Values: amounts("0"), Count: 200_000}}
	for range 200_000 {
		cells = append(cells, cube.Cell{Values: amounts("12345678.90")})
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
func TestLongQuestions(t *testing.T) {
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
func TestACutAnswerIsNotTakenForAWholeOne(t *testing.T) {
	store := newFake(t)
	cells := []cube.Cell{{Values: amounts("0"), Count: 100_000}}
	for range 100_000 {
		cells = append(cells, cube.Cell{Values: amounts("1.50")})
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
