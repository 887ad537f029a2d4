package fdp

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/qualifier"
	"fiscube/internal/each"
)

// A measure is one combination of kind, phase, direction and currency, however the package says it. Where the tables of a package say one of
// these of one amount in different ways, or not all of them say it, it becomes a field of the data points of each table that says it: package
// repair then makes the measures, one of them of the amounts of which nothing is said.

// typesOfQualifiers are the column types of the fields that are made.
var typesOfQualifiers = map[string]string{"phase": "phase:id", "direction": "direction", "currency": "value-currency:code", "kind": "value-kind:code"}

// How a table says a qualifier of its amounts, if not by a property of their field.
const (
	inField     = "\x00field" // of its data points, also a constant
	inNormalize = "\x00normalize"
)

// saidAlike makes the tables say each qualifier of an amount in one way.
func saidAlike(r *report, tables []resource, models []*declaredModel) {
	for _, q := range cube.Qualifiers {
		name := fieldOfQualifier(tables, q)
		apart := map[int]bool{}
		for _, amount := range amountsOf(tables, models, q) {
			ways := map[string]bool{}
			var of []int
			for i := range tables {
				if _, has := tables[i].amountField(amount); has {
					of = append(of, i)
					ways[tables[i].wayOf(tables, amount, q)] = true
				}
			}
			for _, i := range of {
				apart[i] = apart[i] || len(ways) > 1
			}
		}
		for _, i := range slices.Sorted(maps.Keys(apart)) {
			if apart[i] {
				tables[i].sayInField(r, tables, models, q, name)
			}
		}
	}
}

// checkQualifierFields checks that the tables that say a qualifier in fields have one of these in common, by whose cells amounts are told apart.
func checkQualifierFields(r *report, tables []resource) {
	for _, q := range cube.Qualifiers {
		var common []string
		first := ""
		for _, t := range tables {
			var own []string
			for _, f := range t.Schema.Fields {
				if cube.QualifierOfType(f.ColumnType) == q {
					own = append(own, f.Name)
				}
			}
			if first == "" && len(own) > 0 {
				common, first = own, t.Name
			}
			common = slices.DeleteFunc(common, func(name string) bool { return len(own) > 0 && !slices.Contains(own, name) })
			if len(own) > 0 && len(common) == 0 {
				r.add(t.fieldsPlace, "field %s says %s here, and no field of that name in resource %s: amounts are told apart by one field, so give it one name and columnType",
					quote(own[0]), q, quote(first))
				break
			}
		}
	}
}

// fieldOfQualifier gives the name of the field that holds a qualifier in some table, else one that no field has.
func fieldOfQualifier(tables []resource, q string) string {
	taken := map[string]bool{}
	for _, t := range tables {
		fields := append(slices.Clone(t.Schema.Fields), each.Of(t.schema.extra, func(x extraField) cube.Field { return x.Field })...)
		for _, f := range fields {
			if cube.QualifierOfType(f.ColumnType) == q {
				return f.Name
			}
			taken[strings.ToLower(f.Name)] = true
		}
	}
	for taken[q] {
		q += "_"
	}
	return q
}

// amountsOf gives the names of the fields that hold amounts of which no model says a qualifier itself.
func amountsOf(tables []resource, models []*declaredModel, q string) (names []string) {
	add := func(name string) { names = each.Once(names, name) }
	said := map[string]bool{}
	for _, m := range models {
		for _, x := range m.measures {
			if said[x.source] = x.own[q] != ""; !said[x.source] {
				add(x.source)
			}
		}
	}
	for _, t := range tables {
		for _, f := range t.Schema.Fields {
			if !said[f.Name] && (dimensionOfType(f.ColumnType) == amountType || propertyOf(f, q) != "") {
				add(f.Name)
			}
		}
		for _, x := range t.schema.extra {
			if !said[x.Name] && x.isTarget {
				add(x.Name)
			}
		}
	}
	return names
}

// amountField gives the field of an amount: of the file, or that which normalized fields are reduced to.
func (r *resource) amountField(name string) (cube.Field, bool) {
	for _, f := range r.Schema.Fields {
		if f.Name == name {
			return f, true
		}
	}
	for _, x := range r.schema.extra {
		if x.Name == name && x.isTarget {
			return x.Field, true
		}
	}
	return cube.Field{}, false
}

