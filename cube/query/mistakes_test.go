package query_test

import (
	"errors"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/query"
)

// parsers reads a text of each parameter for its error alone.
var parsers = map[string]func(string) error{
	"drilldown":  func(s string) error { _, err := query.ParseDrilldown(s); return err },
	"cut":        func(s string) error { _, err := query.ParseCut(s); return err },
	"aggregates": func(s string) error { _, err := query.ParseAggregates(s); return err },
	"having":     func(s string) error { _, err := query.ParseHaving(s); return err },
	"order":      func(s string) error { _, err := query.ParseOrder(s); return err },
	"compare":    func(s string) error { _, err := query.ParseCompare(s); return err },
	"path":       func(s string) error { _, err := query.ParsePath(s); return err },
	"page":       func(s string) error { _, err := query.ParsePage(map[string]string{"page": s}); return err },
	"pagesize":   func(s string) error { _, err := query.ParsePage(map[string]string{"pagesize": s}); return err },
}

func TestParse_RefusesTextOutsideTheGrammar(t *testing.T) {
	const (
		out    = "(leave the parameter out to ask without it)"
		signs  = "(the comparisons are < <= = >= > !=)"
		before = "(-1 compares with the one before)"
	)
	for _, tt := range []struct{ name, parameter, text, want string }{
		{"no drilldown", "drilldown", "", "at 0: it is empty " + out},
		{"no cut", "cut", "", "at 0: it is empty " + out},
		{"no aggregates", "aggregates", "", "at 0: it is empty " + out},
		{"no having", "having", "", "at 0: it is empty " + out},
		{"no order", "order", "", "at 0: it is empty " + out},
		{"no compare", "compare", "", "at 0: it is empty " + out},

		{"a path that is not UTF-8", "path", "\xff/a", "at 0: the text is not UTF-8 (encode it as UTF-8)"},
		{"a path with a bar", "path", "a|b", `at 1: expected / or the end, found "|" (what holds "|" stands in quotes)`},

		{"a bar without a name before it", "drilldown", "|a", `at 0: expected a name, found "|" (leave out this |)`},
		{"a bar without a name after it", "drilldown", "a|", "at 2: expected a name, found the end (leave out this |)"},
		{"two bars", "drilldown", "a||b", `at 2: expected a name, found "|" (leave out this |)`},
		{"a comma between fields", "drilldown", "a,b",
			`at 1: expected | or the end, found "," (write | between them, as a|b)`},
		{"a colon after a field", "drilldown", "a:b",
			`at 1: expected | or the end, found ":" (values go into cut, as cut=a:b)`},
		{"a path in the drilldown", "drilldown", "a/b",
			`at 1: expected | or the end, found "/" (write | between them, as a|b)`},
		{"a point without a field", "drilldown", "date.",
			"at 5: expected a name, found the end (write a name after the point, or leave the point out)"},
		{"a point without a dimension", "drilldown", ".Year",
			`at 0: expected a name, found "." (write a name before the point, or leave the point out)`},
		{"two points", "drilldown", "a..b",
			`at 2: expected a name, found "." (write a name after the point, or leave the point out)`},
		{"three names", "drilldown", "a.b.c",
			`at 3: expected | or the end, found "." (write | between them; what holds "." stands in quotes)`},
		{"positions count characters, not bytes", "drilldown", "función|año,b",
			`at 11: expected | or the end, found "," (write | between them, as año|b)`},
		{"positions count characters outside the first plane once", "drilldown", "💩💩;",
			`at 2: expected | or the end, found ";" (write | between them, as 💩💩|…)`},
		{"a quote inside a bare name", "drilldown", `a"b"`,
			`at 1: expected | or the end, found "\"" (write | between them; what holds "\"" stands in quotes)`},
		{"text after a quoted name", "drilldown", `"a"b`,
			`at 3: expected | or the end, found "b" (write | between them, as "a"|b)`},
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
		{"a NUL in a name", "drilldown", "é\x00", "at 0: a text cannot hold a NUL character (leave it out)"},
		{"an escaped NUL", "drilldown", `é|"\u0000"`, "at 2: a text cannot hold a NUL character (leave it out)"},
		{"bytes that are no text", "drilldown", "a\xff", "at 0: the text is not UTF-8 (encode it as UTF-8)"},

		{"a field without values", "cut", "Year", "at 4: expected : and the values after Year (write Year:VALUE)"},
		{"a ref without values is printed as it is written", "cut", `date."a b|"`,
			`at 11: expected : and the values after date."a b|" (write date."a b|":VALUE)`},
		{"an equals sign", "cut", "Year=2016", "at 4: expected : and the values after Year (write Year:2016)"},
		{"values without a field", "cut", ":2016", `at 0: expected a name, found ":" (write the field before it, as FIELD:2016)`},
		{"an exclamation mark alone", "cut", "!",
			"at 1: expected a name, found the end (write what it is to leave out, as !FIELD:VALUE)"},
		{"two exclamation marks", "cut", "!!Year:1",
			`at 1: expected a name, found "!" (one ! is enough, and stands before the field)`},
		{"an exclamation mark after the field", "cut", "Year!:1", "at 4: expected : and the values after Year (write !Year:1)"},
		{"a bar at the end", "cut", "Year:1|", "at 7: expected a name, found the end (leave out this |)"},
		{"a bar after non-ASCII text", "cut", "año:é|", "at 6: expected a name, found the end (leave out this |)"},
		{"a bar where ; belongs", "cut", "Year:2016|2017",
			"at 14: expected : and the values after 2017 (write the field before it, as FIELD:2017, or several values of one field as Year:2016;2017)"},
		{"text after a quoted value", "cut", `a:"b"c`,
			`at 5: expected | or the end, found "c" (write ; between values and | between fields)`},
		{"a space after a quoted value", "cut", `a:"b" ;c`,
			`at 5: expected | or the end, found " " (write ; between values and | between fields)`},
		{"an open quote in a value", "cut", `a:1;"b`, `at 4: a quoted text is not closed (write " inside as \")`},
		{"an open quote in the bound of a range", "cut", `a:1.."b`,
			`at 5: a quoted text is not closed (write " inside as \")`},
		{"an open quote in a path", "cut", `a:1/"b`, `at 4: a quoted text is not closed (write " inside as \")`},
		{"an open quote in a search", "cut", `a:~"b`, `at 3: a quoted text is not closed (write " inside as \")`},
		{"a range without bounds", "cut", "año:1;..", "at 6: a range needs a bound (as 2016.. or ..2018)"},
		{"a range of empty quotes", "cut", `a:""..""`, "at 2: a range needs a bound (as 2016.. or ..2018)"},
		{"a range of three bounds", "cut", "a:1..2..3",
			`at 6: expected | or the end, found "." (a range is FROM..TO; what holds .. stands in quotes)`},
		{"a search for nothing", "cut", "a:~",
			"at 3: expected the text to look for after ~ (write a part of a key or a label, as ~health)"},
		{"a search for empty quotes", "cut", `a:~"";b`,
			"at 5: expected the text to look for after ~ (write a part of a key or a label, as ~health)"},
		{"a search with a range", "cut", "a:~b..c",
			`at 4: expected | or the end, found "." (a range is FROM..TO; what holds .. stands in quotes)`},
		{"a NUL in a value", "cut", "a:b;c\x00", "at 4: a text cannot hold a NUL character (leave it out)"},
		{"bytes that are no text in a value", "cut", "a:\xc3", "at 0: the text is not UTF-8 (encode it as UTF-8)"},

		{"a function without a measure", "aggregates", ".sum",
			`at 0: expected a name, found "." (write a name before the point, or leave the point out)`},
		{"a measure with a point alone", "aggregates", "m.",
			"at 2: expected a name, found the end (write a name after the point, or leave the point out)"},
		{"a formula of nothing", "aggregates", "ratio()",
			`at 6: expected a name, found ")" (write aggregates inside the brackets, as ratio(a.sum,b.sum))`},
		{"a formula that is not closed", "aggregates", "ratio(a.sum,b.sum",
			"at 17: expected , or ) after an aggregate of ratio, found the end (close it, as ratio(a.sum,b.sum))"},
		{"a bar inside a formula", "aggregates", "ratio(a.sum|b.sum)",
			`at 11: expected , or ) after an aggregate of ratio, found "|" (write , between its aggregates and ) behind the last)`},
		{"text after a formula", "aggregates", "share(a.sum)b",
			`at 12: expected | or the end, found "b" (write | between them, as share(a.sum)|b)`},
		{"a comma between aggregates", "aggregates", "m.sum,n.sum",
			`at 5: expected | or the end, found "," (write | between them, as m.sum|n.sum)`},
		{"a colon after the measure", "aggregates", "m:sum",
			`at 1: expected | or the end, found ":" (write a point before the function, as m.sum)`},

		{"a formula in a formula that is not closed", "aggregates", "share(ratio(a.sum,b.sum)",
			"at 24: expected , or ) after an aggregate of share, found the end (close it, as share(ratio(a.sum,b.sum)))"},
		{"a comma with nothing after it", "aggregates", "diff(a.sum,)", `at 11: expected a name, found ")" (leave out this ,)`},
		{"a bracket too many", "aggregates", "share(a.sum))",
			`at 12: expected | or the end, found ")" (leave it out: no bracket is open)`},
		{"brackets without a name", "aggregates", "(a.sum)", `at 0: expected a name, found "(" (what holds "(" stands in quotes)`},
		{"brackets after a function", "aggregates", "a.sum(b.sum)",
			`at 5: expected | or the end, found "(" (write | between them; what holds "(" stands in quotes)`},
		{"a point after a formula", "aggregates", "share(a.sum).earlier",
			`at 12: expected | or the end, found "." (write | between them; what holds "." stands in quotes)`},
		{"a number in a formula", "aggregates", `ratio(a.sum,"2)`, `at 12: a quoted text is not closed (write " inside as \")`},
		{"nine formulas inside each other", "aggregates", "é|" + strings.Repeat("share(", 9) + "a.sum" + strings.Repeat(")", 9),
			"at 50: formulas stand more than 8 deep inside each other (ask for its parts)"},

		{"an aggregate without a comparison", "having", "m.sum", "at 5: expected a comparison after m.sum, found the end " + signs},
		{"a condition like a cut", "having", "m.sum:5", `at 5: expected a comparison after m.sum, found ":" ` + signs},
		{"two equals signs", "having", "m.sum==5", `at 6: expected a number, found "=5" (as 1500 or -0.25)`},
		{"the comparison of SQL", "having", "m.sum<>5", `at 6: expected a number, found ">5" (as 1500 or -0.25)`},
		{"a comparison the wrong way round", "having", "m.sum=>5", `at 6: expected a number, found ">5" (as 1500 or -0.25)`},
		{"an exclamation mark for a comparison", "having", "m.sum!5", `at 5: expected a comparison after m.sum, found "!" ` + signs},
		{"a comparison without a number", "having", "é.sum>=", `at 7: expected a number, found "" (as 1500 or -0.25)`},
		{"a comparison without an aggregate", "having", "<5",
			`at 0: expected a name, found "<" (what holds "<" stands in quotes)`},
		{"a number first", "having", "5<m.sum", `at 2: expected a number, found "m.sum" (as 1500 or -0.25)`},
		{"a formula after the comparison", "having", "m.sum>n.sum", `at 6: expected a number, found "n.sum" (as 1500 or -0.25)`},
		{"a number with an exponent", "having", "m.sum>1e6", `at 6: expected a number, found "1e6" (as 1500 or -0.25)`},
		{"a number with groups", "having", "m.sum>1,500", `at 6: expected a number, found "1,500" (as 1500 or -0.25)`},
		{"a number with a plus sign", "having", "m.sum>+5", `at 6: expected a number, found "+5" (as 1500 or -0.25)`},
		{"a number with a space", "having", "m.sum> 5", `at 6: expected a number, found " 5" (as 1500 or -0.25)`},
		{"a number without digits before the point", "having", "m.sum>.5", `at 6: expected a number, found ".5" (as 1500 or -0.25)`},
		{"a number that is none", "having", "m.sum>NaN", `at 6: expected a number, found "NaN" (as 1500 or -0.25)`},
		{"a quoted number", "having", `m.sum>"5"`, `at 6: expected a number, found "\"5\"" (as 1500 or -0.25)`},
		{"digits of another script", "having", "m.sum>٥", `at 6: expected a number, found "٥" (as 1500 or -0.25)`},
		{"a number of nineteen digits", "having", "m.sum>-123456789.0123456789", "at 6: the number has more than 18 digits (write it with fewer)"},
		{"a long text for a number", "having", "m.sum>" + strings.Repeat("x", 70),
			`at 6: expected a number, found "` + strings.Repeat("x", 60) + `…" (as 1500 or -0.25)`},
		{"a second condition that is empty", "having", "m.sum>5|", "at 8: expected a name, found the end (leave out this |)"},
		{"a comma between conditions", "having", "m.sum>5,n.sum>5", `at 6: expected a number, found "5,n.sum>5" (as 1500 or -0.25)`},
		{"two comparisons of one", "having", "m.sum>5<7", `at 6: expected a number, found "5<7" (as 1500 or -0.25)`},

		{"a role without a name", "order", "m.sum.:desc",
			`at 6: expected a name, found ":" (write a name after the point, or leave the point out)`},
		{"a role of a role", "order", "m.sum.earlier.earlier",
			`at 13: expected , or the end, found "." (write , between them; what holds "." stands in quotes)`},
		{"a formula that is not closed in the order", "order", "share(m.sum:desc", // the colon belongs to no aggregate `at
			`at 11: expected , or ) after an aggregate of share, found ":" (write , between its aggregates and ) behind the last)`},

		{"an axis without an offset", "compare", "Year", "at 4: expected : and an offset after Year (as Year:-1)"},
		{"an axis with nothing after the colon", "compare", "Year:", `at 5: expected a whole number that is not 0, found "" ` + before},
		{"an offset of 0", "compare", "Year:0", `at 5: expected a whole number that is not 0, found "0" ` + before},
		{"an offset with decimals", "compare", "Year:-1.0", `at 5: expected a whole number that is not 0, found "-1.0" ` + before},
		{"an offset in words", "compare", "año:prev", `at 4: expected a whole number that is not 0, found "prev" ` + before},
		{"an offset beyond reach", "compare", "Year:2147483648",
			`at 5: expected a whole number that is not 0, found "2147483648" ` + before},
		{"an offset alone", "compare", "-1", "at 2: expected : and an offset after -1 (write the level before it, as LEVEL:-1)"},
		{"an equals sign for the offset", "compare", "Year=-1", "at 4: expected : and an offset after Year (as Year:-1)"},
		{"two comparisons", "compare", "Year:-1|Year:-2", "at 8: an answer compares with one other (ask once for each)"},

		{"a direction that is none", "order", "ñ,Year:up", "at 7: expected asc or desc after Year (write Year:desc)"},
		{"a direction in capitals", "order", "Year:DESC", "at 5: expected asc or desc after Year (write Year:desc)"},
		{"no direction after the colon", "order", "Year:", "at 5: expected asc or desc after Year (write Year:desc)"},
		{"a bar between orders", "order", "a|b", `at 1: expected , or the end, found "|" (write , between them, as a,b)`},
		{"a second direction", "order", "a:asc:desc",
			`at 5: expected , or the end, found ":" (write , between them; what holds ":" stands in quotes)`},
		{"a minus sign for descending is part of the name", "order", "-a;",
			`at 2: expected , or the end, found ";" (write , between them, as -a,…)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cubetest.WantError(t, parsers[tt.parameter](tt.text), cube.CodeBadSyntax, tt.parameter+" "+tt.want)
		})
	}
}

func TestParsePage_RefusesPagesOutOfBounds(t *testing.T) {
	for _, tt := range []struct{ name, parameter, text, want string }{
		{"page 0", "page", "0", `"0", not a whole number from 1 to 1099511627776 (write page=1)`},
		{"a negative page", "page", "-1", `"-1", not a whole number from 1 to 1099511627776 (write page=1)`},
		{"a page beyond reach", "page", "1099511627777", `"1099511627777", not a whole number from 1 to 1099511627776 (at most page=1099511627776)`},
		{"a page of too many digits", "page", "99999999999999999999",
			`"99999999999999999999", not a whole number from 1 to 1099511627776 (at most page=1099511627776)`},
		{"a page that is no number", "page", "two", `"two", not a whole number from 1 to 1099511627776 (write page=1)`},
		{"a page with decimals", "page", "1.0", `"1.0", not a whole number from 1 to 1099511627776 (write page=1)`},
		{"a negative size", "pagesize", "-1", `"-1", not a whole number from 0 to 10000 (write pagesize=100)`},
		{"a size above the most", "pagesize", "10001", `"10001", not a whole number from 0 to 10000 (at most pagesize=10000)`},
		{"a size with a space", "pagesize", " 5", `" 5", not a whole number from 0 to 10000 (write pagesize=100)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.parameter + " at 0: " + tt.parameter + " is " + tt.want
			cubetest.WantError(t, parsers[tt.parameter](tt.text), cube.CodeBadPage, want)
		})
	}
}

