package fdp

import (
	"strings"

	"fiscube/cube"
)

// readSchema reads a schema: nil where there is none.
func readSchema(n node) *cube.Schema {
	o := n.object()
	if o == nil {
		return nil
	}
	s := &cube.Schema{MissingValues: o.take("missingValues").texts()}
	if s.MissingValues == nil {
		s.MissingValues = []string{""} // the specification's only one
	}
	fields := o.take("fields")
	items := fields.list()
	if len(items) == 0 {
		fields.require("a schema needs at least one field")
	}
	if len(items) > mostColumns {
		fields.problem("%d fields; at most %d are supported", len(items), mostColumns)
		items = nil
	}
	for _, item := range items {
		s.Fields = append(s.Fields, readField(item))
	}
	s.Extra = o.rest()
	return s
}

// columnTypes says how the cells of a field of each declared type are stored.
var columnTypes = map[string]cube.ColumnType{
	"string":  cube.TypeText,
	"integer": cube.TypeInteger,
	"number":  cube.TypeDecimal,
}

// columnTypeOf says how the cells of a field are stored.
func columnTypeOf(f cube.Field) cube.ColumnType {
	if f.ColumnType == cube.ColumnTypeFiscalYear && f.Type == "year" {
		return cube.TypeInteger
	}
	return columnTypes[f.Type]
}

func readField(n node) cube.Field {
	o := n.mustObject()
	if o == nil {
		return cube.Field{}
	}
	name, kind, options := o.take("name"), o.take("type"), o.take("options")
	columnType := o.take("columnType")
	if columnType.absent() {
		columnType = o.take("osType") // its name in OpenSpending
	}
	f := cube.Field{
		Name:        name.text(),
		Title:       o.take("title").prose(),
		Slug:        o.take("slug").text(),
		Type:        kind.text(),
		Format:      o.take("format").text(),
		ColumnType:  columnType.text(),
		ConceptType: o.take("conceptType").text(),
		DecimalChar: readSeparator(o.take("decimalChar")),
		GroupChar:   readSeparator(o.take("groupChar")),
	}
	switch { // of the names that no column can have cube.NewModel would report the first alone
	case f.Name == "":
		name.require("a field needs a name")
	case strings.ContainsRune(f.Name, 0):
		name.problem("%s holds a NUL character", quote(f.Name))
	}
	switch {
	case f.Type == "":
		kind.require("a field needs a type: integer, string or number")
	case columnTypes[f.Type] == "":
		kind.problem("unknown field type %s; a field is integer, string or number", quote(f.Type))
	}
	if options.list() != nil {
		f.Options = options.raw
	}
	f.Extra = o.rest()
	return f
}
