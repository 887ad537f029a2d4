package cube_test

import (
	"testing"

	"fiscube/cube"
)

func TestFunctions_OfCodes(t *testing.T) {
	var f cube.Functions
	for code, want := range map[string]string{
		"01": "01", "1": "01", "1.3": "01", "10": "10", "10.9": "10", "073": "07", "07.3.1": "07", "GF0703": "07", "gf10": "10", "701": "01", "7109": "10", "710": "10",
		"99": "", "11": "", "70": "", "0": "", "": "", "Ostalo": "", "GF": "", "711": "", "1a": "01",
	} {
		if got := f.Of([]string{"2020", code}); got != want {
			t.Errorf("%q is of %q, want %q", code, got, want)
		}
	}
}

func TestFunctions_OfMembers(t *testing.T) {
	f := cube.Functions{Divisions: []cube.Division{{Code: "07", Members: [][]string{{"2", "1"}, {"2", "3"}}}, {Code: "09", Members: [][]string{{"3", "1"}}}}}
	for _, tt := range []struct{ finality, function, want string }{{"2", "3", "07"}, {"3", "1", "09"}, {"3", "3", ""}, {"07", "07", ""}} {
		if got := f.Of([]string{tt.finality, tt.function}); got != tt.want {
			t.Errorf("%s/%s is of %q, want %q", tt.finality, tt.function, got, tt.want)
		}
	}
}
