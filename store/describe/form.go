package describe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/internal/each"
	"fiscube/store/load"
	"fiscube/store/load/files"
)

// form is how a file is written.
type form struct {
	path      string
	sheet     string // of a workbook; "" for none
	workbook  bool
	packed    string // gz or zip, where the name does not say it
	encoding  encoding
	delimiter string
	why       string   // of the delimiter
	header    []string // the names of the fields
	others    []string // sheets of the workbook that are tables, and are not read
	layout
}

// startBytes is how much of a file shows its delimiter.
const startBytes = 1 << 18

// readForm finds how a file is written. Declared names an encoding that a person gave.
func readForm(ctx context.Context, files fs.FS, path string, o Options) (*form, error) {
	f := &form{path: path, sheet: o.Sheet}
	packing, err := load.PackingOf(ctx, files, path, o.Load)
	if err != nil {
		return nil, f.refused(err)
	}
	f.workbook, f.packed = packing.Workbook, packing.Packed
	if !f.workbook {
		if err := f.readText(ctx, files, o.Load); err != nil {
			return nil, err
		}
	}
	if err := f.readTable(ctx, files, o); err != nil {
		return nil, err
	}
	if len(f.columns) < 2 {
		return nil, refusal(path, 1, "no line has the names of several columns. A table needs a column for the year, one for what the money is for, and one for the amount")
	}
	f.header = fieldNames(f.names)
	return f, nil
}

// readTable finds the lines of the names. Of a workbook it is that of the first visible sheet that is a table, if nobody names one.
func (f *form) readTable(ctx context.Context, folder fs.FS, o Options) error {
	sheets, err := f.readSheet(ctx, folder, o)
	if err != nil || !f.workbook || f.sheet != "" {
		return err
	}
	if len(sheets) > 0 {
		f.titles = append(f.titles, sheets[0]) // it may say the year
	}
	for i, name := range sheets {
		if i == 0 {
			continue // it is read above
		}
		next := &form{path: f.path, workbook: true, packed: f.packed, sheet: name}
		if _, err := next.readSheet(ctx, folder, o); err != nil || len(next.columns) < 2 {
			continue
		}
		if len(f.columns) >= 2 {
			f.others = append(f.others, name)
			continue
		}
		*f = *next // the sheets before are covers
		f.titles = append(f.titles, name)
	}
	return nil
}

// readSheet reads the lines of a table, and gives the sheets of its workbook.
func (f *form) readSheet(ctx context.Context, folder fs.FS, o Options) (sheets []string, err error) {
	t, err := load.OpenTable(ctx, folder, f.table(), o.Load)
	if err != nil {
		return nil, f.refused(err)
	}
	defer t.Close()
	if err := f.readLayout(t, o.HeaderRow); err != nil {
		return nil, f.refused(err)
	}
	if len(f.headerRows) < 2 {
		return t.Sheets(), nil
	}
	asRead := f.table()
	for _, at := range f.headerRows {
		asRead.Dialect.HeaderRows = append(asRead.Dialect.HeaderRows, int(at))
	}
	named, err := load.OpenTable(ctx, folder, asRead, o.Load)
	if err != nil {
		return nil, f.refused(err)
	}
	defer named.Close()
	names, err := named.Names()
	if err != nil {
		return nil, f.refused(err)
	}
	f.columns = append(names, make([]string, max(0, len(f.names)-len(names)))...)[:len(f.names)]
	return t.Sheets(), nil
}

// table is the file as a table of which no more is known than how its cells are set apart.
func (f *form) table() *cube.Resource {
	r := &cube.Resource{Name: f.path, Path: f.path, Packed: f.packed, Encoding: f.encoding.name, Dialect: cube.Dialect{Delimiter: f.delimiter}}
	if f.workbook {
		r.Encoding, r.Format, r.Dialect = "", "xlsx", cube.Dialect{SheetName: f.sheet}
	}
	return r
}

// refused says which file an error is of.
func (f *form) refused(err error) error {
	var mistake *files.Mistake
	if errors.As(err, &mistake) {
		return refusal(f.path, mistake.Line, "%s", mistake.Message)
	}
	return err
}

