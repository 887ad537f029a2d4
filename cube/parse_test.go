package cube_test

import (
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
)

func ref(parameter string, offset int, parts ...string) cube.Ref {
	r := cube.Ref{Name: parts[len(parts)-1], At: cube.Position{Parameter: parameter, Offset: offset}}
	if len(parts) == 2 {
		r.Dimension = parts[0]
	}
	return r
}

func TestParseDrilldown(t *testing.T) {
	drilled := func(offset int, parts ...string) cube.Ref { return ref("drilldown", offset, parts...) }
	for _, tt := range []struct {
		name, text string
		want       []cube.Ref
	}{
		{"a field", "Year", []cube.Ref{drilled(0, "Year")}},
		{"several fields keep their order", "b|a|b", []cube.Ref{drilled(0, "b"), drilled(2, "a"), drilled(4, "b")}},
		{"a dimension with a field", "date.Year", []cube.Ref{drilled(0, "date", "Year")}},
		{"a bare name goes on over spaces, % + - & ; no sign of the grammar",
			"50% & more+-", []cube.Ref{drilled(0, "50% & more+-")}},
		{"a bare name keeps its outer spaces", " a | b ", []cube.Ref{drilled(0, " a "), drilled(4, " b ")}},
		{"a bare name in any script", "función|Функција|年度",
			[]cube.Ref{drilled(0, "función"), drilled(8, "Функција"), drilled(17, "年度")}},
		{"a JSON string holds the signs of the grammar", `"a|b:c;d,e.f~g!h<i>j=k(l)m/n"`,
			[]cube.Ref{drilled(0, "a|b:c;d,e.f~g!h<i>j=k(l)m/n")}},
		{"a JSON string has escapes", `"say \"a\\b\/c\" \u00e9\n"`, []cube.Ref{drilled(0, "say \"a\\b/c\" é\n")}},
		{"an escape may be a pair of surrogates", `"\ud83d\udca9"`, []cube.Ref{drilled(0, "💩")}},
		{"both halves of a ref may be quoted", `"a.b"."c|d"|e`, []cube.Ref{drilled(0, "a.b", "c|d"), drilled(12, "e")}},
		{"one half of a ref may be quoted", `date."c d"`, []cube.Ref{drilled(0, "date", "c d")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := cube.ParseDrilldown(tt.text)
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%s\n got %+v, %v\nwant %+v", tt.text, got, err, tt.want)
			}
		})
	}
}

// value, span and match make items without their places.
func value(path ...string) cube.Item       { return cube.Item{Path: path} }
func span(from, to string) cube.Item       { return cube.Item{Op: cube.OpRange, From: from, To: to} }
func match(text string) cube.Item          { return cube.Item{Op: cube.OpMatch, Match: text} }
func items(items ...cube.Item) []cube.Item { return items }

func TestParseCutReadsItems(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []cube.Item
	}{
		{"a value", "2016", items(value("2016"))},
		{"a set", "2016;2017;2016", items(value("2016"), value("2017"), value("2016"))},
		{"no value is the missing one", "", items(value(""))},
		{"an empty JSON string is the missing one", `""`, items(value(""))},
		{"the missing value among others", ";a;", items(value(""), value("a"), value(""))},
		{"a value keeps its spaces", " a b ", items(value(" a b "))},
		{"a bare value goes on over : , . - % + & = ! ~ ( ) < >", "a:b,c.d-e%f+g&h=i!j~k(l)<m>",
			items(value("a:b,c.d-e%f+g&h=i!j~k(l)<m>"))},
		{"a quote inside a bare value is itself", `5" pipe`, items(value(`5" pipe`))},
		{"a backslash in a bare value is itself", `a\nb`, items(value(`a\nb`))},
		{"a value in any script", "čšž;Ñandú;財政", items(value("čšž"), value("Ñandú"), value("財政"))},
		{"a JSON string holds what ends a bare value", `"a|b;c..d/e"`, items(value("a|b;c..d/e"))},
		{"a JSON string has escapes", `"\"\\\/\b\f\n\r\t\u0161"`, items(value("\"\\/\b\f\n\r\tš"))},
		{"a leading ~ that is no search is quoted", `"~a"`, items(value("~a"))},
		{"a path", "010/02", items(value("010", "02"))},
		{"the missing child of a member", "010/", items(value("010", ""))},
		{"the child of the missing member", "/02", items(value("", "02"))},
		{"a path of quoted keys", `"a/b"/"c;d"/e`, items(value("a/b", "c;d", "e"))},
		{"paths among values", "a/b;c", items(value("a", "b"), value("c"))},
		{"a range", "2016..2018", items(span("2016", "2018"))},
		{"a range without an end", "2016..", items(span("2016", ""))},
		{"a range without a beginning", "..2018", items(span("", "2018"))},
		{"a range of quoted bounds", `"0..1".."9|9"`, items(span("0..1", "9|9"))},
		{"a range of one quoted bound", `"a b"..`, items(span("a b", ""))},
		{"a slash in the bounds of a range is itself", "a/1..b/2", items(span("a/1", "b/2"))},
		{"a single point belongs to the value", "1.5..2.5", items(span("1.5", "2.5"))},
		{"three points end in a bound that begins with one", "1...2", items(span("1", ".2"))},
		{"ranges among values", "1;3..4;..0", items(value("1"), span("3", "4"), span("", "0"))},
		{"a search", "~hrvat", items(match("hrvat"))},
		{"a search of quoted text", `~"a;b|c"`, items(match("a;b|c"))},
		{"a slash in a search is itself", "~a/b", items(match("a/b"))},
		{"a negative number", "-1..-1", items(span("-1", "-1"))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cuts, err := cube.ParseCut("f:" + tt.text)
			if err != nil {
				t.Fatal(err)
			}
			want := []cube.Cut{{Ref: cube.Ref{Name: "f"}, Items: tt.want}}
			if got := placeless(cuts); !reflect.DeepEqual(got, want) {
				t.Errorf("%s\n got %+v\nwant %+v", tt.text, got, want)
			}
		})
	}
}

