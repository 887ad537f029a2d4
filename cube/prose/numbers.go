package prose

import "strings"

// grouped writes the digits before the point of a plain number in groups of three, and the point as a mark.
func grouped(number, separator, point string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, decimals, _ := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + separator + whole[i:]
	}
	if decimals != "" {
		decimals = point + decimals
	}
	return sign + whole + decimals
}
