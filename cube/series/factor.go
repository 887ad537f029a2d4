package series

import (
	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// Factors say what amounts are multiplied by: an amount of a year by Times of the year, and the sum of these, of any number of
// years, is divided by Divisor. All are whole numbers, so that nothing is rounded before the division.
type Factors struct {
	Times   map[int64]decimal.Decimal // no factor is known of any other year
	Divisor decimal.Decimal
}

var (
	one     = decimal.NewFromInt(1)
	percent = decimal.New(1, -2)
)

// Plain are the factors by which amounts of some years stay as they are.
func Plain(years []int64) Factors {
	f := Factors{Times: map[int64]decimal.Decimal{}, Divisor: one}
	for _, year := range years {
		f.Times[year] = one
	}
	return f
}

// Real gives the factors that put amounts of some years into prices of a base year. It gives false if the series does not know
// the prices of the base year.
//
// An index gives the level of prices of a year. Annual rates are chained: prices of 2018 are those of 2016, times 1 + the rate of
// 2017, times 1 + the rate of 2018, both divided by 100. So the rates lead to the year before the first of them too, and
// not across a year without one.
func Real(s cube.Series, base int64, years []int64) (Factors, bool) {
	f := Factors{Times: map[int64]decimal.Decimal{}}
	if s.Unit == cube.UnitIndex {
		level, ok := s.Value(base)
		for year, times := range inverses(s, years, &f.Divisor) {
			f.Times[year] = times.Mul(level)
		}
		return f.whole(), ok
	}
	rises, ok := risesFrom(s, base, years)
	for _, year := range years {
		if rise, ok := rises[year]; ok {
			f.Times[year] = rise
		}
	}
	f.Divisor = rises[base]
	return f.whole(), ok
}

// risesFrom tells by how much prices rose from each year to the same last year, as far as rates lead from a base year. It gives
// false if none does.
func risesFrom(s cube.Series, base int64, years []int64) (map[int64]decimal.Decimal, bool) {
	rates := map[int64]decimal.Decimal{}
	for _, v := range s.Values {
		rates[v.Year] = v.Value.Mul(percent).Add(one)
	}
	last := base
	for _, year := range years {
		for last < year && !rates[last+1].IsZero() {
			last++
		}
	}
	rises := map[int64]decimal.Decimal{last: one}
	for year := last; !rates[year].IsZero(); year-- {
		rises[year-1] = rises[year].Mul(rates[year])
	}
	return rises, !rates[base].IsZero() || !rates[base+1].IsZero()
}

// PerHead gives the factors that divide amounts of some years by the inhabitants of their year.
func PerHead(s cube.Series, years []int64) Factors {
	var f Factors
	f.Times = inverses(s, years, &f.Divisor)
	return f.whole()
}

// inverses gives 1 divided by the value of each year, all times the same divisor: the product of the values.
func inverses(s cube.Series, years []int64, divisor *decimal.Decimal) map[int64]decimal.Decimal {
	values := map[int64]decimal.Decimal{}
	for _, year := range years {
		if value, ok := s.Value(year); ok {
			values[year] = value
		}
	}
	*divisor = one
	times := map[int64]decimal.Decimal{}
	for year, value := range values {
		*divisor = divisor.Mul(value)
		times[year] = one
		for other, value := range values {
			if other != year {
				times[year] = times[year].Mul(value)
			}
		}
	}
	return times
}

// And are the factors of both: of the years that both know.
func (f Factors) And(g Factors) Factors {
	both := Factors{Times: map[int64]decimal.Decimal{}, Divisor: f.Divisor.Mul(g.Divisor)}
	for year, times := range f.Times {
		if also, ok := g.Times[year]; ok {
			both.Times[year] = times.Mul(also)
		}
	}
	return both
}

// whole multiplies all factors and the divisor by the power of ten that makes them whole numbers.
func (f Factors) whole() Factors {
	decimals := max(0, -f.Divisor.Exponent())
	for _, times := range f.Times {
		decimals = max(decimals, -times.Exponent())
	}
	whole := func(d decimal.Decimal) decimal.Decimal { return decimal.NewFromBigInt(d.Shift(decimals).BigInt(), 0) }
	for year, times := range f.Times {
		f.Times[year] = whole(times)
	}
	f.Divisor = whole(f.Divisor)
	return f
}
