package files

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fiscube/cube"
)

// A table in the common dialect is read by the reader of other dialects as by encoding/csv.
func FuzzQuoted(f *testing.F) {
	for _, text := range []string{"a,b\n1,\"x,\n\"\"y\"\r\n\r\n2,3", "\"a", "a\"b,c", "", "\n\n", "a,\"b\"\n", "é,\"\"\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\r\x00") || !strings.HasSuffix(text, "\n") || !utf8.ValidString(text) {
			return // ends of lines within cells differ
		}
		common := csv.NewReader(strings.NewReader(text))
		common.FieldsPerRecord = -1
		own := newQuoted(strings.NewReader(text), cube.Dialect{})
		for {
			want, errWant := common.Read()
			if errWant != nil && !errors.Is(errWant, io.EOF) {
				return // a stray quote, which the other takes as it is
			}
			got, err := own.Read()
			if !errors.Is(err, errWant) || errWant == nil && !slices.Equal(got, want) {
				t.Fatalf("%q: %q %v, want %q %v", text, got, err, want, errWant)
			}
			if errWant != nil {
				return
			}
			line, _ := common.FieldPos(len(want) - 1)
			if at, _ := own.FieldPos(len(got) - 1); at != line {
				t.Fatalf("%q: line %d, want %d", text, at, line)
			}
		}
	})
}

func TestQuoted(t *testing.T) {
	for _, test := range []struct {
		dialect    cube.Dialect
		text, want string
	}{
		{cube.Dialect{QuoteChar: "'"}, "'a,b',\"c\"\n'it''s',x\n", `a,b|"c";it's|x`},
		{cube.Dialect{EscapeChar: `\`}, `"a \"b\"",c\,d` + "\n", `a "b"|c,d`},
		{cube.Dialect{QuoteChar: "'", SingleQuote: true}, "'a'b,c\n", "ab|c"},
		{cube.Dialect{QuoteChar: "'", CommentChar: "#", SkipSpace: true}, "#x\na,  'b'\n", "a|b"},
		{cube.Dialect{LineEnd: "|"}, "a,b|c,\"d|e\"|\n", "a|b;c|d|e"},
		{cube.Dialect{LineEnd: "\r"}, "a,b\rc,\"d\"\r", "a|b;c|d"},
		{cube.Dialect{QuoteChar: "'"}, "a,'b", "!"},
	} {
		r := newQuoted(strings.NewReader(test.text), test.dialect)
		var rows []string
		for {
			cells, err := r.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				rows = append(rows, "!")
				break
			}
			rows = append(rows, strings.Join(cells, "|"))
		}
		if got := strings.Join(rows, ";"); got != test.want {
			t.Errorf("%+v %q: %s, want %s", test.dialect, test.text, got, test.want)
		}
	}
}
