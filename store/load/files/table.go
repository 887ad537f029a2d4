package files

import (
	"bufio"
	"cmp"
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

// Table reads the rows of one resource.
type Table struct {
	resource *cube.Resource
	path     string // of the file that is read: the resource's own, or that of its compressed form
	file     *file
	packed   *packed // nil where the file is not compressed
	csv      lines
	book     bool     // they are those of a workbook, one line of text for each
	sheets   []string // the visible ones of the workbook
	closer   io.Closer
	first    []string // a row that stands where a header might; nil for none
	firstAt  int64

	unnamed int   // columns at the end that neither the header nor any row fills
	short   int64 // rows that end early
	blank   int64 // rows left out so far because they hold nothing
	end     int64 // the line at which the last row ended
}

// OpenTable opens the file of a resource; read is called with the bytes of each read of its
// text as published.
func OpenTable(ctx context.Context, files *Folder, r *cube.Resource, read func(p []byte)) (*Table, error) {
	if r.Data != nil {
		t := &Table{resource: r, path: r.Path, closer: io.NopCloser(nil)}
		t.file = newFile(ctx, strings.NewReader(written(r.Data)), "", read)
		t.csv = newCSV(t.file.buffered(), cube.Dialect{})
		return t, nil
	}
	data, path, err := files.OpenResource(ctx, r.Path)
	if err != nil {
		return nil, cannotOpen(ctx, path, err)
	}
	if r.Packed == "zip" {
		if data, err = unzipped(data, files.most); err != nil {
			return nil, err
		}
	}
	t := &Table{resource: r, path: path, closer: data}
	source := io.Reader(data)
	if isGzip(path) || r.Packed == "gz" {
		t.packed = newPacked(source, files.most)
		source = t.packed
	}
	if r.IsWorkbook() {
		err = t.openWorkbook(ctx, source, files.most, read)
	} else {
		err = t.openText(ctx, source, read)
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

func (t *Table) openText(ctx context.Context, source io.Reader, read func(p []byte)) error {
	t.file = newFile(ctx, source, t.resource.Encoding, read)
	buffer := t.file.buffered()
	if start, _ := buffer.Peek(len(lfsStart)); isLFS(start) {
		return t.lfsPointer()
	}
	t.csv = newCSV(buffer, t.resource.Dialect)
	return nil
}

// openWorkbook opens the sheet of a workbook, all of which is read first: its list of parts is at its end.
func (t *Table) openWorkbook(ctx context.Context, source io.Reader, most int64, read func(p []byte)) error {
	t.book, t.file = true, newFile(ctx, source, "", read)
	t.file.binary = true
	data := bufio.NewReader(t.file.published)
	if start, _ := data.Peek(len(lfsStart)); isLFS(start) {
		return t.lfsPointer()
	}
	book, err := openWorkbook(ctx, data, most)
	if err == nil {
		for _, s := range book.sheets {
			if !s.hidden {
				t.sheets = append(t.sheets, s.name)
			}
		}
	}
	if err != nil {
		return err
	}
	t.closer = both{book, t.closer}
	s, err := book.open(t.resource.Dialect, t.resource.FileFields())
	if err != nil {
		return err
	}
	t.csv, t.closer = s, both{s, t.closer}
	return nil
}

// both closes one after the other.
type both struct{ first, second io.Closer }

// Close implements io.Closer.
func (b both) Close() error { return errors.Join(b.first.Close(), b.second.Close()) }

func isLFS(start []byte) bool { return string(start) == lfsStart }

func (t *Table) lfsPointer() error {
	return &Mistake{CodeLFSPointer, t.path + " is a Git LFS pointer, not the file itself: fetch it with git lfs pull", 1}
}

// written writes rows as CSV.
func written(rows [][]string) string {
	var text strings.Builder
	w := csv.NewWriter(&text)
	_ = w.WriteAll(rows) // a Builder takes everything
	return text.String()
}

func cannotOpen(ctx context.Context, path string, err error) error {
	var failed *errFetch
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &failed) && !errors.Is(err, fs.ErrNotExist):
		return &Mistake{Code: CodeFetchFailed, Message: fmt.Sprintf("%s cannot be fetched: %v", path, failed.cause)}
	}
	return &Mistake{Code: CodeMissingFile, Message: fmt.Sprintf("%s cannot be read: %v", path, reason(err))}
}

// lines reads the rows of a table. FieldPos gives the line, from 1, on which a cell of the last row begins.
type lines interface {
	Read() (cells []string, err error)
	FieldPos(cell int) (line, column int)
}

// newCSV parses text as encoding/csv does: quotes inside a cell are doubled, and a line break in a cell becomes
// a line feed, whatever it was. Other dialects have a reader of their own.
func newCSV(text io.Reader, d cube.Dialect) lines {
	if d.QuoteChar != "" && d.QuoteChar != `"` || d.EscapeChar != "" || d.SingleQuote || d.LineEnd != "" {
		return newQuoted(text, d)
	}
	r := csv.NewReader(text)
	r.TrimLeadingSpace = d.SkipSpace
	if d.CommentChar != "" {
		r.Comment, _ = utf8.DecodeRuneInString(d.CommentChar)
	}
	r.ReuseRecord = true
	r.FieldsPerRecord = -1
	if d.Delimiter != "" {
		r.Comma, _ = utf8.DecodeRuneInString(d.Delimiter)
	}
	return r
}

// lfsStart begins every Git LFS pointer (git-lfs, docs/spec.md).
const lfsStart = "version https://git-lfs.github.com/spec/"

// Header reads the lines of names, of which there may be none, and compares them with the schema, name by name.
func (t *Table) Header() error {
	if t.resource.Dialect.NoHeader {
		return nil
	}
	record, line, err := t.names()
	if errors.Is(err, io.EOF) {
		message := "the file is empty"
		if rows := t.resource.Dialect.HeaderRows; len(rows) > 0 && rows[len(rows)-1] > 1 {
			message = fmt.Sprintf("the file ends before line %d, which dialect.headerRows says is one of the names", rows[len(rows)-1])
		}
		return &Mistake{CodeHeaderDiffers, message, 1}
	}
	if err != nil {
		return t.wrap(err)
	}
	fields := t.resource.FileFields()
	if t.resource.Part && !isHeader(record, fields) { // files of one table need no header behind the first
		t.first, t.firstAt = slices.Clone(record), line
		return nil
	}
	for len(record) > len(fields) && IsBlank(record[len(record)-1:]) {
		t.unnamed++
		record = record[:len(record)-1]
	}
	if mark := t.otherDelimiter(record); mark != "" {
		return headerDiffers(line, "the columns are separated by %q: declare it as delimiter in the dialect of the resource", mark)
	}
	for i := range max(len(record), len(fields)) {
		switch {
		case i >= len(record):
			return headerDiffers(line, "the header ends before field %s", fields[i].ColumnName())
		case i >= len(fields):
			return headerDiffers(line, "the header has a column %q that the schema lacks", record[i])
		case record[i] != fields[i].ColumnName():
			return headerDiffers(line, "column %d is %q, in the schema %q", i+1, record[i], fields[i].ColumnName())
		}
	}
	return nil
}

// names reads the names of the columns: the first line, or those that the dialect names, joined column by column. What stands above is
// no row.
func (t *Table) names() (names []string, line int64, err error) {
	d := t.resource.Dialect
	if len(d.HeaderRows) == 0 {
		return t.next()
	}
	join := cmp.Or(d.HeaderJoin, " ")
	for last := int64(d.HeaderRows[len(d.HeaderRows)-1]); line < last; {
		var record []string
		if record, line, err = t.next(); err != nil {
			return nil, line, err
		}
		if !slices.Contains(d.HeaderRows, int(line)) {
			continue
		}
		for i, part := range record {
			switch {
			case i >= len(names):
				names = append(names, part)
			case names[i] != "" && part != "":
				names[i] += join + part
			default:
				names[i] += part
			}
		}
	}
	return names, line, nil
}

func isHeader(record []string, fields []cube.Field) bool {
	if len(record) < len(fields) {
		return false
	}
	for i, f := range fields {
		if record[i] != f.ColumnName() {
			return false
		}
	}
	return true
}

// otherDelimiter gives the character that separates the names of the schema in a header that was read as one name.
func (t *Table) otherDelimiter(header []string) string {
	var names []string
	for _, f := range t.resource.FileFields() {
		names = append(names, f.ColumnName())
	}
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
	return &Mistake{CodeHeaderDiffers, fmt.Sprintf(format, args...), line}
}

// Record is one row of a file with the line at which it begins. Cells are used again for the next.
type Record struct {
	Line  int64
	Cells []string
	Codes []uint32 // of the cells, once the row is kept
}

// records reads the rows below the header, leaving out those that hold nothing. A row with too many or too few
// cells is an error and the reading goes on; any other error ends it.
func (t *Table) records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			cells, line, err := t.first, t.firstAt, error(nil)
			if t.first = nil; cells == nil {
				cells, line, err = t.next()
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Record{}, t.wrap(err))
				return
			}
			if IsBlank(cells) {
				t.blank++
				continue
			}
			if slices.Contains(t.resource.Dialect.CommentRows, int(line)) {
				continue
			}
			cells, err = t.fit(cells, line)
			if !yield(Record{Line: line, Cells: cells}, err) {
				return
			}
		}
	}
}

