package fdp_test

import (
	"strings"
	"testing"

	"fiscube/cube"
)

// dimensions makes a model of dimensions only.
func dimensions(text string) string { return `{"dimensions": {` + text + `}}` }

func TestRead_Levels(t *testing.T) {
	tests := map[string]struct {
		model string
		want  []string
	}{
		"published order, not sorted": {
			dimensions(`"z": {"primaryKey": ["b", "a"]}, "m": {"primaryKey": ["d"]}, "a": {"primaryKey": ["c"]}`),
			[]string{"z: b, a", "m: d", "a: c"},
		},
		"a primary key of one may be a text": {
			dimensions(`"x": {"primaryKey": "a"}`),
			[]string{"x: a"},
		},
		"a label in the primary key is no level": {
			dimensions(`"x": {"primaryKey": ["a", "b"], "attributes": {"a": {}, "b": {"labelfor": "a"}}}`),
			[]string{"x: a=b"},
		},
		"labels without labelfor are levels for now (D5)": {
			dimensions(`"x": {"primaryKey": ["a", "b"], "attributes": {"a": {}, "b": {}}}`),
			[]string{"x: a, b"},
		},
		"an attribute outside the primary key is an ordinary column (D2 econ3_label)": {
			dimensions(`"x": {"primaryKey": ["a"], "attributes": {"a": {}, "b": {}}}`),
			[]string{"x: a"},
		},
		"the first label of a code is kept": {
			dimensions(`"x": {"primaryKey": ["a"], "attributes": {"c": {"labelfor": "a"}, "b": {"labelfor": "a"}}}`),
			[]string{"x: a=c"},
		},
		"a field is called as its attribute": {
			dimensions(`"x": {"primaryKey": ["top", "low"], "attributes": {"top": {"source": "b"},
			 "low": {"source": "a", "parent": "top"}, "name": {"source": "c", "labelfor": "low"}}}`),
			[]string{"x: top, top>low=name"},
		},
		"fields may be named where attributes are meant": {
			dimensions(`"x": {"primaryKey": ["b", "a"], "attributes": {"top": {"source": "b"},
			 "low": {"source": "a", "parent": "b"}, "name": {"source": "c", "labelfor": "a"}}}`),
			[]string{"x: top, top>low=name"},
		},
		"the first dimension has a field": {
			dimensions(`"x": {"primaryKey": ["a", "b"]}, "y": {"primaryKey": ["b", "c"]}`),
			[]string{"x: a, b", "y: c"},
		},
		"the first dimension has a field as a label": {
			dimensions(`"x": {"primaryKey": ["a"], "attributes": {"b": {"labelfor": "a"}}}, "y": {"primaryKey": ["b", "c"]}`),
			[]string{"x: a=b", "y: c"},
		},
		"a parent that another dimension has is stepped over": {
			dimensions(`"x": {"primaryKey": ["b"]}, "y": {"primaryKey": ["a", "b", "c"], "attributes": {
			 "b": {"parent": "a"}, "c": {"parent": "b"}, "d": {"labelfor": "b"}}}`),
			[]string{"x: b", "y: a, a>c"},
		},
		"amounts are no levels": {
			`{"measures": {"i": {}}, "dimensions": {"x": {"primaryKey": ["a", "i", "n"]}}}`,
			[]string{"x: a"},
		},
		"amounts are no labels": {
			dimensions(`"x": {"primaryKey": ["a"], "attributes": {"n": {"labelfor": "a"}}}`),
			[]string{"x: a"},
		},
		"a dimension without levels is left out": {
			dimensions(`"x": {"primaryKey": ["n"]}, "y": {"primaryKey": ["a"]}`),
			[]string{"y: a"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			equal(t, "dimensions", levelsOf(read(t, withModel(test.model)).Model), test.want)
		})
	}
}

