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
