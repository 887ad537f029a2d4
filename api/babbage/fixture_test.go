package babbage_test

import (
	"testing"

	"fiscube/cube"
)

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
