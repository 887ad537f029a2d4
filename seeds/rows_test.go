package seeds_test

import (
	"encoding/base64"
	"image/jpeg"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/seeds"
)

// A row is one CSV row by field name; in the field fileName stands the name of its file.
type row map[string]string

const fileName = "_resource"

// A quirk is an irregularity of the published dataset that its seed has to show.
type quirk struct {
	name  string
	shown func(rows []row) bool
}

// testQuirks looks for each quirk in the rows of all the seed's files.
func testQuirks(t *testing.T, name string, quirks []quirk) {
	t.Helper()
	rows := load(t, name)
	for _, q := range quirks {
		t.Run(q.name, func(t *testing.T) {
			if !q.shown(rows) {
				t.Errorf("%s does not show it", name)
			}
		})
	}
}

func open(t *testing.T, name string) fs.FS {
	t.Helper()
	folder, ok := seeds.Open(name)
	if !ok {
		t.Fatalf("no seed %s", name)
	}
	return folder
}

// load returns the rows of all files of a seed.
func load(t *testing.T, name string) []row {
	t.Helper()
	folder := open(t, name)
	var rows []row
	for _, r := range describe(t, folder).Resources {
		all := cells(t, folder, r.Path)
		for _, cells := range all[1:] {
			byName := row{fileName: r.Name}
			for i, field := range all[0] {
				byName[field] = cells[i]
			}
			rows = append(rows, byName)
		}
	}
	return rows
}

// amounts are the names of amounts in all seeds.
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

// count returns in how many rows the condition holds.
func count(rows []row, holds func(row) bool) int {
	n := 0
	for _, r := range rows {
		if holds(r) {
			n++
		}
	}
	return n
}

// where returns the rows in which the field has that value.
func where(rows []row, field, value string) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r[field] != value })
}

// has reports whether some row has that value in the field.
func has(rows []row, field, value string) bool { return len(where(rows, field, value)) > 0 }

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

// isJPEG checks a data URI.
func isJPEG(t *testing.T, image string) {
	t.Helper()
	data, ok := strings.CutPrefix(image, "data:image/jpeg;base64,")
	if _, err := jpeg.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))); err != nil || !ok {
		t.Errorf("the image is no JPEG: %v", err)
	}
}
