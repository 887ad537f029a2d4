package plan_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// defaultFilters writes the default filters of a plan, whether all of its parts are under them or some.
func defaultFilters(p *plan.Plan) string {
	var list []string
	for _, f := range p.AllFilters() {
		if f.Default {
			list = append(list, f.Ref+": "+alternativesText(f))
		}
	}
	return strings.Join(list, " | ")
}

// alternativesText writes the alternatives of a filter without quotes.
func alternativesText(f plan.Filter) string {
	return strings.ReplaceAll(filterText(plan.Filter{Any: f.Any}), `"`, "")
}

func TestBind_DrilledSnapshotsAreCellsOfTheirOwn(t *testing.T) {
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
			c := cubetest.YearToDate(t, nil)
			p := cubetest.Bind(t, c, tt.question+"&aggregates=_count|pi_monto.sum")
			summary := p.Summary()
			if tt.summary == "" {
				if summary != nil || p.SummaryWithout() != nil {
					t.Errorf("the summary is %v, without %v", summary, p.SummaryWithout())
				}
				return
			}
			asked := cubetest.Bind(t, c, tt.summary)
			if asked.String() != tt.summary {
				t.Errorf("asked by itself the summary is %s", asked)
			}
			same := reflect.DeepEqual(summary.Main(), asked.Main()) && reflect.DeepEqual(summary.Aggregates(), asked.Aggregates()) &&
				reflect.DeepEqual(summary.Keys(), asked.Keys()) && slices.Equal(summary.Passes(), []plan.Pass{plan.PassTotal})
			if !same || !slices.Equal(p.SummaryWithout(), []string{"mes"}) || defaultFilters(p) != "" {
				t.Errorf("the summary is not that of %s, without %v; the plan itself counts %q", asked, p.SummaryWithout(), defaultFilters(p))
			}
		})
	}
	p := cubetest.Bind(t, cubetest.YearToDate(t, nil), "drilldown=dia|titulo")
	if got := names(p.Summary().Keys()); got != "titulo ejercicio" || !slices.Equal(p.SummaryWithout(), []string{"mes", "dia"}) {
		t.Errorf("a level below the snapshots: keys %s, without %v", got, p.SummaryWithout())
	}
}

func TestBind_TheSummaryGoesByKeysAndNotByTheirNames(t *testing.T) {
	for _, rest := range []string{"&having=pi_monto.sum>5", "&compare=ejercicio:-1"} {
		c := cubetest.YearToDate(t, nil)
		named := cubetest.Bind(t, c, "drilldown=titulo|ejercicio|mes"+rest)
		short := cubetest.Bind(t, c, "drilldown=titulo|mes"+rest)
		if named.String() != short.String() || !reflect.DeepEqual(named.Summary(), short.Summary()) ||
			!slices.Equal(named.SummaryWithout(), short.SummaryWithout()) {
			t.Errorf("the summaries differ: %v, %v", names(named.Summary().Keys()), names(short.Summary().Keys()))
		}
	}
}

func TestBind_AllSnapshots(t *testing.T) {
	if p := cubetest.MustAsk(t, "snapshots=all"); strings.Contains(p.String(), "snapshots") || caveatsOf(p) != nil {
		t.Errorf("where nothing is declared it says %s and warns %v", p, caveatsOf(p))
	}
	_, err := query.ParseSnapshots("last")
	cubetest.WantError(t, err, cube.CodeBadValue, `snapshots at 0: snapshots is "last" (the only choice is all; without it one statement of each period is counted)`)
}

