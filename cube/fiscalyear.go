package cube

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fiscube/internal/tidy"
)

// The fiscal years that a text may name.
const (
	FirstFiscalYear = 1900
	LastFiscalYear  = 2100
)

// otherCalendars are the marks of calendars other than the Gregorian one, in lower case without points, and how many years they are ahead of it.
var otherCalendars = map[string]int64{"be": 543, "พศ": 543, "bs": 57}

// shortYearWords stand before years of two digits.
var shortYearWords = []string{"fy", "'", "’", "year", "ejercicio", "gestión", "jahr", "fiscal"}

// eras are those of Japan, with the year before their first.
var eras = map[string]int64{"令和": 2018, "平成": 1988, "昭和": 1925}

// yearOfEra reads a year of an era, such as 令和5年度.
func yearOfEra(text string) (year int64, ok bool) {
	for era, before := range eras {
		_, rest, found := strings.Cut(text, era)
		if !found {
			continue
		}
		if digits := strings.TrimLeft(rest, " "); strings.HasPrefix(digits, "元") {
			return before + 1, true
		} else if end := strings.IndexFunc(digits+" ", func(r rune) bool { return r < '0' || r > '9' }); end == 1 || end == 2 {
			n, _ := strconv.ParseInt(digits[:end], 10, 64)
			return before + n, true
		}
	}
	return 0, false
}

// FiscalYear gives the number of the fiscal year that a text names:
//
//  1. It names one year, in four digits (2023, Ejercicio 2023, 2023.0), or in two behind a word for years or an apostrophe (FY23).
//  2. Or it names a span of two years that follow each other (2021/22, FY21-22, 2021-2022), which has the number of the year in which it ends, or
//     byStart of the one in which it starts.
//  3. Years of another calendar say so (2566 B.E., 2079/80 BS, 令和5年度).
//  4. A year may stand before its period, from 001 to 016, as ledgers number them (2023012).
//
// Digits may be those of any script. What has other numbers is no year, and nor is what has more than a few words.
func FiscalYear(text string, byStart bool) (year int64, ok bool) {
	if year, ok := yearOfEra(tidy.Digits(text)); ok {
		return year, true
	}
	text = strings.TrimSpace(text)
	if len(text) == len("2023012") && text[4:] >= "001" && text[4:] <= "016" {
		text = text[:4]
	}
	words, numbers, ok := yearTokens(strings.TrimSuffix(text, ".0"))
	if !ok || len(words) > 3 {
		return 0, false
	}
	ahead := int64(0)
	for _, word := range words {
		ahead = max(ahead, otherCalendars[word])
	}
	first, long := yearIn(numbers[0])
	if !long && !(len(words) == 1 && slices.Contains(shortYearWords, words[0])) {
		return 0, false
	}
	last := first
	if len(numbers) == 2 {
		if last, long = yearIn(numbers[1]); !long {
			last += first - first%100 - (last - last%100)
			if last < first {
				last += 100
			}
		}
		if last != first+1 {
			return 0, false
		}
	}
	if byStart {
		last = first
	}
	year = last - ahead
	return year, year >= FirstFiscalYear && year <= LastFiscalYear
}

// FiscalYearInColumn gives the fiscal year of a cell of a column whose name says that it has years, so that a cell may leave the word before two digits
// out (23), and what says the calendar of Thailand (2566).
func FiscalYearInColumn(text string, byStart bool) (year int64, ok bool) {
	if year, ok := FiscalYear(text, byStart); ok {
		return year, true
	}
	switch text = tidy.Digits(strings.TrimSpace(text)); {
	case len(text) == 2:
		return FiscalYear("FY"+text, byStart)
	case len(text) == 4 && text >= "2400" && text <= "2600":
		return FiscalYear(text+" BE", byStart)
	}
	return 0, false
}

// yearTokens gives the words of a text, and its one or two numbers of two or four digits, between which only a mark of spans stands.
func yearTokens(text string) (words, numbers []string, ok bool) {
	const marks = "-/–—−_'’. "
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "−") { // a number below zero
		return nil, nil, false
	}
	between := ""
	runes := []rune(tidy.Digits(text))
	for i := 0; i < len(runes); {
		end := i
		switch r := runes[i]; {
		case unicode.IsDigit(r):
			for end < len(runes) && unicode.IsDigit(runes[end]) {
				end++
			}
			number := string(runes[i:end])
			if len(number) != 2 && len(number) != 4 || len(numbers) == 1 && !strings.ContainsAny(between, "-/–—−_") {
				return nil, nil, false
			}
			numbers = append(numbers, number)
			between = ""
		case unicode.IsLetter(r) || unicode.IsMark(r):
			for end < len(runes) && (unicode.IsLetter(runes[end]) || unicode.IsMark(runes[end]) || runes[end] == '.') {
				end++
			}
			word := strings.ToLower(strings.ReplaceAll(string(runes[i:end]), ".", ""))
			if len(numbers) == 1 && between != "" && strings.ContainsAny(between, "-/–—−_") && word != "fy" { // FY2021-FY2022
				return nil, nil, false
			}
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		case strings.ContainsRune(marks, r):
			between += string(r)
			end = i + 1
			if (r == '\'' || r == '’') && len(words) == 0 && len(numbers) == 0 {
				words = append(words, string(r))
			}
		default:
			return nil, nil, false
		}
		i = end
	}
	return words, numbers, len(numbers) == 1 || len(numbers) == 2
}

// yearIn reads a year of four digits, or of two: 70 to 99 are of the last century.
func yearIn(digits string) (year int64, long bool) {
	year, _ = strconv.ParseInt(digits, 10, 64)
	switch {
	case len(digits) == 4:
		return year, true
	case year >= 70:
		return 1900 + year, false
	}
	return 2000 + year, false
}
