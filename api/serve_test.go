package api_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
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
	go func() { ended <- api.Serve(ctx, listener, h, slog.New(slog.DiscardHandler)) }()
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
	if err := api.Serve(t.Context(), listener, http.NotFoundHandler(), slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "serve 127.0.0.1:") {
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

// A client that stops reading gives back its slot and what it holds of the store.
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

func TestRequestID(t *testing.T) {
	h := handler(t, newFake(t))
	for id, kept := range map[string]bool{
		"":                      false,
		"a-B_7.x":               true,
		strings.Repeat("a", 64): true,
		strings.Repeat("a", 65): false,
		"a b":                   false,
		"ž":                     false,
		"a\tb":                  false,
		"{}":                    false,
	} {
		got := ask(t, h, "/healthz", "X-Request-Id", id).header.Get("X-Request-Id")
		if (got == id) != kept || got == "" {
			t.Errorf("%q is answered with %q", id, got)
		}
	}
	if one, two := ask(t, h, "/healthz"), ask(t, h, "/healthz"); one.header.Get("X-Request-Id") == two.header.Get("X-Request-Id") {
		t.Error("two requests have one id")
	}
}

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
		}), slog.New(slog.DiscardHandler))
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

func TestMetrics(t *testing.T) {
	store := many(t, 7)
	h := api.New(store, api.Options{
		Document: documentBytes(t), Log: (&logged{}).logger(),
		StoreMetrics: func(each func(name, help string, value float64)) {
			each("connections_in_use", "Connections at work.", 3)
			each("connection_wait_seconds_total", "Time spent waiting.", 1.5)
		},
	})
	ask(t, h, someCells)
	ask(t, h, strings.Replace(someCells, "?", "/?", 1))
	ask(t, h, someCells+"&format=csv")
	ask(t, h, "/cubes/croatia/aggregate?drilldown=nope")
	store.run = failing(errors.New("secret"))
	ask(t, h, someCells)
	r := ask(t, h, "/metrics")
	if r.status != http.StatusOK || !strings.HasPrefix(r.header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Errorf("%d %v", r.status, r.header)
	}
	says(t, r.body,
		`fiscube_requests_total{method="GET",route="/cubes/:cube/aggregate",status="200"} 3`+"\n",
		`fiscube_requests_total{method="GET",route="/cubes/:cube/aggregate",status="400"} 1`+"\n",
		`fiscube_requests_total{method="GET",route="/cubes/:cube/aggregate",status="500"} 1`+"\n",
		`fiscube_request_duration_seconds_count{route="/cubes/:cube/aggregate"} 5`+"\n",
		`fiscube_stage_duration_seconds_count{stage="parse"} 5`+"\n",
		`fiscube_stage_duration_seconds_count{stage="plan"} 5`+"\n",
		`fiscube_stage_duration_seconds_count{stage="store"} 4`+"\n",
		`fiscube_stage_duration_seconds_count{stage="encode"} 2`+"\n",
		"fiscube_rows_total 21\n", // seven cells three times
		`fiscube_cube_rows{cube="croatia"} 539917`+"\n",
		`fiscube_cube_version{cube="croatia"} 3`+"\n",
		`fiscube_cube_loaded_timestamp_seconds{cube="croatia"} 1.5252552e+09`+"\n",
		"# HELP fiscube_store_connections_in_use Connections at work.\n# TYPE fiscube_store_connections_in_use gauge\n"+
			"fiscube_store_connections_in_use 3\n",
		"# HELP fiscube_store_connection_wait_seconds_total Time spent waiting.\n"+
			"# TYPE fiscube_store_connection_wait_seconds_total counter\nfiscube_store_connection_wait_seconds_total 1.5\n",
		"\ngo_goroutines ")
}

// Nothing that a caller makes up becomes a series of its own.
func TestMetrics_HostileRequests(t *testing.T) {
	h := handler(t, newFake(t))
	series := func() int { return strings.Count(ask(t, h, "/metrics").body, "fiscube_requests_total{") }
	series()
	before := series()
	for _, path := range []string{"/x", "/y/z", "/cubes/a/b/c", "/%ff", "/metrics/../x"} {
		for _, method := range []string{"GET", "BREW", "EVIL\""} {
			raw(h, strings.Trim(method, `"`), path)
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		raw(h, "GET", "/cubes/"+name)
	}
	if made := series() - before; made > 8 {
		t.Errorf("%d new series:\n%s", made, ask(t, h, "/metrics").body)
	}
	if page := ask(t, h, "/metrics").body; strings.Contains(page, "BREW") || strings.Contains(page, "/y/z") {
		t.Error(page)
	}
}

// An answer that is cut is no success.
func TestMetrics_CutAnswer(t *testing.T) {
	store := newFake(t)
	cells := make([]row, 10_000)
	for i := range cells {
		cells[i] = row{Values: amounts("12345678.90")}
	}
	store.run = failing(errors.New("secret"), cells...)
	h := handler(t, store)
	func() {
		defer func() { _ = recover() }()
		raw(h, "GET", someCells+"&format=csv")
	}()
	says(t, ask(t, h, "/metrics").body, `fiscube_requests_total{method="GET",route="/cubes/:cube/aggregate",status="cut"} 1`)
}

// What http.Server has to say is a line of the log, as all others.
func TestServe_LogsWhatTheServerSays(t *testing.T) {
	var log bytes.Buffer
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	panics := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("on purpose") })
	go func() { ended <- api.Serve(ctx, listener, panics, slog.New(slog.NewJSONHandler(&log, nil))) }()
	if response, err := http.Get("http://" + listener.Addr().String()); err == nil {
		response.Body.Close()
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if line := log.String(); !strings.HasPrefix(line, `{"time":`) || !strings.Contains(line, "on purpose") {
		t.Errorf("the log is %s", line)
	}
}
