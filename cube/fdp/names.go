package fdp

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/internal/each"
)

// A model of Fiscal Data Package 0.3 gives measures and attributes names of their own, beside the source field of each: amount for a
// column called Spent. fiscube calls the field by that name where it is unique, and knows its column.

// nameFields gives the fields the names that the models have for them, and the models the names of the fields.
func nameFields(resources []resource, models []*declaredModel) {
	names := uniqueNames(resources, models)
	if len(names) == 0 {
		return
	}
	for i := range resources {
		fields := slices.Clone(resources[i].Schema.Fields) // they may be the package's, shared with other resources
		for j, f := range fields {
			if name, ok := names[f.Name]; ok {
				fields[j].Name, fields[j].Column = name, cmp.Or(f.Column, f.Name)
			}
		}
		resources[i].Schema.Fields = fields
	}
	for _, m := range models {
		m.rename(names)
	}
}

// uniqueNames gives the names by the fields that they are for: those that no other field has, nor any other measure or attribute.
func uniqueNames(resources []resource, models []*declaredModel) map[string]string {
	fields := map[string]bool{}
	taken := map[string]map[string]bool{} // folded name → the fields that have it
	take := func(name, field string) {
		name = strings.ToLower(name)
		if taken[name] == nil {
			taken[name] = map[string]bool{}
		}
		taken[name][field] = true
	}
	for _, r := range resources {
		for _, f := range r.Schema.Fields {
			fields[f.Name] = true
			take(f.Name, f.Name)
		}
	}
	names := map[string]string{}
	add := func(name, source string) {
		if !fields[source] {
			return // reported
		}
		take(name, source)
		if other, twice := names[source]; twice && other != name {
			name = source // it has two names, so it keeps its own
		}
		names[source] = name
	}
	for _, m := range models {
		for _, x := range m.measures {
			add(x.name, x.source)
		}
		for _, d := range m.dimensions {
			for _, a := range d.attributes {
				add(a.name, a.source)
			}
		}
	}
	for source, name := range names {
		if name == source || len(taken[strings.ToLower(name)]) > 1 || !canName(name) {
			delete(names, source)
		}
	}
	return names
}

// canName tells whether a field can have a name.
func canName(name string) bool {
	return name != "" && !cube.IsOwnName(name) && utf8.RuneCountInString(name) <= mostNameRunes && !strings.ContainsFunc(name, unicode.IsControl)
}

// rename puts the names of fields into a model.
func (m *declaredModel) rename(names map[string]string) {
	renamed := func(field string) string {
		if name, ok := names[field]; ok {
			return name
		}
		return field
	}
	for i := range m.measures {
		m.measures[i].source = renamed(m.measures[i].source)
	}
	for i := range m.dimensions {
		d := &m.dimensions[i]
		isAttribute := map[string]bool{}
		for _, a := range d.attributes {
			isAttribute[a.name] = true
		}
		ref := func(name string) string { // of an attribute, or of a field
			if isAttribute[name] {
				return name
			}
			return renamed(name)
		}
		for j, name := range d.primaryKey {
			d.primaryKey[j] = ref(name)
		}
		for j := range d.attributes {
			a := &d.attributes[j]
			a.source, a.labelFor, a.parent = renamed(a.source), ref(a.labelFor), ref(a.parent)
		}
	}
}

// measuresOfResources gives the field of a measure that is of one resource a name that no other resource has for a field of its own.
func measuresOfResources(r *report, resources []resource, models []*declaredModel) {
	has := func(name string) bool {
		return slices.ContainsFunc(resources, func(x resource) bool {
			return slices.ContainsFunc(x.Schema.Fields, func(f cube.Field) bool { return strings.EqualFold(f.Name, name) })
		})
	}
	for _, m := range models {
		for i := range m.measures {
			x := &m.measures[i]
			if x.of == "" {
				continue
			}
			of := slices.IndexFunc(resources, func(one resource) bool { return one.Name == x.of })
			if of < 0 {
				names := each.Text(resources, func(one resource) string { return one.Name })
				r.add(at(x.place, "resource"), "%s is no resource%s", quote(x.of), r.didYouMean(x.of, names))
				continue
			}
			fields := slices.Clone(resources[of].Schema.Fields)
			place := slices.IndexFunc(fields, func(f cube.Field) bool { return f.Name == x.source })
			others := slices.Concat(resources[:of:of], resources[of+1:])
			isAlone := !slices.ContainsFunc(others, func(one resource) bool { return one.Field(x.source) >= 0 })
			if place < 0 || isAlone { // or it is reported
				continue
			}
			name := x.name
			if !canName(name) {
				name = x.source + "_" + x.of
			}
			for next := x.source + "_" + x.of; has(name); next += "_" {
				name = next
			}
			fields[place].Name, fields[place].Column = name, cmp.Or(fields[place].Column, x.source)
			resources[of].Schema.Fields, x.source = fields, name
		}
	}
}
