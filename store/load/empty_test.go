package load_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/cube/findings"
	"fiscube/store/load"
)

// unlike gives a small package after some replacements in its descriptor and file.
func unlike(replacements ...string) fstest.MapFS {
	const descriptor = `{"name": "p", "resources": [{"name": "f.csv", "path": "f.csv", "schema": {"fields": [
		{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
		{"name": "day", "type": "string", "columnType": "date:generic"},
		{"name": "unit", "type": "string", "columnType": "administrative-classification:generic:level1:code"},
		{"name": "paid", "type": "number", "columnType": "value"}]},
		"model": {"dimensions": {"unit": {"dimensionType": "classification", "primaryKey": ["unit"], "attributes": {"unit": {"source": "unit"}}}},
			"measures": {"paid": {"source": "paid"}}}}]}`
	r := strings.NewReplacer(replacements...)
	return fstest.MapFS{
		"datapackage.json": {Data: []byte(r.Replace(descriptor))},
		"f.csv":            {Data: []byte(r.Replace("year,day,unit,paid\n2016,2016-05-01,a,1\n2017,2017-01-31,b,2\n"))},
	}
}

func TestTake_RefusesPackagesWithoutWhatQuestionsNeed(t *testing.T) {
	const dimensions = `"dimensions": {"unit": {"dimensionType": "classification", "primaryKey": ["unit"], "attributes": {"unit": {"source": "unit"}}}},`
	const measures = `"measures": {"paid": {"source": "paid"}}`
	for name, test := range map[string]struct {
		files    fstest.MapFS
		code     string
		mentions []string
	}{
		"columnTypes without a model": {unlike(`,
		"model": {`+dimensions, `, "x": {`), findings.NoLevels, []string{"the descriptor has no model", "columnTypes alone", "model.dimensions", "overlay"}},
		"a model without dimensions": {unlike(dimensions, ""), findings.NoLevels, []string{"primaryKey in model.dimensions"}},
		"amounts that are text":      {unlike(`"number"`, `"string"`, measures, `"measures": {}`), findings.NoMeasures, []string{"field paid has the columnType value, but the type string", "model.measures"}},
		"no amounts":                 {unlike(`"number", "columnType": "value"`, `"string"`, measures, `"measures": {}`), findings.NoMeasures, []string{"type number", "overlay"}},
		"another columnType":         {unlike("date:fiscal-year", "date:fiscal_year"), findings.NoYear, []string{`field year has the columnType "date:fiscal_year"`, `"date:fiscal-year"`}},
		"a year that is text":        {unlike(`"integer"`, `"string"`), findings.NoYear, []string{`field year has its columnType, but the type "string"`}},
		"dates": {unlike(`{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},`, `{"name": "number", "type": "integer"},`, "year,", "number,"),
			findings.NoYear, []string{"field day holds dates, which are text", `"date:fiscal-year"`}},
		"a header alone": {unlike("2016,2016-05-01,a,1\n2017,2017-01-31,b,2\n", ""), findings.NoRows, []string{"no file has a row"}},
	} {
		t.Run(name, func(t *testing.T) {
			source, err := load.OpenFS(t.Context(), test.files, load.Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = load.Take(t.Context(), source, load.Silent{})
			var rejected *load.Rejected
			if !errors.As(err, &rejected) {
				t.Fatalf("it is not refused: %v", err)
			}
			for _, want := range append(test.mentions, "["+test.code+"]", "allow "+test.code) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			source, err = load.OpenFS(t.Context(), test.files, load.Options{Allow: []string{test.code}})
			if err != nil {
				t.Fatal(err)
			}
			survey, err := load.Take(t.Context(), source, load.Silent{})
			if err != nil {
				t.Fatalf("it is refused although that is allowed: %v", err)
			}
			warned := false
			for _, f := range survey.Report().Findings {
				warned = warned || f.Code == test.code && f.Severity == findings.SeverityWarning
			}
			if !warned {
				t.Errorf("the report does not warn: %v", survey.Report().Findings)
			}
		})
	}
	if _, err := load.OpenFS(t.Context(), unlike(), load.Options{Allow: []string{"no-money"}}); err == nil || !strings.Contains(err.Error(), "no-money") {
		t.Errorf("what cannot be allowed: %v", err)
	}
}
