//go:build cgo

package duckdb_test

import (
	"os"
	"syscall"
	"testing"
)

// memory is the folder that Linux keeps in memory, and enough is what a test may want of it. A container has 64 MB
// there unless TMPDIR says otherwise, and a run that was killed leaves its files.
const (
	memory = "/dev/shm"
	enough = 200 << 20
)

// quickFolder gives a folder in memory where the machine has one with room: waiting for a disk would take most of
// the time, and nothing here has to survive a power cut.
func quickFolder(t testing.TB) string {
	t.Helper()
	if free(memory) < enough {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "fiscube-duckdb-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// free gives how many bytes can still be written below a folder, 0 where that is not known.
func free(folder string) uint64 {
	var of syscall.Statfs_t
	if syscall.Statfs(folder, &of) != nil {
		return 0
	}
	return of.Bavail * uint64(of.Bsize)
}
