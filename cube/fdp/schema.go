package fdp

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"fiscube/cube"
)

// readSchema reads a schema: nil where there is none.
func readSchema(n node) *tableSchema {
	o := n.object()
	if o == nil {
		return nil
	}
	s := &tableSchema{Schema: cube.Schema{MissingValues: readMissing(o.take("missingValues"))}, place: n.place}
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
		f := readField(item)
		s.Fields = append(s.Fields, f)
		s.normalize = append(s.normalize, readNormalize(item))
	}
	s.readPoints(o)
	s.Extra = o.rest()
	return s
}

// readMissing reads the cells that mean missing: texts, or objects with a value and a label (Table Schema 2.0).
func readMissing(n node) []string {
	if n.kind() != isList {
		return n.texts()
	}
	texts := []string{}
	for _, item := range n.list() {
		if item.kind() == isObject {
			item = item.object().take("value")
		}
		text, ok := item.scalar()
		if !ok {
			item.mustBe("text")
		}
		texts = append(texts, text)
	}
	return texts
}

// readNormalize reads what a field says of the extra fields that its amounts are reduced to.
func readNormalize(field node) normalizing {
	o := field.object()
	if o == nil {
		return normalizing{}
	}
	n := o.take("normalize")
	if n.absent() {
		return normalizing{}
	}
	reduced := normalizing{place: n.place, values: map[string]string{}}
	for _, m := range n.mustObject().members() {
		text, ok := m.scalar()
		if !ok {
			m.mustBe("text")
		}
		reduced.values[m.name] = text
	}
	return reduced
}

// columnTypes says how the cells of a field of each declared type are stored. Others are stored as text.
var columnTypes = map[string]cube.ColumnType{
	"integer": cube.TypeInteger,
	"number":  cube.TypeDecimal,
	"year":    cube.TypeInteger,
}

// fieldTypes are the types of Table Schema that are read as such.
var fieldTypes = []string{"any", "boolean", "date", "datetime", "integer", "number", "string", "time", "year", "yearmonth"}

// IsType tells whether a type of a field is one of Table Schema that is read as such. Cells of others are read as text.
func IsType(name string) bool { return slices.Contains(fieldTypes, name) }

// columnTypeOf says how the cells of a field are stored.
func columnTypeOf(f cube.Field) cube.ColumnType { return cmp.Or(columnTypes[f.Type], cube.TypeText) }

// DateLetters are the letters of patterns of dates and times that are read (strptime of POSIX; %j, the day of a year, is not).
const DateLetters = "%YymdHIMSbBZzaApf"

// unknownLetter gives the first letter of a pattern that is not read, or "".
func unknownLetter(format string) string {
	for i := 0; i+1 < len(format); i++ {
		if format[i] == '%' {
			if i++; !strings.Contains(DateLetters, format[i:i+1]) {
				return format[i-1 : i+1]
			}
		}
	}
	return ""
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
	if column := o.take("column"); !column.absent() { // a key of fiscube's own
		if f.Column = cmp.Or(column.text(), cube.Unnamed); f.Column == f.Name {
			f.Column = ""
		}
	}
	switch { // of the names that no column can have cube.NewModel would report the first alone
	case f.Name == "":
		name.require("a field needs a name")
	case strings.ContainsRune(f.Name, 0):
		name.problem("%s holds a NUL character", quote(f.Name))
	}
	if f.Type == "" {
		kind.require("a field needs a type: " + strings.Join(fieldTypes, ", "))
	}
	if letter := unknownLetter(f.Format); letter != "" && slices.Contains([]string{"date", "datetime", "time", "yearmonth", "year"}, f.Type) {
		o.take("format").problem("the pattern has %s, which is none of %s", quote(letter), "%"+strings.Join(strings.Split(DateLetters, ""), " %"))
	}
	bare := o.take("bareNumber")
	f.Decorated = !bare.absent() && !bare.truth()
	f.True, f.False = o.take("trueValues").texts(), o.take("falseValues").texts()
	if missing := o.take("missingValues"); !missing.absent() {
		f.Missing = readMissing(missing)
	}
	o.take("normalize") // readNormalize
	f.Constraints = readConstraints(o.take("constraints"), f.Type)
	if options.list() != nil {
		f.Options = options.raw
	}
	f.Extra = o.rest()
	return f
}

// boundForms are how the least and the greatest value of a type are written, as they are compared.
var boundForms = func() map[string]boundForm {
	number := boundForm{regexp.MustCompile(`^-?\d+(\.\d+)?$`), "1500.5"}
	return map[string]boundForm{"number": number, "integer": number, "year": {regexp.MustCompile(`^\d{4}$`), "2016"}, "yearmonth": {regexp.MustCompile(`^\d{4}-\d\d$`), "2016-12"},
		"date": {regexp.MustCompile(`^\d{4}-\d\d-\d\d$`), "2016-12-31"}, "datetime": {regexp.MustCompile(`^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?`), "2016-12-31T23:59:59"},
		"time": {regexp.MustCompile(`^\d\d:\d\d(:\d\d)?$`), "23:59:59"}}
}()

type boundForm struct {
	pattern *regexp.Regexp
	example string
}

// readConstraints reads what the cells of a field must be: nil where nothing is said.
func readConstraints(n node, fieldType string) *cube.Constraints {
	o := n.object()
	if o == nil {
		return nil
	}
	c := &cube.Constraints{Required: o.take("required").truth(), Unique: o.take("unique").truth(), Pattern: o.take("pattern").text(),
		Minimum: o.take("minimum").text(), Maximum: o.take("maximum").text()}
	for _, item := range o.take("enum").list() {
		text, ok := item.scalar()
		if !ok && item.kind() == isBoolean {
			text = string(item.raw)
		}
		c.Enum = append(c.Enum, text)
	}
	for key, bound := range map[string]string{"minimum": c.Minimum, "maximum": c.Maximum} {
		if form, ok := boundForms[fieldType]; ok && bound != "" && !form.pattern.MatchString(bound) {
			o.take(key).problem("%s is no %s: write it as %s", quote(bound), fieldType, form.example)
		}
	}
	const mostLength = 1 << 30
	c.MinLength = int(min(readBytes(o.take("minLength")), mostLength))
	c.MaxLength = int(min(readBytes(o.take("maxLength")), mostLength))
	if _, err := regexp.Compile(c.Pattern); err != nil || len(c.Pattern) > mostPattern {
		o.take("pattern").problem("%s is no regular expression", quote(c.Pattern))
	}
	return c
}
