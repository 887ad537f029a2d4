//go:build cgo

package duckdb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"fiscube/store/backup"
	"fiscube/store/catalogue"
	"fiscube/store/parts"
)

// files is the folder of published files: FILE.files beside the file of the database. What a file is named by says what is in it, and each is
// written whole before it has its name, so that versions share it, and nothing has to be undone.
type files struct {
	folder    string
	temporary bool // it goes when the store is closed
}

// hashed is what files are named by.
var hashed = regexp.MustCompile(`^[0-9a-f]{64}$`)

const packedEnding = ".zst"

func filesBeside(database string) (f files, err error) {
	if database != Memory {
		return files{folder: database + backup.FilesEnding}, nil
	}
	f.temporary = true
	f.folder, err = os.MkdirTemp("", "fiscube-*.files")
	return f, err
}

func (f files) close() error {
	if !f.temporary {
		return nil
	}
	return os.RemoveAll(f.folder)
}

func (f files) path(hash string) string { return filepath.Join(f.folder, hash+packedEnding) }

// keep implements catalogue.KeepFile. A file is there for good when the load commits.
func (f files) keep(_ context.Context, file catalogue.File) error {
	if !hashed.MatchString(file.Hash) {
		return fmt.Errorf("%q is no hash of a file", file.Hash)
	}
	if _, err := os.Stat(f.path(file.Hash)); err == nil {
		return nil
	}
	if err := os.MkdirAll(f.folder, 0o777); err != nil {
		return err
	}
	begun, err := os.Create(f.path(file.Hash) + ".begun")
	if err != nil {
		return err
	}
	err = errors.Join(parts.WriteFile(begun, file.Parts), begun.Sync(), begun.Close())
	if err == nil {
		err = os.Rename(begun.Name(), f.path(file.Hash))
	}
	if err != nil {
		return fmt.Errorf("keep a published file: %w", err)
	}
	return syncFolder(f.folder)
}

// syncFolder makes the names of the files in a folder last. Some systems do not know that of folders.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = folder.Sync()
	return folder.Close()
}

// FilePart implements catalogue.FileKeeper.
func (s *Store) FilePart(_ context.Context, hash string, from int64) ([]byte, error) {
	if !hashed.MatchString(hash) {
		return nil, catalogue.NotKept()
	}
	file, err := os.Open(s.files.path(hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, catalogue.NotKept()
	}
	if err != nil {
		return nil, fmt.Errorf("read a published file: %w", err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	part, err := parts.ReadPart(file, info.Size(), int(from/parts.Size))
	if err != nil {
		return nil, err
	}
	return parts.From(part, from)
}

// sweepFiles removes the files that no version has, and those that a load has not written to their end. Nobody else may write meanwhile. What
// cannot be removed now is removed at the next start.
func (s *Store) sweepFiles(ctx context.Context) {
	err := s.exec(ctx, catalogue.ForgetFiles)
	there, missing := os.ReadDir(s.files.folder)
	if err == nil && errors.Is(missing, fs.ErrNotExist) {
		return
	}
	var wanted map[string]bool
	if err = errors.Join(err, missing); err == nil {
		wanted, err = s.versions.Files(ctx)
	}
	if err != nil {
		s.log.Warn("files of removed versions remain", "error", err)
		return
	}
	for _, file := range there {
		hash, _, _ := strings.Cut(file.Name(), ".")
		if !hashed.MatchString(hash) || file.Name() == hash+packedEnding && wanted[hash] {
			continue
		}
		if err := os.Remove(filepath.Join(s.files.folder, file.Name())); err != nil {
			s.log.Warn("a file of a removed version remains", "error", err)
		}
	}
	_ = os.Remove(s.files.folder) // where nothing is left in it
}
