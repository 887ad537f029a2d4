//go:build cgo

package duckdb_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/testfolder"
	"fiscube/seeds"
	"fiscube/store/duckdb"
)

// TestOpen_RemovesTheLogOfAKilledProcess opens what a process leaves that is killed after its load, and in
// the commit of its load: the log as a whole and the log without its end.
func TestOpen_RemovesTheLogOfAKilledProcess(t *testing.T) {
	for name, test := range map[string]struct{ missing, cubes int }{
		"killed after the commit": {0, 1},
		"killed in the commit":    {100, 0},
	} {
		t.Run(name, func(t *testing.T) {
			path := killedAfterALoad(t, test.missing)
			store := file{path: path}.Open(t).(*duckdb.Store)
			defer func() { _ = store.Close() }()
			if info, err := os.Stat(path + ".wal"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the log is there after the start: %v, %v", info, err)
			}
			catalog, err := store.Catalog(t.Context())
			if err != nil || len(catalog.Served()) != test.cubes {
				t.Errorf("%d cubes, want %d; %v", len(catalog.Served()), test.cubes, err)
			}
		})
	}
}

// killedAfterALoad copies a file and its log while a store that has loaded a seed is open; the last bytes of
// the log are missing.
func killedAfterALoad(t *testing.T, missing int) (path string) {
	t.Helper()
	from := filepath.Join(testfolder.New(t), "test.duckdb")
	store := file{path: from}.Open(t).(*duckdb.Store)
	defer func() { _ = store.Close() }()
	mustLoad(t, store, seeds.All()[0].FS)
	path = filepath.Join(testfolder.New(t), "test.duckdb")
	copyFile(t, from, path, 0)
	copyFile(t, from+".wal", path+".wal", missing)
	return path
}

// copyFile copies a file without its last bytes.
func copyFile(t *testing.T, from, to string, missing int) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) <= missing {
		t.Fatalf("%s has %d bytes", from, len(data))
	}
	if err := os.WriteFile(to, data[:len(data)-missing], 0o600); err != nil {
		t.Fatal(err)
	}
}

// A store that is closed while facts are still read waits for their end, so that then its file has everything and no log is left.
func TestClose_WaitsForReaders(t *testing.T) {
	path := filepath.Join(testfolder.New(t), "test.duckdb")
	store := file{path: path}.Open(t).(*duckdb.Store)
	cb := mustLoad(t, store, seeds.All()[0].FS)
	facts, err := plan.BindFacts(cb, query.FactQuery{Size: query.EveryFact})
	if err != nil {
		t.Fatal(err)
	}
	var failed, left error
	closed := make(chan struct{})
	read := 0
	for _, err := range store.Facts(t.Context(), facts.Main()) {
		if err != nil {
			t.Fatal(err)
		}
		if read++; read == 1 {
			go func() {
				defer close(closed)
				failed = store.Close()
				_, left = os.Stat(path + ".wal")
			}()
			time.Sleep(100 * time.Millisecond) // in which a store that does not wait is closed
			written := false                   // even while somebody reads
			for end := time.Now().Add(3 * time.Second); !written && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
				_, err := os.Stat(path + ".wal")
				written = errors.Is(err, fs.ErrNotExist)
			}
			if !written {
				t.Error("the log waits for the readers")
			}
		}
	}
	<-closed
	if failed != nil || read < 2 || !errors.Is(left, fs.ErrNotExist) {
		t.Errorf("closing a store after %d facts: %v; its log: %v", read, failed, left)
	}
}
