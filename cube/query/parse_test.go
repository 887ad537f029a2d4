package query_test

import (
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/query"
)

func ref(parameter string, offset int, parts ...string) query.Ref {
	r := query.Ref{Name: parts[len(parts)-1], At: cube.Position{Parameter: parameter, Offset: offset}}
	if len(parts) == 2 {
		r.Dimension = parts[0]
	}
	return r
}

func TestParseDrilldown(t *testing.T) {
	drilled := func(offset int, parts ...string) query.Ref { return ref("drilldown", offset, parts...) }
	for _, tt := range []struct {
		name, text string
		want       []query.Ref
	}{
		{"a field", "Year", []query.Ref{drilled(0, "Year")}},
		{"several fields keep their order", "b|a|b", []query.Ref{drilled(0, "b"), drilled(2, "a"), drilled(4, "b")}},
		{"a dimension with a field", "date.Year", []query.Ref{drilled(0, "date", "Year")}},
		{"a bare name goes on over spaces, % + - & ; no sign of the grammar",
			"50% & more+-", []query.Ref{drilled(0, "50% & more+-")}},
		{"a bare name keeps its outer spaces", " a | b ", []query.Ref{drilled(0, " a "), drilled(4, " b ")}},
		{"a bare name in any script", "función|Функција|年度",
			[]query.Ref{drilled(0, "función"), drilled(8, "Функција"), drilled(17, "年度")}},
		{"a JSON string holds the signs of the grammar", `"a|b:c;d,e.f~g!h<i>j=k(l)m/n"`,
			[]query.Ref{drilled(0, "a|b:c;d,e.f~g!h<i>j=k(l)m/n")}},
		{"a JSON string has escapes", `"say \"a\\b\/c\" \u00e9\n"`, []query.Ref{drilled(0, "say \"a\\b/c\" é\n")}},
		{"an escape may be a pair of surrogates", `"\ud83d\udca9"`, []query.Ref{drilled(0, "💩")}},
		{"both halves of a ref may be quoted", `"a.b"."c|d"|e`, []query.Ref{drilled(0, "a.b", "c|d"), drilled(12, "e")}},
		{"one half of a ref may be quoted", `date."c d"`, []query.Ref{drilled(0, "date", "c d")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := query.ParseDrilldown(tt.text)
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%s\n got %+v, %v\nwant %+v", tt.text, got, err, tt.want)
			}
		})
	}
}

// value, span and match make items without their positions.
func value(path ...string) query.Item {
	var keys []query.Key
	for _, text := range path {
		keys = append(keys, query.Key{Text: text})
	}
	return query.Item{Path: keys}
}
func span(from, to string) query.Item        { return query.Item{Op: query.OpRange, From: from, To: to} }
func match(text string) query.Item           { return query.Item{Op: query.OpMatch, Match: text} }
func items(items ...query.Item) []query.Item { return items }

func TestParseCut_Items(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []query.Item
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
			cuts, err := query.ParseCut("f:" + tt.text)
			if err != nil {
				t.Fatal(err)
			}
			want := []query.Cut{{Ref: query.Ref{Name: "f"}, Items: tt.want}}
			if got := cutsWithoutPositions(cuts); !reflect.DeepEqual(got, want) {
				t.Errorf("%s\n got %+v\nwant %+v", tt.text, got, want)
			}
		})
	}
}

// cutsWithoutPositions gives cuts without the positions of their parts.
func cutsWithoutPositions(cuts []query.Cut) []query.Cut {
	for i := range cuts {
		cuts[i].Ref.At = cube.Position{}
		for j := range cuts[i].Items {
			cuts[i].Items[j].At = cube.Position{}
		}
	}
	return cuts
}

