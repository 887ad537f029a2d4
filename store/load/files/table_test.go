package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"fiscube/cube"
)

// twoFields are the fields of most files of these tests.
var twoFields = cube.Schema{Fields: []cube.Field{{Name: "code", Type: "string"}, {Name: "amount", Type: "number"}}}

// readFile reads a file named f.csv, or f.csv.gz where that is its name, as a resource of two fields. Its rows
// come back as "line: cell|cell", errors of rows among them; err is what ended the reading.
func readFile(t *testing.T, r cube.Resource, files fs.FS) (rows []string, read *Table, err error) {
	t.Helper()
	if r.Path == "" {
		r.Path = "f.csv"
	}
	if r.Schema.Fields == nil {
		r.Schema = twoFields
	}
	read, err = OpenTable(t.Context(), &Folder{files: files, most: 1 << 40}, &r, func([]byte) {})
	if err != nil {
		return nil, nil, err
	}
	t.Cleanup(read.Close)
	if err := read.Header(); err != nil {
		return nil, read, err
	}
	for record, err := range read.records() {
		var mistake *Mistake
		switch {
		case errors.As(err, &mistake) && mistake.Code == CodeCellCount:
			rows = append(rows, fmt.Sprintf("%d: %s", mistake.Line, mistake.Message))
		case err != nil:
			return rows, read, err
		default:
			rows = append(rows, fmt.Sprintf("%d: %s", record.Line, strings.Join(record.Cells, "|")))
		}
	}
	return rows, read, read.file.drain()
}

func oneFile(text string) fs.FS { return fstest.MapFS{"f.csv": {Data: []byte(text)}} }

// mistakeText is a mistake in a file as one text.
func mistakeText(err error) string {
	var mistake *Mistake
	if errors.As(err, &mistake) {
		return fmt.Sprintf("%d: %s [%s]", mistake.Line, mistake.Message, mistake.Code)
	}
	return fmt.Sprint(err)
}

func TestTable_LeavesOutRowsThatHoldNothing(t *testing.T) {
	tests := map[string]struct {
		text    string
		rows    []string
		blank   int64
		unnamed int
	}{
		"none":                      {"code,amount\na,1\nb,2\n", []string{"2: a|1", "3: b|2"}, 0, 0},
		"no line break at the end":  {"code,amount\na,1", []string{"2: a|1"}, 0, 0},
		"empty lines":               {"code,amount\n\na,1\n\n\nb,2\n", []string{"3: a|1", "6: b|2"}, 3, 0},
		"empty lines, CRLF":         {"code,amount\r\n\r\na,1\r\n\r\nb,2\r\n", []string{"3: a|1", "5: b|2"}, 2, 0},
		"empty lines at the end":    {"code,amount\na,1\n\n\n", []string{"2: a|1"}, 2, 0},
		"half a line break":         {"code,amount\na,1\n\r", []string{"2: a|1"}, 1, 0},
		"empty lines before header": {"\n\ncode,amount\na,1\n", []string{"4: a|1"}, 2, 0},
		"delimiters, DR":            {"code,amount\n,\na,1\n,\n,,,,\n,\n", []string{"3: a|1"}, 4, 0},
		"spaces":                    {"code,amount\n , \u00a0\na,1\n  \n", []string{"3: a|1"}, 2, 0},
		"quotes":                    {"code,amount\n\"\",\"\"\na,1\n", []string{"3: a|1"}, 1, 0},
		"a cell that's empty":       {"code,amount\n,1\na,\n", []string{"2: |1", "3: a|"}, 0, 0},
		"only a header":             {"code,amount\n\n", nil, 1, 0},
		"embedded line breaks":      {"code,amount\n\"a\n\nb\",\"1\n\"\n\nc,2\n", []string{"2: a\n\nb|1\n", "7: c|2"}, 1, 0},
		"embedded CRLF":             {"code,amount\r\n\"a\r\nb\",1\r\n\r\nc,\"2\r\n\r\n\"\r\nd,3\r\n", []string{"2: a\nb|1", "5: c|2\n\n", "8: d|3"}, 1, 0},
		"blank after embedded":      {"code,amount\n\"\n\",\n\n,\nc,2\n\n", []string{"6: c|2"}, 4, 0},
		"unnamed, Mexico 2009":      {"code,amount,,,\na,1,,,\nb,2,,,\n", []string{"2: a|1", "3: b|2"}, 0, 3},
		"unnamed, not in each row":  {"code,amount, ,\na,1\nb,2,\nc,3, , \n", []string{"2: a|1", "3: b|2", "4: c|3"}, 0, 2},
		"unnamed with a cell": {"code,amount,\na,1,x\nb,2,\n", []string{
			"2: the row has a cell after the last of the schema's 2 fields, in a column without a name", "3: b|2"}, 0, 1},
		"more cells than columns": {"code,amount,\na,1,,\nb\n", []string{
			"2: the row has 4 cells, the schema 2 fields", "3: the row has 1 cells, the schema 2 fields"}, 0, 1},
		"cells after the header's": {"code,amount\na,1,\n", []string{"2: the row has 3 cells, the schema 2 fields"}, 0, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			rows, read, err := readFile(t, cube.Resource{}, oneFile(test.text))
			if err != nil || !slices.Equal(rows, test.rows) {
				t.Fatalf("rows are %q, %v, want %q", rows, err, test.rows)
			}
			if read.blank != test.blank || read.unnamed != test.unnamed {
				t.Errorf("%d rows and %d columns are left out, want %d and %d", read.blank, read.unnamed, test.blank, test.unnamed)
			}
		})
	}
}

