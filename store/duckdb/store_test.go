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
	"fiscube/store/differencetest"
	"fiscube/store/duckdb"
	"fiscube/store/load"
	"fiscube/store/storetest"
)

// oneThread is for tests of few rows: more threads cost more than they help. TestQuestions and others have them.
var oneThread = duckdb.Options{Threads: 1}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t testing.TB) storetest.Place {
		return file{filepath.Join(testfolder.New(t), "test.duckdb"), oneThread}
	})
}

func TestAnswers(t *testing.T) {
	place := file{path: duckdb.Memory}
	if !storetest.LongRun() {
		place.options = oneThread
	}
	storetest.Answers(t, storetest.Even, func(testing.TB) storetest.Place { return place })
}

// A store whose cubes are in memory answers as others do.
func TestResident(t *testing.T) {
	place := storetest.Resident(file{duckdb.Memory, oneThread})
	inMemory := func(testing.TB) storetest.Place { return place }
	t.Run("store", func(t *testing.T) {
		storetest.Run(t, func(t testing.TB) storetest.Place {
			return storetest.Resident(file{filepath.Join(testfolder.New(t), "test.duckdb"), oneThread})
		})
	})
	t.Run("answers", func(t *testing.T) { storetest.Answers(t, storetest.Odd, inMemory) })
	t.Run("answers of base cuboids", func(t *testing.T) {
		storetest.Answers(t, storetest.Even, func(testing.TB) storetest.Place { return storetest.Asked(file{duckdb.Memory, oneThread}) })
	})
	t.Run("questions", func(t *testing.T) { storetest.Questions(t, inMemory, false) })
}

func TestDifferences(t *testing.T) {
	inMemory := file{duckdb.Memory, oneThread}
	differencetest.Run(t, inMemory, mustLoad)
	differencetest.Run(t, storetest.Resident(inMemory), mustLoad)
}

var update = flag.Bool("update", false, "write the answers into storetest/testdata/questions; add them up by eye")

func TestQuestions(t *testing.T) {
	storetest.Questions(t, func(testing.TB) storetest.Place { return file{path: duckdb.Memory} }, *update)
}

func TestOpen_TakesThreads(t *testing.T) {
	for _, path := range []string{duckdb.Memory, filepath.Join(testfolder.New(t), "test.duckdb")} {
		place := file{path, duckdb.Options{Threads: 3}}
		s := place.Open(t)
		if got := place.Query(t, s, "SELECT current_setting('threads')::VARCHAR")[0][0]; got != "3" {
			t.Errorf("%s: %s threads", path, got)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// file is a DuckDB file, and how it is opened.
type file struct {
	path    string
	options duckdb.Options
}

func (f file) Open(t testing.TB) storetest.Store {
	t.Helper()
	store, err := duckdb.Open(t.Context(), f.path, f.options, slog.New(slog.DiscardHandler))
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