func TestBind_FlowsAddUpOverSnapshots(t *testing.T) {
	bound := cubetest.Bind(t, cubetest.YearToDate(t, nil), "aggregates=flujo.sum|pi_monto.avg|_count|flujo.max&cut=ejercicio:2018")
	if bound.Main().Guard() == nil || alternativesText(*bound.Main().Guard()) != "mes = 12" || len(bound.Main().Filters()) != 1 {
		t.Fatalf("the guard is %v beside %d filters", bound.Main().Guard(), len(bound.Main().Filters()))
	}
	var parts []string
	for _, p := range bound.Main().Parts() {
		parts = append(parts, fmt.Sprintf("%s(%s) %t", p.Func, p.Measure, p.Guarded))
	}
	want := "[sum(flujo) false sum(pi_monto) true count(pi_monto) true _count() true max(flujo) false]"
	if got := fmt.Sprint(parts); got != want {
		t.Errorf("parts %s\nwant %s", got, want)
	}
	if !strings.Contains(bound.String(), `&_default=mes:"12"&`) || len(bound.AllFilters()) != 2 {
		t.Errorf("the answer does not repeat the guard: %s", bound)
	}
	drilled := cubetest.Bind(t, cubetest.YearToDate(t, nil), "drilldown=mes&aggregates=flujo.sum|_count")
	if drilled.Main().Guard() != nil || drilled.Main().Parts()[1].Guarded || drilled.Summary().Main().Guard() == nil || !drilled.Summary().Main().Parts()[1].Guarded {
		t.Error("drilled, the summary alone has a guard")
	}
}

// Whatever is asked of a package with snapshots, the canonical text asks the same again, defaults included.
func TestPlan_CanonicalTextGivesTheSameDefaults(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	c := cubetest.YearToDate(t, nil)
	for range 3_000 {
		question := pick("", "drilldown=mes&", "drilldown=titulo|date&", "drilldown=ejercicio&", "drilldown=dia&") +
			"cut=" + pick("", "!") + "mes:" + pick("..06", "03;04;", "08..10", "") + "|" + pick("", "!") +
			"date:" + pick("2017", "2018/03;2019", "2017/12;2018/11", "2017/01/02") + "|titulo:" + pick("1", "", "2..3") +
			"&aggregates=" + pick("_count", "flujo.sum", "flujo.sum|pi_monto.sum") + pick("", "&snapshots=all")
		p := cubetest.Bind(t, c, question)
		again := cubetest.Bind(t, c, p.String())
		if p.String() != again.String() || !samePlan(p, again) || fmt.Sprint(caveatsOf(p)) != fmt.Sprint(caveatsOf(again)) {
			t.Fatalf("%s\n is %s\nagain %s", question, p, again)
		}
	}
}

