//go:build unix

package main

import (
	"errors"
	"io"
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
	folder string
	source string // the file with the content
	pipe   string
	open   *os.File
}

// pipe makes a piped copy of a package of one file.
func pipe(t testing.TB, folder string) *piped {
	t.Helper()
	path := describe(t, os.DirFS(folder)).Resources[0].Path
	p := &piped{folder: t.TempDir(), source: filepath.Join(folder, path)}
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

// feed waits until the loader reads the file, and writes a part of it.
func (p *piped) feed(t testing.TB, part float64) {
	t.Helper()
	eventually(t, "the loader opens its file", patience, func() bool {
		var err error
		p.open, err = os.OpenFile(p.pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		return err == nil
	})
	if err := p.copy(part); err != nil {
		t.Fatal(err)
	}
}

func (p *piped) copy(part float64) error {
	source, err := os.Open(p.source)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	_ = p.open.SetWriteDeadline(time.Now().Add(patience))
	_, err = io.CopyN(p.open, source, int64(part*float64(info.Size())))
	return err
}

// survey lets the survey read the whole file.
func (p *piped) survey(t testing.TB) {
	t.Helper()
	p.feed(t, 1)
	p.renew(t)
	p.close()
}

// close ends the file for the loader.
func (p *piped) close() { _ = p.open.Close() }

// feedOn writes the whole file over and over until the loader has let go of it.
func (p *piped) feedOn(t testing.TB) {
	t.Helper()
	for began := time.Now(); time.Since(began) < patience; {
		if err := p.copy(1); errors.Is(err, syscall.EPIPE) {
			return
		}
	}
	t.Fatal("the loader reads on and on")
}
