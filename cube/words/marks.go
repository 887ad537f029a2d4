package words

import (
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"fiscube/cube"
)

// Locale is a language, and the region whose way to write numbers is used.
type Locale struct {
	Language cube.Language
	Region   string // ISO 3166-1 or UN M.49; "" is none
}

// Of gives the locale with the region of a country whose language it is, where the reader names no region: Spanish has a point before the decimals
// in Mexico, and a comma in Spain.
func (l Locale) Of(country string) Locale {
	region, err := language.ParseRegion(country)
	if spoken, _ := language.Make("und-" + region.String()).Base(); err == nil && l.Region == "" && spoken.String() == string(l.Language) {
		l.Region = region.String()
	}
	return l
}

// marks are what a number has between groups of digits, and before the decimals. The last group has three digits; the others have two
// in India.
type marks struct {
	group, point string
	others       int
}

// marksOf has the marks of the locales that were asked for.
var marksOf sync.Map

// marks gives the marks of the region, which Unicode CLDR knows. All languages group numbers of four digits.
func (l Locale) marks() marks {
	if known, ok := marksOf.Load(l); ok {
		return known.(marks)
	}
	tag := string(l.Language)
	if l.Region != "" {
		tag += "-" + l.Region
	}
	// only its marks are read, so what is written has none of the digits of an amount
	sample := message.NewPrinter(language.Make(tag + "-u-nu-latn")).Sprint(number.Decimal(1234567.5))
	between := func(before, after string) string {
		_, rest, _ := strings.Cut(sample, before)
		mark, _, _ := strings.Cut(rest, after)
		return mark
	}
	made := marks{between("4", "5"), between("7", "5"), 3}
	if between("2", "3") != "" {
		made.others = 2
	}
	marksOf.Store(l, made)
	return made
}

// write writes a plain number with marks.
func (m marks) write(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "−", number[1:]
	}
	whole, decimals, _ := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= m.others {
		whole = whole[:i] + m.group + whole[i:]
	}
	if decimals != "" {
		decimals = m.point + decimals
	}
	return sign + whole + decimals
}

// Number writes a plain number, digits with or without decimals, with the marks of the locale.
func (l Locale) Number(plain string) string { return l.marks().write(plain) }
