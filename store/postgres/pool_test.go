package postgres_test

import (
	"bytes"
	"context"
	"iter"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/catalogue"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
)

// hold reads the first of all facts, so that the answer keeps its connection until release or the end of t.
func hold(t testing.TB, store catalogue.Store, version *cube.Cube) (release func()) {
	t.Helper()
	p, err := plan.BindFacts(version, query.FactQuery{Size: query.EveryFact})
	if err != nil {
		t.Fatal(err)
	}
	next, stop := iter.Pull2(store.Facts(t.Context(), p.Main()))
	t.Cleanup(stop)
	if _, err, ok := next(); !ok || err != nil {
		t.Fatalf("a reader got no fact: %v", err)
	}
	return stop
}

// withParameter gives an address with one more parameter.
func withParameter(t testing.TB, dsn, name, value string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set(name, value)
	u.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20") // in these addresses + is no space
	return u.String()
}

// TestPool_Size opens stores whose address says how many connections they may have, or nothing of it.
func TestPool_Size(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	for address, want := range map[string]int{
		dsn: 20,
		withParameter(t, dsn, "pool_max_conns", "1"):  1,
		withParameter(t, dsn, "pool_max_conns", "50"): 50,
		withParameter(t, dsn, "pool_min_conns", "5"):  20,
	} {
		store := open(t, address)
		if got := store.MaxConns(); got != want {
			t.Errorf("the store may have %d connections, want %d", got, want)
		}
		if err := store.Ready(t.Context()); err != nil {
			t.Errorf("with %d connections: %v", want, err)
		}
	}
}

// TestPool_HeldByReaders has readers hold every connection that they can get.
func TestPool_HeldByReaders(t *testing.T) {
	t.Parallel()
	for name, parameters := range map[string]string{"as many as by default": "", "one": "1"} {
		t.Run(name, func(t *testing.T) {
			dsn := postgrestest.DSN(t)
			other := open(t, dsn)
			if parameters != "" {
				dsn = withParameter(t, dsn, "pool_max_conns", parameters)
			}
			testHeld(t, open(t, dsn), other)
		})
	}
}

// testHeld lets readers hold all of store and looks at what still goes on: it is ready, it sees what other loads,
// and who asks more gets an error soon.
func testHeld(t *testing.T, store, other *postgres.Store) {
	version := mustLoadSeed(t, store, "example-croatia")
	p := bind(t, version, "admin1_code")
	var release func()
	for range store.MaxConns() {
		release = hold(t, store, version)
	}
	ready(t, store)
	mustLoadSeed(t, other, "example-uruguay")
	serves(t, store, "example-uruguay", 1)
	tooMany(t, store, p)
	release()
	hold(t, store, version)
}

// ready asks a store whether it is ready. One that waited for a connection of the readers would never know.
func ready(t testing.TB, store catalogue.Store) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := store.Ready(ctx); err != nil {
		t.Errorf("the store is not ready: %v", err)
	}
}

// tooMany asks a store whose connections are all held.
func tooMany(t testing.TB, store *postgres.Store, p *plan.Plan) {
	t.Helper()
	const patience = 100 * time.Millisecond
	store.SetPatience(patience)
	defer store.SetPatience(time.Minute)
	start := time.Now()
	_, err := answer.Run(t.Context(), store, p, cube.English)
	if cube.CodeOf(err) != cube.CodeUnavailable || err.Error() != "too many questions at once" {
		t.Errorf("one more question got %v", err)
	}
	if took := time.Since(start); took < patience || took > soon {
		t.Errorf("one more question got its error after %v, want %v", took, patience)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience/10)
	defer cancel()
	if _, err := answer.Run(ctx, store, p, cube.English); cube.CodeOf(err) == cube.CodeUnavailable {
		t.Errorf("a question whose own time was over got %v", err)
	}
}

// TestSweep_WaitsForReadersSilently ends a sweep while it waits for a table that a reader holds.
func TestSweep_WaitsForReadersSilently(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	dsn := postgrestest.DSN(t)
	store, err := postgres.Open(t.Context(), dsn, options(t, dsn), slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	mustLoadSeed(t, store, "example-croatia")
	release := holdFacts(t, dsn)
	if err := store.Remove(t.Context(), "example-croatia"); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	store.Sweep(ctx)
	if ask[int](t, dsn, countFacts) != 1 {
		t.Error("the sweep did not have to wait")
	}
	release()
	if err := store.Close(); err != nil || log.Len() > 0 {
		t.Errorf("closed with %v and logged %s", err, &log)
	}
}

const countFacts = "SELECT count(*) FROM pg_tables WHERE schemaname = 'fact'"

// holdFacts locks the one fact table as a reader does. A store's own reader would not do: the server is through
// with a short answer, and lets the table go, before anybody reads it.
func holdFacts(t testing.TB, dsn string) (release func()) {
	t.Helper()
	table := ask[string](t, dsn, "SELECT format('fact.%I', tablename) FROM pg_tables WHERE schemaname = 'fact'")
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	release = func() { _ = conn.Close(cleanup(t)) }
	t.Cleanup(release)
	if _, err := conn.Exec(t.Context(), "BEGIN; LOCK TABLE "+table+" IN ACCESS SHARE MODE"); err != nil {
		t.Fatal(err)
	}
	return release
}