// placeless gives cuts without what says where their parts stood.
func placeless(cuts []cube.Cut) []cube.Cut {
	for i := range cuts {
		cuts[i].Ref.At = cube.Position{}
		for j := range cuts[i].Items {
			cuts[i].Items[j].At = cube.Position{}
		}
	}
	return cuts
}

func TestParseCutReadsTerms(t *testing.T) {
	at := func(offset int) cube.Position { return cube.Position{Parameter: "cut", Offset: offset} }
	got, err := cube.ParseCut(`año:1;2|!date."Y:r":..3`)
	want := []cube.Cut{
		{Ref: ref("cut", 0, "año"), Items: []cube.Item{{Path: []string{"1"}, At: at(4)}, {Path: []string{"2"}, At: at(6)}}},
		{Ref: ref("cut", 9, "date", "Y:r"), Not: true, Items: []cube.Item{{Op: cube.OpRange, To: "3", At: at(20)}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestParseAggregates(t *testing.T) {
	at := func(offset int) cube.Position { return cube.Position{Parameter: "aggregates", Offset: offset} }
	got, err := cube.ParseAggregates(`_count|m.sum|"executed.value".avg|x`)
	want := []cube.AggregateRef{
		{Func: "_count", At: at(0)},
		{Measure: "m", Func: "sum", At: at(7)},
		{Measure: "executed.value", Func: "avg", At: at(13)},
		{Func: "x", At: at(34)}, // whether there is such an aggregate only Bind can tell
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestParseFormulas(t *testing.T) {
	at := func(offset int) cube.Position { return cube.Position{Parameter: "aggregates", Offset: offset} }
	sum := func(measure string, offset int) cube.AggregateRef {
		return cube.AggregateRef{Measure: measure, Func: "sum", At: at(offset)}
	}
	got, err := cube.ParseAggregates(`ratio(é.sum,"b,)".sum)|share(diff(a.sum,_count))|"my (own)"(rate)`)
	want := []cube.AggregateRef{
		{Func: "ratio", At: at(0), Args: []cube.AggregateRef{sum("é", 6), sum("b,)", 12)}},
		{Func: "share", At: at(23), Args: []cube.AggregateRef{
			{Func: "diff", At: at(29), Args: []cube.AggregateRef{sum("a", 34), {Func: "_count", At: at(40)}}},
		}},
		{Func: "my (own)", At: at(49), Args: []cube.AggregateRef{{Func: "rate", At: at(60)}}}, // for Bind to refuse
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	if _, err := cube.ParseAggregates(strings.Repeat("share(", 8) + "a.sum" + strings.Repeat(")", 8)); err != nil {
		t.Errorf("eight formulas inside each other: %v", err)
	}
}

func TestParseHaving(t *testing.T) {
	at := func(offset int) cube.Position { return cube.Position{Parameter: "having", Offset: offset} }
	sum := func(offset int) cube.AggregateRef {
		return cube.AggregateRef{Measure: "m", Func: "sum", At: at(offset)}
	}
	ratio := cube.AggregateRef{Func: "ratio", At: at(75), Args: []cube.AggregateRef{sum(81), sum(87)}}
	got, err := cube.ParseHaving(`m.sum<1|m.sum<=-2.5|m.sum=0|m.sum>=000123456789012345|_count>7|rate!=-0.00|ratio(m.sum,m.sum)>0.80`)
	want := []condition{
		{sum(0), cube.Less, "1"},
		{sum(8), cube.LessOrEqual, "-2.5"},
		{sum(20), cube.Equal, "0"},
		{sum(28), cube.GreaterOrEqual, "123456789012345"},
		{cube.AggregateRef{Func: "_count", At: at(54)}, cube.Greater, "7"},
		{cube.AggregateRef{Func: "rate", At: at(63)}, cube.Unequal, "0"},
		{ratio, cube.Greater, "0.8"},
	}
	if err != nil || !reflect.DeepEqual(conditions(got), want) {
		t.Errorf("got %+v, %v\nwant %+v", conditions(got), err, want)
	}
}

// condition is one whose number is written out: equal numbers may have unequal parts.
type condition struct {
	aggregate cube.AggregateRef
	op        cube.Comparison
	number    string
}

func conditions(list []cube.Condition) []condition {
	var all []condition
	for _, c := range list {
		all = append(all, condition{c.Aggregate, c.Op, c.Number.String()})
	}
	return all
}

func TestParseOrder(t *testing.T) {
	at := func(offset int) cube.Position { return cube.Position{Parameter: "order", Offset: offset} }
	got, err := cube.ParseOrder(`a,b:asc,m.sum:desc,"x,y":desc,_count,m.sum.difference:desc,_count.earlier,share(m.sum)."percentage":asc`)
	share := cube.AggregateRef{Func: "share", At: at(74), Args: []cube.AggregateRef{{Measure: "m", Func: "sum", At: at(80)}}}
	want := []cube.Order{
		{Ref: ref("order", 0, "a")},
		{Ref: ref("order", 2, "b")},
		{Ref: ref("order", 8, "m", "sum"), Desc: true},
		{Ref: ref("order", 19, "x,y"), Desc: true},
		{Ref: ref("order", 30, "_count")},
		{Ref: ref("order", 37, "m", "sum"), Role: cube.RoleDifference, Desc: true},
		{Ref: ref("order", 59, "_count", "earlier")}, // whether that is a field of a dimension only Bind can tell
		{Ref: cube.Ref{At: at(74)}, Formula: &share, Role: cube.RolePercentage},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestParseCompare(t *testing.T) {
	for text, want := range map[string]cube.Compare{
		"Year:-1":            {Ref: ref("compare", 0, "Year"), Offset: -1},
		`date."a:b":5`:       {Ref: ref("compare", 0, "date", "a:b"), Offset: 5},
		"Year:-2147483648":   {Ref: ref("compare", 0, "Year"), Offset: -2147483648},
		"ejercicio:00000001": {Ref: ref("compare", 0, "ejercicio"), Offset: 1},
	} {
		if got, err := cube.ParseCompare(text); err != nil || *got != want {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestParseQueryReadsEveryClause(t *testing.T) {
	got, err := cube.ParseQuery(map[string]string{
		"drilldown": "Year", "cut": "Year:1", "aggregates": "m.sum", "having": "m.sum>1", "order": "Year", "snapshots": "all",
		"rollup": "1", "top": "10", "remainder": "true", "compare": "Year:-1", "fill": "zero", "page": "2", "pagesize": "0",
		"format": "csv", // is not of the question
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "drilldown=Year&cut=Year:\"1\"&aggregates=m.sum&having=m.sum>1&order=Year:asc&snapshots=all&rollup=1&top=10" +
		"&remainder=1&compare=Year:-1&fill=zero&page=2&pagesize=0"
	if got.String() != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestParseQueryReadsChoices(t *testing.T) {
	for _, tt := range []struct {
		parameter, text string
		want            cube.Query
	}{
		{"rollup", "1", cube.Query{Rollup: true}},
		{"rollup", "true", cube.Query{Rollup: true}},
		{"rollup", "0", cube.Query{}},
		{"remainder", "false", cube.Query{}},
		{"remainder", "1", cube.Query{Remainder: true}},
		{"top", "1", cube.Query{Top: 1}},
		{"top", "10000", cube.Query{Top: cube.MaxPageSize}},
		{"fill", "null", cube.Query{Fill: cube.FillNull}},
		{"fill", "zero", cube.Query{Fill: cube.FillZero}},
		{"snapshots", "all", cube.Query{Snapshots: cube.AllSnapshots}},
	} {
		tt.want.Page = cube.FirstPage
		got, err := cube.ParseQuery(map[string]string{tt.parameter: tt.text})
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s=%s: got %+v, %v, want %+v", tt.parameter, tt.text, got, err, tt.want)
		}
	}
}

func TestParsePage(t *testing.T) {
	for _, tt := range []struct {
		name, page, size string
		want             cube.Page
	}{
		{"nothing asked is the first page", "", "", cube.FirstPage},
		{"a page", "3", "", cube.Page{Number: 3, Size: cube.DefaultPageSize}},
		{"a size", "", "10000", cube.Page{Number: 1, Size: cube.MaxPageSize}},
		{"size 0 is for totals alone", "2", "0", cube.Page{Number: 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := cube.ParsePage(tt.page, tt.size); err != nil || got != tt.want {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}
