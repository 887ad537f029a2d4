package cube_test

import (
	"strings"
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
	f := cube.Functions{Divisions: []cube.Division{
		{Code: "07", Members: [][]string{{"2", "2008", "1"}, {"2", "2008", "3"}, {"2", "2012", "1"}}}, {Code: "09", Members: [][]string{{"3", "2008", "1"}}},
	}}
	level := cube.Level{Path: []string{"group", "edition", "function"}, Edition: "edition"}
	for _, tt := range []struct{ path, of, is string }{
		{"2/2008/3", "07", ""}, {"2/2012/1", "07", "07"}, {"3/2008/1", "09", "09"}, {"3/2008/3", "", ""}, {"07/2008/07", "", ""},
	} {
		path := strings.Split(tt.path, "/")
		if of, is := f.Of(path), f.Is(level, path); of != tt.of || is != tt.is {
			t.Errorf("%s is of %q and is %q, want %q and %q", tt.path, of, is, tt.of, tt.is)
		}
	}
}
