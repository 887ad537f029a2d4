package command

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/internal/bench"
	"fiscube/seeds"
	"fiscube/store"
	"fiscube/store/load"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
	"fiscube/store/resident"
)

// keptQuestion has an answer of some kilobytes.
const keptQuestion = "/cubes/example-croatia/aggregate?drilldown=admin1_code%7CYear"

// BenchmarkKept compares kept answers with an Echo handler that sends the same bytes, those of the header too, in turns, over so many
// connections.
func BenchmarkKept(b *testing.B) {
	address := serveSeeds(b)
	for _, accepted := range []string{"identity", "gzip"} {
		b.Run(accepted, func(b *testing.B) {
			request := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAccept-Encoding: %s\r\n\r\n", keptQuestion, address, accepted)
			body, header := answerTo(b, address, request)
			echoed := serveEcho(b, body, header)
			var kept, plain, ratios, efforts []float64
			for b.Loop() {
				k, e := measure(b, address, request), measure(b, echoed, request)
				kept, plain = append(kept, k.answers), append(plain, e.answers)
				ratios, efforts = append(ratios, k.answers/e.answers), append(efforts, e.effort/k.effort)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(len(body)), "bytes")
			b.ReportMetric(middle(kept), "kept/s")
			b.ReportMetric(middle(plain), "echo/s")
			b.ReportMetric(middle(ratios), "ratio")
			b.ReportMetric(middle(efforts), "cpu-ratio")
		})
	}
}

func middle(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// BenchmarkAsked asks the eight kinds of questions of a dashboard, of which no answer is kept, and compares that with an Echo handler that
// sends 4 KB, in turns. It asks the real Mexican budget, twice as long, where that is beside the checkout, else an example.
func BenchmarkAsked(b *testing.B) {
	quiet := slog.New(slog.DiscardHandler)
	for name, address := range map[string]func() string{
		"duckdb":   func() string { return "duckdb:" + filepath.Join(b.TempDir(), "bench.duckdb") },
		"postgres": func() string { return postgrestest.DSN(b) },
	} {
		b.Run(name, func(b *testing.B) {
			opened, err := store.Open(b.Context(), address(), postgres.Options{}, quiet)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = opened.Close() }()
			s := resident.New(opened, resident.Options{Bytes: 1 << 30}, quiet)
			cb := loadLarge(b, s)
			s.Refresh(b.Context())
			at := serveHandler(b, api.New(s, api.Options{Log: quiet}))
			mix, err := (&bench.Bench{Store: s, Cube: cb, URL: "http://" + at}).Mix(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			var requests []string
			kinds := map[string]bool{}
			for _, q := range mix {
				if !kinds[q.Kind] {
					q.Given["pagesize"] = "20" // as many as fit in a picture
					requests = append(requests, fmt.Sprintf("GET /cubes/%s/%s HTTP/1.1\r\nHost: %s\r\n\r\n", cb.Name, q.Path(), at))
				}
				kinds[q.Kind] = true
			}
			echoed := serveEcho(b, bytes.Repeat([]byte("x"), 4<<10), http.Header{"Content-Type": {"application/json"}, "Content-Length": {"4096"}})
			plain := fmt.Sprintf("GET /cubes/%s/aggregate HTTP/1.1\r\nHost: %s\r\n\r\n", cb.Name, echoed)
			var answers, ratios, efforts, late []float64
			for b.Loop() {
				k, e := measure(b, at, requests...), measure(b, echoed, plain)
				answers, late = append(answers, k.answers), append(late, k.late)
				ratios, efforts = append(ratios, k.answers/e.answers), append(efforts, e.effort/k.effort)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(middle(answers), "answers/s")
			b.ReportMetric(middle(ratios), "ratio")
			b.ReportMetric(middle(efforts), "cpu-ratio")
			b.ReportMetric(middle(late), "p99/median")
		})
	}
}

func loadLarge(b *testing.B, s store.Store) *cube.Cube {
	source, err := load.OpenWith(b.Context(), filepath.Join("..", "..", "..", "shared", "data", "D7-mexico"), load.Options{Times: 2})
	if err != nil {
		loaded, err := loadSeed(b.Context(), s, seeds.All()[0], load.Options{Shipped: seeds.OverlayFor})
		if err != nil {
			b.Fatal(err)
		}
		return loaded.Cube
	}
	defer func() { _ = source.Close() }()
	loaded, err := load.Run(b.Context(), s, source, load.Silent{})
	if err != nil {
		b.Fatal(err)
	}
	return loaded.Cube
}

// serveSeeds serves the example packages as fiscube serve does, with its log in a file.
func serveSeeds(b *testing.B) (address string) {
	b.Helper()
	quiet := slog.New(slog.DiscardHandler)
	s, err := store.Open(b.Context(), "duckdb::memory:", postgres.Options{}, quiet)
	if err != nil {
		b.Fatal(err)
	}
	if err := loadSeeds(b.Context(), s, load.Options{Shipped: seeds.OverlayFor}, quiet); err != nil {
		b.Fatal(err)
	}
	file, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	lines := newLogWriter(file)
	b.Cleanup(func() { lines.Close(); _, _ = s.Close(), file.Close() })
	return serveHandler(b, api.New(s, api.Options{
		Log: slog.New(slog.NewJSONHandler(lines, logOptions)), Kept: keptByDefault,
		Limits: limits.Options{Query: 30 * time.Second, Queries: 16, Dear: 1, Queue: 256, Rate: 1e6},
	}))
}

func serveHandler(b *testing.B, handler http.Handler) (address string) {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- api.Serve(ctx, listener, handler, slog.New(slog.DiscardHandler)) }()
	b.Cleanup(func() { stop(); <-served })
	return listener.Addr().String()
}

// serveEcho serves bytes with nothing but Echo.
func serveEcho(b *testing.B, body []byte, header http.Header) (address string) {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	e := echo.New()
	e.GET("/cubes/:cube/aggregate", func(c echo.Context) error {
		maps.Copy(c.Response().Header(), header)
		return c.Blob(http.StatusOK, header.Get("Content-Type"), body)
	})
	server := &http.Server{Handler: e}
	go func() { _ = server.Serve(listener) }()
	b.Cleanup(func() { _ = server.Close() })
	return listener.Addr().String()
}

func answerTo(b *testing.B, address, request string) ([]byte, http.Header) {
	b.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, request); err != nil {
		b.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		b.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		b.Fatal(response.Status, err)
	}
	return body, response.Header
}

