package api_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
)

const membersOf = "/cubes/croatia/members/admin2_code"

// named is a store with two members, one of which was renamed and one of which is missing.
func named(t testing.TB) *fake {
	t.Helper()
	store := newFake(t)
	store.members = []plan.MemberRow{{
		Path: []cube.Value{cube.Text("010"), cube.Text(`"2`)}, Label: cube.Text("Novi, naziv"), Rows: 12,
		First: cube.Integer(2014), Last: cube.Integer(2016),
		Labels: []plan.LabelUse{{Text: "Novi, naziv", Years: []int64{2016}}, {Text: "Stari", Years: []int64{2014, 2015}}, {Text: "?"}},
	}, {Path: []cube.Value{cube.Text("010"), cube.Missing}, Rows: 1}}
	return store
}

const (
	twoMembers = `{"path":"010/\"\\\"2\"","key":"\"2","label":"Novi, naziv","labels":[{"label":"Novi, naziv","years":[2016]},` +
		`{"label":"Stari","years":[2014,2015]},{"label":"?","years":[]}],"years":[2014,2016],"rows":12},` +
		`{"path":"010/","key":null,"label":null,"labels":[],"years":null,"rows":1}`
	twoRecords = "admin1_code,admin2_code,admin2_label,_rows,_first_year,_last_year\r\n" +
		"010,\"\"\"2\",\"Novi, naziv\",12,2014,2016\r\n010,,,1,,\r\n"
)

func TestMembers(t *testing.T) {
	h := handler(t, named(t))
	for target, want := range map[string]string{
		membersOf + "?page=2&pagesize=7":                                               twoMembers + `],"page":2,"page_size":7,"warnings":[]}`,
		membersOf + "?complete=1":                                                      twoMembers + `],"page":1,"page_size":2,"warnings":[]}`,
		"/cubes/croatia/members/admin2_label?complete=0":                               twoMembers + `],"page":1,"page_size":100,"warnings":[]}`,
		"/cubes/croatia/members/administrative-classification.admin2_code/?complete=0": twoMembers + `],"page":1,"page_size":100,"warnings":[]}`,
	} {
		want = `{"status":"ok","cube":"croatia","version":3,"synthetic":false,"total_member_count":2,"members":[` + want
		if got := ask(t, h, target).body; got != want {
			t.Errorf("%s\ngot  %s\nwant %s", target, got, want)
		}
	}
	for _, r := range []response{ask(t, h, membersOf+"?format=csv"), ask(t, h, membersOf, "Accept", "text/csv")} {
		if r.body != twoRecords || r.header.Get("Content-Type") != "text/csv; charset=utf-8" ||
			r.header.Get("Content-Disposition") != "attachment; filename=croatia-members-admin2_code-v3.csv" {
			t.Errorf("as CSV %q, %v", r.body, r.header)
		}
	}
}

func TestMembers_PagesAreLinked(t *testing.T) {
	h := handler(t, named(t))
	for target, want := range map[string][]string{
		membersOf + "?page=2&pagesize=1": {`<?pagesize=1&page=1&version=3>; rel="prev"`,
			`<?pagesize=1&page=1&version=3>; rel="first"`, `<?pagesize=1&page=2&version=3>; rel="last"`},
		membersOf + "?pagesize=1": {`<?pagesize=1&page=2&version=3>; rel="next"`,
			`<?pagesize=1&page=1&version=3>; rel="first"`, `<?pagesize=1&page=2&version=3>; rel="last"`},
		membersOf:                   {`<?page=1&version=3>; rel="first"`, `<?page=1&version=3>; rel="last"`},
		membersOf + "?complete=1":   nil,
		membersOf + "?pagesize=0&q": nil,
	} {
		if got := paging(ask(t, h, target)); !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", target, got, want)
		}
	}
}

