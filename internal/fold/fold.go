// Package fold makes texts comparable as people look for them: without case and accents. The load folds what it
// stores and the stores fold what is asked for, so both need the one function.
package fold

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// strokes writes letters that have a stroke, or are two in one, as those do who have no key for them.
var strokes = strings.NewReplacer("đ", "d", "ð", "d", "ħ", "h", "ı", "i", "ł", "l", "ø", "o", "ŧ", "t", "æ", "ae", "œ", "oe", "þ", "th")

// Text is a text without case and accents.
func Text(text string) string {
	unaccent := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
	plain, _, err := transform.String(unaccent, text)
	if err != nil {
		plain = text // these transformers fail on no text; a folded text is only a way to find things
	}
	return strokes.Replace(cases.Fold().String(plain))
}
