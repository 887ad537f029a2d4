package fdp_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fiscube/cube/fdp"
)

const known = "known are big5, cp850, cp852, cp866, euc-jp, euc-kr, gb18030, iso-8859-1, iso-8859-15, iso-8859-2, iso-8859-5, iso-8859-7, iso-8859-9, koi8-r, koi8-u, shift_jis, utf-16, utf-16be, utf-16le, utf-8, windows-1250, windows-1251, windows-1252, windows-1253, windows-1254, windows-1255, windows-1256, windows-1257"

// problemsOf gives the problems of a descriptor, one per line.
func problemsOf(t *testing.T, text string) string {
	t.Helper()
	p, err := fdp.Read([]byte(text))
	var problems fdp.Problems
	if !errors.As(err, &problems) || p != nil {
		t.Fatalf("Read gave %v and %v, want Problems", p, err)
	}
	return problems.Error()
}

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

func TestRead_ProblemsOfThePackage(t *testing.T) {
	tests := map[string]struct{ old, new, want string }{
		"no name":            {`"name": "m",`, ``, "name: a package needs a name"},
		"empty name":         {`"name": "m"`, `"name": ""`, "name: a package needs a name"},
		"name of wrong type": {`"name": "m"`, `"name": {}`, "name: must be text, not object"},
		"name with slash":    {`"name": "m"`, `"name": "a/b"`, `name: the name "a/b" must hold no / and no control character`},
		"name with newline":  {`"name": "m"`, `"name": "a\nb"`, `name: the name "a\nb" must hold no / and no control character`},
		"name with _":        {`"name": "m"`, `"name": "_a"`, `name: the name "_a" must not begin with _ or .`},
		"name with .":        {`"name": "m"`, `"name": ".."`, `name: the name ".." must not begin with _ or .`},
		"long name":          {`"name": "m"`, `"name": "` + strings.Repeat("ñ", 101) + `"`, `name: a name has at most 100 characters`},
		"key twice":          {`"name": "m"`, `"name": "m", "name": "n"`, "name: the key stands twice"},
		"encoding":           {`"name": "m"`, `"name": "m", "encoding": "macintosh"`, `encoding: encoding "macintosh" is not supported; ` + known},
		"format":             {`"name": "m"`, `"name": "m", "format": "json"`, `format: format "json" is not supported; resources are csv, tsv or xlsx`},
		"title as object":    {`"name": "m"`, `"name": "m", "title": {"es": "T"}`, "title: must be text, not object"},
		"tag as list":        {`"name": "m"`, `"name": "m", "tags": ["a", ["b"]]`, "tags[1]: must be text, not list"},
		"id as list":         {`"name": "m"`, `"name": "m", "id": ["a", "b"]`, "id: must be one text, not a list of 2"},
		"synthetic":          {`"name": "m"`, `"name": "m", "synthetic": "perhaps"`, "synthetic: must be true or false"},
		"sample":             {`"name": "m"`, `"name": "m", "sample": {"a": 1}`, "sample: must be a list, not object"},
		"sample cell":        {`"name": "m"`, `"name": "m", "sample": [["a", {}]]`, "sample[0][1]: a cell must be text, not object"},
		"schema as text":     {`"name": "m"`, `"name": "m", "schema": "schema.json"`, "schema: must be an object, not text"},
		"model as list":      {`"name": "m"`, `"name": "m", "model": []`, "model: must be an object, not list"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(withModel("null"), test.old, test.new, 1)
			equal(t, "problems", problemsOf(t, text), test.want)
		})
	}
}

func TestRead_ProblemsOfTheResources(t *testing.T) {
	tests := map[string]struct{ resources, want string }{
		"absent":      {`null`, "resources: a package needs at least one resource"},
		"empty":       {`[]`, "resources: a package needs at least one resource"},
		"an object":   {`{}`, "resources: must be a list, not object"},
		"null within": {`[null]`, "resources[0]: must be an object, not null"},
		"text within": {`["a.csv"]`, "resources[0]: must be an object, not text"},
		"same name": {`[{"name": "a", "path": "a"}, {"name": "a", "path": "b"}]`,
			`resources[1].name: "a" is the name of resources[0] too`},
		"too many": {`[` + strings.Repeat("0,", 10000) + `0]`, "resources: 10001 resources; at most 10000 are supported"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := `{"name": "m", "schema": ` + minimalSchema + `, "resources": ` + test.resources + `}`
			equal(t, "problems", problemsOf(t, text), test.want)
		})
	}
}

