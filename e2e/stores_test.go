package e2e

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"fiscube/store"
	"fiscube/store/postgres/postgrestest"
)

// kind is a kind of store that the tests run on.
type kind struct {
	name  string
	fresh func(t testing.TB) (address string) // of an empty store that goes with t
}

var kinds = []kind{{"duckdb", freshDuckDB}, {"postgres", freshPostgres}}

// onEveryStore runs a test on an empty store of each kind.
func onEveryStore(t *testing.T, test func(t *testing.T, db string)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { test(t, k.fresh(t)) })
	}
}

// sideBySide is onEveryStore with the stores, and other tests, side by side.
func sideBySide(t *testing.T, test func(t *testing.T, db string)) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, db string) {
		t.Parallel()
		test(t, db)
	})
}

// shared is a server that several tests ask and none changes. It is started for the first test that asks it, on a store of
// each kind, and ends after the last test.
type shared struct {
	load  func(t testing.TB) (paths []string) // what it serves
	flags []string

	mu      sync.Mutex
	stores  map[string]string // addresses by the kind of store
	servers map[string]*service
}

// onEveryStore asks the server on each kind of store, side by side.
func (s *shared) onEveryStore(t *testing.T, test func(t *testing.T, s *service)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			test(t, s.on(t, k))
		})
	}
}

// onDuckDB is the server on the store that needs nothing else.
func (s *shared) onDuckDB(t testing.TB) *service {
	t.Helper()
	return s.on(t, kinds[0])
}

func (s *shared) on(t testing.TB, k kind) *service {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.servers[k.name] == nil {
		s.servers[k.name] = serve(lasting{t}, s.store(t, k), s.flags...)
	}
	return s.servers[k.name]
}

// alone gives the address of the embedded store while no server has it open. The test must not run beside others.
func (s *shared) alone(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	db := s.store(t, kinds[0])
	if server := s.servers[kinds[0].name]; server != nil {
		server.stop(t)
		delete(s.servers, kinds[0].name)
	}
	return db
}

func (s *shared) store(t testing.TB, k kind) string {
	t.Helper()
	if s.stores == nil {
		s.stores, s.servers = map[string]string{}, map[string]*service{}
	}
	if db, ok := s.stores[k.name]; ok {
		return db
	}
	db := k.fresh(lasting{t})
	if s.load != nil {
		must(t, append([]string{"load", "--db", db}, s.load(lasting{t})...)...)
	}
	s.stores[k.name] = db
	return db
}

// lasting is a test that leaves what it made to the tests after it.
type lasting struct{ testing.TB }

// afterAll is what lasting tests leave to be done after the last test.
var afterAll struct {
	mu   sync.Mutex
	work []func()
}

// Cleanup defers work until all tests are over.
func (lasting) Cleanup(work func()) {
	afterAll.mu.Lock()
	defer afterAll.mu.Unlock()
	afterAll.work = append(afterAll.work, work)
}

// TempDir makes a folder that is there until all tests are over.
func (lasting) TempDir() string { return sure(os.MkdirTemp(scratch, "")) }

func freshDuckDB(t testing.TB) string {
	t.Helper()
	if !slices.Contains(sql.Drivers(), "duckdb") {
		t.Skip("this build has no embedded store: it was made with CGO_ENABLED=0")
	}
	return "duckdb:" + filepath.Join(t.TempDir(), "budgets.duckdb")
}

func freshPostgres(t testing.TB) string {
	t.Helper()
	return postgrestest.DSN(t)
}

// isDuckDB says whether a store is embedded.
func isDuckDB(db string) bool {
	_, ok := store.EmbeddedPath(db)
	return ok
}

// tables lists the tables of facts and members in a store; an embedded one must have no owner.
func tables(t testing.TB, db string) []string {
	t.Helper()
	connection, err := connect(db)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	rows, err := connection.Query(`SELECT table_schema || '.' || table_name FROM information_schema.tables
	WHERE table_schema IN ('fact', 'member') ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return names
}

func connect(db string) (*sql.DB, error) {
	if path, ok := store.EmbeddedPath(db); ok {
		return sql.Open("duckdb", path)
	}
	return sql.Open("pgx", db)
}
