package cube_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
)

// quarters is a cube of reports with names, in an order that neither their length nor their letters tell. No row is
// of the account.
func quarters(t testing.TB) *cube.Cube {
	t.Helper()
	return stated(t, func(d *cube.Draft) {
		statements("2018/plan", "2018/march", "2018/june", "2019/plan", "2019/march")(d)
		d.Level("mes").LabelRef = ""
		d.Snapshots.Order = []string{"plan", "march", "june", "account"}
	})
}

func TestRangesOfStatementsGoByTheirOrder(t *testing.T) {
	const march, june = "mes: mes = march", "ejercicio/mes: ejercicio = 2018 and mes = june or ejercicio = 2019 and mes = march"
	for _, tt := range []struct{ cut, spans, counted string }{
		{"mes:..march", "mes = plan,march", march},
		{"mes:..june", "mes = june,plan,march", june},
		{"mes:march..", "mes = june,march,account", june},
		{"mes:march..june", "mes = june,march", june},
		{"mes:plan..account", "mes = june,plan,march,account", june},
		{"mes:..plan", "mes = plan", ""},
		{"mes:account..", "mes = account", ""},
		{"mes:account..;..march", "mes = account or mes = plan,march", march},
		{"mes:plan;june..", "mes = plan or mes = june,account", "ejercicio/mes: ejercicio = 2018 and mes = june or ejercicio = 2019 and mes = plan"},
		{"!mes:june..", "mes = june,account", march},
		{"month:..march", "mes = plan,march", march},
	} {
		t.Run(tt.cut, func(t *testing.T) {
			plan := bindTo(t, quarters(t), "cut="+tt.cut)
			if got := showAny(plan.Filters()[0]); got != tt.spans {
				t.Errorf("spans  %s\nwant %s", got, tt.spans)
			}
			if got := defaults(plan); got != tt.counted {
				t.Errorf("counts %s\nwant %s", got, tt.counted)
			}
			if again := bindTo(t, quarters(t), plan.String()); again.String() != plan.String() {
				t.Errorf("%s\nis printed again as %s", plan, again)
			}
		})
	}
}

// The bounds are told back, and a range is another question than the values that it comes to.
func TestRangesOfStatementsAreToldBack(t *testing.T) {
	plan := bindTo(t, quarters(t), "cut=mes:..march")
	want := cube.EchoItem{Op: cube.OpRange, Values: []cube.Value{cube.Missing, cube.Text("march")}}
	if got := plan.Filters()[0].Echo; len(got) != 1 || fmt.Sprint(got[0]) != fmt.Sprint(want) {
		t.Errorf("told back as %v, want %v", got, want)
	}
	if other := bindTo(t, quarters(t), "cut=mes:plan;march"); other.String() == plan.String() {
		t.Errorf("both are printed as %s", plan)
	}
	one, single := bindTo(t, quarters(t), "cut=mes:plan"), bindTo(t, quarters(t), "cut=mes:..plan")
	if one.String() == single.String() || single.Filters()[0].Echo[0].Op != cube.OpRange {
		t.Errorf("%s is told back as %v", single, single.Filters()[0].Echo)
	}
}

// In years that begin in April numbers are an order only where no other is declared.
func TestRangesOfNumberedStatements(t *testing.T) {
	for _, tt := range []struct {
		order       []string
		cut, counts string
	}{
		{[]string{"4", "12", "1", "3"}, "mes:..1", "mes: mes = 1"},
		{[]string{"4", "12", "1", "3"}, "mes:..012", "mes: mes = 12"},
		{nil, "mes:..3", "mes: mes = 3"},
		{nil, "mes:..7", "mes: mes = 4"},
	} {
		c := stated(t, func(d *cube.Draft) {
			statements("2018/4", "2018/12", "2018/1", "2018/3")(d)
			d.Column("mes").Type, d.Snapshots.Order = cube.TypeInteger, tt.order
		})
		if got := defaults(bindTo(t, c, "cut="+tt.cut)); got != tt.counts {
			t.Errorf("%v: %s counts %s, want %s", tt.order, tt.cut, got, tt.counts)
		}
	}
}

// The missing statement has the place that is declared for it.
func TestRangesWithTheMissingStatement(t *testing.T) {
	c := stated(t, func(d *cube.Draft) {
		statements("2018/1", "2018/2", "2018/")(d)
		d.Snapshots.Order = []string{"1", "2", ""}
	})
	for cut, want := range map[string]string{"mes:2..": "mes = 2,missing", "mes:..2": "mes = 1,2"} {
		if got := showAny(bindTo(t, c, "cut="+cut).Filters()[0]); got != want {
			t.Errorf("%s spans %s, want %s", cut, got, want)
		}
	}
}

func TestRangesOfStatementsThatCannotBind(t *testing.T) {
	for _, tt := range []struct {
		cut  string
		code cube.Code
		want string
	}{
		{"ejercicio:2018|mes:june..march", cube.CodeBadValue,
			"cut at 19: june comes after march, so nothing is between (the order is plan, march, june, account)"},
		{"mes:..April", cube.CodeBadValue, "cut at 4: \"April\" has no place in the order of mes (the order is plan, march, june, account)"},
		{"mes:april..june", cube.CodeBadValue, "cut at 4: \"april\" has no place in the order of mes (the order is plan, march, june, account)"},
		{"mes:" + strings.TrimSuffix(strings.Repeat("plan..;", 2500), ";"), cube.CodeTooLarge, "cut at 0: the cuts name more than 10000 values"},
		{"mes:~MARCH", cube.CodeBadValue, "cut at 4: text is not looked for in mes: statements of the same money, and their periods, are " +
			"known by whole values alone (name the values whole, as mes:march)"},
		{"mes:~april", cube.CodeBadValue, "cut at 4: text is not looked for in mes: statements of the same money, and their periods, are " +
			"known by whole values alone (name the values whole, as mes:plan;march;june)"},
	} {
		_, err := quarters(t).Bind(cuts(t, tt.cut))
		wantError(t, err, tt.code, tt.want)
	}
	_, err := stated(t, statements()).Bind(cuts(t, "mes:~1"))
	wantError(t, err, cube.CodeBadValue, "cut at 4: text is not looked for in mes: statements of the same money, and their periods, are "+
		"known by whole values alone (name the values whole)")
}
