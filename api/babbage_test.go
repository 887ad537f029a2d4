package api_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/each"
)

const (
	asDashboard = "/api/3/cubes/croatia/"
	fromCroatia = `"source":{"cube":"croatia","title":"Croatia <Budget> & More","publisher":"Ministry","version":3,` +
		`"synthetic":false,"link":"http://example.com/cubes/croatia/`
)

// The whole body, because dashboards rely on it.
func TestBabbage_Cells(t *testing.T) {
	h := answering(t,
		row{Values: amounts("118405000.30", "7", "12345678901234567890"), Count: 3},
		row{Keys: []cube.Value{cube.Integer(2016), cube.Text("010"), cube.Text("Hrvatski sabor")}, Values: amounts("118405000.1", "6", "12345678901234567890")},
		row{Keys: make([]cube.Value, 3), Values: amounts("", "1", "")})
	r := ask(t, h, asDashboard+"aggregate/?drilldown=Year.Year%7Cadmin1_code.admin1_code%7Cadmin1_code.admin1_label"+
		"&aggregates=approved_value.sum%7C_count%7Cexecuted__cash.sum&pagesize=2&page=0"+
		"&order=approved_value.sum%3Adesc%2CYear.Year%3A%3Aasc&cut=Year.Year%3A2016%7Cadmin1_code.admin1_code%3A%22010%22%3B%22a%7Cb%22")
	const same = `?drilldown=Year.Year%7Cadmin1_code.admin1_code%7Cadmin1_code.admin1_label` +
		`&aggregates=approved_value.sum%7C_count%7Cexecuted__cash.sum&pagesize=2` +
		`&order=approved_value.sum%3Adesc%2CYear.Year%3A%3Aasc&cut=Year.Year%3A2016%7Cadmin1_code.admin1_code%3A%22010%22%3B%22a%7Cb%22&page=`
	const want = `{"total_cell_count":3,"cells":[` +
		`{"Year.Year":2016,"admin1_code.admin1_code":"010","admin1_code.admin1_label":"Hrvatski sabor",` +
		`"approved_value.sum":118405000.10,"_count":6,"executed__cash.sum":12345678901234567890},` +
		`{"Year.Year":null,"admin1_code.admin1_code":null,"admin1_code.admin1_label":null,` +
		`"approved_value.sum":null,"_count":1,"executed__cash.sum":null}],` +
		`"summary":{"approved_value.sum":118405000.30,"_count":7,"executed__cash.sum":12345678901234567890},` +
		`"cell":[{"ref":"Year.Year","term":0,"operator":":","value":[2016]},` +
		`{"ref":"admin1_code.admin1_code","term":1,"operator":":","value":["010","a|b"]}],` +
		`"aggregates":["approved_value.sum","_count","executed__cash.sum"],` +
		`"attributes":["Year.Year","admin1_code.admin1_code","admin1_code.admin1_label"],` +
		`"order":[["approved_value.sum","desc"],["Year.Year","asc"]],"page":1,"page_size":2,"total_pages":2,` +
		`"links":{"first":"` + same + `1&version=3","next":"` + same + `2&version=3","last":"` + same + `2&version=3"},` +
		`"warnings":[],` + fromCroatia + `aggregate?drilldown=Year%7Cadmin1_code&cut=Year%3A2016%7Cadmin1_code%3A%22010%22%3B%22a%7Cb%22` +
		`&aggregates=approved_value.sum%7C_count%7C%22executed%3A+cash%22.sum` +
		`&order=approved_value.sum%3Adesc%2CYear%3Aasc%2Cadmin1_code%3Aasc%2Cadmin1_label%3Aasc&page=1&pagesize=2&version=3"},"status":"ok"}`
	if r.status != http.StatusOK || r.body != want {
		t.Errorf("got  %s\nwant %s", r.body, want)
	}
}

