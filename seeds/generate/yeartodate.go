package main

import (
	"fmt"
	"math/rand/v2"
)

// D4, D5 and D8 state a year several times, each time with what has come in or gone out since January.
// Whoever adds the statements up counts the same money again and again.

const monthsOfYear = 12

// month prints a month as the published files do, counted from 0 here: 01 to 12.
func month(m int) string { return fmt.Sprintf("%02d", m+1) }

// course returns what a total has come to at each of n statements: it never falls, and the last is the
// total.
func course(r *rand.Rand, total int64, n int) []int64 {
	shares, all := make([]int64, n), int64(0)
	for i := range shares {
		shares[i] = 60 + r.Int64N(80)
		all += shares[i]
	}
	amounts, sum := make([]int64, n), int64(0)
	for i, share := range shares {
		sum += share
		amounts[i] = total * sum / all
	}
	return amounts
}

// amended returns a plan at each of n statements: a step function, as a budget is amended about twice a
// year.
func amended(r *rand.Rand, planned int64, n int) []int64 {
	amounts := make([]int64, n)
	for i := range amounts {
		if i > 0 && r.IntN(n) < 2 {
			planned = round(percent(planned, 92+r.IntN(14)), 1000)
		}
		amounts[i] = planned
	}
	return amounts
}
