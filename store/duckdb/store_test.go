//go:build cgo

package duckdb_test

import (
	"flag"
	"io/fs"
	"log/slog"
	"path/filepath"
	"testing"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/testfolder"
	"fiscube/seeds"
	"fiscube/store/catalogue"
	"fiscube/store/duckdb"
	"fiscube/store/load"
	"fiscube/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t testing.TB) storetest.Place { return file(filepath.Join(testfolder.New(t), "test.duckdb")) })
}

func TestAnswers(t *testing.T) {
	storetest.Answers(t, storetest.Even, func(testing.TB) storetest.Place { return file(duckdb.Memory) })
}

var update = flag.Bool("update", false, "write the answers into storetest/testdata/questions; add them up by eye")

func TestQuestions(t *testing.T) {
	storetest.Questions(t, func(testing.TB) storetest.Place { return file(duckdb.Memory) }, *update)
}

// file is the path of a DuckDB file.
type file string

func (f file) Open(t testing.TB) storetest.Store {
	t.Helper()
	store, err := duckdb.Open(t.Context(), string(f), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func (f file) Tables(t testing.TB, store storetest.Store) int {
	t.Helper()
	n, err := store.(*duckdb.Store).Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (f file) Query(t testing.TB, store storetest.Store, text string) [][]string {
	t.Helper()
	rows, err := store.(*duckdb.Store).Texts(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// mustLoad loads a package with the overlay that is beside it or ships for it.
func mustLoad(t testing.TB, store catalogue.Store, files fs.FS) *cube.Cube {
	t.Helper()
	source, err := load.OpenFS(t.Context(), files, load.Options{Shipped: seeds.OverlayFor, Allow: findings.Allowable})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := load.Run(t.Context(), store, source, load.Silent{})
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Cube
}
