//go:build unix

package e2e

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// piped is a package whose one file is a pipe, so that a test decides how far a load comes: the loader waits
// for what the test has not yet written. Each of its two readings, of the survey and of the rows, has a pipe of
// its own.
type piped struct {
	folder  string
	content string // the file with what is written
	pipe    string
	from    *os.File // the content, read as far as it is written
	to      *os.File
}

// pipe makes a piped copy of a package of one file.
func pipe(t testing.TB, folder string) *piped {
	t.Helper()
	path := describe(t, os.DirFS(folder)).Resources[0].Path
	p := &piped{folder: t.TempDir(), content: filepath.Join(folder, path)}
	p.pipe = filepath.Join(p.folder, path)
	descriptor, err := os.ReadFile(filepath.Join(folder, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(p.folder, "datapackage.json"), descriptor)
	if err := os.Mkdir(filepath.Dir(p.pipe), 0o755); err != nil {
		t.Fatal(err)
	}
	p.renew(t)
	t.Cleanup(p.close)
	return p
}

// renew puts a new pipe in the place of the last, which its reader keeps.
func (p *piped) renew(t testing.TB) {
	t.Helper()
	next := p.pipe + ".next"
	if err := syscall.Mkfifo(next, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, p.pipe); err != nil {
		t.Fatal(err)
	}
}

// feed waits until the loader opens its file, and writes a part of it, from the beginning.
func (p *piped) feed(t testing.TB, part float64) {
	t.Helper()
	eventually(t, "the loader opens its file", patience, func() bool {
		var err error
		p.to, err = os.OpenFile(p.pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		return err == nil
	})
	var err error
	if p.from, err = os.Open(p.content); err != nil {
		t.Fatal(err)
	}
	info, err := p.from.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.copy(int64(part * float64(info.Size()))); err != nil {
		t.Fatal(err)
	}
}

// copy writes the next bytes, for whose every chunk the loader may take its time.
func (p *piped) copy(n int64) error {
	const chunk = 1 << 20
	for ; n > 0; n -= chunk {
		if err := p.to.SetWriteDeadline(time.Now().Add(patience)); err != nil {
			return err
		}
		if _, err := io.CopyN(p.to, p.from, min(n, chunk)); err != nil {
			return err
		}
	}
	return nil
}

// survey lets the survey read the whole file.
func (p *piped) survey(t testing.TB) {
	t.Helper()
	p.feed(t, 1)
	p.renew(t)
	p.close()
}

// close ends the file for the loader.
func (p *piped) close() {
	_ = p.from.Close()
	_ = p.to.Close()
}

// isLeft writes on until the loader lets go of its file, which has to be before its end.
func (p *piped) isLeft(t testing.TB) {
	t.Helper()
	if err := p.copy(math.MaxInt64); !errors.Is(err, syscall.EPIPE) {
		t.Fatalf("the loader read to the end: %v", err)
	}
}
