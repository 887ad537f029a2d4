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
// part of its own, and all come with those that tell which snapshot a fact is of. Each set is there with the fiscal year and
// without it: without it, it has as many groups however many years a package has.
type lattice struct {
	listed []cube.Level
	always set
	year   set   // that of the fiscal year, always if there is none
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
	if h := m.History(); h != nil {
		for _, c := range h.Columns {
			i := slices.IndexFunc(l.listed, func(x cube.Level) bool { return x.Ref == c.Name })
			if i < 0 {
				return nil, false
			}
			l.always = l.always.or(l.closure(i))
		}
	}
	l.year = l.always
	year, hasYear := m.YearLevel()
	for i, level := range l.listed {
		l.alone = append(l.alone, l.closure(i).or(l.always))
		if hasYear && level.Ref == year.Ref {
			l.year = l.alone[i]
		}
	}
	return l, true
}

// indexes gives the indexes in Model.Levels of the levels of a set.
func (l *lattice) indexes(s set) []int {
	var indexes []int
	for _, level := range s.levels() {
		indexes = append(indexes, l.listed[level].Index)
	}
	return indexes
}

// setOf is the set of some levels by their indexes in Model.Levels.
func (l *lattice) setOf(indexes []int) set {
	var s set
	for _, index := range indexes {
		s = s.with(slices.IndexFunc(l.listed, func(level cube.Level) bool { return level.Index == index }))
	}
	return s
}

// finest lists the levels of a set whose members tell those of all of its levels.
func (l *lattice) finest(s set) []int {
	var higher set
	for _, level := range s.levels() {
		higher = higher.or(l.above(level))
	}
	var levels []int
	for _, level := range s.levels() {
		if !higher.has(level) {
			levels = append(levels, level)
		}
	}
	return levels
}

// closure gives a level with those whose path is a part of its own.
func (l *lattice) closure(level int) set { return l.above(level).with(level) }

// above gives the levels whose path is a part of that of a level.
func (l *lattice) above(level int) set {
	var s set
	for i, other := range l.listed {
		if i != level && l.listed[level].PathHas(other.Path) {
			s = s.with(i)
		}
	}
	return s
}

// mostSets bounds the sets that are looked at.
const mostSets = 2500

// combinations lists the sets of at most three levels of different dimensions, with the year and without it, by how many levels
// beside the year, each once: as many levels as the bound leaves room for.
func (l *lattice) combinations() [][]set {
	type grown struct {
		set  set
		last int   // level
		of   []int // levels
	}
	known := map[set]bool{}
	grow, all := []grown{{l.always, -1, nil}}, [][]set(nil)
	for size := 0; size <= 3; size++ {
		var sets []set
		for _, g := range grow {
			for _, s := range []set{g.set, g.set.or(l.year)} {
				if !known[s] {
					known[s] = true
					sets = append(sets, s)
				}
			}
		}
		if len(known) > mostSets {
			break
		}
		all = append(all, sets)
		var next []grown
		for _, g := range grow {
			for i := g.last + 1; i < len(l.listed); i++ {
				if !slices.ContainsFunc(g.of, func(o int) bool { return l.listed[o].Dimension == l.listed[i].Dimension }) {
					next = append(next, grown{g.set.or(l.alone[i]), i, append(slices.Clone(g.of), i)})
				}
			}
		}
		grow = next
	}
	return all
}
