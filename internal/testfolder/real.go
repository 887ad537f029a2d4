package testfolder

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/internal/testrequire"
)

// Real gives the path of a folder with one of the real packages, ready to be loaded, which are in
// ../shared/data beside the checkout. Without them t is skipped.
func Real(t testing.TB, name string) string {
	t.Helper()
	source := filepath.Join(Checkout(t), "..", "shared", "data", name)
	if _, err := os.Stat(source); err != nil {
		testrequire.Skip(t, "data", "the real package "+name+" is not in ../shared/data beside the checkout")
	}
	packed, err := filepath.Glob(filepath.Join(source, "data", "*.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if len(packed) == 0 {
		return source
	}
	target := t.TempDir()
	if err := unpack(os.DirFS(source), target); err != nil {
		t.Fatalf("unpack %s: %v", source, err)
	}
	return target
}

// Checkout is the nearest folder above that holds go.mod; tests run in the folder of their package.
func Checkout(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no folder above holds go.mod")
		}
		dir = filepath.Dir(dir)
	}
}

// unpack copies a folder and unpacks the .gz files on the way.
func unpack(source fs.FS, target string) error {
	return fs.WalkDir(source, ".", func(path string, entry fs.DirEntry, err error) error {
		to := filepath.Join(target, filepath.FromSlash(path))
		if err != nil || entry.IsDir() {
			return errors.Join(err, os.MkdirAll(to, 0o700))
		}
		return unpackFile(source, path, to)
	})
}

func unpackFile(source fs.FS, path, to string) error {
	from, err := source.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	content := io.Reader(from)
	if strings.HasSuffix(path, ".gz") {
		to = strings.TrimSuffix(to, ".gz")
		if content, err = gzip.NewReader(from); err != nil {
			return err
		}
	}
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
