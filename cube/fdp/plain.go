package fdp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"fiscube/cube"
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

// PlainDescriptor rewrites a published descriptor so that it describes the files of its plain package; the loaded resources
// are those that were read of it. Resources without a file are left out; what their models say is kept in that of the package.
func PlainDescriptor(descriptor []byte, loaded []cube.Resource, files []PlainFile) ([]byte, error) {
	r := &report{}
	root := parseJSON(descriptor, r).mustObject()
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	w := &plainWriter{shared: root.take("schema").object(), files: files, fields: map[string]map[string]*object{}}
	for _, item := range root.take("resources").list() {
		o := item.object()
		if o == nil {
			continue
		}
		name := o.take("name").text()
		if slices.ContainsFunc(loaded, func(r cube.Resource) bool { return r.Name == name }) {
			w.resources = append(w.resources, o)
		}
	}
	d := published(root)
	d.drop("schema", "sample")
	d.set("encoding", UTF8)
	if model, merged := w.mergedModel(root.take("model").object()); merged {
		d.set("model", model)
		w.withoutModels = true
	}
	d.set("resources", w.plainResources())
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

// plainWriter writes the resources of a plain package.
type plainWriter struct {
	shared        *object // the schema of the package; nil where it has none
	resources     []*object
	files         []PlainFile
	withoutModels bool                          // the models of all resources are in that of the package
	fields        map[string]map[string]*object // of each schema, by its place and their names
}

func (w *plainWriter) fileOf(resource *object) (PlainFile, bool) {
	name := resource.take("name").text()
	i := slices.IndexFunc(w.files, func(f PlainFile) bool { return f.Resource == name })
	if i < 0 {
		return PlainFile{}, false
	}
	return w.files[i], true
}

func (w *plainWriter) plainResources() []*keyed {
	list := []*keyed{}
	for _, resource := range w.resources {
		file, ok := w.fileOf(resource)
		if !ok {
			continue
		}
		d := published(resource)
		d.drop("dialect", "sample", "compression")
		if w.withoutModels {
			d.drop("model")
		}
		d.set("path", file.Path)
		d.set("format", "csv")
		d.set("mediatype", "text/csv")
		d.set("encoding", UTF8)
		d.set("bytes", file.Bytes)
		d.set("hash", file.Hash)
		d.set("hashcopy", file.HashCopy)
		schema := published(w.schemaOf(resource))
		schema.drop("missingValues")
		schema.set("fields", w.plainFields(resource, file))
		d.set("schema", schema)
		list = append(list, d)
	}
	return list
}

func (w *plainWriter) schemaOf(resource *object) *object {
	if own := resource.take("schema").object(); own != nil {
		return own
	}
	return w.shared
}

// plainFields describes the columns of a file. What another resource declares counts for a field that only that one had.
func (w *plainWriter) plainFields(resource *object, file PlainFile) []*keyed {
	list := make([]*keyed, len(file.Fields))
	for i, field := range file.Fields {
		from := resource
		if w.declared(from, field.Name) == nil {
			if other := slices.IndexFunc(w.resources, func(o *object) bool { return w.declared(o, field.Name) != nil }); other >= 0 {
				from = w.resources[other]
			}
		}
		declared := w.declared(from, field.Name)
		if declared == nil {
			from.problem("no schema has the field %s", quote(field.Name))
			continue
		}
		list[i] = plainField(declared, field, readDialect(from.take("dialect")))
	}
	return list
}

// declared gives a field as the schema of a resource declares it; nil where it has none of the name.
func (w *plainWriter) declared(resource *object, name string) *object {
	schema := w.schemaOf(resource)
	if schema == nil {
		return nil
	}
	byName, known := w.fields[schema.place]
	if !known {
		byName = map[string]*object{}
		for _, item := range schema.take("fields").list() {
			if o := item.object(); o != nil {
				byName[o.take("name").text()] = o
			}
		}
		w.fields[schema.place] = byName
	}
	return byName[name]
}

// plainField describes the cells of a field as they were loaded: amounts have plain decimals, and codes that were declared
// whole numbers may be text. Other cells are as they were published, also numbers that are text.
func plainField(declared *object, field PlainField, dialect cube.Dialect) *keyed {
	d := published(declared)
	if declared.take("type").text() == "integer" && field.Type == cube.TypeText {
		d.set("type", "string")
	}
	decimal, group := declared.take("decimalChar").text(), declared.take("groupChar").text()
	d.drop("decimalChar", "groupChar", "bareNumber")
	switch field.Type {
	case cube.TypeDecimal:
		d.set("decimalChar", ".")
	case cube.TypeText:
		d.setText("decimalChar", cmp.Or(decimal, dialect.DecimalChar))
		d.setText("groupChar", cmp.Or(group, dialect.GroupChar))
	}
	return d
}

// mergedModel joins the models of the package and its resources, as mergeModels does, if one of a resource without a file is
// among them.
func (w *plainWriter) mergedModel(shared *object) (model *keyed, merged bool) {
	dimensions, measures := &keyed{}, &keyed{}
	add := func(o *object) {
		if o == nil {
			return
		}
		dimensions.addNew(o.take("dimensions").object())
		measures.addNew(o.take("measures").object())
	}
	for _, resource := range w.resources {
		own := resource.take("model").object()
		if _, kept := w.fileOf(resource); own != nil && !kept {
			merged = true
		}
		if own == nil {
			own = shared
		}
		add(own)
	}
	add(shared)
	model = &keyed{}
	model.set("dimensions", dimensions)
	model.set("measures", measures)
	return model, merged
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
