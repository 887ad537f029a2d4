package api_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// threeFacts are the Year, approved_value and admin1_label of three facts.
func threeFacts() []plan.Fact {
	fact := func(resource int, line, year int64, amount, label string) plan.Fact {
		f := plan.Fact{Resource: resource, Line: line, Values: make([]plan.FactValue, 3)}
		f.Values[0].Value = cube.Integer(year)
		if amount != "" {
			f.Values[1].Amount = decimal.NewNullDecimal(decimal.RequireFromString(amount))
		}
		f.Values[2].Value = cube.Text(label)
		return f
	}
	return []plan.Fact{
		fact(0, 2, 2014, "12345678901234567890.10", `a "b", c`), fact(0, 3, 2014, "", ""), fact(1, 2, 2017, "-1", "x\r\ny"),
	}
}

const threeFields = "/cubes/croatia/facts?fields=Year|approved_value|admin1_label"

func TestFacts(t *testing.T) {
	f := newFake(t)
	f.facts = threeFacts()
	r := ask(t, handler(t, f), threeFields+"&order=approved_value:desc")
	want := `{"status":"ok","cube":"croatia","version":3,"synthetic":false,"total_fact_count":539917,` +
		`"fields":["Year","approved_value","admin1_label","_resource","_line"],"facts":[` +
		`{"Year":2014,"approved_value":12345678901234567890.10,"admin1_label":"a \"b\", c","_resource":"a","_line":2},` +
		`{"Year":2014,"approved_value":null,"admin1_label":null,"_resource":"a","_line":3},` +
		`{"Year":2017,"approved_value":-1.00,"admin1_label":"x\u000d\ny","_resource":"b","_line":2}],` +
		`"next":null,"cell":[],"order":[["approved_value","desc"]],"page_size":100,"warnings":[]}`
	if r.status != http.StatusOK || r.body != want {
		t.Errorf("got  %s\nwant %s", r.body, want)
	}
	if link := r.header.Get("Link"); strings.Contains(link, "next") {
		t.Errorf("the last page leads to %s", link)
	}
	if quoted := ask(t, handler(t, f), threeFields+"&numbers=string"); !strings.Contains(quoted.body,
		`{"Year":2014,"approved_value":"12345678901234567890.10",`) {
		t.Errorf("amounts as strings: %s", quoted.body)
	}
}

func TestFacts_CSV(t *testing.T) {
	f := newFake(t)
	f.facts = threeFacts()
	r := ask(t, handler(t, f), threeFields, "Accept", "text/csv")
	want := "Year,approved_value,admin1_label,_resource,_line\r\n" +
		"2014,12345678901234567890.10,\"a \"\"b\"\", c\",a,2\r\n2014,,,a,3\r\n2017,-1.00,\"x\r\ny\",b,2\r\n"
	if r.status != http.StatusOK || r.body != want {
		t.Errorf("got  %q\nwant %q", r.body, want)
	}
	if name := r.header.Get("Content-Disposition"); name != "attachment; filename=croatia-facts-fields-Year-approved_value-admin1_label-6373e3c6-v3.csv" {
		t.Errorf("it is called %s", name)
	}
}

// The link of a page has the rest of its question, the token and the version.
func TestFacts_NextPage(t *testing.T) {
	f := newFake(t)
	f.facts = threeFacts()
	h := handler(t, f)
	question := threeFields + "&cut=Year%3A..2017&snapshots=all&pagesize=2"
	f.run = yielding(row{Count: 1, Values: amounts("3")}, row{Values: amounts("3")})
	var page struct {
		TotalFactCount int64 `json:"total_fact_count"`
		Facts          []any
		Next           string
	}
	r := ask(t, h, question)
	r.read(t, &page)
	want := "<?fields=Year%7Capproved_value%7Cadmin1_label&cut=Year%3A..2017&snapshots=all&pagesize=2&after=" + page.Next +
		`&version=3>; rel="next"`
	if len(page.Facts) != 2 || page.TotalFactCount != 3 || page.Next == "" || r.header.Get("Link") != want {
		t.Fatalf("Link is %s, want %s\n%s", r.header.Get("Link"), want, r.body)
	}
	f.facts, f.run = f.facts[2:], failing(errors.New("the facts were counted again"))
	link, _, _ := strings.Cut(strings.TrimPrefix(want, "<"), ">")
	r = ask(t, h, "/cubes/croatia/facts"+link)
	if r.read(t, &page); r.status != http.StatusOK || page.TotalFactCount != 3 || len(page.Facts) != 1 {
		t.Errorf("the second page is %s", r.body)
	}
	for _, tt := range []struct{ question, message, hint string }{
		{"?after=" + page.Next, "after belongs to another question", "leave after out"},
		{"?cut=Year:..2016&after=" + page.Next, "after belongs to another question", "the same cut"},
		{"?after=x!", "after is no token of this service", "take it from next"},
		{"?after=", "after is empty", ""},
	} {
		p := ask(t, h, "/cubes/croatia/facts"+tt.question).problem(t)
		if p.Code != cube.CodeBadValue || *p.Context.Parameter != "after" || p.Message != tt.message ||
			!strings.Contains(p.Context.Hint, tt.hint) {
			t.Errorf("%s: %v", tt.question, p)
		}
	}
	f.cubes[0].Version, f.cubes[0].Fingerprint = 4, "f4"
	p := ask(t, h, question+"&after="+page.Next).problem(t)
	if p.Code != cube.CodeBadValue || !strings.Contains(p.Context.Hint, "add version=3 to go on") {
		t.Errorf("of a version served no more: %v", p)
	}
}