func TestParse_RefusesUnknownChoices(t *testing.T) {
	for _, tt := range []struct{ parameter, text, want string }{
		{"rollup", "", `rollup is "" (write rollup=1)`},
		{"rollup", "yes", `rollup is "yes" (write rollup=1)`},
		{"rollup", "TRUE", `rollup is "TRUE" (write rollup=1)`},
		{"remainder", "2", `remainder is "2" (write remainder=1)`},
		{"top", "", `top is "", not a whole number from 1 to 10000 (write top=10)`},
		{"top", "0", `top is "0", not a whole number from 1 to 10000 (write top=10)`},
		{"top", "-5", `top is "-5", not a whole number from 1 to 10000 (write top=10)`},
		{"top", "10001", `top is "10001", not a whole number from 1 to 10000 (at most top=10000)`},
		{"top", "99999999999999999999", `top is "99999999999999999999", not a whole number from 1 to 10000 (at most top=10000)`},
		{"top", "5.0", `top is "5.0", not a whole number from 1 to 10000 (write top=10)`},
		{"top", "all", `top is "all", not a whole number from 1 to 10000 (write top=10)`},
		{"fill", "", `fill is "" (gaps are filled with null or zero)`},
		{"fill", "0", `fill is "0" (gaps are filled with null or zero)`},
		{"fill", "Null", `fill is "Null" (gaps are filled with null or zero)`},
		{"snapshots", "", `snapshots is "" (the only choice is all; without it one statement of each period is counted)`},
		{"snapshots", "last", `snapshots is "last" (the only choice is all; without it one statement of each period is counted)`},
	} {
		t.Run(tt.parameter+"="+tt.text, func(t *testing.T) {
			_, err := query.Parse(map[string]string{tt.parameter: tt.text})
			cubetest.WantError(t, err, cube.CodeBadValue, tt.parameter+" at 0: "+tt.want)
		})
	}
	for _, parameter := range []string{"page", "pagesize"} {
		_, err := query.Parse(map[string]string{parameter: ""})
		cubetest.WantError(t, err, cube.CodeBadPage, parameter+" at 0: "+parameter+" is empty (leave the parameter out to ask without it)")
	}
}

