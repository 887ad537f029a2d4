package postgres_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/catalogue"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
)

// soon is how late another process may see a change. It is less than pollInterval, so that only a notice keeps
// it, and more than the second that is promised, so that a busy machine does too.
const soon = 4 * time.Second

// TestOpen_SeveralAtOnce opens an empty database several times at the same moment: one makes the
// catalogue, and all find it.
func TestOpen_SeveralAtOnce(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	stores := make([]*postgres.Store, 4)
	var all sync.WaitGroup
	for i := range stores {
		all.Go(func() {
			store, err := postgres.Open(t.Context(), dsn, options(t, dsn), slog.New(slog.DiscardHandler))
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

// serves waits until a store serves a version of a package; 0 means none.
func serves(t testing.TB, store catalogue.Store, name string, version int) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		served := 0
		if one, err := servedCube(t.Context(), store, name); err == nil {
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

// TestFollow_SeesChangesOfAnotherProcess loads, changes and removes a package in one store and looks at another.
func TestFollow_SeesChangesOfAnotherProcess(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	one, other := open(t, dsn), open(t, dsn)
	time.Sleep(time.Second) // both have asked for the catalogue and are waiting for notices
	version := mustLoadSeed(t, one, "example-croatia")
	serves(t, other, "example-croatia", 1)
	result, err := answer.Run(t.Context(), other, bind(t, version, "admin1_code"), cube.English)
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
// Through a pooler that lends a connection for one transaction, two stores answer side by side if the address says so, and see what the
// other loads within a second or so. Without it the error says what to add.
func TestOpen_ThroughAPooler(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	pooled := postgrestest.Pooled(t, dsn)
	one, other := open(t, withParameter(t, pooled, "default_query_exec_mode", "cache_describe")), open(t, withParameter(t, pooled, "default_query_exec_mode", "cache_describe"))
	version := mustLoadSeed(t, one, "example-croatia")
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if _, err := servedCube(t.Context(), other, "example-croatia"); err == nil {
			t.Logf("the other store saw it after %v", time.Since(start))
			break
		}
		if time.Since(start) > back {
			t.Fatal("the other store does not see what was loaded")
		}
	}
	want, err := answer.Run(t.Context(), one, bind(t, version, "admin1_code"), cube.English)
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for _, store := range []*postgres.Store{one, other, one, other} {
		readers.Go(func() {
			for range 20 {
				got, err := answer.Run(t.Context(), store, bind(t, version, "admin1_code"), cube.English)
				if err != nil || !reflect.DeepEqual(got.Cells, want.Cells) {
					t.Errorf("an answer: %v", err)
				}
			}
		})
	}
	readers.Wait()
	if err := other.Remove(t.Context(), "example-croatia"); err != nil {
		t.Error(err)
	}

	var failed error // which of the statements is prepared twice depends on the connections that are lent
	for range 4 {
		store, err := postgres.Open(t.Context(), pooled, postgres.Options{}, slog.New(slog.DiscardHandler))
		if err != nil {
			failed = err
			break
		}
		t.Cleanup(func() { _ = store.Close() })
	}
	if cube.CodeOf(failed) != cube.CodeUnavailable || !strings.Contains(failed.Error(), "cache_describe") {
		t.Errorf("stores that prepare statements: %v", failed)
	}
}

func bind(t testing.TB, version *cube.Cube, drilldown string) *plan.Plan {
	t.Helper()
	refs, err := query.ParseDrilldown(drilldown)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Bind(version, query.Query{Drilldown: refs, Page: query.FirstPage})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLoad_OnePackageByTwoProcesses loads the same content through two stores at once.
func TestLoad_OnePackageByTwoProcesses(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	stores := []*postgres.Store{open(t, dsn), open(t, dsn)}
	outcomes := make([]findings.Outcome, len(stores))
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
	loaded, unchanged := findings.OutcomeLoaded, findings.OutcomeUnchanged
	if !(outcomes[0] == loaded && outcomes[1] == unchanged || outcomes[0] == unchanged && outcomes[1] == loaded) {
		t.Errorf("the outcomes are %q, want one %q and one %q", outcomes, loaded, unchanged)
	}
}

// TestFollow_SeesWhatAStartSees changes versions in one process. Another, which follows, has to get the picture of
// one that starts, and reads what a version holds once.
func TestFollow_SeesWhatAStartSees(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	one, follower := open(t, dsn), open(t, dsn)
	load := func(rows table) func() { return func() { mustLoad(t, one, pack("small", rows, "")) } }
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"a load", load(first)},
		{"another", load(second)},
		{"a third", load(wider)},
		{"a rollback", func() { must(t, one.Serve(t.Context(), "small", 1)) }},
		{"a kept version loaded again", load(second)},
		{"a prune", func() { _, err := one.Prune(t.Context(), "small", 1); must(t, err) }},
		{"a pruned version loaded again", load(first)},
		{"a removal", func() { must(t, one.Remove(t.Context(), "small")) }},
		{"a removed version loaded again", load(first)},
		{"a database put back, where an id means another content", func() {
			script(t, dsn, `UPDATE fiscube.version SET fingerprint = 'another', content = replace(content, '"unit"', '"office"'), report = '{}'`,
				"NOTIFY fiscube")
		}},
	} {
		before := picture(t, follower)
		step.do()
		want := describe(t, picture(t, open(t, dsn)))
		for start := time.Now(); describe(t, picture(t, follower)) != want; time.Sleep(5 * time.Millisecond) {
			if time.Since(start) > soon {
				t.Fatalf("after %s the follower sees\n%s\nwant\n%s", step.name, describe(t, picture(t, follower)), want)
			}
		}
		readOnce(t, before, picture(t, follower))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// picture gives the versions that a store has of the package small.
func picture(t testing.TB, store catalogue.Store) []*cube.Cube {
	t.Helper()
	catalog, err := store.Catalog(t.Context())
	must(t, err)
	return catalog.Versions("small")
}

// describe writes everything of versions.
func describe(t testing.TB, versions []*cube.Cube) string {
	t.Helper()
	text := ""
	for _, one := range versions {
		rest := *one
		rest.Package = nil
		for _, part := range []any{rest, one.Package, one.Descriptor} {
			line, err := json.Marshal(part)
			must(t, err)
			text += string(line) + "\n"
		}
	}
	return text
}

// readOnce checks that versions of the same content hold the same package.
func readOnce(t testing.TB, before, after []*cube.Cube) {
	t.Helper()
	for _, old := range before {
		for _, one := range after {
			if same := old.Package == one.Package; same != (old.ID == one.ID && old.Fingerprint == one.Fingerprint) {
				t.Errorf("version %d: held as before %v", one.Version, same)
			}
		}
	}
}

// TestRemove_LeavesNoTables removes a package and ends the process at once.
func TestRemove_LeavesNoTables(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	for range 3 {
		store, err := postgres.Open(t.Context(), dsn, options(t, dsn), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		mustLoadSeed(t, store, "example-croatia")
		if err := errors.Join(store.Remove(t.Context(), "example-croatia"), store.Close()); err != nil {
			t.Fatal(err)
		}
		const left = "SELECT count(*) FROM pg_tables WHERE schemaname IN ('fact', 'member', 'cuboid')"
		if n := ask[int](t, dsn, left); n != 0 {
			t.Errorf("%d tables are left", n)
		}
	}
}