func TestParseCut_Terms(t *testing.T) {
	at := func(offset int) cube.Position { return cube.Position{Parameter: "cut", Offset: offset} }
	got, err := query.ParseCut(`año:1;2|!date."Y:r":..3`)
	want := []query.Cut{
		{Ref: ref("cut", 0, "año"), Items: []query.Item{{Path: []query.Key{{Text: "1"}}, At: at(4)}, {Path: []query.Key{{Text: "2"}}, At: at(6)}}},
		{Ref: ref("cut", 9, "date", "Y:r"), Not: true, Items: []query.Item{{Op: query.OpRange, To: "3", At: at(20)}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestParseAggregates(t *testing.T) {
	at := func(offset int) cube.Position { return cube.Position{Parameter: "aggregates", Offset: offset} }
	got, err := query.ParseAggregates(`_count|m.sum|"executed.value".avg|x`)
	want := []query.AggregateRef{
		{Func: "_count", At: at(0)},
		{Measure: "m", Func: "sum", At: at(7)},
		{Measure: "executed.value", Func: "avg", At: at(13)},
		{Func: "x", At: at(34)}, // whether there is such an aggregate only Bind knows
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestParseAggregates_Formulas(t *testing.T) {
	at := func(offset int) cube.Position { return cube.Position{Parameter: "aggregates", Offset: offset} }
	sum := func(measure string, offset int) query.AggregateRef {
		return query.AggregateRef{Measure: measure, Func: "sum", At: at(offset)}
	}
	got, err := query.ParseAggregates(`ratio(é.sum,"b,)".sum)|share(diff(a.sum,_count))|"my (own)"(rate)`)
	want := []query.AggregateRef{
		{Func: "ratio", At: at(0), Args: []query.AggregateRef{sum("é", 6), sum("b,)", 12)}},
		{Func: "share", At: at(23), Args: []query.AggregateRef{
			{Func: "diff", At: at(29), Args: []query.AggregateRef{sum("a", 34), {Func: "_count", At: at(40)}}},
		}},
		{Func: "my (own)", At: at(49), Args: []query.AggregateRef{{Func: "rate", At: at(60)}}}, // for Bind to refuse
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	if _, err := query.ParseAggregates(strings.Repeat("share(", 8) + "a.sum" + strings.Repeat(")", 8)); err != nil {
		t.Errorf("eight formulas inside each other: %v", err)
	}
}

func TestParseHaving(t *testing.T) {
	at := func(offset int) cube.Position { return cube.Position{Parameter: "having", Offset: offset} }
	sum := func(offset int) query.AggregateRef {
		return query.AggregateRef{Measure: "m", Func: "sum", At: at(offset)}
	}
	ratio := query.AggregateRef{Func: "ratio", At: at(75), Args: []query.AggregateRef{sum(81), sum(87)}}
	got, err := query.ParseHaving(`m.sum<1|m.sum<=-2.5|m.sum=0|m.sum>=000123456789012345|_count>7|rate!=-0.00|ratio(m.sum,m.sum)>0.80`)
	want := []condition{
		{sum(0), query.Less, "1"},
		{sum(8), query.LessOrEqual, "-2.5"},
		{sum(20), query.Equal, "0"},
		{sum(28), query.GreaterOrEqual, "123456789012345"},
		{query.AggregateRef{Func: "_count", At: at(54)}, query.Greater, "7"},
		{query.AggregateRef{Func: "rate", At: at(63)}, query.Unequal, "0"},
		{ratio, query.Greater, "0.8"},
	}
	if err != nil || !reflect.DeepEqual(conditions(got), want) {
		t.Errorf("got %+v, %v\nwant %+v", conditions(got), err, want)
	}
}

// condition is one whose number is written out: equal numbers may have unequal parts.
type condition struct {
	aggregate query.AggregateRef
	op        query.Operator
	number    string
}

func conditions(list []query.Condition) []condition {
	var all []condition
	for _, c := range list {
		all = append(all, condition{c.Aggregate, c.Op, c.Number.String()})
	}
	return all
}

func TestParseOrder(t *testing.T) {
	at := func(offset int) cube.Position { return cube.Position{Parameter: "order", Offset: offset} }
	got, err := query.ParseOrder(`a,b:asc,m.sum:desc,"x,y":desc,_count,m.sum.difference:desc,_count.earlier,share(m.sum)."percentage":asc`)
	share := query.AggregateRef{Func: "share", At: at(74), Args: []query.AggregateRef{{Measure: "m", Func: "sum", At: at(80)}}}
	want := []query.Order{
		{Ref: ref("order", 0, "a")},
		{Ref: ref("order", 2, "b")},
		{Ref: ref("order", 8, "m", "sum"), Desc: true},
		{Ref: ref("order", 19, "x,y"), Desc: true},
		{Ref: ref("order", 30, "_count")},
		{Ref: ref("order", 37, "m", "sum"), Role: query.RoleDifference, Desc: true},
		{Ref: ref("order", 59, "_count", "earlier")}, // whether that is a field of a dimension only Bind knows
		{Ref: query.Ref{At: at(74)}, Formula: &share, Role: query.RolePercentage},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestParseCompare(t *testing.T) {
	for text, want := range map[string]query.Compare{
		"Year:-1":            {Ref: ref("compare", 0, "Year"), Offset: -1},
		`date."a:b":5`:       {Ref: ref("compare", 0, "date", "a:b"), Offset: 5},
		"Year:-2147483648":   {Ref: ref("compare", 0, "Year"), Offset: -2147483648},
		"ejercicio:00000001": {Ref: ref("compare", 0, "ejercicio"), Offset: 1},
	} {
		if got, err := query.ParseCompare(text); err != nil || *got != want {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestParse_ReadsEveryClause(t *testing.T) {
	got, err := query.Parse(map[string]string{
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

func TestParse_ReadsChoices(t *testing.T) {
	for _, tt := range []struct {
		parameter, text string
		want            query.Query
	}{
		{"rollup", "1", query.Query{Rollup: true}},
		{"rollup", "true", query.Query{Rollup: true}},
		{"rollup", "0", query.Query{}},
		{"remainder", "false", query.Query{}},
		{"remainder", "1", query.Query{Remainder: true}},
		{"top", "1", query.Query{Top: 1}},
		{"top", "10000", query.Query{Top: query.MaxPageSize}},
		{"fill", "null", query.Query{Fill: query.FillNull}},
		{"fill", "zero", query.Query{Fill: query.FillZero}},
		{"snapshots", "all", query.Query{Snapshots: query.AllSnapshots}},
	} {
		tt.want.Page = query.FirstPage
		got, err := query.Parse(map[string]string{tt.parameter: tt.text})
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s=%s: got %+v, %v, want %+v", tt.parameter, tt.text, got, err, tt.want)
		}
	}
}

func TestParsePage(t *testing.T) {
	for _, tt := range []struct {
		name  string
		given map[string]string
		want  query.Page
	}{
		{"nothing asked is the first page", nil, query.FirstPage},
		{"a page", map[string]string{"page": "3"}, query.Page{Number: 3, Size: query.DefaultPageSize}},
		{"a size", map[string]string{"pagesize": "10000"}, query.Page{Number: 1, Size: query.MaxPageSize}},
		{"size 0 is for totals alone", map[string]string{"page": "2", "pagesize": "0"}, query.Page{Number: 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := query.ParsePage(tt.given); err != nil || got != tt.want {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}
