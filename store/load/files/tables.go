package files

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// IsCSV says by its name whether a file is a table, compressed or not.
func IsCSV(path string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(path), ".gz"), ".csv")
}

// Tables gives the CSV files of a zip that holds no descriptor of that name, in order, under the rules for a zip of a package. Most
// is how many bytes it may unpack to.
func Tables(data io.ReaderAt, size, most int64, descriptor string) (files fs.FS, paths []string, err error) {
	if !IsZip(data) {
		return nil, nil, badZip("what was sent is no zip that holds files")
	}
	a, err := readZip(data, size, most)
	if err != nil {
		return nil, nil, err
	}
	for name := range a.entries {
		hidden := strings.HasPrefix(path.Base(name), ".") || strings.HasPrefix(name, "__MACOSX/")
		switch {
		case path.Base(name) == descriptor:
			return nil, nil, badZip("it holds %s, which names the cube: send it without a name", name)
		case IsCSV(name) && !hidden:
			paths = append(paths, name)
		}
	}
	if len(paths) == 0 {
		return nil, nil, badZip("it holds no CSV files")
	}
	slices.Sort(paths)
	return a, paths, nil
}

// OneFile is a folder that holds a file that was sent. The data are read as long as the folder is used.
func OneFile(name string, data io.ReaderAt, size int64) fs.FS { return sentFolder{name, data, size} }

type sentFolder struct {
	name string
	data io.ReaderAt
	size int64
}

// Open implements fs.FS.
func (f sentFolder) Open(name string) (fs.File, error) {
	if name != f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &sentFile{SectionReader: io.NewSectionReader(f.data, 0, f.size), sentFolder: f}, nil
}

// sentFile is an open file that was sent, and what is known of it.
type sentFile struct {
	*io.SectionReader
	sentFolder
}

// Stat implements fs.File.
func (f *sentFile) Stat() (fs.FileInfo, error) { return f, nil }

// Close implements fs.File.
func (*sentFile) Close() error { return nil }

// Name implements fs.FileInfo.
func (f *sentFile) Name() string { return f.name }

// Size implements fs.FileInfo.
func (f *sentFile) Size() int64 { return f.size }

// Mode implements fs.FileInfo.
func (*sentFile) Mode() fs.FileMode { return 0o444 }

// ModTime implements fs.FileInfo.
func (*sentFile) ModTime() time.Time { return time.Time{} }

// IsDir implements fs.FileInfo.
func (*sentFile) IsDir() bool { return false }

// Sys implements fs.FileInfo.
func (*sentFile) Sys() any { return nil }
