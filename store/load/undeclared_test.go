package load_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/store/load"
)

// undeclared is a package whose descriptor has a number but names no measure.
func undeclared(cells ...string) fstest.MapFS {
	return fstest.MapFS{
		"datapackage.json": {Data: []byte(`{"name": "u", "resources": [{"name": "a.csv", "path": "a.csv",
			"schema": {"fields": [{"name": "unit", "type": "string"}, {"name": "paid", "type": "number"}]},
			"model": {"dimensions": {"d": {"dimensionType": "other", "primaryKey": ["unit"],
				"attributes": {"unit": {"source": "unit"}}}}, "measures": {}}}]}`)},
		"a.csv": {Data: []byte("unit,paid\nx," + strings.Join(cells, "\nx,") + "\n")},
	}
}

func TestADeclaredNumberIsAMeasureAndItsBadCellsAreErrors(t *testing.T) {
	take := func(cells ...string) (*load.Survey, error) {
		source, err := load.OpenFS(t.Context(), undeclared(cells...), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return load.Take(context.Background(), source, load.Silent{})
	}
	survey, err := take("1", "2.5")
	if err != nil {
		t.Fatal(err)
	}
	if measures := survey.Package().Model.Measures(); len(measures) != 1 || measures[0].Ref != "paid" {
		t.Errorf("measures %v", measures)
	}
	if _, err := take("1", "zz"); err == nil || !strings.Contains(err.Error(), `a.csv:3: field paid: "zz" is no number [bad-cell]`) {
		t.Errorf("error %v", err)
	}
}
