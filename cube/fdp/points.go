package fdp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/qualifier"
	"fiscube/internal/each"
)

// Fiscal Data Package 1.0 describes tables that are not yet data points: fields that the file does not have (extraFields), amounts of one
// kind in several columns (normalize), and codes whose names stand in another resource (foreignKeys of Table Schema). What follows turns
// these into cube.Points.

// tableSchema is a schema with what says how rows become data points.
type tableSchema struct {
	cube.Schema
	place     string
	normalize []normalizing // of its fields, by index
	extra     []extraField
	keys      []foreignKey
}

// normalizing says which values of extra fields the amounts of a field have; values is nil where it says nothing.
type normalizing struct {
	place  string
	values map[string]string
}

// extraField is a field that the file does not have.
type extraField struct {
	cube.Field
	place      string
	constant   string
	isConstant bool
	isTarget   bool // normalizationTarget: it is the amount
}

// foreignKey says that fields refer to the rows of another resource.
type foreignKey struct {
	place    string
	fields   []string
	resource string   // "" for that of the fields itself
	refs     []string // its fields, by turns
}

func (s *tableSchema) readPoints(o *object) {
	for _, item := range o.take("extraFields").list() {
		x := extraField{Field: readField(item), place: item.place}
		if e := item.object(); e != nil {
			constant := e.take("constant")
			x.isConstant, x.isTarget = !constant.absent(), e.take("normalizationTarget").truth()
			text, ok := constant.scalar()
			if isNested := constant.kind() == isList || constant.kind() == isObject; isNested && IsType(x.Type) {
				constant.problem("a constant of type %s is one value, not %s", x.Type, constant.kind())
			}
			if !ok && x.isConstant { // a boolean, or a value of a type that is read as text
				text = string(constant.raw)
			}
			x.constant = text
			for _, key := range []string{"constant", "normalizationTarget"} {
				delete(x.Extra, key)
			}
		}
		s.extra = append(s.extra, x)
	}
	for _, item := range o.take("foreignKeys").list() {
		k := item.mustObject()
		if k == nil {
			continue
		}
		reference := k.take("reference")
		to := reference.mustObject()
		if to == nil {
			continue
		}
		key := foreignKey{place: item.place, fields: k.take("fields").texts(), resource: to.take("resource").text(), refs: to.take("fields").texts()}
		switch {
		case len(key.fields) == 0:
			k.take("fields").require("a foreign key needs fields")
		case len(key.fields) != len(key.refs):
			to.take("fields").problem("%d fields refer to %d: write one for each", len(key.fields), len(key.refs))
		default:
			s.keys = append(s.keys, key)
		}
	}
}

// pointing makes the data points of a resource.
type pointing struct {
	*resource
	report *report
	lists  map[string]*resource // the resources that hold no facts, by name
	file   []cube.Field
	names  map[string]bool // of the fields of data points, in lower case
	points *cube.Points
	words  []qualifierWords // of the tables of the package
}

// makePoints makes data points of the rows of all resources that need it, and gives those that hold facts: a resource that others refer
// to, and that has no amounts, is a code list.
func makePoints(r *report, resources []resource) []resource {
	referred := map[string]bool{}
	for _, from := range resources {
		for _, key := range from.schema.keys {
			referred[key.resource] = key.resource != ""
		}
	}
	lists := map[string]*resource{}
	var facts []resource
	for i := range resources {
		if x := &resources[i]; (referred[x.Name] || referred[x.partOf]) && !x.hasAmounts() {
			if lists[x.Name] = x; x.partOf != "" {
				r.add(at(x.schema.place, "path"), "the code list %s is in several files: write it in one", quote(x.partOf))
			}
			continue
		}
		facts = append(facts, resources[i])
	}
	if len(facts) == 0 && len(resources) > 0 {
		r.add("resources", "each is a code list that another refers to: one must hold amounts, with columnType value")
		return nil
	}
	var words []qualifierWords
	for i := range facts {
		if facts[i].partOf == "" {
			words = append(words, facts[i].qualifierWords())
		}
	}
	for i := range facts {
		x := &facts[i]
		refersToOthers := slices.ContainsFunc(x.schema.keys, func(key foreignKey) bool { return key.resource != "" })
		if len(x.schema.extra) == 0 && !refersToOthers && !slices.ContainsFunc(x.schema.normalize, func(n normalizing) bool { return n.values != nil }) {
			continue
		}
		p := &pointing{resource: x, report: r, lists: lists, file: x.Schema.Fields, names: map[string]bool{}, words: words}
		p.make()
	}
	return facts
}