func TestRead_ProblemsOfAResource(t *testing.T) {
	const name, path = `"name": "a"`, `"path": "data/a.csv"`
	tests := map[string]struct{ old, new, want string }{
		"no name":         {name + ",", ``, "name: a resource needs a name"},
		"no path":         {path + ",", ``, "path: a resource needs a path"},
		"path and data":   {path, path + `, "data": []`, "data: a resource has a path or data: leave out one"},
		"a row of a text": {path, `"data": ["x"]`, "data[0]: a row is a list of cells or an object, not text"},
		"compression":     {path, path + `, "compression": "rar"`, `compression: compression "rar" is not supported; files are packed by gz or zip, or not at all`},
		"a sheet":         {path, path + `, "dialect": {"sheetName": "x"}`, "dialect.sheetName: the resource has no sheets: it is no workbook (XLSX)"},
		"a sheet 0":       {path, `"path": "a.xlsx", "dialect": {"sheetNumber": 0}`, `dialect.sheetNumber: "0" is no number of a sheet; the first is 1`},
		"XLS":             {path, `"path": "data/A.XLS"`, "path: workbooks are read as XLSX alone, not XLS: save it as XLSX, or its sheet as CSV"},
		"ODS":             {path, `"path": "https://example.org/a.ods.gz?v=1"`, "path: workbooks are read as XLSX alone, not ODS: save it as XLSX, or its sheet as CSV"},
		"format ods":      {path, path + `, "format": "ods"`, "format: workbooks are read as XLSX alone, not ODS: save it as XLSX, or its sheet as CSV"},
		"a line 0":        {path, path + `, "dialect": {"headerRows": [0]}`, `dialect.headerRows: "0" is no number of a line; the first is 1`},
		"no header rows":  {path, path + `, "dialect": {"header": false, "headerRows": [2]}`, "dialect.headerRows: a table without header has no lines of names: leave out header: false"},
		"http URL":        {path, `"path": "http://example.org/a.csv"`, `path: "http://example.org/a.csv" is neither a path in the package nor an https URL`},
		"URL, no host":    {path, `"path": "https:///a.csv"`, `path: "https:///a.csv" is no URL`},
		"URL, no file":    {path, `"path": "HTTPS://example.org/"`, `path: "HTTPS://example.org/" names a folder, not a file`},
		"URL, password":   {path, `"path": "https://me:secret@example.org/a.csv"`, `path: the URL holds a name or password`},
		"other URL":       {path, `"path": "file:///etc/passwd"`, `path: "file:///etc/passwd" is neither a path in the package nor an https URL`},
		"absolute":        {path, `"path": "/etc/passwd"`, `path: "/etc/passwd" is absolute; a path starts at the package's folder`},
		"drive letter":    {path, `"path": "c:a.csv"`, `path: "c:a.csv" is absolute; a path starts at the package's folder`},
		"backslash":       {path, `"path": "data\\a.csv"`, `path: "data\\a.csv" holds a backslash; folders are set apart by /`},
		"parent folder":   {path, `"path": "data/../../a.csv"`, `path: "data/../../a.csv" leads out of a folder by ..`},
		"NUL":             {path, `"path": "a\u0000.csv"`, `path: "a\x00.csv" holds a control character`},
		"folder":          {path, `"path": "data/"`, `path: "data/" names a folder, not a file`},
		"the folder":      {path, `"path": "."`, `path: "." names a folder, not a file`},
		"negative bytes":  {path, path + `, "bytes": -1`, "bytes: -1 is negative"},
		"half a byte":     {path, path + `, "bytes": 1.5`, `bytes: must be a whole number, not "1.5"`},
		"short hash":      {path, path + `, "hash": "abc"`, `hash: "abc" is no hash: 32, 40, 64 or 128 hexadecimal digits, 64 after sha256:`},
		"no hex":          {path, path + `, "hashcopy": "` + strings.Repeat("g", 32) + `"`, `hashcopy: "` + strings.Repeat("g", 32) + `" is no hash: 32, 40, 64 or 128 hexadecimal digits, 64 after sha256:`},
		"sha256 too long": {path, path + `, "hash": "sha256:` + strings.Repeat("0", 40) + `"`, `hash: "sha256:` + strings.Repeat("0", 40) + `" is no hash: 32, 40, 64 or 128 hexadecimal digits, 64 after sha256:`},
		"encoding":        {path, path + `, "encoding": "utf-7"`, `encoding: encoding "utf-7" is not supported; ` + known},
		"format":          {path, path + `, "format": "json"`, `format: format "json" is not supported; resources are csv, tsv or xlsx`},
		"delimiter":       {path, path + `, "dialect": {"delimiter": "||"}`, `dialect.delimiter: must be one character, not "||"`},
		"quoteChar":       {path, path + `, "dialect": {"quoteChar": ""}`, `dialect.quoteChar: must be one character, not ""`},
		"quote between":   {path, path + `, "dialect": {"delimiter": "\""}`, `dialect.delimiter: "\"" encloses cells, so it cannot set them apart`},
		"no character":    {path, path + `, "dialect": {"delimiter": "\ufffd"}`, `dialect.delimiter: must be one character, not "` + "\ufffd" + `"`},
		"two decimals":    {path, path + `, "dialect": {"decimalChar": ",."}`, `dialect.decimalChar: must be one character, not ",."`},
		"line break":      {path, path + `, "dialect": {"delimiter": "\n"}`, `dialect.delimiter: must be one character, not "\n"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(withModel("null"), test.old, test.new, 1)
			equal(t, "problems", problemsOf(t, text), "resources[0]."+test.want)
		})
	}
}

func TestRead_ProblemsOfTheSchema(t *testing.T) {
	var many []string
	for i := range 1501 {
		many = append(many, fmt.Sprintf(`{"name": "f%d", "type": "string"}`, i))
	}
	tests := map[string]struct{ schema, want string }{
		"absent":         {`null`, ": neither the resource nor the package has a schema"},
		"no fields":      {`{}`, ".fields: a schema needs at least one field"},
		"empty fields":   {`{"fields": []}`, ".fields: a schema needs at least one field"},
		"fields by name": {`{"fields": {"a": {}}}`, ".fields: must be a list, not object"},
		"many fields":    {`{"fields": [` + strings.Join(many, ",") + `]}`, ".fields: 1501 fields; at most 1500 are supported"},
		"null field":     {`{"fields": [null]}`, ".fields[0]: must be an object, not null"},
		"no name":        {`{"fields": [{"type": "string"}]}`, ".fields[0].name: a field needs a name"},
		"our name":       {`{"fields": [{"name": "_line", "type": "string"}]}`, ".fields: all names begin with _: such names are fiscube's own, and their fields are left out"},
		"our year": {`{"fields": [{"name": "_year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "a", "type": "string"}]}`,
			`.fields[0].name: "_year" begins with _: such names are fiscube's own, and the fiscal year is needed`},
		"NUL": {`{"fields": [{"name": "a\u0000", "type": "string"}]}`, `.fields[0].name: "a\x00" holds a NUL character`},
		"twice": {`{"fields": [{"name": "a", "type": "string"}, {"name": "a", "type": "string"}]}`,
			`.fields[1].name: a second field named "a"`},
		"twice, ignoring case": {`{"fields": [{"name": "año", "type": "string"}, {"name": "AÑO", "type": "string"}]}`,
			`.fields[1].name: fields "año" and "AÑO" have one name, ignoring case`},
		"no type":     {`{"fields": [{"name": "a"}]}`, ".fields[0].type: a field needs a type: any, boolean, date, datetime, integer, number, string, time, year, yearmonth"},
		"decimalChar": {`{"fields": [{"name": "a", "type": "number", "decimalChar": ".."}]}`, `.fields[0].decimalChar: must be one character, not ".."`},
		"options":     {`{"fields": [{"name": "a", "type": "number", "options": {}}]}`, ".fields[0].options: must be a list, not object"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.NewReplacer("SCHEMA", test.schema, "MODEL", "null").Replace(minimal)
			equal(t, "problems", problemsOf(t, text), "resources[0].schema"+test.want)
		})
	}
}

func TestRead_ProblemsOfTheModel(t *testing.T) {
	tests := map[string]struct{ model, want string }{
		"dimensions as text":    {`{"dimensions": "x"}`, "dimensions: must be an object, not text"},
		"null dimension":        {dimensions(`"x": null`), "dimensions.x: must be an object, not null"},
		"no primary key":        {dimensions(`"x": {}`), "dimensions.x.primaryKey: a dimension needs a primaryKey"},
		"key without field":     {dimensions(`"x": {"primaryKey": ["a", "q"]}`), `dimensions.x.primaryKey[1]: "q" is no field of the schema`},
		"key of our name":       {dimensions(`"x": {"primaryKey": ["a", "_id"]}`), `dimensions.x.primaryKey[1]: "_id" begins with _: such names are fiscube's own`},
		"source without field":  {dimensions(`"x": {"primaryKey": ["a"], "attributes": {"b": {"source": "q"}}}`), `dimensions.x.attributes.b.source: "q" is no field of the schema`},
		"attribute as text":     {dimensions(`"x": {"primaryKey": ["a"], "attributes": {"a": "a"}}`), "dimensions.x.attributes.a: must be an object, not text"},
		"label of no level":     {dimensions(`"x": {"primaryKey": ["a"], "attributes": {"b": {"labelfor": "c"}}}`), `dimensions.x.attributes.b.labelfor: "c" is no level of the dimension`},
		"label of itself":       {dimensions(`"x": {"primaryKey": ["a", "b"], "attributes": {"b": {"labelfor": "b"}}}`), `dimensions.x.attributes.b.labelfor: "b" is no level of the dimension`},
		"parent that's no key":  {dimensions(`"x": {"primaryKey": ["a"], "attributes": {"a": {"parent": "b"}}}`), `dimensions.x.attributes.a.parent: "b" is no level of the dimension`},
		"parent that's a label": {dimensions(`"x": {"primaryKey": ["a", "b"], "attributes": {"c": {"labelfor": "b"}, "a": {"parent": "c"}}}`), `dimensions.x.attributes.a.parent: "c" is no level of the dimension`},
		"its own parent":        {dimensions(`"x": {"primaryKey": ["a"], "attributes": {"a": {"parent": "a"}}}`), `dimensions.x.attributes.a.parent: the parents of "a" form a ring`},
		"ring": {dimensions(`"x": {"primaryKey": ["a", "b", "c"], "attributes": {
			"c": {"parent": "a"}, "a": {"parent": "b"}, "b": {"parent": "a"}}}`), `dimensions.x.attributes.a.parent: the parents of "a" form a ring`},
		"one source twice":        {dimensions(`"x": {"primaryKey": ["a"], "attributes": {"a": {}, "A": {"source": "a"}}}`), `dimensions.x.attributes.A.source: "a" is the source of attribute "a" too`},
		"nameless dimension":      {dimensions(`"": {"primaryKey": ["a"]}`), `dimensions[""]: a dimension needs a name`},
		"a place in quotes":       {dimensions(`"x y": {}`), `dimensions["x y"].primaryKey: a dimension needs a primaryKey`},
		"measure without field":   {`{"measures": {"q": {}}}`, `measures.q.source: "q" is no field of the schema`},
		"measure of our name":     {`{"measures": {"_n": {}}}`, `measures._n.source: "_n" begins with _: such names are fiscube's own`},
		"measure of one field":    {`{"measures": {"n": {}, "m": {"source": "n"}}}`, `measures.m.source: "n" is the source of measure "n" too`},
		"unknown direction":       {`{"measures": {"n": {"direction": "up"}}}`, `measures.n.direction: "up" is none of expenditure, revenue`},
		"unknown currency":        {`{"measures": {"n": {"currency": "US$"}}}`, `measures.n.currency: "US$" is no currency code of ISO 4217`},
		"factor that's no number": {`{"measures": {"n": {"factor": 0.01}}}`, `measures.n.factor: the factor "0.01" is no positive whole number`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			equal(t, "problems", problemsOf(t, withModel(test.model)), "resources[0].model."+test.want)
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

func TestRead_TooManyColumns(t *testing.T) {
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
