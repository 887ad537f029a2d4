package cuboids

import (
	"slices"

	"fiscube/cube"
)

// set is a set of levels, by their indexes among the listed ones.
type set [4]uint64

// mostLevels is how many levels a set can have.
const mostLevels = 256

func (s set) with(level int) set {
	s[level/64] |= 1 << (level % 64)
	return s
}

func (s set) or(other set) set {
	for i := range s {
		s[i] |= other[i]
	}
	return s
}

func (s set) has(level int) bool { return s[level/64]&(1<<(level%64)) != 0 }

func (s set) hasAll(other set) bool {
	for i := range s {
		if other[i]&^s[i] != 0 {
			return false
		}
	}
	return true
}

// levels lists the levels of a set.
func (s set) levels() []int {
	var levels []int
	for i := range mostLevels {
		if s.has(i) {
			levels = append(levels, i)
		}
	}
	return levels
}

// lattice has the sets of levels of a model that questions and cuboids have. A level comes with the levels whose path is a
// part of its own, and all come with those that tell which snapshot a fact is of, and with the fiscal year.
type lattice struct {
	listed []cube.Level
	always set
	alone  []set // by level: the set of the level with all that comes with it
}

// newLattice gives false where no cuboid but the base could answer the default question: where it needs a field that is
// no listed level.
func newLattice(m *cube.Model) (*lattice, bool) {
	l := &lattice{}
	for _, level := range m.Levels() {
		if level.Listed {
			l.listed = append(l.listed, level)
		}
	}
	if len(l.listed) > mostLevels {
		return nil, false
	}
	var needed []string
	if year, ok := m.YearLevel(); ok && year.Listed {
		needed = append(needed, year.Ref)
	}
	if h := m.History(); h != nil {
		for _, c := range h.Columns {
			needed = append(needed, c.Name)
		}
	}
	for _, field := range needed {
		i := slices.IndexFunc(l.listed, func(x cube.Level) bool { return x.Ref == field })
		if i < 0 {
			return nil, false
		}
		l.always = l.always.or(l.closure(i))
	}
	for i := range l.listed {
		l.alone = append(l.alone, l.closure(i).or(l.always))
	}
	return l, true
}

// closure gives a level with those whose path is a part of its own.
func (l *lattice) closure(level int) set {
	var s set
	for i, other := range l.listed {
		if l.listed[level].PathHas(other.Path) {
			s = s.with(i)
		}
	}
	return s
}

// mostSets bounds the sets that are looked at.
const mostSets = 2500

// combinations lists the sets of at most three levels of different dimensions, by how many levels, each once: as many levels
// as the bound leaves room for.
func (l *lattice) combinations() [][]set {
	all, known := [][]set{{l.always}}, map[set]bool{l.always: true}
	type grown struct {
		set  set
		last int   // level
		of   []int // levels
	}
	grow := []grown{{l.always, -1, nil}}
	for size := 1; size <= 3; size++ {
		var next []grown
		var sets []set
		for _, g := range grow {
			for i := g.last + 1; i < len(l.listed); i++ {
				if slices.ContainsFunc(g.of, func(o int) bool { return l.listed[o].Dimension == l.listed[i].Dimension }) {
					continue
				}
				s := g.set.or(l.alone[i])
				next = append(next, grown{s, i, append(slices.Clone(g.of), i)})
				if !known[s] {
					known[s] = true
					sets = append(sets, s)
				}
			}
		}
		if len(known) > mostSets {
			break
		}
		all, grow = append(all, sets), next
	}
	return all
}
