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
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/store/load"
	"fiscube/store/load/files"
)

// form is how a file is written.
type form struct {
	path      string
	encoding  encoding
	delimiter string
	why       string   // of the delimiter
	header    []string // without the columns at its end that have no name
}

// startBytes is how much of a file shows its delimiter and header.
const startBytes = 1 << 18

// readForm finds how a file is written. Declared names an encoding that a person gave.
func readForm(ctx context.Context, files fs.FS, path string, o load.Options) (*form, error) {
	f := &form{path: path}
	var err error
	if o.Encoding != "" {
		f.encoding = encoding{o.Encoding, "as you said"}
	} else if f.encoding, err = readEncoding(ctx, files, path, o); err != nil {
		return nil, err
	}
	start, whole, err := f.start(ctx, files, o)
	if err != nil {
		return nil, err
	}
	if err := f.readDelimiter(start, whole); err != nil {
		return nil, err
	}
	return f, f.checkHeader()
}

// start gives the beginning of a file as text, and whether that is all of it.
func (f *form) start(ctx context.Context, folder fs.FS, o load.Options) (text []byte, whole bool, err error) {
	data, err := load.OpenBytes(ctx, folder, f.path, o)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = data.Close() }()
	text, err = io.ReadAll(io.LimitReader(bufio.NewReader(data), startBytes))
	if err != nil {
		return nil, false, fmt.Errorf("read %s: %w", f.path, err)
	}
	whole = len(text) < startBytes
	if name, _ := fdp.Encoding(f.encoding.name); name != fdp.UTF8 {
		var decoded []byte
		for _, b := range text {
			r, _ := files.DecodeByte(name, b)
			if b < utf8.RuneSelf {
				r = rune(b)
			}
			decoded = utf8.AppendRune(decoded, r)
		}
		text = decoded
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), whole, nil
}

// delimiters are the characters that separate columns.
var delimiters = []struct{ mark, name string }{{",", "commas"}, {";", "semicolons"}, {"\t", "tabs"}, {"|", "vertical bars"}}

// mostTried is how many rows are counted to find a delimiter.
const mostTried = 2000

// readDelimiter takes the delimiter by which most rows have as many cells as the header, and of several the one of most cells.
func (f *form) readDelimiter(start []byte, whole bool) error {
	best := tried{}
	for _, d := range delimiters {
		t := try(start, whole, d.mark)
		if t.width() > 1 && (best.delimiter == "" || t.fits(best)) {
			best = t
			f.why = fmt.Sprintf("%s of the first %s rows have %d cells between %s", count(t.same), count(t.rows), t.width(), d.name)
		}
	}
	if best.delimiter == "" {
		return refusal(f.path, 1, "no character separates columns: none of , ; tab and | is in each line. "+
			"A table needs a column for the year, one for what the money is for, and one for the amount")
	}
	f.delimiter, f.header = best.delimiter, best.header
	return nil
}

// tried is what a delimiter makes of the first rows.
type tried struct {
	delimiter  string
	header     []string
	rows, same int64 // without the header; those with as many cells as the header
}

func (t tried) width() int { return len(t.header) }

// fits tells whether a delimiter fits better than another: by the part of its rows, then by its columns.
func (t tried) fits(other tried) bool {
	ours, theirs := t.same*max(1, other.rows), other.same*max(1, t.rows)
	return ours > theirs || ours == theirs && t.width() > other.width()
}

func try(start []byte, whole bool, delimiter string) tried {
	t := tried{delimiter: delimiter}
	in := csv.NewReader(bytes.NewReader(start))
	in.FieldsPerRecord, in.Comma = -1, rune(delimiter[0])
	for t.rows < mostTried {
		cells, err := in.Read()
		if err != nil {
			if !errors.Is(err, io.EOF) && whole {
				t.rows++ // a row that cannot be read fits nothing
			}
			return t
		}
		if isCut := !whole && in.InputOffset() >= int64(len(start)); isCut {
			return t
		}
		if t.header == nil {
			t.header = trimmedHeader(cells)
			continue
		}
		t.rows++
		if len(cells) >= t.width() && files.IsBlank(cells[t.width():]) {
			t.same++
		}
	}
	return t
}

// trimmedHeader takes the columns without a name off the end of a header.
func trimmedHeader(cells []string) []string {
	for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	return slices.Clone(cells)
}

// checkHeader refuses names that no package can have, all at once.
func (f *form) checkHeader() error {
	var problems []error
	problem := func(format string, args ...any) { problems = append(problems, refusal(f.path, 1, format, args...)) }
	unnamed, numbers := []string(nil), 0
	first := map[string]string{}
	for i, name := range f.header {
		folded := strings.ToLower(name)
		other, twice := first[folded]
		switch {
		case strings.TrimSpace(name) == "":
			unnamed = append(unnamed, strconv.Itoa(i+1))
		case twice:
			problem("two columns are named %q and %q, which differ in case at most: give each a name of its own", shown(other), shown(name))
		case cube.IsOwnName(name):
			problem("the column %q begins with _: such names are fiscube's own, so rename it", shown(name))
		}
		if isPlainNumber(name) {
			numbers++
		}
		first[folded] = name
	}
	years := yearsIn(f.header)
	switch {
	case len(years) > 1:
		problem("the columns %s hold the amounts of a year each: put the year into a column of its own, so that each row has one year "+
			"and its amount. %s", listed(years, "and"), unpivot(f.path, years, "year", "amount"))
	case numbers*2 > len(f.header):
		problem("the first line holds numbers, not the names of columns: put a line of names above it")
	}
	if len(unnamed) > 0 {
		problem("the columns %s have no name in the first line: a title above the table, or a second line of names. "+
			"Leave one line of names, one for each column, at the top of the file", listed(unnamed, "and"))
	}
	return errors.Join(problems...)
}

// isPlainNumber tells whether a name is a number.
func isPlainNumber(name string) bool {
	_, _, ok := numberForm{".", ","}.read(name)
	return ok
}

// yearsIn gives the names that are a year alone, as 2019.
func yearsIn(header []string) []string {
	var years []string
	for _, name := range header {
		if isYear(strings.TrimSpace(name)) {
			years = append(years, shown(name))
		}
	}
	return years
}

// The years that budgets are of.
const (
	firstYear = 1900
	lastYear  = 2100
)

func isYear(cell string) bool {
	if len(cell) != 4 {
		return false
	}
	year, err := strconv.Atoi(cell)
	return err == nil && year >= firstYear && year <= lastYear
}

// unpivot is a command that makes rows of columns.
func unpivot(path string, columns []string, name, value string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = `"` + c + `"`
	}
	return fmt.Sprintf(`DuckDB does it: COPY (UNPIVOT (FROM '%s') ON %s INTO NAME %s VALUE %s) TO 'rows.csv'`,
		shown(path), strings.Join(quoted, ", "), name, value)
}
