package api_test

import (
	"net/http"
	"strings"
	"testing"

	"fiscube/cube"
)

// The canonical question says what became of a raw query.
func TestParameters_QueryIsReadWhole(t *testing.T) {
	for _, test := range []struct{ name, raw, want string }{
		{"nothing", "", "aggregates=_count|approved_value.sum|\"executed: cash\".sum&page=1&pagesize=100"},
		{"semicolon", "cut=Year:2016;2017&aggregates=_count", "cut=Year:2016;2017&aggregates=_count&page=1&pagesize=100"},
		{"encoded semicolon", "cut=Year:2016%3B2017&aggregates=_count",
			"cut=Year:2016;2017&aggregates=_count&page=1&pagesize=100"},
		{"percent at the end", "cut=unit:50%&aggregates=_count", `cut=unit:"50%"&aggregates=_count&page=1&pagesize=100`},
		{"percent and one digit", "cut=unit:5%2&aggregates=_count", `cut=unit:"5%2"&aggregates=_count&page=1&pagesize=100`},
		{"percent and letters", "cut=unit:50%+of%zz&aggregates=_count",
			`cut=unit:"50% of%zz"&aggregates=_count&page=1&pagesize=100`},
		{"percent and a sign", "cut=unit:%%2B1%2b&aggregates=_count",
			`cut=unit:"%+1+"&aggregates=_count&page=1&pagesize=100`},
		{"spaces", "cut=unit:a+b%20c&aggregates=_count", `cut=unit:"a b c"&aggregates=_count&page=1&pagesize=100`},
		{"equals inside", "cut=unit:a=b&aggregates=_count", `cut=unit:"a=b"&aggregates=_count&page=1&pagesize=100`},
		{"ampersand inside", "cut=unit:R%26D&aggregates=_count", `cut=unit:"R&D"&aggregates=_count&page=1&pagesize=100`},
		{"bytes beyond ASCII", "cut=unit:ž%C5%BE&aggregates=_count", `cut=unit:"žž"&aggregates=_count&page=1&pagesize=100`},
		{"quotes and bars", `cut=unit:"a|b"|Year:2016&aggregates=_count`,
			`cut=Year:2016|unit:"a|b"&aggregates=_count&page=1&pagesize=100`},
		{"encoded name", "%63ut=Year:2016&aggregates=_count", "cut=Year:2016&aggregates=_count&page=1&pagesize=100"},
		{"repeated cut", "cut=Year:2016&cut=unit:a&aggregates=_count",
			`cut=Year:2016|unit:"a"&aggregates=_count&page=1&pagesize=100`},
		{"repeated lists", "drilldown=unit&aggregates=_count&drilldown=Year&aggregates=approved_value.max&order=Year&order=_count:desc",
			"drilldown=unit|Year&aggregates=_count|approved_value.max" +
				"&order=Year:asc,_count:desc,admin1_code:asc,unit:asc&page=1&pagesize=100"},
		{"passed over", "utm_source=x&_=1&utm_x&_ga&&aggregates=_count&", "aggregates=_count&page=1&pagesize=100"},
		{"page", "aggregates=_count&page=2&pagesize=10000", "aggregates=_count&page=2&pagesize=10000"},
		{"totals", "aggregates=_count&pagesize=0", "aggregates=_count&page=1&pagesize=0"},
		{"format json", "aggregates=_count&format=json", "aggregates=_count&page=1&pagesize=100"},
		{"CSV is whole", "aggregates=_count&format=csv", "aggregates=_count"},
		{"CSV of a page", "aggregates=_count&format=csv&page=2", "aggregates=_count&page=2&pagesize=100"},
		{"CSV of a page size", "aggregates=_count&format=csv&pagesize=7", "aggregates=_count&page=1&pagesize=7"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := ask(t, handler(t, newFake(t)), "/cubes/croatia/aggregate?"+cited(test.raw))
			if r.status != http.StatusOK {
				t.Fatalf("status %d: %s", r.status, r.body)
			}
			if got := r.question(t); got != test.want {
				t.Errorf("asked %s\nwant  %s", got, test.want)
			}
		})
	}
}

// cited asks a question with its citation, unless a file is asked for, which links to its question anyway.
func cited(raw string) string {
	if strings.Contains(raw, "format=csv") {
		return raw
	}
	return raw + "&cite=1"
}