// hasAmounts tells whether a resource has amounts of its own, so that it holds facts though others refer to it.
func (r *resource) hasAmounts() bool {
	isAmount := func(f cube.Field) bool { return dimensionOfType(f.ColumnType) == amountType }
	return slices.ContainsFunc(r.Schema.Fields, isAmount) || slices.ContainsFunc(r.schema.extra, func(x extraField) bool { return isAmount(x.Field) })
}

func (p *pointing) make() {
	p.points = &cube.Points{File: slices.Clone(p.file)}
	p.Points = p.points
	p.Schema.Fields = nil
	var cells []cube.PointCell
	add := func(f cube.Field, cell cube.PointCell) {
		p.names[strings.ToLower(f.Name)] = true
		p.Schema.Fields, cells = append(p.Schema.Fields, f), append(cells, cell)
	}
	isNormalized := func(i int) bool { return i < len(p.schema.normalize) && p.schema.normalize[i].values != nil }
	for i, f := range p.file {
		if !isNormalized(i) {
			add(f, cube.PointCell{From: cube.OriginColumn, Column: i})
		}
	}
	for _, x := range p.schema.extra {
		if p.names[strings.ToLower(x.Name)] {
			p.report.add(at(x.place, "name"), "%s is the name of another field of the table", quote(x.Name))
			continue
		}
		if x.isConstant && !x.isValue(x.constant) {
			p.report.add(at(x.place, "constant"), "%s is no whole number", quote(x.constant))
		}
		if x.isConstant && !x.isTarget {
			add(x.Field, cube.PointCell{From: cube.OriginConstant, Text: x.constant})
		}
	}
	for _, key := range p.schema.keys {
		if key.resource != "" { // the table itself says nothing new
			p.addList(key, nil, nil, add)
		}
	}
	p.points.PerRow = []cube.Point{{Cells: cells}}
	p.normalizeRows(isNormalized)
}

// isValue tells whether a field of whole numbers may have a value. Those of other types are read with the cells.
func (x extraField) isValue(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil || x.Type != "year" && (x.Type != "integer" || x.Decorated || x.GroupChar != "")
}

// addList adds the columns that a code list has for the facts: those with a column type. The columns that refer are of the file, or of the
// code list within which the key stands. A list that is met again on the way, as one that refers to itself, is read one step further.
func (p *pointing) addList(key foreignKey, within *int, way []string, add func(cube.Field, cube.PointCell)) {
	from := p.file
	if within != nil {
		from = p.points.Lists[*within].Fields
	}
	list, ok := p.lists[key.resource]
	if !ok {
		p.report.add(at(at(key.place, "reference"), "resource"), "%s is no resource that holds a code list alone%s", quote(key.resource),
			p.report.didYouMean(key.resource, slices.Sorted(maps.Keys(p.lists))))
		return
	}
	if len(p.points.Lists) >= mostLists {
		p.report.add(key.place, "more than %d code lists", mostLists)
		return
	}
	find := func(of string, fields []cube.Field, names []string, place string) []int {
		var found []int
		for _, name := range names {
			i := slices.IndexFunc(fields, func(f cube.Field) bool { return f.Name == name })
			if i < 0 { // published descriptors write BuyerId and BuyerID
				i = slices.IndexFunc(fields, func(f cube.Field) bool { return strings.EqualFold(f.Name, name) })
			}
			if i < 0 {
				names := each.Text(fields, func(f cube.Field) string { return f.Name })
				p.report.add(place, "%s is no field of %s, which has %s", quote(name), of, strings.Join(names, ", "))
				i = 0
			}
			found = append(found, i)
		}
		return found
	}
	l := cube.CodeList{Resource: list.Name, Path: list.Path, Format: list.Format, Encoding: list.Encoding, Packed: list.Packed, Data: list.Data, Dialect: list.Dialect, Fields: list.Schema.Fields,
		Missing: list.Schema.MissingValues, On: find("the table", from, key.fields, at(key.place, "fields")), Keys: find("the code list "+quote(list.Name), list.Schema.Fields, key.refs, at(at(key.place, "reference"), "fields")), List: within}
	if len(list.Schema.Fields) == 0 {
		return // reported
	}
	number := len(p.points.Lists)
	p.points.Lists = append(p.points.Lists, l)
	for i, f := range list.Schema.Fields {
		turn := slices.Index(l.Keys, i)
		switch {
		case f.ColumnType == "":
		case turn >= 0 && p.takesType(key.fields[turn], f, within): // the referring column is it
		default:
			for isAgain := slices.Contains(way, list.Name); isAgain || p.names[strings.ToLower(f.Name)]; isAgain = false {
				f.Name = key.fields[0] + "_" + f.Name
			}
			add(f, cube.PointCell{From: cube.OriginList, List: number, Column: i})
		}
	}
	if slices.Contains(way, list.Name) {
		return
	}
	for _, more := range list.schema.keys {
		more.resource = cmp.Or(more.resource, list.Name)
		p.addList(more, &number, append(way, list.Name), add)
	}
}

