package load_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/store/load"
)

// numberedAnew has functions in 2010 and 2012, and health was 1 and is 3.
func numberedAnew(crosswalk string) fstest.MapFS {
	return withEditions("same_as: {function: {" + crosswalk + "}}")
}

func withEditions(overlay string) fstest.MapFS {
	return fstest.MapFS{
		"datapackage.json": {Data: []byte(`{"name": "anew", "resources": [{"name": "a.csv", "path": "a.csv",
			"schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "function", "type": "string"},
				{"name": "amount", "type": "number"}]},
			"model": {"dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {"source": "year"}}},
				"d": {"dimensionType": "other", "primaryKey": ["function"], "attributes": {"function": {"source": "function"}}}},
				"measures": {"amount": {"source": "amount"}}}}]}`)},
		"overlay.yaml": {Data: []byte("editions: {function: [2012, 2015]}\n" + overlay + "\n")},
		"a.csv":        {Data: []byte("year,function,amount\n2010,1,1\n2010,3,2\n2012,3,3\n2012,1,4\n")},
	}
}

func TestCount_FindsMembersOfACrosswalkThatNoRowHas(t *testing.T) {
	for _, tt := range []struct{ crosswalk, mapped, unknown string }{
		{`3@2012: 1@2010`, "[{[2012 3] [2010 1]}]", ""},
		{`3@2013: 1@1999`, "[{[2012 3] [2010 1]}]", ""}, // any year of the edition
		{`4@2012: 1@2010, 1@2012: 7@2010`, "[{[2012 4] [2010 1]} {[2012 1] [2010 7]}]", "4@2012 7@2010"},
		{`5@2015: 3@2012, 3@2012: 1@2010`, "[{[2015 5] [2012 3]} {[2012 3] [2010 1]}]", ""}, // no rows of that edition
	} {
		p, unknown := unknownMembers(t, numberedAnew(tt.crosswalk), load.CodeSameAsUnknown, findings.SeverityWarning)
		level, _ := p.Model.Level("function")
		if got := fmt.Sprint(level.SameAs); got != tt.mapped || unknown != tt.unknown {
			t.Errorf("%s is %s, want %s; no row has %q, want %q", tt.crosswalk, got, tt.mapped, unknown, tt.unknown)
		}
	}
}

func TestCount_FindsMembersOfDivisionsThatNoRowHas(t *testing.T) {
	for _, tt := range []struct{ functions, mapped, unknown string }{
		{`{"07": [1@2010, 3@2012], "09": [9@2015]}`, "[{07 [[2010 1] [2012 3]]} {09 [[2015 9]]}]", ""},
		{`{"07": [1@1999, 8@2013], "09": [3@2010]}`, "[{07 [[2010 1] [2012 8]]} {09 [[2010 3]]}]", "8@2012"},
	} {
		files := withEditions("functions: {level: function, divisions: " + tt.functions + "}")
		p, unknown := unknownMembers(t, files, load.CodeFunctionUnknown, findings.SeverityInfo)
		if got := fmt.Sprint(p.Functions.Divisions); got != tt.mapped || unknown != tt.unknown {
			t.Errorf("%s is %s, want %s; no row has %q, want %q", tt.functions, got, tt.mapped, unknown, tt.unknown)
		}
	}
}

// unknownMembers loads a package and gives the members that a finding lists.
func unknownMembers(t *testing.T, files fstest.MapFS, code string, severity findings.Severity) (*cube.Package, string) {
	t.Helper()
	source, err := load.OpenFS(t.Context(), files, load.Options{})
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
	hasSentences(t, report)
	var unknown []string
	for _, f := range report.Findings {
		if f.Code == code && f.Severity == severity {
			for _, place := range f.Places {
				unknown = append(unknown, place.Cell)
			}
		}
	}
	return survey.Package(), strings.Join(unknown, " ")
}
