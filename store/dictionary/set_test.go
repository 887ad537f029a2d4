package dictionary

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fiscube/cube"
)

func TestCondition_HoldsAsItsParts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		c, holds := randomCondition(r, 3)
		for a := range sizes[0] {
			for b := range sizes[1] {
				row := []int32{a, b}
				if got, want := passes(c, row), holds(row); got != want {
					t.Fatalf("%+v passes %v: %v, want %v", c, row, got, want)
				}
			}
		}
		most := int32(0)
		for a := range sizes[0] {
			if slices.ContainsFunc(slices.Collect(numbersBelow(sizes[1])), func(b int32) bool { return holds([]int32{a, b}) }) {
				most++
			}
		}
		if got := c.Most(cube.Level{Index: 0}, sizes[0]); got < most {
			t.Fatalf("%+v: at most %d members, and there are %d", c, got, most)
		}
	}
}

// sizes are how many members the levels of the random conditions have.
var sizes = []int32{7, 4}

func numbersBelow(size int32) func(func(int32) bool) {
	return func(yield func(int32) bool) {
		for n := range size {
			if !yield(n) {
				return
			}
		}
	}
}

// randomCondition makes a condition, and a function that tells the same of a row.
func randomCondition(r *rand.Rand, depth int) (Condition, func(row []int32) bool) {
	if depth == 0 || r.IntN(4) == 0 {
		level := r.IntN(len(sizes))
		var ranges []Range
		for range r.IntN(4) {
			first := r.Int32N(sizes[level])
			ranges = append(ranges, Range{first, first + r.Int32N(sizes[level]-first)})
		}
		given := slices.Clone(ranges)
		return in(cube.Level{Index: level}, sizes[level], newSet(ranges)), func(row []int32) bool {
			return slices.ContainsFunc(given, func(one Range) bool { return one.First <= row[level] && row[level] <= one.Last })
		}
	}
	if r.IntN(3) == 0 {
		c, holds := randomCondition(r, depth-1)
		return c.not(), func(row []int32) bool { return !holds(row) }
	}
	var conditions []Condition
	var holds []func(row []int32) bool
	for range r.IntN(4) {
		c, h := randomCondition(r, depth-1)
		conditions, holds = append(conditions, c), append(holds, h)
	}
	if r.IntN(2) == 0 {
		return allOf(conditions...), func(row []int32) bool {
			return !slices.ContainsFunc(holds, func(h func([]int32) bool) bool { return !h(row) })
		}
	}
	return anyOf(conditions...), func(row []int32) bool {
		return slices.ContainsFunc(holds, func(h func([]int32) bool) bool { return h(row) })
	}
}

func passes(c Condition, row []int32) bool {
	holds := func(o Condition) bool { return passes(o, row) }
	switch c.Op {
	case Never:
		return false
	case Every:
		return true
	case Member:
		return c.Set.Has(row[c.Level.Index])
	case All:
		return !slices.ContainsFunc(c.Of, func(o Condition) bool { return !holds(o) })
	}
	return slices.ContainsFunc(c.Of, holds)
}
