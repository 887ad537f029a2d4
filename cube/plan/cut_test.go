package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// filterText writes a filter as it will be tested: alternatives joined by or, their tests by and.
func filterText(f plan.Filter) string {
	var alternatives []string
	for _, tests := range f.Any {
		var all []string
		for _, test := range tests {
			all = append(all, testText(test))
		}
		alternatives = append(alternatives, strings.Join(all, " and "))
	}
	text := strings.Join(alternatives, " or ")
	if f.Not {
		return "not (" + text + ")"
	}
	return text
}

func testText(test plan.Test) string {
	if m := test.Members; m != nil {
		return fmt.Sprintf("%s of %s (%d columns) called %q or with %q", test.Column.Name, m.Level.Ref, len(m.Path), m.Labels, m.Substrings)
	}
	if len(test.In) == 0 {
		return test.Column.Name + " " + valueText(test.From) + ".." + valueText(test.To)
	}
	var values []string
	for _, v := range test.In {
		values = append(values, valueText(v))
	}
	return test.Column.Name + " = " + strings.Join(values, ",")
}

func valueText(v cube.Value) string {
	if v.IsMissing() {
		return "missing"
	}
	if n, ok := v.Int(); ok {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%q", v.String())
}

func TestBind_Cuts(t *testing.T) {
	for _, tt := range []struct{ name, cut, want string }{
		{"a text code keeps its zeros", "admin1_code:020", `admin1_code = "020"`},
		{"a text code of digits is text", "admin1_code:20", `admin1_code = "20"`},
		{"a whole number loses its zeros", "Year:02016", "Year = 2016"},
		{"a negative number", "quarter:-1", "quarter = -1"},
		{"the largest number", "Year:9223372036854775807", "Year = 9223372036854775807"},
		{"the missing text", "admin1_code:", "admin1_code = missing"},
		{"the missing number", `quarter:""`, "quarter = missing"},
		{"a set is sorted and holds each once", "Year:2017;2016;2017;02016", "Year = 2016,2017"},
		{"text sorts by length, then bytes, missing last", "admin1_code:10;;9;1;ž", `admin1_code = "1","9","ž","10",missing`},
		{"all but a set", "!admin1_code:b;a", `not (admin1_code = "a","b")`},
		{"a closed range", "Year:2016..2018", "Year 2016..2018"},
		{"a range from", "admin1_code:06..", `admin1_code "06"..missing`},
		{"a range to", "Year:..2018", "Year missing..2018"},
		{"bounds of numbers may differ in length", "Year:9..10", "Year 9..10"},
		{"bounds of text are as long as their characters", "admin1_code:č1..ž9", `admin1_code "č1".."ž9"`},
		{"values come before ranges", "Year:2020..;2016;..2010;2015", "Year = 2015,2016 or Year 2020..missing or Year missing..2010"},
		{"a slash belongs to the value of a field", "admin1_code:a/b", `admin1_code = "a/b"`},
		{"a slash at the end too", "admin1_code:010/", `admin1_code = "010/"`},
		{"a field named with its dimension", "administrative-classification.admin1_code:a", `admin1_code = "a"`},
		{"a field below the top is tested alone", "admin2_code:02", `admin2_code = "02"`},
		{"a path on a dimension", "administrative-classification:010/02", `admin1_code = "010" and admin2_code = "02"`},
		{"the beginning of a path", "administrative-classification:010", `admin1_code = "010"`},
		{"the missing child of a member", "administrative-classification:010/", `admin1_code = "010" and admin2_code = missing`},
		{"whole and begun paths", "administrative-classification:010/02;020;030/01;010",
			`admin1_code = "010","020" or admin1_code = "010" and admin2_code = "02" or admin1_code = "030" and admin2_code = "01"`},
		{"a slash inside a quoted key", `administrative-classification:"010/02"`, `admin1_code = "010/02"`},
		{"a path is typed level by level", "date:2016/04", "Year = 2016 and quarter = 4"},
		{"a path through what a level is within", "programa:R/23/1",
			`ID_MODALIDAD = "R" and ID_RAMO = "23" and ID_PP = "1"`},
		{"a slash on a dimension of one level belongs to the value", "linea:a/b", `line_id = "a/b"`},
		{"terms are sorted by their text", "admin1_code:b|Year:1|!admin1_code:a",
			`not (admin1_code = "a"); Year = 1; admin1_code = "b"`},
		{"a term asked twice counts once", "Year:1;2|Year:2;1|date.Year:1;2", "Year = 1,2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var texts []string
			for _, f := range cubetest.MustAsk(t, "cut="+tt.cut).Main().Filters() {
				texts = append(texts, filterText(f))
			}
			if got := strings.Join(texts, "; "); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.cut, got, tt.want)
			}
		})
	}
}

