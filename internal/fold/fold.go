// Package fold removes case and accents from texts, so that a search finds them however they are written. A load folds
// the labels that it stores and a store folds the text of a search, so both need the same function. A load folds every
// label and a start folds every member for the search, so ASCII texts take a fast path and the others share their
// transformers.
package fold

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// strokes replaces letters that have a stroke, and ligatures, by what people type who have no key for them.
var strokes = strings.NewReplacer("đ", "d", "ð", "d", "ħ", "h", "ı", "i", "ł", "l", "ø", "o", "ŧ", "t", "æ", "ae", "œ", "oe", "þ", "th")

// folder holds transformers that have state while they work, so it folds one text at a time.
type folder struct {
	unaccent transform.Transformer
	uncase   cases.Caser
}

var folders = sync.Pool{New: func() any {
	return &folder{transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), cases.Fold()}
}}

// Text is a text without case and accents. Several goroutines may call it at once.
func Text(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	f := folders.Get().(*folder)
	defer folders.Put(f)
	return f.text(text)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (f *folder) text(text string) string {
	plain, _, err := transform.String(f.unaccent, text)
	if err != nil {
		plain = text // these transformers fail on no text; a folded text is only a way to find things
	}
	return strokes.Replace(f.uncase.String(plain))
}
