package resident

import (
	"math/bits"
	"slices"

	"fiscube/store/dictionary"
)

// filter leaves marked those rows from first on that pass a condition.
type filter func(first int, marked []bool)

// filter makes the filter of a condition, nil if every row passes.
func (t *table) filter(c dictionary.Condition) filter {
	switch c.Op {
	case dictionary.Every:
		return nil
	case dictionary.Member:
		column, set := t.numbers[c.Level.Index], lookup(c.Set, c.Size)
		return func(first int, marked []bool) { column.keep(set, first, marked) }
	}
	of := make([]filter, len(c.Of))
	for i, o := range c.Of {
		of[i] = t.filter(o)
	}
	if c.Op == dictionary.All {
		return func(first int, marked []bool) {
			for _, f := range of {
				f(first, marked)
			}
		}
	}
	return func(first int, marked []bool) { // Any, or Never, which is any of none
		var passing, by [block]bool
		for _, f := range of {
			copy(by[:], marked)
			f(first, by[:len(marked)])
			for i, passes := range by[:len(marked)] {
				passing[i] = passing[i] || passes
			}
		}
		copy(marked, passing[:])
	}
}

// step numbers the combinations of members of some levels: of those that fit in a number of 64 bits, together with the number that the
// step before gave.
type step struct {
	columns []column
	times   []uint64
	index   *index
}

// newSteps makes the steps that number the groups.
func (s *scan) newSteps() []step {
	var steps []step
	current := step{}
	combinations := uint64(1)
	for _, members := range s.levels {
		size := uint64(max(1, members.Size))
		if high, _ := bits.Mul64(combinations, size); high > 0 {
			current.index = newIndex(combinations, s.table.rows)
			steps = append(steps, current)
			current, combinations = step{}, uint64(s.table.rows)+1
		}
		current.columns, current.times = append(current.columns, s.table.numbers[members.Level.Index]), append(current.times, combinations)
		combinations *= size
	}
	current.index = newIndex(combinations, s.table.rows)
	return append(steps, current)
}

// group finds the groups of rows, and makes those that there are not yet.
func (w *worker) group(rows, in []int32) {
	keys := w.keys[:len(rows)]
	clear(keys)
	for i := range w.steps {
		step := &w.steps[i]
		for j, column := range step.columns {
			column.addTo(keys, rows, step.times[j])
		}
		last := i == len(w.steps)-1
		for j, key := range keys {
			number, isNew := step.index.number(key)
			if !last {
				keys[j] = uint64(number)
				continue
			}
			if isNew {
				w.rows = append(w.rows, rows[j])
			}
			in[j] = number
		}
	}
}

// index numbers keys in the order in which they come.
type index struct {
	direct []int32 // by key: its number plus one; nil: there may be too many
	count  int32   // of direct
	slots  []int32 // like direct, by hash
	keys   []uint64
	shift  int
}

// newIndex makes an index for keys below most of so many rows.
func newIndex(most uint64, rows int32) *index {
	if most <= 4*uint64(rows)+block {
		return &index{direct: make([]int32, most)}
	}
	const first = 12 // bits
	return &index{slots: make([]int32, 1<<first), shift: 64 - first}
}

func (x *index) number(key uint64) (number int32, isNew bool) {
	if x.direct != nil {
		if number = x.direct[key]; number == 0 {
			x.count++
			x.direct[key], number, isNew = x.count, x.count, true
		}
		return number - 1, isNew
	}
	slot := x.slotOf(key)
	if number = x.slots[slot]; number > 0 {
		return number - 1, false
	}
	x.keys = append(x.keys, key)
	x.slots[slot] = int32(len(x.keys))
	if 2*len(x.keys) > len(x.slots) {
		x.double()
	}
	return int32(len(x.keys)) - 1, true
}

// slotOf gives the slot of a key, or the one where it belongs.
func (x *index) slotOf(key uint64) int {
	slot := int(key * 0x9E3779B97F4A7C15 >> x.shift) // Fibonacci hashing: bits of the golden ratio
	for x.slots[slot] > 0 && x.keys[x.slots[slot]-1] != key {
		slot = (slot + 1) & (len(x.slots) - 1)
	}
	return slot
}

func (x *index) double() {
	x.slots, x.shift = make([]int32, 2*len(x.slots)), x.shift-1
	x.keys = slices.Grow(x.keys, len(x.slots)/2-len(x.keys)+1)
	for i, key := range x.keys {
		x.slots[x.slotOf(key)] = int32(i) + 1
	}
}