func TestBind_RefusesCuts(t *testing.T) {
	const slash = ` (write a slash that belongs to a code inside quotes: "a/b")`
	for _, tt := range []struct {
		name, cut string
		code      cube.Code
		want      string
	}{
		{"text for a number", "Year:2016;MMXVI", cube.CodeBadValue, `cut at 10: Year holds whole numbers, and "MMXVI" is none (write digits alone, as 2016)`},
		{"decimals for a number", "Year:2016.5", cube.CodeBadValue, `cut at 5: Year holds whole numbers, and "2016.5" is none (write digits alone, as 2016)`},
		{"a space before a number", "Year: 2016", cube.CodeBadValue, `cut at 5: Year holds whole numbers, and " 2016" is none (write digits alone, as 2016)`},
		{"a number of more than 64 bits", "Year:9223372036854775808", cube.CodeBadValue,
			`cut at 5: Year holds whole numbers, and "9223372036854775808" is none (write digits alone, as 2016)`},
		{"text as the bound of a range of numbers", "quarter:1..I", cube.CodeBadValue,
			`cut at 8: quarter holds whole numbers, and "I" is none (write digits alone, as 2016)`},
		{"a path on a field of numbers", "Year:2016/1", cube.CodeBadValue,
			`cut at 5: Year holds whole numbers, and "2016/1" is none (write digits alone, as 2016)`},
		{"bounds of text of unequal length", "admin1_code:9..10", cube.CodeBadValue,
			`cut at 12: the bounds "9" and "10" differ in length (keys of text compare only at one length, as 01..12)`},
		{"bounds of equal bytes and unequal characters", "admin1_code:ab..č", cube.CodeBadValue,
			`cut at 12: the bounds "ab" and "č" differ in length (keys of text compare only at one length, as 01..12)`},
		{"a range on a dimension", "date:1..2", cube.CodeBadValue, "cut at 5: a range needs a level (name one of Year, quarter)"},
		{"a path longer than its dimension", "Year:1|date:1/2/3", cube.CodeBadValue,
			"cut at 12: the path has 3 keys, its dimension 2 levels" + slash},
		{"a slash too many", "administrative-classification:010//", cube.CodeBadValue,
			"cut at 30: the path has 3 keys, its dimension 2 levels" + slash},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := cubetest.Ask(t, "cut="+tt.cut)
			cubetest.WantError(t, err, tt.code, tt.want)
		})
	}
}

func TestBind_LimitsCuts(t *testing.T) {
	values := func(n int) string { return strings.TrimSuffix(strings.Repeat("1;", n), ";") }
	if _, err := cubetest.Ask(t, "cut=Year:"+values(4_000)+"|quarter:"+values(6_000)); err != nil {
		t.Errorf("10,000 values: %v", err)
	}
	_, err := cubetest.Ask(t, "cut=Year:"+values(4_000)+"|quarter:"+values(6_001))
	cubetest.WantError(t, err, cube.CodeTooLarge, "cut at 8005: the cuts name more than 10000 values")
}

