package fdp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

// everyKey is a descriptor that has every key of the specification, and one unknown key at each level that
// keeps them.
const everyKey = `{
  "name": "every-key", "id": "R_1", "encoding": "utf_8", "format": "csv",
  "title": "Every key", "description": "For the test", "years_included": ["2016", 2017],
  "pub_institutional_name": "Ministry", "budget_stage": "Enacted", "govt_level": "National",
  "continent": "Europe", "region": "South-East", "country": "Croatia", "periodicity": "Yearly",
  "start_date": "2016-01-01", "end_date": "2017-12-31", "tags": ["Revenue"],
  "createdAt": "2021-10-07T18:14:12Z", "updatedAt": "2021-10-14T09:12:48Z", "image": "data:image/jpeg;base64,AA==",
  "author_website": "https://example.org", "author_email": "<EMAIL>", "synthetic": true,
  "disaggregation": ["Line item"],
  "schema": {"fields": [{"name": "Year", "type": "integer"}], "missingValues": [""]},
  "sample": [["Year"], ["2016"]],
  "resources": [{
    "name": "e__2016.csv", "path": "data/e__2016.csv", "bytes": 12, "format": "csv", "encoding": "utf-8",
    "hash": "b8d7448932a4d6dda8d985d3bbcb206d4885c5390767d7a8f1997164e8dc4d6d",
    "hashcopy": "sha256:78EDDF71015A382D526AB8927176A00ACCD5C8DC4BBC22FA4612DC12D93B8C63",
    "mediatype": "text/csv", "dialect": {"delimiter": ",", "quoteChar": "\"", "csvddfVersion": 1},
    "count_of_rows": 3,
    "schema": {
      "primaryKey": "Year", "missingValues": ["", "-"],
      "fields": [
        {"name": "Year", "title": "The year", "slug": "year", "type": "integer", "format": "default",
         "columnType": "date:fiscal-year", "conceptType": "date", "options": [], "unit": "a"},
        {"name": "admin_code", "type": "string"}, {"name": "admin_label", "type": "string"},
        {"name": "unit_code", "type": "string"}, {"name": "note", "type": "string"},
        {"name": "approved", "type": "number", "columnType": "value", "conceptType": "value",
         "decimalChar": ".", "groupChar": ",", "options": [
           {"name": "decimalChar", "title": "Decimal Separator", "defaultValue": ".", "trim": "false"},
           {"name": "currency", "title": "Currency", "values": []},
           {"name": "factor", "title": "Factor", "type": "number"},
           {"name": "direction", "values": [{"name": "Revenue", "value": "revenue"}]},
           {"name": "phase", "values": [{"name": "Approved", "value": "approved"}]}]}]},
    "sample": [["Year", "admin_code"], ["2016", null]],
    "model": {
      "dimensions": {
        "date": {"dimensionType": "datetime", "primaryKey": ["Year"],
                 "attributes": {"Year": {"source": "Year", "title": "Year"}}},
        "administrative": {"dimensionType": "classification", "classificationType": "administrative",
          "primaryKey": ["admin", "unit_code"], "attributes": {
            "unit_code": {"source": "unit_code", "title": "unit", "parent": "admin"},
            "label": {"source": "admin_label", "labelfor": "admin"},
            "admin": {"source": "admin_code"}}}},
      "measures": {"approved": {"source": "approved", "title": "Approved amount"}}}}]}`

func read(t *testing.T, text string) *cube.Package {
	t.Helper()
	p, err := fdp.Read([]byte(text))
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return p
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s = %#v, want %#v", what, got, want)
	}
}

func extra(key, text string) map[string]json.RawMessage {
	return map[string]json.RawMessage{key: json.RawMessage(text)}
}