// Cells are grouped by exactly what is asked: a level as a whole has one cell a code, with a label; an attribute is a key of
// its own, and no column is added.
func TestBabbage_GroupsByWhatIsAsked(t *testing.T) {
	for _, tt := range []struct {
		drilldown string
		keys      []string // of the statement
		labels    int
		cell      string
	}{
		{"admin2_code", []string{"admin2_code"}, 1, `"admin2_code.admin2_code":"1","admin2_code.admin2_label":"one"`},
		{"admin2_code.admin2_code", []string{"admin2_code"}, 0, `"admin2_code.admin2_code":"1"`},
		{"admin2_code.admin2_label", []string{"admin2_label"}, 0, `"admin2_code.admin2_label":"1"`},
		{"admin2_code.admin2_label|admin2_code.admin2_code", []string{"admin2_label", "admin2_code"}, 0,
			`"admin2_code.admin2_label":"1","admin2_code.admin2_code":"2"`},
		{"unit", []string{"unit"}, 0, `"unit.unit":"1"`},
		{"administrative_classification_2.admin2_code", []string{"admin2_code"}, 0, `"administrative_classification_2.admin2_code":"1"`},
		{"administrative_classification_admin2_code", []string{"admin2_code"}, 1,
			`"administrative_classification_admin2_code.admin2_code":"1","administrative_classification_admin2_code.admin2_label":"one"`},
	} {
		f := newFake(t)
		cell := row{Labels: []cube.Value{cube.Text("one")}, Values: amounts("1")}
		for i := range tt.keys {
			cell.Keys = append(cell.Keys, cube.Text(strconv.Itoa(i+1)))
		}
		f.run = yielding(row{Values: amounts("1"), Count: 1}, cell)
		r := ask(t, handler(t, f), asDashboard+"aggregate?aggregates=_count&drilldown="+urlEscaped(tt.drilldown))
		says(t, r.body, `"cells":[{`+tt.cell+`,"_count":1}]`)
		s := f.asked()
		keys := each.Text(s.Keys(), func(c cube.Column) string { return c.Name })
		if !slices.Equal(keys, tt.keys) || len(s.Levels()) != tt.labels || !s.Flat() {
			t.Errorf("%s is grouped by %v with %d labels", tt.drilldown, keys, len(s.Levels()))
		}
	}
}

// What is asked by the name of a hierarchy is answered under it, and the canonical question has the name of the model.
func TestBabbage_Alias(t *testing.T) {
	h := answering(t, row{Values: amounts("1"), Count: 1}, row{Keys: []cube.Value{cube.Text("010")}, Values: amounts("1")})
	for _, alias := range []string{"administrative_classification", "administrative-classification", "administrative_classification_2"} {
		r := ask(t, h, asDashboard+"aggregate?drilldown="+alias+".admin1_code&aggregates=_count")
		says(t, r.body, `"cells":[{"`+alias+`.admin1_code":"010","_count":1}]`, `"attributes":["admin1_code.admin1_code"]`)
		members := ask(t, h, asDashboard+"members/"+alias+".admin1_code")
		says(t, members.body, `"data":[{"`+alias+`.admin1_code":"010"}]`, `"fields":["admin1_code.admin1_code"]`)
	}
	r := ask(t, h, asDashboard+"aggregate?drilldown=other.econ_code&aggregates=_count") // the slug of this dimension is its name
	says(t, r.body, `"cells":[{"other.econ_code":"010","_count":1}]`)
}

// What only the order needs is no column, neither of cells nor of the summary.
func TestBabbage_OrderByWhatIsNotAsked(t *testing.T) {
	h := answering(t, row{Values: amounts("1", "5"), Count: 1}, row{Keys: []cube.Value{cube.Integer(2016)}, Values: amounts("1", "5")})
	r := ask(t, h, asDashboard+"aggregate?drilldown=Year&aggregates=_count&order=approved_value.max:desc")
	says(t, r.body, `"cells":[{"Year.Year":2016,"_count":1}],"summary":{"_count":1},`, `"aggregates":["_count"]`,
		`"order":[["approved_value.max","desc"]]`)
}

