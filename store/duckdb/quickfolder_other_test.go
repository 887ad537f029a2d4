//go:build cgo && !linux

package duckdb_test

import "testing"

// quickFolder gives a folder on the disk: only Linux has one in memory.
func quickFolder(t testing.TB) string { return t.TempDir() }
