package postgres_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"fiscube/seeds"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
)

// notes collects the stages of a load, and lines of a log.
type notes struct {
	mu    sync.Mutex
	lines []string
}

func (n *notes) Write(b []byte) (int, error) {
	n.Begin(string(b), 0)
	return len(b), nil
}

// Begin implements load.Progress.
func (n *notes) Begin(stage string, _ int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, stage)
}

// Add implements load.Progress.
func (n *notes) Add(int64, int64) {}

// End implements load.Progress.
func (n *notes) End() {}

// waitFor waits until a line has a text.
func (n *notes) waitFor(t *testing.T, text string) {
	t.Helper()
	var all string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		n.mu.Lock()
		all = strings.Join(n.lines, "\n")
		n.mu.Unlock()
		if strings.Contains(all, text) {
			return
		}
	}
	t.Fatalf("nothing says %q:\n%s", text, all)
}

// What waits for a lock of another program names it.
func TestStore_NamesWhoseLocksItWaitsFor(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	var log notes
	opened := func() *postgres.Store {
		store, err := postgres.Open(t.Context(), dsn, options(t, dsn), slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Error(err)
			return nil
		}
		t.Cleanup(func() { _ = store.Close() })
		return store
	}
	store := opened()
	mustLoadSeed(t, store, "example-croatia")
	const table = `, role postgres), which has a lock on fiscube.version`
	for _, c := range []struct {
		name, lock, log, stage string
		do                     func(progress *notes)
	}{
		{"load", "LOCK TABLE fiscube.version", `the load of example-uruguay waits for a lock" held_by="auditor (process `, "Waiting for auditor (process ", func(progress *notes) {
			files, _ := seeds.Open("example-uruguay")
			if _, err := loadShown(t, store, files, progress); err != nil {
				t.Error(err)
			}
		}},
		{"removal", "LOCK TABLE fiscube.version", `the change of example-croatia waits for a lock" held_by="auditor (process `, "", func(*notes) {
			if err := store.Remove(t.Context(), "example-croatia"); err != nil {
				t.Error(err)
			}
		}},
		{"opening", "LOCK TABLE fiscube.version", `opening the database waits for a lock" held_by="auditor (process `, "", func(*notes) { opened() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn := connect(t, withParameter(t, dsn, "application_name", "auditor"))
			if _, err := conn.Exec(t.Context(), "BEGIN; "+c.lock); err != nil {
				t.Fatal(err)
			}
			var progress notes
			done := make(chan struct{})
			go func() { defer close(done); c.do(&progress) }()
			log.waitFor(t, c.log)
			log.waitFor(t, table)
			if c.stage != "" {
				progress.waitFor(t, c.stage)
				progress.waitFor(t, table)
			}
			if _, err := conn.Exec(context.WithoutCancel(t.Context()), "ROLLBACK"); err != nil {
				t.Error(err)
			}
			<-done
			if c.stage != "" {
				progress.waitFor(t, "Loading")
			}
		})
	}
}
