// Package tidy reads what a published cell says: it cleans labels and codes, and splits cells that join the two.
package tidy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Label cleans a label for display, and a text to search for: no-break spaces, doubled and outer spaces and control
// characters become single spaces or nothing, and accents that are characters of their own join their letters. The fact
// still has the published cell.
func Label(label string) string {
	words := strings.FieldsFunc(label, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	return norm.NFC.String(strings.Join(words, " "))
}

// Visible gives a text for people without what turns around or hides what stands beside it: the marks, embeddings, overrides and isolates
// of the bidirectional algorithm (UAX #9, section 2), and characters that show nothing (UTS #39 calls them ignorable), of which tags can
// hold a text of their own. The joiners that scripts and emoji need stay, and so do the marks of variants. Data keep what was published.
func Visible(text string) string {
	if isPlain(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u206f', r == '\u200e', r == '\u200f', r == '\u061c',
			r == '\u200b', r >= '\u2060' && r <= '\u2064', r == '\u180e', r == '\ufeff', r >= '\ufff9' && r <= '\ufffb', r == '\ufffe', r == '\uffff',
			r >= '\U000e0000' && r <= '\U000e007f', unicode.IsControl(r) && !unicode.IsSpace(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// isPlain tells whether a text is printable ASCII and white space.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return true
}

// Digits writes the digits of all scripts in ASCII, and the marks between Arabic ones as a point and a comma.
func Digits(text string) string {
	if isPlain(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u066b':
			return '.'
		case r == '\u066c':
			return ','
		case r < utf8.RuneSelf || !unicode.Is(unicode.Nd, r):
			return r
		}
		value := rune('0')
		for value < '9' && unicode.Is(unicode.Nd, r-1) { // those of a script follow each other, from zero
			r--
			value++
		}
		return value
	}, text)
}

// Key gives a code without what nobody sees of it: outer spaces, no-break spaces in place of spaces, and accents that
// are characters of their own.
func Key(cell string) string {
	if isTidyASCII(cell) {
		return cell
	}
	return norm.NFC.String(strings.TrimSpace(strings.ReplaceAll(cell, "\u00a0", " ")))
}

func isTidyASCII(cell string) bool {
	for i := range len(cell) {
		if cell[i] >= utf8.RuneSelf {
			return false
		}
	}
	return cell == "" || cell[0] > ' ' && cell[len(cell)-1] > ' '
}

// Split splits a cell that joins a code and its label, as "28-UNIVERSIDADES", "1.1 - Ingresos" or
// "100 GASTOS  CORRIENTES": a code of digits and points, a hyphen or spaces, and a label whose first word has
// a letter. Dates and plain codes do not split. As a regular expression:
//
//	^\s*(\d[\d.]*)(\s*-\s*|\s+)(\S*\p{L}.*)$
func Split(cell string) (code, label string, ok bool) {
	rest := strings.TrimLeftFunc(cell, unicode.IsSpace)
	end := 0
	for end < len(rest) && (rest[end] >= '0' && rest[end] <= '9' || end > 0 && rest[end] == '.') {
		end++
	}
	if end == 0 || end == len(rest) {
		return "", "", false
	}
	code, rest = rest[:end], rest[end:]
	label = strings.TrimLeftFunc(rest, unicode.IsSpace)
	if after, hyphen := strings.CutPrefix(label, "-"); hyphen {
		label = strings.TrimLeftFunc(after, unicode.IsSpace)
	}
	if len(label) == len(rest) || !beginsWithWord(label) {
		return "", "", false
	}
	return code, label, true
}

// beginsWithWord tells whether the text up to the first space has a letter.
func beginsWithWord(s string) bool {
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if unicode.IsLetter(r) {
			return true
		}
		if unicode.IsSpace(r) {
			return false
		}
		s = s[size:]
	}
	return false
}
