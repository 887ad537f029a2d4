package fdp_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube/fdp"
)

const known = "known are big5, cp850, cp852, cp866, euc-jp, euc-kr, gb18030, iso-8859-1, iso-8859-15, iso-8859-2, iso-8859-5, iso-8859-7, iso-8859-9, koi8-r, koi8-u, shift_jis, utf-16, utf-16be, utf-16le, utf-8, windows-1250, windows-1251, windows-1252, windows-1253, windows-1254, windows-1255, windows-1256, windows-1257"

func TestRead_NotJSON(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"nothing":             {"", "line 1, column 1: unexpected end of JSON input"},
		"a stray character":   {"{\n  \"ñandú\": ?}", "line 2, column 12: invalid character '?' looking for beginning of value"},
		"cut off":             {"{\"name\":\n \"x\",", "line 2, column 6: unexpected end of JSON input"},
		"something after":     {"{}\n{}", "line 2, column 1: invalid character '{' after top-level value"},
		"Latin-1":             {"{\n\"name\": \"a\xf1o\"}", "line 2, column 11: the descriptor is not UTF-8 text"},
		"nested too deep":     {`{"a":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`, "line 1, column 69: nested more than 64 deep"},
		"brackets in a text":  {`["` + strings.Repeat(`[\"`, 70) + `"]`, "must be an object, not list"},
		"a number":            {"1", "must be an object, not number"},
		"null":                {"null", "must be an object, not null"},
		"more than we'd read": {strings.Repeat(" ", 16<<20+1), "a descriptor of 16777217 bytes; at most 16777216 are read"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			equal(t, "problems", problemsOf(t, test.text), test.want)
		})
	}
}

func TestRead_WrongOption(t *testing.T) {
	text := strings.Replace(withModel(`{"measures": {"n": {}}}`), `"name": "n"`,
		`"name": "n", "options": [3, {"name": "direction", "value": "up"}]`, 1)
	equal(t, "problems", problemsOf(t, text), `resources[0].schema.fields[5].options[0]: must be an object, not number
resources[0].schema.fields[5].options[1].value: "up" is none of expenditure, revenue`)
}

func TestRead_ResourcesThatContradict(t *testing.T) {
	model := func(text string) string { return schema("a string", "b string", "n number") + `, "model": ` + text }
	first := model(`{"measures": {"n": {"title": "N"}}, "dimensions": {
		"x": {"dimensionType": "other", "primaryKey": ["a"], "attributes": {"a": {}, "b": {"labelfor": "a"}}}}}`)
	const at = "resources[1].model.dimensions.x."
	const there = "resources[0].model.dimensions.x"
	tests := map[string]struct{ first, second, want string }{
		"type": {schema("f string"), schema("f number"),
			`resources[1].schema.fields[0].type: resource "a" declares field "f" as string, resource "b" as number`},
		"fiscal year": {schema("f integer"), `"schema": {"fields": [{"name": "f", "type": "integer", "columnType": "date:fiscal-year"}]}`,
			`resources[1].schema.fields[0].columnType: resource "a" declares field "f" as integer, resource "b" as integer (fiscal year)`},
		"case of a name": {schema("Year integer"), schema("year integer"),
			`resources[1].schema.fields[0].name: fields "Year" and "year" have one name, ignoring case`},
		"dimensionType": {first, model(dimensions(`"x": {"primaryKey": ["a"], "attributes": {"a": {}, "b": {"labelfor": "a"}}}`)),
			at + `dimensionType: "" here, "other" at ` + there},
		"primaryKey": {first, model(dimensions(`"x": {"dimensionType": "other", "primaryKey": ["a", "b"], "attributes": {"a": {}, "b": {"labelfor": "a"}}}`)),
			at + "primaryKey: differs from the one at " + there},
		"classificationType": {first, model(dimensions(`"x": {"dimensionType": "other", "classificationType": "economic", "primaryKey": ["a"], "attributes": {"a": {}, "b": {"labelfor": "a"}}}`)),
			at + `classificationType: "economic" here, "" at ` + there},
		"labelfor": {first, model(dimensions(`"x": {"dimensionType": "other", "primaryKey": ["a"], "attributes": {"a": {}, "b": {}}}`)),
			at + "attributes.b: differs from what " + there + " says"},
		"attribute lacking": {first, model(dimensions(`"x": {"dimensionType": "other", "primaryKey": ["a"], "attributes": {"a": {}}}`)),
			at + `attributes: lacks "b", which ` + there + " has"},
		"measure": {first, model(`{"measures": {"n": {"title": "M"}}}`),
			"resources[1].model.measures.n: differs from what resources[0].model.measures.n says"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			equal(t, "problems", problemsOf(t, several("", test.first, test.second)), test.want)
		})
	}
}

