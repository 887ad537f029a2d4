package cube

import (
	"maps"
	"slices"
)

// Language is that of a text for people (ISO 639-1).
type Language string

// English is what all is said in where there is nothing in a language. There is a catalogue of each that is spoken (cube/words).
const English Language = "en"

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