func TestParseDrilldown_LimitsTheList(t *testing.T) {
	list := func(n int) string { return strings.Repeat("a|", n-1) + "a" }
	if _, err := query.ParseDrilldown(list(1500)); err != nil {
		t.Errorf("1500 levels: %v", err)
	}
	_, err := query.ParseDrilldown(list(1501))
	cubetest.WantError(t, err, cube.CodeTooLarge, "drilldown at 3000: drilldown has more than 1500 parts (ask several questions)")
}

func TestParse_MistakesHaveAPositionInTheText(t *testing.T) {
	const signs = `|:;,.~!<>=()/"\ aé1`
	for parameter, parse := range parsers {
		if strings.HasPrefix(parameter, "page") {
			continue
		}
		for _, a := range signs {
			for _, b := range signs {
				for _, c := range signs {
					text := string([]rune{a, b, c})
					checkPosition(t, parameter, text, parse(text))
				}
			}
		}
	}
}

func checkPosition(t *testing.T, parameter, text string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var e *cube.Error
	if !errors.As(err, &e) || e.Code != cube.CodeBadSyntax && e.Code != cube.CodeTooLarge || e.Message == "" || e.Position == nil ||
		e.Hint == "" {
		t.Fatalf("%s=%q: %#v", parameter, text, err)
	}
	if e.Position.Parameter != parameter || e.Position.Offset < 0 || e.Position.Offset > len([]rune(text)) {
		t.Errorf("%s=%q: place %+v", parameter, text, *e.Position)
	}
}