func TestRead_Measures(t *testing.T) {
	options := func(text string) string { return `"name": "n", "options": [` + text + `]` }
	tests := map[string]struct {
		field   string // replaces the name of field n
		measure string
		want    cube.Measure
	}{
		"title and source": {
			`"name": "n"`, `"amount": {"source": "n", "title": "Amount"}`, cube.Measure{Ref: "amount", Title: "Amount"},
		},
		"no title": {`"name": "n"`, `"n": {}`, cube.Measure{Ref: "n", Title: "n"}},
		"the field's title": {
			`"name": "n", "title": "Amount"`, `"n": {}`, cube.Measure{Ref: "n", Title: "Amount"},
		},
		"options that only list what is allowed": {
			options(`{"name": "currency", "values": []}, {"name": "factor", "type": "number"},
			 {"name": "direction", "values": [{"name": "Revenue", "value": "revenue"}]},
			 {"name": "phase", "values": [{"name": "Proposed", "value": "proposed"}]}`),
			`"n": {}`, cube.Measure{Ref: "n", Title: "n"},
		},
		"options that say what was chosen": {
			options(`{"name": "currency", "value": "hrk"}, {"name": "factor", "value": 1000},
			 {"name": "direction", "defaultValue": "expenditure"}, {"name": "phase", "value": "Approved"}`),
			`"n": {}`,
			cube.Measure{Ref: "n", Title: "n", Currency: "HRK", Unit: 1000, Phase: "approved", Direction: "expenditure"},
		},
		"the default of a factor says nothing": {
			options(`{"name": "factor", "defaultValue": 1}`), `"n": {}`, cube.Measure{Ref: "n", Title: "n"},
		},
		"the field's own word goes before its options": {
			`"currency": "EUR", ` + options(`{"name": "currency", "value": "USD"}`),
			`"n": {}`, cube.Measure{Ref: "n", Title: "n", Currency: "EUR"},
		},
		"the measure's own word goes first": {
			`"name": "n", "currency": "EUR"`, `"n": {"currency": "MXN", "phase": "executed", "factor": "1"}`,
			cube.Measure{Ref: "n", Title: "n", Currency: "MXN", Phase: "executed", Unit: 1},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(withModel(`{"measures": {`+test.measure+`}}`), `"name": "n"`, test.field, 1)
			equal(t, "measures", read(t, text).Model.Measures(), []cube.Measure{test.want})
		})
	}
}

// several makes a package of resources a, b, … with the given bodies, and package keys before them.
func several(keys string, bodies ...string) string {
	var items []string
	for i, body := range bodies {
		name := string(rune('a' + i))
		items = append(items, `{"name": "`+name+`", "path": "`+name+`.csv", `+body+`}`)
	}
	return `{"name": "m", ` + keys + ` "resources": [` + strings.Join(items, ", ") + `]}`
}

func schema(fields ...string) string {
	for i, f := range fields {
		name, kind, _ := strings.Cut(f, " ")
		fields[i] = `{"name": "` + name + `", "type": "` + kind + `"}`
	}
	return `"schema": {"fields": [` + strings.Join(fields, ", ") + `]}`
}

func TestRead_ColumnsAreTheUnionOfAllResources(t *testing.T) {
	m := read(t, several("",
		schema("y integer", "z string"),
		schema("new number", "z string", "y integer", "last string"),
		schema("last string"))).Model
	var names []string
	for _, c := range m.Columns() {
		names = append(names, c.Name+" "+string(c.Type))
	}
	equal(t, "columns", names, []string{"y integer", "z text", "new decimal", "last text"})
}

func TestRead_DimensionsAreMergedOverResources(t *testing.T) {
	x := `"x": {"primaryKey": ["a", "b"], "attributes": {"a": {"title": "A"}, "b": {"parent": "a"}}}`
	reordered := `"x": {"attributes": {"b": {"parent": "a"}, "a": {"title": "another title"}}, "primaryKey": ["a", "b"]}`
	y := `"y": {"primaryKey": ["c"]}`
	fields := schema("a string", "b string", "c string", "n number")
	tests := map[string]string{
		"each resource its own": several("",
			fields+`, "model": `+dimensions(x), fields+`, "model": `+dimensions(y+","+reordered)),
		"at the package": several(`"model": `+dimensions(x+","+y)+`,`, fields, fields),
		"at the package, schema too": several(fields+`, "model": `+dimensions(x+","+y)+`,`,
			`"bytes": 1`, `"bytes": 2`),
		"one resource its own, the package's for the other": several(`"model": `+dimensions(y)+`,`,
			fields+`, "model": `+dimensions(x), fields),
		"the package repeats what the resources say": several(`"model": `+dimensions(y+","+x)+`,`,
			fields+`, "model": `+dimensions(x), fields+`, "model": `+dimensions(y)),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			equal(t, "dimensions", levelsOf(read(t, text).Model), []string{"x: a, a>b", "y: c"})
		})
	}
}

func TestRead_MeasuresAreMergedOverResources(t *testing.T) {
	fields := schema("n number", "o number")
	m := read(t, several("",
		fields+`, "model": {"measures": {"o": {"title": "O"}}}`,
		fields+`, "model": {"measures": {"n": {}, "o": {"title": "O"}}}`)).Model
	equal(t, "measures", m.Measures(), []cube.Measure{{Ref: "o", Title: "O"}, {Ref: "n", Title: "n"}})
}

func TestRead_SchemaOfTheResourceGoesFirst(t *testing.T) {
	p := read(t, several(schema("copy string")+",", schema("own string"), `"bytes": 1`))
	equal(t, "own", p.Resources[0].Schema.Fields[0].Name, "own")
	equal(t, "the package's", p.Resources[1].Schema.Fields[0].Name, "copy")
	equal(t, "columns", len(p.Model.Columns()), 2)
}
