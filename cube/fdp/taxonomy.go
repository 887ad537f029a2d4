package fdp

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"fiscube/cube"
)

// A column type says what a column means (Fiscal Data Package 1.0, ColumnTypes). Its name begins with its dimension and goes from the
// general to the particular, as in administrative-classification:generic:level1:code.

//go:embed columntypes.csv
var standardTypes string

// columnType is a column type with what it is in its dimension.
type columnType struct {
	name      string
	dimension string // the type of its dimension
	role      role
	of        string // for roleBelow the column type above, for roleLabel that of the codes
}

// role is what a column is in its dimension.
type role string

const (
	roleKey   role = "key"   // it identifies a member
	roleBelow role = "below" // a key below another
	roleLabel role = "label" // it names the members of a key
	roleText  role = "text"  // it stands beside a member
)

// amountType is the column type of amounts.
const amountType = "value"

// standard are the standard column types by their names. A program that reads no column type does not read them either.
var standard = sync.OnceValue(func() map[string]columnType {
	types := map[string]columnType{}
	for line := range strings.Lines(standardTypes) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), ",")
		what, of, _ := strings.Cut(cells[3], " ")
		types[cells[0]] = columnType{cells[0], cells[2], role(what), strings.TrimPrefix(of, "of ")}
	}
	return types
})

// taxonomy is the column types that a package may name: its own, which are listed here, and the standard ones.
type taxonomy map[string]columnType

// readTaxonomy reads the column types that a package brings (columnTypes). An item is a column type, a list of them, or the address of
// some, which is not fetched but given.
func readTaxonomy(n node) (t taxonomy, addresses []string) {
	t = taxonomy{}
	t.read(n, &addresses)
	for _, own := range t { // what others are below is a level, whatever its last part is
		if above := t.find(own.of); own.role == roleBelow && (above.role == roleLabel || above.role == roleText) && standard()[own.of].name == "" {
			t[own.of] = columnType{own.of, above.dimension, roleKey, ""}
		}
	}
	return t, addresses
}

func (t taxonomy) read(n node, addresses *[]string) {
	if n.absent() {
		return
	}
	for _, item := range n.list() {
		switch item.kind() {
		case isText:
			*addresses = append(*addresses, item.text())
			continue
		case isList:
			t.read(item, addresses)
			continue
		}
		o := item.mustObject()
		if o == nil {
			continue
		}
		if more := o.take("columnTypes"); !more.absent() {
			t.read(more, addresses)
			continue
		}
		name := o.take("name").text()
		if name == "" {
			o.take("name").require("a column type needs a name")
			continue
		}
		own := t.find(name)
		own.dimension = cmp.Or(o.take("dimensionType").text(), own.dimension)
		above := cmp.Or(o.take("prior").text(), o.take("parent").text())
		label := cmp.Or(o.take("labelOf").text(), o.take("labelfor").text())
		switch {
		case label != "":
			own.role, own.of = roleLabel, label
		case above != "":
			own.role, own.of = roleBelow, above
		case o.take("unique").truth():
			own.role, own.of = roleKey, ""
		case !o.take("unique").absent():
			own.role, own.of = roleText, ""
		}
		t[name] = own
	}
}

// find gives a column type. One that is not listed has the properties of the longest listed one that its name begins with; one that
// begins with none is told by its last part.
func (t taxonomy) find(name string) columnType {
	for prefix := name; ; {
		known, ok := t[prefix]
		if !ok {
			known, ok = standard()[prefix]
		}
		if ok {
			known.name = name
			return known
		}
		end := strings.LastIndexByte(prefix, ':')
		if end < 0 {
			break
		}
		prefix = prefix[:end]
	}
	own := columnType{name: name, dimension: "other", role: roleKey}
	end := strings.LastIndexByte(name, ':') + 1
	switch name[end:] {
	case "label", "name", "title":
		own.role, own.of = roleLabel, name[:end]+"code"
	case "description":
		own.role = roleText
	}
	return own
}

// typedColumn is a field with its column type.
type typedColumn struct {
	field string
	columnType
}

