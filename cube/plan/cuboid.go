package plan

import (
	"slices"

	"fiscube/cube"
)

// Choice says which cuboid answers a statement, and why others do not. These rules decide:
//
//  1. A group is a member of each level of GroupLevels. So each key must be in the path of such a level, and a cuboid must have
//     these levels.
//  2. A cuboid must have a level with each column that a filter or the guard tests in its path. A test of members needs their
//     level, and the fiscal year too if codes mean different things.
//  3. The labels of a flat statement go by the rows of a cell, and its order by bytes, so the facts answer it.
//  4. Of the cuboids that can answer, that with the fewest rows does; of equals the one with the lower number.
//  5. If no cuboid can, the facts answer.
type Choice struct {
	Cuboid *cube.Cuboid // nil: the facts answer
	Groups []cube.Level // the levels to group by, in the order of the keys
	Others []Refused    // the cuboids that do not answer, by number; if none can for the same reason, that alone
}

// Refused says why a cuboid does not answer a statement.
type Refused struct {
	Cuboid *cube.Cuboid // nil: the reason is that of all
	Why    Reason
	Field  string // that the cuboid does not have; "" if Why says all
}

// Reason says why a cuboid does not answer a statement.
type Reason string

// The reasons.
const (
	NoCuboids    Reason = "no-cuboids"    // the version was loaded without them
	FlatKeys     Reason = "flat"          // the keys do not identify members
	NoMember     Reason = "no-member"     // Field belongs to no listed level
	LevelMissing Reason = "level-missing" // the cuboid does not have the level of Field
	MoreRows     Reason = "more-rows"     // another one can answer and has fewer rows
)

// Choose chooses what answers a statement.
func (s *Statement) Choose() Choice {
	switch {
	case len(s.cube.Cuboids) == 0:
		return Choice{Others: []Refused{{Why: NoCuboids}}}
	case s.flat:
		return Choice{Others: []Refused{{Why: FlatKeys}}}
	}
	groups, field := s.groupLevels()
	if field != "" {
		return Choice{Others: []Refused{{Why: NoMember, Field: field}}}
	}
	c := Choice{Groups: groups}
	tests := s.tests()
	for i := range s.cube.Cuboids {
		cuboid := &s.cube.Cuboids[i]
		if why := s.refuses(cuboid, groups, tests); why.Why != "" {
			c.Others = append(c.Others, why)
			continue
		}
		loser := cuboid
		if c.Cuboid == nil || cuboid.Rows < c.Cuboid.Rows {
			c.Cuboid, loser = cuboid, c.Cuboid
		}
		if loser != nil {
			c.Others = append(c.Others, Refused{Cuboid: loser, Why: MoreRows})
		}
	}
	slices.SortStableFunc(c.Others, func(a, b Refused) int { return a.Cuboid.Number - b.Cuboid.Number })
	return c
}

// groupLevels gives the listed levels whose members are the groups: those with a path among the keys that is no part of that of
// another. If a key is in none of their paths, it names the key.
func (s *Statement) groupLevels() (groups []cube.Level, without string) {
	isKey := func(field string) bool {
		return slices.ContainsFunc(s.keys, func(c cube.Column) bool { return c.Name == field })
	}
	for _, key := range s.keys {
		level, ok := s.cube.Model.LevelOfKey(key.Name)
		if ok && level.Listed && !slices.ContainsFunc(level.Path, func(field string) bool { return !isKey(field) }) {
			groups = append(groups, level)
		}
	}
	all := groups
	groups = slices.DeleteFunc(slices.Clone(all), func(l cube.Level) bool {
		return slices.ContainsFunc(all, func(o cube.Level) bool { return len(o.Path) > len(l.Path) && o.PathHas(l.Path) })
	})
	for _, key := range s.keys {
		if !slices.ContainsFunc(groups, func(l cube.Level) bool { return slices.Contains(l.Path, key.Name) }) {
			return nil, key.Name
		}
	}
	return groups, ""
}

// tests lists the tests of the filters and the guard.
func (s *Statement) tests() []*Test {
	var list []*Test
	add := func(f *Filter) {
		for _, tests := range f.Any {
			for i := range tests {
				list = append(list, &tests[i])
			}
		}
	}
	for i := range s.filters {
		add(&s.filters[i])
	}
	if s.guard != nil {
		add(s.guard)
	}
	return list
}

// refuses says why a cuboid cannot answer, or gives a zero Refused.
func (s *Statement) refuses(c *cube.Cuboid, groups []cube.Level, tests []*Test) Refused {
	levels := s.cube.Model.Levels()
	has := func(field string) bool { // in the path of a level
		return slices.ContainsFunc(c.Levels, func(level int) bool { return slices.Contains(levels[level].Path, field) })
	}
	for _, level := range groups {
		if !c.Has(level) {
			return Refused{c, LevelMissing, level.Ref}
		}
	}
	for _, t := range tests {
		switch m := t.Members; {
		case m == nil && !has(t.Column.Name):
			return Refused{c, LevelMissing, t.Column.Name}
		case m != nil && !c.Has(m.Level):
			return Refused{c, LevelMissing, m.Level.Ref}
		case m != nil && m.Reused && !has(m.Year.Name):
			return Refused{c, LevelMissing, m.Year.Name}
		}
	}
	return Refused{}
}