// Names gives the names of the columns as Header reads them, in the lines that the dialect names.
func (t *Table) Names() ([]string, error) {
	names, _, err := t.names()
	if err != nil {
		return nil, t.wrap(err)
	}
	return slices.Clone(names), nil
}

// Sheets names the visible sheets of a workbook, in order; none of other files.
func (t *Table) Sheets() []string { return t.sheets }

// Lines gives all rows as they stand, from the first, with their lines: for one who does not know yet which of them hold the names.
func (t *Table) Lines() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			cells, line, err := t.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Record{}, t.wrap(err))
				return
			}
			if !yield(Record{Line: line, Cells: cells}, nil) {
				return
			}
		}
	}
}

// next reads a row and the line at which it begins. The parser skips empty lines silently, so they are counted as those between the end of one row and the start of the next.
func (t *Table) next() (cells []string, line int64, err error) {
	cells, err = t.csv.Read()
	if errors.Is(err, io.EOF) && !t.book {
		t.blank += t.file.lines() - t.end
		t.end = t.file.lines()
	}
	if err != nil {
		return nil, 0, err
	}
	first, _ := t.csv.FieldPos(0)
	last, _ := t.csv.FieldPos(len(cells) - 1)
	t.blank += int64(first) - t.end - 1
	t.end = int64(last)
	if !t.book {
		t.end += int64(strings.Count(cells[len(cells)-1], "\n"))
	}
	return cells, int64(first), nil
}

