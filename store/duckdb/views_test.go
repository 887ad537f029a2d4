//go:build cgo

package duckdb_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	duckdbgo "github.com/duckdb/duckdb-go/v2"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/testfolder"
	"fiscube/seeds"
	"fiscube/store/duckdb"
	"fiscube/store/sqlgen"
	"fiscube/store/storetest"
)

// TestViews loads all seeds, and a package whose rows say what their amounts are, into a file and opens that without fiscube: the views add up as the answers did.
func TestViews(t *testing.T) {
	path := filepath.Join(testfolder.New(t), "seeds.duckdb")
	want, names := map[string]string{}, []string{}
	within(t, path, func(store *duckdb.Store) {
		for _, seed := range append(seeds.All(), seeds.Seed{Name: "qualified", FS: storetest.Package("qualified")}) {
			version := mustLoad(t, store, seed.FS)
			names = append(names, seed.Name)
			for i, choice := range []query.SnapshotChoice{query.LastSnapshots, query.AllSnapshots} {
				addUp(t, store, version, choice, sqlgen.ViewNames(seed.Name)[i], want)
			}
		}
	})
	checkViews(t, path, want)

	const defined = "SELECT string_agg(concat_ws(': ', view_name, sql, comment), '; ' ORDER BY view_name) FROM duckdb_views() WHERE schema_name = 'cube'"
	former := ""
	inFile(t, path, func(db *sql.DB) { // as an earlier release left it
		former = one(t, db, defined)
		execute(t, db, "DROP SCHEMA cube CASCADE; CREATE SCHEMA cube")
	})
	within(t, path, func(*duckdb.Store) {})
	inFile(t, path, func(db *sql.DB) {
		if made := one(t, db, defined); made != former {
			t.Errorf("the views were made anew as %s\nwere %s", made, former)
		}
	})

	within(t, path, func(store *duckdb.Store) {
		for _, name := range names {
			if err := store.Remove(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
	})
	inFile(t, path, func(db *sql.DB) {
		if n := one(t, db, "SELECT count(*) FROM duckdb_views() WHERE schema_name = 'cube' AND view_name <> '_cubes'"); n != "0" {
			t.Errorf("%s views are left", n)
		}
	})
}

// A row shows what its code means in its year.
func TestViews_ShowTheLabelsOfTheirYears(t *testing.T) {
	path := filepath.Join(testfolder.New(t), "reform.duckdb")
	within(t, path, func(store *duckdb.Store) { mustLoad(t, store, storetest.Package("housing")) })
	inFile(t, path, func(db *sql.DB) {
		for _, view := range sqlgen.ViewNames("reform") {
			got := one(t, db, "SELECT string_agg(function_name, '|' ORDER BY _line) FROM "+sqlgen.QualifiedView(view))
			if got != storetest.HousingLabels {
				t.Errorf("the labels of %s are %s, want %s", view, got, storetest.HousingLabels)
			}
		}
	})
}

func TestViews_ForSQLTools(t *testing.T) {
	path := filepath.Join(testfolder.New(t), "periods.duckdb")
	storetest.SQLTools(t, func(files fs.FS) { within(t, path, func(store *duckdb.Store) { mustLoad(t, store, files) }) }, func(q string) (got string) {
		inFile(t, path, func(db *sql.DB) { got = one(t, db, q) })
		return got
	})
}

// addUp writes down what a view must give, by the query that asks it.
func addUp(t *testing.T, store *duckdb.Store, version *cube.Cube, choice query.SnapshotChoice, view string, want map[string]string) {
	t.Helper()
	p, err := plan.Bind(version, query.Query{Snapshots: choice, Page: query.FirstPage})
	if err != nil {
		t.Fatal(err)
	}
	result, err := answer.Run(t.Context(), store, p, cube.English)
	if err != nil {
		t.Fatal(err)
	}
	var asked, agreed []string
	for i, a := range p.Aggregates() {
		column := "count(*)"
		if a.Func != cube.Rows {
			column = `sum("` + a.Measure + `")`
		}
		asked = append(asked, column+" = "+result.Summary.Values[i].Decimal.String())
		agreed = append(agreed, "true")
	}
	want["SELECT concat_ws(', ', "+strings.Join(asked, ", ")+") FROM "+sqlgen.QualifiedView(view)] = strings.Join(agreed, ", ")
}

func checkViews(t *testing.T, path string, want map[string]string) {
	t.Helper()
	inFile(t, path, func(db *sql.DB) {
		for q, value := range want {
			if got := one(t, db, q); got != value {
				t.Errorf("%s: %s", q, got)
			}
		}
		described := one(t, db, `SELECT count(*) > 0 FROM duckdb_views() WHERE schema_name = 'cube' AND comment LIKE '%made-up example data'`)
		if described != "true" {
			t.Error("the views are not described")
		}
	})
}

// within opens the store in a file for as long as work takes.
func within(t *testing.T, path string, work func(*duckdb.Store)) {
	t.Helper()
	store, err := duckdb.Open(t.Context(), path, oneThread, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	work(store)
}

// inFile opens a file as anybody may.
func inFile(t *testing.T, path string, work func(*sql.DB)) {
	t.Helper()
	connector, err := duckdbgo.NewConnector(path+"?threads=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer func() { _ = db.Close() }()
	work(db)
}

func execute(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// one gives the one value that a query answers with.
func one(t *testing.T, db *sql.DB, q string) string {
	t.Helper()
	var value any
	if err := db.QueryRowContext(t.Context(), q).Scan(&value); err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	return fmt.Sprint(value)
}
