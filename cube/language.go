package cube

import (
	"maps"
	"slices"
)

// Language is that of a text for people (ISO 639-1).
type Language string

// The languages that fiscube speaks.
const (
	English  Language = "en"
	Spanish  Language = "es"
	Croatian Language = "hr"
)

// Languages lists them.
var Languages = []Language{English, Spanish, Croatian}

// In gives the title in a language, else in English, else in the first language that has one, else "".
func (t Titles) In(l Language) string {
	for _, language := range []Language{l, English} {
		if text, ok := t[string(language)]; ok {
			return text
		}
	}
	for _, language := range slices.Sorted(maps.Keys(t)) {
		return t[language]
	}
	return ""
}