func TestTable_NotesWhatIsLeftOut(t *testing.T) {
	_, read, err := readFile(t, cube.Resource{Name: "spending"}, oneFile("code,amount,\n,,\na,1,\n"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range read.Notes() {
		lines = append(lines, string(f.Severity)+" "+f.String())
	}
	want := []string{
		"info spending: 1 rows hold nothing and were left out [blank-rows]",
		"info spending: 1 columns at the end have neither name nor cells and were left out [unnamed-columns]",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("it says %q, want %q", lines, want)
	}
}

func TestTable_ChecksTheHeader(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "1: the file is empty [header-differs]",
		"\n\n":                          "1: the file is empty [header-differs]",
		"\xef\xbb\xbf":                  "1: the file is empty [header-differs]",
		"code\n":                        "1: the header ends before field amount [header-differs]",
		"code,amount,note\n":            `1: the header has a column "note" that the schema lacks [header-differs]`,
		"code,amount,,note\n":           `1: the header has a column "" that the schema lacks [header-differs]`,
		"\ncode,Amount\n":               `2: column 2 is "Amount", in the schema "amount" [header-differs]`,
		"code,\"amount\n":               "1: a quote stands inside a cell, or is not closed [bad-quote]",
		"code;amount\n":                 `1: the columns are separated by ";": declare it as delimiter in the dialect of the resource [header-differs]`,
		"\xef\xbb\xbfcode,amount":       "<nil>",
		"\xef\xbb\xbf\"code\",amount\n": "<nil>",
	} {
		if _, _, err := readFile(t, cube.Resource{}, oneFile(text)); mistakeText(err) != want {
			t.Errorf("%q: %s, want %s", text, mistakeText(err), want)
		}
	}
}

// A file that ends before its names is not said to be empty.
func TestTable_EndsBeforeTheHeader(t *testing.T) {
	_, _, err := readFile(t, cube.Resource{Dialect: cube.Dialect{HeaderRows: []int{2, 40}}}, oneFile("code,amount\na,1\n"))
	if got, want := mistakeText(err), "1: the file ends before line 40, which dialect.headerRows says is one of the names [header-differs]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTable_Delimiters(t *testing.T) {
	for _, delimiter := range []string{",", ";", "\t", "|", "¦", "€", " "} {
		text := strings.ReplaceAll("code,amount\n\"a,b\",1\n", ",", delimiter)
		rows, _, err := readFile(t, cube.Resource{Dialect: cube.Dialect{Delimiter: delimiter}}, oneFile(text))
		if want := []string{"2: a" + delimiter + "b|1"}; err != nil || !slices.Equal(rows, want) {
			t.Errorf("%q: %q, %v", delimiter, rows, err)
		}
	}
}

// TestTable_RefusesBadBytesWithTheirLine: the line is that of the byte, wherever it stands in what is read at once.
func TestTable_RefusesBadBytesWithTheirLine(t *testing.T) {
	long := strings.Repeat("código,1\n", 60_000)
	for name, test := range map[string]struct{ text, encoding, want string }{
		"Latin-1 in UTF-8":      {"code,amount\na,1\n\xf1,2\n", "", "3: the file is not UTF-8: declare its encoding, or name it with --encoding [not-utf8]"},
		"the same, far down":    {"code,amount\n" + long + "\xf1,2\n", "", "60002: the file is not UTF-8: declare its encoding, or name it with --encoding [not-utf8]"},
		"cut in a character":    {"code,amount\n" + long + "\xc3", "", "60002: the file is not UTF-8: declare its encoding, or name it with --encoding [not-utf8]"},
		"NUL":                   {"code,amount\n" + long + "a\x00b,1\n", "", "60002: the file holds a NUL character [nul-character]"},
		"NUL, windows-1252":     {"code,amount\na\x00,1\n", "cp1252", "2: the file holds a NUL character [nul-character]"},
		"UTF-16":                {"\xff\xfec\x00", "", "1: the file is UTF-16: declare its encoding as utf-16, or name it with --encoding [not-utf8]"},
		"windows-1252 lacks 81": {"code,amount\n" + long + "\x81,2\n", "windows-1252", "60002: the byte 0x81 is no character in windows-1252 [not-in-encoding]"},
		"windows-1250 lacks 83": {"code,amount\n\x83,1\n", "cp1250", "2: the byte 0x83 is no character in cp1250 [not-in-encoding]"},
		"no control in Latin-2": {"code,amount\nKo\x9aarka,1\n", "iso-8859-2", "2: the byte 0x9a is no character in iso-8859-2 [not-in-encoding]"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := readFile(t, cube.Resource{Encoding: test.encoding}, oneFile(test.text))
			if mistakeText(err) != test.want {
				t.Errorf("it says %s, want %s", mistakeText(err), test.want)
			}
		})
	}
}

