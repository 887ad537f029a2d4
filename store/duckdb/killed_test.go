//go:build cgo

package duckdb_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

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
