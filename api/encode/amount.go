package encode

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// mostDigits is how many digits fit into 64 bits, whichever they are.
const mostDigits = 18

// powers are those of ten that fit into 64 bits.
var powers = func() (list [mostDigits + 1]int64) {
	list[0] = 1
	for i := 1; i < len(list); i++ {
		list[i] = list[i-1] * 10
	}
	return list
}()

// unscaled gives an amount as a whole number of its last decimals, where that loses nothing and fits.
func unscaled(amount decimal.Decimal, scale int32) (int64, bool) {
	more := int(amount.Exponent() + scale)
	if more < 0 || more > mostDigits || amount.NumDigits()+more > mostDigits {
		return 0, false
	}
	return amount.CoefficientInt64() * powers[more], true
}

// zeros fill up an amount that is less than one.
var zeros = slices.Repeat([]byte{'0'}, mostDigits+1)

// appendFixed writes an amount with so many decimals, as StringFixed does, in no memory of its own where it fits into
// 64 bits.
func appendFixed(b []byte, amount decimal.Decimal, scale int32) []byte {
	n, ok := unscaled(amount, scale)
	if !ok || scale > mostDigits {
		return append(b, amount.StringFixed(scale)...)
	}
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	first := len(b)
	b = strconv.AppendInt(b, n, 10)
	if scale <= 0 {
		return b
	}
	if lack := int(scale) + 1 - (len(b) - first); lack > 0 {
		b = slices.Insert(b, first, zeros[:lack]...)
	}
	return slices.Insert(b, len(b)-int(scale), '.')
}

// significant counts the digits of a number from the first to the last that is not 0.
func significant(number string) int {
	count, zeros := 0, 0
	for _, c := range []byte(number) {
		switch {
		case c == '0' && count > 0:
			zeros++
		case c >= '1' && c <= '9':
			count, zeros = count+zeros+1, 0
		}
	}
	return count
}

// shortened writes a number with so many significant digits, rounded half to even.
func shortened(amount decimal.Decimal, digits int) string {
	return amount.RoundBank(int32(digits-amount.NumDigits()) - amount.Exponent()).String()
}

// appendWhole writes a whole number.
func appendWhole(b []byte, v cube.Value) []byte {
	if n, ok := v.Int(); ok {
		return strconv.AppendInt(b, n, 10)
	}
	return append(b, v.String()...)
}
