package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fiscube/api"
	"fiscube/api/jobs"
	"fiscube/cube"
)

func TestAZipIsLoadedAsAJob(t *testing.T) {
	began, goOn := make(chan struct{}), make(chan struct{})
	q := newQueue(t, func(_ context.Context, source jobs.Source, progress jobs.Progress) (cube.Loaded, error) {
		content, err := io.ReadAll(io.NewSectionReader(source.Zip, 0, source.Size))
		if err != nil || string(content) != "a zip" {
			t.Errorf("it has %q, %v", content, err)
		}
		progress.Begin("Checking", 200)
		progress.Add(50, 7)
		close(began)
		<-goOn
		progress.End()
		return cube.Loaded{Cube: budget(t), Outcome: cube.OutcomeLoaded}, nil
	})
	path := q.submit(t, "a zip")
	if j, r := q.look(t, path); j.State != "waiting" || r.header.Get("Retry-After") == "" || q.spooled(t) != 1 {
		t.Errorf("before its turn: %s", r.body)
	}
	if named, _ := os.ReadDir(q.temp); len(named) > 0 {
		t.Errorf("a server that is killed leaves %v", named)
	}
	q.run(t)
	<-began
	j, r := q.look(t, path)
	if p := j.Progress; j.State != "running" || p.Stage != "Checking" || p.Bytes != 50 || p.Rows != 7 || *p.Percent != 25 {
		t.Errorf("under way: %s", r.body)
	}
	close(goOn)
	j = q.ends(t, path)
	if j.State != "done" || j.Result.Outcome != "loaded" || j.Result.Cube != "croatia" || j.Result.Version != 3 ||
		j.Result.Findings["warning"] != 1 || j.Result.Links["report"] != "cubes/croatia/report?version=3" {
		t.Errorf("in the end: %+v", j)
	}
	for _, link := range j.Result.Links {
		if r := ask(t, q, "/"+link); r.status != http.StatusOK {
			t.Errorf("the link %s leads to %d", link, r.status)
		}
	}
	if n := q.spooled(t); n != 0 {
		t.Errorf("%d temporary files are left", n)
	}
}

// The links of the answer hold with a slash at the end of the path, too.
func TestTheLocationOfAJobIsRelative(t *testing.T) {
	q := newQueue(t, nil)
	request := httptest.NewRequest(http.MethodPost, "/cubes/", strings.NewReader("x"))
	request.Header.Set("Authorization", "Bearer "+secret)
	request.Header.Set("Content-Type", "application/zip")
	recorder := httptest.NewRecorder()
	q.ServeHTTP(recorder, request)
	at, err := request.URL.Parse(recorder.Header().Get("Location"))
	if err != nil || !strings.HasPrefix(at.Path, "/jobs/") {
		t.Errorf("%v, %v", at, err)
	}
}

func TestWhatLoadsComeTo(t *testing.T) {
	for name, test := range map[string]struct {
		err                           error
		state, code, message, problem string
	}{
		"refused": {&jobs.Refused{Problems: []string{"a.csv:2: bad cell", "another"}}, "refused", "bad-package",
			"the package is refused", "a.csv:2: bad cell"},
		"away":              {cube.Errorf(cube.CodeUnavailable, "the database is away"), "failed", "unavailable", "the database is away", ""},
		"a fault":           {errors.New("the password is 1234"), "failed", "internal", "internal error", ""},
		"a stranger's code": {cube.Errorf(cube.CodeInUse, "the password is 1234"), "failed", "internal", "internal error", ""},
	} {
		t.Run(name, func(t *testing.T) {
			q := newQueue(t, func(context.Context, jobs.Source, jobs.Progress) (cube.Loaded, error) { return cube.Loaded{}, test.err })
			q.run(t)
			j := q.ends(t, q.submit(t, "x"))
			if j.State != test.state || j.Problem.Code != test.code || j.Problem.Message != test.message ||
				j.Result != nil || test.problem != "" && (len(j.Problem.Problems) != 2 || j.Problem.Problems[0] != test.problem) {
				t.Errorf("%+v", j)
			}
			if n := q.spooled(t); n != 0 {
				t.Errorf("%d temporary files are left", n)
			}
		})
	}
}

