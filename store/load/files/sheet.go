package files

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"fiscube/cube"
)

// sheet reads the rows of a sheet of a workbook. Rows without content are skipped, as empty lines of CSV are. Rows have as many cells as
// the table has columns, or more where more have content.
//
// The text of a cell is what the workbook has, not what is shown: a number without the marks and the rounding of its format, the value
// that a formula gave, true or false, an error such as #N/A, a date as 2006-01-02.
type sheet struct {
	book    *workbook
	part    *part
	fields  []cube.Field
	merged  map[int][]span
	row     int // the number of the last row
	cells   []string
	waiting bool // the row in cells was not given yet
	ended   bool
}

// open opens the sheet that a dialect names, else the first that is visible and has rows.
func (b *workbook) open(d cube.Dialect, fields []cube.Field) (*sheet, error) {
	named := d.SheetName != "" || d.SheetNumber > 0
	for i, at := range b.sheets {
		switch {
		case d.SheetName != "" && !strings.EqualFold(at.name, d.SheetName),
			d.SheetName == "" && d.SheetNumber > 0 && i+1 != d.SheetNumber,
			!named && at.hidden:
			continue
		}
		s, err := b.openSheet(at, d, fields)
		switch {
		case err == nil:
			return s, nil
		case !errors.Is(err, io.EOF):
			return nil, err
		case named:
			return nil, badWorkbook("the sheet %q has no rows", at.name)
		}
	}
	switch {
	case d.SheetName != "":
		return nil, badWorkbook("the workbook has no sheet %q; it has %s", d.SheetName, b.sheetNames())
	case d.SheetNumber > 0:
		return nil, badWorkbook("the workbook has no sheet %d; it has %s", d.SheetNumber, b.sheetNames())
	}
	return nil, badWorkbook("no visible sheet of the workbook has rows; it has %s", b.sheetNames())
}

// sheetNames names the sheets for a mistake.
func (b *workbook) sheetNames() string {
	const most = 20
	var names []string
	for _, s := range b.sheets[:min(most, len(b.sheets))] {
		name := strconv.Quote(s.name)
		if s.hidden {
			name += " (hidden)"
		}
		names = append(names, name)
	}
	if more := len(b.sheets) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// openSheet opens a sheet and reads its first row; io.EOF where there is none.
func (b *workbook) openSheet(at sheetPart, d cube.Dialect, fields []cube.Field) (s *sheet, err error) {
	s = &sheet{book: b, fields: fields}
	if s.part, err = b.part(at.part); err != nil {
		return nil, badWorkbook("the sheet %q is not in the workbook", at.name)
	}
	if len(d.HeaderRows) > 1 {
		s.merged, err = b.mergedIn(at.part, d.HeaderRows)
	}
	if err == nil {
		_, err = s.Read()
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	s.waiting = true
	return s, nil
}

// Close implements io.Closer.
func (s *sheet) Close() error { return s.part.data.Close() }

// FieldPos implements lines: a cell is in the row of its sheet.
func (s *sheet) FieldPos(int) (line, column int) { return s.row, 1 }

// Read implements lines.
func (s *sheet) Read() ([]string, error) {
	if s.waiting {
		s.waiting = false
		return s.cells, nil
	}
	for !s.ended {
		token, err := s.part.next()
		if err != nil {
			return nil, err
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local != "row" {
				continue
			}
			if err := s.readRow(e); err != nil {
				return nil, err
			}
			if !IsBlank(s.cells) {
				return s.cells, nil
			}
		case xml.EndElement:
			if s.ended = e.Name.Local == "sheetData"; s.ended {
				if _, err := io.Copy(io.Discard, s.part.data); err != nil { // whose checksum is behind it
					return nil, err
				}
			}
		}
	}
	return nil, io.EOF
}

func (s *sheet) readRow(start xml.StartElement) error {
	number := s.row + 1
	if said := attribute(start, "r"); said != "" {
		n, err := strconv.Atoi(said)
		if err != nil || n <= s.row {
			return s.bad("the row %q follows row %d", said, s.row)
		}
		number = n
	}
	if number > mostSheetRows {
		return s.bad("the sheet has more than %d rows", mostSheetRows)
	}
	s.row, s.cells = number, s.cells[:0]
	next, size := 0, 0
	for {
		token, err := s.part.next()
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local != "c" {
				continue
			}
			column := next
			if at := attribute(e, "r"); at != "" {
				column = columnOf(at)
			}
			if column < next && (column < 0 || column >= len(s.cells) || s.cells[column] != "") || column >= mostSheetColumns {
				return s.bad("the cell %q is in no column of its own", attribute(e, "r"))
			}
			next = column + 1
			cell, err := s.readCell(e, column)
			if err != nil {
				return err
			}
			for len(s.cells) <= column {
				s.cells = append(s.cells, "")
			}
			s.cells[column] = cell
			if size += len(cell); size > mostRow {
				return &Mistake{CodeRowTooLong, fmt.Sprintf("a row has more than %d MB", mostRow>>20), int64(s.row)}
			}
		case xml.EndElement:
			if e.Name.Local == "row" {
				s.fit()
				return nil
			}
		}
	}
}

func (s *sheet) bad(format string, args ...any) error {
	m := badWorkbook(format, args...)
	m.Line = int64(s.row)
	return m
}

// fit fills merged cells of a header to the right, and makes the row as long as the table.
func (s *sheet) fit() {
	for _, m := range s.merged[s.row] {
		for len(s.cells) <= m.last {
			s.cells = append(s.cells, "")
		}
		for i := m.first + 1; i <= m.last; i++ {
			s.cells[i] = s.cells[m.first]
		}
	}
	for len(s.cells) < len(s.fields) {
		s.cells = append(s.cells, "")
	}
	for len(s.cells) > max(1, len(s.fields)) && s.cells[len(s.cells)-1] == "" {
		s.cells = s.cells[:len(s.cells)-1]
	}
	if len(s.cells) == 0 {
		s.cells = append(s.cells, "")
	}
}

// readCell gives the text of a cell.
func (s *sheet) readCell(start xml.StartElement, column int) (string, error) {
	kind, style := attribute(start, "t"), attribute(start, "s")
	text, err := s.part.text("c")
	if err != nil || text == "" {
		return "", err
	}
	switch kind {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			i = -1
		}
		shared, ok, err := s.book.texts.at(i)
		if !ok && err == nil {
			return "", s.bad("a cell has the text %q of the workbook, which has %d", text, len(s.book.texts.ends))
		}
		return shared, err
	case "str", "inlineStr":
		return unescaped(text), nil
	case "b":
		return strconv.FormatBool(text != "0" && text != "false"), nil
	case "d":
		return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(text, "Z"), ".000"), "T00:00:00"), nil
	case "", "n":
		return s.number(strings.TrimSpace(text), style, column), nil
	}
	return text, nil // an error
}

