package files

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// tableEndings end the names of files that people take for tables. XLS and ODS are refused with what to do.
var tableEndings = []string{".csv", ".tsv", ".tab", ".xlsx", ".xls", ".ods"}

// IsTable says by its name whether a file is a table, compressed or not.
func IsTable(path string) bool {
	return slices.Contains(tableEndings, ending(path))
}

func ending(name string) string {
	return path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))
}

// TablesIn says which of the files of a folder are tables, in order: those whose names say so, and texts whose first line has a mark between columns.
// What is hidden is none.
func TablesIn(folder fs.FS) (paths []string, err error) {
	err = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(entry.Name(), ".") && name != "." || entry.Name() == "__MACOSX"
		switch {
		case err != nil:
			return err
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden || !entry.Type().IsRegular():
		case isTableIn(folder, name):
			paths = append(paths, name)
		}
		return nil
	})
	return paths, err
}

func isTableIn(folder fs.FS, name string) bool {
	if ending(name) != ".txt" || strings.HasSuffix(name, ".gz") {
		return IsTable(name)
	}
	f, err := folder.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	start, _ := io.ReadAll(io.LimitReader(f, 1<<12))
	first, _, _ := strings.Cut(string(start), "\n")
	return strings.ContainsAny(first, "\t;|")
}

// Tables gives the tables of a zip that holds no descriptor of that name, in order, under the rules for a zip of a package. Most
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
		case !hidden && isTableIn(a, name):
			paths = append(paths, name)
		}
	}
	if len(paths) == 0 {
		return nil, nil, badZip("it holds no tables, such as CSV files")
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
