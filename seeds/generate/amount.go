package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// Amounts are int64, whole units or cents. No floats: a fused multiply-add on another processor would
// change a digit and with it the hashes.

// amount returns a number of at most the given digits, and hardly ever of less than a hundredth of
// that: budget lines differ by orders of magnitude. It is round, as planned amounts are.
func amount(r *rand.Rand, digits int) int64 {
	low := power(10, digits-1-r.IntN(3))
	n := low + r.Int64N(9*low)
	return round(n, max(1, low/100))
}

// great is the amount from which a line is always there and whole: the total of a year shall not hang
// on whether chance hits the pensions.
const great = 1_000_000_000

// chance returns a percentile, for a great line always the last.
func chance(r *rand.Rand, planned int64) int {
	p := r.IntN(100)
	if planned >= great {
		return 99
	}
	return p
}

// percent returns p per cent of n.
func percent(n int64, p int) int64 { return n * int64(p) / 100 }

// round returns n rounded down to a multiple of step.
func round(n, step int64) int64 { return n - n%step }

func power(base int64, exponent int) int64 {
	n := int64(1)
	for range exponent {
		n *= base
	}
	return n
}

// whole prints an amount without decimals.
func whole(n int64) string { return strconv.FormatInt(n, 10) }

// fixed prints cents in units with 2 decimals.
func fixed(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return sign + whole(cents/100) + "." + whole(100 + cents%100)[1:]
}

// decimal prints cents in units with 0, 1 or 2 decimals: some published files drop trailing zeros.
func decimal(cents int64) string {
	return strings.TrimSuffix(strings.TrimRight(fixed(cents), "0"), ".")
}
