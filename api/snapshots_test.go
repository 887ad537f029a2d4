package api_test

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// monthly is a store with a cube whose months state the same money again, and notes on it.
func monthly(t testing.TB, notes ...string) *fake {
	t.Helper()
	model, err := (&cube.Draft{
		Columns: []cube.Column{
			{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "month", Type: cube.TypeText}, {Name: "plan", Scale: 2},
		},
		Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}, {Ref: "month", Parent: "year"}}}},
		Measures:   []cube.Measure{{Ref: "plan"}},
		Snapshots: &cube.Snapshots{By: "month", Per: []string{"year"}, Statements: []cube.PeriodSnapshot{
			{Period: []string{"2017"}, Snapshot: "11"}, {Period: []string{"2017"}, Snapshot: "12"},
			{Period: []string{"2018"}, Snapshot: "05"}, {Period: []string{"2018"}, Snapshot: "06"},
		}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	pkg := &cube.Package{Name: "monthly", Model: model}
	for _, note := range notes {
		pkg.Notes = append(pkg.Notes, cube.Titles{"en": note})
	}
	return &fake{cubes: []*cube.Cube{{Package: pkg, ID: 3, Version: 1, Served: true}}}
}

const monthlyQuestion = "/cubes/monthly/aggregate?aggregates=plan.sum"

func TestAggregate_ShowsDefaultCuts(t *testing.T) {
	h := handler(t, monthly(t, "Preliminary."))
	for _, test := range []struct{ question, want string }{
		{"", `"cell":[{"ref":"year/month","term":0,"operator":":","value":[[2017,"12"]],"default":true},` +
			`{"ref":"year/month","term":0,"operator":":","value":[[2018,"06"]],"default":true}]`},
		{"&cut=year:2017", `"cell":[{"ref":"year","term":0,"operator":":","value":[2017]},` +
			`{"ref":"month","term":1,"operator":":","value":["12"],"default":true}]`},
		{"&cut=date:2017/11", `"cell":[{"ref":"date","term":0,"operator":":","value":[[2017,"11"]]}]`},
		{"&cut=year:2017", `"warnings":[{"code":"snapshot-default","message":"month: the last statement of each year is counted (2017: 12)"},` +
			`{"code":"note","message":"Preliminary."}]`},
		{"&snapshots=all", `"cell":[]`},
		{"&snapshots=all", `"warnings":[{"code":"snapshots-all","message":"month: all statements of each year are added up, ` +
			`so the same money is counted up to 2 times"},{"code":"note","message":"Preliminary."}]`},
	} {
		if r := ask(t, h, monthlyQuestion+test.question); !strings.Contains(r.body, test.want) {
			t.Errorf("%s\ngot  %s\nwant %s", test.question, r.body, test.want)
		}
	}
}

// The first statement gives the cells and how many there are, the second what they come to with one statement a year.
func TestAggregate_SummaryOfDrilledSnapshots(t *testing.T) {
	store := monthly(t)
	cells := yielding(row{Values: amounts("46"), Count: 4},
		row{Keys: []cube.Value{cube.Integer(2017), cube.Text("11")}, Labels: make([]cube.Value, 2), Values: amounts("11")})
	summary := yielding(row{Values: amounts("18"), Count: 1})

	statements := 0
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		if statements++; statements == 1 {
			return cells(ctx, s)
		}
		return summary(ctx, s)
	}
	r := ask(t, handler(t, store), monthlyQuestion+"&drilldown=month&pagesize=1")
	for _, want := range []string{`"total_cell_count":4`, `"summary":{"plan.sum":18.00},"summary_without":["month"],"cell":[]`} {
		if !strings.Contains(r.body, want) {
			t.Errorf("got  %s\nwant %s", r.body, want)
		}
	}
	if got := store.asked().Page(); statements != 2 || got != (query.Page{Number: 1, Size: 0}) {
		t.Errorf("%d statements, the last of page %v", statements, got)
	}
}

func TestAggregate_SummaryFails(t *testing.T) {
	store := monthly(t)
	statements := 0
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		if statements++; statements == 1 {
			return yielding(nothing(s))(ctx, s)
		}
		return failing(cube.Errorf(cube.CodeGone, "gone"))(ctx, s)
	}
	if r := ask(t, handler(t, store), monthlyQuestion+"&drilldown=month"); r.status != http.StatusGone {
		t.Errorf("status %d: %s", r.status, r.body)
	}
}

func TestCSV_Warnings(t *testing.T) {
	const first = `snapshot-default;message=%"month: the last statement of each year is counted (2017: 12)"`
	long := strings.Repeat("ñ", 300)
	for name, test := range map[string]struct {
		notes []string
		want  string
	}{
		"one":                 {nil, first},
		"quotes and percents": {[]string{`50% "más"`}, first + `, note;message=%"50%25 %22m%c3%a1s%22"`},
		"line ends":           {[]string{"a\r\nb"}, first + `, note;message=%"a%0d%0ab"`},
		"a long one is cut":   {[]string{long}, first + `, note;message=%"` + strings.Repeat("%c3%b1", 240) + `%e2%80%a6"`},
		"what is too much is counted": {[]string{long, long, "x"},
			first + `, note;message=%"` + strings.Repeat("%c3%b1", 240) + `%e2%80%a6", more;count=2`},
	} {
		r := ask(t, handler(t, monthly(t, test.notes...)), monthlyQuestion+"&cut=year:2017&format=csv")
		if got := r.header.Get("Fiscube-Warnings"); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", name, got, test.want)
		}
	}
	r := ask(t, handler(t, newFake(t)), "/cubes/croatia/aggregate?format=csv")
	if _, there := r.header["Fiscube-Warnings"]; there {
		t.Error("an answer without warnings has the header")
	}
	if exposed := r.header.Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, "Fiscube-Warnings") {
		t.Errorf("scripts may read %s", exposed)
	}
	if r := ask(t, handler(t, monthly(t)), monthlyQuestion); r.header.Get("Fiscube-Warnings") != "" {
		t.Error("JSON has the header, though its body says it")
	}
}
