//go:build cgo

package duckdb_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/internal/testfolder"
	"fiscube/seeds"
)

// What a process has left that was killed among its files is removed at the next start, and so is the folder when the last version goes. What
// is no file of versions is nobody's business.
func TestFiles_Swept(t *testing.T) {
	place := file{filepath.Join(testfolder.New(t), "test.duckdb"), oneThread}
	folder := place.path + ".files"
	s := place.Open(t)
	version := mustLoad(t, s, seeds.All()[0].FS)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before := entries(t, folder)
	if len(before) == 0 || len(before) > len(version.Resources) {
		t.Fatalf("the files are %v", before)
	}
	for _, left := range []string{strings.Repeat("a", 64) + ".zst", strings.Repeat("b", 64) + ".zst.begun", before[0] + ".begun", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(folder, left), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s = place.Open(t)
	if got := strings.Join(entries(t, folder), " "); got != strings.Join(before, " ")+" notes.txt" {
		t.Errorf("after the start there are %s", got)
	}
	if err := os.Remove(filepath.Join(folder, "notes.txt")); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(t.Context(), version.Name); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder is left, with %v", entries(t, folder))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// entries names what is in a folder.
func entries(t *testing.T, folder string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	return names
}
