package dictionary

import "fiscube/cube"

// Condition is a condition on the numbers of a row: it holds for Every row or for none, or the member of a Level is in Set, or all
// or any of the conditions Of hold. The zero Condition holds for no row.
type Condition struct {
	Op    Op
	Level cube.Level // of Member
	Size  int32      // how many members Level has
	Set   Set        // neither empty nor all of them
	Of    []Condition
}

// Op says what a Condition is.
type Op uint8

// The kinds of Condition.
const (
	Never Op = iota
	Every
	Member
	All
	Any
)

// in makes the condition that the member of a level is in a set.
func in(l cube.Level, size int32, s Set) Condition {
	switch s.Len() {
	case 0:
		return Condition{Op: Never}
	case int(size):
		return Condition{Op: Every}
	}
	return Condition{Op: Member, Level: l, Size: size, Set: s}
}

// allOf gives the condition that all hold. Conditions on one level become one.
func allOf(conditions ...Condition) Condition {
	var joined []Condition
	for _, c := range flat(All, conditions) {
		i := sameLevel(joined, c)
		switch {
		case c.Op == Never:
			return c
		case c.Op == Every:
		case i < 0:
			joined = append(joined, c)
		default:
			if joined[i].Set = joined[i].Set.and(c.Set); len(joined[i].Set) == 0 {
				return Condition{Op: Never}
			}
		}
	}
	return joinedBy(All, Every, joined)
}

// anyOf gives the condition that at least one holds. Conditions on one level become one.
func anyOf(conditions ...Condition) Condition {
	var joined []Condition
	ranges := map[int][]Range{}
	for _, c := range flat(Any, conditions) {
		switch c.Op {
		case Never:
			continue
		case Every:
			return c
		case Member:
			index := c.Level.Index
			first := ranges[index] == nil
			if ranges[index] = append(ranges[index], c.Set...); !first {
				continue
			}
		}
		joined = append(joined, c)
	}
	for i, c := range joined {
		if c.Op != Member {
			continue
		}
		if joined[i] = in(c.Level, c.Size, newSet(ranges[c.Level.Index])); joined[i].Op == Every {
			return joined[i]
		}
	}
	return joinedBy(Any, Never, joined)
}

// flat replaces the conditions of an operator by what they are of.
func flat(op Op, conditions []Condition) []Condition {
	var list []Condition
	for _, c := range conditions {
		if c.Op == op {
			list = append(list, c.Of...)
		} else {
			list = append(list, c)
		}
	}
	return list
}

// sameLevel gives the index of a condition on the level of another one, or -1.
func sameLevel(list []Condition, c Condition) int {
	for i, o := range list {
		if c.Op == Member && o.Op == Member && o.Level.Index == c.Level.Index {
			return i
		}
	}
	return -1
}

func joinedBy(op, none Op, conditions []Condition) Condition {
	switch len(conditions) {
	case 0:
		return Condition{Op: none}
	case 1:
		return conditions[0]
	}
	return Condition{Op: op, Of: conditions}
}

// not gives the condition that holds where c does not. Every row has a number for every level, so it is the exact complement.
func (c Condition) not() Condition {
	switch c.Op {
	case Never:
		return Condition{Op: Every}
	case Every:
		return Condition{Op: Never}
	case Member:
		return in(c.Level, c.Size, c.Set.Not(c.Size))
	}
	others := make([]Condition, len(c.Of))
	for i, o := range c.Of {
		others[i] = o.not()
	}
	if c.Op == All {
		return anyOf(others...)
	}
	return allOf(others...)
}

// Most bounds how many members of a level pass.
func (c Condition) Most(l cube.Level, size int32) int32 {
	switch c.Op {
	case Never:
		return 0
	case Member:
		if c.Level.Index == l.Index {
			return int32(c.Set.Len())
		}
	case All:
		for _, o := range c.Of {
			size = min(size, o.Most(l, size))
		}
	}
	return size
}
