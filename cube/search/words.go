package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/internal/fold"
)

// mostText bounds the characters of a text that are indexed: labels are short, and descriptions say first what they
// are about.
const mostText = 500

// wordsOf gives the words of a text, folded.
func wordsOf(text string) []string {
	return strings.FieldsFunc(fold.Text(clipped(text, mostText)), func(r rune) bool { return !isWordRune(r) })
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// clipped gives at most so many characters of a text.
func clipped(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n++; n > most {
			return text[:i]
		}
	}
	return text
}

// slips is how many slips of the finger a word allows.
func slips(word string) int {
	switch n := utf8.RuneCountInString(word); {
	case isCode(word), n < 4, n > mostLetters:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

func isCode(word string) bool { return strings.ContainsFunc(word, unicode.IsNumber) }
