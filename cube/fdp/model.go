package fdp

import (
	"slices"

	"fiscube/cube"
)

// declaredModel is a model as one resource, or the package, publishes it: names not yet checked against fields.
type declaredModel struct {
	dimensions []declaredDimension
	measures   []declaredMeasure
}

type declaredDimension struct {
	place          string
	name           string
	kind           string
	classification string
	primaryKey     []string // names of attributes, or of fields
	attributes     []attribute
}

// attribute is a field in its role in a dimension. LabelFor and parent are names of attributes, or of fields.
type attribute struct {
	place    string
	name     string
	source   string // the field
	labelFor string
	parent   string
}

// declaredMeasure holds what the measure says itself; its field may say more (see chosen).
type declaredMeasure struct {
	place  string
	name   string
	source string
	title  string
	own    map[string]string // by the names in choices
}

// readModel reads a model: nil where there is none.
func readModel(v value) *declaredModel {
	o := v.object()
	if o == nil {
		return nil
	}
	m := &declaredModel{}
	for _, member := range o.take("dimensions").object().members() {
		m.dimensions = append(m.dimensions, readDimension(member))
	}
	for _, member := range o.take("measures").object().members() {
		m.measures = append(m.measures, readMeasure(member))
	}
	return m
}

func readDimension(v named) declaredDimension {
	d := declaredDimension{name: v.name, place: v.place}
	if d.name == "" {
		v.problem("a dimension needs a name")
	}
	o := v.mustObject()
	if o == nil {
		return d
	}
	d.kind = o.take("dimensionType").text()
	d.classification = o.take("classificationType").text()
	d.primaryKey = o.take("primaryKey").texts()
	if len(d.primaryKey) == 0 {
		o.take("primaryKey").require("a dimension needs a primaryKey")
	}
	attributes := o.take("attributes")
	members := attributes.object().members()
	if len(members) > mostColumns {
		attributes.problem("%d attributes; at most %d fields are supported", len(members), mostColumns)
		return d
	}
	for _, member := range members {
		d.attributes = append(d.attributes, readAttribute(member))
	}
	return d
}

func readAttribute(v named) attribute {
	a := attribute{name: v.name, place: v.place, source: v.name}
	o := v.object()
	if o == nil {
		return a
	}
	if source := o.take("source").text(); source != "" {
		a.source = source
	}
	a.labelFor = o.take("labelfor").text()
	a.parent = o.take("parent").text()
	return a
}

// mergeModels joins the models of all resources. A resource without one has the package's; a package that
// publishes one beside its resources' own must agree with them.
func mergeModels(r *report, resources []resource, shared *declaredModel) declaredModel {
	var merged declaredModel
	dimensions, measures := map[string]int{}, map[string]int{}
	for _, m := range modelsOf(resources, shared) {
		for _, d := range m.dimensions {
			if i, known := dimensions[d.name]; known {
				d.compare(r, merged.dimensions[i])
				continue
			}
			dimensions[d.name] = len(merged.dimensions)
			merged.dimensions = append(merged.dimensions, d)
		}
		for _, x := range m.measures {
			if i, known := measures[x.name]; known {
				x.compare(r, merged.measures[i])
				continue
			}
			measures[x.name] = len(merged.measures)
			merged.measures = append(merged.measures, x)
		}
	}
	return merged
}

// modelsOf lists the models in the order of the resources they are for, each once.
func modelsOf(resources []resource, shared *declaredModel) []*declaredModel {
	var models []*declaredModel
	used := false
	for _, r := range resources {
		switch {
		case r.model != nil:
			models = append(models, r.model)
		case shared != nil && !used:
			models = append(models, shared)
			used = true
		}
	}
	if shared != nil && !used {
		models = append(models, shared)
	}
	return models
}

// compare reports d where it contradicts what an earlier model says of the same dimension.
func (d declaredDimension) compare(r *report, first declaredDimension) {
	switch {
	case d.kind != first.kind:
		r.add(at(d.place, "dimensionType"), "%s here, %s at %s", quote(d.kind), quote(first.kind), first.place)
	case d.classification != first.classification:
		r.add(at(d.place, "classificationType"), "%s here, %s at %s",
			quote(d.classification), quote(first.classification), first.place)
	case !slices.Equal(d.primaryKey, first.primaryKey):
		r.add(at(d.place, "primaryKey"), "differs from the one at %s", first.place)
	}
	d.compareAttributes(r, first)
}

// compareAttributes takes no offence at another order: attributes are looked up by name.
func (d declaredDimension) compareAttributes(r *report, first declaredDimension) {
	known := map[string]attribute{}
	for _, a := range first.attributes {
		known[a.name] = a
	}
	for _, a := range d.attributes {
		place := a.place
		a.place = known[a.name].place
		if a != known[a.name] {
			r.add(place, "differs from what %s says", first.place)
		}
		delete(known, a.name)
	}
	for _, a := range first.attributes {
		if _, lacking := known[a.name]; lacking {
			r.add(at(d.place, "attributes"), "lacks %s, which %s has", quote(a.name), first.place)
		}
	}
}

// makeModel makes the model that the schemas and models of all resources form together.
func makeModel(r *report, resources []resource, shared *declaredModel) *cube.Model {
	b := &builder{report: r, columns: unite(r, resources), amounts: map[string]bool{}, used: map[string]bool{}}
	if len(b.columns.list) > mostColumns {
		return nil
	}
	merged := mergeModels(r, resources, shared)
	measures := b.measures(merged.measures)
	dimensions := b.dimensions(merged.dimensions)
	if r.problems() != nil {
		return nil // NewModel would tell the first of them again, without its place
	}
	var declared []cube.Column
	for _, c := range b.columns.list {
		declared = append(declared, c.Column)
	}
	model, err := cube.NewModel(declared, dimensions, measures)
	if err != nil {
		r.add("model", "%v", err)
	}
	return model
}

// builder turns a declared model into the cube's, with the columns that its names stand for.
type builder struct {
	report  *report
	columns *columns
	amounts map[string]bool // fields that are measures or of type number
	used    map[string]bool // fields that are a level, or the label of one, already
}
