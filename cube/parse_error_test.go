package cube_test

import (
	"errors"
	"strings"
	"testing"

	"fiscube/cube"
)

// parsers reads a text of each parameter for its error alone.
var parsers = map[string]func(string) error{
	"drilldown":  func(s string) error { _, err := cube.ParseDrilldown(s); return err },
	"cut":        func(s string) error { _, err := cube.ParseCut(s); return err },
	"aggregates": func(s string) error { _, err := cube.ParseAggregates(s); return err },
	"order":      func(s string) error { _, err := cube.ParseOrder(s); return err },
	"page":       func(s string) error { _, err := cube.ParsePage(s, ""); return err },
	"pagesize":   func(s string) error { _, err := cube.ParsePage("", s); return err },
}

func TestTextOutsideTheGrammar(t *testing.T) {
	const out = "(leave the parameter out to ask without it)"
	for _, tt := range []struct{ name, parameter, text, want string }{
		{"no drilldown", "drilldown", "", "at 0: it is empty " + out},
		{"no cut", "cut", "", "at 0: it is empty " + out},
		{"no aggregates", "aggregates", "", "at 0: it is empty " + out},
		{"no order", "order", "", "at 0: it is empty " + out},

		{"a bar without a name before it", "drilldown", "|a", `at 0: expected a name, found "|"`},
		{"a bar without a name after it", "drilldown", "a|", "at 2: expected a name, found the end"},
		{"two bars", "drilldown", "a||b", `at 2: expected a name, found "|"`},
		{"a comma between fields", "drilldown", "a,b", `at 1: expected | or the end, found ","`},
		{"a colon after a field", "drilldown", "a:b", `at 1: expected | or the end, found ":"`},
		{"a path in the drilldown", "drilldown", "a/b", `at 1: expected | or the end, found "/"`},
		{"a point without a field", "drilldown", "date.", "at 5: expected a name, found the end"},
		{"a point without a dimension", "drilldown", ".Year", `at 0: expected a name, found "."`},
		{"two points", "drilldown", "a..b", `at 2: expected a name, found "."`},
		{"three names", "drilldown", "a.b.c", `at 3: expected | or the end, found "."`},
		{"positions count characters, not bytes", "drilldown", "función|año,b",
			`at 11: expected | or the end, found ","`},
		{"positions count characters outside the first plane once", "drilldown", "💩💩;",
			`at 2: expected | or the end, found ";"`},
		{"a quote inside a bare name", "drilldown", `a"b"`, `at 1: expected | or the end, found "\""`},
		{"text after a quoted name", "drilldown", `"a"b`, `at 3: expected | or the end, found "b"`},
		{"an open quote", "drilldown", `a|"b`, `at 2: a quoted text is not closed (write " inside as \")`},
		{"a lone quote", "drilldown", `"`, `at 0: a quoted text is not closed (write " inside as \")`},
		{"a quote closed by an escaped one", "drilldown", `"a\"`,
			`at 0: a quoted text is not closed (write " inside as \")`},
		{"a quote that ends in a backslash", "drilldown", `"a\`,
			`at 0: a quoted text is not closed (write " inside as \")`},
		{"an escape that JSON does not have", "drilldown", `"a\x"`,
			`at 0: a quoted text is no JSON string (write \ inside as \\)`},
		{"an escape too short", "drilldown", `á|"\u12"`,
			`at 2: a quoted text is no JSON string (write \ inside as \\)`},
		{"a NUL in a name", "drilldown", "é\x00", "at 0: a text cannot hold a NUL character"},
		{"an escaped NUL", "drilldown", `é|"\u0000"`, "at 2: a text cannot hold a NUL character"},
		{"bytes that are no text", "drilldown", "a\xff", "at 0: the text is not UTF-8"},

		{"a field without values", "cut", "Year", "at 4: expected : and the values after Year"},
		{"a ref without values is printed as it is written", "cut", `date."a b|"`,
			`at 11: expected : and the values after date."a b|"`},
		{"an equals sign", "cut", "Year=2016", "at 4: expected : and the values after Year"},
		{"values without a field", "cut", ":2016", `at 0: expected a name, found ":"`},
		{"an exclamation mark alone", "cut", "!", "at 1: expected a name, found the end"},
		{"two exclamation marks", "cut", "!!Year:1", `at 1: expected a name, found "!"`},
		{"an exclamation mark after the field", "cut", "Year!:1", "at 4: expected : and the values after Year"},
		{"a bar at the end", "cut", "Year:1|", "at 7: expected a name, found the end"},
		{"a bar after non-ASCII text", "cut", "año:é|", "at 6: expected a name, found the end"},
		{"a bar where ; belongs", "cut", "Year:2016|2017", "at 14: expected : and the values after 2017"},
		{"text after a quoted value", "cut", `a:"b"c`, `at 5: expected | or the end, found "c"`},
		{"a space after a quoted value", "cut", `a:"b" ;c`, `at 5: expected | or the end, found " "`},
		{"an open quote in a value", "cut", `a:1;"b`, `at 4: a quoted text is not closed (write " inside as \")`},
		{"an open quote in the bound of a range", "cut", `a:1.."b`,
			`at 5: a quoted text is not closed (write " inside as \")`},
		{"an open quote in a path", "cut", `a:1/"b`, `at 4: a quoted text is not closed (write " inside as \")`},
		{"an open quote in a search", "cut", `a:~"b`, `at 3: a quoted text is not closed (write " inside as \")`},
		{"a range without bounds", "cut", "año:1;..", "at 6: a range needs a bound"},
		{"a range of empty quotes", "cut", `a:""..""`, "at 2: a range needs a bound"},
		{"a range of three bounds", "cut", "a:1..2..3", `at 6: expected | or the end, found "."`},
		{"a search for nothing", "cut", "a:~", "at 3: expected the text to look for after ~"},
		{"a search for empty quotes", "cut", `a:~"";b`, "at 5: expected the text to look for after ~"},
		{"a search with a range", "cut", "a:~b..c", `at 4: expected | or the end, found "."`},
		{"a NUL in a value", "cut", "a:b;c\x00", "at 4: a text cannot hold a NUL character"},
		{"bytes that are no text in a value", "cut", "a:\xc3", "at 0: the text is not UTF-8"},

		{"a function without a measure", "aggregates", ".sum", `at 0: expected a name, found "."`},
		{"a measure with a point alone", "aggregates", "m.", "at 2: expected a name, found the end"},
		{"a call", "aggregates", "sum(m)", `at 3: expected | or the end, found "("`},
		{"a comma between aggregates", "aggregates", "m.sum,n.sum", `at 5: expected | or the end, found ","`},
		{"a colon after the measure", "aggregates", "m:sum", `at 1: expected | or the end, found ":"`},

		{"a direction that is none", "order", "ñ,Year:up", "at 7: expected asc or desc after Year"},
		{"a direction in capitals", "order", "Year:DESC", "at 5: expected asc or desc after Year"},
		{"no direction after the colon", "order", "Year:", "at 5: expected a name, found the end"},
		{"a bar between orders", "order", "a|b", `at 1: expected , or the end, found "|"`},
		{"a second direction", "order", "a:asc:desc", `at 5: expected , or the end, found ":"`},
		{"a minus sign for descending is part of the name", "order", "-a;", `at 2: expected , or the end, found ";"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantError(t, parsers[tt.parameter](tt.text), cube.CodeBadSyntax, tt.parameter+" "+tt.want)
		})
	}
}

func TestPagesOutOfBounds(t *testing.T) {
	for _, tt := range []struct{ name, parameter, text, want string }{
		{"page 0", "page", "0", `"0", not a whole number from 1 to 1099511627776`},
		{"a negative page", "page", "-1", `"-1", not a whole number from 1 to 1099511627776`},
		{"a page beyond reach", "page", "1099511627777", `"1099511627777", not a whole number from 1 to 1099511627776`},
		{"a page of too many digits", "page", "99999999999999999999",
			`"99999999999999999999", not a whole number from 1 to 1099511627776`},
		{"a page that is no number", "page", "two", `"two", not a whole number from 1 to 1099511627776`},
		{"a page with decimals", "page", "1.0", `"1.0", not a whole number from 1 to 1099511627776`},
		{"a negative size", "pagesize", "-1", `"-1", not a whole number from 0 to 10000`},
		{"a size above the most", "pagesize", "10001", `"10001", not a whole number from 0 to 10000`},
		{"a size with a space", "pagesize", " 5", `" 5", not a whole number from 0 to 10000`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.parameter + " at 0: " + tt.parameter + " is " + tt.want
			wantError(t, parsers[tt.parameter](tt.text), cube.CodeBadPage, want)
		})
	}
}

func TestEveryMistakeHasAPlaceInItsText(t *testing.T) {
	const signs = `|:;,.~!<>=()/"\ aé1`
	for parameter, parse := range parsers {
		if strings.HasPrefix(parameter, "page") {
			continue
		}
		for _, a := range signs {
			for _, b := range signs {
				for _, c := range signs {
					text := string([]rune{a, b, c})
					checkPlace(t, parameter, text, parse(text))
				}
			}
		}
	}
}

func checkPlace(t *testing.T, parameter, text string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var e *cube.Error
	if !errors.As(err, &e) || e.Code != cube.CodeBadSyntax || e.Message == "" || e.Position == nil {
		t.Fatalf("%s=%q: %#v", parameter, text, err)
	}
	if e.Position.Parameter != parameter || e.Position.Offset < 0 || e.Position.Offset > len([]rune(text)) {
		t.Errorf("%s=%q: place %+v", parameter, text, *e.Position)
	}
}
