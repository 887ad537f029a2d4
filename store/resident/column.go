package resident

import (
	"math"

	"fiscube/store/dictionary"
)

// column is a column of whole numbers from 0 up, in the smallest width that holds them.
type column interface {
	// keep leaves marked those rows from first on whose number is in a set.
	keep(s admitted, first int, marked []bool)

	// addTo adds the number of each of some rows, multiplied, to a key.
	addTo(keys []uint64, rows []int32, times uint64)

	// sumInto adds the number of each of some rows to that of its group.
	sumInto(sums []int64, rows, groups []int32)

	// of gives the numbers of some rows.
	of(rows []int32) column

	at(row int32) int64
	bytes() int64
}

// numbers is a column of a width.
type numbers[T uint8 | uint16 | uint32 | int64] []T

func (c numbers[T]) keep(s admitted, first int, marked []bool) {
	for i, n := range c[first : first+len(marked)] {
		if s.listed != nil {
			marked[i] = marked[i] && s.listed[n]
		} else {
			marked[i] = marked[i] && n >= T(s.first) && n <= T(s.last)
		}
	}
}

func (c numbers[T]) addTo(keys []uint64, rows []int32, times uint64) {
	for i, row := range rows {
		keys[i] += uint64(c[row]) * times
	}
}

func (c numbers[T]) sumInto(sums []int64, rows, groups []int32) {
	for i, group := range groups {
		sums[group] += int64(c[rows[i]])
	}
}

func (c numbers[T]) of(rows []int32) column {
	some := make(numbers[T], len(rows))
	for i, row := range rows {
		some[i] = c[row]
	}
	return some
}

func (c numbers[T]) at(row int32) int64 { return int64(c[row]) }

func (c numbers[T]) bytes() int64 {
	var one T
	width := int64(8)
	switch any(one).(type) {
	case uint8:
		width = 1
	case uint16:
		width = 2
	case uint32:
		width = 4
	}
	return width * int64(len(c))
}

// narrowest copies numbers into a column of the smallest width for numbers up to most.
func narrowest(list []int64, most int64) column {
	switch {
	case most <= math.MaxUint8:
		return narrowed[uint8](list)
	case most <= math.MaxUint16:
		return narrowed[uint16](list)
	case most <= math.MaxUint32:
		return narrowed[uint32](list)
	}
	return numbers[int64](list)
}

func narrowed[T uint8 | uint16 | uint32](list []int64) column {
	c := make(numbers[T], len(list))
	for i, n := range list {
		c[i] = T(n)
	}
	return c
}

// admitted is a set of members to look up: a range, or a mark for each.
type admitted struct {
	first, last int32
	listed      []bool // nil: those from first to last
}

func lookup(s dictionary.Set, size int32) admitted {
	if len(s) == 1 {
		return admitted{first: s[0].First, last: s[0].Last}
	}
	a := admitted{listed: make([]bool, size)}
	for _, r := range s {
		for n := r.First; n <= r.Last; n++ {
			a.listed[n] = true
		}
	}
	return a
}
