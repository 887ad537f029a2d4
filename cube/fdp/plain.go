package fdp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"

	"fiscube/cube"
	"fiscube/internal/each"
)

// A plain package is a loaded package written as CSV again: UTF-8, separated by commas, with plain decimals, and without
// what was not loaded. Its descriptor and overlay say what the published ones say, but for what describes the form of files
// and cells that are gone.

// PlainFile is a CSV file of a plain package.
type PlainFile struct {
	Resource string // its name
	Path     string // in the package
	Bytes    int64
	Hash     string // SHA-256, in hex
	HashCopy string // of the file without its header line
	Fields   []PlainField
}

// PlainField is a column of a plain file, and the type of its cells as they were loaded.
type PlainField struct {
	Name string
	Type cube.ColumnType
}

// PlainDescriptor writes what a published descriptor says as a descriptor of Fiscal Data Package 1.0 that describes the files of the
// plain package; the loaded resources are those that were read of it, and the model is that of the cube. Whatever generation the
// published one is of, what it says of files, fields and their meaning is written in one form: the fields with their types and
// columnTypes, and the model behind them in the form of 0.3, so that reading it again gives the same model. Each level has a columnType,
// one of the package's own where none was published. What fiscube has no words for is given back as published.
func PlainDescriptor(descriptor []byte, loaded []cube.Resource, model *cube.Model, files []PlainFile) ([]byte, error) {
	r := &report{}
	root := parseJSON(descriptor, r).mustObject()
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	names := loadedNames(root.take("resources"), loaded)
	pkg, err := Read(descriptor, names...)
	if err != nil {
		return nil, err
	}
	w := &plainWriter{pkg: pkg, types: ownColumnTypes(pkg, model), report: r}
	d := published(root)
	d.drop("schema", "sample", "mapping", "model", "resources")
	d.set("encoding", UTF8)
	if !slices.ContainsFunc(append(names, pkg.Name), func(name string) bool { return !nameOfVersion1.MatchString(name) }) {
		d.drop("$schema")
	} else {
		d.set("$schema", profileOfVersion2)
	}
	if own := w.types.declarations(root.take("columnTypes")); own != nil {
		d.set("columnTypes", own)
	}
	d.set("model", plainModel(pkg.Model))
	d.set("resources", w.resources(root.take("resources"), files))
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

// loadedNames lists the resources of a descriptor that were read, with the code lists that they refer to; others may be broken.
func loadedNames(list node, loaded []cube.Resource) []string {
	var names []string
	for _, item := range list.list() {
		if o := item.object(); o != nil {
			name := o.take("name").text()
			if slices.ContainsFunc(loaded, func(r cube.Resource) bool { return r.Name == name || r.RefersTo(name) }) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Data Package 1.0 has a pattern for names, and 2.0 takes any text; a descriptor without $schema is of 1.0.
var nameOfVersion1 = regexp.MustCompile(`^[-a-z0-9._/]+$`)

const profileOfVersion2 = "https://datapackage.org/profiles/2.0/datapackage.json"

// plainWriter writes the resources of a plain package.
type plainWriter struct {
	pkg    *cube.Package // as published
	types  columnTypesOf
	report *report
}

func (w *plainWriter) resources(list node, files []PlainFile) []*keyed {
	written := []*keyed{}
	items := map[string]*object{}
	for _, item := range list.list() {
		if o := item.object(); o != nil {
			items[o.take("name").text()] = o
		}
	}
	for _, file := range files {
		d := published(items[file.Resource])
		d.drop("data", "dialect", "sample", "compression", "model")
		d.set("profile", "tabular-data-resource")
		d.set("name", file.Resource)
		d.set("path", file.Path)
		d.set("format", "csv")
		d.set("mediatype", "text/csv")
		d.set("encoding", UTF8)
		d.set("bytes", file.Bytes)
		d.set("hash", "sha256:"+file.Hash) // the pattern of 1.0 wants the algorithm
		d.set("hashcopy", file.HashCopy)
		d.set("schema", w.schema(file))
		written = append(written, d)
	}
	return written
}

// schema describes the columns of a file. What another resource declares counts for a field that only that one had.
func (w *plainWriter) schema(file PlainFile) *keyed {
	own := slices.IndexFunc(w.pkg.Resources, func(r cube.Resource) bool { return r.Name == file.Resource })
	d := &keyed{}
	list := make([]*keyed, len(file.Fields))
	for i, field := range file.Fields {
		declared, ok := w.declared(own, field.Name)
		if !ok {
			w.report.add("resources", "no schema has the field %s", quote(field.Name))
			continue
		}
		list[i] = w.field(declared, field)
	}
	if own >= 0 {
		d.addExtra(w.pkg.Resources[own].Schema.Extra)
		d.drop("extraFields", "foreignKeys", "primaryKey")
	}
	d.set("fields", list)
	return d
}

// declared gives a field as the resource declares it that has the index, else as the first one that does.
func (w *plainWriter) declared(own int, name string) (cube.Field, bool) {
	in := w.pkg.Resources
	if own >= 0 {
		in = slices.Concat(in[own:own+1], in)
	}
	for i := range in {
		if at := in[i].Field(name); at >= 0 {
			return in[i].Schema.Fields[at], true
		}
	}
	return cube.Field{}, false
}

// field describes the cells of a field as they were loaded: amounts have plain decimals, codes that were declared whole numbers
// may be text, and what stood for nothing is empty. Other cells are as they were published, also numbers that are text.
func (w *plainWriter) field(declared cube.Field, field PlainField) *keyed {
	d := &keyed{}
	d.set("name", declared.Name)
	d.setText("title", declared.Title)
	d.setText("slug", declared.Slug)
	d.set("type", plainType(declared.Type, field.Type))
	if declared.Type == "string" || declared.Format == "default" {
		d.setText("format", declared.Format)
	}
	d.setText("columnType", cmp.Or(declared.ColumnType, w.types.of(declared.Name)))
	d.setText("conceptType", declared.ConceptType)
	if declared.Options != nil {
		d.set("options", declared.Options)
	}
	switch field.Type {
	case cube.TypeDecimal:
		d.set("decimalChar", ".")
	case cube.TypeText:
		d.setText("decimalChar", declared.DecimalChar)
		d.setText("groupChar", declared.GroupChar)
	}
	d.addExtra(declared.Extra)
	return d
}

// plainType gives the type of a plain field: the published one, but where the cells were loaded as something else.
func plainType(declared string, loaded cube.ColumnType) string {
	switch {
	case loaded == cube.TypeDecimal:
		return "number"
	case loaded == cube.TypeText && declared == "integer":
		return "string"
	case loaded == cube.TypeInteger && declared != "year":
		return "integer"
	}
	return declared
}

// plainModel writes a model in the form of Fiscal Data Package 0.3.
func plainModel(m *cube.Model) *keyed {
	dimensions, measures, model := &keyed{}, &keyed{}, &keyed{}
	for _, d := range m.Dimensions() {
		attributes, keys := &keyed{}, []string{}
		for _, l := range d.Levels {
			keys = append(keys, l.Ref)
			key := &keyed{}
			key.set("source", l.Ref)
			key.setText("parent", l.Parent)
			attributes.set(l.Ref, key)
			if l.LabelRef != "" {
				label := &keyed{}
				label.set("source", l.LabelRef)
				label.set("labelfor", l.Ref)
				attributes.set(l.LabelRef, label)
			}
		}
		dimension := &keyed{}
		dimension.setText("dimensionType", d.Type)
		dimension.setText("classificationType", d.Classification)
		dimension.set("primaryKey", keys)
		dimension.set("attributes", attributes)
		dimensions.set(d.Name, dimension)
	}
	for _, x := range m.Measures() {
		measure := &keyed{}
		measure.set("source", x.Ref)
		measure.setText("title", x.Title)
		measure.setText("currency", x.Currency)
		if x.Unit != 0 {
			measure.set("factor", x.Unit)
		}
		measure.setText("phase", x.Phase)
		measure.setText("direction", x.Direction)
		measure.setText("kind", x.Kind)
		measures.set(x.Ref, measure)
	}
	model.set("dimensions", dimensions)
	model.set("measures", measures)
	return model
}

// ColumnType is a column type of a package's own, in the form in which packages declare theirs (Fiscal Data Package 1.0: columnTypes).
type ColumnType struct {
	Field    string `json:"-"`
	Name     string `json:"name"`
	DataType string `json:"dataType"`
	Prior    string `json:"prior,omitempty"`   // that of the level above
	LabelOf  string `json:"labelOf,omitempty"` // that of the codes
	Unique   bool   `json:"unique,omitempty"`
}

// ColumnTypeOf makes the column type of a field that is a level of a dimension, or the label of one whose codes have a column type.
func ColumnTypeOf(dimension, field, labelOf string) ColumnType {
	t := ColumnType{Field: field, DataType: "string", LabelOf: labelOf, Unique: labelOf == ""}
	kind := "code"
	if labelOf != "" {
		kind = "label"
	}
	t.Name = "own-" + dimension + ":" + field + ":" + kind
	return t
}

// columnTypesOf are the column types that a package needs of its own, so that each level has one.
type columnTypesOf struct {
	list    []ColumnType
	amounts []cube.Measure
}

// ownColumnTypes makes a column type for each level and label that was published without one.
func ownColumnTypes(pkg *cube.Package, model *cube.Model) columnTypesOf {
	published := map[string]string{}
	for _, r := range pkg.Resources {
		for _, f := range r.Schema.Fields {
			published[f.Name] = cmp.Or(published[f.Name], f.ColumnType)
		}
	}
	own := columnTypesOf{amounts: model.Measures()}
	isWithout := func(field string) bool { columnType, ok := published[field]; return ok && columnType == "" }
	for _, l := range model.Levels() {
		key := ColumnTypeOf(l.Dimension, l.Ref, "")
		if isWithout(l.Ref) {
			if l.Type == cube.TypeInteger {
				key.DataType = "integer"
			}
			if above, ok := model.LevelOfKey(l.Parent); ok {
				key.Prior = cmp.Or(published[above.Ref], ColumnTypeOf(above.Dimension, above.Ref, "").Name)
			}
			own.list = append(own.list, key)
		}
		if isWithout(l.LabelRef) {
			own.list = append(own.list, ColumnTypeOf(l.Dimension, l.LabelRef, cmp.Or(published[l.Ref], key.Name)))
		}
	}
	return own
}

// of gives the columnType of a field that was published without one: that of a level, its label or an amount, or "".
func (own columnTypesOf) of(field string) string {
	for _, t := range own.list {
		if t.Field == field {
			return t.Name
		}
	}
	if slices.ContainsFunc(own.amounts, func(m cube.Measure) bool { return m.Ref == field }) {
		return amountType
	}
	return ""
}

// declarations adds the columnTypes to those that the package declares; nil where there are none to add.
func (own columnTypesOf) declarations(declared node) []any {
	if len(own.list) == 0 {
		return nil
	}
	all := each.Of(declared.list(), func(item node) any { return item.raw })
	for _, t := range own.list {
		all = append(all, t)
	}
	return all
}

// keyed is a JSON object that keeps its order.
type keyed struct {
	keys   []string
	values map[string]any
}

// published gives an object as it is, to be changed; an empty one for nil.
func published(o *object) *keyed {
	d := &keyed{}
	d.addNew(o)
	return d
}

// addNew adds the keys that are new.
func (d *keyed) addNew(o *object) {
	for _, m := range o.members() {
		if _, known := d.values[m.name]; !known {
			d.set(m.name, m.raw)
		}
	}
}

// addExtra adds keys that fiscube has no words for, in the order of their names.
func (d *keyed) addExtra(extra map[string]json.RawMessage) {
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		d.set(key, extra[key])
	}
}

func (d *keyed) set(key string, value any) {
	if d.values == nil {
		d.values = map[string]any{}
	}
	if _, known := d.values[key]; !known {
		d.keys = append(d.keys, key)
	}
	d.values[key] = value
}

// setText sets a text unless it is empty.
func (d *keyed) setText(key, value string) {
	if value != "" {
		d.set(key, value)
	}
}

func (d *keyed) drop(keys ...string) {
	d.keys = slices.DeleteFunc(d.keys, func(key string) bool { return slices.Contains(keys, key) })
	for _, key := range keys {
		delete(d.values, key)
	}
}

// MarshalJSON implements json.Marshaler.
func (d *keyed) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, key := range d.keys {
		name, errName := json.Marshal(key)
		value, errValue := json.Marshal(d.values[key])
		if err := errors.Join(errName, errValue); err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, name...), ':'), value...)
	}
	return append(text, '}'), nil
}

// PlainOverlay rewrites an overlay for the plain package: without the characters that separate the digits of published
// amounts. It gives the text as it is where there are none, and none where the package has no overlay.
func PlainOverlay(overlay []byte) ([]byte, error) {
	if len(overlay) == 0 {
		return nil, nil
	}
	r := &report{}
	value, document := parseYAMLDocument(overlay, r)
	root := value.mustObject()
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	changed := false
	for _, member := range root.take("measures").object().members() {
		if measure := member.object(); measure != nil && measure.drop("decimal", "group") {
			changed = true
		}
	}
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	if !changed {
		return overlay, nil
	}
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(document), encoder.Close()); err != nil {
		return nil, fmt.Errorf("write the overlay: %w", err)
	}
	return text.Bytes(), nil
}
