package sqlgen

import (
	"strconv"

	"fiscube/store/dictionary"
)

// mostRanges is how many ranges of numbers are written as such; more are written as a list of all numbers, for which a store
// hashes.
const mostRanges = 8

// numbers writes a condition on the numbers of members. The numbers are no values of a caller: they are written as such.
func (r *renderer) numbers(c dictionary.Condition) string {
	switch c.Op {
	case dictionary.Never:
		return "false"
	case dictionary.Every:
		return "true"
	case dictionary.Member:
		return r.inRanges(numbered("f.n", c.Level.Index), c)
	}
	operator := " AND "
	if c.Op == dictionary.Any {
		operator = " OR "
	}
	return "(" + list(len(c.Of), operator, func(i int) string { return r.numbers(c.Of[i]) }) + ")"
}

func (r *renderer) inRanges(column string, c dictionary.Condition) string {
	others := c.Set.Not(c.Size)
	switch {
	case len(c.Set) == 1:
		return inRange(column, c.Set[0], c.Size)
	case len(others) == 1:
		return "NOT (" + inRange(column, others[0], c.Size) + ")"
	case len(c.Set) > mostRanges && c.Set.Len() > others.Len():
		return column + " NOT IN (" + r.listed(others) + ")"
	case len(c.Set) > mostRanges:
		return column + " IN (" + r.listed(c.Set) + ")"
	}
	var single, ranges dictionary.Set
	for _, some := range c.Set {
		if some.First == some.Last {
			single = append(single, some)
		} else {
			ranges = append(ranges, some)
		}
	}
	var tests []string
	if len(single) > 0 {
		tests = append(tests, column+" IN ("+r.listed(single)+")")
	}
	for _, some := range ranges {
		tests = append(tests, inRange(column, some, c.Size))
	}
	if len(tests) == 1 {
		return tests[0]
	}
	return "(" + list(len(tests), " OR ", func(i int) string { return tests[i] }) + ")"
}

func inRange(column string, r dictionary.Range, size int32) string {
	switch {
	case r.First == r.Last:
		return column + " = " + strconv.Itoa(int(r.First))
	case r.First == 0:
		return column + " <= " + strconv.Itoa(int(r.Last))
	case r.Last == size-1:
		return column + " >= " + strconv.Itoa(int(r.First))
	}
	return column + " BETWEEN " + strconv.Itoa(int(r.First)) + " AND " + strconv.Itoa(int(r.Last))
}

// mostListed is how many numbers are written one by one. Of a longer list each would be an expression to the store, of a kilobyte.
const mostListed = 1000

// listed writes all numbers of a set: as a list, or as the rows of one argument.
func (r *renderer) listed(s dictionary.Set) string {
	separator := ", "
	many := s.Len() > mostListed
	if many {
		separator = ","
	}
	var text []byte
	for _, some := range s {
		for n := some.First; n <= some.Last; n++ {
			if len(text) > 0 {
				text = append(text, separator...)
			}
			text = strconv.AppendInt(text, int64(n), 10)
		}
	}
	if !many {
		return string(text)
	}
	return "SELECT CAST(m.n AS INTEGER) FROM (SELECT unnest(string_to_array(" + r.bind(string(text)) + ", ',')) AS n) m"
}
