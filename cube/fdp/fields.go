package fdp

import (
	"strings"
	"unicode/utf8"

	"fiscube/cube"
)

// columnTypes says how the cells of a field of each declared type are stored.
var columnTypes = map[string]cube.ColumnType{
	"string":  cube.TypeText,
	"integer": cube.TypeInteger,
	"number":  cube.TypeDecimal,
}

// readSchema reads a schema: nil where there is none.
func readSchema(v value) *cube.Schema {
	o := v.object()
	if o == nil {
		return nil
	}
	s := &cube.Schema{MissingValues: o.take("missingValues").texts()}
	if s.MissingValues == nil {
		s.MissingValues = []string{""} // the specification's only one
	}
	s.Fields = readFields(o.take("fields"))
	s.Extra = o.rest()
	return s
}

func readFields(v value) []cube.Field {
	items := v.list()
	if len(items) == 0 {
		v.require("a schema needs at least one field")
	}
	if len(items) > mostColumns {
		v.problem("%d fields; at most %d are supported", len(items), mostColumns)
		return nil
	}
	var fields []cube.Field
	for _, item := range items {
		fields = append(fields, readField(item))
	}
	return fields
}

func readField(v value) cube.Field {
	o := v.mustObject()
	if o == nil {
		return cube.Field{}
	}
	f := cube.Field{
		Name:        o.take("name").text(),
		Title:       o.take("title").prose(),
		Slug:        o.take("slug").text(),
		Type:        o.take("type").text(),
		Format:      o.take("format").text(),
		ColumnType:  o.take("columnType").text(),
		ConceptType: o.take("conceptType").text(),
		DecimalChar: readSeparator(o.take("decimalChar")),
		GroupChar:   readSeparator(o.take("groupChar")),
	}
	checkFieldName(o.take("name"), f.Name)
	checkFieldType(o.take("type"), f.Type)
	if options := o.take("options"); options.list() != nil {
		f.Options = options.raw
	}
	f.Extra = o.rest()
	return f
}

// readSeparator reads the character between digits; none is a choice too.
func readSeparator(v value) string {
	separator := v.text()
	if utf8.RuneCountInString(separator) > 1 {
		v.problem("must be one character, not %s", quote(separator))
	}
	return separator
}

// checkFieldName finds the names that no column can have; cube.NewModel would only tell the first.
func checkFieldName(v value, name string) {
	switch {
	case name == "":
		v.require("a field needs a name")
	case strings.ContainsRune(name, 0):
		v.problem("%s holds a NUL character", quote(name))
	}
}

func checkFieldType(v value, declared string) {
	if declared == "" {
		v.require("a field needs a type: integer, string or number")
	} else if columnTypes[declared] == "" {
		v.problem("unknown field type %s; a field is integer, string or number", quote(declared))
	}
}

// column is a column of the package and the declaration that decided what it is.
type column struct {
	cube.Column
	field    cube.Field
	place    string // of the field
	resource string // the name of the resource that declares it
}

// declaredAs describes what the column's field says that matters to the cube.
func (c column) declaredAs() string {
	if c.FiscalYear {
		return c.field.Type + " (fiscal year)"
	}
	return c.field.Type
}

// columns is the union of the fields of all resources by name, in the order of the first resource. Fields with names
// like fiscube's own are left out.
type columns struct {
	list    []column
	byName  map[string]int
	folded  map[string]string // lower case → name: stores ignore case
	leftOut int
}

func unite(r *report, resources []resource) *columns {
	all := &columns{byName: map[string]int{}, folded: map[string]string{}}
	united := map[string]bool{} // by place: the package's schema may be that of many resources
	for _, from := range resources {
		if united[from.fieldsPlace] {
			continue
		}
		united[from.fieldsPlace] = true
		own := map[string]bool{}
		for i, field := range from.Schema.Fields {
			c := column{field: field, place: nth(from.fieldsPlace, i), resource: from.Name}
			if own[field.Name] && field.Name != "" {
				r.add(at(c.place, "name"), "a second field named %s", quote(field.Name))
				continue
			}
			own[field.Name] = true
			all.add(r, c)
		}
	}
	if len(all.list) == 0 && all.leftOut > 0 {
		r.add(resources[0].fieldsPlace, "all names begin with _: such names are fiscube's own, and their fields are left out")
	}
	if len(all.list) > mostColumns {
		r.add("resources", "%d different fields; at most %d are supported", len(all.list), mostColumns)
	}
	return all
}

func (all *columns) add(r *report, c column) {
	c.Name = c.field.Name
	c.Type = columnTypes[c.field.Type]
	c.FiscalYear = c.field.ColumnType == cube.ColumnTypeFiscalYear
	if c.Name == "" {
		return // reported
	}
	if cube.IsOwnName(c.Name) {
		all.leftOut++
		if c.FiscalYear {
			r.add(at(c.place, "name"), "%s begins with _: such names are fiscube's own, and the fiscal year is needed", quote(c.Name))
		}
		return
	}
	if i, known := all.byName[c.Name]; known {
		all.list[i].compare(r, c)
		return
	}
	folded := strings.ToLower(c.Name)
	if other, clash := all.folded[folded]; clash {
		r.add(at(c.place, "name"), "fields %s and %s have one name, ignoring case", quote(other), quote(c.Name))
	}
	all.folded[folded] = c.Name
	all.byName[c.Name] = len(all.list)
	all.list = append(all.list, c)
}

// compare reports a later declaration that contradicts c.
func (c column) compare(r *report, later column) {
	if c.Type == "" || later.Type == "" || c.declaredAs() == later.declaredAs() {
		return
	}
	key := "type"
	if c.Type == later.Type {
		key = "columnType"
	}
	r.add(at(later.place, key), "resource %s declares field %s as %s, resource %s as %s",
		quote(c.resource), quote(c.Name), c.declaredAs(), quote(later.resource), later.declaredAs())
}

// lacks reports the name of a field that no column is of.
func (r *report) lacks(place, name string) {
	if cube.IsOwnName(name) {
		r.add(place, "%s begins with _: such names are fiscube's own", quote(name))
		return
	}
	r.add(place, "%s is no field of the schema", quote(name))
}

// get gives the named column.
func (all *columns) get(name string) (column, bool) {
	i, ok := all.byName[name]
	if !ok {
		return column{}, false
	}
	return all.list[i], true
}
