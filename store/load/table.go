package load

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"fiscube/cube"
)

// table reads the rows of one resource.
type table struct {
	resource *cube.Resource
	file     *file
	csv      *csv.Reader
	closer   io.Closer
}

// errCSV is a mistake in the form of a file, and where it stands.
type errCSV struct {
	code, message string
	line          int64
}

// Error implements error.
func (e *errCSV) Error() string { return e.message }

// openTable opens the file of a resource; read is told of every byte.
func openTable(ctx context.Context, files fs.FS, r *cube.Resource, read func(n int)) (*table, error) {
	f, err := files.Open(r.Path)
	if err != nil {
		return nil, &errCSV{code: CodeMissingFile, message: fmt.Sprintf("%s cannot be read: %v", r.Path, reason(err))}
	}
	t := &table{resource: r, file: newFile(ctx, f, read), closer: f}
	buffer := t.file.buffered()
	if start, _ := buffer.Peek(len(lfsStart)); string(start) == lfsStart {
		_ = f.Close()
		return nil, &errCSV{CodeLFSPointer, r.Path + " is a Git LFS pointer, not the file itself: fetch it with git lfs pull", 1}
	}
	t.csv = csv.NewReader(buffer)
	t.csv.ReuseRecord = true
	t.csv.FieldsPerRecord = -1
	if r.Dialect.Delimiter != "" {
		t.csv.Comma = []rune(r.Dialect.Delimiter)[0]
	}
	return t, nil
}

// lfsStart begins every Git LFS pointer (git-lfs, docs/spec.md).
const lfsStart = "version https://git-lfs.github.com/spec/"

// header reads the first line and compares it with the schema, name by name.
func (t *table) header() error {
	record, err := t.csv.Read()
	if errors.Is(err, io.EOF) {
		return &errCSV{CodeHeaderDiffers, "the file is empty", 1}
	}
	if err != nil {
		return t.wrap(err)
	}
	fields := t.resource.Schema.Fields
	for i := range max(len(record), len(fields)) {
		switch {
		case i >= len(record):
			return &errCSV{CodeHeaderDiffers, fmt.Sprintf("the header ends before field %s", fields[i].Name), 1}
		case i >= len(fields):
			return &errCSV{CodeHeaderDiffers, fmt.Sprintf("the header has a column %q that the schema lacks", record[i]), 1}
		case record[i] != fields[i].Name:
			return &errCSV{CodeHeaderDiffers, fmt.Sprintf("column %d is %q, in the schema %q", i+1, record[i], fields[i].Name), 1}
		}
	}
	return nil
}

// record is one row of a file with the line at which it begins. Cells are used again for the next.
type record struct {
	line  int64
	cells []string
}

// records reads the rows below the header. A row with too many or too few cells is an error and the reading
// goes on; any other error ends it.
func (t *table) records() iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		for {
			cells, err := t.csv.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(record{}, t.wrap(err))
				return
			}
			line, _ := t.csv.FieldPos(0)
			if !yield(record{int64(line), cells}, t.count(cells, line)) {
				return
			}
		}
	}
}

func (t *table) count(cells []string, line int) error {
	if want := len(t.resource.Schema.Fields); len(cells) != want {
		return &errCSV{CodeCellCount, fmt.Sprintf("the row has %d cells, the schema %d fields", len(cells), want), int64(line)}
	}
	return nil
}

// wrap turns the parser's error into ours, with the line at which the row begins.
func (t *table) wrap(err error) error {
	var bytes *errBytes
	if errors.As(err, &bytes) {
		return &errCSV{bytes.code, bytes.message, bytes.line}
	}
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		message := "a quote stands inside a cell, or is not closed"
		return &errCSV{CodeBadQuote, message, int64(parse.StartLine)}
	}
	return fmt.Errorf("read %s: %w", t.resource.Path, err)
}

func (t *table) close() { _ = t.closer.Close() }

// isMissing tells for a schema which cells mean missing.
func isMissing(s cube.Schema) func(cell string) bool {
	values := s.MissingValues
	if len(values) == 0 || len(values) == 1 && values[0] == "" {
		return func(cell string) bool { return cell == "" }
	}
	return func(cell string) bool { return cell == "" || slices.Contains(values, cell) }
}

// number reads a whole number or an amount: the canonical digits, and how many stand before and after the
// point. Outer space is trimmed.
func number(cell string) (digits string, before, after int, ok bool) {
	cell = strings.TrimSpace(cell)
	rest := strings.TrimPrefix(cell, "-")
	for i := range len(rest) {
		switch c := rest[i]; {
		case c >= '0' && c <= '9' && after == 0:
			before++
		case c >= '0' && c <= '9':
			after++
		case c == '.' && after == 0:
			after = 1 // the point itself, taken off below
		default:
			return "", 0, 0, false
		}
	}
	if after > 0 {
		after--
	}
	return strings.TrimSuffix(cell, "."), before, after, before+after > 0
}