// The owner before the name of a cube says nothing here.
func TestBabbage_OwnersArePassedOver(t *testing.T) {
	h := handler(t, newFake(t))
	for _, path := range []string{"cubes/someone:croatia/model", "cubes/someone%3Acroatia/aggregate?version=3", "info/someone:croatia/package"} {
		if r := ask(t, h, "/api/3/"+path); r.status != http.StatusOK {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	if r := ask(t, h, "/api/3/cubes/croatia:x/model"); r.status != http.StatusNotFound {
		t.Errorf("an owner behind the name: %d %s", r.status, r.body)
	}
	says(t, ask(t, h, "/api/3/search/package?id=%22someone:croatia%22").body, `[{"id":"croatia",`)
	says(t, ask(t, h, "/api/3/package/stats").body, `{"num_packages":2,"num_countries":1,"num_records":539917}`)
}

// Without anything a dashboard gets one cell with the count and every sum, and no page is no cell.
func TestBabbage_Defaults(t *testing.T) {
	h := handler(t, newFake(t))
	for query, want := range map[string]string{
		"":                           "aggregates=_count|approved_value.sum|\"executed: cash\".sum&page=1&pagesize=100",
		"?order=undefined:undefined": "aggregates=_count|approved_value.sum|\"executed: cash\".sum&page=1&pagesize=100",
		"?pagesize=0":                "aggregates=_count|approved_value.sum|\"executed: cash\".sum&page=1&pagesize=0",
		"?page_size=7&page=x":        "aggregates=_count|approved_value.sum|\"executed: cash\".sum&page=1&pagesize=7",
		"?pagesize=5&pagesize=6":     "aggregates=_count|approved_value.sum|\"executed: cash\".sum&page=1&pagesize=5",
		"?cut=Year:2016&cut=admin1_code:020&aggregates=_count": "cut=Year:2016|admin1_code:\"020\"&aggregates=_count&page=1&pagesize=100",
		"?cut=Year:2016;2017&aggregates=_count":                "cut=Year:2016;2017&aggregates=_count&page=1&pagesize=100",
		`?cut=admin1_code:"50%"&aggregates=_count`:             `cut=admin1_code:"50%"&aggregates=_count&page=1&pagesize=100`,
	} {
		r := ask(t, h, asDashboard+"aggregate/"+strings.ReplaceAll(query, `"`, "%22"))
		if r.status != http.StatusOK {
			t.Fatalf("%s: %s", query, r.body)
		}
		if got := r.question(t); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", query, got, want)
		}
	}
}

func TestBabbage_IgnoresUnknownParameters(t *testing.T) {
	h := handler(t, newFake(t))
	r := ask(t, h, asDashboard+"aggregate?cuts=Year:2016&_=1&utm_source=x&jwt=")
	says(t, r.body, `"warnings":[{"code":"parameter-ignored","weight":"note","message":"there is no parameter \"cuts\""},`+
		`{"code":"parameter-ignored","weight":"note","message":"there is no parameter \"jwt\""}]`)
	facts := ask(t, h, asDashboard+"facts/?drilldown=Year.Year&aggregates=approved_value.sum&format=csv")
	says(t, facts.body, `"warnings":[]`, `"cell":null`)
}

func TestBabbage_CSV(t *testing.T) {
	h := answering(t,
		row{Values: amounts("3.5"), Count: 31},
		row{Keys: []cube.Value{cube.Integer(2016), cube.Text("010")}, Labels: []cube.Value{cube.Text(`Sabor, "x"`)}, Values: amounts("3.5")},
		row{Keys: []cube.Value{cube.Integer(2017), cube.Missing}, Labels: []cube.Value{cube.Missing}, Values: amounts("")})
	r := ask(t, h, asDashboard+"aggregate/?drilldown=Year%7Cadmin1_code&aggregates=approved_value.sum&pagesize=30&format=CSV")
	const want = "Year.Year,admin1_code.admin1_code,admin1_code.admin1_label,approved_value.sum\r\n" +
		"2016,010,\"Sabor, \"\"x\"\"\",3.50\r\n2017,,,\r\n"
	if r.status != http.StatusOK || r.body != want {
		t.Errorf("got  %q\nwant %q", r.body, want)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/csv; charset=utf-8", "Content-Disposition": "attachment; filename=data.csv", "X-Total-Count": "31",
	} {
		if got := r.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	says(t, strings.Join(r.header.Values("Link"), "\n"), `&page=2&version=3>; rel="next"`)
	if failed := ask(t, h, asDashboard+"aggregate/?drilldown=x&format=csv"); failed.status != http.StatusBadRequest ||
		failed.problem(t).Code != cube.CodeUnknownRef {
		t.Errorf("a mistake: %d %s", failed.status, failed.body)
	}
}

func TestBabbage_Facts(t *testing.T) {
	f := newFake(t)
	f.facts = threeFacts()
	h := handler(t, f)
	const fields = asDashboard + "facts/?fields=Year.Year,approved_value,admin1_code.admin1_label"
	r := ask(t, h, fields+"&order=approved_value:desc")
	const want = `{"total_fact_count":539917,"data":[` +
		`{"Year.Year":2014,"approved_value":12345678901234567890.10,"admin1_code.admin1_label":"a \"b\", c","_resource":"a","_line":2},` +
		`{"Year.Year":2014,"approved_value":null,"admin1_code.admin1_label":null,"_resource":"a","_line":3},` +
		`{"Year.Year":2017,"approved_value":-1.00,"admin1_code.admin1_label":"x\u000d\ny","_resource":"b","_line":2}],` +
		`"cell":null,"fields":["Year.Year","approved_value","admin1_code.admin1_label"],"order":[["approved_value","desc"]],` +
		`"page":1,"page_size":100,"total_pages":5400,"links":{`
	if r.status != http.StatusOK || !strings.HasPrefix(r.body, want) {
		t.Errorf("got  %s\nwant %s", r.body, want)
	}
	f.run = yielding(row{Count: 1, Values: amounts("3")}, row{Values: amounts("3")})
	cut := ask(t, h, fields+`&cut=Year.Year:%202014;2017`)
	says(t, cut.body, `"cell":"Year.Year: 2014;2017"`, `"total_fact_count":3`,
		fromCroatia+`facts?fields=Year%7Capproved_value%7Cadmin1_label&cut=Year%3A2014%3B2017&pagesize=100&version=3"}`)
}

// A page behind the last has no facts, and says how many there are.
func TestBabbage_FactsPastTheEnd(t *testing.T) {
	f := newFake(t)
	f.facts = threeFacts()
	for _, page := range []string{"2", "999999"} {
		r := ask(t, handler(t, f), asDashboard+"facts/?pagesize=100&page="+page)
		says(t, r.body, `"total_fact_count":539917,"data":[],`, `"page":`+page+`,"page_size":100`)
	}
}

// There is one member a key, whatever the keys above it.
func TestBabbage_Members(t *testing.T) {
	h := answering(t, row{Values: amounts("4"), Count: 2},
		row{Keys: []cube.Value{cube.Text("01")}, Labels: []cube.Value{cube.Text("Sabor")}, Values: amounts("3")},
		row{Keys: []cube.Value{cube.Missing}, Labels: []cube.Value{cube.Missing}, Values: amounts("1")})
	r := ask(t, h, asDashboard+"members/admin2_code?cut=Year:2016&order=admin2_code.admin2_label:desc")
	const want = `{"total_member_count":2,"data":[` +
		`{"admin2_code.admin2_code":"01","admin2_code.admin2_label":"Sabor"},` +
		`{"admin2_code.admin2_code":null,"admin2_code.admin2_label":null}],` +
		`"cell":[{"ref":"Year.Year","term":0,"operator":":","value":[2016]}],` +
		`"fields":["admin2_code.admin2_code","admin2_code.admin2_label"],` +
		`"order":[["admin2_code.admin2_label","desc"]],"page":1,"page_size":100,"total_pages":1,`
	if r.status != http.StatusOK || !strings.HasPrefix(r.body, want) {
		t.Errorf("got  %s\nwant %s", r.body, want)
	}
	says(t, r.body, fromCroatia+`members/admin2_code?cut=Year%3A2016&page=1&pagesize=100&order=label%3Adesc&version=3"}`)
	h = answering(t, row{Values: amounts("3"), Count: 1}, row{Keys: []cube.Value{cube.Integer(2017)}, Values: amounts("3")})
	says(t, ask(t, h, asDashboard+"members/Year").body, `"data":[{"Year.Year":2017}]`)
	for order, want := range map[string]string{"Year:desc": "key%3Adesc", "_count": "rows%3Aasc"} {
		says(t, ask(t, h, asDashboard+"members/Year?order="+order).body, `&order=`+want+`&version=3"}`)
	}
}

func TestBabbage_Errors(t *testing.T) {
	h := handler(t, newFake(t))
	for _, tt := range []struct {
		path    string
		status  int
		code    cube.Code
		allowed string
	}{
		{asDashboard + "aggregate?drilldown=adm", 400, cube.CodeUnknownRef, "admin1_code.admin1_code"},
		{asDashboard + "aggregate?drilldown=", 400, cube.CodeBadSyntax, ""},
		{asDashboard + "aggregate?cut", 400, cube.CodeBadSyntax, ""},
		{asDashboard + "aggregate?cut=Year.Year:x", 400, cube.CodeBadValue, ""},
		{asDashboard + "aggregate?cut=approved_value:1", 400, cube.CodeUnknownRef, ""},
		{asDashboard + "aggregate?cut=Year.Year:2017-2016", 400, cube.CodeBadValue, ""},
		{asDashboard + "aggregate?cut=Year.Year:2016-", 400, cube.CodeBadValue, ""},
		{asDashboard + "aggregate?cut=admin1_code@nope:01", 400, cube.CodeUnknownRef, "admin1_code@administrative_classification"},
		{asDashboard + "aggregate?order=admin1_code.admin1_code", 400, cube.CodeUnknownRef, ""},
		{asDashboard + "aggregate?order=approved_value:desc", 400, cube.CodeUnknownRef, ""},
		{asDashboard + "facts?fields=x", 400, cube.CodeUnknownRef, "executed__cash"},
		{asDashboard + "members/nope", 400, cube.CodeUnknownRef, "Year.Year"},
		{asDashboard + "members/admin1_code,Year", 400, cube.CodeBadValue, ""},
		{asDashboard + "members/Year?order=unit", 400, cube.CodeUnknownRef, ""},
		{asDashboard + "model?version=9", 404, cube.CodeUnknownVersion, ""},
		{asDashboard + "model?callback=alert(1)", 400, cube.CodeBadValue, ""},
		{"/api/3/cubes/nope/model/", 404, cube.CodeUnknownCube, ""},
		{"/api/3/info/nope/package", 404, cube.CodeUnknownCube, ""},
		{"/api/3/cubes/nope/facts/?callback=x", 404, cube.CodeUnknownCube, ""},
	} {
		r := ask(t, h, tt.path)
		p := r.problem(t)
		if r.status != tt.status || p.Code != tt.code || r.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s", tt.path, r.status, r.body)
		}
		if tt.allowed != "" && !strings.Contains(r.body, `"`+tt.allowed+`"`) || tt.allowed == "" && strings.Contains(r.body, "allowed") {
			t.Errorf("%s: allowed is %s", tt.path, r.body)
		}
	}
}

// A callback becomes the body of a script, so its name has to be no more than a name.
func TestBabbage_Callbacks(t *testing.T) {
	f := newFake(t)
	f.cubes[0].Title = "line\u2028end"
	h := handler(t, f)
	r := ask(t, h, "/api/3/search/package?id=%22croatia%22&callback=a.$b_1")
	if !strings.HasPrefix(r.body, `a.$b_1 && a.$b_1([{"id":"croatia"`) || !strings.HasSuffix(r.body, "}])") || strings.Contains(r.body, "\u2028") {
		t.Errorf("the script is %s", r.body)
	}
	if media, sniff := r.header.Get("Content-Type"), r.header.Get("X-Content-Type-Options"); media != "application/javascript" || sniff != "nosniff" {
		t.Errorf("it is %s, %s", media, sniff)
	}
	wrong := ask(t, h, asDashboard+"aggregate?drilldown=nope&callback=show")
	if wrong.status != http.StatusBadRequest || wrong.header.Get("Content-Type") != "application/javascript" ||
		!strings.HasPrefix(wrong.body, `show && show({"status":"error","code":"unknown-ref"`) {
		t.Errorf("a mistake with a callback: %d %s", wrong.status, wrong.body)
	}
	for _, name := range []string{"", "1a", ".a", "a b", "a;b", "a[0]", "<script>", "a\n", "ž", "a-b", "a(b"} {
		if r := ask(t, h, "/api/3/cubes?callback="+urlEscaped(name)); r.status != http.StatusBadRequest {
			t.Errorf("callback %q: %d %s", name, r.status, r.body)
		}
	}
}

func urlEscaped(text string) string {
	return strings.NewReplacer(" ", "%20", "\n", "%0A", "<", "%3C", ">", "%3E", ";", "%3B").Replace(text)
}

// Whoever has the answer already gets none, and the store is not asked.
func TestBabbage_Tags(t *testing.T) {
	f := newFake(t)
	h := handler(t, f)
	for _, path := range []string{"model/", "aggregate/?drilldown=Year", "facts/", "members/Year/"} {
		tag := ask(t, h, asDashboard+path).header.Get("ETag")
		f.asked()
		r := ask(t, h, asDashboard+path, "If-None-Match", tag)
		if tag == "" || r.status != http.StatusNotModified || f.asked() != nil {
			t.Errorf("%s with the tag %s: %d", path, tag, r.status)
		}
	}
}

// The snapshots that a model declares are counted once here as everywhere, and the answer says so.
func TestBabbage_CountsSnapshotsOnce(t *testing.T) {
	f := monthly(t)
	r := ask(t, handler(t, f), "/api/3/cubes/monthly/aggregate/")
	s := f.asked()
	if s == nil || !slices.ContainsFunc(s.Filters(), func(one plan.Filter) bool { return one.Default }) {
		t.Fatalf("no default filter: %s", r.body)
	}
	says(t, r.body, `"cell":[{"ref":"year.year/month.month","term":0,"operator":":","value":[[2017,"12"]],"default":true},`,
		`"code":"snapshot-default"`)
}

// A viewer asks who looks at it with cookies, which a browser only lets through for the site itself.
func TestBabbage_NobodyIsSignedIn(t *testing.T) {
	h := handler(t, newFake(t))
	r := ask(t, h, "/api/3/user/check?next=http://viewer.example/&jwt=x", "Origin", "http://viewer.example")
	if r.status != http.StatusOK || r.body != `{"authenticated":false,"providers":{"google":{"url":null}}}` {
		t.Errorf("%d %s", r.status, r.body)
	}
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "http://viewer.example", "Access-Control-Allow-Credentials": "true",
	} {
		if got := r.header.Values(name); !slices.Equal(got, []string{want}) {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !strings.HasPrefix(r.header.Get("Vary"), "Origin") {
		t.Errorf("Vary is %q", r.header.Values("Vary"))
	}
	if other := ask(t, h, asDashboard+"model", "Origin", "http://viewer.example"); other.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Error("other answers are for cookies too")
	}
	if lib := ask(t, h, "/api/3/user/lib"); lib.header.Get("Content-Type") != "application/javascript" {
		t.Errorf("the script is %s", lib.header.Get("Content-Type"))
	}
}

// What the dialect leaves open is asked in our own grammar, and the answer says how it was understood.
func TestBabbage_Cuts(t *testing.T) {
	h := handler(t, newFake(t))
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
		got := r.question(t)
		if got != tt.want+"&aggregates=_count&page=1&pagesize=100" || !strings.Contains(r.body, `"cell":[`+tt.cell+`]`) {
			t.Errorf("%s: %s\nquestion %s\nwant %s\ncell %s", tt.cut, r.body, got, tt.want, tt.cell)
		}
	}
	drilled := ask(t, h, asDashboard+"aggregate/?drilldown=administrative_classification@administrative_classification:admin1_code")
	says(t, drilled.body, `"attributes":["admin1_code.admin1_code","admin1_code.admin1_label"]`)
}

