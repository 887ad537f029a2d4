package postgres_test

import (
	"strings"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/store/postgres/postgrestest"
)

// silence is how long a store may take to give up a server that says nothing.
const silence = time.Minute

// within fails t where something is not done in time.
func within(t testing.TB, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(silence):
		t.Fatalf("%s is not done after %v", what, silence)
	}
}

// TestCloseWhileTheServerIsSilent closes a store whose connections are open and say nothing.
func TestCloseWhileTheServerIsSilent(t *testing.T) {
	t.Parallel()
	between, dsn := openProxy(t, postgrestest.DSN(t))
	store := open(t, dsn)
	mustLoadSeed(t, store, "example-croatia")
	between.hold(t)
	within(t, "Close", func() { _ = store.Close() })
}

// TestPublishedAndNotSeen has every connection but its own fall silent while a load is about to commit: the version is
// published, and whoever loaded it is told that it cannot be seen yet.
func TestPublishedAndNotSeen(t *testing.T) {
	t.Parallel()
	direct := postgrestest.DSN(t)
	between, dsn := openProxy(t, direct)
	store := open(t, dsn)
	between.at("pg_notify", func(l *link) {
		l.free.Store(true)
		between.hold(t)
	})
	within(t, "a load", func() {
		if _, err := loadSeed(t, store, "example-croatia"); cube.CodeOf(err) != cube.CodeUnavailable {
			t.Errorf("a load that cannot see what it published: %v, want code %s", err, cube.CodeUnavailable)
		}
	})
	serves(t, open(t, direct), "example-croatia", 1)
}

// TestLoadThatLosesItsConnection cuts the connection at each kind of statement of a load.
func TestLoadThatLosesItsConnection(t *testing.T) {
	for _, at := range []string{
		"pg_advisory_xact_lock", "nextval", `CREATE TABLE fact."f`, "COPY fact", "SET LOCAL default_statistics_target", "ANALYZE fact",
		"CREATE INDEX", `CREATE TABLE member."m`, "COPY member", "ANALYZE member", `CREATE TABLE member."l`, "COPY member.\"l",
		"INSERT INTO fiscube.package", "INSERT INTO fiscube.version", "UPDATE fiscube.package", "CREATE OR REPLACE VIEW", "pg_notify",
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			between, dsn := openProxy(t, postgrestest.DSN(t))
			store := open(t, dsn)
			between.at(at, (*link).cut)
			if _, err := loadSeed(t, store, "example-croatia"); cube.CodeOf(err) != cube.CodeUnavailable {
				t.Errorf("a load that lost its connection: %v, want code %s", err, cube.CodeUnavailable)
			}
		})
	}
}

// TestFailedChangeTellsItsCause breaks the catalogue under a removal: the error is what PostgreSQL said first.
func TestFailedChangeTellsItsCause(t *testing.T) {
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	mustLoadSeed(t, store, "example-croatia")
	script(t, dsn, "ALTER TABLE fiscube.version RENAME COLUMN gone TO left_out")
	err := store.Remove(t.Context(), "example-croatia")
	if err == nil || strings.Contains(err.Error(), "aborted") {
		t.Errorf("a removal that fails: %v", err)
	}
}
