package sqlgen_test

import (
	"testing"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// TestViews_CommentsOfColumns looks at what stands beside a field: never its own name once more.
func TestViews_CommentsOfColumns(t *testing.T) {
	called := draft
	called.Dimensions = []cube.Dimension{
		{Name: "date", Levels: []cube.Level{{Ref: "Year"}, {Ref: "quarter", LabelRef: "quarter_label", Parent: "Year"}}},
		{Name: "administrative", Levels: []cube.Level{
			{Ref: "admin1_code", LabelRef: "admin1_label", Titles: cube.Titles{"en": "Ministry", "es": "Ministerio"}},
			{Ref: "admin2_code", LabelRef: "admin2_label", Parent: "admin1_code", Titles: cube.Titles{"hr": "Glava", "sl": "Glava 2"}},
		}},
		{Name: "programme", Levels: []cube.Level{{Ref: "prog_code", LabelRef: "prog_label"}}},
		{Name: "line", Type: cube.DimensionFact, Levels: []cube.Level{{Ref: "line_id", LabelRef: "line_label"}}},
	}
	called.Measures = []cube.Measure{{Ref: "approved_value", Title: "approved_value"}, {Ref: `spent"`, Title: `spent"`, Currency: "EUR"}}
	model, err := called.Model()
	if err != nil {
		t.Fatal(err)
	}
	schema := &cube.Schema{Fields: []cube.Field{
		{Name: "Year", Title: "Fiscal year"}, {Name: "admin1_code", Title: "Code"}, {Name: "admin2_label", Title: "What the unit is called"},
		{Name: "prog_code", Title: "Programme"}, {Name: "prog_label", Title: "prog_label"}, {Name: "line_id", Title: "line_id"},
		{Name: "func1_code", Title: "Function"},
	}}
	views, err := sqlgen.Views(&cube.Cube{Package: &cube.Package{Name: "p", Model: model, Schema: schema}, ID: 7})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"Year": "Fiscal year", "admin1_code": "Ministry", "admin1_label": "name of Ministry", "admin2_code": "Glava",
		"admin2_label": "What the unit is called", "prog_code": "Programme", "prog_label": "name of Programme",
		"func1_code": "Function", `spent"`: `spent" (EUR)`, "_resource": "the file that the row stands in", "_line": "the line that the row begins in",
		"_period": "the day on which the period of the row begins",
	}
	for _, c := range views[0].Columns {
		if c.Comment != want[c.Name] {
			t.Errorf("%s is described as %q, want %q", c.Name, c.Comment, want[c.Name])
		}
	}
}
