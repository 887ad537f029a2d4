package query_test

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/golden"
)

// value and span make items without their positions.
func value(path ...string) query.Item {
	var keys []query.Key
	for _, text := range path {
		keys = append(keys, query.Key{Text: text})
	}
	return query.Item{Path: keys}
}
func span(from, to string) query.Item { return query.Item{Op: query.OpRange, From: from, To: to} }

// What is read of texts, and what is wrong with others, is in testdata.
func TestParse_Texts(t *testing.T) {
	for _, file := range []string{"parsed", "mistakes"} {
		golden.Answers(t, "testdata/"+file+".txt", func(line string) string {
			parameter, text, _ := strings.Cut(bytesOfNoText.Replace(line), "=")
			parse := parsers[parameter]
			if parse == nil {
				parse = func(text string) (any, error) { return query.Parse(split(parameter + "=" + text)) }
			}
			read, err := parse(text)
			if err != nil {
				return fmt.Sprintf("%s: %v", cube.CodeOf(err), err)
			}
			return shown(reflect.ValueOf(read))
		})
	}
}

var bytesOfNoText = strings.NewReplacer(`\x00`, "\x00", `\xff`, "\xff", `\xc3`, "\xc3")

// shown writes what a value holds: its fields that are not empty, and of positions the offset in their parameter. Items of a list are lines.
func shown(value reflect.Value) string {
	switch one := value.Interface().(type) {
	case cube.Position:
		return fmt.Sprintf("%s@%d", one.Parameter, one.Offset)
	case decimal.Decimal:
		return one.String()
	case query.ItemOp:
		return map[query.ItemOp]string{query.OpEqual: "equal", query.OpRange: "range", query.OpMatch: "match"}[one]
	}
	var parts []string
	switch value.Kind() {
	case reflect.Pointer:
		return shown(value.Elem())
	case reflect.String:
		return strconv.Quote(value.String())
	case reflect.Slice:
		for i := range value.Len() {
			parts = append(parts, shown(value.Index(i)))
		}
		return strings.Join(parts, "\n")
	case reflect.Struct:
		for i := range value.NumField() {
			if field := value.Field(i); !field.IsZero() {
				parts = append(parts, value.Type().Field(i).Name+": "+strings.ReplaceAll(shown(field), "\n", "; "))
			}
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	return fmt.Sprint(value)
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
