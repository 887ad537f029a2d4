package plan

import (
	"slices"

	"fiscube/cube"
)

// Choice says which cuboid answers a statement, and why others do not. These rules decide:
//
//  1. A group is a member of each level of Groups. So each key must be in the path of such a level, and a cuboid must have
//     these levels.
//  2. A cuboid must have a level with each column that a filter, the guard or a part by year tests in its path. A test of members needs their
//     level, and the fiscal year too if codes mean different things.
//  3. The cells of a flat statement are made of such groups: those of the levels of its keys. A label follows from the member and
//     the fiscal year, or the facts answer (cube.LabelHistory.IsYearly). They also do if the order needs a formula.
//  4. Of the cuboids that can answer, that with the fewest rows does; of equals the one with the lower number.
//  5. If no cuboid can, the facts answer.
type Choice struct {
	Cuboid *cube.Cuboid // nil: the facts answer
	Groups []cube.Level // the levels to group by; unless the statement is flat, in the order of the keys
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
	FlatKeys     Reason = "flat"          // the keys do not identify members, and cells are sorted or left out by formulas
	LabelsDiffer Reason = "labels-differ" // rows of a member of the level Field have several labels in a year
	NoMember     Reason = "no-member"     // Field belongs to no listed level
	LevelMissing Reason = "level-missing" // the cuboid does not have the level of Field
	MoreRows     Reason = "more-rows"     // another one can answer and has fewer rows
)

// MostRegrouped is how many groups of a cuboid are made the cells of a flat statement at most. If there are more, the facts
// answer.
const MostRegrouped = 20_000

// Choose chooses what answers a statement.
func (s *Statement) Choose() Choice {
	if len(s.cube.Cuboids) == 0 {
		return Choice{Others: []Refused{{Why: NoCuboids}}}
	}
	find := s.groupLevels
	if s.flat {
		find = s.flatLevels
	}
	groups, why := find()
	if why.Why != "" {
		return Choice{Others: []Refused{why}}
	}
	return choose(s.cube, groups, s.tests())
}

// Choose chooses what counts the rows of members under filters. Without filters no row is counted.
func (s *MemberStatement) Choose() Choice {
	switch {
	case len(s.cube.Cuboids) == 0:
		return Choice{Others: []Refused{{Why: NoCuboids}}}
	case !s.level.Listed:
		return Choice{Others: []Refused{{Why: NoMember, Field: s.level.Ref}}}
	}
	return choose(s.cube, []cube.Level{s.level}, testsIn(s.filters))
}

// choose chooses among the cuboids of a version.
func choose(of *cube.Cube, groups []cube.Level, tests []*Test) Choice {
	c := Choice{Groups: groups}
	for i := range of.Cuboids {
		cuboid := &of.Cuboids[i]
		if why := refuses(of.Model, cuboid, groups, tests); why.Why != "" {
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
func (s *Statement) groupLevels() (groups []cube.Level, why Refused) {
	isKey := func(field string) bool {
		return slices.ContainsFunc(s.keys, func(c cube.Column) bool { return c.Name == field })
	}
	for _, key := range s.keys {
		level, ok := s.cube.Model.LevelOfKey(key.Name)
		if ok && level.Listed && !slices.ContainsFunc(level.Path, func(field string) bool { return !isKey(field) }) {
			groups = append(groups, level)
		}
	}
	groups = cube.Finest(groups)
	for _, key := range s.keys {
		if !slices.ContainsFunc(groups, func(l cube.Level) bool { return slices.Contains(l.Path, key.Name) }) {
			return nil, Refused{Why: NoMember, Field: key.Name}
		}
	}
	return groups, Refused{}
}

// flatLevels gives the listed levels of whose groups the cells of a flat statement are made, or says why there are none.
func (s *Statement) flatLevels() (groups []cube.Level, why Refused) {
	if len(s.having) > 0 || slices.ContainsFunc(s.order, func(o Sort) bool { return o.By == ByAggregate && !s.aggregates[o.Index].IsPart() }) {
		return nil, Refused{Why: FlatKeys}
	}
	add := func(field string) (ok bool) {
		level, ok := s.cube.Model.LevelOfKey(field)
		if ok && !contains(groups, level) {
			groups = append(groups, level)
		}
		return ok && level.Listed
	}
	labelled := slices.Clone(s.levels)
	for _, key := range s.keys {
		if add(key.Name) {
			continue
		}
		level, ok := s.LevelOfLabel(key.Name)
		if !ok {
			return nil, Refused{Why: NoMember, Field: key.Name}
		}
		labelled = append(labelled, level)
	}
	for _, level := range labelled {
		if !s.cube.LabelHistory.IsYearly(level.Ref) {
			return nil, Refused{Why: LabelsDiffer, Field: level.Ref}
		}
		add(level.Ref)
		if year, ok := s.cube.Model.FiscalYear(); ok && !add(year.Name) {
			return nil, Refused{Why: NoMember, Field: year.Name}
		}
	}
	return cube.Finest(groups), Refused{}
}

// LevelOfLabel gives the listed level with a label field, of several the one whose members and fiscal years it follows from.
func (s *Statement) LevelOfLabel(field string) (level cube.Level, ok bool) {
	for _, l := range s.cube.Model.Levels() {
		if !l.HasLabels() || l.LabelRef != field {
			continue
		}
		if level, ok = l, true; s.cube.LabelHistory.IsYearly(l.Ref) {
			break
		}
	}
	return level, ok
}

// tests lists the tests of the filters, the guard and the parts by year.
func (s *Statement) tests() []*Test {
	list := testsIn(s.filters)
	if s.guard != nil {
		list = append(list, testsIn([]Filter{*s.guard})...)
	}
	if i := slices.IndexFunc(s.parts, func(p Part) bool { return p.ByYear }); i >= 0 { // all are on the same column
		list = append(list, testsIn([]Filter{s.YearOf(s.parts[i])})...)
	}
	return list
}

func testsIn(filters []Filter) []*Test {
	var list []*Test
	for _, f := range filters {
		for _, tests := range f.Any {
			for i := range tests {
				list = append(list, &tests[i])
			}
		}
	}
	return list
}

// refuses says why a cuboid cannot answer, or gives a zero Refused.
func refuses(m *cube.Model, c *cube.Cuboid, groups []cube.Level, tests []*Test) Refused {
	levels := m.Levels()
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
