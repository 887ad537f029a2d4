package prose

import (
	"slices"
	"strings"

	"fiscube/cube"
)

// Locale is a language, and the region whose way to write numbers is used.
type Locale struct {
	Language cube.Language
	Region   string // ISO 3166-1 or UN M.49; "" is none
}

// marks are what a number has between groups of digits, and before the decimals.
type marks struct{ group, point string }

// pointRegions are the regions in which Spanish has 1,234.5 (Unicode CLDR).
var pointRegions = []string{"419", "BR", "BZ", "CU", "DO", "GT", "HN", "MX", "NI", "PA", "PE", "PR", "SV", "US"}

// marks gives the marks of the region. English has the same everywhere, and all languages group numbers of four digits.
func (l Locale) marks() marks {
	switch {
	case l.Language == cube.Spanish && l.Region == "CR":
		return marks{"\u00a0", ","}
	case l.Language == cube.Spanish && !slices.Contains(pointRegions, l.Region), l.Language == cube.Croatian:
		return marks{".", ","}
	}
	return marks{",", "."}
}

// write writes a plain number with marks.
func (m marks) write(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, decimals, _ := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + m.group + whole[i:]
	}
	if decimals != "" {
		decimals = m.point + decimals
	}
	return sign + whole + decimals
}