func TestRead_EveryKeyOfThePackage(t *testing.T) {
	p := read(t, everyKey)
	got := *p
	got.Schema, got.Resources, got.Model, got.Descriptor = nil, nil, nil, nil
	equal(t, "package", got, cube.Package{
		Name: "every-key", ID: "R_1", Encoding: "utf_8", Format: "csv",
		Title: "Every key", Description: "For the test", YearsIncluded: []string{"2016", "2017"},
		Publisher: "Ministry", BudgetStage: []string{"Enacted"}, GovtLevel: "National",
		Continent: "Europe", Region: "South-East", Country: "Croatia", Periodicity: "Yearly",
		StartDate: "2016-01-01", EndDate: "2017-12-31", Tags: []string{"Revenue"},
		CreatedAt: "2021-10-07T18:14:12Z", UpdatedAt: "2021-10-14T09:12:48Z", Image: "data:image/jpeg;base64,AA==",
		AuthorWebsite: "https://example.org", AuthorEmail: "<EMAIL>", Synthetic: true,
		Sample: [][]string{{"Year"}, {"2016"}},
		Extra:  extra("disaggregation", `["Line item"]`),
	})
	equal(t, "schema", *p.Schema, cube.Schema{
		Fields: []cube.Field{{Name: "Year", Type: "integer"}}, MissingValues: []string{""},
	})
	equal(t, "descriptor", string(p.Descriptor), everyKey)
}

func TestRead_EveryKeyOfAResource(t *testing.T) {
	p := read(t, everyKey)
	equal(t, "resources", len(p.Resources), 1)
	r := p.Resources[0]
	s := r.Schema
	r.Schema = cube.Schema{}
	equal(t, "resource", r, cube.Resource{
		Name: "e__2016.csv", Path: "data/e__2016.csv", Bytes: 12, Format: "csv", Encoding: "utf-8",
		Hash:      "b8d7448932a4d6dda8d985d3bbcb206d4885c5390767d7a8f1997164e8dc4d6d",
		HashCopy:  "78eddf71015a382d526ab8927176a00accd5c8dc4bbc22fa4612dc12d93b8c63",
		MediaType: "text/csv", Dialect: cube.Dialect{Delimiter: ",", QuoteChar: `"`, Extra: extra("csvddfVersion", "1")},
		Sample: [][]string{{"Year", "admin_code"}, {"2016", ""}},
		Extra:  extra("count_of_rows", "3"),
	})
	equal(t, "missing values", s.MissingValues, []string{"", "-"})
	equal(t, "schema's extra", s.Extra, extra("primaryKey", `"Year"`))
	equal(t, "fields", len(s.Fields), 6)
	equal(t, "year", s.Fields[0], cube.Field{
		Name: "Year", Title: "The year", Slug: "year", Type: "integer", Format: "default",
		ColumnType: "date:fiscal-year", ConceptType: "date", Options: json.RawMessage("[]"), Extra: extra("unit", `"a"`),
	})
	equal(t, "decimalChar", s.Fields[5].DecimalChar, ".")
	equal(t, "groupChar", s.Fields[5].GroupChar, ",")
	if !strings.Contains(string(s.Fields[5].Options), `"Decimal Separator"`) {
		t.Errorf("options are not as published: %s", s.Fields[5].Options)
	}
}

func TestRead_EveryKeyOfTheModel(t *testing.T) {
	m := read(t, everyKey).Model
	equal(t, "columns", m.Columns(), []cube.Column{
		{Name: "Year", Type: cube.TypeInteger, FiscalYear: true},
		{Name: "admin", Type: cube.TypeText}, {Name: "label", Type: cube.TypeText},
		{Name: "unit_code", Type: cube.TypeText}, {Name: "note", Type: cube.TypeText},
		{Name: "approved", Type: cube.TypeDecimal},
	})
	equal(t, "dimensions", levelsOf(m), []string{
		"date datetime: Year",
		"administrative classification administrative: admin=label, admin>unit_code",
	})
	equal(t, "measures", m.Measures(), []cube.Measure{{Ref: "approved", Title: "Approved amount"}})
}

// levelsOf shows each dimension as "name type classification: parent>level=label, …".
func levelsOf(m *cube.Model) []string {
	var lines []string
	for _, d := range m.Dimensions() {
		head := strings.Join(strings.Fields(d.Name+" "+d.Type+" "+d.Classification), " ")
		var levels []string
		for _, l := range d.Levels {
			text := l.Ref
			if l.Parent != "" {
				text = l.Parent + ">" + text
			}
			if l.LabelRef != "" {
				text += "=" + l.LabelRef
			}
			levels = append(levels, text)
		}
		lines = append(lines, head+": "+strings.Join(levels, ", "))
	}
	return lines
}

