package api_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"fiscube/cube"
)

// The model tells the measures that are formulas of others, and what amounts are multiplied by.
func TestModelTellsDerivedMeasuresAndFactors(t *testing.T) {
	store := newFake(t)
	draft := store.cubes[0].Model.Draft()
	draft.Measures[0].Factor = "-01.50"
	draft.Derived = []cube.Derived{
		{Ref: "spent", Formula: `ratio("executed: cash".sum,approved_value.sum)`, Title: "Spent"},
		{Ref: "my rate: own", Formula: "share(approved_value.sum)"},
	}
	model, err := draft.Model()
	if err != nil {
		t.Fatal(err)
	}
	store.cubes[0].Model = model
	var body struct {
		Measures   []map[string]any
		Derived    []map[string]any
		Aggregates []string
	}
	ask(t, handler(t, store), "/cubes/croatia/model").read(t, &body)
	want := []map[string]any{
		{"ref": "spent", "formula": `ratio("executed: cash".sum,approved_value.sum)`, "title": "Spent"},
		{"ref": "my rate: own", "formula": "share(approved_value.sum)"},
	}
	if !reflect.DeepEqual(body.Derived, want) {
		t.Errorf("derived: %v", body.Derived)
	}
	if factor := body.Measures[0]["factor"]; factor != json.Number("-1.5") || body.Measures[1]["factor"] != nil {
		t.Errorf("measures: %v", body.Measures)
	}
	if n := len(body.Aggregates); body.Aggregates[n-2] != "spent" || body.Aggregates[n-1] != `"my rate: own"` {
		t.Errorf("aggregates: %q", body.Aggregates)
	}
}
