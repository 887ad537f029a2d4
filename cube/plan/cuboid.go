package plan

import (
	"slices"

	"fiscube/cube"
)

// Needs says what an aggregate over numbers of members (cube.Cuboid) must have to answer a statement, or why none can, and the facts do. These
// rules decide:
//
//  1. A group is a member of each level of Groups. So each key must be in the path of such a level, which an aggregate must have.
//  2. It must have a level with each column that a filter, the guard or a part by year tests in its path. A test of members needs their
//     level, and the fiscal year too if codes mean different things.
//  3. The cells of a flat statement are made of such groups: those of the levels of its keys. A label follows from the member and
//     the fiscal year, or the facts answer (cube.LabelHistory.IsYearly). They also do if the order needs a formula.
//  4. An order by quotients, of more cells than a pass sorts, is that of the facts.
type Needs struct {
	Groups []cube.Level // the levels to group by; unless the statement is flat, in the order of the keys
	Levels []int        // those and what is tested, with the levels whose path is a part of theirs: as in cube.Cuboid
	Why    Reason       // "" if an aggregate can answer
	Field  string       // that Why is about
}

// Reason says why no aggregate answers a statement.
type Reason string

// The reasons.
const (
	NoCuboids    Reason = "no-cuboids"    // the version was loaded without them
	FlatKeys     Reason = "flat"          // the keys do not identify members, and cells are sorted or left out by formulas
	LabelsDiffer Reason = "labels-differ" // rows of a member of the level Field have several labels in a year
	NoMember     Reason = "no-member"     // Field belongs to no listed level
	ByQuotient   Reason = "by-quotient"   // cells are sorted by a quotient
)

// MostRegrouped is how many groups are made the cells of a flat statement at most. If there are more, the facts answer.
const MostRegrouped = 20_000

// Needs says what an aggregate must have to answer the statement.
func (s *Statement) Needs() Needs {
	find := s.groupLevels
	switch {
	case len(s.cube.Cuboids) == 0:
		return Needs{Why: NoCuboids}
	case s.flat:
		find = s.flatLevels
	case slices.ContainsFunc(s.order, func(o Sort) bool { return o.By == ByAggregate && !s.aggregates[o.Index].sortsExactly() }):
		return Needs{Why: ByQuotient}
	}
	groups, why := find()
	if why.Why != "" {
		return why
	}
	return needs(s.cube.Model, groups, s.tests())
}

// needs adds the levels that are tested to those of groups.
func needs(m *cube.Model, groups []cube.Level, tests []*Test) Needs {
	used := slices.Clone(groups)
	testing := func(field string) (ok bool) { // adds the listed level with the shortest path that has a field
		var best cube.Level
		for _, l := range m.Levels() {
			if l.Listed && slices.Contains(l.Path, field) && (!ok || len(l.Path) < len(best.Path)) {
				best, ok = l, true
			}
		}
		used = append(used, best)
		return ok
	}
	for _, t := range tests {
		field := t.Column.Name
		if t.Members != nil {
			if used, field = append(used, t.Members.Level), ""; t.Members.Reused {
				field = t.Members.Year.Name
			}
		}
		if field != "" && !testing(field) {
			return Needs{Why: NoMember, Field: field}
		}
	}
	n := Needs{Groups: groups}
	for _, l := range m.Levels() {
		if l.Listed && slices.ContainsFunc(used, func(u cube.Level) bool { return u.PathHas(l.Path) }) {
			n.Levels = append(n.Levels, l.Index)
		}
	}
	return n
}

// groupLevels gives the listed levels whose members are the groups: those with a path among the keys that is no part of that of
// another. If a key is in none of their paths, it names the key.
func (s *Statement) groupLevels() (groups []cube.Level, why Needs) {
	groups = cube.Finest(names{s.cube.Model}.levelsOf(s.keys))
	for _, key := range s.keys {
		if !slices.ContainsFunc(groups, func(l cube.Level) bool { return slices.Contains(l.Path, key.Name) }) {
			return nil, Needs{Why: NoMember, Field: key.Name}
		}
	}
	return groups, Needs{}
}

// flatLevels gives the listed levels of whose groups the cells of a flat statement are made, or says why there are none.
func (s *Statement) flatLevels() (groups []cube.Level, why Needs) {
	if len(s.having) > 0 || slices.ContainsFunc(s.order, func(o Sort) bool { return o.By == ByAggregate && !s.aggregates[o.Index].IsPart() }) {
		return nil, Needs{Why: FlatKeys}
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
			return nil, Needs{Why: NoMember, Field: key.Name}
		}
		labelled = append(labelled, level)
	}
	for _, level := range labelled {
		if !s.cube.LabelHistory.IsYearly(level.Ref) {
			return nil, Needs{Why: LabelsDiffer, Field: level.Ref}
		}
		add(level.Ref)
		if year, ok := s.cube.Model.FiscalYear(); ok && !add(year.Name) {
			return nil, Needs{Why: NoMember, Field: year.Name}
		}
	}
	return cube.Finest(groups), Needs{}
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
