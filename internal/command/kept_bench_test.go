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
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/seeds"
	"fiscube/store"
	"fiscube/store/load"
	"fiscube/store/postgres"
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

// BenchmarkKeptMixed asks over 100 connections for answers that are kept, and now and then for one that is not: one answer in a
// hundred is to take no more than ten times as long as half of them. An iteration is a second.
func BenchmarkKeptMixed(b *testing.B) {
	address := serveSeeds(b)
	var asked atomic.Int64
	var mu sync.Mutex
	var took []float64
	for b.Loop() {
		var all sync.WaitGroup
		began := time.Now()
		for n := range 100 {
			all.Go(func() {
				c, err := dial(address)
				if err != nil {
					b.Error(err)
					return
				}
				defer c.close()
				var own []float64
				for i := n; time.Since(began) < time.Second; i++ {
					question := keptQuestion + "&pagesize=" + strconv.Itoa(10+i%20)
					if i%20 == 0 { // nobody has asked this yet
						question = keptQuestion + "&having=_count%3E-" + strconv.FormatInt(asked.Add(1), 10)
					}
					start := time.Now()
					status, err := c.ask("GET " + question + " HTTP/1.1\r\nHost: " + address + "\r\n\r\n")
					if err != nil || status != http.StatusOK {
						b.Error(status, err)
						return
					}
					own = append(own, time.Since(start).Seconds()*1e3)
				}
				mu.Lock()
				defer mu.Unlock()
				took = append(took, own...)
			})
		}
		all.Wait()
	}
	slices.Sort(took)
	median, late := took[len(took)/2], took[len(took)*99/100]
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median, "median-ms")
	b.ReportMetric(late, "p99-ms")
	b.ReportMetric(late/median, "p99/median")
	b.ReportMetric(float64(asked.Load())/float64(len(took)), "missed")
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
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	handler := api.New(s, api.Options{
		Log: slog.New(slog.NewJSONHandler(lines, logOptions)), Kept: keptByDefault,
		Limits: limits.Options{Query: 30 * time.Second, Queries: 16, Dear: 1, Queue: 256, Rate: 1e6},
	})
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
}

// The clients of BenchmarkKept, and how long they ask the one server and then the other.
const (
	keptClients = 64
	keptRound   = 500 * time.Millisecond
)

func measure(b *testing.B, address, request string) measured {
	b.Helper()
	var answers atomic.Int64
	var all sync.WaitGroup
	began, before := time.Now(), processorTime(b)
	for range keptClients {
		all.Go(func() {
			c, err := dial(address)
			if err != nil {
				b.Error(err)
				return
			}
			defer c.close()
			for time.Since(began) < keptRound {
				if status, err := c.ask(request); err != nil || status != http.StatusOK {
					b.Error(status, err)
					return
				}
				answers.Add(1)
			}
		})
	}
	all.Wait()
	n := float64(answers.Load())
	return measured{n / time.Since(began).Seconds(), (processorTime(b) - before) / n}
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
