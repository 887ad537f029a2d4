package load_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/encoding/unicode"

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

func TestTake_NamesTheKeyThatIsWrong(t *testing.T) {
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes(unlike()["f.csv"].Data)
	if err != nil {
		t.Fatal(err)
	}
	inUTF16, utf8 := unlike(), unlike(`"path"`, `"encoding": "windows-1252", "path"`, ",a,", ",Ministère,")
	inUTF16["f.csv"].Data = utf16
	for name, test := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"semicolons": {unlike("2016,2016-05-01,a,1", "2016;2016-05-01;a;1", "year,day,unit,paid", "year;day;unit;paid"),
			`f.csv:1: the columns are separated by ";": declare it as delimiter in the dialect of the resource [header-differs]`},
		"UTF-16": {inUTF16, "f.csv:1: the file is UTF-16: declare its encoding as utf-16, or name it with --encoding [not-utf8]"},
		"UTF-8":  {utf8, "f.csv: the file is UTF-8, and windows-1252 is declared: declare the encoding utf-8, or name the true one with --encoding [encoding-differs]"},
	} {
		source, err := load.OpenFS(t.Context(), test.files, load.Options{})
		if err == nil {
			_, err = load.Take(t.Context(), source, load.Silent{})
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	for _, encoding := range []string{"utf-8", "windows-1252"} {
		source, err := load.OpenFS(t.Context(), utf8, load.Options{Encoding: encoding})
		if err == nil {
			_, err = load.Take(t.Context(), source, load.Silent{})
		}
		if err != nil {
			t.Errorf("with --encoding %s: %v", encoding, err)
		}
	}
}

func TestTake_SuspectsGroupMarks(t *testing.T) {
	for cells, suspected := range map[string]bool{
		"1.234 2.500 12.000": true, "1.234 0 -12.000": true, "1.234 2.5": false, "1.234 700": false, "0.125 0.250": false, "1234.500": false, "0 0": false,
	} {
		for _, declared := range []string{"", `, "decimalChar": "."`, `, "groupChar": ".", "decimalChar": ","`} {
			files := unlike(`"columnType": "value"`, `"columnType": "value"`+declared, "2016,2016-05-01,a,1\n2017,2017-01-31,b,2\n",
				"2016,x,a,"+strings.ReplaceAll(cells, " ", "\n2016,x,a,")+"\n")
			source, err := load.OpenFS(t.Context(), files, load.Options{})
			if err != nil {
				t.Fatal(err)
			}
			survey, err := load.Take(t.Context(), source, load.Silent{})
			if err != nil {
				continue // the form that is declared is another
			}
			found := slices.ContainsFunc(survey.Report().Findings, func(f findings.Finding) bool {
				return f.Code == load.CodeGroupMarkSuspected && f.Severity == findings.SeverityWarning && strings.Contains(f.Message, "groupChar")
			})
			if found != (suspected && declared == "") {
				t.Errorf("%s with %q: suspected %v", cells, declared, found)
			}
		}
	}
}

func TestOpen_ReportsAllMistakesOfAnOverlayAtOnce(t *testing.T) {
	files := unlike()
	files["overlay.yaml"] = &fstest.MapFile{Data: []byte("measures:\n  payd: {phase: approved}\n  paid: {phase: aproved}\nlevels:\n  unit: {parnet: day}\n  dai: {label: unit}\n" +
		"derived:\n  rate: {formula: 'ratio(paid.sum,payed.sum)'}\n")}
	_, err := load.OpenFS(t.Context(), files, load.Options{})
	if err == nil {
		t.Fatal("it is taken")
	}
	for _, want := range []string{`"payd" is no field of the package; did you mean paid?`, "approved", "parnet", `"dai" is no field of the package`, `no measure "payed"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %s", err, want)
		}
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
		"a model without dimensions": {unlike(dimensions, ""), findings.NoLevels, []string{"primaryKey in model.dimensions"}},
		"amounts that are text":      {unlike(`"number"`, `"string"`, measures, `"measures": {}`), findings.NoMeasures, []string{"field paid has the columnType value, but the type string", "model.measures"}},
		"no amounts":                 {unlike(`"number", "columnType": "value"`, `"string"`, measures, `"measures": {}`), findings.NoMeasures, []string{"type number", "overlay"}},
		"no whole answer": {unlike("date:fiscal-year", "date:fiscal_year", `"resources"`, `"homepage": "https://a.org", "fiscube": {"cube": "a", "link": "https://a.org"}, "resources"`),
			findings.NoYear, []string{"to load it all the same, allow no-year"}},
		"another columnType":      {unlike("date:fiscal-year", "date:fiscal_year"), findings.NoYear, []string{`field year has the columnType "date:fiscal_year"`, `"date:fiscal-year"`}},
		"a year that is a number": {unlike(`"integer"`, `"number"`), findings.NoYear, []string{`field year has its columnType, but the type "number"`}},
		"dates": {unlike(`{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},`, `{"name": "number", "type": "integer"},`, "year,", "number,"),
			findings.NoYear, []string{"field day holds dates, which are text", `"date:fiscal-year"`}},
		"no year in any row": {unlike("2016,2016-05-01", ",2016-05-01", "2017,2017-01-31", ",2017-01-31"), findings.NoYear,
			[]string{"field year is the fiscal year, and no row has one"}},
		"months for years": {unlike("2016,2016-05-01", "5,2016-05-01", "2017,2017-01-31", "12,2017-01-31"), findings.NoYear,
			[]string{"field year is declared to be the fiscal year, and its cells, from 5 to 12, are no years", `"date:fiscal-year"`}},
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
			hasSentences(t, survey.Report())
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

// found takes the survey of a package and gives the sentences of its findings with a code.
func found(t *testing.T, files fstest.MapFS, code string) []string {
	t.Helper()
	source, err := load.OpenFS(t.Context(), files, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	survey, err := load.Take(t.Context(), source, load.Silent{})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range survey.Report().Findings {
		if f.Code == code && f.Severity == findings.SeverityWarning {
			list = append(list, f.String())
		}
	}
	return list
}

func TestTake_WarnsOfAFileWithoutRowsBesideOthers(t *testing.T) {
	p := pack{fields: "year@ code paid$", files: map[string]string{"a.csv": "2016,1,5\n", "b.csv": "", "c.csv": "2017,1,6\n"}}
	k := take(t, p.fs(), bare)
	is(t, "said", k.found(findings.NoRows), "b.csv: it has no row below its header: look at how it was exported [no-rows]")
	p.files["b.csv"] = "2016,1,5\n"
	is(t, "with rows", take(t, p.fs(), bare).found(findings.NoRows), "")
}

func TestTake_WarnsOfColumnTypesBesideTheModel(t *testing.T) {
	const right = `"administrative-classification:generic:level1:code"`
	const dimension = `"unit": {"dimensionType": "classification", "primaryKey": ["unit"], "attributes": {"unit": {"source": "unit"}}}`
	two := []string{dimension, `"administrative-classification": {"dimensionType": "classification", "primaryKey": ["unit"], "attributes": {"unit": {"source": "unit"}}},
		"date": {"dimensionType": "datetime", "primaryKey": ["day"], "attributes": {"day": {"source": "day"}}}`}
	for name, test := range map[string]struct {
		replacements []string
		want         string
	}{
		"as the model has it":   {nil, ""},
		"a dimension of a name": {two, ""},
		"another dimension": {append(two, right, `"date:generic"`),
			`field unit: its columnType "date:generic" says date, and the model has it in the dimension administrative-classification, which counts`},
		"a typing error": {[]string{right, `"administrative-clasification:generic:level1:code"`},
			`field unit: its columnType "administrative-clasification:generic:level1:code" is none that is known; did you mean administrative-classification?`},
		"that of an own scheme": {[]string{right, `"cofog:level1"`}, ""},
	} {
		got := strings.Join(found(t, unlike(test.replacements...), load.CodeColumnTypeDiffers), "\n")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestTake_BoundsTheYearsOfAFile(t *testing.T) {
	var rows strings.Builder
	for year := range 1001 {
		fmt.Fprintf(&rows, "%d,x,a,1\n", 1000+year)
	}
	files := unlike("2016,2016-05-01,a,1\n2017,2017-01-31,b,2\n", rows.String())
	source, err := load.OpenFS(t.Context(), files, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = load.Take(t.Context(), source, load.Silent{})
	if want := "f.csv: it has more than 1000 fiscal years"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
