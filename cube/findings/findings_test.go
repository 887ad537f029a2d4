package findings_test

import (
	"testing"

	"fiscube/cube/findings"
)

func TestFinding_IsOneLine(t *testing.T) {
	for _, tt := range []struct {
		name    string
		finding findings.Finding
		want    string
	}{
		{"of the package", findings.Finding{Code: "c", Message: "wrong", Count: 1}, "wrong [c]"},
		{"of a resource", findings.Finding{Code: "c", Resource: "2016", Message: "wrong", Count: 1, Places: []findings.Place{{}}},
			"2016: wrong [c]"},
		{"of a field", findings.Finding{Code: "c", Field: "año", Message: "wrong", Count: 3}, "field año: wrong [c]"},
		{"of a cell", findings.Finding{Code: "c", Resource: "2016", Field: "año", Message: "wrong", Count: 1,
			Places: []findings.Place{{Line: 7, Cell: "x"}}}, "2016:7: field año: wrong [c]"},
		{"of some cells", findings.Finding{Code: "c", Resource: "2016", Message: "wrong", Count: 2,
			Places: []findings.Place{{Line: 7}, {Line: 9}}}, "2016:7: wrong [c] (2 times, lines 7, 9)"},
		{"of many cells", findings.Finding{Code: "c", Resource: "2016", Message: "wrong", Count: 100,
			Places: []findings.Place{{Line: 7}, {Line: 9}}}, "2016:7: wrong [c] (100 times, lines 7, 9 …)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.finding.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