func TestRead_DescriptorIsACopy(t *testing.T) {
	data := []byte(everyKey)
	p, err := fdp.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	clear(data)
	equal(t, "descriptor", string(p.Descriptor), everyKey)
	equal(t, "extra", string(p.Extra["disaggregation"]), `["Line item"]`)
}

func TestRead_PackageGoesThroughJSON(t *testing.T) {
	p := read(t, everyKey)
	once, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var again cube.Package
	if err := json.Unmarshal(once, &again); err != nil {
		t.Fatal(err)
	}
	twice, err := json.Marshal(&again)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "JSON", string(twice), string(once))
	equal(t, "model", again.Model, p.Model)
	equal(t, "resources", len(again.Resources), 1)
}

// minimal is the least that can be read; tests replace a part of it.
const minimal = `{"name": "m",
 "resources": [{"name": "a", "path": "data/a.csv", "schema": SCHEMA, "model": MODEL}]}`

const minimalSchema = `{"fields": [
 {"name": "y", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "a", "type": "string"},
 {"name": "b", "type": "string"}, {"name": "c", "type": "string"}, {"name": "d", "type": "string"},
 {"name": "n", "type": "number"}, {"name": "i", "type": "integer"}]}`

func withModel(model string) string {
	return strings.NewReplacer("SCHEMA", minimalSchema, "MODEL", model).Replace(minimal)
}

func TestRead_LenientScalars(t *testing.T) {
	p := read(t, strings.Replace(withModel("null"), `"name": "m"`, `"name": ["m"], "id": 7, "title": null,
		"govt_level": ["Federal", "State"], "years_included": 2016, "tags": "", "synthetic": "true",
		"budget_stage": [], "sample": [["a", 1.50, true, null]], "country": ["Mexico"]`, 1))
	equal(t, "name", p.Name, "m")
	equal(t, "id", p.ID, "7")
	equal(t, "title", p.Title, "")
	equal(t, "govt_level", p.GovtLevel, "Federal, State")
	equal(t, "country", p.Country, "Mexico")
	equal(t, "years_included", p.YearsIncluded, []string{"2016"})
	equal(t, "tags", len(p.Tags)+len(p.BudgetStage), 0)
	equal(t, "synthetic", p.Synthetic, true)
	equal(t, "sample", p.Sample, [][]string{{"a", "1.50", "true", ""}})
	equal(t, "missing values", p.Resources[0].Schema.MissingValues, []string{""})
}

func TestRead_ByteOrderMark(t *testing.T) {
	text := "\ufeff \n" + withModel("null") + "\n"
	equal(t, "descriptor", string(read(t, text).Descriptor), text)
}

func TestRead_ValidSpellings(t *testing.T) {
	for _, part := range []string{
		`"encoding": "UTF8"`, `"encoding": "Utf-8"`, `"encoding": "utf_8"`, `"encoding": ""`, `"format": "CSV"`,
		`"bytes": "12"`, `"bytes": null`, `"hash": ""`, `"hash": "d41d8cd98f00b204e9800998ecf8427e"`,
		`"hash": "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"`, `"dialect": {}`, `"dialect": {"delimiter": ";"}`,
		`"dialect": {"delimiter": "\t", "quoteChar": "\""}`, `"dialect": {"delimiter": "¦"}`, `"model": null`, `"sample": []`, `"schema": null`,
		`"hash": "` + strings.Repeat("0f", 64) + `"`,
	} {
		read(t, `{"name": "m", "schema": `+minimalSchema+`, "resources": [{"name": "a", "path": "a.csv", `+part+`}]}`)
	}
}

func TestRead_PathIsCleaned(t *testing.T) {
	for published, want := range map[string]string{
		"https://example.org/a b.csv?year=2016": "https://example.org/a b.csv?year=2016",
		"data/a.csv":                            "data/a.csv", "./data//a.csv": "data/a.csv", "data/a..b.csv": "data/a..b.csv", "año 1.csv": "año 1.csv",
	} {
		text := strings.Replace(withModel("null"), "data/a.csv", published, 1)
		equal(t, published, read(t, text).Resources[0].Path, want)
	}
}

