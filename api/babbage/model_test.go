package babbage_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/api/babbage"
	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/golden"
)

// The whole text, because the order of its names is part of it.
func TestModel(t *testing.T) {
	report := &findings.Report{Levels: []findings.LevelReport{
		{Ref: "Year", Members: 7}, {Ref: "admin1_code", Members: 50}, {Ref: "top", Members: 51}, {Ref: "left", Members: 1001},
	}}
	got, err := json.MarshalIndent(babbage.NewModel(budget(t), report), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, "testdata/model.json", string(got)+"\n")
}

// A field that is no level and no measure can still be a part of a path.
func TestModel_FieldsOfPaths(t *testing.T) {
	names := babbage.NewNames(budget(t).Model)
	for field, want := range map[string]string{
		"region": "region.region", "admin1_label": "admin1_code.admin1_label", "approved": "approved", "right.hand": "right_hand_2.right_hand_2",
	} {
		if got := names.Field(field); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
	for ref, want := range map[string]string{
		"Year": "Year.Year", "administrative-classification": "administrative_classification", "Year/top": "Year.Year/top.top", "ways": "ways",
	} {
		if got := names.Filter(ref); got != want {
			t.Errorf("a filter on %s is on %s, want %s", ref, got, want)
		}
	}
}

func TestPackage(t *testing.T) {
	cb := budget(t)
	cb.Publisher, cb.AuthorEmail, cb.Title = "Ministry of <Finance>", "a b@example.org", "Budget"
	cb.Resources = []cube.Resource{{Name: "a", Path: "a.csv", URL: "https://example.org/a.csv"}, {Name: "b 1", Path: "b.csv"}}
	cb.Descriptor = []byte("\ufeff" + `{"name":"published","owner":null,"author":"Somebody <x>","big":12345678901234567890.10,"resources":[` +
		`{"name":"a","path":"a.csv","bytes":7},` +
		`{"name":"b 1","path":"b.csv","bytes":8,"hash":"ab","hashcopy":"cd","encoding":"latin-1","format":"csv","model":{},` +
		`"schema":{"fields":[{"name":"_id"},{"name":"year"}],"primaryKey":"year"}},{"name":"not loaded"}]}`)
	text, err := babbage.Package(cb, "https://here/datapackage.json")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Name, Owner, Author, Title string
		Origin                     string `json:"__origin_url"`
		Resources                  []map[string]any
		Model                      struct {
			Measures   map[string]struct{ Currency string }
			Dimensions map[string]struct {
				DimensionType string
				PrimaryKey    []string
			}
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "published" || got.Author != "Somebody <x>" || !strings.Contains(string(text), `"big":12345678901234567890.10`) {
		t.Errorf("what is published has changed: %s", text)
	}
	if got.Owner != "Ministry of <Finance>" || got.Title != "Budget" || got.Origin != "https://here/datapackage.json" ||
		got.Model.Measures["approved"].Currency != "HRK" || got.Model.Dimensions["date"].DimensionType != "datetime" ||
		len(got.Model.Dimensions["ways"].PrimaryKey) != 3 {
		t.Errorf("what is not published is not as it should be: %s", text)
	}
	files := []map[string]any{
		{"name": "a", "path": "https://example.org/a.csv", "bytes": 7.0},
		{"name": "b 1", "path": "https://here/resources/b%201/rows.csv", "format": "csv",
			"schema": map[string]any{"fields": []any{map[string]any{"name": "year"}}, "primaryKey": "year"}},
	}
	if !reflect.DeepEqual(got.Resources, files) {
		t.Errorf("files are %v, want %v", got.Resources, files)
	}
	cb.Descriptor = nil
	if text, err = babbage.Package(cb, ""); err != nil || !strings.Contains(string(text), `{"name":"a","path":"https://example.org/a.csv"}`) ||
		!strings.Contains(string(text), `<ab@example.org>`) && !strings.Contains(string(text), `\u003cab@example.org\u003e`) {
		t.Errorf("without a descriptor: %v %s", err, text)
	}
}

func TestEntry(t *testing.T) {
	cb := budget(t)
	cb.Publisher = `The "Ministry"`
	cb.Descriptor = []byte(`{"title":"Published","countryCode":["HR"],"regionCode":null}`)
	cb.Title, cb.Resources = "Overlaid", []cube.Resource{{Name: "a"}, {Name: "b", Format: "CSV"}}
	entry, err := babbage.NewEntry(cb, "")
	if err != nil {
		t.Fatal(err)
	}
	if p := entry.Package; p.Title != "Published" || string(p.CountryCode) != `["HR"]` || p.RegionCode != nil ||
		!slices.Equal(p.Resources, []babbage.EntryResource{{Name: "a", Format: "csv"}, {Name: "b", Format: "CSV"}}) {
		t.Errorf("the entry is %+v", p)
	}
	for _, tt := range []struct {
		given map[string]string
		want  bool
	}{
		{nil, true},
		{map[string]string{"id": `"budget"`, "size": "10000", "jwt": ""}, true},
		{map[string]string{"id": "budget"}, true},
		{map[string]string{"id": `"budge"`}, false},
		{map[string]string{"id": `"owner:budget"`}, true},
		{map[string]string{"id": `"owner:budge"`}, false},
		{map[string]string{"package.name": `"owner:budget"`}, false},
		{map[string]string{"package.owner": `"The \"Ministry\""`}, true},
		{map[string]string{"package.owner": `"somebody"`, "id": `"budget"`}, false},
	} {
		if got := entry.Matches(tt.given); got != tt.want {
			t.Errorf("%v: %v", tt.given, got)
		}
	}
}

// budget is a cube with names that no id can have, levels inside each other, and ways that part.
func budget(t testing.TB) *cube.Cube {
	t.Helper()
	columns := []cube.Column{
		{Name: "Year", Type: cube.TypeInteger, FiscalYear: true},
		{Name: "admin1_code", Type: cube.TypeText}, {Name: "admin1_label", Type: cube.TypeText},
		{Name: "admin2_code", Type: cube.TypeText},
		{Name: "Año: fiscal", Type: cube.TypeInteger},
		{Name: "top", Type: cube.TypeText}, {Name: "left", Type: cube.TypeText}, {Name: "right.hand", Type: cube.TypeText},
		{Name: "right_hand", Type: cube.TypeText},
		{Name: "line", Type: cube.TypeText}, {Name: "line_text", Type: cube.TypeText},
		{Name: "region", Type: cube.TypeText},
		{Name: "approved", Type: cube.TypeDecimal, Scale: 2}, {Name: "executed: cash", Type: cube.TypeDecimal},
	}
	dimensions := []cube.Dimension{
		{Name: "date", Type: "datetime", Levels: []cube.Level{{Ref: "Year"}, {Ref: "Año: fiscal"}}},
		{Name: "administrative-classification", Type: "classification", Classification: "administrative", Levels: []cube.Level{
			{Ref: "admin1_code", LabelRef: "admin1_label", Titles: cube.Titles{"en": "Section"}},
			{Ref: "admin2_code", Parent: "admin1_code", Within: []string{"region"}},
		}},
		{Name: "ways", Levels: []cube.Level{{Ref: "top"}, {Ref: "left", Parent: "top"}, {Ref: "right.hand", Parent: "top"}}},
		{Name: "right_hand", Levels: []cube.Level{{Ref: "right_hand"}}},
		{Name: "budget-line-id", Type: cube.DimensionFact, Levels: []cube.Level{{Ref: "line", LabelRef: "line_text"}}},
	}
	measures := []cube.Measure{
		{Ref: "approved", Title: "Amount", Currency: "HRK", Unit: 1000, Phase: "approved", Direction: "expenditure"},
		{Ref: "executed: cash", Title: "Amount"},
	}
	model, err := cube.NewModel(columns, dimensions, measures)
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{Package: &cube.Package{Name: "budget", Model: model}, Version: 1}
}
