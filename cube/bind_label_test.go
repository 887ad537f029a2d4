package cube_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
)

func TestLabelCutsBind(t *testing.T) {
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
			plan := mustAsk(t, "cut="+tt.cut)
			if got := show(plan.Filters()[0]); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if text := "cut=" + tt.text + "&aggregates="; !strings.HasPrefix(plan.String(), text) {
				t.Errorf("printed as %s, want %s", plan, text)
			}
			if again := mustAsk(t, plan.String()); again.String() != plan.String() {
				t.Errorf("%s\nis printed again as %s", plan, again)
			}
		})
	}
}

func TestLabelCutsThatCannotBind(t *testing.T) {
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
			_, err := ask(t, "cut="+tt.cut)
			wantError(t, err, tt.code, tt.want)
		})
	}
}

func TestLabelCutsAreToldBack(t *testing.T) {
	plan := mustAsk(t, "cut=admin1_label:b;~x;a;~é")
	got := fmt.Sprintf("%s %v", plan.Filters()[0].Ref, plan.Filters()[0].Echo)
	want := fmt.Sprintf("admin1_label %v", []cube.EchoItem{
		{Op: cube.OpEqual, Values: []cube.Value{cube.Text("a"), cube.Text("b")}},
		{Op: cube.OpMatch, Values: []cube.Value{cube.Text("x")}},
		{Op: cube.OpMatch, Values: []cube.Value{cube.Text("é")}},
	})
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A dimension is drilled below the level that a label names.
func TestLabelCutsAreGoneBelow(t *testing.T) {
	for _, cut := range []string{"admin1_label:a", "admin1_code:~a"} {
		plan := mustAsk(t, "drilldown=administrative-classification&cut="+cut)
		if keys := plan.Keys(); len(keys) != 2 || keys[1].Name != "admin2_code" {
			t.Errorf("%s: the keys are %v", cut, keys)
		}
	}
}

// What the last statement of a period is must be known without asking the store what its members are called.
func TestStatementsAreCutByCodes(t *testing.T) {
	for cut, want := range map[string]string{
		"mes_nombre:Enero": "cut at 0: the last statement of a period is known by its code alone (cut on the codes: mes)",
		"!mes:~1": "cut at 5: text is not looked for in mes: statements of the same money, and their periods, are known by " +
			"whole values alone (name the values whole, as mes:10;11;12)",
		"ejercicio:~20": "cut at 10: text is not looked for in ejercicio: statements of the same money, and their periods, are " +
			"known by whole values alone (name the values whole, as ejercicio:2017;2018;2019)",
		"ejercicio:~x;~2018": "cut at 10: text is not looked for in ejercicio: statements of the same money, and their periods, are " +
			"known by whole values alone (name the values whole, as ejercicio:2017;2018;2019)",
	} {
		_, err := stated(t, nil).Bind(cuts(t, cut))
		wantError(t, err, cube.CodeBadValue, want)
	}
	plan, err := stated(t, nil).Bind(cuts(t, "dia:~05"))
	if err != nil || len(plan.AllFilters()) != 2 {
		t.Errorf("a day is no statement: %v, %v", plan, err)
	}
}

// cuts reads a question of cuts alone.
func cuts(t testing.TB, text string) cube.Query {
	t.Helper()
	cuts, err := cube.ParseCut(text)
	if err != nil {
		t.Fatal(err)
	}
	return cube.Query{Cuts: cuts, Page: cube.FirstPage}
}
