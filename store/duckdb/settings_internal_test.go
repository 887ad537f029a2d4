//go:build cgo

package duckdb

import (
	"log/slog"
	"path/filepath"
	"testing"
)

// DuckDB has the settings of the address, and writes what has no room in memory beside the file.
func TestOpen_Settings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a b?.duckdb")
	s, err := Open(t.Context(), file, Options{Threads: 3, Memory: "100MB"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var threads, memory, folder, background string
	row := s.db.Load().QueryRow("SELECT current_setting('threads')::text, current_setting('memory_limit'), current_setting('temp_directory'), " +
		"current_setting('allocator_background_threads')::text")
	if err := row.Scan(&threads, &memory, &folder, &background); err != nil {
		t.Fatal(err)
	}
	if threads != "3" || memory != "95.3 MiB" || folder != file+".tmp" || background != "true" {
		t.Errorf("%s threads, %s of memory, %s, background threads %s", threads, memory, folder, background)
	}
}