// IsBlank tells whether there is nothing in any cell but space.
func IsBlank(cells []string) bool {
	for _, cell := range cells {
		if strings.TrimSpace(cell) != "" {
			return false
		}
	}
	return true
}

// fit takes the cells of the columns without a name off a row: they must be empty.
func (t *Table) fit(cells []string, line int64) ([]string, error) {
	want := len(t.resource.FileFields())
	if t.resource.Dialect.Ragged && len(cells) < want {
		t.short++
		cells = append(slices.Clone(cells), make([]string, want-len(cells))...)
	}
	switch {
	case len(cells) < want || len(cells) > want+t.unnamed:
		return cells, &Mistake{CodeCellCount, fmt.Sprintf("the row has %d cells, the schema %d fields", len(cells), want), line}
	case !IsBlank(cells[want:]):
		return cells, &Mistake{CodeCellCount, fmt.Sprintf("the row has a cell after the last of the schema's %d fields, in a column without a name", want), line}
	}
	return cells[:want], nil
}

// wrap turns the parser's error into ours, with the line at which the row begins.
func (t *Table) wrap(err error) error {
	var known *Mistake
	var parse *csv.ParseError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &parse):
		return &Mistake{CodeBadQuote, "a quote stands inside a cell, or is not closed", int64(parse.StartLine)}
	}
	return fmt.Errorf("read %s: %w", t.resource.Path, err)
}

// Close lets go of the file.
func (t *Table) Close() { _ = t.closer.Close() }

// The codes of findings that say how a file was read.
const (
	CodeReadCompressed = "read-compressed"
	CodeBlankRows      = "blank-rows"
	CodeUnnamedColumns = "unnamed-columns"
	CodeShortRows      = "short-rows"
)

// Notes says what was assumed in reading the file to its end.
func (t *Table) Notes() []findings.Finding {
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
	if t.short > 0 {
		note(CodeShortRows, findings.Params{"rows": t.short})
	}
	if t.unnamed > 0 {
		note(CodeUnnamedColumns, findings.Params{"columns": int64(t.unnamed)})
	}
	return notes
}

// Drain reads what the parser left, so that the hashes cover the whole file.
func (t *Table) Drain() error { return t.file.drain() }

// IsInUTF8 tells, at the end of a file for which another encoding is declared, whether it is in UTF-8.
func (t *Table) IsInUTF8() bool { return t.file.decoded != nil && t.file.decoded.isUTF8() }

// Published gives the size and the SHA-256 of the file, and the SHA-256 of the file without its header line.
func (t *Table) Published() (bytes int64, hash, hashCopy string) {
	return t.file.bytes, t.file.hash(), t.file.hashCopy()
}

// IsBytes says whether a declared size is that of the file, compressed or not: publishers declare either.
func (t *Table) IsBytes(declared int64) bool {
	return declared == t.file.bytes || t.packed != nil && declared == t.packed.bytes
}

// IsHash says the same of a declared SHA-256 in lower-case hex.
func (t *Table) IsHash(declared string) bool {
	return declared == t.file.hash() || t.packed != nil && declared == t.packed.hash()
}

// Row is a row of a file, or a mistake in it after which reading goes on.
type Row struct {
	Record
	Mistake error
}

// Rows gives the rows, with the mistakes among them after which reading goes on.
func (t *Table) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for record, err := range t.records() {
			row := Row{Record: record}
			if err != nil {
				var mistake *Mistake
				if errors.As(err, &mistake) && mistake.Code == CodeCellCount {
					row.Mistake, err = err, nil
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}
