package main

import (
	"slices"
	"strings"
)

// model derives the dimensional model from the columnTypes by the rules the published models follow
// (os-types, fieldsToModel), all of D1 to D8 among them:
//
//  1. A measure is a field of columnType value. Every other field belongs to the dimension named by the
//     first segment of its columnType; dimensions and attributes stand in field order.
//  2. The primary key is the code fields, from the top level down; a dimension without codes is keyed by
//     all its fields.
//  3. The parent of a code is the code one level up; a label describes the code of the same columnType.
//     So a label of another taxonomy (D2 econ3_label, gfsm) describes nothing.
func model(fields []field) object {
	var names []string
	dimensions := map[string][]field{}
	measures := object{}
	for _, f := range fields {
		name, _, _ := strings.Cut(f.columnType, ":")
		switch {
		case name == "value":
			measures = append(measures, pair{f.name, attribute(f)})
		case dimensions[name] == nil:
			names = append(names, name)
			fallthrough
		default:
			dimensions[name] = append(dimensions[name], f)
		}
	}
	all := object{}
	for _, name := range names {
		all = append(all, pair{name, dimension(name, dimensions[name])})
	}
	return object{{"dimensions", all}, {"measures", measures}}
}

func dimension(name string, fields []field) object {
	var attributes object
	for _, f := range fields {
		attributes = append(attributes, pair{f.name, append(attribute(f), links(f, fields)...)})
	}
	o := object{
		{"dimensionType", dimensionType(name)},
		{"primaryKey", texts(primaryKey(fields)...)},
		{"attributes", attributes},
	}
	if kind, ok := strings.CutSuffix(name, "-classification"); ok {
		o = append(o, pair{"classificationType", kind})
	}
	return o
}

func attribute(f field) object {
	return object{{"source", f.name}, {"title", f.name}}
}

// links returns the parent of a code or the labelfor of a label, or nothing.
func links(f field, fields []field) object {
	for _, other := range fields {
		if base, ok := labelled(f); ok && other.columnType == base+":code" {
			return object{{"labelfor", other.name}}
		}
		if isCode(f) && isCode(other) && depth(other) > 0 && depth(other) == depth(f)-1 {
			return object{{"parent", other.name}}
		}
	}
	return nil
}

func primaryKey(fields []field) []string {
	keys := slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return !isCode(f) })
	if len(keys) == 0 {
		keys = fields
	}
	slices.SortStableFunc(keys, func(a, b field) int { return depth(a) - depth(b) })
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = key.name
	}
	return names
}

func isCode(f field) bool { return strings.HasSuffix(f.columnType, ":code") }

// labelled returns the columnType of a label or title without that last segment.
func labelled(f field) (string, bool) {
	if base, ok := strings.CutSuffix(f.columnType, ":label"); ok {
		return base, true
	}
	return strings.CutSuffix(f.columnType, ":title")
}

// depth returns how deep in its chain a field stands, from 1; 0 if it stands in none.
func depth(f field) int {
	for i, names := range [...][2]string{
		{"level1", "program"}, {"level2", "subprogram"}, {"level3", "project"}, {"level4", "level4"},
	} {
		for _, name := range names {
			if strings.Contains(f.columnType, ":"+name+":") {
				return i + 1
			}
		}
	}
	return 0
}

func dimensionType(name string) string {
	switch {
	case name == "date":
		return "datetime"
	case strings.HasSuffix(name, "-classification"):
		return "classification"
	case name == "activity":
		return "activity"
	case name == "geo-source":
		return "location"
	case name == "budget-line-id":
		return "fact"
	default:
		return "other"
	}
}
