package postgrestest

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// connect opens a connection that ends with the test.
func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return conn
}

// read gives the one value that a query answers with.
func read[T any](t *testing.T, conn *pgx.Conn, query string) T {
	t.Helper()
	var value T
	if err := conn.QueryRow(t.Context(), query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

func run(t *testing.T, conn *pgx.Conn, statement string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

const countTables = `SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'`

func TestDSN_IsolatesDatabases(t *testing.T) {
	one, other := connect(t, DSN(t)), connect(t, DSN(t))
	run(t, one, "CREATE TABLE budget (id int)")
	if n := read[int](t, one, countTables); n != 1 {
		t.Errorf("the database with one table has %d", n)
	}
	if n := read[int](t, other, countTables); n != 0 {
		t.Errorf("the other database has %d tables", n)
	}
}

func TestCopy_HasWhatTheOtherHasAndIsApart(t *testing.T) {
	dsn := DSN(t)
	first, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	run(t, first, "CREATE TABLE budget (id int)")
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	copied := connect(t, Copy(t, dsn))
	run(t, copied, "CREATE TABLE another (id int)")
	if n := read[int](t, copied, countTables); n != 2 {
		t.Errorf("the copy has %d tables, want the one of the other and its own", n)
	}
	if n := read[int](t, connect(t, dsn), countTables); n != 1 {
		t.Errorf("the other has %d tables, want its one", n)
	}
}

func TestDSN_DropsTheDatabaseAtTheEnd(t *testing.T) {
	var dsn string
	t.Run("user", func(t *testing.T) {
		dsn = DSN(t)
		conn, err := pgx.Connect(t.Context(), dsn) // left open: the drop does not wait for it
		if err != nil {
			t.Fatal(err)
		}
		run(t, conn, "CREATE TABLE budget (id int)")
	})
	if dsn == "" {
		t.Skip("the test that was to use a database was skipped")
	}
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	databases := read[[]string](t, connect(t, DSN(t)), "SELECT array_agg(datname::text) FROM pg_database")
	if name := strings.TrimPrefix(u.Path, "/"); slices.Contains(databases, name) {
		t.Errorf("%s is still among %v", name, databases)
	}
}

// A database is left later than PostgreSQL waits for that.
func TestExecute_DropsADatabaseInUseOnceItIsLeft(t *testing.T) {
	t.Parallel()
	dsn, other := DSN(t), DSN(t)
	conn := connect(t, dsn)
	name := read[string](t, conn, "SELECT current_database()")
	left := make(chan struct{})
	time.AfterFunc(6*time.Second, func() {
		defer close(left)
		_ = conn.Close(context.Background())
	})
	if err := execute(other, "DROP DATABASE "+name); err != nil {
		t.Error(err)
	}
	<-left
}

func TestDSN_ManyDatabasesAtOnce(t *testing.T) {
	for i := range 8 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			run(t, connect(t, DSN(t)), "CREATE TABLE budget (id int)")
		})
	}
}

func TestServerVersion(t *testing.T) {
	conn := connect(t, DSN(t))
	if version := read[int](t, conn, "SELECT current_setting('server_version_num')::int"); version < 140000 {
		t.Errorf("server version %d; fiscube needs PostgreSQL 14 or later", version)
	}
	if encoding := read[string](t, conn, "SHOW server_encoding"); encoding != "UTF8" {
		t.Errorf("server encoding %s, want UTF8", encoding)
	}
}

func TestServer_StopsAndStarts(t *testing.T) {
	server := Server(t)
	dsn := server.DSN(t)
	before := connect(t, dsn)
	run(t, before, "CREATE TABLE budget AS SELECT 42 AS amount")

	server.Stop(t)
	if _, err := before.Exec(t.Context(), "SELECT 1"); err == nil {
		t.Error("a connection outlived the server")
	}
	if conn, err := pgx.Connect(t.Context(), dsn); err == nil {
		_ = conn.Close(t.Context())
		t.Error("the stopped server takes connections")
	}

	server.Start(t)
	if amount := read[int](t, connect(t, dsn), "SELECT amount FROM budget"); amount != 42 {
		t.Errorf("amount %d after the restart, want 42", amount)
	}
}

func TestServer_GoesWithItsTest(t *testing.T) {
	for _, state := range []string{"running", "stopped"} {
		t.Run(state, func(t *testing.T) {
			var server *Cluster
			t.Run("user", func(t *testing.T) {
				server = Server(t)
				if state == "stopped" {
					server.Stop(t)
				}
			})
			if server == nil {
				t.Skip("the test that was to use a server was skipped")
			}
			if _, err := os.Stat(server.dir); !os.IsNotExist(err) {
				t.Errorf("the cluster's folder is still there: %v", err)
			}
		})
	}
}

func TestServer_FromTheEnvironment(t *testing.T) {
	server := Server(t)
	t.Setenv(Env, server.admin())
	dsn := DSN(t)
	if !strings.Contains(dsn, url.QueryEscape(server.dir)) {
		t.Errorf("%s is not on the server in %s", dsn, server.dir)
	}
	run(t, connect(t, dsn), "CREATE TABLE budget (id int)")
}

func TestDSN_WithDatabase(t *testing.T) {
	for _, test := range []struct{ dsn, want string }{
		{"postgres://user:p%40ss@host:5433/db?sslmode=disable", "postgres://user:p%40ss@host:5433/new?sslmode=disable"},
		{"postgresql://host", "postgresql://host/new"},
		{"postgres://", "postgres:///new"},
		{"postgres:///?dbname=db&host=%2Ftmp", "postgres:///new?host=%2Ftmp"},
		{"host=localhost password=secret", ""},
		{"postgres://user:secret@host:port/", ""},
	} {
		got, err := withDatabase(test.dsn, "new")
		if got != test.want || (err != nil) != (test.want == "") {
			t.Errorf("withDatabase(%q) = %q, %v; want %q", test.dsn, got, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}

func TestFindPrograms(t *testing.T) {
	real, err := findPrograms()
	if err != nil {
		t.Skip(err)
	}
	t.Run("a link on PATH", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Symlink(filepath.Join(real, "initdb"), filepath.Join(dir, "initdb")); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir)
		if got, err := findPrograms(); got != real || err != nil {
			t.Errorf("findPrograms() = %q, %v; want %q", got, err, real)
		}
	})
	t.Run("initdb alone is not enough", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "initdb"), nil, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir)
		if got, _ := findPrograms(); got == dir {
			t.Errorf("findPrograms() = %q, which has no postgres", got)
		}
	})
}

func TestNewestFirst(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"9.6", "15", "17"} {
		if err := os.MkdirAll(filepath.Join(root, "lib", dir, "bin"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	got := newestFirst([]string{"lib/*/bin", "none/*/bin"})
	if want := []string{"lib/17/bin", "lib/15/bin", "lib/9.6/bin"}; !slices.Equal(got, want) {
		t.Errorf("newestFirst = %v, want %v", got, want)
	}
}
