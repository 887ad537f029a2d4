package cube

import (
	"maps"
	"slices"
)

// Language is that of a text for people (ISO 639-1).
type Language string

// Languages that the program names itself. It speaks all that have a catalogue (cube/words).
const (
	English  Language = "en"
	Spanish  Language = "es"
	Croatian Language = "hr"
)

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