// mostLists is how many code lists a resource may refer to, those that lists refer to counted.
const mostLists = 100

// takesType gives the field of data points that refers to the key of a code list the column type of that key, unless it has one.
func (p *pointing) takesType(field string, key cube.Field, within *int) bool {
	i := p.Field(field)
	if i < 0 || within != nil {
		return false
	}
	f := &p.Schema.Fields[i]
	if f.ColumnType != "" && f.ColumnType != key.ColumnType {
		return false
	}
	f.ColumnType = key.ColumnType
	return true
}

// normalizeRows makes the amounts of normalized fields: a measure for each combination of qualifiers, and a data point for each
// combination of the other values.
func (p *pointing) normalizeRows(isNormalized func(int) bool) {
	var target *extraField
	var reduced []extraField
	for i := range p.schema.extra {
		x := &p.schema.extra[i]
		switch {
		case x.isTarget && target != nil:
			p.report.add(at(x.place, "normalizationTarget"), "%s is one too: a table has one amount that others are reduced to", quote(target.Name))
		case x.isTarget:
			target = x
		case !x.isConstant:
			reduced = append(reduced, *x)
		}
	}
	var fields []int
	for i := range p.file {
		if isNormalized(i) {
			fields = append(fields, i)
		}
	}
	whole := target == nil || p.checkTarget(*target)
	for _, i := range fields {
		whole = target == nil || p.checkNormalized(i, fields, reduced) && whole
	}
	switch {
	case !whole:
		return // reported
	case len(fields) == 0 && target == nil && len(reduced) == 0:
		return
	case target == nil:
		p.report.add(at(p.schema.place, "extraFields"), "no field has normalizationTarget: true, which says what the normalized amounts are: add one of type number with columnType value")
		return
	case len(fields) == 0:
		p.report.add(at(target.place, "normalizationTarget"), "no field has normalize, which says what amounts are reduced to %s", quote(target.Name))
		return
	}
	m := p.measures(*target, reduced, fields)
	p.target = target.Name
	p.normalized = append(p.normalized, each.Text(m.fields, func(f cube.Field) string { return f.Name })...)
	p.Schema.Fields = append(p.Schema.Fields, m.fields...)
	for _, x := range reduced {
		if p.qualifier(x) == "" {
			p.Schema.Fields = append(p.Schema.Fields, x.Field)
		}
	}
	common := p.points.PerRow[0].Cells
	for _, f := range p.Schema.Fields[:len(common)] {
		if len(m.points) > 1 && dimensionOfType(f.ColumnType) == amountType {
			p.report.add(at(p.schema.place, "fields"), "field %s has one amount for the %d data points of a row, so it would be added %d times: give it normalize too, or no columnType",
				quote(f.Name), len(m.points), len(m.points))
		}
	}
	p.points.PerRow = nil
	for _, values := range m.points {
		cells := slices.Clone(common)
		for _, measure := range m.fields {
			cell := cube.PointCell{}
			if column, ok := m.columns[values+"\x00"+measure.Name]; ok {
				cell = cube.PointCell{From: cube.OriginColumn, Column: column}
			}
			cells = append(cells, cell)
		}
		for _, x := range reduced {
			if p.qualifier(x) == "" {
				cells = append(cells, cube.PointCell{From: cube.OriginConstant, Text: m.values[values][x.Name]})
			}
		}
		p.points.PerRow = append(p.points.PerRow, cube.Point{Cells: cells})
	}
}