// The link to the question of a page leads to that page.
func TestMembers_PagesAsFilesLinkToThemselves(t *testing.T) {
	f := named(t)
	f.facts = threeFacts()
	h := handler(t, f)
	var page struct{ Next string }
	ask(t, h, "/cubes/croatia/facts?pagesize=2&fields=Year|approved_value|admin1_label").read(t, &page)
	for target, want := range map[string]string{
		membersOf + "?format=csv&page=2&pagesize=3": "/members/admin2_code?page=2&pagesize=3&version=3>",
		membersOf + "?format=csv&page=2":            "/members/admin2_code?page=2&pagesize=100&version=3>",
		membersOf + "?format=csv":                   "/members/admin2_code?version=3>",
		"/cubes/croatia/facts?fields=Year|approved_value|admin1_label&format=csv&pagesize=2":                    "/facts?fields=Year%7Capproved_value%7Cadmin1_label&pagesize=2&version=3>",
		"/cubes/croatia/facts?fields=Year|approved_value|admin1_label&format=csv&pagesize=2&after=" + page.Next: "/facts?fields=Year%7Capproved_value%7Cadmin1_label&pagesize=2&after=" + page.Next + "&version=3>",
		"/cubes/croatia/facts?fields=Year|approved_value|admin1_label&format=csv":                               "/facts?fields=Year%7Capproved_value%7Cadmin1_label&version=3>",
	} {
		links := ask(t, h, target).header.Values("Link")
		if want = "<http://example.com/cubes/croatia" + want + `; rel="canonical"`; page.Next == "" || !slices.Contains(links, want) {
			t.Errorf("%s: %q, want %s", target, links, want)
		}
	}
}

func TestMembers_Mistakes(t *testing.T) {
	h := handler(t, named(t))
	for _, tt := range []struct {
		target    string
		status    int
		code      cube.Code
		parameter string
		hint      string
	}{
		{"/cubes/croatia/members/admin3_code", 404, cube.CodeUnknownLevel, "", "did you mean admin1_code?"},
		{"/cubes/croatia/members/date.admin1_code", 404, cube.CodeUnknownLevel, "", "did you mean admin1_code?"},
		{"/cubes/croatia/members/other", 404, cube.CodeUnknownLevel, "", "name one of its levels: econ_code, fin_code"},
		{"/cubes/zagreb/members/admin1_code", 404, cube.CodeUnknownCube, "", ""},
		{membersOf + "?version=9", 404, cube.CodeUnknownVersion, "", "version 3 is served"},
		{membersOf + "?q=", 400, cube.CodeBadSyntax, "q", "leave the parameter out to ask without it"},
		{membersOf + "?q=%20&q=x", 400, cube.CodeBadValue, "q", ""},
		{membersOf + "?q=%ff", 400, cube.CodeBadSyntax, "q", ""},
		{membersOf + "?cut=", 400, cube.CodeBadSyntax, "cut", "leave the parameter out to ask without it"},
		{membersOf + "?cut=x:1", 400, cube.CodeUnknownRef, "cut", ""},
		{membersOf + "?parent=010/02", 400, cube.CodeBadValue, "parent", `write a slash that belongs to a code inside quotes: "a/b"`},
		{membersOf + "?parent=010;020", 400, cube.CodeBadSyntax, "parent", ""},
		{"/cubes/croatia/members/admin1_code?parent=", 400, cube.CodeBadValue, "parent",
			`write a slash that belongs to a code inside quotes: "a/b"`},
		{membersOf + "?order=size", 400, cube.CodeBadValue, "order",
			"write label, key or rows, with :asc or :desc behind it; without it the order is that of the paths"},
		{membersOf + "?order=rows:", 400, cube.CodeBadValue, "order",
			"write label, key or rows, with :asc or :desc behind it; without it the order is that of the paths"},
		{membersOf + "?page=0", 400, cube.CodeBadPage, "page", ""},
		{membersOf + "?pagesize=", 400, cube.CodeBadPage, "pagesize", ""},
		{membersOf + "?complete=1&page=1", 400, cube.CodeBadPage, "page", "leave out page or complete"},
		{membersOf + "?complete=all", 400, cube.CodeBadValue, "complete", "write complete=1"},
		{membersOf + "?drilldown=unit", 400, cube.CodeUnknownParameter, "drilldown", ""},
	} {
		r := ask(t, h, tt.target)
		p := r.problem(t)
		parameter := ""
		if p.Context.Parameter != nil {
			parameter = *p.Context.Parameter
		}
		if r.status != tt.status || p.Code != tt.code || parameter != tt.parameter || tt.hint != "" && p.Context.Hint != tt.hint {
			t.Errorf("%s: status %d: %s", tt.target, r.status, r.body)
		}
	}
}