// typedColumns lists the fields of the resources that have a column type, each once.
func (t taxonomy) typedColumns(resources []resource) []typedColumn {
	var columns []typedColumn
	known := map[string]bool{}
	for _, r := range resources {
		for _, f := range r.Schema.Fields {
			if f.ColumnType == "" || known[f.Name] || cube.IsOwnName(f.Name) {
				continue
			}
			known[f.Name] = true
			columns = append(columns, typedColumn{f.Name, t.find(f.ColumnType)})
		}
	}
	return columns
}

// modelOfTypes makes the model that the column types of the fields say; nil where no field has one. Keys are levels, of the dimension
// that the name of their type begins with, below the nearest type above that a field has. Several fields of one type are levels of
// their own, with the labels of that type by turns. A label without a key is a level.
func (t taxonomy) modelOfTypes(resources []resource, place string) *declaredModel {
	columns := t.typedColumns(resources)
	if len(columns) == 0 {
		return nil
	}
	b := typedModel{taxonomy: t, place: place, fields: map[string][]string{}, labelled: map[string]int{}}
	for _, c := range columns {
		if c.role != roleLabel {
			b.fields[c.name] = append(b.fields[c.name], c.field)
		}
	}
	for _, c := range columns {
		b.add(c)
	}
	return &b.model
}

// typedModel is a model in the making.
type typedModel struct {
	taxonomy
	place    string
	model    declaredModel
	fields   map[string][]string // by column type
	labelled map[string]int      // how many fields of a column type have a label
}

func (b *typedModel) add(c typedColumn) {
	if dimensionOfType(c.name) == amountType {
		b.model.measures = append(b.model.measures, declaredMeasure{place: b.place, name: c.field, source: c.field, own: map[string]string{}})
		return
	}
	d := b.dimension(c)
	a := attribute{place: at(b.place, c.field), name: c.field, source: c.field}
	switch c.role {
	case roleText:
		d.attributes = append(d.attributes, a)
		return
	case roleLabel:
		if keys := b.fields[c.of]; b.labelled[c.of] < len(keys) {
			a.labelFor = keys[b.labelled[c.of]]
			b.labelled[c.of]++
		}
	case roleBelow:
		a.parent = b.above(c.columnType)
	}
	if a.labelFor == "" {
		d.primaryKey = append(d.primaryKey, c.field)
	}
	d.attributes = append(d.attributes, a)
}

// above gives the field of the nearest column type above one, or "".
func (b *typedModel) above(t columnType) string {
	for range len(b.taxonomy) + len(standard()) { // those of a package may be a ring
		if t.role != roleBelow {
			return ""
		}
		if fields := b.fields[t.of]; len(fields) > 0 && dimensionOfType(t.of) == dimensionOfType(t.name) {
			return fields[0]
		}
		t = b.find(t.of)
	}
	return ""
}

func dimensionOfType(name string) string {
	first, _, _ := strings.Cut(name, ":")
	return first
}

func (b *typedModel) dimension(c typedColumn) *declaredDimension {
	name := dimensionOfType(c.name)
	i := slices.IndexFunc(b.model.dimensions, func(d declaredDimension) bool { return d.name == name })
	if i < 0 {
		i = len(b.model.dimensions)
		d := declaredDimension{place: at(b.place, name), name: name, kind: c.dimension}
		if classification, ok := strings.CutSuffix(name, "-classification"); ok && slices.Contains(classifications, classification) {
			d.classification = classification
		}
		b.model.dimensions = append(b.model.dimensions, d)
	}
	return &b.model.dimensions[i]
}

// guessedModel makes a model of fields that have neither a model nor column types: the year by its name, each other field that holds no
// numbers a level of its own. Amounts are found by the repair measure-inferred.
func guessedModel(resources []resource) *declaredModel {
	m := &declaredModel{}
	known := map[string]bool{}
	for _, r := range resources {
		for _, f := range r.Schema.Fields {
			if known[f.Name] || f.Type == "number" || f.Name == "" || cube.IsOwnName(f.Name) {
				continue
			}
			known[f.Name] = true
			d := declaredDimension{place: "model", name: f.Name, kind: "other", primaryKey: []string{f.Name},
				attributes: []attribute{{place: "model", name: f.Name, source: f.Name}}}
			if isYearName(f.Name) && f.Type == "integer" || f.Type == "year" {
				d.kind = cube.DimensionTime
			}
			m.dimensions = append(m.dimensions, d)
		}
	}
	return m
}
