package cube

import (
	"maps"
	"slices"
)

// Language is that of a text for people (ISO 639-1).
type Language string

// The languages of such texts.
const (
	English Language = "en"
	Spanish Language = "es"
)

// ParseLanguage reads the text of the parameter lang.
func ParseLanguage(text string) (Language, error) {
	if l := Language(text); l == English || l == Spanish {
		return l, nil
	}
	return English, Errorf(CodeBadValue, "lang is %q", text).at(Position{Parameter: "lang"}).
		or("the languages are en and es")
}

// in gives the text, or the texts, of a language; those of English where there are none of it.
func in[T any](texts map[Language]T, l Language) T {
	if text, ok := texts[l]; ok {
		return text
	}
	return texts[English]
}

// In gives the title in a language, else in English, else in the first one there is; "" where there is none.
func (t Titles) In(l Language) string {
	for _, one := range []Language{l, English} {
		if text, ok := t[string(one)]; ok {
			return text
		}
	}
	for _, language := range slices.Sorted(maps.Keys(t)) {
		return t[language]
	}
	return ""
}

// In gives the plan with the package's own texts in a language, where it has them.
func (p *Plan) In(l Language) *Plan {
	spoken := *p
	spoken.language = l
	return &spoken
}
