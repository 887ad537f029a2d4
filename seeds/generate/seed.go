package main

import (
	"fmt"
	"strconv"
)

// A seed describes one synthetic package.
type seed struct {
	name string // of folder and package
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

// A resource is one CSV file before it is written.
type resource struct {
	name    string
	records []record
}

// A record is one row, by field name.
type record map[string]string

// yearly makes one resource per fiscal year; format makes its name of the year.
func yearly(format string, first, last int, records func(year int) []record) []resource {
	var resources []resource
	for year := first; year <= last; year++ {
		resources = append(resources, resource{fmt.Sprintf(format, year), records(year)})
	}
	return resources
}

// years lists the fiscal years as descriptors do.
func years(first, last int) list {
	var l list
	for year := first; year <= last; year++ {
		l = append(l, strconv.Itoa(year))
	}
	return l
}

// put sets code and label of each member on the path; names are code field, label field, code field ...
// An empty name stands for what has no field.
func (r record) put(year int, path []*member, names ...string) {
	for i, m := range path {
		r.set(names[2*i], m.code)
		r.set(names[2*i+1], m.label(year))
	}
}

func (r record) set(name, cell string) {
	if name != "" {
		r[name] = cell
	}
}

// merge adds the cells of other.
func (r record) merge(other record) {
	for name, cell := range other {
		r[name] = cell
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
