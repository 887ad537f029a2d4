package postgres_test

import (
	"log/slog"
	"sync"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/seeds"
	"fiscube/store/load"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
)

// soon is how late another process may see a change. It is less than pollInterval, so that only a notice keeps
// it, and more than the second that is promised, so that a busy machine does too.
const soon = 4 * time.Second

// loadSeed loads a seed into a store.
func loadSeed(t testing.TB, store cube.Backend, name string) (cube.Loaded, error) {
	t.Helper()
	files, ok := seeds.Open(name)
	if !ok {
		t.Fatalf("no seed %s", name)
	}
	source, err := load.OpenFS(t.Context(), files, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return load.Run(t.Context(), store, source, load.Silent{})
}

func mustLoadSeed(t testing.TB, store cube.Backend, name string) *cube.Cube {
	t.Helper()
	loaded, err := loadSeed(t, store, name)
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Cube
}

// TestProcessesThatStartAtOnce opens an empty database several times at the same moment: one makes the
// catalogue, and all find it.
func TestProcessesThatStartAtOnce(t *testing.T) {
	dsn := postgrestest.DSN(t)
	stores := make([]*postgres.Store, 4)
	var all sync.WaitGroup
	for i := range stores {
		all.Go(func() {
			store, err := postgres.Open(t.Context(), dsn, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Errorf("process %d: %v", i, err)
				return
			}
			stores[i] = store
		})
	}
	all.Wait()
	for _, store := range stores {
		if store != nil {
			defer func() { _ = store.Close() }()
		}
	}
	if t.Failed() {
		return
	}
	mustLoadSeed(t, stores[0], "example-croatia")
	for _, store := range stores[1:] {
		serves(t, store, "example-croatia", 1)
	}
}

// serves waits until a store serves a version of a package; 0 stands for none.
func serves(t testing.TB, store cube.Backend, name string, version int) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		served := 0
		if one, err := cube.NewEngine(store).Cube(t.Context(), name); err == nil {
			served = one.Version
		} else if cube.CodeOf(err) != cube.CodeUnknownCube {
			t.Fatal(err)
		}
		if served == version {
			return
		}
		if time.Since(start) > soon {
			t.Fatalf("after %v version %d of %s is served, want %d", soon, served, name, version)
		}
	}
}

// TestAnotherProcessSeesChanges loads, changes and removes a package in one store and looks at another.
func TestAnotherProcessSeesChanges(t *testing.T) {
	dsn := postgrestest.DSN(t)
	one, other := open(t, dsn), open(t, dsn)
	time.Sleep(time.Second) // both have asked for the catalogue and are waiting for notices
	version := mustLoadSeed(t, one, "example-croatia")
	serves(t, other, "example-croatia", 1)
	result, err := cube.NewEngine(other).Aggregate(t.Context(), bind(t, version, "admin1_code"))
	if err != nil || result.Summary.Count == 0 {
		t.Errorf("the other store answers %v, %v", result, err)
	}
	if err := other.Remove(t.Context(), "example-croatia"); err != nil {
		t.Fatal(err)
	}
	serves(t, one, "example-croatia", 0)
	mustLoadSeed(t, one, "example-croatia")
	serves(t, other, "example-croatia", 2)
}

// bind makes the plan of a drilldown.
func bind(t testing.TB, version *cube.Cube, drilldown string) *cube.Plan {
	t.Helper()
	refs, err := cube.ParseDrilldown(drilldown)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := version.Bind(cube.Query{Drilldown: refs, Page: cube.FirstPage})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestTwoProcessesLoadOnePackage loads the same content through two stores at once.
func TestTwoProcessesLoadOnePackage(t *testing.T) {
	dsn := postgrestest.DSN(t)
	stores := []*postgres.Store{open(t, dsn), open(t, dsn)}
	outcomes := make([]cube.Outcome, len(stores))
	var all sync.WaitGroup
	for i, store := range stores {
		all.Go(func() {
			loaded, err := loadSeed(t, store, "example-uruguay")
			if err != nil {
				t.Errorf("store %d: %v", i, err)
				return
			}
			outcomes[i] = loaded.Outcome
		})
	}
	all.Wait()
	loaded, unchanged := cube.OutcomeLoaded, cube.OutcomeUnchanged
	if !(outcomes[0] == loaded && outcomes[1] == unchanged || outcomes[0] == unchanged && outcomes[1] == loaded) {
		t.Errorf("the outcomes are %q, want one %q and one %q", outcomes, loaded, unchanged)
	}
}
