package numeric

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/internal/tidy"
)

// Bare takes away what stands before and behind a number, such as the signs of currencies and percent (Table Schema, bareNumber:
// false). A minus may stand before them or behind the number, or the whole in parentheses, as accountants write it, or Cr behind it, as in ledgers. A cell without digits
// stays as it is.
func Bare(cell string) (number, before, after string) {
	cell = strings.TrimSpace(tidy.Digits(cell))
	first, last := strings.IndexFunc(cell, unicode.IsDigit), strings.LastIndexFunc(cell, unicode.IsDigit)
	if first < 0 {
		return cell, "", ""
	}
	before, number, after = cell[:first], cell[first:last+1], strings.TrimSpace(cell[last+1:])
	if mark := strings.LastIndexAny(before, ".,"); mark >= 0 && mark == len(before)-1 && !endsInLetter(before[:mark]) { // not that of Fr.100
		before, number = before[:mark], before[mark:]+number
	}
	if strings.ContainsAny(before, "-−–") || strings.HasPrefix(after, "-") || strings.HasPrefix(after, "−") || strings.HasPrefix(after, "–") ||
		strings.Contains(before, "(") && strings.Contains(after, ")") || strings.EqualFold(strings.Trim(after, "."), "cr") {
		number = "-" + number
	}
	return number, before, after
}

func endsInLetter(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(last)
}
