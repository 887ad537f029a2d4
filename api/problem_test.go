package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/plan"
)

// logged is what a handler wrote to its log, a line each.
type logged struct{ bytes.Buffer }

func (l *logged) lines(t testing.TB) []map[string]any {
	t.Helper()
	var lines []map[string]any
	for line := range strings.Lines(l.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, m)
	}
	return lines
}

func (l *logged) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(l, nil)) }

// That many ask at once is no fault, and the log of a fault is not to be full of it.
func TestErrors_TooManyAtOnceIsAWarning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, log := newFake(t), &logged{}
		g := newGate(store)
		h := api.New(store, api.Options{Document: documentBytes(t), Log: log.logger(), Limits: limits.Options{Queries: 1}})
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			ask(t, h, anyQuestion)
		}()
		<-g.running
		r := ask(t, h, differently(1))
		if lines := log.lines(t); r.status != 503 || len(lines) != 2 || lines[0]["level"] != "WARN" || lines[0]["code"] != "unavailable" {
			t.Errorf("%d, log %s", r.status, log)
		}
		close(g.open)
		<-ended
	})
}

// An answer that is cut says why in the log, also where it is no fault.
func TestErrors_VersionThatGoesInTheMiddle(t *testing.T) {
	store, log := newFake(t), &logged{}
	cells := make([]row, 10_000)
	for i := range cells {
		cells[i] = row{Values: amounts("12345678.90")}
	}
	store.run = failing(cube.Wrap(cube.CodeGone, "version 3 was removed", errors.New("no such table")), cells...)
	func() {
		defer func() { _ = recover() }()
		raw(logging(t, store, log.logger()), "GET", someCells+"&format=csv")
	}()
	lines := log.lines(t)
	if len(lines) != 2 || lines[0]["level"] != "WARN" || lines[0]["cause"] != "version 3 was removed: no such table" || lines[1]["cut"] != true {
		t.Errorf("log: %s", log)
	}
}

func TestErrors_Panics(t *testing.T) {
	store, log := newFake(t), &logged{}
	store.run = func(context.Context, *plan.Statement) iter.Seq2[row, error] { panic("secret") }
	r := ask(t, logging(t, store, log.logger()), "/cubes/croatia/aggregate")
	if p := r.problem(t); r.status != 500 || p.Code != "internal" || p.Message != "internal error" {
		t.Errorf("status %d: %s", r.status, r.body)
	}
	lines := log.lines(t)
	if len(lines) != 2 || !strings.Contains(fmt.Sprint(lines[0]["cause"]), "panic: secret\n") ||
		!strings.Contains(fmt.Sprint(lines[0]["cause"]), "problem_test.go") {
		t.Errorf("log: %s", log)
	}
}

// A client that left is no fault: nobody is answered and nothing but the request is logged.
func TestErrors_ClientLeft(t *testing.T) {
	store, log := newFake(t), &logged{}
	ctx, leave := context.WithCancel(t.Context())
	store.run = func(ctx context.Context, _ *plan.Statement) iter.Seq2[row, error] {
		leave()
		return failing(fmt.Errorf("run: %w", ctx.Err()))(ctx, nil)
	}
	h := logging(t, store, log.logger())
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/cubes/croatia/aggregate", nil).WithContext(ctx))
	lines := log.lines(t)
	if len(lines) != 1 || lines[0]["status"] != 499.0 || lines[0]["level"] != "INFO" || recorder.Body.Len() != 0 {
		t.Errorf("log %s, body %s", log, recorder.Body)
	}
}

// A part of an answer must not look like the whole: the connection ends without the last chunk.
func TestErrors_FailureInTheMiddleCutsTheConnection(t *testing.T) {
	for name, end := range map[string]func() error{
		"error": func() error { return errors.New("secret") },
		"panic": func() error { panic("secret") },
	} {
		t.Run(name, func(t *testing.T) {
			store, log := newFake(t), &logged{}
			store.run = func(context.Context, *plan.Statement) iter.Seq2[row, error] {
				return func(yield func(row, error) bool) {
					for range 100_000 {
						if !yield(row{Values: amounts("12345678.90")}, nil) {
							return
						}
					}
					yield(row{}, end())
				}
			}
			server := httptest.NewServer(logging(t, store, log.logger()))
			response, err := http.Get(server.URL + "/cubes/croatia/aggregate?aggregates=approved_value.sum&format=csv")
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if !errors.Is(err, io.ErrUnexpectedEOF) || response.StatusCode != 200 || len(body) == 0 {
				t.Errorf("status %d, %d bytes, error %v", response.StatusCode, len(body), err)
			}
			if bytes.Contains(body, []byte("status")) || bytes.Contains(body, []byte("secret")) {
				t.Error("an error stands among the cells")
			}
			server.Close()
			lines := log.lines(t)
			if len(lines) != 2 || lines[0]["msg"] != "request failed" || lines[1]["cut"] != true {
				t.Errorf("log: %s", log)
			}
		})
	}
}

func TestErrors_ReaderThatLeavesInTheMiddle(t *testing.T) {
	store, log := newFake(t), &logged{}
	ended := make(chan struct{})
	store.run = func(context.Context, *plan.Statement) iter.Seq2[row, error] {
		return func(yield func(row, error) bool) {
			defer close(ended)
			for yield(row{Values: amounts("12345678.90")}, nil) {
			}
		}
	}
	server := httptest.NewServer(logging(t, store, log.logger()))
	response, err := http.Get(server.URL + "/cubes/croatia/aggregate?aggregates=approved_value.sum&format=csv")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the store is still read")
	}
	server.Close()
	if lines := log.lines(t); len(lines) != 1 || lines[0]["level"] != "INFO" || lines[0]["cut"] != true {
		t.Errorf("log: %s", log)
	}
}
