package load_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing/fstest"

	"fiscube/store/load"
)

// pack is a small package. Its fields are names with what they are: a@ the fiscal year, a# a whole number, a$ an
// amount, a=b the label of b, a<b a level below b, and a alone a level.
type pack struct {
	fields  string
	files   map[string]string // the rows of each resource, without the header
	missing string            // the texts that mean missing, in quotes and commas; "" for the empty text alone
	more    string            // members of the descriptor, each followed by a comma
	each    string            // members of every resource, the same
	overlay string
}

func (p pack) fs() fstest.MapFS {
	files := fstest.MapFS{}
	var resources []string
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		resources = append(resources, fmt.Sprintf(`{%s "name": %q, "path": %q}`, p.each, name, name))
		files[name] = &fstest.MapFile{Data: []byte(p.header() + p.files[name])}
	}
	files[load.DescriptorName] = &fstest.MapFile{Data: []byte(fmt.Sprintf(
		`{"name": "odd", %s "schema": {"missingValues": [%s], "fields": [%s]}, "model": %s, "resources": [%s]}`,
		p.more, cmp.Or(p.missing, `""`), p.schema(), p.model(), strings.Join(resources, ", ")))}
	if p.overlay != "" {
		files[load.OverlayName] = &fstest.MapFile{Data: []byte(p.overlay)}
	}
	return files
}

// one is the package of a single resource.
func one(fields, rows string) pack {
	return pack{fields: fields, files: map[string]string{"f.csv": rows}}
}

// with gives the package an overlay.
func (p pack) with(overlay string) fs.FS {
	p.overlay = overlay
	return p.fs()
}

// part takes a field apart into its name, what it is, and what it belongs to.
func part(field string) (name, kind, other string) {
	i := strings.IndexAny(field, "@#$%=<")
	if i < 0 {
		return field, "", ""
	}
	return field[:i], field[i : i+1], field[i+1:]
}

func (p pack) header() string {
	var names []string
	for field := range strings.FieldsSeq(p.fields) {
		name, _, _ := part(field)
		names = append(names, name)
	}
	return strings.Join(names, ",") + "\n"
}

func (p pack) schema() string {
	var list []string
	for field := range strings.FieldsSeq(p.fields) {
		name, kind, _ := part(field)
		member := map[string]string{
			"@": `"type": "integer", "columnType": "date:fiscal-year"`, "#": `"type": "integer"`, "$": `"type": "number"`, "%": `"type": "number"`,
		}[kind]
		if member == "" {
			member = `"type": "string"`
		}
		list = append(list, fmt.Sprintf(`{"name": %q, %s}`, name, member))
	}
	return strings.Join(list, ", ")
}

// model puts the year into the dimension date and all other levels into the dimension levels.
func (p pack) model() string {
	var keys, attributes, measures, dimensions []string
	for field := range strings.FieldsSeq(p.fields) {
		name, kind, other := part(field)
		quoted := fmt.Sprintf("%q", name)
		switch kind {
		case "@":
			dimensions = append(dimensions, fmt.Sprintf(`"date": {"dimensionType": "datetime", "primaryKey": [%q]}`, name))
		case "$":
			measures = append(measures, quoted+": {}")
		case "=":
			attributes = append(attributes, fmt.Sprintf(`%s: {"labelfor": %q}`, quoted, other))
		case "%":
			attributes = append(attributes, quoted+": {}")
		case "<":
			attributes = append(attributes, fmt.Sprintf(`%s: {"parent": %q}`, quoted, other))
			keys = append(keys, quoted)
		default:
			keys = append(keys, quoted)
		}
	}
	if len(keys) > 0 {
		dimensions = append(dimensions, fmt.Sprintf(`"levels": {"dimensionType": "other", "primaryKey": [%s], "attributes": {%s}}`,
			strings.Join(keys, ", "), strings.Join(attributes, ", ")))
	}
	return fmt.Sprintf(`{"measures": {%s}, "dimensions": {%s}}`, strings.Join(measures, ", "), strings.Join(dimensions, ", "))
}
