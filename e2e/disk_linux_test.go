package e2e

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fiscube/internal/testrequire"
)

// disk is a file system of its own.
type disk struct{ folder string }

// mount makes a disk of so many megabytes, where the tests may do so.
func mount(t testing.TB, megabytes string) disk {
	t.Helper()
	d := disk{t.TempDir()}
	if err := syscall.Mount("fiscube-test", d.folder, "tmpfs", 0, "size="+megabytes+"m"); err != nil {
		testrequire.Skip(t, "mount", "no file system can be mounted here: "+err.Error())
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d
}

// db is the address of the store on the disk.
func (d disk) db() string { return "duckdb:" + filepath.Join(d.folder, "budgets.duckdb") }

// fill leaves no space.
func (d disk) fill(t testing.TB) {
	t.Helper()
	file, err := os.Create(filepath.Join(d.folder, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if _, err := io.Copy(file, zeros{}); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

// zeros never ends.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// close makes the disk read-only.
func (d disk) close(t testing.TB) {
	t.Helper()
	if err := syscall.Mount("", d.folder, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
}

// withLog loads a package and kills the server, so that a log is left beside the file.
func (d disk) withLog(t testing.TB) {
	t.Helper()
	killed := serve(t, d.db())
	must(t, "load", "--db", d.db(), small())
	killed.kill(t)
	if log, err := os.Stat(fileOf(d.db()) + ".wal"); err != nil || log.Size() == 0 {
		t.Fatal("there is no log", err)
	}
}

// A server reads on when it can write nothing, and says so once.
func TestServe_ReadsFromADiskThatTakesNothing(t *testing.T) {
	t.Parallel()
	want := addUp(t, os.DirFS(small()), []string{"Year"})[0]
	for _, test := range []struct {
		name string
		make func(d disk, t testing.TB)
		says string
	}{
		{"full", disk.fill, "the log is not written to the file"},
		{"read-only", disk.close, "the store can only be read"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := mount(t, "30")
			d.withLog(t)
			test.make(d, t)
			s := serve(t, d.db())
			s.agree(t, "budget", "Year", want)
			if n := strings.Count(s.err.String(), test.says); n != 1 {
				t.Errorf("it says %d times that %s:\n%s", n, test.says, s)
			}
			s.stop(t)
		})
	}
}

func TestLoad_IntoAFileThatCanOnlyBeReadSaysWhy(t *testing.T) {
	t.Parallel()
	d := mount(t, "30")
	d.withLog(t)
	d.close(t)
	says(t, must(t, "list", "--db", d.db()), "budget")
	fails(t, exitFailed, []string{"load", "--db", d.db(), medium()}, "the store can only be read: ", "read-only file system")
}

// A load over HTTP that finds the disk full says so and what to do, and the server goes on.
func TestJob_OnAFullDiskSaysSo(t *testing.T) {
	t.Parallel()
	d := mount(t, "12")
	must(t, "load", "--db", d.db(), small())
	s := serveWithToken(t, d.db())
	r := fiscube(t, s.there(t, "load", zippedFolder(t, big()))...)
	if r.code != exitFailed {
		t.Errorf("exit code %d", r.code)
	}
	says(t, r.err, "there is no space left on the disk of the database", "fiscube prune")
	s.agree(t, "budget", "Year", addUp(t, os.DirFS(small()), []string{"Year"})[0])
	s.stop(t)
}

// A rollback that finds the disk full says so, too, and the version before stays served.
func TestRollback_OnAFullDiskSaysSo(t *testing.T) {
	t.Parallel()
	d := mount(t, "30")
	must(t, "load", "--db", d.db(), small())
	d.fill(t)
	fails(t, exitFailed, []string{"rollback", "--db", d.db(), "budget", "1"}, "there is no space left on the disk of the database", "fiscube prune")
	says(t, must(t, "list", "--db", d.db()), "budget")
}

// A load in whose commit the log is written to the file, for which there is no space, says so. Nothing is lost, and the
// server answers on, and loads again once there is space.
func TestJob_OnADiskThatIsFullInTheCommitLeavesTheServerWhole(t *testing.T) {
	testrequire.Long(t)
	t.Parallel()
	d := mount(t, "120")
	s := serveWithToken(t, d.db())
	// DuckDB writes the log to the file with the commit that makes it longer than 16 MB. Rows are not in it, but members. There is space for what the
	// commit adds, but not for the whole.
	logged, another := grow(t.TempDir(), "logged", growth{copies: 25, code: 1700}), grow(t.TempDir(), "another", growth{copies: 5, code: 1700})
	must(t, s.there(t, "load", zippedFolder(t, logged))...)
	if log := sizeOf(t, fileOf(d.db())+".wal"); log <= 13<<20 || log >= 16<<20 {
		t.Fatalf("the log has %d bytes", log)
	}
	want := addUp(t, os.DirFS(logged), []string{"Year"})[0]
	d.fillBut(t, 5<<20)
	r := fiscube(t, s.there(t, "load", zippedFolder(t, another))...)
	if r.code != exitFailed {
		t.Errorf("exit code %d", r.code)
	}
	says(t, r.err, "there is no space left on the disk of the database", "fiscube prune")
	says(t, s.err.String(), "Failed to create checkpoint", "the database file is opened again")
	s.agree(t, "logged", "Year", want)
	check(os.Remove(filepath.Join(d.folder, "fill")))
	must(t, s.there(t, "load", zippedFolder(t, another))...)
	s.agree(t, "logged", "Year", want)
	s.stop(t)
	says(t, must(t, "list", "--db", d.db()), "logged", "another")
}

// fillBut leaves so many bytes.
func (d disk) fillBut(t testing.TB, bytes int64) {
	t.Helper()
	var space syscall.Statfs_t
	check(syscall.Statfs(d.folder, &space))
	file, err := os.Create(filepath.Join(d.folder, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if _, err := io.CopyN(file, zeros{}, int64(space.Bavail)*space.Bsize-bytes); err != nil {
		t.Fatal(err)
	}
}

func sizeOf(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
