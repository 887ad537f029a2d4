package fdp_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

const (
	yearField = `{"name": "y", "type": "integer", "columnType": "date:fiscal-year"}`
	codeField = `{"name": "c", "type": "string", "columnType": "functional-classification:generic:code"}`
	amount    = `{"name": "Amount", "type": "number", "columnType": "value", "normalizationTarget": true}`
	phase     = `{"name": "Phase", "type": "string", "columnType": "phase:id"}`
	fiscal    = `{"name": "FY", "type": "integer", "columnType": "date:fiscal-year"}`
)

// tabled is a descriptor with one table, and more resources.
func tabled(fields, schema, resources string) string {
	return `{"name": "p", "resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [` + fields + `]` + schema + `}}` + resources + `]}`
}

// pointed tells how rows become data points: each with its fields and where their cells come from.
func pointed(p *cube.Package) string {
	r := p.Resources[0]
	if r.Points == nil {
		return "rows"
	}
	var lines []string
	for _, point := range r.Points.PerRow {
		var cells []string
		for i, c := range point.Cells {
			from := ""
			switch c.From {
			case cube.OriginColumn:
				from = r.Points.File[c.Column].Name
			case cube.OriginConstant:
				from = fmt.Sprintf("%q", c.Text)
			case cube.OriginList:
				l := r.Points.Lists[c.List]
				from = l.Resource + "." + l.Fields[c.Column].Name
			}
			cells = append(cells, r.Schema.Fields[i].Name+"="+from)
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return strings.Join(lines, "\n")
}

func TestRead_DataPoints(t *testing.T) {
	normalized := func(name, values string) string {
		return `{"name": "` + name + `", "type": "number", "normalize": {` + values + `}}`
	}
	for name, test := range map[string]struct{ text, points, model string }{
		"a constant": {tabled(codeField+`, {"name": "n", "type": "number", "columnType": "value"}`, `, "extraFields": [{"name": "y", "type": "integer", "columnType": "date:fiscal-year", "constant": 2015}]`, ""),
			`c=c n=n y="2015"`, "date datetime: y"},
		"two phases in columns": {tabled(strings.Join([]string{yearField, codeField, normalized("Plan", `"Phase": "approved"`), normalized("Actual", `"Phase": "executed"`)}, ","),
			`, "extraFields": [`+amount+`,`+phase+`]`, ""), "y=y c=c Amount_approved=Plan Amount_executed=Actual",
			"= Amount_approved  approved\n= Amount_executed  executed"},
		"two years in columns": {tabled(codeField+`,`+normalized("2015", `"FY": 2015`)+`,`+normalized("2016", `"FY": 2016`), `, "extraFields": [`+amount+`,`+fiscal+`]`, ""),
			"c=c Amount=2015 FY=\"2015\"\nc=c Amount=2016 FY=\"2016\"", "date datetime: FY"},
		"years and phases": {tabled(codeField+`,`+normalized("B15", `"FY": 2015, "Phase": "approved"`)+`,`+normalized("B16", `"FY": 2016, "Phase": "approved"`)+`,`+normalized("A15", `"FY": 2015, "Phase": "executed"`),
			`, "extraFields": [`+amount+`,`+fiscal+`,`+phase+`]`, ""),
			"c=c Amount_approved=B15 Amount_executed=A15 FY=\"2015\"\nc=c Amount_approved=B16 Amount_executed= FY=\"2016\"", "= Amount_executed  executed"},
		"a code list within another": {tabled(yearField+`, {"name": "k", "type": "string"}, {"name": "n", "type": "number", "columnType": "value"}`,
			`, "foreignKeys": [{"fields": "k", "reference": {"resource": "units", "fields": "id"}}]`,
			`, {"name": "units", "path": "units.csv", "schema": {"fields": [{"name": "id", "type": "string", "columnType": "administrative-classification:generic:level2:code"},
			 {"name": "name", "type": "string", "columnType": "administrative-classification:generic:level2:label"}, {"name": "of", "type": "string"}, {"name": "note", "type": "string"}],
			 "foreignKeys": [{"fields": ["of"], "reference": {"resource": "bodies", "fields": ["id"]}}]}},
			 {"name": "bodies", "path": "bodies.csv", "schema": {"fields": [{"name": "id", "type": "string", "columnType": "administrative-classification:generic:level1:code"},
			 {"name": "name", "type": "string", "columnType": "administrative-classification:generic:level1:label"}]}}`),
			"y=y k=k n=n name=units.name id=bodies.id of_name=bodies.name", "administrative-classification classification administrative: id>k=name, id=of_name"},
		"a code list within itself": {tabled(yearField+`, {"name": "k", "type": "string"}, {"name": "n", "type": "number", "columnType": "value"}`,
			`, "foreignKeys": [{"fields": "k", "reference": {"resource": "units", "fields": "id"}}, {"fields": "k", "reference": {"resource": "", "fields": "k"}}]`,
			`, {"name": "units", "path": "units.csv", "schema": {"fields": [{"name": "id", "type": "string", "columnType": "administrative-classification:generic:code"},
			 {"name": "name", "type": "string", "columnType": "administrative-classification:generic:label"}, {"name": "up", "type": "string"}], "foreignKeys": [{"fields": "up", "reference": {"resource": "", "fields": "id"}}]}}`),
			"y=y k=k n=n name=units.name up_id=units.id up_name=units.name", "administrative-classification classification administrative: k=name, up_id=up_name"},
		"code lists in a ring": {tabled(yearField+`, {"name": "k", "type": "string"}, {"name": "n", "type": "number", "columnType": "value"}`,
			`, "foreignKeys": [{"fields": "k", "reference": {"resource": "u", "fields": "id"}}]`,
			`, {"name": "u", "path": "u.csv", "schema": {"fields": [{"name": "id", "type": "string", "columnType": "administrative-classification:generic:code"}, {"name": "v", "type": "string"}], "foreignKeys": [{"fields": "v", "reference": {"resource": "v", "fields": "id"}}]}},
			 {"name": "v", "path": "v.csv", "schema": {"fields": [{"name": "id", "type": "string"}, {"name": "u", "type": "string"}], "foreignKeys": [{"fields": "u", "reference": {"resource": "u", "fields": "id"}}]}}`),
			"y=y k=k n=n u_id=u.id", "administrative-classification classification administrative: k, u_id"},
		"a fiscal period": {strings.Replace(tabled(codeField+`, {"name": "n", "type": "number", "columnType": "value"}`, "", ""), `"name": "p"`, `"name": "p", "fiscalPeriod": {"start": "2014-07-01", "end": "2015-06-30"}`, 1),
			`c=c n=n fiscal_year="2015"`, "date datetime: fiscal_year"},
		"the year of a date": {tabled(`{"name": "day", "type": "date", "columnType": "date:fiscal-year"}, {"name": "n", "type": "number", "columnType": "value"}`, "", ""),
			"day=day n=n fiscal_year=day", "date datetime: day, fiscal_year"},
	} {
		t.Run(name, func(t *testing.T) {
			p := read(t, test.text)
			equal(t, "data points", pointed(p), test.points)
			if got := said(p); !strings.Contains(got, test.model) || len(p.Resources) != 1 {
				t.Errorf("the model is %s, want %s; %d resources", got, test.model, len(p.Resources))
			}
		})
	}
}

func TestRead_ProblemsOfDataPoints(t *testing.T) {
	plan := func(values string) string {
		return yearField + `, {"name": "Plan", "type": "number", "normalize": {` + values + `}}`
	}
	keys := func(key string) string { return `, "foreignKeys": [` + key + `]` }
	for name, test := range map[string]struct{ fields, schema, want string }{
		"no value of a reduced field": {plan(``), `, "extraFields": [` + amount + `,` + phase + `]`,
			`fields[1].normalize: field "Plan" lacks a value of "Phase": write one, or give that field a constant`},
		"a value of a reduced field in one alone": {plan(`"Phase": "x"`) + `, {"name": "Paid", "type": "number", "normalize": {}}`, `, "extraFields": [` + amount + `,` + phase + `]`,
			`fields[2].normalize: field "Paid" lacks a value of "Phase", which field "Plan" has: write one, as {"Phase": "x"}`},
		"a year that is none": {codeField + `, {"name": "F16", "type": "number", "normalize": {"FY": "FY16"}}`, `, "extraFields": [` + amount + `,` + fiscal + `]`,
			`fields[1].normalize.FY: "FY16" of field "F16" is no whole number, and "FY" is integer`},
		"a list for a constant": {codeField, `, "extraFields": [{"name": "cur", "type": "string", "columnType": "value-currency:code", "constant": ["EUR"]}]`,
			`extraFields[0].constant: a constant of type string is one value, not list`},
		"a constant target": {plan(`"Phase": "x"`), `, "extraFields": [` + strings.Replace(amount, `true}`, `true, "constant": 3}`, 1) + `,` + phase + `]`,
			`extraFields[0].constant: "Amount" is filled by normalize, so it has no constant: leave it out`},
		"a target of text": {plan(`"Phase": "x"`), `, "extraFields": [` + strings.Replace(amount, `"number"`, `"string"`, 1) + `,` + phase + `]`,
			`extraFields[0].type: "Amount" is string: what amounts are reduced to is number or integer`},
		"a target that does not say so": {plan(`"Phase": "x"`), `, "extraFields": [` + strings.Replace(amount, `true`, `false`, 1) + `,` + phase + `]`,
			`extraFields: no field has normalizationTarget: true, which says what the normalized amounts are: add one of type number with columnType value`},
		"a least number that is none":  {`{"name": "n", "type": "number", "constraints": {"minimum": "abc"}}`, ``, `fields[0].constraints.minimum: "abc" is no number: write it as 1500.5`},
		"a greatest date that is none": {`{"name": "d", "type": "date", "constraints": {"maximum": "31.12.2016"}}`, ``, `fields[0].constraints.maximum: "31.12.2016" is no date: write it as 2016-12-31`},
		"an amount of a row as a whole": {`{"name": "staff", "type": "number", "columnType": "value"}, {"name": "p", "type": "number", "normalize": {"FY": 2015}}, {"name": "q", "type": "number", "normalize": {"FY": 2016}}`,
			`, "extraFields": [` + amount + `,` + fiscal + `]`,
			`fields: field "staff" has one amount for the 2 data points of a row, so it would be added 2 times: give it normalize too, or no columnType`},
		"a name twice":               {codeField, `, "extraFields": [` + strings.Replace(codeField, `"}`, `", "constant": "1"}`, 1) + `]`, `extraFields[0].name: "c" is the name of another field of the table`},
		"a constant of another type": {codeField, `, "extraFields": [` + strings.Replace(fiscal, `"}`, `", "constant": "20x5"}`, 1) + `]`, `extraFields[0].constant: "20x5" is no whole number`},
		"a pattern of unknown letters": {`{"name": "d", "type": "date", "format": "%Q"}`, ``,
			`fields[0].format: the pattern has "%Q", which is none of %% %Y %y %m %d %H %I %M %S %b %B %Z %z %a %A %p %f`},
		"two phases": {yearField + `, {"name": "a", "type": "string", "columnType": "phase:id"}, {"name": "b", "type": "string", "columnType": "phase:id"}, {"name": "n", "type": "number", "columnType": "value"}`, ``,
			`fields[2].columnType: field "b" is phase:id, and field "a" is too: an amount has one, so give both fields one name, or one of them another type`},
		"an unknown reduced field": {plan(`"Fase": "x", "Phase": "x"`), `, "extraFields": [` + amount + `,` + phase + `]`,
			`fields[1].normalize.Fase: "Fase" is no field of extraFields without a constant`},
		"no target": {plan(`"Phase": "x"`), `, "extraFields": [` + phase + `]`,
			`extraFields: no field has normalizationTarget: true, which says what the normalized amounts are: add one of type number with columnType value`},
		"two targets": {plan(`"Phase": "x"`), `, "extraFields": [` + amount + `,` + strings.Replace(amount, "Amount", "Other", 1) + `,` + phase + `]`,
			`extraFields[1].normalizationTarget: "Amount" is one too: a table has one amount that others are reduced to`},
		"a text": {yearField + `, {"name": "Plan", "type": "string", "normalize": {"Phase": "x"}}`, `, "extraFields": [` + amount + `,` + phase + `]`,
			`fields[1].normalize: field "Plan" is string: amounts that are normalized are number or integer`},
		"the same values": {plan(`"Phase": "x"`) + `, {"name": "Other", "type": "number", "normalize": {"Phase": "x"}}`, `, "extraFields": [` + amount + `,` + phase + `]`,
			`fields[2].normalize: field "Other" has the same values as "Plan"`},
		"nothing but lists": {yearField, keys(`{"fields": "y", "reference": {"resource": "a", "fields": "y"}}`), `!resources: each is a code list that another refers to: one must hold amounts, with columnType value`},
		"an unknown list":   {yearField, keys(`{"fields": "y", "reference": {"resource": "b", "fields": "id"}}`), `foreignKeys[0].reference.resource: "b" is no resource that holds a code list alone`},
		"fields by turns":   {yearField, keys(`{"fields": "y", "reference": {"resource": "b", "fields": ["id", "x"]}}`), `foreignKeys[0].reference.fields: 1 fields refer to 2: write one for each`},
		"a key of nothing":  {yearField, keys(`{"reference": {"resource": "b", "fields": ["id"]}}`), `foreignKeys[0].fields: a foreign key needs fields`},
	} {
		t.Run(name, func(t *testing.T) {
			want, isWhole := strings.CutPrefix(test.want, "!")
			if !isWhole {
				want = "resources[0].schema." + want
			}
			equal(t, "problems", problemsOf(t, tabled(test.fields, test.schema, "")), want)
		})
	}
}

func TestRead_ProblemsOfRowsInTheDescriptor(t *testing.T) {
	equal(t, "problems", problemsOf(t, strings.Replace(tabled(yearField+`, {"name": "paid", "type": "number", "columnType": "value"}`, "", ""), `"path": "a.csv"`, `"data": [{"y": 2015, "payd": 1}]`, 1)),
		`resources[0].data[0].payd: "payd" is no field of the schema; did you mean paid?`)
}

// What two tables say differently of their amounts becomes a field of the data points. One field can have one value.
func TestRead_ProblemsOfQualifiersSaidDifferently(t *testing.T) {
	const plan, paid = `{"name": "plan", "type": "number", "columnType": "value", "phase": "approved"}`, `{"name": "paid", "type": "number", "columnType": "value", "phase": "executed"}`
	other := `, {"name": "b", "path": "b.csv", "schema": {"fields": [` + yearField + `, ` + strings.Replace(plan, `, "phase": "approved"`, "", 1) + `]}}`
	equal(t, "problems", problemsOf(t, tabled(yearField+`, `+plan+`, `+paid, "", other)),
		"resources[0].schema.fields: phase is not the same for plan, paid, and resources say it of them in different ways, or one does not: such amounts are never added, so give the fields other names")
}

// Two tables have no field in common that says what their amounts are.
func TestRead_ProblemsOfQualifiersInTwoFields(t *testing.T) {
	const label, paid = `{"name": "label", "type": "string", "columnType": "phase:label"}`, `{"name": "paid", "type": "number", "columnType": "value"}`
	other := `, {"name": "b", "path": "b.csv", "schema": {"fields": [` + yearField + `, ` + label + `, ` + paid + `]}}`
	equal(t, "problems", problemsOf(t, tabled(yearField+`, `+phase+`, `+paid, "", other)),
		`resources[1].schema.fields: field "label" says phase here, and no field of that name in resource "a": amounts are told apart by one field, so give it one name and columnType`)
	if p := read(t, tabled(yearField+`, `+phase+`, `+label+`, `+paid, "", other)); len(p.Resources) != 2 {
		t.Error("a field that both have is enough")
	}
}

// A measure of one resource whose own name no field can be given has the name of its field and resource.
func TestRead_MeasureOfOneResourceWithoutAName(t *testing.T) {
	field := `{"name": "v\u0001", "type": "number"}`
	p, err := fdp.Read([]byte(`{"name": "p", "resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [` + yearField + `,` + field + `]}},
		{"name": "b", "path": "b.csv", "schema": {"fields": [` + yearField + `,` + field + `]}}],
		"model": {"measures": {"v\u0001": {"resource": "a"}}, "dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["y"], "attributes": {"y": {}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the field", p.Resources[0].Schema.Fields[1].Name, "v\u0001_a")
}