func TestFacts_Mistakes(t *testing.T) {
	h := handler(t, newFake(t))
	for question, code := range map[string]cube.Code{
		"fields=":                                   cube.CodeBadSyntax,
		"fields=nothing":                            cube.CodeUnknownRef,
		"fields=administrative-classification":      cube.CodeUnknownRef,
		"fields=units.admin1_code":                  cube.CodeUnknownRef,
		"order=approved_value.sum":                  cube.CodeUnknownRef,
		"order=_count":                              cube.CodeUnknownRef,
		"cut=Year:x":                                cube.CodeBadValue,
		"pagesize=10001":                            cube.CodeBadPage,
		"pagesize=-1":                               cube.CodeBadPage,
		"pagesize=":                                 cube.CodeBadPage,
		"pagesize=1&pagesize=2":                     cube.CodeBadPage,
		"page=2":                                    cube.CodeUnknownParameter,
		"drilldown=Year":                            cube.CodeUnknownParameter,
		"format=xml":                                cube.CodeBadValue,
		"snapshots=last":                            cube.CodeBadValue,
		"after=a&after=b":                           cube.CodeBadValue,
		"after=" + strings.Repeat("A", 64<<10+1):    cube.CodeBadValue,
		"version=9&fields=administrative":           cube.CodeUnknownVersion,
		"fields=administrative-classification.Year": cube.CodeUnknownRef,
	} {
		if p := ask(t, h, "/cubes/croatia/facts?"+question).problem(t); p.Code != code || p.Message == "" {
			t.Errorf("%.60s: %s, want %s", question, p.Code, code)
		}
	}
}

// A store that fails after part of an export must cut the answer: see TestCutCSV for aggregates.
func TestFacts_Fail(t *testing.T) {
	f := newFake(t)
	f.factsErr = cube.Errorf(cube.CodeUnavailable, "the store is away")
	for _, path := range []string{threeFields, threeFields + "&format=csv", "/cubes/croatia/resources/a"} {
		r := ask(t, handler(t, f), path)
		if r.status != http.StatusServiceUnavailable || r.problem(t).Code != cube.CodeUnavailable {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
}

func TestResource(t *testing.T) {
	f := newFake(t)
	f.cubes[0].Resources[1].Header = []string{"approved_value", "unit"}
	fact := plan.Fact{Resource: 1, Line: 2, Values: make([]plan.FactValue, 2)}
	fact.Values[0].Amount = decimal.NewNullDecimal(decimal.RequireFromString("1.5"))
	fact.Values[1].Value = cube.Text("x,y")
	f.facts = []plan.Fact{fact}
	h := handler(t, f)
	if r := ask(t, h, "/cubes/croatia/resources/b"); r.body != "approved_value,unit\r\n1.50,\"x,y\"\r\n" {
		t.Errorf("got %q", r.body)
	}
	f.facts = append(f.facts, plan.Fact{Resource: 1, Line: 4, Values: make([]plan.FactValue, 2)}, plan.Fact{Resource: 1, Line: 9, Values: make([]plan.FactValue, 2)})
	if r := ask(t, h, "/cubes/croatia/resources/b?line=3&around=1"); r.status != http.StatusOK ||
		!strings.Contains(r.body, `"line":3,"fields":["approved_value","unit"],"lines":[{"line":2,"cells":["1.50","x,y"]},{"line":4,"cells":[null,null]}],`) {
		t.Errorf("got %q", r.body)
	}
	for _, query := range []string{"around=1", "line=0", "line=x", "line=2&around=101", "line=2&around=-1"} {
		if p := ask(t, h, "/cubes/croatia/resources/b?"+query).problem(t); p.Code != cube.CodeBadValue {
			t.Errorf("%s: %v", query, p)
		}
	}
	f.cubes[0].Resources[0].LeftOut = "its rows are all in b"
	for _, tt := range []struct{ path, hint string }{{"a", "its rows are all in b"}, {"c", "did you mean"}, {"a%2Fb", ""}} {
		if p := ask(t, h, "/cubes/croatia/resources/"+tt.path).problem(t); p.Code != cube.CodeUnknownResource ||
			!strings.Contains(p.Context.Hint, tt.hint) {
			t.Errorf("%s: %v", tt.path, p)
		}
	}
}
