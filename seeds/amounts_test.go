package seeds_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cents reads an amount; an empty cell is 0.
func cents(cell string) int64 {
	if cell == "" {
		return 0
	}
	units, fraction, _ := strings.Cut(cell, ".")
	n, err := strconv.ParseInt(units+(fraction + "00")[:2], 10, 64)
	if err != nil || len(fraction) > 2 {
		panic("no amount: " + cell)
	}
	return n
}

// total adds up a field.
func total(rows []row, field string) int64 {
	var sum int64
	for _, r := range rows {
		sum += cents(r[field])
	}
	return sum
}

// courses returns, for each key, an amount at every statement of its year in order: a key is everything
// but the amounts, the statement and the file.
func courses(rows []row, by string, statements []string, amount string) [][]int64 {
	amounts := map[string][]int64{}
	for _, statement := range statements {
		for _, r := range where(rows, by, statement) {
			key := r.members(by, fileName)
			amounts[key] = append(amounts[key], cents(r[amount]))
		}
	}
	var all [][]int64
	for _, key := range slices.Sorted(maps.Keys(amounts)) {
		all = append(all, amounts[key])
	}
	return all
}

// complete reports whether every key has n statements.
func complete(courses [][]int64, n int) bool {
	return all(courses, func(c []int64) bool { return len(c) == n })
}

// all reports whether the condition holds for every course.
func all(courses [][]int64, holds func([]int64) bool) bool {
	return len(courses) > 0 && !slices.ContainsFunc(courses, func(c []int64) bool { return !holds(c) })
}

func constant(course []int64) bool { return len(slices.Compact(slices.Clone(course))) == 1 }

// stepped reports whether an amount changes, but in less than half of the statements.
func stepped(course []int64) bool {
	changes := len(slices.Compact(slices.Clone(course))) - 1
	return changes > 0 && changes < len(course)/2
}

// A control is a number that the tests of other packages may rely on: the sum of an amount over the rows
// in which each field has a value.
type control struct {
	seed, cut, amount string
	sum               string
}

// Which numbers are right where adding up everything is wrong: the last statement of each year.
func TestControls(t *testing.T) {
	for _, c := range controls {
		rows := load(t, c.seed)
		for term := range strings.SplitSeq(c.cut, "|") {
			field, value, _ := strings.Cut(term, ":")
			rows = where(rows, field, value)
		}
		if got := total(rows, c.amount); len(rows) == 0 || got != cents(c.sum) {
			t.Errorf("%s, %s: %s is %d cents, want %s", c.seed, c.cut, c.amount, got, c.sum)
		}
	}
}