func TestBind_EchoesCuts(t *testing.T) {
	for _, tt := range []struct{ name, cut, want string }{
		{"exact values as one item", "Year:2017;2016", "Year: [2016 2017]"},
		{"a range by its bounds", "Year:2016..", "Year: [2016 missing]"},
		{"a path by its keys", "date:2016/;2017", "date: [2017] [2016 missing]"},
		{"a field by its bare name", "date.Year:1", "Year: [1]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := cubetest.MustAsk(t, "cut="+tt.cut).Main().Filters()[0]
			got := f.Ref + ":"
			for _, item := range f.Echo {
				var values []string
				for _, v := range item.Values {
					values = append(values, valueText(v))
				}
				got += fmt.Sprintf(" %v", values)
			}
			if got != tt.want || len(f.Echo) != len(f.Any) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestBind_LabelCuts(t *testing.T) {
	for _, tt := range []struct{ name, cut, want, text string }{
		{"a label", "admin1_label:Hrvatski sabor", `admin1_code of admin1_code (1 columns) called ["Hrvatski sabor"] or with []`,
			`admin1_label:"Hrvatski sabor"`},
		{"labels are tidied, sorted, each once", "admin1_label: b ;a/ x;b", `admin1_code of admin1_code (1 columns) called ["a/ x" "b"] or with []`,
			`admin1_label:"a/ x";"b"`},
		{"no label", "!admin2_label:", `not (admin2_code of admin2_code (2 columns) called [""] or with [])`, `!admin2_label:""`},
		{"a label of digits is text", "quarter_label:01", `quarter of quarter (2 columns) called ["01"] or with []`, `quarter_label:"01"`},
		{"a level within another", "DESC_PP:x", `ID_PP of ID_PP (3 columns) called ["x"] or with []`, `DESC_PP:"x"`},
		{"text in a level", "admin1_code:~ Š  x;~a;~a", `admin1_code of admin1_code (1 columns) called [] or with ["a" "Š x"]`,
			`admin1_code:~"a";~"Š x"`},
		{"text in a label", "admin1_label:~parl", `admin1_code of admin1_code (1 columns) called [] or with ["parl"]`, `admin1_label:~"parl"`},
		{"text in numbers", "quarter:~1", `quarter of quarter (2 columns) called [] or with ["1"]`, `quarter:~"1"`},
		{"codes beside text", "admin1_code:b;~a;01..02;a",
			`admin1_code = "a","b" or admin1_code "01".."02" or admin1_code of admin1_code (1 columns) called [] or with ["a"]`,
			`admin1_code:"01".."02";"a";"b";~"a"`},
		{"labels beside text", "admin1_label:b;~a",
			`admin1_code of admin1_code (1 columns) called ["b"] or with [] or admin1_code of admin1_code (1 columns) called [] or with ["a"]`,
			`admin1_label:"b";~"a"`},
		{"labels of single budget lines are cells", "line_label: a ;", `line_label = " a ",missing`, `line_label:" a ";""`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := cubetest.MustAsk(t, "cut="+tt.cut)
			if got := filterText(p.Main().Filters()[0]); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if text := "cut=" + tt.text + "&aggregates="; !strings.HasPrefix(p.String(), text) {
				t.Errorf("printed as %s, want %s", p, text)
			}
			if again := cubetest.MustAsk(t, p.String()); again.String() != p.String() {
				t.Errorf("%s\nis printed again as %s", p, again)
			}
		})
	}
}

func TestBind_RefusesLabelCuts(t *testing.T) {
	for _, tt := range []struct {
		name, cut string
		code      cube.Code
		want      string
	}{
		{"a range of labels", "admin1_label:a..b", cube.CodeBadValue, "cut at 13: labels have no ranges (name the codes: admin1_code)"},
		{"text in a dimension", "date:~1", cube.CodeBadValue, "cut at 5: text is looked for in a level (name one of Year, quarter)"},
		{"text in single budget lines", "line_id:~1", cube.CodeBadValue, "cut at 8: line_id holds single budget lines, " +
			"which are not searched (name their codes or whole labels, or cut on another level)"},
		{"text in their labels", "linea:~1", cube.CodeBadValue, "cut at 6: line_id holds single budget lines, " +
			"which are not searched (name their codes or whole labels, or cut on another level)"},
		{"text of spaces", `Year:1|admin1_code:~"  "`, cube.CodeBadSyntax,
			"cut at 19: expected the text to look for after ~ (write a part of a key or a label, as ~health)"},
		{"too many texts", "Year:~1|admin1_code:" + strings.TrimSuffix(strings.Repeat("~a;", 100), ";"), cube.CodeTooLarge,
			"cut at 8: the cuts look for more than 100 texts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := cubetest.Ask(t, "cut="+tt.cut)
			cubetest.WantError(t, err, tt.code, tt.want)
		})
	}
}

func TestBind_EchoesLabelCuts(t *testing.T) {
	p := cubetest.MustAsk(t, "cut=admin1_label:b;~x;a;~é")
	got := fmt.Sprintf("%s %v", p.Main().Filters()[0].Ref, p.Main().Filters()[0].Echo)
	want := fmt.Sprintf("admin1_label %v", []plan.EchoItem{
		{Op: query.OpEqual, Values: []cube.Value{cube.Text("a"), cube.Text("b")}},
		{Op: query.OpMatch, Values: []cube.Value{cube.Text("x")}},
		{Op: query.OpMatch, Values: []cube.Value{cube.Text("é")}},
	})
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A dimension is drilled below the level that a label names.
func TestBind_DrillsBelowTheLevelOfALabelCut(t *testing.T) {
	for _, cut := range []string{"admin1_label:a", "admin1_code:~a"} {
		p := cubetest.MustAsk(t, "drilldown=administrative-classification&cut="+cut)
		if keys := p.Keys(); len(keys) != 2 || keys[1].Name != "admin2_code" {
			t.Errorf("%s: the keys are %v", cut, keys)
		}
	}
}

// Which snapshot of a period is the last one must be known without asking the store what its members are called.
func TestBind_SnapshotsAreCutByCodes(t *testing.T) {
	for cut, want := range map[string]string{
		"mes_nombre:Enero": "cut at 0: the last statement of a period is known by its code alone (cut on the codes: mes)",
		"!mes:~1": "cut at 5: text is not looked for in mes: statements of the same money, and their periods, are known by " +
			"whole values alone (name the values whole, as mes:10;11;12)",
		"ejercicio:~20": "cut at 10: text is not looked for in ejercicio: statements of the same money, and their periods, are " +
			"known by whole values alone (name the values whole, as ejercicio:2017;2018;2019)",
		"ejercicio:~x;~2018": "cut at 10: text is not looked for in ejercicio: statements of the same money, and their periods, are " +
			"known by whole values alone (name the values whole, as ejercicio:2017;2018;2019)",
	} {
		_, err := plan.Bind(cubetest.YearToDate(t, nil), cuts(t, cut))
		cubetest.WantError(t, err, cube.CodeBadValue, want)
	}
	p, err := plan.Bind(cubetest.YearToDate(t, nil), cuts(t, "dia:~05"))
	if err != nil || len(p.AllFilters()) != 2 {
		t.Errorf("a day is no statement: %v, %v", p, err)
	}
}

// cuts reads a question of cuts alone.
func cuts(t testing.TB, text string) query.Query {
	t.Helper()
	cuts, err := query.ParseCut(text)
	if err != nil {
		t.Fatal(err)
	}
	return query.Query{Cuts: cuts, Page: query.FirstPage}
}
