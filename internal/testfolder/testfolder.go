// Package testfolder gives tests their folders: the checkout, the real packages beside it, and folders in memory, where the machine has
// one with room. Files of a database there need a fraction of the time that they need on a disk, and nothing in a test has to survive a
// power cut.
package testfolder

import (
	"os"
	"testing"
)

// enough is what a test may want of a folder.
const enough = 200 << 20

// New gives a folder that is removed when t ends, in memory or else on the disk.
func New(t testing.TB) string {
	t.Helper()
	memory, ok := InMemory(enough)
	if !ok {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "fiscube-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
