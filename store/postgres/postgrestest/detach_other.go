//go:build !unix

package postgrestest

import (
	"os"
	"os/exec"
)

// detach fails: without sessions and unix shells there is no throwaway cluster.
func detach(*exec.Cmd, string) error { return errAbsent }

func baseFolder() string { return os.TempDir() }
