package prose

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/words"
)

// Fill says a message with those of some parameters that it has.
func Fill(l words.Locale, id string, params ...any) string {
	var said []any
	for i := 0; i+1 < len(params); i += 2 {
		if slices.Contains(words.Parameters(id), params[i].(string)) {
			said = append(said, params[i], params[i+1])
		}
	}
	return l.Say(id, said...)
}

// asSentence ends what people are told with a point.
func asSentence(text string) string {
	if last, _ := utf8.DecodeLastRuneInString(text); text == "" || strings.ContainsRune(".?!…", last) {
		return text
	}
	return text + "."
}

// fieldTitle names a field or a dimension for people: by its title, else by the field with its labels, else by its own name.
func fieldTitle(m *cube.Model, field string, l cube.Language) string {
	if measure, ok := m.Measure(field); ok {
		return measureName(measure, l)
	}
	if level, ok := m.Level(field); ok {
		return LevelTitle(level, l)
	}
	dimension, _ := m.Dimension(field)
	return cmp.Or(dimension.Titles.In(l), field)
}

// LevelTitle names a level for people: by its title, else by the field with its labels, else by that with its keys.
func LevelTitle(level cube.Level, l cube.Language) string {
	return cmp.Or(level.Titles.In(l), level.LabelRef, level.Ref)
}

// ByLevel says that amounts are divided by a level, inside a sentence: by function, po razdjelima.
func ByLevel(level cube.Level, l words.Locale) string {
	if by, ok := level.By[string(l.Language)]; ok {
		return by
	}
	title := LevelTitle(level, l.Language)
	if letters := []rune(title); len(level.Titles) > 0 && len(letters) > 1 && unicode.IsLower(letters[1]) && l.Language != "de" { // names of things have capitals in German
		title = string(unicode.ToLower(letters[0])) + string(letters[1:])
	}
	return l.Say("view.by", "Level", title)
}

// Begin writes a text as the beginning of a sentence.
func Begin(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// mostPeriods bounds how many periods a message lists.
const mostPeriods = 12

// yearRuns splits years into runs: a run ends where the next year does not follow.
func yearRuns(years []int64, follows func(before, year int64) bool) [][]int64 {
	var list [][]int64
	start := 0
	for i := range years {
		if end := i + 1; end == len(years) || !follows(years[i], years[end]) {
			list, start = append(list, years[start:end]), end
		}
	}
	return list
}

// Verb is what was done with the amounts of a measure, as messages name it: spent, received, expected, approved, adjusted or proposed; "" where
// nobody says.
func Verb(m cube.Measure) string {
	switch isRevenue := m.Direction == "revenue"; {
	case m.Phase == "executed" && isRevenue:
		return "received"
	case m.Phase == "executed" && m.Direction == "expenditure":
		return "spent"
	case (m.Phase == "approved" || m.Phase == "adjusted" || m.Phase == "proposed") && isRevenue:
		return "expected"
	case m.Phase == "approved", m.Phase == "adjusted", m.Phase == "proposed": // of either direction
		return m.Phase
	}
	return ""
}
