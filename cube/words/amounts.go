package words

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// powers are the powers of ten that have names, with the messages of these and of what figures write.
var powers = []struct {
	exponent       int32
	message, short string
}{
	{6, "amount.million", "amount.short-million"}, {9, "amount.billion", "amount.short-billion"}, {12, "amount.trillion", "amount.short-trillion"},
	{15, "amount.quadrillion", "amount.short-quadrillion"}, {18, "amount.quintillion", "amount.short-quintillion"}, {21, "amount.sextillion", "amount.short-sextillion"},
}

// Decimal writes a number with all its digits, and with at least so many decimals.
func (l Locale) Decimal(d decimal.Decimal, scale int32) string {
	return l.Number(d.StringFixed(max(scale, -d.Exponent())))
}

// Whole writes a whole number.
func (l Locale) Whole(n int64) string { return l.Number(strconv.FormatInt(n, 10)) }

// Amount writes an amount with all its digits and its currency, if it has one.
func (l Locale) Amount(d decimal.Decimal, scale int32, currency string) string {
	return strings.TrimSuffix(l.Decimal(d, scale)+" "+currency, " ")
}

// plain is a number without zeros at its end.
func plain(d decimal.Decimal) decimal.Decimal {
	return decimal.RequireFromString(d.String())
}

// Percent writes a percentage with one decimal.
func (l Locale) Percent(percent decimal.Decimal) string {
	return l.Say("amount.percent", "Number", l.Number(percent.StringFixed(1)))
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
		return l.Say("amount.new")
	}
	text := l.Percent(percent.Decimal)
	if percent.Decimal.Round(1).IsPositive() {
		return "+" + text
	}
	return text
}

// multiples are the units of 1000 bytes, and of 1000 of these, and so on.
var multiples = []string{"kB", "MB", "GB", "TB", "PB", "EB"}

// Bytes writes the size of a file: 1.5 MB.
func (l Locale) Bytes(n int64) string {
	if n < 1000 {
		return l.Say("amount.bytes", "Count", n)
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
	return l.Number(rounded().String()) + " " + multiples[unit]
}
