package files

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
)

// quoted reads tables whose cells are enclosed in another sign than ", or in which another sign stands before one that is part of a cell
// (Table Dialect: quoteChar, escapeChar, doubleQuote). Empty lines and comments are skipped, as encoding/csv does.
type quoted struct {
	text                              *bufio.Reader
	delimiter, quote, escape, comment rune // 0 for none
	end                               rune // of rows beside line feeds (lineTerminator); 0 for none
	double, skipSpace                 bool
	ended                             bool  // the last line feed stands for end
	line                              int   // that is read, from 1
	at                                []int // the lines on which the cells of the last row begin
	cells                             []string
	cell                              strings.Builder
}

// mostCell bounds a cell, so that a quote that is not closed costs little.
const mostCell = 16 << 20

func newQuoted(text io.Reader, d cube.Dialect) *quoted {
	sign := func(text string, none rune) rune {
		if r, size := utf8.DecodeRuneInString(text); size > 0 {
			return r
		}
		return none
	}
	return &quoted{text: bufio.NewReader(text), line: 1, delimiter: sign(d.Delimiter, ','), quote: sign(d.QuoteChar, '"'), escape: sign(d.EscapeChar, 0),
		comment: sign(d.CommentChar, 0), end: sign(d.LineEnd, 0), double: !d.SingleQuote, skipSpace: d.SkipSpace}
}

// FieldPos implements lines.
func (q *quoted) FieldPos(cell int) (line, column int) { return q.at[cell], 1 }

// Read implements lines.
func (q *quoted) Read() ([]string, error) {
	for {
		r, err := q.next()
		if err != nil {
			return nil, err
		}
		switch {
		case r == '\n':
			continue
		case r == q.comment && q.comment != 0:
			for r != '\n' && err == nil {
				r, err = q.next()
			}
			if err != nil {
				return nil, err
			}
			continue
		}
		q.back()
		return q.row()
	}
}

// next gives the next sign, with a line feed for each end of a line.
func (q *quoted) next() (rune, error) {
	r, _, err := q.text.ReadRune()
	if q.ended = r == q.end && q.end != 0 && r != '\r'; q.ended {
		r = '\n'
	}
	if r == '\r' && err == nil {
		if following, _ := q.text.Peek(1); len(following) == 1 && following[0] == '\n' {
			_, _, err = q.text.ReadRune()
		}
		r = '\n'
	}
	if r == '\n' && err == nil {
		q.line++
	}
	return r, err
}

// back takes the last sign, which is no end of a line, back.
func (q *quoted) back() { _ = q.text.UnreadRune() }

func (q *quoted) row() ([]string, error) {
	q.cells, q.at = q.cells[:0], q.at[:0]
	for {
		q.at = append(q.at, q.line)
		end, err := q.readCell()
		q.cells = append(q.cells, q.cell.String())
		switch {
		case errors.Is(err, io.EOF), err == nil && end == '\n':
			return q.cells, nil
		case err != nil:
			return nil, err
		}
	}
}

// readCell reads a cell and gives the sign that ends it.
func (q *quoted) readCell() (end rune, err error) {
	q.cell.Reset()
	within, began, start := false, false, q.line
	for q.cell.Len() <= mostCell {
		r, err := q.next()
		switch {
		case err != nil && within && errors.Is(err, io.EOF):
			return 0, &csv.ParseError{StartLine: start, Line: q.line, Err: csv.ErrQuote}
		case err != nil:
			return 0, err
		case r == q.escape && q.escape != 0:
			if r, err = q.next(); err != nil {
				return 0, err
			}
			q.cell.WriteRune(r)
		case within && r == q.quote:
			if following, err := q.next(); err == nil && following == q.quote && q.double {
				q.cell.WriteRune(r)
			} else {
				within = false
				if err == nil && following != '\n' {
					q.back()
				} else if err == nil {
					return '\n', nil
				}
			}
		case within && q.ended:
			q.cell.WriteRune(q.end)
		case within:
			q.cell.WriteRune(r)
		case r == '\n' || r == q.delimiter:
			return r, nil
		case r == q.quote && !began:
			within, began = true, true
		case r == ' ' && q.skipSpace && !began && q.cell.Len() == 0:
		default:
			began = true
			q.cell.WriteRune(r)
		}
	}
	return 0, &csv.ParseError{StartLine: start, Line: q.line, Err: csv.ErrQuote}
}
