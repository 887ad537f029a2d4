package words

import (
	"strings"

	"github.com/shopspring/decimal"
)

// mostTyped is how many characters a number has at most that a person types.
const mostTyped = 60

// ReadDecimal reads a number that a person types with the marks of the locale. Spaces and apostrophes group digits everywhere; a mark of
// groups that stands before other than three digits, once and with no mark of decimals, can be of decimals alone.
func (l Locale) ReadDecimal(text string) (decimal.Decimal, bool) {
	m := l.marks()
	text = strings.TrimSpace(strings.NewReplacer("\u00a0", "", "\u202f", "", " ", "", "'", "", "’", "", "−", "-").Replace(text))
	unsigned := strings.TrimPrefix(text, "-")
	if unsigned == "" || len(text) > mostTyped {
		return decimal.Zero, false
	}
	whole, decimals, hasPoint := strings.Cut(unsigned, m.point)
	groups := []string{whole}
	if m.group != "\u00a0" {
		groups = strings.Split(whole, m.group)
	}
	if len(groups) == 2 && !hasPoint && len(groups[1]) != 3 {
		groups, decimals, hasPoint = groups[:1], groups[1], true
	}
	for i, digits := range groups {
		if !isNumber(digits) || i > 0 && len(digits) != 3 || i == 0 && len(groups) > 1 && len(digits) > 3 {
			return decimal.Zero, false
		}
	}
	if hasPoint && !isNumber(decimals) {
		return decimal.Zero, false
	}
	number := strings.Join(groups, "")
	if hasPoint {
		number += "." + decimals
	}
	if strings.HasPrefix(text, "-") {
		number = "-" + number
	}
	d, err := decimal.NewFromString(number)
	return d, err == nil
}

func isNumber(digits string) bool {
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}