func TestRead_TooMany(t *testing.T) {
	tooMany := `{"name": "m", "schema": ` + minimalSchema + `, "resources": [` + strings.Repeat("0,", 10000) + `0]}`
	equal(t, "problems", problemsOf(t, tooMany), "resources: 10001 resources; at most 10000 are supported")
	fields := strings.TrimSuffix(strings.Repeat(`{"name": "f", "type": "string"},`, 1501), ",")
	equal(t, "problems", problemsOf(t, withPart("schema", `{"fields": [`+fields+`]}`)),
		"resources[0].schema.fields: 1501 fields; at most 1500 are supported")
	var first, second []string
	for i := range 800 {
		first = append(first, fmt.Sprintf("a%d string", i))
		second = append(second, fmt.Sprintf("b%d string", i))
	}
	equal(t, "problems", problemsOf(t, several("", schema(first...), schema(second...))),
		"resources: 1600 different fields; at most 1500 are supported")
}

func TestRead_AllProblemsAtOnce(t *testing.T) {
	got := problemsOf(t, `{"name": "a/b", "encoding": "utf-7", "resources": [
		{"path": "/a.csv", "bytes": -5, "schema": {"fields": [{"name": "f", "type": "string"}, {"type": "money"}]}},
		{"name": "b", "path": "../b.csv", "hash": "x", "dialect": {"delimiter": ""},
		 "schema": {"fields": [{"name": "f", "type": "number"}, {"name": "g", "type": "integer"}]},
		 "model": {"dimensions": {"d": {"primaryKey": ["g", "h"], "attributes": {"g": {"parent": "i"}}}},
		           "measures": {"j": {}}}}]}`)
	want := []string{
		`name: the name "a/b" must hold no / and no control character`,
		`encoding: encoding "utf-7" is not supported; ` + known,
		`resources[0].bytes: -5 is negative`,
		`resources[0].name: a resource needs a name`,
		`resources[0].schema.fields[1].name: a field needs a name`,
		`resources[0].path: "/a.csv" is absolute; a path starts at the package's folder`,
		`resources[1].hash: "x" is no hash: 32, 40, 64 or 128 hexadecimal digits, 64 after sha256:`,
		`resources[1].dialect.delimiter: must be one character, not ""`,
		`resources[1].path: "../b.csv" leads out of a folder by ..`,
		`resources[1].schema.fields[0].type: resource "" declares field "f" as string, resource "b" as number`,
		`resources[1].model.measures.j.source: "j" is no field of the schema`,
		`resources[1].model.dimensions.d.primaryKey[1]: "h" is no field of the schema`,
		`resources[1].model.dimensions.d.attributes.g.parent: "i" is no level of the dimension`,
	}
	equal(t, "problems", strings.Split(got, "\n"), want)
}

// A schema or model that the package declares once is wrong once, however many resources it is for.
func TestRead_SchemaOfThePackageIsReportedOnce(t *testing.T) {
	text := several(schema("f string", "f string")+`, "model": `+dimensions(`"d": {"primaryKey": ["g"]}`)+",",
		`"bytes": 1`, `"bytes": 2`, `"bytes": 3`)
	equal(t, "problems", problemsOf(t, text), `schema.fields[1].name: a second field named "f"
model.dimensions.d.primaryKey[0]: "g" is no field of the schema`)
}

func TestRead_ProblemsAreCapped(t *testing.T) {
	text := strings.Replace(withModel("null"), `"name": "m"`, `"name": "m", "tags": [`+strings.Repeat("{},", 1204)+`{}]`, 1)
	lines := strings.Split(problemsOf(t, text), "\n")
	equal(t, "lines", len(lines), 1001)
	equal(t, "last", lines[1000], "and 205 more")
}

func TestRead_LongNamesAreCut(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	if got := problemsOf(t, withModel(dimensions(`"`+long+`": {"primaryKey": ["`+long+`"]}`))); len(got) > 400 {
		t.Errorf("a problem of %d bytes: %s…", len(got), got[:400])
	}
}

func TestRead_AsksWhatWasMeant(t *testing.T) {
	const descriptor = `{"name": "p", "resources": [{"name": "r", "path": "r.csv", "schema": {"fields": [
		{"name": "office", "type": "string"}, {"name": "unit", "type": "string"}, {"name": "unit_name", "type": "string"}, {"name": "paid", "type": "number"}]},
		"model": {"measures": {"paid": {"source": "payd"}}, "dimensions": {"d": {"dimensionType": "other", "primaryKey": ["office", "unit"], "attributes": {
			"office": {"source": "ofice"}, "unit": {"source": "unit", "parent": "offices"}, "unit_name": {"source": "unit_name", "labelfor": "unti"}}}}}}]}`
	_, err := fdp.Read([]byte(descriptor))
	if err == nil {
		t.Fatal("it is taken")
	}
	for _, want := range []string{
		`measures.paid.source: "payd" is no field of the schema; did you mean paid?`,
		`attributes.office.source: "ofice" is no field of the schema; did you mean office?`,
		`attributes.unit.parent: "offices" is no level of the dimension; did you mean`,
		`attributes.unit_name.labelfor: "unti" is no level of the dimension; did you mean unit?`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoes not say %s", err, want)
		}
	}
}
