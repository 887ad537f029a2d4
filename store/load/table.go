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
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
)

// table reads the rows of one resource.
type table struct {
	resource *cube.Resource
	path     string // of the file that is read: the resource's own, or that of its compressed form
	file     *file
	packed   *packed // nil where the file is not compressed
	csv      *csv.Reader
	closer   io.Closer

	unnamed int   // columns at the end that neither the header nor any row fills
	blank   int64 // rows left out so far because they hold nothing
	end     int64 // the line at which the last row ended
}

// CodeFetchFailed is the finding of a resource at a URL that could not be fetched.
const CodeFetchFailed = "fetch-failed"

// openTable opens the file of a resource; read is called with the number of bytes of each read of its
// text as published.
func openTable(ctx context.Context, files *folder, r *cube.Resource, read func(n int)) (*table, error) {
	data, path, err := files.openResource(ctx, r.Path)
	if err != nil {
		return nil, cannotOpen(ctx, path, err)
	}
	t := &table{resource: r, path: path, closer: data}
	source := io.Reader(data)
	if isGzip(path) {
		t.packed = newPacked(source, files.most)
		source = t.packed
	}
	t.file = newFile(ctx, source, r.Encoding, read)
	buffer := t.file.buffered()
	if start, _ := buffer.Peek(len(lfsStart)); string(start) == lfsStart {
		t.close()
		return nil, &fileError{CodeLFSPointer, path + " is a Git LFS pointer, not the file itself: fetch it with git lfs pull", 1}
	}
	t.csv = newCSV(buffer, r.Dialect)
	return t, nil
}

func cannotOpen(ctx context.Context, path string, err error) error {
	var failed *errFetch
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &failed) && !errors.Is(err, fs.ErrNotExist):
		return &fileError{code: CodeFetchFailed, message: fmt.Sprintf("%s cannot be fetched: %v", path, failed.cause)}
	}
	return &fileError{code: CodeMissingFile, message: fmt.Sprintf("%s cannot be read: %v", path, reason(err))}
}

// newCSV parses text as encoding/csv does: quotes inside a cell are doubled, and a line break in a cell becomes
// a line feed, whatever it was.
func newCSV(text io.Reader, d cube.Dialect) *csv.Reader {
	r := csv.NewReader(text)
	r.ReuseRecord = true
	r.FieldsPerRecord = -1
	if d.Delimiter != "" {
		r.Comma, _ = utf8.DecodeRuneInString(d.Delimiter)
	}
	return r
}

// lfsStart begins every Git LFS pointer (git-lfs, docs/spec.md).
const lfsStart = "version https://git-lfs.github.com/spec/"

// header reads the first line and compares it with the schema, name by name.
func (t *table) header() error {
	record, line, err := t.next()
	if errors.Is(err, io.EOF) {
		return &fileError{CodeHeaderDiffers, "the file is empty", 1}
	}
	if err != nil {
		return t.wrap(err)
	}
	fields := t.resource.Schema.Fields
	for len(record) > len(fields) && isBlank(record[len(record)-1:]) {
		t.unnamed++
		record = record[:len(record)-1]
	}
	if mark := t.otherDelimiter(record); mark != "" {
		return headerDiffers(line, "the columns are separated by %q: declare it as delimiter in the dialect of the resource", mark)
	}
	for i := range max(len(record), len(fields)) {
		switch {
		case i >= len(record):
			return headerDiffers(line, "the header ends before field %s", fields[i].Name)
		case i >= len(fields):
			return headerDiffers(line, "the header has a column %q that the schema lacks", record[i])
		case record[i] != fields[i].Name:
			return headerDiffers(line, "column %d is %q, in the schema %q", i+1, record[i], fields[i].Name)
		}
	}
	return nil
}

// otherDelimiter gives the character that separates the names of the schema in a header that was read as one name.
func (t *table) otherDelimiter(header []string) string {
	names := fieldNames(t.resource.Schema)
	if len(header) != 1 || len(names) < 2 {
		return ""
	}
	for _, mark := range []string{";", ",", "\t", "|"} {
		parts := strings.Split(header[0], mark)
		for i := range parts {
			parts[i] = strings.Trim(parts[i], `" `)
		}
		if len(parts) == len(names) || len(parts) > 1 && parts[0] == names[0] {
			return mark
		}
	}
	return ""
}

