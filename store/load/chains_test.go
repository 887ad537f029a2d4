package load_test

import (
	"context"
	"slices"
	"testing"
	"testing/fstest"

	"fiscube/cube"
	"fiscube/cube/repair"
	"fiscube/store/load"
)

// linked is a package whose overlay says which of two levels lies under the other.
func linked(child, parent string) fstest.MapFS {
	return fstest.MapFS{
		"datapackage.json": {Data: []byte(`{"name": "linked", "resources": [{"name": "a.csv", "path": "a.csv",
			"schema": {"fields": [{"name": "coarse", "type": "string"}, {"name": "fine", "type": "string"},
				{"name": "amount", "type": "number"}]},
			"model": {"dimensions": {"d": {"dimensionType": "other", "primaryKey": ["coarse", "fine"],
				"attributes": {"coarse": {"source": "coarse"}, "fine": {"source": "fine"}}}},
				"measures": {"amount": {"source": "amount"}}}}]}`)},
		"overlay.yaml": {Data: []byte("levels: {" + child + ": {parent: " + parent + "}}\n")},
		"a.csv":        {Data: []byte("coarse,fine,amount\n1,11,1\n1,12,2\n2,21,3\n2,22,4\n")},
	}
}

func TestAChainTheWrongWayRoundIsAFinding(t *testing.T) {
	for _, test := range []struct {
		name, child, parent string
		want                bool
	}{
		{"as it should be", "fine", "coarse", false},
		{"the wrong way round", "coarse", "fine", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			source, err := load.OpenFS(t.Context(), linked(test.child, test.parent), load.Options{})
			if err != nil {
				t.Fatal(err)
			}
			survey, err := load.Take(context.Background(), source, load.Silent{})
			if err != nil {
				t.Fatal(err)
			}
			report, err := survey.Count(context.Background(), load.Silent{})
			if err != nil {
				t.Fatal(err)
			}
			got := slices.ContainsFunc(report.Findings, func(f cube.Finding) bool { return f.Code == repair.ChainInverted })
			if got != test.want {
				t.Errorf("found %t, want %t: %v", got, test.want, report.Findings)
			}
		})
	}
}
