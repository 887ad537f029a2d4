// Package backup puts what a store writes of itself in its place: a file, and perhaps a folder of files beside it.
package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"fiscube/cube"
)

// FilesEnding is what the name of the folder with published files has behind that of the database that they belong to.
const FilesEnding = ".files"

// Write lets a store write itself to a temporary path in the folder of file, and gives that its name when all is there. The folder of
// files of the backup, if it has one, comes before the file. A file that is there stays unless it may be replaced.
func Write(file string, replace bool, write func(path string) error) error {
	for _, path := range []string{file, file + ".wal"} {
		if _, err := os.Lstat(path); err == nil && !replace {
			return cube.Errorf(cube.CodeConflict, "%s is there already", path).WithHint("name another file, or say --force to replace it")
		}
	}
	folder, err := os.MkdirTemp(filepath.Dir(file), ".fiscube-backup-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	written := filepath.Join(folder, filepath.Base(file))
	if err := write(written); err != nil {
		return err
	}
	if err := moveFiles(written+FilesEnding, file+FilesEnding); err != nil {
		return err
	}
	if !replace {
		if err := os.Link(written, file); err == nil || errors.Is(err, fs.ErrExist) { // else this file system has no links
			return err
		}
	}
	if err := os.Remove(file + ".wal"); err != nil && !errors.Is(err, fs.ErrNotExist) { // of what is replaced: it would be read into the backup
		return err
	}
	return os.Rename(written, file)
}

// moveFiles moves the files of a folder, whose names say what is in them.
func moveFiles(from, to string) error {
	files, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.MkdirAll(to, 0o777)
	}
	for _, f := range files {
		if err == nil {
			err = os.Rename(filepath.Join(from, f.Name()), filepath.Join(to, f.Name()))
		}
	}
	return err
}

// CopyFiles copies the files of a folder that the other has not, where there is such a folder.
func CopyFiles(from, to string) error {
	files, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		target := filepath.Join(to, f.Name())
		if _, err := os.Stat(target); err == nil || !f.Type().IsRegular() {
			continue
		}
		if err := copyFile(filepath.Join(from, f.Name()), target); err != nil && !errors.Is(err, fs.ErrNotExist) { // it has been removed meanwhile
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = out.ReadFrom(in)
	return errors.Join(err, out.Sync(), out.Close())
}
