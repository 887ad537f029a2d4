package prose

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// amountWords are what amounts are written with in one language.
type amountWords struct {
	powers   []power
	currency string // between a power and a code
	percent  string
	isNew    string // where a percentage would be of 0
	bytes    string
}

// power is the name of a power of ten. Its forms are those of a word after a number, or a single one. A bare one is written
// without the 1: mil millones.
type power struct {
	exponent int32
	forms    []string
	bare     bool
}

// The names follow the long scale in Spanish and Croatian: a billón is a million millions.
var amountTexts = map[cube.Language]amountWords{
	cube.English: {
		powers: []power{{6, []string{"million"}, false}, {9, []string{"billion"}, false}, {12, []string{"trillion"}, false},
			{15, []string{"quadrillion"}, false}, {18, []string{"quintillion"}, false}, {21, []string{"sextillion"}, false}},
		currency: " ", percent: "%", isNew: "new", bytes: "%d {byte|bytes}",
	},
	cube.Spanish: {
		powers: []power{{6, []string{"millón", "millones"}, false}, {9, []string{"mil millones"}, true}, {12, []string{"billón", "billones"}, false},
			{15, []string{"mil billones"}, true}, {18, []string{"trillón", "trillones"}, false}, {21, []string{"mil trillones"}, true}},
		currency: " de ", percent: "\u00a0%", isNew: "nuevo", bytes: "%d {byte|bytes}",
	},
	cube.Croatian: {
		powers: []power{{6, []string{"milijun", "milijuna", "milijuna"}, false}, {9, []string{"milijarda", "milijarde", "milijardi"}, false},
			{12, []string{"bilijun", "bilijuna", "bilijuna"}, false}, {15, []string{"bilijarda", "bilijarde", "bilijardi"}, false},
			{18, []string{"trilijun", "trilijuna", "trilijuna"}, false}, {21, []string{"trilijarda", "trilijarde", "trilijardi"}, false}},
		currency: " ", percent: "\u00a0%", isNew: "novo", bytes: "%d {bajt|bajta|bajtova}",
	},
}

// form is that behind a number without its sign. With two forms only 1 has the first.
// In Croatian the digits before the comma decide; a number with decimals never has the form of 1: 1,5 milijardi.
func (p power) form(number decimal.Decimal) string {
	switch whole := number.Truncate(0); {
	case len(p.forms) == 3:
		form := slavicForm(whole.String())
		if form == 0 && !whole.Equal(number) {
			form = 2
		}
		return p.forms[form]
	case len(p.forms) == 1 || number.Equal(decimal.New(1, 0)):
		return p.forms[0]
	}
	return p.forms[1]
}

// Decimal writes a number with all its digits, and with at least so many decimals.
func (l Locale) Decimal(d decimal.Decimal, scale int32) string {
	return l.marks().write(d.StringFixed(max(scale, -d.Exponent())))
}

// Whole writes a whole number.
func (l Locale) Whole(n int64) string { return l.marks().write(strconv.FormatInt(n, 10)) }

// Amount writes an amount with all its digits and its currency, if it has one.
func (l Locale) Amount(d decimal.Decimal, scale int32, currency string) string {
	return strings.TrimSuffix(l.Decimal(d, scale)+" "+currency, " ")
}

// tellingDigits is how many digits of an amount in words are kept. Digits before the point are never rounded away from a number
// below a million.
const tellingDigits = 4

// InWords writes an amount with few digits and the name of a power of ten, rounded half up, with its currency, if it has one:
// 175.1 billion HRK.
func (l Locale) InWords(d decimal.Decimal, currency string) string {
	words := in(amountTexts, l.Language)
	number, unit := telling(d.Abs(), 0), power{}
	for _, p := range words.powers {
		if number.LessThan(decimal.New(1, p.exponent-unit.exponent)) {
			break
		}
		number, unit = telling(d.Abs(), p.exponent), p
	}
	var parts []string
	if !unit.bare || !number.Equal(decimal.New(1, 0)) {
		parts = append(parts, l.marks().write(number.String()))
	}
	if unit.exponent > 0 {
		parts = append(parts, unit.form(number))
	}
	text := strings.Join(parts, " ")
	if d.IsNegative() && !number.IsZero() {
		text = "-" + text
	}
	switch {
	case currency == "":
		return text
	case unit.exponent > 0:
		return text + words.currency + currency
	}
	return text + " " + currency
}