func TestMetricsOfLoads(t *testing.T) {
	ends := []error{nil, nil, &jobs.Refused{Problems: []string{"bad"}}, cube.Errorf(cube.CodeConflict, "in the way")}
	began, outcomes := make(chan struct{}), []cube.Outcome{cube.OutcomeLoaded, cube.OutcomeUnchanged, "", ""}
	loaded := 0
	q := newQueue(t, func(ctx context.Context, _ jobs.Source, _ jobs.Progress) (cube.Loaded, error) {
		if loaded++; loaded > len(ends) {
			close(began)
			<-ctx.Done()
			return cube.Loaded{}, ctx.Err()
		}
		return cube.Loaded{Cube: budget(t), Outcome: outcomes[loaded-1]}, ends[loaded-1]
	})
	says(t, ask(t, q, "/metrics").body, `fiscube_loads_total{outcome="failed"} 0`+"\n", "fiscube_loads_waiting 0\n")
	stop := q.run(t)
	for range ends {
		q.ends(t, q.submit(t, "x"))
	}
	q.submit(t, "x")
	<-began
	q.submit(t, "y")
	says(t, ask(t, q, "/metrics").body, "fiscube_loads_waiting 1\n", "fiscube_loads_running 1\n")
	stop()
	says(t, ask(t, q, "/metrics").body,
		`fiscube_loads_total{outcome="done"} 1`+"\n", `fiscube_loads_total{outcome="unchanged"} 1`+"\n",
		`fiscube_loads_total{outcome="refused"} 1`+"\n", `fiscube_loads_total{outcome="failed"} 1`+"\n",
		`fiscube_loads_total{outcome="cancelled"} 2`+"\n", "fiscube_load_duration_seconds_count 5\n", "fiscube_loads_running 0\n")
}

// A load that something is in the way of is no fault of the service.
func TestLevelsOfFailedLoads(t *testing.T) {
	for level, err := range map[string]error{
		"WARN": cube.Errorf(cube.CodeConflict, "in the way"), "ERROR": errors.New("a fault"), "INFO": &jobs.Refused{},
	} {
		log := &logged{}
		loads := jobs.New(loader(func(context.Context, jobs.Source, jobs.Progress) (cube.Loaded, error) {
			return cube.Loaded{}, err
		}), jobs.Options{Token: secret, Log: log.logger()})
		q := &queue{Handler: api.New(cube.NewEngine(newFake(t)), api.Options{
			Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Loads: loads,
		}), loads: loads}
		stop := q.run(t)
		q.ends(t, q.submit(t, "x"))
		stop()
		if lines := log.lines(t); len(lines) != 1 || lines[0]["level"] != level {
			t.Errorf("%s: %s", level, log)
		}
	}
}

func TestALoadThatPanicsEndsNothingElse(t *testing.T) {
	first := true
	q := newQueue(t, func(context.Context, jobs.Source, jobs.Progress) (cube.Loaded, error) {
		if first {
			first = false
			panic("secret")
		}
		return cube.Loaded{Cube: budget(t), Outcome: cube.OutcomeUnchanged}, nil
	})
	q.run(t)
	if j := q.ends(t, q.submit(t, "x")); j.State != "failed" || j.Problem.Message != "internal error" {
		t.Errorf("%+v", j)
	}
	if j := q.ends(t, q.submit(t, "x")); j.State != "done" || j.Result.Outcome != "unchanged" {
		t.Errorf("%+v", j)
	}
}

func TestOnePackageIsLoadedAtATime(t *testing.T) {
	var running, most atomic.Int32
	q := newQueue(t, func(context.Context, jobs.Source, jobs.Progress) (cube.Loaded, error) {
		most.Store(max(most.Load(), running.Add(1)))
		time.Sleep(5 * time.Millisecond)
		running.Add(-1)
		return cube.Loaded{Cube: budget(t), Outcome: cube.OutcomeLoaded}, nil
	})
	q.run(t)
	var paths []string
	for range 6 {
		paths = append(paths, q.submit(t, "x"))
	}
	for _, path := range paths {
		q.ends(t, path)
	}
	if most.Load() != 1 {
		t.Errorf("%d were loaded at once", most.Load())
	}
}

