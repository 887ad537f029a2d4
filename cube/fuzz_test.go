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
}

func FuzzParseDrilldown(f *testing.F) {
	fuzz(f, "drilldown", cube.ParseDrilldown, "|", cube.Ref.String)
}

func FuzzParseCut(f *testing.F) {
	fuzz(f, "cut", cube.ParseCut, "|", printCut)
}

func FuzzParseAggregates(f *testing.F) {
	fuzz(f, "aggregates", cube.ParseAggregates, "|", cube.AggregateRef.String)
}

func FuzzParseOrder(f *testing.F) {
	fuzz(f, "order", cube.ParseOrder, ",", func(o cube.Order) string {
		if o.Desc {
			return o.Ref.String() + ":desc"
		}
		return o.Ref.String()
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

func printCut(c cube.Cut) string {
	var items []string
	for _, item := range c.Items {
		items = append(items, printItem(item))
	}
	text := c.Ref.String() + ":" + strings.Join(items, ";")
	if c.Not {
		return "!" + text
	}
	return text
}

func printItem(item cube.Item) string {
	switch item.Op {
	case cube.OpRange:
		return bound(item.From) + ".." + bound(item.To)
	case cube.OpMatch:
		return "~" + quote(item.Match)
	}
	var keys []string
	for _, key := range item.Path {
		keys = append(keys, quote(key))
	}
	return strings.Join(keys, "/")
}

func bound(text string) string {
	if text == "" {
		return ""
	}
	return quote(text)
}

func quote(text string) string {
	b, _ := json.Marshal(text) // a string always encodes
	return string(b)
}

// unplaced takes the places out of a parsed list: printing moves them.
func unplaced[T any](list []T) any {
	switch list := any(list).(type) {
	case []cube.Ref:
		for i := range list {
			list[i].At = cube.Position{}
		}
	case []cube.Cut:
		placeless(list)
	case []cube.AggregateRef:
		for i := range list {
			list[i].At = cube.Position{}
		}
	case []cube.Order:
		for i := range list {
			list[i].Ref.At = cube.Position{}
		}
	}
	return list
}
