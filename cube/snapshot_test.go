package cube_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
)

// stated is a cube whose months are year-to-date: 2017 and 2018 are whole, 2019 ends in June.
func stated(t testing.TB, change func(*cube.Draft)) *cube.Cube {
	t.Helper()
	d := &cube.Draft{
		Columns: []cube.Column{
			{Name: "ejercicio", Type: cube.TypeInteger, FiscalYear: true}, {Name: "mes", Type: cube.TypeText},
			{Name: "mes_nombre", Type: cube.TypeText}, {Name: "dia", Type: cube.TypeText}, {Name: "titulo", Type: cube.TypeText},
			{Name: "pi_monto", Scale: 2}, {Name: "flujo"},
		},
		Dimensions: []cube.Dimension{
			{Name: "date", Levels: []cube.Level{
				{Ref: "ejercicio"}, {Ref: "mes", LabelRef: "mes_nombre", Parent: "ejercicio"}, {Ref: "dia", Parent: "mes"}}},
			{Name: "admin", Levels: []cube.Level{{Ref: "titulo"}}},
		},
		Measures:  []cube.Measure{{Ref: "pi_monto"}, {Ref: "flujo", Flow: true}},
		Snapshots: &cube.Snapshots{By: "mes", Per: []string{"ejercicio"}},
	}
	for year, months := range map[string]int{"2017": 12, "2018": 12, "2019": 6} {
		for month := range months {
			d.Snapshots.Statements = append(d.Snapshots.Statements,
				cube.Statement{Period: []string{year}, Snapshot: fmt.Sprintf("%02d", month+1), Rows: 2})
		}
	}
	if change != nil {
		change(d)
	}
	m, err := d.Model()
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{Package: &cube.Package{Name: "stated", Model: m}}
}

// flat takes mes and dia out of the chain: as in D5, where mes is a level of a dimension of its own.
func flat(d *cube.Draft) {
	d.RemoveLevel("dia")
	d.RemoveLevel("mes")
	d.Dimensions = append(d.Dimensions, cube.Dimension{Name: "month", Levels: []cube.Level{{Ref: "mes", LabelRef: "mes_nombre"}}})
}

func statements(lines ...string) func(*cube.Draft) {
	return func(d *cube.Draft) {
		flat(d)
		d.Snapshots.Statements = nil
		for _, line := range lines {
			cells := strings.Split(line, "/")
			last := len(cells) - 1
			d.Snapshots.Statements = append(d.Snapshots.Statements, cube.Statement{Period: cells[:last], Snapshot: cells[last], Rows: 1})
		}
	}
}

func bindTo(t testing.TB, c *cube.Cube, question string) *cube.Plan {
	t.Helper()
	q, err := read(question)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	plan, err := c.Bind(q)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return plan
}

// defaults shows the default filters of a plan, whether all of its parts are under them or some.
func defaults(p *cube.Plan) string {
	var list []string
	for _, f := range p.AllFilters() {
		if f.Default {
			list = append(list, f.Ref+": "+showAny(f))
		}
	}
	return strings.Join(list, " | ")
}

func showAny(f cube.Filter) string {
	var list []string
	for _, tests := range f.Any {
		var all []string
		for _, test := range tests {
			all = append(all, showTest(test))
		}
		list = append(list, strings.Join(all, " and "))
	}
	return strings.ReplaceAll(strings.Join(list, " or "), `"`, "")
}

