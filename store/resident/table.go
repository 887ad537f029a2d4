package resident

import (
	"slices"

	"fiscube/cube"
)

// table is a cuboid in memory. The base has a row for each fact; every other has one for each group of facts.
type table struct {
	levels   []int // as in cube.Cuboid
	rows     int32
	numbers  map[int]column // of members, by the index of their level
	facts    column         // how many each row stands for; nil: one
	measures []measure
	extremes bool // it has the least and the highest amounts
}

// measure has the amounts of the facts of each row.
type measure struct {
	count                column // how many; nil: each fact has one
	sum, least, greatest values // 0 where there is none
}

// hasAll tells whether the table has some levels.
func (t *table) hasAll(levels []int) bool {
	return !slices.ContainsFunc(levels, func(level int) bool { return t.numbers[level] == nil })
}

// isMissing tells of a measure whether a row has no amount.
func (m *measure) isMissing(row int32) bool { return m.count != nil && m.count.at(row) == 0 }

// amounts gives the amounts of which a function is made.
func (m *measure) amounts(f cube.Func) values {
	switch f {
	case cube.Min:
		return m.least
	case cube.Max:
		return m.greatest
	}
	return m.sum
}

// bytes is about how much memory the table takes.
func (t *table) bytes() int64 {
	if t == nil {
		return 0
	}
	n := int64(0)
	for _, c := range t.numbers {
		n += c.bytes()
	}
	if t.facts != nil {
		n += t.facts.bytes()
	}
	for _, m := range t.measures {
		if n += m.sum.bytes(); t.facts != nil && t.extremes {
			n += m.least.bytes() + m.greatest.bytes()
		}
		if m.count != nil {
			n += m.count.bytes()
		}
	}
	return n
}
