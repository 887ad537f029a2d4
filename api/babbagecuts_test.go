package api_test

import (
	"strings"
	"testing"
)

// What the dialect leaves open is asked in our own grammar, and told as it was understood.
func TestBabbageCuts(t *testing.T) {
	f := newFake(t)
	h := handler(t, f)
	for _, tt := range []struct{ cut, want, cell string }{
		{"Year.Year:2016-2017", "cut=Year:2016..2017", `{"ref":"Year.Year","term":0,"operator":"..","value":[2016,2017]}`},
		{"Year.Year:-5", "cut=Year:-5", `{"ref":"Year.Year","term":0,"operator":":","value":[-5]}`},
		{"admin1_code.admin1_code:11-01", `cut=admin1_code:"11-01"`,
			`{"ref":"admin1_code.admin1_code","term":0,"operator":":","value":["11-01"]}`},
		{"admin1_code.admin1_code:__null__", `cut=admin1_code:""`,
			`{"ref":"admin1_code.admin1_code","term":0,"operator":":","value":[null]}`},
		{"Year.Year:__null__", `cut=Year:""`, `{"ref":"Year.Year","term":0,"operator":":","value":[null]}`},
		{"admin1_code.admin1_code:%22__null__%22", `cut=admin1_code:"__null__"`,
			`{"ref":"admin1_code.admin1_code","term":0,"operator":":","value":["__null__"]}`},
		{"admin1_code@administrative_classification:020", `cut=admin1_code:"020"`,
			`{"ref":"admin1_code.admin1_code","term":0,"operator":":","value":["020"]}`},
		{"!administrative_classification@administrative_classification:admin2_code:01", `cut=!admin2_code:"01"`,
			`{"ref":"admin2_code.admin2_code","term":0,"operator":":","value":["01"],"not":true}`},
	} {
		r := ask(t, h, asDashboard+"aggregate/?aggregates=_count&cut="+tt.cut)
		plan := f.asked()
		if plan == nil || plan.String() != tt.want+"&aggregates=_count&page=1&pagesize=100" || !strings.Contains(r.body, `"cell":[`+tt.cell+`]`) {
			t.Errorf("%s: %s\nplan %v\nwant %s\ncell %s", tt.cut, r.body, plan, tt.want, tt.cell)
		}
	}
	drilled := ask(t, h, asDashboard+"aggregate/?drilldown=administrative_classification@administrative_classification:admin1_code")
	says(t, drilled.body, `"attributes":["admin1_code.admin1_code","admin1_code.admin1_label"]`)
}