// checkTarget checks that the amount that others are reduced to can hold them.
func (p *pointing) checkTarget(x extraField) bool {
	if x.isConstant {
		p.report.add(at(x.place, "constant"), "%s is filled by normalize, so it has no constant: leave it out", quote(x.Name))
	}
	if x.Type != "number" && x.Type != "integer" {
		p.report.add(at(x.place, "type"), "%s is %s: what amounts are reduced to is number or integer", quote(x.Name), x.Type)
		return false
	}
	return !x.isConstant
}

// checkNormalized checks that a normalized field gives each reduced field a value, and none else.
func (p *pointing) checkNormalized(i int, fields []int, reduced []extraField) bool {
	n, f := p.schema.normalize[i], p.file[i]
	whole := true
	if f.Type != "number" && f.Type != "integer" {
		p.report.add(n.place, "field %s is %s: amounts that are normalized are number or integer", quote(f.Name), f.Type)
		whole = false
	}
	for _, x := range reduced {
		value, ok := n.values[x.Name]
		switch {
		case !ok:
			p.report.add(n.place, "field %s lacks a value of %s%s", quote(f.Name), quote(x.Name), p.asOthers(x.Name, fields))
		case !x.isValue(value):
			p.report.add(at(n.place, x.Name), "%s of field %s is no whole number, and %s is %s", quote(value), quote(f.Name), quote(x.Name), x.Type)
		default:
			continue
		}
		whole = false
	}
	for _, name := range slices.Sorted(maps.Keys(n.values)) {
		if !slices.ContainsFunc(reduced, func(x extraField) bool { return x.Name == name }) {
			p.report.add(at(n.place, name), "%s is no field of extraFields without a constant", quote(name))
			whole = false
		}
	}
	return whole
}

// asOthers says how to write a value of a reduced field, as the first field that has one writes it.
func (p *pointing) asOthers(name string, fields []int) string {
	for _, i := range fields {
		if value, ok := p.schema.normalize[i].values[name]; ok {
			return fmt.Sprintf(", which field %s has: write one, as {%s: %s}", quote(p.file[i].Name), quote(name), quote(value))
		}
	}
	return ": write one, or give that field a constant"
}

// normalized is what the normalized fields of a table become.
type normalized struct {
	fields  []cube.Field                 // the measures
	points  []string                     // the data points of a row, by the values that are no qualifiers
	values  map[string]map[string]string // of the reduced fields, by data point
	columns map[string]int               // of the file, by data point and measure
}