// readText finds the encoding and the delimiter of a text.
func (f *form) readText(ctx context.Context, files fs.FS, o load.Options) (err error) {
	if _, known := fdp.Encoding(o.Encoding); !known {
		return cube.Errorf(cube.CodeBadPackage, "encoding %s is not supported", o.Encoding)
	}
	if o.Encoding != "" {
		f.encoding = encoding{o.Encoding, "as you said"}
	} else if f.encoding, err = readEncoding(ctx, files, f.path, f.packed, o); err != nil {
		return err
	}
	start, whole, err := f.start(ctx, files, o)
	if err != nil {
		return err
	}
	return f.readDelimiter(start, whole)
}

// start gives the beginning of a file as text, and whether that is all of it.
func (f *form) start(ctx context.Context, folder fs.FS, o load.Options) (text []byte, whole bool, err error) {
	data, err := load.OpenBytes(ctx, folder, f.path, f.packed, o)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = data.Close() }()
	text, err = io.ReadAll(io.LimitReader(bufio.NewReader(data), startBytes))
	if err != nil {
		return nil, false, fmt.Errorf("read %s: %w", f.path, err)
	}
	whole = len(text) < startBytes
	text, _ = files.Decode(f.encoding.name, text) // what is no character the reading of all of it finds
	return bytes.TrimPrefix(text, []byte("\ufeff")), whole, nil
}

// delimiters are the characters that separate columns.
var delimiters = []struct{ mark, name string }{{",", "commas"}, {";", "semicolons"}, {"\t", "tabs"}, {"|", "vertical bars"}}

// mostTried is how many rows are counted to find a delimiter.
const mostTried = 2000

// readDelimiter takes the delimiter by which most rows have as many cells as the header, and of several the one of most cells.
func (f *form) readDelimiter(start []byte, whole bool) error {
	best, badQuote := tried{}, int64(0)
	for _, d := range delimiters {
		t := try(start, whole, d.mark)
		badQuote = max(badQuote, t.badQuote)
		if t.width() > 1 && (best.delimiter == "" || t.fits(best)) {
			best = t
			f.why = fmt.Sprintf("%s of the first %s rows have %d cells between %s", count(t.same), count(t.rows), t.width(), d.name)
		}
	}
	if best.delimiter == "" && badQuote > 0 {
		return refusal(f.path, badQuote, "a quote stands inside a cell, or a space behind the last one: take the space away, and write two quotes for one in a cell")
	}
	if best.delimiter == "" {
		return refusal(f.path, 1, "no character separates columns: none of , ; tab and | is in each line. "+
			"A table needs a column for the year, one for what the money is for, and one for the amount")
	}
	f.delimiter = best.delimiter
	return nil
}

// tried is what a delimiter makes of the first rows.
type tried struct {
	delimiter  string
	columns    int   // in most rows
	rows, same int64 // below the names; those with as many cells
	badQuote   int64 // the line where reading ends at a quote; 0 for none
}

func (t tried) width() int { return t.columns }

// fits tells whether a delimiter fits better than another: by the part of its rows, then by its columns.
func (t tried) fits(other tried) bool {
	ours, theirs := t.same*max(1, other.rows), other.same*max(1, t.rows)
	return ours > theirs || ours == theirs && t.width() > other.width()
}

func try(start []byte, whole bool, delimiter string) tried {
	t := tried{delimiter: delimiter}
	in := csv.NewReader(bytes.NewReader(start))
	in.FieldsPerRecord, in.Comma = -1, rune(delimiter[0])
	var lines []line
	for len(lines) < mostTried {
		cells, err := in.Read()
		isCut := err == nil && !whole && in.InputOffset() >= int64(len(start))
		if err != nil && !errors.Is(err, io.EOF) && whole {
			t.rows++ // a row that cannot be read fits nothing
		}
		if mistake := (*csv.ParseError)(nil); errors.As(err, &mistake) {
			t.badQuote = int64(mistake.Line)
		}
		if err != nil || isCut {
			break
		}
		lines = append(lines, line{int64(len(lines) + 1), cells})
	}
	f := findLayout(lines)
	t.columns = len(f.columns)
	for _, l := range lines[min(f.body, len(lines)):] {
		t.rows++
		if len(l.cells) >= t.columns && files.IsBlank(l.cells[t.columns:]) {
			t.same++
		}
	}
	return t
}

// unpivot is a command that makes rows of columns.
func unpivot(path string, columns []string, name, value string) string {
	quoted := each.Text(columns, func(c string) string { return `"` + c + `"` })
	return fmt.Sprintf(`DuckDB does it: COPY (UNPIVOT (FROM '%s') ON %s INTO NAME %s VALUE %s) TO 'rows.csv'`,
		shown(path), strings.Join(quoted, ", "), name, value)
}