// A viewer's box for text looks in all that a package says of itself; sizes that are none are not there.
func TestBabbage_SearchesText(t *testing.T) {
	h := handler(t, newFake(t))
	for query, want := range map[string]int{
		"": 2, "size=1": 1, "size=2": 2, "size=%221%22": 1, "size=-1": 0, "size=x": 2, "size=": 2,
		"q=%22CROATI%C3%81%22": 1, "q=ministry+budget": 1, "q=": 2, "q=%22%22": 2, "q=null": 0, "q=%22null%22": 0, "q=h%22r&size=5": 1, "unknown=1": 2,
	} {
		var list []struct{ ID string }
		ask(t, h, "/api/3/search/package?"+query).read(t, &list)
		if len(list) != want {
			t.Errorf("%s: %d packages, want %d", query, len(list), want)
		}
	}
}

// A mistake in a path has its position there.
func TestBabbage_MembersOfSeveralLevels(t *testing.T) {
	h := handler(t, newFake(t))
	for level, want := range map[string]string{
		"admin1_code,Year": `"parameter":"level","position":12,"hint":"for what there is of both ask …/aggregate?drilldown=admin1_code.admin1_code|Year.Year"`,
		"Year,nope":        `"parameter":"level","position":5`,
	} {
		if r := ask(t, h, asDashboard+"members/"+level); !strings.Contains(r.body, want) {
			t.Errorf("%s: %s, want %s", level, r.body, want)
		}
	}
}

