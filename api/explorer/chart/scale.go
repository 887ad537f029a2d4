package chart

import "github.com/shopspring/decimal"

// scale gives values their position between two pixels. It is the only way from an amount to a floating point number, and
// none leads back.
type scale struct {
	low, high decimal.Decimal
	from, to  float64
}

func (s scale) at(v decimal.Decimal) float64 {
	return s.from + (s.to-s.from)*portion(v.Sub(s.low), s.high.Sub(s.low))
}

// portion is which part of a whole an amount is; all of it if the whole is zero.
func portion(v, whole decimal.Decimal) float64 {
	if whole.IsZero() {
		return 1
	}
	// A quotient of two amounts has a size that does not depend on their units, so sixteen digits after the point suffice.
	part, _ := v.DivRound(whole, 16).Float64()
	return part
}

// extent is the least and the greatest of zero and the values.
func extent(values ...decimal.Decimal) (low, high decimal.Decimal) {
	for _, v := range values {
		low, high = decimal.Min(low, v), decimal.Max(high, v)
	}
	return low, high
}

// ticks are round numbers at equal distances, some n of them, that enclose two numbers.
func ticks(low, high decimal.Decimal, n int) []decimal.Decimal {
	if low.Equal(high) {
		high = low.Add(decimal.New(1, 0))
	}
	step := roundStep(high.Sub(low).DivRound(decimal.NewFromInt(int64(n)), 30))
	var list []decimal.Decimal
	for v := low.Div(step).Floor().Mul(step); ; v = v.Add(step) {
		list = append(list, v)
		if v.GreaterThanOrEqual(high) {
			return list
		}
	}
}

// roundStep is the next of 1, 2 and 5 times a power of ten.
func roundStep(least decimal.Decimal) decimal.Decimal {
	power := decimal.New(1, int32(least.NumDigits())+least.Exponent()-1)
	for _, times := range []int64{1, 2, 5} {
		if step := power.Mul(decimal.NewFromInt(times)); step.GreaterThanOrEqual(least) {
			return step
		}
	}
	return power.Shift(1)
}
