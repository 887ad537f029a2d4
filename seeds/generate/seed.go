package main

import (
	"fmt"
	"strconv"
)

// A seed describes one synthetic package.
type seed struct {
	name string // folder, package name and first part of the file names
	id   string
	// about holds the descriptor's keys after resources, in the order of the published descriptor.
	about object
	// copied repeats schema and sample at the end of the descriptor, as D2 and D3 do.
	copied    bool
	fields    []field
	resources []resource
}

// A field is a column: its name, its type and what it means. Schema and model follow from these.
type field struct {
	name, kind, columnType string
}

// A resource is one CSV file before it is written; its name ends in __<suffix>.csv.
type resource struct {
	suffix  string
	records []record
}

// A record is one row, by field name.
type record map[string]string

// yearly makes one resource per fiscal year.
func yearly(first, last int, records func(year int) []record) []resource {
	var resources []resource
	for year := first; year <= last; year++ {
		resources = append(resources, resource{strconv.Itoa(year), records(year)})
	}
	return resources
}

// put sets code and label of each member on the path; names are code field, label field, code field ...
func (r record) put(year int, path []*member, names ...string) {
	for i, m := range path {
		r[names[2*i]], r[names[2*i+1]] = m.code, m.label(year)
	}
}

// header returns the field names in schema order.
func (s seed) header() []string {
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.name
	}
	return names
}

// row returns the record's cells in schema order. A record that does not fit the fields is a mistake in
// the seed.
func (s seed) row(r record) []string {
	if len(r) != len(s.fields) {
		panic(fmt.Sprintf("%s: a record of %d cells for %d fields", s.name, len(r), len(s.fields)))
	}
	cells := make([]string, len(s.fields))
	for i, f := range s.fields {
		cell, ok := r[f.name]
		if !ok {
			panic(fmt.Sprintf("%s: a record without %s", s.name, f.name))
		}
		cells[i] = cell
	}
	return cells
}
