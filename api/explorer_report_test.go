package api_test

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// reportOfAll has a finding of each kind, with lines, cells, and more of one code than are shown at once.
var reportOfAll = `{"resources":[` +
	`{"name":"a","path":"data/a.csv","rows":3,"declared":{"bytes":7,"hash":"ab"},"found":{"bytes":7,"hash":"ab","hashcopy":"","rows":3,"first_year":2014,"last_year":2016}},` +
	`{"name":"b","path":"data/b.csv","rows":4,"declared":{"bytes":9,"hash":"md5:1"},"found":{"bytes":8,"hash":"cd","hashcopy":"","rows":4},"left_out":"its rows are in others"}],` +
	`"totals":[{"resource":"a","year":"2014","measure":"approved_value","sum":"1.50","cells":2,"rows":2},` +
	`{"resource":"a","year":"2014","measure":"executed: cash","sum":"","cells":0,"rows":2},` +
	`{"resource":"a","year":"","measure":"approved_value","sum":"7","cells":1,"rows":1},` +
	`{"resource":"a","year":"","measure":"executed: cash","sum":"5","cells":1,"rows":1},` +
	`{"resource":"b","year":"2014","measure":"approved_value","sum":"100","cells":2,"rows":4}],` +
	`"coverage":[{"column":"Year","resource":"a","filled":2},{"column":"unit","resource":"a","filled":3},` +
	`{"column":"econ_code","resource":"a","filled":0}],"levels":[],` +
	`"findings":[{"code":"totals-row","severity":"warning","resource":"a","sentence":"left-out","params":{"line":3},"message":"the row at line 3 is the total of the others, so it is left out","count":1},` +
	`{"code":"label-changed","severity":"info","field":"unit","message":"<b>","count":12,"places":[{"cell":"x: 1"},{"cell":"x: 2"},{"cell":"x: 3"}]},` +
	`{"code":"bad-thing","severity":"warning","resource":"b","message":"bad","count":1,"places":[{"line":9}]}` + sevenPaired + `]}`

var sevenPaired = strings.Repeat(`,{"code":"label-paired","severity":"info","field":"econ_code","message":"paired","count":1}`, 7)

func TestExplorer_Report(t *testing.T) {
	f := newFake(t)
	cb := f.cubes[0]
	cb.Report = reportOfAll
	cb.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015}, Gaps: []cube.YearGap{{Column: "econ_code", Years: []int64{2015}}}}
	cb.Resources[1].LeftOut, cb.Resources[1].Repeats = "its rows are in others", true
	executed := "5"
	f.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		if len(s.Parts()) < 3 { // the years of the overview
			return yielding(something(s))(ctx, s)
		}
		return yielding(nothing(s),
			row{Keys: []cube.Value{cube.Integer(2014)}, Values: amounts("2", "1.5", "")}, row{Keys: []cube.Value{{}}, Values: amounts("1", "7", executed)})(ctx, s)
	}
	h := handler(t, f)
	for _, tt := range []struct {
		address string
		texts   []string
	}{
		{"/explore/croatia/report?lang=en", []string{
			"2 files, control totals match, 1 thing looks wrong, 8 things assumed, 1 thing repaired", "✓</span> 6 numbers are the same.",
			`<a href="../../explore/croatia/lines/a?lang=en&amp;line=3#line-3">3</a>`, "&lt;b&gt;", "12 cases, the first 3", "<li>x: 2</li>", "<summary>3 more</summary>",
			"declared: 9 bytes", "declared in an unknown form", "as declared", "not loaded: other files have its rows", "b: bad", "9 ",
			"1 field has no cells in some fiscal years", `class="empty"`, "66.7%", "2 fields have cells in every year", `href="../../cubes/croatia/report?lang=en"`,
		}},
		{"/explore/croatia/report?lang=es", []string{"2 archivos, los totales de control coinciden, 1 posible error, 8 cosas supuestas, 1 cosa corregida", "la fila de la línea 3 es el total"}},
		{"/explore/croatia/report?lang=hr", []string{"2 datoteke, kontrolni zbrojevi se slažu, 1 stvar izgleda pogrešno, 8 pretpostavki, 1 ispravak", "redak 3 zbroj je ostalih"}},
		{"/explore/croatia?lang=en", []string{`<a href="../explore/croatia/report?lang=en">2 files, control totals match,`}},
	} {
		r := ask(t, h, tt.address)
		for _, text := range tt.texts {
			if r.status != http.StatusOK || !strings.Contains(r.body, text) {
				t.Errorf("%s: status %d without %s:\n%s", tt.address, r.status, text, r.body)
			}
		}
	}
	executed = "6"
	for _, text := range []string{"1 control total differs", "1 of 6 numbers differ", "✗ answered: 6"} {
		if r := ask(t, h, "/explore/croatia/report?lang=en"); !strings.Contains(r.body, text) {
			t.Errorf("no %s:\n%s", text, r.body)
		}
	}
	cb.Report = "{"
	if r := ask(t, h, "/explore/croatia/report"); r.status != http.StatusInternalServerError {
		t.Errorf("a report that cannot be read: status %d", r.status)
	}
}

// A package without fiscal years, or without anything, has a report too.
func TestExplorer_ReportOfLittle(t *testing.T) {
	f := newFake(t)
	little := bare(t)
	f.cubes = []*cube.Cube{little}
	if r := ask(t, handler(t, f), "/explore/own:h%22r%20100%25%2F%C5%BE/report?lang=en"); r.status != http.StatusOK || !strings.Contains(r.body, "nothing looks wrong") ||
		!strings.Contains(r.body, "0 files</p>") {
		t.Errorf("status %d: %s", r.status, r.body)
	}
}