// What a store began to tell must not be taken for the whole.
func TestMembers_EndEarly(t *testing.T) {
	store := named(t)
	store.membersErr = errors.New("the line is cut")
	h := handler(t, store)
	for _, target := range []string{membersOf, membersOf + "?complete=1", membersOf + "?format=csv"} {
		if r := ask(t, h, target); r.status != http.StatusInternalServerError {
			t.Errorf("%s: status %d: %s", target, r.status, r.body)
		}
	}
	for range 12 {
		store.members = append(store.members, store.members...)
	}
	for _, target := range []string{membersOf + "?complete=1", membersOf + "?format=csv"} {
		server := httptest.NewServer(h)
		response, err := http.Get(server.URL + target)
		if err == nil {
			_, err = io.ReadAll(response.Body)
			_ = response.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: nothing tells that the rest is missing", target)
		}
		server.Close()
	}
}

// A cut that names no member has a warning, in JSON and in the header of CSV.
func TestMembers_UnknownMembersAreWarned(t *testing.T) {
	store := named(t)
	store.absent = map[string][]string{"Hrvatski sabo": {"Hrvatski sabor", "Vlada"}, "099": nil}
	h := handler(t, store)
	const cut = "?cut=admin1_label:Hrvatski+sabo;Vlada|!unit:099;098|econ_code:~098"
	want := []cube.Warning{
		{Code: "no-such-member", Weight: cube.Note, Message: `unit: there is no member "099"`},
		{Code: "no-such-member", Weight: cube.Note, Message: `admin1_label: there is no member "Hrvatski sabo" (did you mean "Hrvatski sabor"?)`},
	}
	for _, target := range []string{"/cubes/croatia/aggregate" + cut, membersOf + cut, membersOf + cut + "&complete=1"} {
		var body struct{ Warnings []cube.Warning }
		ask(t, h, target).read(t, &body)
		if len(body.Warnings) != 2 || body.Warnings[0] != want[0] || body.Warnings[1] != want[1] {
			t.Errorf("%s warns %v", target, body.Warnings)
		}
	}
	const header = `no-such-member;message=%"unit: there is no member %22099%22", no-such-member;message=` +
		`%"admin1_label: there is no member %22Hrvatski sabo%22 (did you mean %22Hrvatski sabor%22?)"`
	for _, target := range []string{"/cubes/croatia/aggregate", membersOf} {
		if got := ask(t, h, target+cut+"&format=csv").header.Get("Fiscube-Warnings"); got != header {
			t.Errorf("%s: the header is %s", target, got)
		}
	}
}

// Warnings of members and facts are in the language asked for, also beside kept answers in another one.
func TestMembersAndFacts_WarnInALanguage(t *testing.T) {
	store := named(t)
	store.absent = map[string][]string{"099": nil}
	h := handler(t, store)
	said := map[string]string{"": "there is no member", "&lang=en": "there is no member", "&lang=es": "no existe el miembro", "&lang=hr": "nema"}
	for _, target := range []string{membersOf, membersOf + "?complete=1", "/cubes/croatia/facts", "/cubes/croatia/facts?format=csv", membersOf + "?format=csv"} {
		target += "&cut=!unit:099"
		if !strings.Contains(target, "?") {
			target = strings.Replace(target, "&", "?", 1)
		}
		for lang, want := range said {
			r := ask(t, h, target+lang)
			if r.status != http.StatusOK || !strings.Contains(r.body+r.header.Get("Fiscube-Warnings"), `unit: `+want+` `) {
				t.Errorf("%s: %d %s %s, want %s", target+lang, r.status, r.header.Get("Fiscube-Warnings"), r.body, want)
			}
		}
		if p := ask(t, h, target+"&lang=tlh").problem(t); p.Code != cube.CodeBadValue || *p.Context.Parameter != "lang" {
			t.Errorf("%s: %+v", target, p)
		}
	}
}

func TestMembers_LabelsInCuts(t *testing.T) {
	var body struct {
		Cell []struct {
			Ref, Operator string
			Value         []any
			Not           bool
		}
	}
	ask(t, handler(t, newFake(t)), "/cubes/croatia/aggregate?cut=!admin1_label:b;~x;a;").read(t, &body)
	got, _ := json.Marshal(body.Cell)
	const want = `[{"Ref":"admin1_label","Operator":":","Value":[null,"a","b"],"Not":true},` +
		`{"Ref":"admin1_label","Operator":"~","Value":["x"],"Not":true}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
