package fdp

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/qualifier"
	"fiscube/internal/each"
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

// declaredMeasure holds what the measure itself declares; its field may declare more (see chosen).
type declaredMeasure struct {
	place  string
	name   string
	source string
	of     string // the resource that has its field; "" for all that have one
	title  string
	own    map[string]string // by the names in choices
}

// readModel reads a model: nil where there is none. Its dimensions, measures and attributes are members of an object; some drafts of
// 0.3 had lists, whose items have a name.
func readModel(n node) *declaredModel {
	o := n.object()
	if o == nil {
		return nil
	}
	m := &declaredModel{}
	m.dimensions = append(m.dimensions, each.Of(o.take("dimensions").named(), readDimension)...)
	m.measures = append(m.measures, each.Of(o.take("measures").named(), readMeasure)...)
	return m
}

// named reads the values of an object, or of a list, that have names.
func (n node) named() []member {
	if n.kind() != isList {
		return n.object().members()
	}
	var members []member
	for _, item := range n.list() {
		if o := item.mustObject(); o != nil {
			members = append(members, member{o.take("name").text(), item})
		}
	}
	return members
}

func readDimension(v member) declaredDimension {
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
	attributes := o.take("attributes")
	isDraft := attributes.absent() && !o.take("fields").absent()
	if isDraft {
		attributes = o.take("fields") // their name before 0.3.0-alpha6, when dimensions needed no primaryKey
	}
	if len(d.primaryKey) == 0 && !isDraft {
		o.take("primaryKey").require("a dimension needs a primaryKey")
	}
	members := attributes.named()
	if len(members) > mostColumns {
		attributes.problem("%d attributes; at most %d fields are supported", len(members), mostColumns)
		return d
	}
	for _, v := range members {
		a := attribute{name: v.name, place: v.place, source: v.name}
		if o := v.object(); o != nil {
			a.source = cmp.Or(o.take("source").text(), v.name)
			a.labelFor = o.take("labelfor").text()
			a.parent = o.take("parent").text()
		}
		d.attributes = append(d.attributes, a)
	}
	if len(d.primaryKey) == 0 {
		d.findKeys()
	}
	return d
}

// findKeys makes keys of the attributes that are no labels. In drafts of 0.3 the attributes of a dimension were called id and label.
func (d *declaredDimension) findKeys() {
	for _, a := range d.attributes {
		if a.labelFor == "" && a.name != "label" && a.name != "description" {
			d.primaryKey = append(d.primaryKey, a.name)
		}
	}
	for i := range d.attributes {
		if a := &d.attributes[i]; a.name == "label" && len(d.primaryKey) == 1 {
			a.labelFor = cmp.Or(a.labelFor, d.primaryKey[0])
		}
	}
}

func readMeasure(v member) declaredMeasure {
	m := declaredMeasure{name: v.name, place: v.place, source: v.name, own: map[string]string{}}
	o := v.object()
	if o == nil {
		return m
	}
	m.source = cmp.Or(o.take("source").text(), v.name)
	m.of = o.take("resource").text()
	m.title = o.take("title").prose()
	for _, name := range choices {
		m.own[name] = o.take(name).text()
	}
	return m
}

