package numeric

import (
	"strings"

	"github.com/shopspring/decimal"
)

// Sum adds amounts exactly. Most amounts fit 64 bits: they are added by their number of decimals, and
// only when such a sum grows large is it moved into a decimal.
type Sum struct {
	small [maxSmallScale + 1]int64
	large decimal.Decimal
	long  map[Computed]*longSum
	Cells int64 // that were added
}

// longSum adds computed amounts that are alike: as they are, and rounded. Which of the two counts is known when the
// whole field was read.
type longSum struct{ exact, rounded decimal.Decimal }

// MaxSmallDigits is how many digits a Small has at most.
const MaxSmallDigits = 17

const (
	maxSmallScale = 10
	mostSmall     = int64(1) << 61
)

// Small is an amount that fits 64 bits, without its point.
type Small struct {
	Is       bool // false where there is none
	decimals uint8
	units    int64
}

// IsZero tells whether the amount is 0.
func (s Small) IsZero() bool { return s.Is && s.units == 0 }

var powers = [maxSmallScale + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}

// Float gives the amount, not always exactly.
func (s Small) Float() float64 { return float64(s.units) / powers[s.decimals] }

// SmallOf reads a cell; it is no Small where the amount does not fit, or the cell is no number.
func SmallOf(cell string, form Form) Small {
	digits, before, after, ok := form.ReadAmount(cell)
	if !ok || before+after > MaxSmallDigits || after > maxSmallScale {
		return Small{}
	}
	return Small{true, uint8(after), Unscaled(digits)}
}

// Add adds a cell; one that is no number is left out, as it is a finding of its own.
func (s *Sum) Add(cell string, form Form) {
	if small := SmallOf(cell, form); small.Is {
		s.AddSmall(small)
		return
	}
	digits, _, after, ok := form.ReadAmount(cell)
	if !ok {
		return
	}
	s.Cells++
	if after > NoiseDecimals {
		s.addLong(digits)
		return
	}
	if d, err := decimal.NewFromString(digits); err == nil {
		s.large = s.large.Add(d)
	}
}

// AddSmall adds an amount that was read before.
func (s *Sum) AddSmall(a Small) {
	s.Cells++
	s.small[a.decimals] += a.units
	if sum := s.small[a.decimals]; sum > mostSmall || sum < -mostSmall {
		s.large = s.large.Add(decimal.New(sum, -int32(a.decimals)))
		s.small[a.decimals] = 0
	}
}

// Unscaled reads the digits of a number without its point.
func Unscaled(digits string) int64 {
	var n int64
	for i := range len(digits) {
		if c := digits[i]; c >= '0' && c <= '9' {
			n = n*10 + int64(c-'0')
		}
	}
	if strings.HasPrefix(digits, "-") {
		return -n
	}
	return n
}

func (s *Sum) addLong(digits string) {
	amount, err := decimal.NewFromString(digits)
	if err != nil {
		return
	}
	if s.long == nil {
		s.long = map[Computed]*longSum{}
	}
	c := Describe(digits)
	sum, ok := s.long[c]
	if !ok {
		sum = &longSum{}
		s.long[c] = sum
	}
	sum.exact = sum.exact.Add(amount)
	if c.Clean <= NoiseDecimals {
		sum.rounded = sum.rounded.Add(amount.RoundBank(int32(c.Clean)))
	}
}

// Total is the sum of the cells as they are stored.
func (s *Sum) Total(rule NoiseRule) decimal.Decimal {
	total := s.large
	for c, sum := range s.long {
		switch {
		case rule.IsResidue(c):
		case rule.IsNoise(c):
			total = total.Add(sum.rounded)
		default:
			total = total.Add(sum.exact)
		}
	}
	for scale, n := range s.small {
		if n != 0 {
			total = total.Add(decimal.New(n, -int32(scale)))
		}
	}
	return total
}