// number writes a number, with the mark between its digits that its column has, or the date that it is.
func (s *sheet) number(text, style string, column int) string {
	format := aNumber
	if i, err := strconv.Atoi(style); err == nil && i >= 0 && i < len(s.book.formats) {
		format = s.book.formats[i]
	}
	if format != aNumber {
		if days, err := strconv.ParseFloat(text, 64); err == nil {
			if date := dateOf(days, format, s.book.from1904); date != "" {
				return date
			}
		}
	}
	text = plainNumber(text)
	if column < len(s.fields) {
		if mark := s.fields[column].DecimalChar; mark != "" && mark != "." {
			text = strings.Replace(text, ".", mark, 1)
		}
	}
	return text
}

// plainNumber writes a number as people do, with at most the 15 digits that workbooks keep: a double of 1234.56 may be written as
// 1234.5599999999999. What has digits alone is as it is.
func plainNumber(text string) string {
	if strings.Trim(text, "0123456789") == "" || strings.Trim(text, "0123456789.-+eE") != "" {
		return text
	}
	const digits = 15
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	short := strconv.FormatFloat(number, 'e', digits-1, 64)
	rounded, err := strconv.ParseFloat(short, 64)
	const large, small = 1e21, 1e-18
	switch size := math.Abs(rounded); {
	case err != nil:
		return text
	case size == 0:
		return "0"
	case size >= large || size < small:
		return strconv.FormatFloat(rounded, 'E', -1, 64)
	case size >= 1e15 && strings.Trim(strings.TrimPrefix(text, "-"), "0123456789") == "":
		return text
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// numberFormat says what the numbers of a format are.
type numberFormat uint8

const (
	aNumber numberFormat = iota
	aDate                // days since 1900 or 1904
	aTime                // a part of a day
)

// builtInFormat gives a format that has a number and no code (ECMA-376 part 1, 18.8.30).
func builtInFormat(id int) numberFormat {
	switch {
	case id >= 14 && id <= 17, id == 22, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return aDate
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 45, id == 47, id == 55, id == 56:
		return aTime
	}
	return aNumber
}

// notLetters are the parts of a format whose letters stand for themselves: quoted, escaped, filled, or a colour or a condition.
var notLetters = regexp.MustCompile(`"[^"]*"|[\\_*].|\[[^\]]*\]`)

// elapsed are hours, minutes or seconds that go on beyond a day: an amount of time, and no time of a day.
var elapsed = regexp.MustCompile(`(?i)\[(h+|m+|s+)\]`)

// formatOf tells by its code what a format is of: by the part for positive numbers.
func formatOf(code string) numberFormat {
	if elapsed.MatchString(code) {
		return aNumber
	}
	code = strings.ToLower(notLetters.ReplaceAllString(code, ""))
	code, _, _ = strings.Cut(code, ";")
	hasTime := strings.ContainsAny(code, "hs")
	switch {
	case strings.Contains(code, "general") || strings.ContainsAny(code, "#?") || strings.Contains(code, "0") && !hasTime:
		return aNumber
	case strings.ContainsAny(code, "yd") || strings.Contains(code, "m") && !hasTime:
		return aDate
	case hasTime:
		return aTime
	}
	return aNumber
}

// dateOf writes a number of days as a date, with the time if there is one; "" where it is none. Excel counts from 1900 as if that were a
// leap year.
func dateOf(days float64, format numberFormat, from1904 bool) string {
	const lastDay, feb29 = 2_958_466, 60
	if !(days >= 0 && days < lastDay) || format == aTime && days >= 1 {
		return ""
	}
	whole := math.Floor(days)
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case from1904:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case whole < feb29:
		start = start.AddDate(0, 0, 1)
	}
	const day = 24 * 60 * 60
	at := start.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round((days-whole)*day)) * time.Second)
	switch {
	case format == aTime:
		return at.Format(time.TimeOnly)
	case at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0:
		return at.Format(time.DateOnly)
	}
	return at.Format("2006-01-02T15:04:05")
}
