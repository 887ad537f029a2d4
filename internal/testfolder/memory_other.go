//go:build !linux

package testfolder

// InMemory gives none: only Linux has a folder in memory.
func InMemory(uint64) (folder string, ok bool) { return "", false }