// telling divides a number by a power of ten and rounds it to the digits that tell.
func telling(d decimal.Decimal, exponent int32) decimal.Decimal {
	d = d.Shift(-exponent)
	whole := 0
	if d.GreaterThanOrEqual(decimal.New(1, 0)) {
		whole = len(d.Truncate(0).String())
	}
	return d.Round(int32(max(0, tellingDigits-whole)))
}

// Percent writes a percentage with one decimal.
func (l Locale) Percent(percent decimal.Decimal) string {
	return l.marks().write(percent.StringFixed(1)) + in(amountTexts, l.Language).percent
}

// leastShare is the least percentage that one decimal shows.
var leastShare = decimal.New(5, -2)

// Share writes a part of 1 as a percentage. One that is too small to show is not written as 0, and one that lacks too little to show not
// as the whole.
func (l Locale) Share(part decimal.Decimal) string {
	percent, whole := part.Shift(2), decimal.New(100, 0)
	switch rest := whole.Sub(percent); {
	case percent.IsPositive() && percent.LessThan(leastShare):
		return "< " + l.Percent(decimal.New(1, -1))
	case rest.IsPositive() && rest.LessThanOrEqual(leastShare): // which rounds to the whole
		return "> " + l.Percent(whole.Sub(decimal.New(1, -1)))
	}
	return l.Percent(percent)
}

// Change writes by how much something has changed, with its sign. A change from 0 has no percentage: it is new.
func (l Locale) Change(percent decimal.NullDecimal) string {
	if !percent.Valid {
		return in(amountTexts, l.Language).isNew
	}
	text := l.Percent(percent.Decimal)
	if percent.Decimal.Round(1).IsPositive() {
		return "+" + text
	}
	return text
}

// Years lists years, three or more consecutive ones as a range: 2008 to 2010, 2013.
func (l Locale) Years(years []int64) string {
	return l.And(in(warningTexts, l.Language).yearItems(years))
}

// And joins texts as in a sentence: a, b and c.
func (l Locale) And(texts []string) string { return in(citationTexts, l.Language).and.last(texts) }

// Quote puts a text in the quotation marks of the language.
func (l Locale) Quote(text string) string { return fmt.Sprintf(in(quoteTexts, l.Language), text) }

var quoteTexts = map[cube.Language]string{cube.English: "“%s”", cube.Spanish: "«%s»", cube.Croatian: "„%s“"}

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

// multiples are the units of 1000 bytes, and of 1000 of these, and so on.
var multiples = []string{"kB", "MB", "GB", "TB", "PB", "EB"}

// Bytes writes the size of a file: 1.5 MB.
func (l Locale) Bytes(n int64) string {
	if n < 1000 {
		return fill(in(amountTexts, l.Language).bytes, writtenNumber(l.Whole(n)))
	}
	size, unit := decimal.New(n, -3), 0
	rounded := func() decimal.Decimal {
		if size.Round(1).LessThan(decimal.New(10, 0)) {
			return size.Round(1)
		}
		return size.Round(0)
	}
	for rounded().GreaterThanOrEqual(decimal.New(1000, 0)) && unit < len(multiples)-1 {
		size, unit = size.Shift(-3), unit+1
	}
	return l.marks().write(rounded().String()) + " " + multiples[unit]
}

// Fill writes a template of PageWords. Whole numbers among its arguments are written with their groups, so years are given as
// texts.
func (l Locale) Fill(template string, args ...any) string {
	written := make([]any, len(args))
	for i, arg := range args {
		switch n := arg.(type) {
		case int:
			written[i] = writtenNumber(l.Whole(int64(n)))
		case int64:
			written[i] = writtenNumber(l.Whole(n))
		default:
			written[i] = arg
		}
	}
	return fill(template, written...)
}

// writtenNumber is a whole number with its groups, which templates write as such.
type writtenNumber string

// Format writes the number for any verb.
func (n writtenNumber) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, string(n)) }