func TestEncoding(t *testing.T) {
	for declared, want := range map[string]string{
		"": fdp.UTF8, "utf_8": fdp.UTF8, "UTF-8-SIG": fdp.UTF8, "us-ascii": fdp.UTF8, "Windows-1250": fdp.Windows1250,
		"cp1252": fdp.Windows1252, "IBM850": fdp.CodePage850, "latin_1": fdp.Latin1, "ISO-8859-2": fdp.Latin2,
		"UTF-16": fdp.UTF16, "utf_16_le": fdp.UTF16LE, "Shift_JIS": fdp.ShiftJIS, "windows-31j": fdp.ShiftJIS, "GBK": fdp.GB18030, "GB2312": fdp.GB18030,
		"KS_C_5601-1987": fdp.EUCKR, "KOI8-U": fdp.KOI8U, "ISO_8859-15": fdp.Latin9, "cp866": fdp.CodePage866, "utf8": fdp.UTF8,
	} {
		name, ok := fdp.Encoding(declared)
		equal(t, declared, name, want)
		equal(t, declared, ok, true)
	}
	_, ok := fdp.Encoding("utf-7")
	equal(t, "utf-7", ok, false)
}

func TestRead_EncodingOfThePackage(t *testing.T) {
	p := read(t, several(`"encoding": "cp850", `+schema("f string")+",", `"bytes": 1`, `"encoding": "utf-8"`))
	equal(t, "first", p.Resources[0].Encoding, "cp850")
	equal(t, "second", p.Resources[1].Encoding, "utf-8")
}

func TestRead_SeparatorsOfTheDialect(t *testing.T) {
	p := read(t, several(`"schema": {"fields": [{"name": "n", "type": "number"}, {"name": "m", "type": "number", "decimalChar": "."}]},`,
		`"dialect": {"decimalChar": ",", "groupChar": " "}`, `"bytes": 1`))
	forms := func(resource int) string {
		var chars []string
		for _, f := range p.Resources[resource].Schema.Fields {
			chars = append(chars, f.DecimalChar+"|"+f.GroupChar)
		}
		return strings.Join(chars, "  ")
	}
	equal(t, "with dialect", forms(0), ",|   .| ")
	equal(t, "without", forms(1), "|  .|")
}

func TestRead_OneResource(t *testing.T) {
	broken := schema("f string", "g number")
	text := several("", broken, schema("f integer")+`, "bytes": -1`)
	p, err := fdp.Read([]byte(text), "a")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "resources", len(p.Resources), 1)
	equal(t, "columns", len(p.Model.Columns()), 2)
	equal(t, "descriptor", string(p.Descriptor), text)
	_, err = fdp.Read([]byte(text), "c")
	equal(t, "problems", err.Error(), `resources: no resource is named "c"; there are "a, b"`)
}

const realData = "../../../shared/data"

