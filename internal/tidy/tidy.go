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