func TestTheQueueIsBounded(t *testing.T) {
	q := newQueue(t, func(context.Context, jobs.Source, jobs.Progress) (cube.Loaded, error) {
		return cube.Loaded{Cube: budget(t), Outcome: cube.OutcomeLoaded}, nil
	})
	var paths []string
	for range mostWaiting {
		paths = append(paths, q.submit(t, "x"))
	}
	r := q.post(t, "application/zip", unreadBody{t})
	if p := r.problem(t); r.status != http.StatusTooManyRequests || p.Code != "too-many-loads" || r.header.Get("Retry-After") == "" {
		t.Errorf("status %d: %s", r.status, r.body)
	}
	q.run(t)
	for _, path := range paths {
		q.ends(t, path)
	}
	q.ends(t, q.submit(t, "x"))
}

// Jobs that are over are kept for a while, not for ever.
func TestEndedJobsAreForgotten(t *testing.T) {
	q := newQueue(t, func(context.Context, jobs.Source, jobs.Progress) (cube.Loaded, error) {
		return cube.Loaded{}, &jobs.Refused{}
	})
	q.run(t)
	first := q.submit(t, "x")
	q.ends(t, first)
	for range mostEnded + mostWaiting {
		q.ends(t, q.submit(t, "x"))
	}
	r := ask(t, q, first, "Authorization", "Bearer "+secret)
	if p := r.problem(t); r.status != http.StatusNotFound || p.Code != "unknown-job" {
		t.Errorf("status %d: %s", r.status, r.body)
	}
}

// A server that stops cancels what runs and what waits, and waits until the loader has let go.
func TestAStopCancelsLoads(t *testing.T) {
	began, undone := make(chan struct{}), false
	q := newQueue(t, func(ctx context.Context, _ jobs.Source, _ jobs.Progress) (cube.Loaded, error) {
		close(began)
		<-ctx.Done()
		time.Sleep(20 * time.Millisecond)
		undone = true
		return cube.Loaded{}, fmt.Errorf("copy: %w", ctx.Err())
	})
	running, waiting := q.submit(t, "x"), q.submit(t, "y")
	stop := q.run(t)
	<-began
	stop()
	if !undone {
		t.Error("the store may be closed while it is still written to")
	}
	for _, path := range []string{running, waiting} {
		if j, _ := q.look(t, path); j.State != "cancelled" || j.Problem == nil || j.Result != nil {
			t.Errorf("%+v", j)
		}
	}
	r := q.post(t, "application/zip", strings.NewReader("x"))
	if p := r.problem(t); r.status != http.StatusServiceUnavailable || p.Code != cube.CodeUnavailable {
		t.Errorf("status %d: %s", r.status, r.body)
	}
	if n := q.spooled(t); n != 0 {
		t.Errorf("%d temporary files are left", n)
	}
}

func TestRemove(t *testing.T) {
	store, removed := newFake(t), ""
	store.remove = func(_ context.Context, name string) error {
		if removed = name; name != `own:h"r 100%/ž` {
			return cube.Errorf(cube.CodeUnknownCube, "no cube %q", name)
		}
		return nil
	}
	loads := jobs.New(nil, jobs.Options{Token: secret, Log: slog.New(slog.DiscardHandler)})
	h := api.New(cube.NewEngine(store), api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Loads: loads})
	for _, slash := range []string{"", "/"} {
		r := send(t, h, http.MethodDelete, "/cubes/own:h%22r%20100%25%2F%C5%BE"+slash, "Authorization", "Bearer "+secret)
		if r.status != http.StatusNoContent || r.body != "" || removed != `own:h"r 100%/ž` {
			t.Errorf("status %d: %s, of %q", r.status, r.body, removed)
		}
	}
	r := send(t, h, http.MethodDelete, "/cubes/nope", "Authorization", "Bearer "+secret)
	if p := r.problem(t); r.status != http.StatusNotFound || p.Code != cube.CodeUnknownCube {
		t.Errorf("status %d: %s", r.status, r.body)
	}
	removed = ""
	if r := send(t, h, http.MethodDelete, "/cubes/croatia"); r.status != http.StatusUnauthorized || removed != "" {
		t.Errorf("without a token: status %d, of %q", r.status, removed)
	}
}
