package words

import (
	"regexp"
	"strconv"
	"strings"
)

// And joins texts as in a sentence: a, b and c.
func (l Locale) And(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	end := len(texts) - 1
	message := "list.and"
	if soundsI.MatchString(texts[end]) {
		message = "list.and-before-its-sound"
	}
	return l.Say(message, "First", strings.Join(texts[:end], ", "), "Last", texts[end])
}

// Or joins texts as in a sentence: a or b or c.
func (l Locale) Or(texts []string) string {
	joined := ""
	for i, text := range texts {
		switch {
		case i == 0:
			joined = text
		case soundsO.MatchString(text):
			joined = l.Say("list.or-before-its-sound", "First", joined, "Last", text)
		default:
			joined = l.Say("list.or", "First", joined, "Last", text)
		}
	}
	return joined
}

// The texts before which Spanish has u instead of o, and e instead of y (Ortografía de la lengua española, RAE). Spoken
// numbers begin with the sound o if they begin with ocho, ochenta, ochocientos or once. The i of hielo and yeso is half a
// consonant and changes nothing, that of Ypacaraí does.
var (
	soundsO = regexp.MustCompile(`(?i)^[^\pL\pN]*(?:h?[oó]|8|11(?:\d{3})*(?:\D|$))`)
	soundsI = regexp.MustCompile(`(?i)^[^\pL\pN]*(?:h?í|h?i(?:[^aeouáéóú]|$)|y[b-df-hj-np-tv-xz])`)
)

// Quote puts a text in the quotation marks of the language.
func (l Locale) Quote(text string) string { return l.Say("list.quoted", "Text", text) }

// Year writes a year in a sentence.
func (l Locale) Year(year int64) string { return l.Say("list.year", "Year", Digits(year)) }

// Years lists years as in a sentence, three or more consecutive ones as a range: 2008 to 2010, 2013.
func (l Locale) Years(years []int64) string { return l.And(l.Spans(years)) }

// Spans are the years and ranges of such a list.
func (l Locale) Spans(years []int64) (items []string) {
	for i := 0; i < len(years); i++ {
		first := i
		for i+1 < len(years) && years[i+1] == years[i]+1 {
			i++
		}
		switch i - first {
		case 0:
			items = append(items, l.Year(years[i]))
		case 1:
			items = append(items, l.Year(years[first]), l.Year(years[i]))
		default:
			items = append(items, l.Say("list.years", "First", Digits(years[first]), "Last", Digits(years[i])))
		}
	}
	return items
}

// Periods writes the numbers of some periods of a year, those that follow one another from the first to the last: 1–6, 9.
func Periods(numbers []int64) string {
	var texts []string
	for i := 0; i < len(numbers); i++ {
		text := strconv.FormatInt(numbers[i], 10)
		first := i
		for i+1 < len(numbers) && numbers[i+1] == numbers[i]+1 {
			i++
		}
		if i > first {
			text += "–" + strconv.FormatInt(numbers[i], 10)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}
