package describe

import (
	"strings"
	"unicode"

	"fiscube/cube"
	"fiscube/internal/tidy"
)

// Amounts have signs around them in many files: a currency ($1,200, 5 €, EUR 5, kn), parentheses or a minus behind the number for what is below
// zero; in ledgers Dr and Cr say it, and in India 1,100/- is no less than 1,100. Table Schema says so by bareNumber: false.

// currencyWords are what stands for a currency beside amounts, in lower case, besides codes and what signCurrencies has. Single letters are none:
// P01 is a code.
var currencyWords = set("rp rm rs kr sfr us bs gs lps din дин грн руб ден лв tl dm dh fcfa cfa tk birr ksh tsh ush nrs euro euros dollars pesos")

func isCurrency(word string) bool {
	word = strings.ToLower(word)
	return currencyWords[word] || signCurrencies[word] != "" || cube.MeaningOf("currency", word) != ""
}

// undecorated takes the signs off an amount. It is false for a cell without signs, and for one that has words or percents beside its number.
func undecorated(cell string) (number string, sign string, ok bool) {
	cell = tidy.Digits(strings.TrimSpace(cell))
	first, last := strings.IndexFunc(cell, isASCIIDigit), strings.LastIndexFunc(cell, isASCIIDigit)
	if first < 0 {
		return "", "", false
	}
	if first > 0 && (cell[first-1] == '.' || cell[first-1] == ',') {
		first--
	}
	before, after := cell[:first], strings.TrimPrefix(cell[last+1:], "/-")
	number = cell[first : last+1]
	below, signs := 0, []rune(nil)
	if side := strings.ToLower(strings.Trim(after, " .")); side == "dr" || side == "cr" {
		after = " "
		below += int(boolRows(side == "cr", 1))
	}
	for i, part := range []string{before, after} {
		var letters []rune
		for _, r := range part {
			switch {
			case r == '–' && (i == 0 || strings.HasPrefix(after, "–")): // a dash is a minus, but not that of 100.–
				below++
			case unicode.IsLetter(r):
				letters = append(letters, r)
			case unicode.Is(unicode.Sc, r):
				signs = append(signs, r)
			case r == '-' || r == '−' || r == '(':
				below++
			case r == ')' || r == '+' || r == '.' || r == '–' || unicode.IsSpace(r):
			default:
				return "", "", false
			}
		}
		if len(letters) > 0 && !isCurrency(string(letters)) {
			return "", "", false
		}
		signs = append(signs, letters...)
	}
	if below > 1 || strings.Contains(before, "(") != strings.Contains(after, ")") || number == cell {
		return "", "", false
	}
	if below > 0 {
		number = "-" + number
	}
	return number, string(signs), true
}

func isASCIIDigit(r rune) bool { return r >= '0' && r <= '9' }
