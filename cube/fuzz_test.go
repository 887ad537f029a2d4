package cube_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
)

// Texts that are hard for every parser.
var hard = []string{
	"", "a", "a|b", "a.b", `"a"."b"`, "a:1", "!a:1;2", "a:1..2", "a:..", "a:~x", "a:x/y/", `a:"\u0000"`, "a:;;|",
	`"\"`, `"\\"`, "a,b:desc", "m.sum|_count", "é:ñ..", "a\x00b", "\xff", `"\ud800"`, "a:...", `a:"".."x"`, `"".a:`,
	"a:\u2028", `""`, "a:1..\"\"", "a & b:c&d=e", "!\"!\":\"~\"",
	"ratio(a.sum,b.sum)", "share(diff(a.b,_count))|x", "a.sum>=-1.50", "_count!=1|a<>2", "a.b.c:desc,share(x).earlier", "a:-1", "a.b:0",
}

func FuzzParseDrilldown(f *testing.F) {
	fuzz(f, "drilldown", cube.ParseDrilldown, "|", cube.Ref.String)
}

func FuzzParseCut(f *testing.F) {
	fuzz(f, "cut", cube.ParseCut, "|", cube.Cut.String)
}

func FuzzParseAggregates(f *testing.F) {
	fuzz(f, "aggregates", cube.ParseAggregates, "|", cube.AggregateRef.String)
}

func FuzzParseHaving(f *testing.F) {
	fuzz(f, "having", cube.ParseHaving, "|", cube.Condition.String)
}

func FuzzParseCompare(f *testing.F) {
	fuzz(f, "compare", func(text string) ([]*cube.Compare, error) {
		c, err := cube.ParseCompare(text)
		return []*cube.Compare{c}, err
	}, "|", (*cube.Compare).String)
}

func FuzzParseOrder(f *testing.F) {
	fuzz(f, "order", cube.ParseOrder, ",", func(o cube.Order) string {
		if o.Desc {
			return o.String() + ":desc"
		}
		return o.String()
	})
}

func FuzzParsePage(f *testing.F) {
	f.Add("1", "100")
	f.Add("", "0")
	f.Add("-1", "1e3")
	f.Fuzz(func(t *testing.T, number, size string) {
		page, err := cube.ParsePage(number, size)
		if err != nil {
			if cube.CodeOf(err) != cube.CodeBadPage {
				t.Fatal(err)
			}
			return
		}
		if page.Number < 1 || page.Size < 0 || page.Size > cube.MaxPageSize {
			t.Fatalf("%q, %q gave %+v", number, size, page)
		}
	})
}

// fuzz checks that a parser never panics, that its mistakes have a place in the text, and that what it accepts
// prints and parses again to an equal value.
func fuzz[T any](f *testing.F, parameter string, parse func(string) ([]T, error), separator string, print func(T) string) {
	for _, text := range hard {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parse(text)
		if err != nil {
			checkPlace(t, parameter, text, err)
			return
		}
		var printed []string
		for _, one := range got {
			printed = append(printed, print(one))
		}
		again, err := parse(strings.Join(printed, separator))
		if err != nil || !reflect.DeepEqual(unplaced(again), unplaced(got)) {
			t.Fatalf("%q prints as %q and parses again to\n     %+v, %v\nnot %+v", text, printed, again, err, got)
		}
	})
}

func quote(text string) string {
	b, _ := json.Marshal(text) // a string always encodes
	return string(b)
}

// unplaced takes the places out of a parsed list: printing moves them.
func unplaced[T any](list []T) any {
	switch list := any(list).(type) {
	case []cube.Ref:
		return withoutPlaces(cube.Query{Drilldown: list})
	case []cube.Cut:
		return withoutPlaces(cube.Query{Cuts: list})
	case []cube.AggregateRef:
		return withoutPlaces(cube.Query{Aggregates: list})
	case []cube.Condition:
		return withoutPlaces(cube.Query{Having: list})
	case []cube.Order:
		return withoutPlaces(cube.Query{Order: list})
	case []*cube.Compare:
		return withoutPlaces(cube.Query{Compare: list[0]})
	}
	return list
}
