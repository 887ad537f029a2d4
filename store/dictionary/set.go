package dictionary

import (
	"cmp"
	"slices"
)

// Set is a set of numbers of members, as ranges in order that neither overlap nor touch.
type Set []Range

// Range has all numbers from the first to the last.
type Range struct{ First, Last int32 }

// newSet makes a set of ranges in any order.
func newSet(ranges []Range) Set {
	slices.SortFunc(ranges, func(a, b Range) int { return cmp.Compare(a.First, b.First) })
	var s Set
	for _, r := range ranges {
		if n := len(s); n > 0 && int64(r.First) <= int64(s[n-1].Last)+1 {
			s[n-1].Last = max(s[n-1].Last, r.Last)
			continue
		}
		s = append(s, r)
	}
	return s
}

// Len counts the numbers.
func (s Set) Len() int {
	n := 0
	for _, r := range s {
		n += int(r.Last-r.First) + 1
	}
	return n
}

// Has tells whether a number is in the set.
func (s Set) Has(number int32) bool {
	i, found := slices.BinarySearchFunc(s, number, func(r Range, n int32) int { return cmp.Compare(r.First, n) })
	return found || i > 0 && number <= s[i-1].Last
}

// Not gives the numbers below size that are not in the set.
func (s Set) Not(size int32) Set {
	var others Set
	next := int32(0)
	for _, r := range s {
		if r.First > next {
			others = append(others, Range{next, r.First - 1})
		}
		next = r.Last + 1
	}
	if next < size {
		others = append(others, Range{next, size - 1})
	}
	return others
}

// and gives the numbers that both sets have.
func (s Set) and(t Set) Set {
	var both Set
	for i, j := 0, 0; i < len(s) && j < len(t); {
		first, last := max(s[i].First, t[j].First), min(s[i].Last, t[j].Last)
		if first <= last {
			both = append(both, Range{first, last})
		}
		if s[i].Last < t[j].Last {
			i++
		} else {
			j++
		}
	}
	return both
}
