package words

import (
	"strings"

	"github.com/shopspring/decimal"
)

// Brief writes an amount in figures and headings: three or four digits that tell, and the name of a power of ten: 12.4 billion kuna, 125.0 billion
// kuna, or 125 billion kuna if that is all of it. A currency without a name in the language has its code.
func (l Locale) Brief(d decimal.Decimal, currency string) string {
	text, joint, number := l.brief(d, false)
	if currency == "" {
		return text
	}
	if name := "currency." + currency; Has(name) {
		currency = l.Say(name, "Count", number)
	}
	return l.joined(joint, text, currency)
}

// joined joins an amount with a currency by a message, or by that for a currency that begins with a vowel: milliards d’euros.
func (l Locale) joined(joint, amount, currency string) string {
	if joint == "amount.in-words-with-currency" && strings.ContainsAny(strings.ToLower(currency[:1]), "aeiou") {
		joint = "amount.in-words-with-currency-before-vowel"
	}
	return l.Say(joint, "Amount", amount, "Currency", currency)
}

// Short is Brief with the name of the power of ten in a few letters, without a currency: 12.4 bn.
func (l Locale) Short(d decimal.Decimal) string {
	text, _, _ := l.brief(d, true)
	return text
}

// asMany is a number with which a currency has the form that it has behind a billion.
var asMany = decimal.NewFromInt(5)

// brief writes a number, names the message that joins it with a currency, and gives the number that chooses the form of that.
func (l Locale) brief(d decimal.Decimal, isShort bool) (text, joint string, of decimal.Decimal) {
	number, exponent, name := briefly(d.Abs()), int32(0), ""
	for _, p := range powers {
		if number.LessThan(decimal.New(1, p.exponent-exponent)) {
			break
		}
		number, exponent, name = briefly(d.Abs().Shift(-p.exponent)), p.exponent, p.message
		if isShort {
			name = p.short
		}
	}
	if number.Shift(exponent).Equal(d.Abs()) { // nothing is rounded
		number = plain(number)
	}
	joint = "amount.with-currency"
	if name == "" {
		if number.GreaterThanOrEqual(decimal.New(100, 0)) {
			number = number.Round(0)
		}
		of = plain(number)
		text = l.Decimal(of, 0)
	} else {
		joint, of = "amount.in-words-with-currency", asMany
		text = l.Say(name, "Count", number)
	}
	if d.IsNegative() && !number.IsZero() {
		text = "−" + text
	}
	return text, joint, of
}

// briefly rounds a number to two decimals below ten, and to one above.
func briefly(d decimal.Decimal) decimal.Decimal {
	if d.LessThan(decimal.New(9995, -3)) {
		return d.Round(2)
	}
	return d.Round(1)
}
