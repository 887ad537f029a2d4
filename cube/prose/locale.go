package prose

import (
	"regexp"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
)

// Locale is a language, and the region whose way to write numbers is used.
type Locale struct {
	Language cube.Language
	Region   string // ISO 3166-1 or UN M.49; "" is none
}

// tag matches a language tag (BCP 47): language, script, region, and subtags that change nothing here.
var tag = regexp.MustCompile(`^([A-Za-z]{2,3})(?:-[A-Za-z]{4})?(?:-([A-Za-z]{2}|[0-9]{3}))?(?:-[A-Za-z0-9]{1,8})*$`)

// longestTag is as much as registered tags need (RFC 5646, 4.4.1).
const longestTag = 35

// ParseLocale reads a language tag, such as es-MX, of a language that fiscube speaks.
func ParseLocale(text string) (Locale, error) {
	var parts []string
	if len(text) <= longestTag {
		parts = tag.FindStringSubmatch(text)
	}
	if parts != nil {
		for _, language := range cube.Languages {
			if strings.EqualFold(parts[1], string(language)) {
				return Locale{language, strings.ToUpper(parts[2])}, nil
			}
		}
	}
	return Locale{Language: cube.English}, cube.Errorf(cube.CodeBadValue, "lang is %q", query.Clip(text)).At(cube.Position{Parameter: "lang"}).
		WithHint("the languages are en, es and hr, also with a region, such as es-MX")
}

// String is the tag of the locale.
func (l Locale) String() string {
	if l.Region == "" {
		return string(l.Language)
	}
	return string(l.Language) + "-" + l.Region
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
