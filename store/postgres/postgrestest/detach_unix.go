//go:build unix

package postgrestest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// detach puts a command into a session of its own, where a Ctrl-C meant for the test does not reach it. For
// root it also hands the command and its folder to another account, because PostgreSQL refuses to run as root.
func detach(cmd *exec.Cmd, dir string) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if os.Geteuid() != 0 {
		return nil
	}
	credential, err := unprivileged("postgres", "nobody")
	if err != nil {
		return err
	}
	cmd.SysProcAttr.Credential = credential
	return os.Chown(dir, int(credential.Uid), int(credential.Gid))
}

// unprivileged gives the first of the named accounts that the machine has.
func unprivileged(names ...string) (*syscall.Credential, error) {
	for _, name := range names {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(account.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(account.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(uidErr, gidErr)
	}
	return nil, fmt.Errorf("PostgreSQL refuses to run as root, and there is no other account of %q", names)
}

// baseFolder is where clusters live: the temporary folder, or /tmp where that is too deep for the name of a
// unix socket or, for root, may be closed to the account that runs the server.
func baseFolder() string {
	if dir := os.TempDir(); os.Geteuid() != 0 && len(dir) < 60 {
		return dir
	}
	return "/tmp"
}
