package sqlgen_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/sqlgen"
)

// A label may be a number, which no store compares with the empty text.
func TestCells_FlatLabelsAreText(t *testing.T) {
	model, err := cube.NewModel(
		[]cube.Column{{Name: "book", Type: cube.TypeInteger}, {Name: "number", Type: cube.TypeInteger}, {Name: "paid", Type: cube.TypeDecimal}},
		[]cube.Dimension{{Name: "ledger", Levels: []cube.Level{{Ref: "book", LabelRef: "number"}}}}, []cube.Measure{{Ref: "paid"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Bind(&cube.Cube{Package: &cube.Package{Model: model}, ID: 1},
		query.Query{Flat: true, Drilldown: []query.Ref{{Name: "book"}}, Page: query.FirstPage})
	if err != nil {
		t.Fatal(err)
	}
	if text := sqlgen.Cells(p.Main()).Text; !strings.Contains(text, `CAST(f."number" AS text) AS label`) {
		t.Errorf("the label is no text: %s", text)
	}
}