// takeNormalized gives a measure of amounts that are normalized by phases and the like a measure for each of these.
func (m *declaredModel) takeNormalized(resources []resource) {
	var measures []declaredMeasure
	for _, x := range m.measures {
		var names []string
		for _, r := range resources {
			for _, name := range r.normalized {
				if r.target == x.source && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		if len(names) == 0 {
			measures = append(measures, x)
		}
		for _, name := range names {
			one := x
			one.name, one.source = x.name+strings.TrimPrefix(name, x.source), name
			measures = append(measures, one)
		}
	}
	m.measures = measures
}

// modelsOf lists the models of the resources, in their order. A resource without one has the package's, which comes last if none has it.
func modelsOf(resources []resource, shared *declaredModel) []*declaredModel {
	var models []*declaredModel
	for _, from := range resources {
		if own := cmp.Or(from.model, shared); own != nil && !slices.Contains(models, own) {
			models = append(models, own)
		}
	}
	if shared != nil && !slices.Contains(models, shared) {
		models = append(models, shared)
	}
	return models
}

// mergeModels joins models, which must agree.
func mergeModels(r *report, models []*declaredModel) declaredModel {
	var merged declaredModel
	dimensions, measures := map[string]int{}, map[string]int{}
	for _, m := range models {
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

// compare reports where d contradicts the same dimension of an earlier model.
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
	// Another order of the attributes does no harm: they are looked up by name.
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
		if _, missing := known[a.name]; missing {
			r.add(at(d.place, "attributes"), "lacks %s, which %s has", quote(a.name), first.place)
		}
	}
}

// compare reports where m contradicts the same measure of an earlier model.
func (m declaredMeasure) compare(r *report, first declaredMeasure) {
	if m.source != first.source || m.title != first.title || !maps.Equal(m.own, first.own) {
		r.add(m.place, "differs from what %s says", first.place)
	}
}

// makeModel makes the model that the schemas of all resources and the models form together.
func makeModel(r *report, resources []resource, models []*declaredModel) *cube.Model {
	b := &builder{report: r, columns: unite(r, resources), amounts: map[string]bool{}, used: map[string]bool{}}
	if len(b.columns.list) > mostColumns {
		return nil
	}
	merged := mergeModels(r, models)
	measures := b.measures(merged.measures)
	dimensions := b.dimensions(merged.dimensions)
	if r.problems() != nil {
		return nil // NewModel would report the first of them again, without its place
	}
	declared := each.Of(b.columns.list, func(c *column) cube.Column { return c.Column })
	model, err := cube.NewModel(declared, dimensions, measures)
	if err != nil {
		r.add("model", "%v", err)
	}
	return model
}

// builder turns a declared model into the cube's, with the columns that its names are of.
type builder struct {
	report  *report
	columns *columns
	amounts map[string]bool // fields that are measures or of type number
	used    map[string]bool // fields that are a level, or the label of one, already
}

// column is a column of the package and the declaration that decided what it is.
type column struct {
	cube.Column
	field    cube.Field
	place    string // of the field
	resource string // the name of the resource that declares it
}

// declaredAs describes the column's declared type as far as it matters to the cube.
func (c *column) declaredAs() string {
	if c.FiscalYear {
		return c.field.Type + " (fiscal year)"
	}
	return c.field.Type
}

// columns is the union of the fields of all resources by name, in the order of the first resource. Fields with names
// like fiscube's own are left out.
type columns struct {
	list    []*column
	byName  map[string]*column
	folded  map[string]string // lower case → name: stores ignore case
	leftOut int
}

func unite(r *report, resources []resource) *columns {
	all := &columns{byName: map[string]*column{}, folded: map[string]string{}}
	united := map[string]bool{} // by place: the package's schema may be that of many resources
	for _, from := range resources {
		if united[from.fieldsPlace] {
			continue
		}
		united[from.fieldsPlace] = true
		own := map[string]bool{}
		for i, field := range from.Schema.Fields {
			c := &column{field: field, place: nth(from.fieldsPlace, i), resource: from.Name}
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

func (all *columns) add(r *report, c *column) {
	c.Name = c.field.Name
	c.Type = columnTypeOf(c.field)
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
	if first, known := all.byName[c.Name]; known {
		first.compare(r, c)
		return
	}
	folded := strings.ToLower(c.Name)
	if other, clash := all.folded[folded]; clash {
		r.add(at(c.place, "name"), "fields %s and %s have one name, ignoring case", quote(other), quote(c.Name))
	}
	if of := c.field.ColumnType; cube.QualifierOfType(of) != "" {
		if other := slices.IndexFunc(all.list, func(o *column) bool { return o.field.ColumnType == of }); other >= 0 {
			r.add(at(c.place, "columnType"), "field %s is %s, and field %s is too: an amount has one, so give both fields one name, or one of them another type",
				quote(c.Name), of, quote(all.list[other].Name))
		}
	}
	all.folded[folded] = c.Name
	all.byName[c.Name] = c
	all.list = append(all.list, c)
}

// compare reports a later declaration that contradicts c.
func (c *column) compare(r *report, later *column) {
	for _, choice := range choices {
		one, other := c.field.Extra[choice], later.field.Extra[choice]
		if len(one) > 0 && len(other) > 0 && !strings.EqualFold(string(one), string(other)) {
			r.add(at(later.place, choice), "resource %s says %s of field %s, resource %s says %s, and such amounts are never added: give the fields other names",
				quote(c.resource), one, quote(c.Name), quote(later.resource), other)
		}
	}
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

// names lists the fields.
func (all *columns) names() []string {
	return each.Text(all.list, func(c *column) string { return c.Name })
}

// unknownField reports the name of a field that there is no column of.
func (r *report) unknownField(place, name string, fields []string) {
	if cube.IsOwnName(name) {
		r.add(place, "%s begins with _: such names are fiscube's own", quote(name))
		return
	}
	r.add(place, "%s is no field of the schema%s", quote(name), r.didYouMean(name, fields))
}

// choices are the names under which a measure, its field or an option of its field may describe the amounts.
// The factor is cube.Measure.Unit: how many of the currency an amount of 1 means.
var choices = []string{"currency", "factor", "phase", "direction", "kind"}

var (
	directions = []string{"expenditure", "revenue"}

	currencyOrNone = regexp.MustCompile(`^([A-Z]{3})?$`)
)

// measures makes the measures in published order, and notes which fields hold amounts.
func (b *builder) measures(declared []declaredMeasure) []cube.Measure {
	for _, c := range b.columns.list {
		if c.Type == cube.TypeDecimal {
			b.amounts[c.Name] = true
		}
	}
	var measures []cube.Measure
	name := map[string]string{}
	for _, m := range declared {
		c, ok := b.columns.byName[m.source]
		if !ok {
			b.report.unknownField(at(m.place, "source"), m.source, b.columns.names())
			continue
		}
		if other, twice := name[m.source]; twice {
			b.report.add(at(m.place, "source"), "%s is the source of measure %s too", quote(m.source), quote(other))
			continue
		}
		name[m.source] = m.name
		b.amounts[m.source] = true
		measures = append(measures, b.measure(m, c))
	}
	return measures
}

func (b *builder) measure(m declaredMeasure, c *column) cube.Measure {
	currency, place := b.chosen(m, c, "currency")
	currency = strings.ToUpper(currency)
	if !currencyOrNone.MatchString(currency) {
		b.report.add(place, "%s is no currency code of ISO 4217", quote(currency))
	}
	oneOf := func(name string, known []string) string { // of no known ones any text is one
		choice, place := b.chosen(m, c, name)
		choice = cmp.Or(qualifier.MeaningOf(name, choice), strings.ToLower(choice))
		if choice != "" && len(known) > 0 && !slices.Contains(known, choice) {
			b.report.add(place, "%s is none of %s", quote(choice), strings.Join(known, ", "))
		}
		return choice
	}
	x := cube.Measure{
		Ref: m.source, Title: cmp.Or(m.title, c.field.Title, m.source), Currency: currency,
		Phase: oneOf("phase", nil), Direction: oneOf("direction", directions), Kind: oneOf("kind", nil),
	}
	if factor, place := b.chosen(m, c, "factor"); factor != "" {
		var err error
		if x.Unit, err = strconv.ParseInt(factor, 10, 64); err != nil || x.Unit < 1 {
			b.report.add(place, "the factor %s is no positive whole number", quote(factor))
		}
	}
	return x
}

// chosen gives what was chosen for a measure under a name, and where: by the measure itself, else by its field,
// else by the option of its field. Options normally list all that can be chosen, so they choose nothing.
func (b *builder) chosen(m declaredMeasure, c *column, name string) (choice, place string) {
	if own := m.own[name]; own != "" {
		return own, at(m.place, name)
	}
	field := node{raw: c.field.Extra[name], place: at(c.place, name), report: b.report}
	if choice := field.text(); choice != "" {
		return choice, field.place
	}
	options := node{raw: c.field.Options, place: at(c.place, "options"), report: b.report}
	for _, item := range options.list() {
		option := item.object()
		if option == nil || option.take("name").text() != name {
			continue
		}
		keys := []string{"value", "defaultValue"}
		if name == "factor" {
			keys = keys[:1] // its default of 1 says nothing about the amounts
		}
		for _, key := range keys {
			if choice := option.take(key).text(); choice != "" {
				return choice, option.take(key).place
			}
		}
	}
	return "", ""
}

// dimensions makes the dimensions in published order. It runs after measures, which settles the amounts.
func (b *builder) dimensions(declared []declaredDimension) []cube.Dimension {
	var dimensions []cube.Dimension
	for _, d := range declared {
		h := b.hierarchy(d)
		levels := b.levels(h)
		if len(levels) == 0 {
			continue // nothing of it can be drilled into
		}
		dimensions = append(dimensions, cube.Dimension{
			Name: d.name, Type: d.kind, Classification: d.classification, Levels: levels,
		})
	}
	return dimensions
}

// hierarchy is a declared dimension with every name resolved to a field.
type hierarchy struct {
	keys   []string          // the fields of the primary key that are no labels, in order
	parent map[string]string // of a key
	labels []labelOf         // in the order of the attributes
}

type labelOf struct{ label, key string }

// hierarchy resolves the names of d and reports those that mean nothing.
func (b *builder) hierarchy(d declaredDimension) hierarchy {
	h := hierarchy{parent: map[string]string{}}
	source, bySource := b.sources(d)
	isKey := map[string]bool{}
	for i, name := range d.primaryKey {
		field := resolve(source, name)
		if _, ok := b.columns.byName[field]; !ok {
			b.report.unknownField(nth(at(d.place, "primaryKey"), i), field, b.columns.names())
		}
		if bySource[field].labelFor == "" {
			h.keys = append(h.keys, field)
			isKey[field] = true
		}
	}
	level := func(a attribute, role, name string) string {
		field := resolve(source, name)
		if field == "" || isKey[field] {
			return field
		}
		b.report.add(at(a.place, role), "%s is no level of the dimension%s", quote(field), b.report.didYouMean(field, h.keys))
		return ""
	}
	for _, a := range d.attributes {
		if key := level(a, "labelfor", a.labelFor); key != "" {
			h.labels = append(h.labels, labelOf{a.source, key})
		}
		if parent := level(a, "parent", a.parent); parent != "" {
			h.parent[a.source] = parent
		}
	}
	b.breakRings(d, h, bySource)
	return h
}

// sources maps the attributes of d to their fields and back.
func (b *builder) sources(d declaredDimension) (source map[string]string, bySource map[string]attribute) {
	source, bySource = map[string]string{}, map[string]attribute{}
	for _, a := range d.attributes {
		if _, ok := b.columns.byName[a.source]; !ok {
			b.report.unknownField(at(a.place, "source"), a.source, b.columns.names())
		}
		if other, twice := bySource[a.source]; twice {
			b.report.add(at(a.place, "source"), "%s is the source of attribute %s too",
				quote(a.source), quote(other.name))
		}
		source[a.name] = a.source
		bySource[a.source] = a
	}
	return source, bySource
}

// resolve gives the field of an attribute. A name that no attribute has is the name of a field.
func resolve(source map[string]string, name string) string {
	if field, ok := source[name]; ok && name != "" {
		return field
	}
	return name
}

// breakRings reports fields that are their own ancestors, and cuts them loose so that parents can be followed.
// Each field is walked over once: a walk that meets an earlier one has nothing new above it.
func (b *builder) breakRings(d declaredDimension, h hierarchy, bySource map[string]attribute) {
	walked := map[string]int{}
	for i, a := range d.attributes {
		for field := a.source; field != ""; field = h.parent[field] {
			walk, met := walked[field]
			if met && walk == i {
				b.report.add(at(bySource[field].place, "parent"), "the parents of %s form a ring", quote(field))
				delete(h.parent, field)
			}
			if met {
				break
			}
			walked[field] = i
		}
	}
}

// levels makes the levels that are left when amounts and fields of earlier dimensions are taken away.
func (b *builder) levels(h hierarchy) []cube.Level {
	var levels []cube.Level
	index := map[string]int{}
	for _, key := range h.keys {
		if _, ok := b.columns.byName[key]; !ok || b.amounts[key] || b.used[key] {
			continue
		}
		b.used[key] = true
		index[key] = len(levels)
		levels = append(levels, cube.Level{Ref: key})
	}
	for i := range levels {
		levels[i].Parent = above(h, index, levels[i].Ref)
	}
	for _, l := range h.labels {
		i, kept := index[l.key]
		if !kept || levels[i].LabelRef != "" || b.amounts[l.label] || b.used[l.label] {
			continue // a second label of one code is an ordinary column
		}
		b.used[l.label] = true
		levels[i].LabelRef = l.label
	}
	return levels
}

// above gives the nearest ancestor of a key that is a level: one that was left out is stepped over.
func above(h hierarchy, index map[string]int, key string) string {
	parent := h.parent[key]
	for parent != "" {
		if _, kept := index[parent]; kept {
			return parent
		}
		parent = h.parent[parent]
	}
	return ""
}