// propertyOf gives what a field of numbers says itself of its amounts, in the words of measures.
func propertyOf(f cube.Field, q string) string {
	if f.Type != "number" && f.Type != "integer" {
		return ""
	}
	word, _ := (&builder{report: &report{}}).chosen(declaredMeasure{}, &column{field: f}, q)
	if q == "currency" {
		return strings.ToUpper(word)
	}
	return cmp.Or(qualifier.MeaningOf(q, word), strings.ToLower(word))
}

// wayOf tells how a table says a qualifier of an amount: in a field, by normalize, or else by a property, which is given; "" for not at all.
func (r *resource) wayOf(tables []resource, amount, q string) string {
	is := func(f cube.Field) bool { return cube.QualifierOfType(f.ColumnType) == q }
	f, _ := r.amountField(amount)
	for _, x := range r.schema.extra {
		if is(x.Field) && (x.isConstant || r.Field(amount) < 0) {
			if x.isConstant {
				return inField
			}
			return inNormalize
		}
	}
	if slices.ContainsFunc(r.Schema.Fields, is) || r.refersTo(tables, is, nil) {
		return inField
	}
	return propertyOf(f, q)
}

// refersTo tells whether a code list of a table has such a column.
func (r *resource) refersTo(tables []resource, is func(cube.Field) bool, met []string) bool {
	for _, key := range r.schema.keys {
		i := slices.IndexFunc(tables, func(t resource) bool { return t.Name == key.resource })
		if i < 0 || slices.Contains(met, key.resource) {
			continue
		}
		if slices.ContainsFunc(tables[i].Schema.Fields, is) || tables[i].refersTo(tables, is, append(met, key.resource)) {
			return true
		}
	}
	return false
}

// sayInField says in a field of a table's data points what the table says of its amounts by normalize, or by a property.
func (r *resource) sayInField(to *report, tables []resource, models []*declaredModel, q, name string) {
	ways, words := map[string]bool{}, map[string]bool{}
	var amounts []string
	for _, amount := range amountsOf(tables, models, q) {
		if f, has := r.amountField(amount); has {
			ways[r.wayOf(tables, amount, q)] = true
			words[propertyOf(f, q)] = true
			amounts = append(amounts, amount)
		}
	}
	if r.inPoints = maps.Clone(r.inPoints); r.inPoints == nil {
		r.inPoints = map[string]bool{}
	}
	r.inPoints[q] = true
	if len(words) > 1 {
		to.add(r.fieldsPlace, "%s is not the same for %s, and resources say it of them in different ways, or one does not: such amounts are never added, so give the fields other names",
			q, strings.Join(amounts, ", "))
		return
	}
	if words[""] {
		return
	}
	r.Schema.Fields = slices.Clone(r.Schema.Fields)
	for i := range r.Schema.Fields {
		r.Schema.Fields[i] = withoutProperty(r.Schema.Fields[i], q)
	}
	own := *r.schema // which other resources may share
	own.extra = slices.Clone(own.extra)
	for i := range own.extra {
		own.extra[i].Field = withoutProperty(own.extra[i].Field, q)
	}
	if !ways[inField] && !ways[inNormalize] {
		field := cube.Field{Name: name, Type: "string", ColumnType: typesOfQualifiers[q]}
		own.extra = append(own.extra, extraField{Field: field, place: r.fieldsPlace, constant: slices.Collect(maps.Keys(words))[0], isConstant: true})
	}
	r.schema = &own
}

// withoutProperty gives a field that does not say a qualifier itself.
func withoutProperty(f cube.Field, q string) cube.Field {
	f.Extra = maps.Clone(f.Extra)
	delete(f.Extra, q)
	options := node{raw: f.Options, report: &report{}}.list()
	options = slices.DeleteFunc(options, func(item node) bool {
		o := item.object()
		return o != nil && o.take("name").text() == q
	})
	if len(f.Options) > 0 {
		list := each.Of(options, func(item node) json.RawMessage { return item.raw })
		f.Options, _ = json.Marshal(list)
	}
	return f
}
