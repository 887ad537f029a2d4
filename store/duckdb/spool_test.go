//go:build cgo

package duckdb_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"fiscube/seeds"
	"fiscube/store/duckdb"
	"fiscube/store/load"
)

// TestALoadTakesOverTheSpoolOfAKilledOne loads beside the file that a process left which was killed in its load.
func TestALoadTakesOverTheSpoolOfAKilledOne(t *testing.T) {
	path := filepath.Join(quickFolder(t), "test.duckdb")
	if err := os.WriteFile(path+".spool", []byte("\"half a row\",1"), 0o600); err != nil {
		t.Fatal(err)
	}
	store := file(path).Open(t).(*duckdb.Store)
	defer func() { _ = store.Close() }()
	seed := seeds.All()[0]
	source, err := load.OpenFS(t.Context(), seed.FS, load.Options{Shipped: seeds.OverlayFor})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := load.Run(t.Context(), store, source, load.Silent{})
	if err != nil || loaded.Cube.Rows == 0 {
		t.Fatalf("loaded %+v, %v", loaded, err)
	}
	if _, err := os.Stat(path + ".spool"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the spool is there after the load: %v", err)
	}
}
