package fdp

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
)

// quoteMark is what encloses cells where nothing else is said.
const quoteMark = `"`

func readDialect(n node) cube.Dialect {
	o := n.object()
	if o == nil {
		return cube.Dialect{}
	}
	d := cube.Dialect{
		Delimiter:   readMark(o.take("delimiter")),
		QuoteChar:   readMark(o.take("quoteChar")),
		DecimalChar: readSeparator(o.take("decimalChar")),
		GroupChar:   readSeparator(o.take("groupChar")),
		HeaderRows:  readLines(o.take("headerRows")),
		HeaderJoin:  o.take("headerJoin").text(),
		CommentRows: readLines(o.take("commentRows")),
		CommentChar: readMark(o.take("commentChar")),
		EscapeChar:  readMark(o.take("escapeChar")),
		SkipSpace:   o.take("skipInitialSpace").truth(),
		Ragged:      o.take("raggedRows").truth(),
	}
	if header := o.take("header"); !header.absent() {
		d.NoHeader = !header.truth()
	}
	if double := o.take("doubleQuote"); !double.absent() {
		d.SingleQuote = !double.truth()
	}
	switch end := o.take("lineTerminator"); end.text() {
	case "", "\n", "\r\n": // which are known without a word
	case "\r":
		d.LineEnd = "\r"
	default:
		d.LineEnd = readMark(end)
	}
	o.take("nullSequence") // readResource makes it a missing value
	d.SheetName, d.SheetNumber = o.take("sheetName").text(), readSheetNumber(o.take("sheetNumber"))
	d.Extra = o.rest()
	if d.Delimiter == cmp.Or(d.QuoteChar, quoteMark) {
		o.take("delimiter").problem("%s encloses cells, so it cannot set them apart", quote(d.Delimiter))
	}
	if d.NoHeader && len(d.HeaderRows) > 0 {
		o.take("headerRows").problem("a table without header has no lines of names: leave out header: false")
	}
	return d
}

// readMark reads the one character that sets cells apart or encloses them.
func readMark(n node) string {
	mark := n.text()
	if !n.absent() && (utf8.RuneCountInString(mark) != 1 || strings.ContainsAny(mark, "\r\n\x00\ufffd")) {
		n.problem("must be one character, not %s", quote(mark))
	}
	return mark
}

// readSheetNumber reads which sheet of a workbook is meant, from 1.
func readSheetNumber(n node) int {
	if n.absent() {
		return 0
	}
	text, _ := n.scalar()
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		n.problem("%s is no number of a sheet; the first is 1", quote(text))
	}
	return number
}

// checkWorkbook refuses the workbooks that are not read, and sheets of what is no workbook.
func (r *resource) checkWorkbook(o *object) {
	if ending := strings.TrimPrefix(r.Ending(), "."); isOtherWorkbook(ending) && r.Data == nil {
		o.take("path").problem("workbooks are read as XLSX alone, not %s: save it as XLSX, or its sheet as CSV", strings.ToUpper(ending))
	}
	if dialect := o.take("dialect").object(); dialect != nil && !r.IsWorkbook() {
		for _, key := range []string{"sheetName", "sheetNumber"} {
			if sheet := dialect.take(key); !sheet.absent() {
				sheet.problem("the resource has no sheets: it is no workbook (XLSX)")
			}
		}
	}
}

// isOtherWorkbook tells by its format whether a file is a workbook that is not read.
func isOtherWorkbook(format string) bool {
	return slices.Contains([]string{"xls", "xlsb", "ods"}, strings.ToLower(format))
}

// readSeparator reads the character between digits; none is a choice too.
func readSeparator(n node) string {
	separator := n.text()
	if utf8.RuneCountInString(separator) > 1 {
		n.problem("must be one character, not %s", quote(separator))
	}
	return separator
}

// readLines reads numbers of lines, from 1.
func readLines(n node) []int {
	var lines []int
	for _, text := range n.texts() {
		line, err := strconv.Atoi(text)
		if err != nil || line < 1 {
			n.problem("%s is no number of a line; the first is 1", quote(text))
			continue
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}