func (p *pointing) measures(target extraField, reduced []extraField, fields []int) normalized {
	m := normalized{values: map[string]map[string]string{}, columns: map[string]int{}}
	for _, i := range fields {
		values := p.schema.normalize[i].values
		measure := target.Field
		measure.Extra = maps.Clone(measure.Extra)
		if measure.Extra == nil {
			measure.Extra = map[string]json.RawMessage{}
		}
		names, title := []string{target.Name}, []string{cmp.Or(target.Title, target.Name)}
		for _, q := range cube.Qualifiers {
			for _, x := range reduced {
				if p.qualifier(x) != q {
					continue
				}
				if name, varies := p.nameOf(target.Name, q, values[x.Name]); varies {
					names, title = append(names, name), append(title, values[x.Name])
				}
				text, _ := json.Marshal(cmp.Or(qualifier.MeaningOf(q, values[x.Name]), values[x.Name]))
				measure.Extra[q] = text
			}
		}
		var apart []string
		for _, x := range reduced {
			if p.qualifier(x) == "" {
				apart = append(apart, x.Name, values[x.Name])
			}
		}
		name := strings.Join(names, "_")
		point := strings.Join(apart, "\x00")
		measure.Name, measure.Title = name, strings.Join(title, ", ")
		measure.DecimalChar, measure.GroupChar = cmp.Or(p.file[i].DecimalChar, measure.DecimalChar), cmp.Or(p.file[i].GroupChar, measure.GroupChar)
		measure.Decorated = measure.Decorated || p.file[i].Decorated
		if known := slices.IndexFunc(m.fields, func(f cube.Field) bool { return f.Name == name }); known >= 0 {
			p.alike(&m, known, i, measure)
		} else {
			if p.names[strings.ToLower(name)] {
				p.report.add(at(target.place, "name"), "%s is the name of another field", quote(name))
			}
			m.fields = append(m.fields, measure)
		}
		if _, known := m.values[point]; !known {
			m.values[point], m.points = values, append(m.points, point)
		}
		if other, twice := m.columns[point+"\x00"+name]; twice {
			p.report.add(p.schema.normalize[i].place, "field %s has the same values as %s", quote(p.file[i].Name), quote(p.file[other].Name))
		}
		m.columns[point+"\x00"+name] = i
	}
	for i := range m.fields {
		if column, ok := m.columns[m.points[0]+"\x00"+m.fields[i].Name]; ok && len(m.points) == 1 {
			m.fields[i].Column = p.file[column].Name
			m.fields[i].Title = cmp.Or(p.file[column].Title, m.fields[i].Title)
		}
	}
	return m
}

// alike gives a measure a form of numbers of its own where its columns write theirs with other marks, and these columns the marks that they have.
func (p *pointing) alike(m *normalized, measure, column int, described cube.Field) {
	first := &m.fields[measure]
	first.Decorated = first.Decorated || described.Decorated
	if first.NumbersAs(described) {
		return
	}
	for key, i := range m.columns {
		if strings.HasSuffix(key, "\x00"+first.Name) {
			p.points.File[i] = p.marked(p.points.File[i], *first)
		}
	}
	p.points.File[column] = p.marked(p.points.File[column], described)
	first.DecimalChar, first.GroupChar = ".", ""
}

// marked says of a column of numbers which marks it has: its own, else those of another field, else those of its file.
func (p *pointing) marked(column, other cube.Field) cube.Field {
	column.GroupChar = cmp.Or(column.GroupChar, other.GroupChar, p.Dialect.GroupChar)
	column.DecimalChar = cmp.Or(column.DecimalChar, other.DecimalChar, p.Dialect.DecimalChar, ".")
	return column
}

// qualifier gives the qualifier that a reduced field is, if the amounts of each of its values are a measure of their own; else "".
func (p *pointing) qualifier(x extraField) string {
	if q := cube.QualifierOfType(x.ColumnType); !p.inPoints[q] {
		return q
	}
	return ""
}

// qualifierWords are the values that the normalized fields of a table have of each qualifier, which become measures of a target.
type qualifierWords struct {
	target string
	words  map[string][]string
}

func (r *resource) qualifierWords() qualifierWords {
	w := qualifierWords{words: map[string][]string{}}
	for _, x := range r.schema.extra {
		q := cube.QualifierOfType(x.ColumnType)
		if x.isTarget {
			w.target = x.Name
		}
		for _, n := range r.schema.normalize {
			if word, ok := n.values[x.Name]; ok && !slices.Contains(w.words[q], word) {
				w.words[q] = append(w.words[q], word)
			}
		}
	}
	return w
}

// nameOf names a value of a qualifier in the name of a measure, and tells whether the tables with that target have others. Words with one meaning are
// one name, unless some table has amounts of both.
func (p *pointing) nameOf(target, q, word string) (name string, varies bool) {
	var both, all []string
	for _, table := range p.words {
		if table.target != target {
			continue
		}
		all = append(all, table.words[q]...)
		names := map[string]bool{}
		for _, other := range table.words[q] {
			meaning := qualifier.MeaningOf(q, other)
			if names[meaning] && meaning != "" {
				both = append(both, table.words[q]...)
			}
			names[meaning] = true
		}
	}
	name = qualifier.NameOf(q, word, both)
	return name, slices.ContainsFunc(all, func(other string) bool { return qualifier.NameOf(q, other, both) != name })
}
