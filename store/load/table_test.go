package load

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"fiscube/cube"
)

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

// mayBeSeen tells whether a row surely holds more than space: quotes may be written twice and be seen.
func mayBeSeen(raw string) bool {
	return strings.ContainsFunc(raw, func(r rune) bool { return r != '"' && r != ',' && !unicode.IsSpace(r) })
}
