package numeric

import (
	"math"
	"strconv"
	"strings"
)

// None is the value of a missing amount.
const None = math.MinInt64

// FixedDecimals are the decimals that Fixed keeps.
const FixedDecimals = 4

// Fixed gives a canonical number with four decimals, cut off: enough to compare amounts. What has too many
// digits is as large as can be.
func Fixed(canonical string) int64 {
	if canonical == "" {
		return None
	}
	whole, fraction, _ := strings.Cut(canonical, ".")
	n, err := strconv.ParseInt(whole+(fraction + "0000")[:FixedDecimals], 10, 64)
	if err != nil && strings.HasPrefix(canonical, "-") {
		return -math.MaxInt64
	}
	if err != nil {
		return math.MaxInt64
	}
	return n
}

// PlusFixed adds two amounts of Fixed; what grows too large stays as large as can be.
func PlusFixed(a, b int64) int64 {
	const room = math.MaxInt64 / 2
	switch {
	case a == None:
		return b
	case b == None:
		return a
	case max(a, b) > room || min(a, b) < -room:
		return math.MaxInt64
	}
	return a + b
}