func TestBabbage_Lists(t *testing.T) {
	h := handler(t, newFake(t))
	for path, want := range map[string]string{
		"/api/3/": `{"status":"ok","api":"babbage","message":"fiscube answers here as Babbage does; its own routes begin with /cubes",` +
			`"cubes_index_url":"http://example.com/api/3/cubes/","version":"0.4.0"}`,
		"/api/3/cubes/": `{"status":"ok","data":[{"name":"croatia"},{"name":"own:h\"r 100%/ž"}]}`,
		"/api/3/search/package?size=10000&jwt=x&package.owner=%22Ministry%22": `[{"id":"croatia","package":{"name":"croatia",` +
			`"title":"Croatia <Budget> & More","description":"","owner":"Ministry","author":"Ministry <>",` +
			`"resources":[{"name":"a","format":"csv"},{"name":"b","format":"csv"}]},"origin_url":"http://example.com/cubes/croatia/datapackage.json","loaded":true}]`,
		"/api/3/search/package?id=%22nope%22":             `[]`,
		"/api/3/search/package?q=%22nothing%20of%20it%22": `[]`,
		"/api/3/search/package?q=croatia+nope":            `[]`,
		"/api/3/search/package?size=0":                    `[]`,
	} {
		if r := ask(t, h, path); r.status != http.StatusOK || r.body != want {
			t.Errorf("%s: %d\ngot  %s\nwant %s", path, r.status, r.body, want)
		}
	}
	for _, path := range []string{"model/", "aggregate", "facts/"} {
		if r := ask(t, h, "/api/3/cubes/own%3Ah%22r%20100%25%2F%C5%BE/"+path); r.status != http.StatusOK {
			t.Errorf("a cube with an odd name: %s: %s", path, r.body)
		}
	}
}
