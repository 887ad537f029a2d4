package fdp

import (
	"strings"
	"unicode/utf8"

	"fiscube/cube"
)

// quoteMark is the only character that encloses cells.
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
		Extra:       o.rest(),
	}
	if d.Delimiter == quoteMark {
		o.take("delimiter").problem("%s encloses cells, so it cannot set them apart", quote(d.Delimiter))
	}
	if utf8.RuneCountInString(d.QuoteChar) == 1 && d.QuoteChar != quoteMark {
		o.take("quoteChar").problem("%s is not supported; cells are enclosed in %s", quote(d.QuoteChar), quoteMark)
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

// readSeparator reads the character between digits; none is a choice too.
func readSeparator(n node) string {
	separator := n.text()
	if utf8.RuneCountInString(separator) > 1 {
		n.problem("must be one character, not %s", quote(separator))
	}
	return separator
}
