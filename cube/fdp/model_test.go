package fdp_test

import (
	"strings"
	"testing"

	"fiscube/cube"
)

// dimensions makes a model of dimensions only.
func dimensions(text string) string { return `{"dimensions": {` + text + `}}` }

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