func TestBind_SnapshotsInOrder(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*cube.Draft)
		want   string
	}{
		{"whole numbers as numbers", cubetest.Snapshots("2017/9", "2017/10", "2017/1"), "mes: mes = 10"},
		{"with zeros before them", cubetest.Snapshots("2017/09", "2017/10", "2017/011"), "mes: mes = 011"},
		{"in the order declared", func(d *cube.Draft) {
			cubetest.Snapshots("2016/septiembre", "2016/abril", "2017/abril")(d)
			d.Snapshots.Order = []string{"abril", "septiembre"}
		}, "ejercicio/mes: ejercicio = 2016 and mes = septiembre or ejercicio = 2017 and mes = abril"},
		{"which may have the missing one last", func(d *cube.Draft) {
			cubetest.Snapshots("2016/1", "2016/")(d)
			d.Snapshots.Order = []string{"1", ""}
		}, "mes: mes = missing"},
		{"a missing period is one", cubetest.Snapshots("2016/1", "2016/2", "/1", "/3"),
			"ejercicio/mes: ejercicio = 2016 and mes = 2 or ejercicio = missing and mes = 3"},
		{"one snapshot per period needs no filter", cubetest.Snapshots("2016/1", "2017/2", "/12"), ""},
		{"no rows at all", cubetest.Snapshots(), ""},
		{"a level of whole numbers", func(d *cube.Draft) {
			cubetest.Snapshots("2016/9", "2016/10")(d)
			d.Column("mes").Type = cube.TypeInteger
		}, "mes: mes = 10"},
		{"made of the names of resources", func(d *cube.Draft) {
			cubetest.Snapshots("2016/septiembre", "2016/abril")(d)
			d.Columns = append(d.Columns, cube.Column{Name: "corte", Type: cube.TypeText,
				From: &cube.Derivation{Rule: cube.RuleResource, Pattern: "(abril|septiembre)"}})
			d.Dimensions = append(d.Dimensions, cube.Dimension{Name: "corte", Levels: []cube.Level{{Ref: "corte"}}})
			d.Snapshots.By, d.Snapshots.Order = "corte", []string{"abril", "septiembre"}
		}, "corte: corte = septiembre"},
		{"a package that is one period", func(d *cube.Draft) {
			cubetest.Snapshots("1", "2")(d)
			d.Snapshots.Per = nil
		}, "mes: mes = 2"},
		{"a period of several levels", func(d *cube.Draft) {
			cubetest.Snapshots("2016/a/1", "2016/a/2", "2016/b/1", "2017/a/2", "2017/b/2", "2017/c/1")(d)
			d.Snapshots.Per = []string{"ejercicio", "titulo"}
		}, "ejercicio/titulo/mes: ejercicio = 2016 and titulo = a and mes = 2 or ejercicio = 2016 and titulo = b and mes = 1 or " +
			"ejercicio = 2017 and titulo = a,b and mes = 2 or ejercicio = 2017 and titulo = c and mes = 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := defaultFilters(cubetest.Bind(t, cubetest.YearToDate(t, tt.change), "")); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestBind_SnapshotsSurviveJSON(t *testing.T) {
	c := cubetest.YearToDate(t, nil)
	text, err := json.Marshal(c.Package)
	if err != nil {
		t.Fatal(err)
	}
	var read cube.Package
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if got, want := cubetest.Bind(t, &cube.Cube{Package: &read}, "").String(), cubetest.Bind(t, c, "").String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// quarters is a cube of reports with names, in an order that is neither that of their length nor of their letters. No row is
// of the account.
func quarters(t testing.TB) *cube.Cube {
	t.Helper()
	return cubetest.YearToDate(t, func(d *cube.Draft) {
		cubetest.Snapshots("2018/plan", "2018/march", "2018/june", "2019/plan", "2019/march")(d)
		d.Level("mes").LabelRef = ""
		d.Snapshots.Order = []string{"plan", "march", "june", "account"}
	})
}

// In years that begin in April numbers are an order only where no other is declared.
func TestBind_RangesOfNumberedSnapshots(t *testing.T) {
	for _, tt := range []struct {
		order       []string
		cut, counts string
	}{
		{[]string{"4", "12", "1", "3"}, "mes:..1", "mes: mes = 1"},
		{[]string{"4", "12", "1", "3"}, "mes:..012", "mes: mes = 12"},
		{nil, "mes:..3", "mes: mes = 3"},
		{nil, "mes:..7", "mes: mes = 4"},
	} {
		c := cubetest.YearToDate(t, func(d *cube.Draft) {
			cubetest.Snapshots("2018/4", "2018/12", "2018/1", "2018/3")(d)
			d.Column("mes").Type, d.Snapshots.Order = cube.TypeInteger, tt.order
		})
		if got := defaultFilters(cubetest.Bind(t, c, "cut="+tt.cut)); got != tt.counts {
			t.Errorf("%v: %s counts %s, want %s", tt.order, tt.cut, got, tt.counts)
		}
	}
}

// The missing snapshot has the position that is declared for it.
func TestBind_RangesWithTheMissingSnapshot(t *testing.T) {
	c := cubetest.YearToDate(t, func(d *cube.Draft) {
		cubetest.Snapshots("2018/1", "2018/2", "2018/")(d)
		d.Snapshots.Order = []string{"1", "2", ""}
	})
	for cut, want := range map[string]string{"mes:2..": "mes = 2,missing", "mes:..2": "mes = 1,2"} {
		if got := alternativesText(cubetest.Bind(t, c, "cut="+cut).Main().Filters()[0]); got != want {
			t.Errorf("%s spans %s, want %s", cut, got, want)
		}
	}
}

func caveatsOf(p *plan.Plan) []caveat.Caveat { return caveat.Of(caveat.Evidence{Plan: p}) }