// measured is what a server did while as many asked as could.
type measured struct {
	answers float64 // a second
	effort  float64 // time of processors for an answer, that of the client included
	late    float64 // how much longer than half of the answers all but a hundredth took at most
}

// The clients of these benchmarks, and how long they ask the one server and then the other.
const (
	keptClients = 32
	keptRound   = 500 * time.Millisecond
)

// measure lets many clients ask for one address after the other.
func measure(b *testing.B, address string, requests ...string) measured {
	b.Helper()
	var mu sync.Mutex
	var took []float64
	var all sync.WaitGroup
	began, before := time.Now(), processorTime(b)
	for n := range keptClients {
		all.Go(func() {
			c, err := dial(address)
			if err != nil {
				b.Error(err)
				return
			}
			defer c.close()
			var own []float64
			for i := n; time.Since(began) < keptRound; i++ {
				start := time.Now()
				if status, err := c.ask(requests[i%len(requests)]); err != nil || status != http.StatusOK {
					b.Error(requests[i%len(requests)], status, err)
					return
				}
				own = append(own, time.Since(start).Seconds())
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, own...)
		})
	}
	all.Wait()
	n, passed, effort := float64(len(took)), time.Since(began).Seconds(), processorTime(b)-before
	slices.Sort(took)
	return measured{n / passed, effort / n, took[len(took)*99/100] / took[len(took)/2]}
}

// processorTime is what this process has taken of the processors, in seconds.
func processorTime(b *testing.B) float64 {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

// connection is a client that spends little on its answers, so that the servers are compared and not their clients.
type connection struct {
	net.Conn
	buffer []byte
}

func dial(address string) (*connection, error) {
	conn, err := net.Dial("tcp", address)
	return &connection{conn, make([]byte, 64<<10)}, err
}

func (c *connection) close() { _ = c.Close() }

var (
	endOfHeader   = []byte("\r\n\r\n")
	contentLength = []byte("\r\nContent-Length: ")
)

// ask sends a request and reads its answer, which has to say its length and fit into the buffer.
func (c *connection) ask(request string) (status int, err error) {
	if _, err := io.WriteString(c, request); err != nil {
		return 0, err
	}
	for read, whole := 0, -1; whole < 0 || read < whole; {
		n, err := c.Read(c.buffer[read:])
		if err != nil {
			return 0, err
		}
		read += n
		header, _, is := bytes.Cut(c.buffer[:read], endOfHeader)
		if whole >= 0 || !is {
			continue
		}
		_, after, _ := bytes.Cut(header, contentLength)
		length, _, _ := bytes.Cut(after, endOfHeader[:2])
		if whole, err = strconv.Atoi(string(length)); err != nil {
			return 0, err
		}
		whole += len(header) + len(endOfHeader)
		status, err = strconv.Atoi(string(header[len("HTTP/1.1 "):][:3]))
		if err != nil {
			return 0, err
		}
	}
	return status, nil
}
