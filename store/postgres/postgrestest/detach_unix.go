//go:build unix

package postgrestest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"fiscube/internal/testfolder"
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

// enough is what a cluster may want of a folder in memory: its databases and its log.
const enough = 4 << 30

// baseFolder is where clusters live: in memory where there is room, because a new database is some hundred files, which take
// ten times as long on a disk; else in temporaryFolder.
func baseFolder() string {
	if memory, ok := testfolder.InMemory(enough); ok && openToAll(memory) {
		return memory
	}
	return temporaryFolder()
}

// temporaryFolder is the temporary folder, or /tmp where that is too deep for the name of a unix socket or, for root, closed to
// the account that runs the server.
func temporaryFolder() string {
	dir := os.TempDir()
	if len(dir) < 60 && (os.Geteuid() != 0 || openToAll(dir)) {
		return dir
	}
	return "/tmp"
}

// openToAll tells whether every account may write in a folder.
func openToAll(dir string) bool {
	info, err := os.Stat(dir)
	writable := err == nil && info.Mode()&0o003 == 0o003
	for writable && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		info, err = os.Stat(dir)
		writable = err == nil && info.Mode()&0o001 != 0
	}
	return writable
}