func headerDiffers(line int64, format string, args ...any) error {
	return &fileError{CodeHeaderDiffers, fmt.Sprintf(format, args...), line}
}

// record is one row of a file with the line at which it begins. Cells are used again for the next.
type record struct {
	line  int64
	cells []string
	codes []uint32 // of the cells, once the row is kept
}

// records reads the rows below the header, leaving out those that hold nothing. A row with too many or too few
// cells is an error and the reading goes on; any other error ends it.
func (t *table) records() iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		for {
			cells, line, err := t.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(record{}, t.wrap(err))
				return
			}
			if isBlank(cells) {
				t.blank++
				continue
			}
			cells, err = t.fit(cells, line)
			if !yield(record{line: line, cells: cells}, err) {
				return
			}
		}
	}
}

// next reads a row and the line at which it begins. The parser skips empty lines silently, so they are counted as those between the end of one row and the start of the next.
func (t *table) next() (cells []string, line int64, err error) {
	cells, err = t.csv.Read()
	if errors.Is(err, io.EOF) {
		t.blank += t.file.lines() - t.end
		t.end = t.file.lines()
	}
	if err != nil {
		return nil, 0, err
	}
	first, _ := t.csv.FieldPos(0)
	last, _ := t.csv.FieldPos(len(cells) - 1)
	t.blank += int64(first) - t.end - 1
	t.end = int64(last + strings.Count(cells[len(cells)-1], "\n"))
	return cells, int64(first), nil
}

// isBlank says whether there is nothing in any cell but space.
func isBlank(cells []string) bool {
	for _, cell := range cells {
		if strings.TrimSpace(cell) != "" {
			return false
		}
	}
	return true
}

// fit takes the cells of the columns without a name off a row: they must be empty.
func (t *table) fit(cells []string, line int64) ([]string, error) {
	want := len(t.resource.Schema.Fields)
	switch {
	case len(cells) < want || len(cells) > want+t.unnamed:
		return cells, &fileError{CodeCellCount, fmt.Sprintf("the row has %d cells, the schema %d fields", len(cells), want), line}
	case !isBlank(cells[want:]):
		return cells, &fileError{CodeCellCount, fmt.Sprintf("the row has a cell after the last of the schema's %d fields, in a column without a name", want), line}
	}
	return cells[:want], nil
}

// wrap turns the parser's error into ours, with the line at which the row begins.
func (t *table) wrap(err error) error {
	var known *fileError
	var parse *csv.ParseError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &parse):
		return &fileError{CodeBadQuote, "a quote stands inside a cell, or is not closed", int64(parse.StartLine)}
	}
	return fmt.Errorf("read %s: %w", t.resource.Path, err)
}

func (t *table) close() { _ = t.closer.Close() }

// isMissing gives the test of a schema for cells that mean missing.
func isMissing(s cube.Schema) func(cell string) bool {
	values := s.MissingValues
	if len(values) == 0 || len(values) == 1 && values[0] == "" {
		return func(cell string) bool { return cell == "" }
	}
	return func(cell string) bool { return cell == "" || slices.Contains(values, cell) }
}

// The codes of findings that say how a file was read.
const (
	CodeReadCompressed = "read-compressed"
	CodeBlankRows      = "blank-rows"
	CodeUnnamedColumns = "unnamed-columns"
)

// notes says what was assumed in reading the file to its end.
func (t *table) notes() []findings.Finding {
	var notes []findings.Finding
	note := func(code string, params findings.Params) {
		f := findings.Finding{Code: code, Severity: findings.SeverityInfo, Resource: t.resource.Name}
		notes = append(notes, prose.Describe(f, "", params))
	}
	if t.path != t.resource.Path {
		note(CodeReadCompressed, findings.Params{"path": t.resource.Path, "read": t.path})
	}
	if t.blank > 0 {
		note(CodeBlankRows, findings.Params{"rows": int64(t.blank)})
	}
	if t.unnamed > 0 {
		note(CodeUnnamedColumns, findings.Params{"columns": int64(t.unnamed)})
	}
	return notes
}

// isBytes says whether a declared size is that of the file, compressed or not: publishers declare either.
func (t *table) isBytes(declared int64) bool {
	return declared == t.file.bytes || t.packed != nil && declared == t.packed.bytes
}

// isHash says the same of a declared SHA-256 in lower-case hex.
func (t *table) isHash(declared string) bool {
	return declared == t.file.hash() || t.packed != nil && declared == t.packed.hash()
}
