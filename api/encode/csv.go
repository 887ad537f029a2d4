package encode

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/internal/each"
)

// csvEncoder writes CSV as RFC 4180 says. encoding/csv with CRLF would also rewrite the line ends inside a cell, and
// write a lone empty cell as a blank line, which readers skip.
type csvEncoder struct {
	out     io.Writer
	columns []Column
	excel   bool // texts that a spreadsheet program would run are guarded
	line    []byte
}

// byteOrderMark says to spreadsheet programs that CSV is UTF-8.
const byteOrderMark = "\ufeff"

func newCSV(out io.Writer, s *Sheet) (Encoder, error) {
	e := &csvEncoder{out: out, columns: s.Columns, excel: s.Excel}
	if s.Excel {
		e.line = append(e.line, byteOrderMark...)
	}
	for i, name := range names(s.Columns) {
		e.separate(i)
		e.line = appendCSV(e.line, name, s.Excel)
	}
	return e, e.flush()
}

func (e *csvEncoder) Row(row []Datum) error {
	for i, d := range row {
		e.separate(i)
		e.line = e.appendCell(e.line, e.columns[i], d)
	}
	return e.flush()
}

func (e *csvEncoder) separate(i int) {
	if i > 0 {
		e.line = append(e.line, ',')
	}
}

// appendCell appends a datum: nothing where it is missing. Numbers need no quotes and no guard.
func (e *csvEncoder) appendCell(b []byte, col Column, d Datum) []byte {
	before := len(b)
	switch {
	case d.Absent:
	case col.kind == kindText:
		b = appendCSV(b, d.Value.String(), e.excel)
	case col.kind == kindWhole:
		b = d.Value.AppendTo(b)
	case d.Amount.Valid:
		b = appendFixed(b, d.Amount.Decimal, col.scale)
	}
	if len(b) == before && len(e.columns) == 1 {
		b = append(b, loneEmpty...)
	}
	return b
}

func (e *csvEncoder) flush() error {
	_, err := e.out.Write(append(e.line, '\r', '\n'))
	e.line = e.line[:0]
	return err
}

func (e *csvEncoder) End() error { return nil }

func (e *csvEncoder) Close() {}

// quotedInCSV are the characters that only a cell in quotes may have.
const quotedInCSV = "\",\r\n"

// loneEmpty is a missing value that is the whole record: a blank line would be skipped.
const loneEmpty = `""`

// formulaStarts are the characters that make spreadsheet programs take a text for a formula, some of them in their
// full width too.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// appendCSV appends a text, in quotes where it has to be. Guarded, a text that looks like a formula is disarmed.
func appendCSV(b []byte, text string, guarded bool) []byte {
	if guarded {
		text = disarmed(text)
	}
	quote := needsQuotes(text)
	if quote {
		b = append(b, '"')
	}
	if !quote {
		return append(b, text...)
	}
	for {
		i := strings.IndexByte(text, '"')
		if i < 0 {
			return append(append(b, text...), '"')
		}
		b = append(append(b, text[:i]...), `""`...)
		text = text[i+1:]
	}
}

// splitters are where programs with another list separator than the comma, and those that end a record at every line
// end, begin a cell inside of ours. After such a line end a comma begins a cell too.
const splitters = ";\t\r\n"

// disarmed puts an apostrophe in front of a text that looks like a formula, and of each of its parts that would be a
// cell that does.
func disarmed(text string) string {
	if looksLikeFormula(text) || looksLikeFormula(strings.TrimLeftFunc(text, isBlank)) {
		text = "'" + text
	}
	if !strings.ContainsAny(text, splitters) {
		return text
	}
	var whole strings.Builder
	ends := splitters
	for {
		end := strings.IndexAny(text, ends)
		if end < 0 {
			return whole.String() + text
		}
		if text[end] == '\r' || text[end] == '\n' {
			ends = splitters + ","
		}
		whole.WriteString(text[:end+1])
		text = text[end+1:]
		part := text
		if next := strings.IndexAny(text, ends); next >= 0 {
			part = text[:next]
		}
		if looksLikeFormula(strings.TrimLeftFunc(part, isBlankOrQuote)) {
			whole.WriteByte('\'')
		}
	}
}

// isBlankOrQuote reports whether a character before a formula may be dropped: inside a cell of ours the quotes of a program
// that splits it mean nothing.
func isBlankOrQuote(c rune) bool { return c == '"' || isBlank(c) }

func looksLikeFormula(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return text != "" && strings.ContainsRune(formulaStarts, first)
}

// isBlank reports whether a character shows nothing, which programs may drop in front of a text: spaces of all widths, marks of order
// and joining.
func isBlank(c rune) bool { return unicode.IsSpace(c) || unicode.Is(unicode.Cf, c) }

// needsQuotes looks at each byte: strings.ContainsAny is slower on texts as short as cells are.
func needsQuotes(text string) bool {
	for i := range len(text) {
		if c := text[i]; c <= ',' && strings.IndexByte(quotedInCSV, c) >= 0 {
			return true
		}
	}
	return false
}

func names(columns []Column) []string {
	return each.Text(columns, func(col Column) string { return col.Name })
}