// readReal reads a real descriptor, or skips the test where the real packages are not beside the checkout.
func readReal(t *testing.T, folder string) *cube.Package {
	t.Helper()
	if _, err := os.Stat(realData); err != nil {
		t.Skip("the real packages are not beside the checkout")
	}
	data, err := os.ReadFile(filepath.Join(realData, folder, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := fdp.Read(data)
	if err != nil {
		t.Fatalf("%s:\n%v", folder, err)
	}
	return p
}

func TestRead_RealPackages(t *testing.T) {
	tests := map[string]struct {
		name                                     string
		resources, columns, dimensions, measures int
		year                                     string
	}{
		"D1-paraguay":            {"paraguay", 1, 44, 3, 0, "anio"},
		"D2-croatia":             {"croatia-budget-spending", 2, 23, 6, 2, "Year"},
		"D3-dominicana-ingresos": {"republica-dominicana-ingresos", 1, 7, 2, 3, "periodo"},
		"D5-costa-rica-ingresos": {"costa-rica-presupuesto-ingresos", 3, 29, 3, 4, "ejercicio"},
		"D6-uruguay":             {"presupuesto-uy-desde-2011", 9, 26, 7, 3, "ANO"},
		"D7-mexico":              {"mexico", 2, 39, 9, 7, "CICLO"},
		"D7-mexico-2017-sample":  {"mexico-2017-sample", 1, 39, 9, 7, "CICLO"},
		"D8-costa-rica-egresos":  {"test-costa-rica", 2, 42, 6, 8, "ejercicio"},
	}
	for folder, want := range tests {
		t.Run(folder, func(t *testing.T) {
			p := readReal(t, folder)
			equal(t, "name", p.Name, want.name)
			equal(t, "resources", len(p.Resources), want.resources)
			equal(t, "columns", len(p.Model.Columns()), want.columns)
			equal(t, "dimensions", len(p.Model.Dimensions()), want.dimensions)
			equal(t, "measures", len(p.Model.Measures()), want.measures)
			year, _ := p.Model.FiscalYear()
			equal(t, "year", year.Name, want.year)
			equal(t, "synthetic", p.Synthetic, false)
		})
	}
}

func TestRead_AllRealPackages(t *testing.T) {
	descriptors, err := filepath.Glob(realData + "/*/datapackage.json")
	if err != nil || len(descriptors) == 0 {
		t.Skip("the real packages are not beside the checkout")
	}
	for _, d := range descriptors {
		readReal(t, filepath.Base(filepath.Dir(d)))
	}
}

func TestRead_D2(t *testing.T) {
	p := readReal(t, "D2-croatia")
	equal(t, "dimensions", levelsOf(p.Model), []string{
		"date datetime: Year",
		"administrative-classification classification administrative: " +
			"admin1_code=admin1_label, admin1_code>admin2_code=admin2_label",
		"activity activity: activity1_code=activity1_label, activity1_code>activity2_code=activity2_label, " +
			"activity2_code>activity3_code=activity3_label",
		"functional-classification classification functional: func1_code=func1_label",
		"fin-source other: fin_source_code=fin_source_label",
		"economic-classification classification economic: econ1_code=econ1_label, " +
			"econ1_code>econ2_code=econ2_label, econ2_code>econ3_code",
	})
	equal(t, "measures", p.Model.Measures(), []cube.Measure{
		{Ref: "approved_value", Title: "approved_value"}, {Ref: "executed_value", Title: "executed_value"},
	})
	equal(t, "years", p.YearsIncluded, []string{"2016", "2017", "2018", "2019"})
	r := p.Resources[0]
	equal(t, "path", r.Path, "data/croatia-budget-spending__2016.csv")
	equal(t, "bytes", r.Bytes, int64(3578346))
	equal(t, "hash", r.Hash, "b8d7448932a4d6dda8d985d3bbcb206d4885c5390767d7a8f1997164e8dc4d6d")
	equal(t, "sample", len(r.Sample), 30)
	equal(t, "sample row", len(r.Sample[0]), len(r.Schema.Fields))
}

func TestRead_D7KeepsTheOrderOfDimensions(t *testing.T) {
	p := readReal(t, "D7-mexico")
	var names []string
	for _, d := range p.Model.Dimensions() {
		names = append(names, d.Name)
	}
	equal(t, "dimensions", names, []string{
		"date", "functional-classification", "economic-classification", "fin-source", "activity",
		"administrative-classification", "expenditure-type", "geo-source", "budget-line-id",
	})
	equal(t, "functional", levelsOf(p.Model)[1], "functional-classification classification functional: "+
		"GPO_FUNCIONAL=DESC_GPO_FUNCIONAL, GPO_FUNCIONAL>ID_FUNCION=DESC_FUNCION, "+
		"ID_FUNCION>ID_SUBFUNCION=DESC_SUBFUNCION, ID_SUBFUNCION>ID_AI=DESC_AI")
	equal(t, "activity", levelsOf(p.Model)[4], "activity activity: ID_MODALIDAD=DESC_MODALIDAD, ID_PP")
	equal(t, "extra", string(p.Extra["disaggregation"]) != "", true)
	line, _ := p.Model.Level("ID_CLAVE_CARTERA")
	equal(t, "budget line is listed", line.Listed, false)
}

func TestRead_D5LabelsWithoutLabelforAreLevels(t *testing.T) {
	d, _ := readReal(t, "D5-costa-rica-ingresos").Model.Dimension("unknown")
	equal(t, "levels", len(d.Levels), 22)
	equal(t, "third", d.Levels[2].Ref, "ci_clase_descripcion")
	equal(t, "label", d.Levels[1].LabelRef, "")
}
