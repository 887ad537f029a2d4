package e2e

import (
	"database/sql"
	"path/filepath"
	"slices"
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

// isDuckDB tells whether a store is embedded.
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
