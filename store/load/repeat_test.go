package load

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/cube"
)

// yearly is a package with a month below each year, whose functions are numbered anew in 2012.
func yearly(columnType, rows string) fstest.MapFS {
	return fstest.MapFS{
		"datapackage.json": {Data: []byte(`{"name": "yearly", "resources": [{"name": "a.csv", "path": "a.csv",
			"schema": {"fields": [{"name": "year", "type": "integer", "columnType": "` + columnType + `"}, {"name": "month", "type": "string"},
				{"name": "function", "type": "string"}, {"name": "amount", "type": "number"}]},
			"model": {"dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {"source": "year"}}},
				"month": {"dimensionType": "other", "primaryKey": ["month"], "attributes": {"month": {"source": "month"}}},
				"d": {"dimensionType": "other", "primaryKey": ["function"], "attributes": {"function": {"source": "function"}}}},
				"measures": {"amount": {"source": "amount"}}}}]}`)},
		"a.csv": {Data: []byte("year,month,function,amount\n" + rows)},
	}
}

func takeTimes(t *testing.T, files fstest.MapFS, times int64) (*Survey, error) {
	t.Helper()
	source, err := OpenFS(t.Context(), files, Options{Times: times, Allow: []string{"no-year"}})
	if err != nil {
		t.Fatal(err)
	}
	return Take(t.Context(), source, Silent{})
}

func TestRepeat_ShiftsYears(t *testing.T) {
	files := yearly("date:fiscal-year", "2010,1,1,1\n2010,2,1,2\n2012,1,3,3\n,1,3,4\n")
	files["overlay.yaml"] = &fstest.MapFile{Data: []byte("editions: {function: [2010, 2012]}\nsnapshots: {by: month, per: [year]}\n")}
	survey, err := takeTimes(t, files, 3)
	if err != nil {
		t.Fatal(err)
	}
	pkg := survey.Package()
	if got, want := fmt.Sprint(pkg.Coverage.Years, pkg.Resources[0].Found.Rows, pkg.Resources[0].Found.FirstYear, pkg.Resources[0].Found.LastYear),
		"[2010 2012 2013 2015 2016 2018] 12 2010 2018"; got != want {
		t.Errorf("it has %s, want %s", got, want)
	}
	all := repeat{times: 2, span: 3}.coverage(&cube.YearCoverage{Periods: []cube.YearPeriods{{Column: "month", Year: 2012, Numbers: []int64{1}}}})
	if got, want := fmt.Sprint(all.Periods), "[{month 2012 [1]} {month 2015 [1]}]"; got != want {
		t.Errorf("its periods are %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(pkg.Model.Snapshots().Statements),
		"[{[] 1 3} {[2010] 1 1} {[2010] 2 1} {[2012] 1 1} {[2013] 1 1} {[2013] 2 1} {[2015] 1 1} {[2016] 1 1} {[2016] 2 1} {[2018] 1 1}]"; got != want {
		t.Errorf("its statements are %s, want %s", got, want)
	}
	var lines []string
	for row, err := range newContent(survey, Silent{}).Rows(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprint(row.Line, " ", strings.Join(row.Cells, ",")))
	}
	want := `2 2010,1,1,1,2010
3 2010,2,1,2,2010
4 2012,1,3,3,2012
5 ,1,3,4,
7 2013,1,1,1,2012
8 2013,2,1,2,2012
9 2015,1,3,3,2012
10 ,1,3,4,
12 2016,1,1,1,2012
13 2016,2,1,2,2012
14 2018,1,3,3,2012
15 ,1,3,4,`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("the rows are\n%s\nwant\n%s", got, want)
	}
}

func TestRepeat_NeedsYears(t *testing.T) {
	for _, tt := range []struct {
		columnType string
		times      int64
		want       string
	}{
		{"date:generic", 2, "yearly cannot be read 2 times with other years: its rows have no fiscal year"},
		{"date:generic", 1, ""},
		{"date:fiscal-year", 2663, ""},
		{"date:fiscal-year", 2664, "yearly has the years 2010 to 2012 and cannot be read 2664 times: at most 2663 times, so that none is after 9999"},
	} {
		_, err := takeTimes(t, yearly(tt.columnType, "2010,1,1,1\n2012,1,3,3\n"), tt.times)
		if got := fmt.Sprint(err); got != tt.want && (err != nil || tt.want != "") {
			t.Errorf("%q %d times: %s, want %s", tt.columnType, tt.times, got, tt.want)
		}
	}
}