func TestTable_ReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := cube.Resource{Path: "f.csv", Schema: twoFields}
	read, err := OpenTable(ctx, &Folder{files: oneFile("code,amount\n" + strings.Repeat("a,1\n", 1<<20)), most: 1 << 30}, &r, func([]byte) {})
	if err != nil || read.Header() != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cancel()
	for _, err := range read.records() {
		if errors.Is(err, context.Canceled) {
			return
		}
	}
	t.Error("it read to the end")
}

// FuzzRows: whatever a file holds, every line of it is a row, a part of one, blank or a mistake, and a row's
// line is where its first cell stands.
func FuzzRows(f *testing.F) {
	f.Add("code,amount\na,1\n\n\"b\r\n\n\",\"2\"\r\n,\n", uint8(0))
	f.Add("\xef\xbb\xbfcode,amount,\n\na,1,\n \n\r", uint8(0))
	f.Add("code,amount\n\xe8\x9e,1\n", uint8(1))
	f.Add("code,amount\n\x81,1\n", uint8(3))
	encodings := []string{"", "windows-1250", "windows-1252", "cp850", "iso-8859-1", "iso-8859-2"}
	f.Fuzz(func(t *testing.T, text string, encoding uint8) {
		r := cube.Resource{Encoding: encodings[int(encoding)%len(encodings)]}
		_, read, err := readFile(t, r, oneFile(text))
		if err != nil {
			if mistakeText(err) == fmt.Sprint(err) {
				t.Fatalf("not a mistake in the file: %v", err)
			}
			return
		}
		checkLines(t, text, r, read.blank)
	})
}

// checkLines reads the file again, adding up the lines that rows take.
func checkLines(t *testing.T, text string, r cube.Resource, blank int64) {
	r.Path, r.Schema = "f.csv", twoFields
	read, err := OpenTable(t.Context(), &Folder{files: oneFile(text), most: 1 << 30}, &r, func([]byte) {})
	if err != nil || read.Header() != nil {
		t.Fatal(err)
	}
	defer read.Close()
	taken, last := read.end, read.end
	for record := range read.records() {
		if record.Line <= last {
			t.Fatalf("a row at line %d after line %d", record.Line, last)
		}
		last = record.Line
	}
	if read.blank > blank || read.end < taken || read.end > int64(strings.Count(text, "\n"))+1 {
		t.Fatalf("%d blank rows, the last line is %d", read.blank, read.end)
	}
}

// FuzzTable compares the lines at which rows begin with those that a naive reading of the same text finds.
func FuzzTable(f *testing.F) {
	for _, body := range []string{
		"", "a,1", "a,1\n", "a,1\r\n\r\nb,2\r\n", "\"a\nb\",1\nc,2\n", "\"a\"\"\n\n\"\"\",\"\"\nb,\"\n\"", " , \n,\n\"\"\n,,,\nx",
		"a\rb,1\n", "\n\n\n", "\"unclosed", "a\"b,1", "\r", "a,1\n\r", "č,ž\n\u00a0,\u2028\n", "\"\r\n\",1\n\"\r\",2\n",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		text := "code,amount\n" + body
		rows, _, err := readFile(t, cube.Resource{}, oneFile(text))
		if err != nil {
			return // FuzzRows looks at what is refused
		}
		read := map[int]bool{}
		last := 1
		for _, row := range rows {
			number, _, _ := strings.Cut(row, ":")
			line, err := strconv.Atoi(number)
			if err != nil || line <= last {
				t.Fatalf("row %q after line %d", row, last)
			}
			last, read[line] = line, true
		}
		for line, raw := range naiveRows(body) {
			if !read[line+2] && mayBeSeen(raw) {
				t.Errorf("nothing was read at line %d, where %q begins", line+2, raw)
			}
			delete(read, line+2)
		}
		if len(read) > 0 {
			t.Errorf("rows were read at lines %v, where none begins", slices.Sorted(maps.Keys(read)))
		}
	})
}

// naiveRows splits a text without mistakes into rows: a line break ends a row unless an odd number of quotes
// stands before it. It gives them by the line, counted from 0, at which they begin.
func naiveRows(text string) map[int]string {
	rows := map[int]string{}
	row, first := "", 0
	for i, line := range strings.SplitAfter(text, "\n") {
		if row == "" {
			first = i
		}
		row += line
		if strings.Count(row, `"`)%2 == 0 {
			rows[first] = row
			row = ""
		}
	}
	return rows
}

// mayBeSeen says whether a row surely holds more than space: quotes may be written twice and be seen.
func mayBeSeen(raw string) bool {
	return strings.ContainsFunc(raw, func(r rune) bool { return r != '"' && r != ',' && !unicode.IsSpace(r) })
}
