package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
)

// back is how long a store may take to answer again once the server does.
const back = time.Minute

// TestOutage stops the server under a store that answers and starts it again. What the store says in between is
// that it is unavailable; its catalogue stays.
func TestOutage(t *testing.T) {
	server := postgrestest.Server(t)
	store := open(t, server.DSN(t))
	engine := cube.NewEngine(store)
	version := mustLoadSeed(t, store, "example-croatia")
	plan := bind(t, version, "admin1_code")
	before, err := engine.Aggregate(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}

	server.Stop(t)
	if _, err := engine.Cube(t.Context(), "example-croatia"); err != nil {
		t.Errorf("the catalogue is gone with the server: %v", err)
	}
	for name, do := range map[string]func() error{
		"an answer": func() error { _, err := engine.Aggregate(t.Context(), plan); return err },
		"ready":     func() error { return store.Ready(t.Context()) },
		"a load":    func() error { _, err := loadSeed(t, store, "example-uruguay"); return err },
		"a removal": func() error { return store.Remove(t.Context(), "example-croatia") },
	} {
		for range 3 {
			if err := do(); cube.CodeOf(err) != cube.CodeUnavailable {
				t.Errorf("%s without a server: %v, want code %s", name, err, cube.CodeUnavailable)
			}
		}
	}

	server.Start(t)
	for start := time.Now(); store.Ready(t.Context()) != nil; time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > back {
			t.Fatalf("%v after the start the store is not ready", back)
		}
	}
	after, err := engine.Aggregate(t.Context(), plan)
	if err != nil || after.Summary.Count != before.Summary.Count {
		t.Fatalf("after the start the answer is %v, %v", after, err)
	}
	mustLoadSeed(t, store, "example-uruguay")
}

// TestStopWhileReading stops the server while an answer is half read. The reader reads on meanwhile, slowly: a
// backend that is ended while its socket is nearly full waits in ClientWrite until somebody takes its last words,
// and the server waits for it.
func TestStopWhileReading(t *testing.T) {
	server := postgrestest.Server(t)
	store := open(t, server.DSN(t))
	plan := bindEveryLevel(t, mustLoadSeed(t, store, "example-croatia"))
	var reader sync.WaitGroup
	defer reader.Wait()
	begun := make(chan struct{})
	reader.Go(func() { readSlowly(t, store, plan, sync.OnceFunc(func() { close(begun) })) })
	<-begun
	server.Stop(t)
}

// readSlowly calls begun when it has the first cell, or none. It expects all cells or that the store is unavailable.
func readSlowly(t *testing.T, store *postgres.Store, plan *cube.Plan, begun func()) {
	defer begun()
	var read, count int64
	for cell, err := range store.Run(t.Context(), plan) {
		if err != nil {
			if cube.CodeOf(err) != cube.CodeUnavailable {
				t.Errorf("the reader got %v, want code %s", err, cube.CodeUnavailable)
			}
			return
		}
		count = max(count, cell.Count)
		if read++; read == 2 { // the summary comes first
			begun()
		}
		time.Sleep(time.Millisecond)
	}
	if read-1 != count {
		t.Errorf("the reader got %d of %d cells and no error", read-1, count)
	}
}

// bindEveryLevel asks for every cell of the finest drilldown.
func bindEveryLevel(t *testing.T, version *cube.Cube) *cube.Plan {
	t.Helper()
	query := cube.Query{Page: cube.Every}
	for _, level := range version.Model.Levels() {
		query.Drilldown = append(query.Drilldown, cube.Ref{Name: level.Ref})
	}
	plan, err := version.Bind(query)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// cleanup gives a context for what is done when a test is over.
func cleanup(t testing.TB) context.Context { return context.WithoutCancel(t.Context()) }
