package resident

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// values are amounts as whole numbers, multiplied by a power of ten: of 64 bits; of 128 bits, where sums may not fit; or decimals, where
// single amounts may not.
type values struct {
	low  []int64 // nil: they are decimals
	high []int64 // the upper half of 128 bits; nil: they have 64
	big  []decimal.Decimal
}

// bytesOfDecimal is about how much memory a decimal takes.
const bytesOfDecimal = 64

func (v values) bytes() int64 {
	return 8*int64(len(v.low)+len(v.high)) + bytesOfDecimal*int64(len(v.big))
}

// fitted copies the values, as lists that grew have room for more.
func (v values) fitted() values {
	return values{slices.Clone(v.low), slices.Clone(v.high), slices.Clone(v.big)}
}

// wide gives both halves of an amount.
func (v values) wide(row int32) (low, high int64) {
	if low = v.low[row]; v.high != nil {
		return low, v.high[row]
	}
	return low, low >> 63
}

// compare orders the amounts of two rows.
func (v values) compare(i, j int32) int {
	switch {
	case v.big != nil:
		return v.big[i].Cmp(v.big[j])
	case v.high != nil:
		return cmp.Or(cmp.Compare(v.high[i], v.high[j]), cmp.Compare(uint64(v.low[i]), uint64(v.low[j])))
	}
	return cmp.Compare(v.low[i], v.low[j])
}

// decimal gives an amount divided by 10^scale.
func (v values) decimal(row int32, scale int) decimal.Decimal {
	if v.big != nil {
		return v.big[row]
	}
	low, high := v.wide(row)
	if high == low>>63 {
		return decimal.New(low, -int32(scale))
	}
	n := new(big.Int).Lsh(big.NewInt(high), 64)
	return decimal.NewFromBigInt(n.Add(n, new(big.Int).SetUint64(uint64(low))), -int32(scale))
}

// part is a part of the groups of a statement.
type part struct {
	function cube.Func
	scale    int
	values
	amounts  []int64 // how many amounts a group has; nil: each has some, or the part counts
	ofCounts bool    // the sum of numbers of rows or amounts
}

// isNull tells whether a group has no amount.
func (p *part) isNull(group int32) bool { return p.amounts != nil && p.amounts[group] == 0 }

func (p *part) number(group int32) decimal.NullDecimal {
	if p.isNull(group) {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(p.decimal(group, p.scale))
}

// counts tells whether the part is a number of rows or amounts.
func (p *part) counts() bool {
	return p.function == cube.Rows || p.function == cube.Count || p.ofCounts
}

// grow makes room for so many groups.
func (p *part) grow(groups int) {
	more := groups - len(p.low) - len(p.big)
	switch {
	case more <= 0:
		return
	case p.big != nil:
		p.big = grown(p.big, more)
	case p.high != nil:
		p.high = grown(p.high, more)
		fallthrough
	default:
		p.low = grown(p.low, more)
	}
	if p.amounts != nil {
		p.amounts = grown(p.amounts, more)
	}
}

// grown appends zeros. The list has twice the room when there is no more, where append leaves more garbage.
func grown[N any](list []N, more int) []N {
	n := len(list)
	if n+more > cap(list) {
		list = slices.Grow(list, max(more, n))
	}
	list = list[:n+more]
	clear(list[n:])
	return list
}

// add adds the amounts of rows, of which some may be missing, to those of their groups.
func (p *part) add(from values, missing func(row int32) bool, rows, groups []int32) {
	switch {
	case p.function == cube.Min || p.function == cube.Max:
		for i, group := range groups {
			if !missing(rows[i]) {
				p.extreme(from, rows[i], group)
			}
		}
	case p.big != nil:
		for i, group := range groups {
			p.big[group] = p.big[group].Add(from.big[rows[i]])
		}
	case p.high != nil:
		for i, group := range groups {
			low, high := from.wide(rows[i])
			sum, carry := bits.Add64(uint64(p.low[group]), uint64(low), 0)
			p.low[group], p.high[group] = int64(sum), p.high[group]+high+int64(carry)
		}
	default:
		for i, group := range groups {
			p.low[group] += from.low[rows[i]]
		}
	}
}

// extreme takes the amount of a row if it is the first one of its group, or less or more than the others.
func (p *part) extreme(from values, row, group int32) {
	if p.amounts[group]++; p.big != nil {
		if order := from.big[row].Cmp(p.big[group]); p.amounts[group] == 1 || order < 0 == (p.function == cube.Min) && order != 0 {
			p.big[group] = from.big[row]
		}
		return
	}
	if n := from.low[row]; p.amounts[group] == 1 || p.function == cube.Min && n < p.low[group] || p.function == cube.Max && n > p.low[group] {
		p.low[group] = n
	}
}
