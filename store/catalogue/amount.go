package catalogue

import "fmt"

// Amount is an amount of a base cuboid.
type Amount struct {
	Missing bool
	Scaled  int64  // if cube.Column.IsScaled
	Decimal []byte // else: its digits; nil if it is scaled
}

// Scaled reads the digits of an amount as a whole number, multiplied by 10^scale.
func Scaled(cell string, scale int) (int64, error) {
	digits, point := uint64(0), -1
	for i := range len(cell) {
		switch c := cell[i]; {
		case c == '-' && i == 0:
		case c == '.' && point < 0:
			point = i
		case c >= '0' && c <= '9' && digits <= mostBefore:
			digits = digits*10 + uint64(c-'0')
		default:
			return 0, fmt.Errorf("the amount %q does not fit in 64 bits", cell)
		}
	}
	decimals := 0
	if point >= 0 {
		decimals = len(cell) - point - 1
	}
	for ; decimals < scale && digits <= mostBefore; decimals++ {
		digits *= 10
	}
	negative := cell[0] == '-'
	switch {
	case decimals != scale || digits > mostScaled && !(negative && digits == mostScaled+1):
		return 0, fmt.Errorf("the amount %q with %d decimals does not fit in 64 bits", cell, scale)
	case negative:
		return -int64(digits), nil
	}
	return int64(digits), nil
}

const (
	mostScaled = 1<<63 - 1
	mostBefore = mostScaled / 10 // of the digits before another one is added
)