func TestParameters_Accept(t *testing.T) {
	h := handler(t, newFake(t))
	for _, test := range []struct {
		query, accept string
		csv           bool
	}{
		{"", "", false},
		{"", "*/*", false},
		{"", "text/csv", true},
		{"", "TEXT/CSV; charset=utf-8", true},
		{"", "text/csv, */*", true},
		{"", "text/csv;q=0.9, */*;q=0.1", true},
		{"", "text/csv;q=0.5, application/json", false},
		{"", "application/json;q=0.5, text/csv", true},
		{"", "text/csv, application/json", false},
		{"", "text/csv;q=0.5, */*", false},
		{"", "text/csv;q=0", false},
		{"", "application/json;q=0, */*", true},
		{"", "application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false},
		{"?format=csv", "text/html,*/*;q=0.8", true},
		{"", "text/*, application/json;q=0.2", true},
		{"", "nonsense;;, text/csv", true},
		{"?format=json", "text/csv", false},
		{"?format=csv", "application/json", true},
	} {
		var headers []string
		if test.accept != "" {
			headers = []string{"Accept", test.accept}
		}
		r := ask(t, h, "/cubes/croatia/aggregate"+test.query, headers...)
		if csv := r.header.Get("Content-Type") == "text/csv; charset=utf-8"; csv != test.csv {
			t.Errorf("%s Accept: %s gives %s", test.query, test.accept, r.header.Get("Content-Type"))
		}
		if r.header.Get("Vary") != "Accept, Accept-Encoding" {
			t.Errorf("Vary: %s", r.header.Get("Vary"))
		}
	}
}

func TestParameters_NamesInThePath(t *testing.T) {
	h := handler(t, newFake(t))
	for _, name := range []string{
		"own%3Ah%22r%20100%25%2F%C5%BE", `own:h%22r%20100%25%2Fž`, "own:h%22r%20100%25%2f%c5%be",
	} {
		for _, path := range []string{"", "/", "/model", "/model/", "/aggregate", "/aggregate/"} {
			if r := ask(t, h, "/cubes/"+name+path); r.status != http.StatusOK {
				t.Errorf("%s%s: status %d: %s", name, path, r.status, r.body)
			}
		}
	}
	if p := ask(t, h, "/cubes/own%253A").problem(t); p.Message != `no cube "own%3A"` {
		t.Errorf("message %s", p.Message)
	}
}

func TestParameters_BadRequests(t *testing.T) {
	const (
		list = "the parameters are drilldown, cut, aggregates, having, order, snapshots, rollup, top, remainder, compare, fill, " +
			"page, pagesize, format, excel, numbers, links, cite, lang, version; write & inside a value as %26"
		once     = "give it once"
		leaveOut = "leave the parameter out to ask without it"
	)
	for _, test := range []struct {
		raw       string
		code      cube.Code
		parameter string
		position  int
		hint      string
	}{
		{"drildown=Year", cube.CodeUnknownParameter, "drildown", 0, "did you mean drilldown?"},
		{"Cut=Year:2016", cube.CodeUnknownParameter, "Cut", 0, "did you mean cut?"},
		{"limit=7", cube.CodeUnknownParameter, "limit", 0, "did you mean pagesize?"},
		{"offset=7", cube.CodeUnknownParameter, "offset", 0, "did you mean page?"},
		{"sort=Year", cube.CodeUnknownParameter, "sort", 0, "did you mean order?"},
		{"group_by=Year", cube.CodeUnknownParameter, "group_by", 0, "did you mean drilldown?"},
		{"measures=a", cube.CodeUnknownParameter, "measures", 0, "did you mean aggregates?"},
		{"filter=a", cube.CodeUnknownParameter, "filter", 0, "did you mean cut?"},
		{"where=a", cube.CodeUnknownParameter, "where", 0, "did you mean cut?"},
		{"page_size=7", cube.CodeUnknownParameter, "page_size", 0, "did you mean pagesize?"},
		{"quantity=7", cube.CodeUnknownParameter, "quantity", 0, list},
		{`cut=unit:"R&D"`, cube.CodeUnknownParameter, `D"`, 0, list},
		{"=7", cube.CodeUnknownParameter, "", 0, list},
		{"%ff=7", cube.CodeUnknownParameter, "\ufffd", 0, list},
		{"utm=7", cube.CodeUnknownParameter, "utm", 0, list},
		{"cut", cube.CodeBadSyntax, "cut", 0, "write cut=…"},
		{"page", cube.CodeBadSyntax, "page", 0, "write page=…"},
		{"nothing", cube.CodeUnknownParameter, "nothing", 0, list},
		{"snapshots=last", cube.CodeBadValue, "snapshots", 0,
			"the only choice is all; without it one statement of each period is counted"},
		{"snapshots=", cube.CodeBadValue, "snapshots", 0,
			"the only choice is all; without it one statement of each period is counted"},
		{"snapshots=all&snapshots=all", cube.CodeBadValue, "snapshots", 0, once},
		{"page=1&page=1", cube.CodeBadPage, "page", 0, once},
		{"pagesize=1&pagesize=2", cube.CodeBadPage, "pagesize", 0, once},
		{"format=csv&format=csv", cube.CodeBadValue, "format", 0, once},
		{"numbers=string&numbers=string", cube.CodeBadValue, "numbers", 0, once},
		{"page=", cube.CodeBadPage, "page", 0, leaveOut},
		{"pagesize=", cube.CodeBadPage, "pagesize", 0, leaveOut},
		{"page=0", cube.CodeBadPage, "page", 0, "write page=1"},
		{"page=1.5", cube.CodeBadPage, "page", 0, "write page=1"},
		{"page=99999999999999999999", cube.CodeBadPage, "page", 0, "at most page=1099511627776"},
		{"pagesize=10001", cube.CodeBadPage, "pagesize", 0, "at most pagesize=10000"},
		{"pagesize=-1", cube.CodeBadPage, "pagesize", 0, "write pagesize=100"},
		{"format=xml", cube.CodeBadValue, "format", 0, "the formats are json, csv, ndjson, xlsx, parquet, arrow"},
		{"format=", cube.CodeBadValue, "format", 0, "the formats are json, csv, ndjson, xlsx, parquet, arrow"},
		{"format=xml&page=0", cube.CodeBadPage, "page", 0, "write page=1"},
		{"numbers=float", cube.CodeBadValue, "numbers", 0, "the only choice is string"},
		{"drilldown=", cube.CodeBadSyntax, "drilldown", 0, leaveOut},
		{"cut=", cube.CodeBadSyntax, "cut", 0, leaveOut},
		{"cut=&cut=Year:2016", cube.CodeBadSyntax, "cut", 0, "leave out this |"},
		{"aggregates=", cube.CodeBadSyntax, "aggregates", 0, leaveOut},
		{"order=", cube.CodeBadSyntax, "order", 0, leaveOut},
		{"drilldown=%ff", cube.CodeBadSyntax, "drilldown", 0, "encode it as UTF-8"},
		{"cut=unit:%00", cube.CodeBadSyntax, "cut", 5, "leave it out"},
		{"drilldown=admin1_cod", cube.CodeUnknownRef, "drilldown", 0, "did you mean admin1_code?"},
		{"drilldown=Year|admin1_cod", cube.CodeUnknownRef, "drilldown", 5, "did you mean admin1_code?"},
		{"drilldown=Year&drilldown=admin1_cod", cube.CodeUnknownRef, "drilldown", 5, "did you mean admin1_code?"},
		{"drilldown=Year;unit", cube.CodeBadSyntax, "drilldown", 4, "write | between them, as Year|unit"},
		{"drilldown=other", cube.CodeAmbiguousRef, "drilldown", 0, "name one of its levels: econ_code, fin_code"},
		{"drilldown=approved_value", cube.CodeUnknownRef, "drilldown", 0, "measures go into aggregates, as approved_value.sum"},
		{"cut=Year", cube.CodeBadSyntax, "cut", 4, "write Year:VALUE"},
		{"cut=Year:2016;x", cube.CodeBadValue, "cut", 10, "write digits alone, as 2016"},
		{"cut=Year:2016&cut=Year:x", cube.CodeBadValue, "cut", 15, "write digits alone, as 2016"},
		{"cut=unit:%C5%BE&cut=yeer:1", cube.CodeUnknownRef, "cut", 7, "did you mean Year?"},
		{"cut=unit:1..22", cube.CodeBadValue, "cut", 5, "keys of text compare only at one length, as 01..12"},
		{"cut=unit:~%22+%22", cube.CodeBadSyntax, "cut", 5, "write a part of a key or a label, as ~health"},
		{"aggregates=approved_value.median", cube.CodeUnknownRef, "aggregates", 0, "the functions are sum, count, avg, min, max"},
		{"aggregates=_count|aproved_value.sum", cube.CodeUnknownRef, "aggregates", 7, "did you mean approved_value?"},
		{"order=_count:down", cube.CodeBadSyntax, "order", 7, "write _count:desc"},
		{"order=_count&order=Year", cube.CodeUnknownRef, "order", 7,
			`the columns are _count, approved_value.sum, "executed: cash".sum`},
		{"having=", cube.CodeBadSyntax, "having", 0, leaveOut},
		{"having=_count>1&having=_count", cube.CodeBadSyntax, "having", 15, "the comparisons are < <= = >= > !="},
		{"having=_count>x", cube.CodeBadSyntax, "having", 7, "as 1500 or -0.25"},
		{"rollup=yes", cube.CodeBadValue, "rollup", 0, "write rollup=1"},
		{"rollup=1&rollup=1", cube.CodeBadValue, "rollup", 0, once},
		{"top=3", cube.CodeBadSyntax, "top", 0, "name the levels to group by"},
		{"top=0&drilldown=Year", cube.CodeBadValue, "top", 0, "write top=10"},
		{"remainder=1&drilldown=Year", cube.CodeBadSyntax, "remainder", 0, "add top=10"},
		{"compare=Year:-1", cube.CodeBadValue, "compare", 0, "add it to the drilldown, or cut it"},
		{"compare=Year:-1&compare=Year:-2&drilldown=Year", cube.CodeBadSyntax, "compare", 8, "ask once for each"},
		{"compare=unit:-1&drilldown=unit", cube.CodeBadValue, "compare", 0, "Year holds whole numbers"},
		{"fill=1&drilldown=Year", cube.CodeBadValue, "fill", 0, "gaps are filled with null or zero"},
		{"fill=zero&drilldown=unit", cube.CodeBadValue, "fill", 0, "Year holds whole numbers"},
		{"aggregates=share(share(_count))", cube.CodeBadSyntax, "aggregates", 0, "ask the share of a sum, a count, or a diff of these"},
	} {
		t.Run(test.raw, func(t *testing.T) {
			store := newFake(t)
			r := ask(t, handler(t, store), "/cubes/croatia/aggregate?"+test.raw)
			p := r.problem(t)
			if r.status != http.StatusBadRequest || p.Code != test.code || p.Context.Hint != test.hint {
				t.Errorf("status %d: %s", r.status, r.body)
			}
			if p.Context.Parameter == nil || *p.Context.Parameter != test.parameter || *p.Context.Position != test.position {
				t.Errorf("want %s at %d: %s", test.parameter, test.position, r.body)
			}
			if store.asked() != nil {
				t.Error("the store was asked")
			}
		})
	}
}

const (
	noParameters = "this path takes no parameters"
	onlyVersion  = "the only parameter is version"
	langVersion  = "the parameters are lang, version; write & inside a value as %26"
)

func TestParameters_RoutesWithoutAny(t *testing.T) {
	h := handler(t, newFake(t))
	for path, hint := range map[string]string{
		"/cubes": "the only parameter is lang", "/cubes/croatia/versions": noParameters, "/healthz": noParameters,
		"/readyz": noParameters, "/openapi.yaml": noParameters, "/schemas/overlay.schema.json": noParameters, "/cubes/croatia": langVersion, "/cubes/croatia/model/": langVersion,
		"/cubes/croatia/report": langVersion, "/cubes/croatia/datapackage.json": onlyVersion, "/cubes/croatia/image": onlyVersion,
	} {
		p := ask(t, h, path+"?format=csv").problem(t)
		if p.Code != cube.CodeUnknownParameter || *p.Context.Parameter != "format" || p.Context.Hint != hint {
			t.Errorf("%s: %+v", path, p)
		}
		if r := ask(t, h, path+"?utm_source=letter&_=1"); r.status != http.StatusOK {
			t.Errorf("%s: status %d", path, r.status)
		}
	}
}