func TestOneSnapshotOfEachPeriodIsCounted(t *testing.T) {
	const all = "ejercicio/mes: ejercicio = 2017,2018 and mes = 12 or ejercicio = 2019 and mes = 06"
	for _, tt := range []struct{ name, question, want string }{
		{"without a cut the last of each", "", all},
		{"other cuts and drilldowns do not matter", "drilldown=titulo|ejercicio&cut=titulo:206", all},
		{"a period", "cut=ejercicio:2017", "mes: mes = 12"},
		{"periods that end alike need no list", "cut=ejercicio:2017;2018", "mes: mes = 12"},
		{"periods that end differently do", "cut=ejercicio:2018..", "ejercicio/mes: ejercicio = 2018 and mes = 12 or ejercicio = 2019 and mes = 06"},
		{"not a period", "cut=!ejercicio:2019", "mes: mes = 12"},
		{"a snapshot asked for is the only one", "cut=mes:03", ""},
		{"of several asked for the last", "cut=mes:03;07;05", "ejercicio/mes: ejercicio = 2017,2018 and mes = 07 or ejercicio = 2019 and mes = 05"},
		{"as of June", "cut=mes:..06", "mes: mes = 06"},
		{"as of August", "cut=mes:..08", "ejercicio/mes: ejercicio = 2017,2018 and mes = 08 or ejercicio = 2019 and mes = 06"},
		{"from October, which one year lacks", "cut=mes:10..", "mes: mes = 12"},
		{"a closed range", "cut=mes:02..04", "mes: mes = 04"},
		{"a range of another length admits none", "cut=mes:1..9", ""},
		{"not the last", "cut=!mes:12", "ejercicio/mes: ejercicio = 2017,2018 and mes = 11 or ejercicio = 2019 and mes = 06"},
		{"not a range", "cut=!mes:02..", "" /* 01 alone is left */},
		{"a snapshot that is not there", "cut=mes:13", ""},
		{"the missing one", "cut=mes:", ""},
		{"all but the missing one", "cut=!mes:", all},
		{"two cuts", "cut=mes:..09|!mes:08;09|ejercicio:2018", "mes: mes = 07"},
		{"a path", "cut=date:2017/03;2018/04;2019/", "" /* one each; 2019 has no missing month */},
		{"a path of a period", "cut=date:2017;2018/04", "ejercicio/mes: ejercicio = 2017 and mes = 12 or ejercicio = 2018 and mes = 04"},
		{"not a path", "cut=!date:2017/12|ejercicio:2017", "mes: mes = 11"},
		{"what a path asks beyond may hold", "cut=date:2017/03/01;2017/05/01", "mes: mes = 05"},
		{"and its complement shuts no snapshot out", "cut=!date:2017/12/31|ejercicio:2017", "mes: mes = 12"},
		{"no aggregate but a flow", "aggregates=flujo.sum|flujo.avg", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := defaults(bindTo(t, stated(t, nil), tt.question)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestDrilledSnapshotsAreCellsOfTheirOwn(t *testing.T) {
	for _, tt := range []struct{ name, question, summary string }{
		{"by its key", "drilldown=mes&cut=ejercicio:2017",
			`drilldown=ejercicio&cut=ejercicio:2017&_default=mes:"12"&aggregates=_count|pi_monto.sum&order=ejercicio:asc&page=1&pagesize=0`},
		{"by its label, and others", "drilldown=titulo|mes_nombre&cut=mes:..06&order=pi_monto.sum:desc&page=2",
			`drilldown=titulo|ejercicio&cut=mes:.."06"&_default=mes:"06"&aggregates=_count|pi_monto.sum` +
				`&order=titulo:asc,ejercicio:asc&page=1&pagesize=0`},
		{"its period stays whether it is named or not", "drilldown=ejercicio|mes",
			`drilldown=ejercicio&_default=ejercicio/mes:2017/"12";2018/"12";2019/"06"&aggregates=_count|pi_monto.sum&order=ejercicio:asc&page=1&pagesize=0`},
		{"the period alone is counted once", "drilldown=ejercicio", ""},
		{"what is cut to one needs nothing", "drilldown=mes&cut=mes:03", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := bindTo(t, stated(t, nil), tt.question+"&aggregates=_count|pi_monto.sum")
			summary := plan.SummaryPlan()
			if tt.summary == "" {
				if summary != nil || plan.SummaryWithout() != nil {
					t.Errorf("the summary is %v, without %v", summary, plan.SummaryWithout())
				}
				return
			}
			if summary.String() != tt.summary || !slices.Equal(plan.SummaryWithout(), []string{"mes"}) || defaults(plan) != "" {
				t.Errorf("got  %s without %v\nwant %s\nthe plan itself counts %q", summary, plan.SummaryWithout(), tt.summary, defaults(plan))
			}
			if again := bindTo(t, stated(t, nil), summary.String()); again.String() != summary.String() {
				t.Errorf("asked again the summary is %s", again)
			}
		})
	}
	plan := bindTo(t, stated(t, nil), "drilldown=dia|titulo")
	if got := names(plan.SummaryPlan().Keys()); got != "titulo ejercicio" || !slices.Equal(plan.SummaryWithout(), []string{"mes", "dia"}) {
		t.Errorf("a level below the snapshots: keys %s, without %v", got, plan.SummaryWithout())
	}
}

func TestTheSummaryGoesByKeysAndNotByHowTheyAreNamed(t *testing.T) {
	for _, rest := range []string{"&having=pi_monto.sum>5", "&compare=ejercicio:-1"} {
		named := bindTo(t, stated(t, nil), "drilldown=titulo|ejercicio|mes"+rest)
		short := bindTo(t, stated(t, nil), "drilldown=titulo|mes"+rest)
		if named.String() != short.String() || named.SummaryPlan().String() != short.SummaryPlan().String() ||
			!slices.Equal(named.SummaryWithout(), short.SummaryWithout()) {
			t.Errorf("the summaries are\n%s\n%s", named.SummaryPlan(), short.SummaryPlan())
		}
	}
}

// The filter that fiscube adds names mes; a dimension is drilled below the deepest cut that somebody asked for.
func TestADefaultIsNoCutForTheDrilldown(t *testing.T) {
	for question, want := range map[string]string{
		"drilldown=date":                              "ejercicio",
		"drilldown=date&cut=ejercicio:2017":           "ejercicio mes",
		"drilldown=date&cut=ejercicio:2017|mes:..06":  "ejercicio mes dia",
		"drilldown=date&cut=date:2017/06":             "ejercicio mes dia",
		"drilldown=date|titulo&cut=titulo:206|!mes:1": "ejercicio titulo",
	} {
		if got := names(bindTo(t, stated(t, nil), question).Keys()); got != want {
			t.Errorf("%s drills %s, want %s", question, got, want)
		}
	}
}

func TestSnapshotsAll(t *testing.T) {
	for _, tt := range []struct{ question, want string }{
		{"snapshots=all&aggregates=_count", "aggregates=_count&snapshots=all&page=1&pagesize=100"},
		{"snapshots=all&aggregates=_count&drilldown=mes&pagesize=0",
			"drilldown=mes&aggregates=_count&order=ejercicio:asc,mes:asc&snapshots=all&page=1&pagesize=0"},
		{"snapshots=all&aggregates=_count&cut=mes:03", `cut=mes:"03"&aggregates=_count&page=1&pagesize=100`},
	} {
		plan := bindTo(t, stated(t, nil), tt.question)
		if plan.String() != tt.want || defaults(plan) != "" || plan.SummaryPlan() != nil {
			t.Errorf("got  %s\nwant %s", plan, tt.want)
		}
	}
	if plan := mustAsk(t, "snapshots=all"); strings.Contains(plan.String(), "snapshots") || plan.Warnings() != nil {
		t.Errorf("where nothing is declared it says %s and warns %v", plan, plan.Warnings())
	}
	_, err := cube.ParseSnapshots("last")
	wantError(t, err, cube.CodeBadValue, `snapshots at 0: snapshots is "last" (the only choice is all; without it one statement of each period is counted)`)
}

func TestFlowsAddUpOverSnapshots(t *testing.T) {
	plan := bindTo(t, stated(t, nil), "aggregates=flujo.sum|pi_monto.avg|_count|flujo.max&cut=ejercicio:2018")
	if plan.Guard() == nil || showAny(*plan.Guard()) != "mes = 12" || len(plan.Filters()) != 1 {
		t.Fatalf("the guard is %v beside %d filters", plan.Guard(), len(plan.Filters()))
	}
	var parts []string
	for _, p := range plan.Parts() {
		parts = append(parts, fmt.Sprintf("%s(%s) %t", p.Func, p.Measure, p.Guarded))
	}
	want := "[sum(flujo) false sum(pi_monto) true count(pi_monto) true _count() true max(flujo) false]"
	if got := fmt.Sprint(parts); got != want {
		t.Errorf("parts %s\nwant %s", got, want)
	}
	if !strings.Contains(plan.String(), `&_default=mes:"12"&`) || len(plan.AllFilters()) != 2 {
		t.Errorf("the guard is not told: %s", plan)
	}
	drilled := bindTo(t, stated(t, nil), "drilldown=mes&aggregates=flujo.sum|_count")
	if drilled.Guard() != nil || drilled.Parts()[1].Guarded || drilled.SummaryPlan().Guard() == nil || !drilled.SummaryPlan().Parts()[1].Guarded {
		t.Error("drilled, the summary alone has a guard")
	}
}

// Whatever is asked of a package with snapshots, the canonical text asks the same again, defaults included.
func TestCanonicalTextBringsDefaultsAboutAgain(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	c := stated(t, nil)
	for range 3_000 {
		question := pick("", "drilldown=mes&", "drilldown=titulo|date&", "drilldown=ejercicio&", "drilldown=dia&") +
			"cut=" + pick("", "!") + "mes:" + pick("..06", "03;04;", "08..10", "") + "|" + pick("", "!") +
			"date:" + pick("2017", "2018/03;2019", "2017/12;2018/11", "2017/01/02") + "|titulo:" + pick("1", "", "2..3") +
			"&aggregates=" + pick("_count", "flujo.sum", "flujo.sum|pi_monto.sum") + pick("", "&snapshots=all")
		plan := bindTo(t, c, question)
		again := bindTo(t, c, plan.String())
		if plan.String() != again.String() || !samePlan(plan, again) || fmt.Sprint(plan.Warnings()) != fmt.Sprint(again.Warnings()) {
			t.Fatalf("%s\n is %s\nagain %s", question, plan, again)
		}
	}
}
