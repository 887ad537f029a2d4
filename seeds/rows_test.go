package seeds_test

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A row is one CSV row by field name; the field fileName is the name of its file.
type row map[string]string

const fileName = "_resource"

// amounts are the names of amounts in all packages.
var amounts = regexp.MustCompile(`(?i)monto|_value$|^pres|^percibido`)

// members identifies a row by everything but its amounts and some other fields.
func (r row) members(without ...string) string {
	var parts []string
	for _, field := range slices.Sorted(maps.Keys(r)) {
		if !amounts.MatchString(field) && !slices.Contains(without, field) {
			parts = append(parts, r[field])
		}
	}
	return strings.Join(parts, "|")
}

// path joins the row's cells of some fields.
func (r row) path(fields ...string) string {
	var parts []string
	for _, field := range fields {
		parts = append(parts, r[field])
	}
	return strings.Join(parts, "/")
}

// filter returns the rows for which the condition holds.
func filter(rows []row, holds func(row) bool) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !holds(r) })
}

// where returns the rows in which the field has that value.
func where(rows []row, field, value string) []row {
	return filter(rows, func(r row) bool { return r[field] == value })
}

// count returns in how many rows the condition holds.
func count(rows []row, holds func(row) bool) int { return len(filter(rows, holds)) }

// has reports whether some row has that value in the field.
func has(rows []row, field, value string) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r[field] == value })
}

// some reports whether a cell of the field matches.
func some(rows []row, field, pattern string) bool {
	re := regexp.MustCompile(pattern)
	return slices.ContainsFunc(rows, func(r row) bool { return re.MatchString(r[field]) })
}

// every reports whether there are rows and all their cells of the field match.
func every(rows []row, field, pattern string) bool {
	re := regexp.MustCompile(pattern)
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(r row) bool { return !re.MatchString(r[field]) })
}

// distinct returns the distinct values of a path, sorted.
func distinct(rows []row, fields ...string) []string {
	values := map[string]bool{}
	for _, r := range rows {
		values[r.path(fields...)] = true
	}
	return slices.Sorted(maps.Keys(values))
}

// varying returns how many members, identified by the key fields, have several values in the field.
func varying(rows []row, field string, key ...string) int {
	values := map[string]map[string]bool{}
	for _, r := range rows {
		member := r.path(key...)
		if values[member] == nil {
			values[member] = map[string]bool{}
		}
		values[member][r[field]] = true
	}
	n := 0
	for _, several := range values {
		if len(several) > 1 {
			n++
		}
	}
	return n
}

// perFile returns how many rows each file has, by name.
func perFile(rows []row) map[string]int {
	n := map[string]int{}
	for _, r := range rows {
		n[r[fileName]]++
	}
	return n
}

// sizes reports whether each year, and no other, has between least and most rows.
func sizes(rows []row, field string, years []string, least, most int) bool {
	return slices.Equal(distinct(rows, field), years) && !slices.ContainsFunc(years, func(year string) bool {
		n := len(where(rows, field, year))
		return n < least || n > most
	})
}

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

// courses returns the amounts of each key in the order of the snapshots. A key is everything but the amounts,
// the snapshot and the file.
func courses(rows []row, by string, snapshots []string, amount string) [][]int64 {
	amounts := map[string][]int64{}
	for _, snapshot := range snapshots {
		for _, r := range where(rows, by, snapshot) {
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

// all reports whether there are courses and the condition holds for each.
func all(courses [][]int64, holds func([]int64) bool) bool {
	return len(courses) > 0 && !slices.ContainsFunc(courses, func(c []int64) bool { return !holds(c) })
}

// complete reports whether every key has n snapshots.
func complete(courses [][]int64, n int) bool {
	return all(courses, func(c []int64) bool { return len(c) == n })
}

// constant reports whether an amount never changes.
func constant(course []int64) bool { return len(slices.Compact(slices.Clone(course))) == 1 }

// stepped reports whether an amount changes, but in less than half of the snapshots.
func stepped(course []int64) bool {
	changes := len(slices.Compact(slices.Clone(course))) - 1
	return changes > 0 && changes < len(course)/2
}
