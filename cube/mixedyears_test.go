package cube_test

import (
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
)

// spendingOfYears is spending of which paid is not told in 2014 and 2017, and debt in 2017 alone.
func spendingOfYears(t *testing.T) *cube.Cube {
	c := spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016, 2017}, Gaps: []cube.YearGap{
		{Column: "paid", Years: []int64{2014, 2017}}, {Column: "debt", Years: []int64{2014, 2015, 2016}}}}
	return c
}

func TestFormulasOfDifferentYearsAreNull(t *testing.T) {
	c := spendingOfYears(t)
	store := remember(c.Model, "2014 n a A 1 - - - -", "2015 n a A 10 5 - - -", "2015 s c C 30 3 - - -", "2016 n a A 40 10 - - -",
		"2017 n a A 7 - 2 - -", "- n a A 1 1 1 - -")
	for _, tt := range []struct{ name, question, want string }{
		{"one year", "cut=year:2015&aggregates=execution", "= 0.2\n1: 0.2"},
		{"years that all have both", "cut=year:2015..2016&aggregates=execution", "= 0.225\n1: 0.225"},
		{"years that have not", "cut=year:2014..2015&aggregates=execution|diff(plan.sum,paid.sum)|paid.sum", "= null null 8\n1: null null 8"},
		{"both lack the same years", "cut=year:2014..2015&aggregates=ratio(paid.sum,paid.count)", "= 4\n1: 4"},
		{"each year", "drilldown=year&cut=year:2014..2015&aggregates=execution", "2014 = null\n2015 = 0.2\n2: null"},
		{"rows are there in all years", "cut=year:2014..2015&aggregates=ratio(paid.sum,_count)|ratio(paid.count,_count)",
			"= null 0.66666667\n1: null 0.66666667"},
		{"heads", "drilldown=region|year&cut=year:2014..2015&aggregates=execution&rollup=1",
			"n = null region\nn 2014 = null year\nn 2015 = 0.5 year\ns = null region\ns 2015 = 0.1 year\n5: null"},
		{"heads of one year", "drilldown=year|region&cut=year:2014..2015&aggregates=execution&rollup=1",
			"2014 = null year\n2014 n = null region\n2015 = 0.2 year\n2015 n = 0.5 region\n2015 s = 0.1 region\n5: null"},
		{"the rest of a year and of all", "drilldown=year|region&cut=year:2014..2015&aggregates=execution|plan.sum&top=1&remainder=1&order=plan.sum",
			"2014 n = null 1\n2015 n = 0.5 10\n2015 = 0.1 30 others 1\n3: null 41"},
		{"a share of all years", "drilldown=year&cut=year:2015;2017&aggregates=share(diff(plan.sum,paid.sum))|share(paid.sum)",
			"2015 = null 1\n2017 = null null\n2: null 1"},
		{"a share of the parent in a year", "drilldown=year|region&cut=year:2015;2017&aggregates=share_of_parent(diff(plan.sum,paid.sum))",
			"2015 n = 0.15625\n2015 s = 0.84375\n2017 n = null\n3: null"},
		{"a share of the parent of years", "drilldown=region|year&cut=year:2015;2017&aggregates=share_of_parent(diff(plan.sum,paid.sum))",
			"n 2015 = null\nn 2017 = null\ns 2015 = null\n3: null"},
		{"null comes last", "drilldown=region&cut=year:2014..2015&aggregates=execution|plan.sum&order=execution:desc&top=5",
			"n = null 11\ns = null 30\n2: null 41"},
		{"and meets no condition", "drilldown=region&cut=year:2014..2015&aggregates=plan.sum&having=execution>=0", "0: null"},
		{"but of single years does", "drilldown=region|year&cut=year:2014..2015&aggregates=execution&having=execution>0.2", "n 2015 = 0.5\n1: null"},
		{"beside the years before", "drilldown=region&cut=year:2016..2017&aggregates=execution&compare=year:-1", "n = null 0.3 null null\ns = null 0.1 null null gone\n2: null 0.225 null null"},
		{"beside years that have not", "cut=year:2015..2016&aggregates=execution&compare=year:1", "= 0.225 null null null\n1: 0.225 null null null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
}

// Where each year states all money again, the last one alone is counted, and no years are added up.
func TestFormulasOfStatementsByYear(t *testing.T) {
	c := stated(t, func(d *cube.Draft) {
		flat(d)
		d.Columns, d.Measures = append(d.Columns, cube.Column{Name: "deuda"}), append(d.Measures, cube.Measure{Ref: "deuda"})
		d.Snapshots = &cube.Snapshots{By: "ejercicio", Statements: []cube.Statement{{Snapshot: "2017"}, {Snapshot: "2018"}, {Snapshot: "2019"}}}
	})
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}, Gaps: []cube.YearGap{{Column: "deuda", Years: []int64{2017}}}}
	store := remember(c.Model, "2017 - - - t 40 1 -", "2018 - - - t 60 1 2", "2019 - - - t 90 1 3", "2019 - - - u 10 1 1")
	const ratio = "ratio(pi_monto.sum,deuda.sum)"
	for _, tt := range []struct{ name, question, want, warning string }{
		{"the last year", "aggregates=" + ratio, "= 25\n1: 25", ""},
		{"the last of some years", "cut=ejercicio:..2018&aggregates=" + ratio, "= 30\n1: 30", ""},
		{"a condition", "drilldown=titulo&aggregates=pi_monto.sum&having=" + ratio + ">20", "t = 90\n1: 90", ""},
		{"each year", "drilldown=ejercicio&aggregates=" + ratio, "2017 = null\n2018 = 30\n2019 = 25\n3: 25", ""},
		{"heads", "drilldown=titulo|ejercicio&aggregates=" + ratio + "&rollup=1", "t = 30 titulo\nt 2017 = null ejercicio\n" +
			"t 2018 = 30 ejercicio\nt 2019 = 30 ejercicio\nu = 10 titulo\nu 2019 = 10 ejercicio\n6: 25", ""},
		{"beside what adds up over statements", "aggregates=" + ratio + "|flujo.sum", "= 25 4\n1: 25 4", ""},
		{"heads beside it", "drilldown=titulo|ejercicio&cut=titulo:u&aggregates=" + ratio + "|flujo.sum&rollup=1",
			"u = 10 1 titulo\nu 2019 = 10 1 ejercicio\n2: 10 1", ""},
		{"of what adds up over statements", "aggregates=ratio(flujo.sum,deuda.sum)", "= null\n1: null", cube.WarnYearsDiffer},
		{"all years", "aggregates=" + ratio + "&snapshots=all", "= null\n1: null", cube.WarnYearsDiffer},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
			if got, _, _ := strings.Cut(differing(bindTo(t, c, tt.question)), ":"); got != tt.warning {
				t.Errorf("%s warns %q, want %q", tt.question, got, tt.warning)
			}
		})
	}
}

func TestWarningsOfDifferentYears(t *testing.T) {
	c := spendingOfYears(t)
	const null = ": null where several years are added up, as they do not all have the amounts it is of "
	for _, tt := range []struct{ question, want string }{
		{"aggregates=execution|plan.sum|diff(plan.sum,paid.sum)&cut=year:2014..2016",
			"years-differ: execution, diff(plan.sum,paid.sum)" + null + "(paid has none in 2014); ask with cut=year:2015..2016, or drill year"},
		{"aggregates=_count&having=execution>1", "years-differ: execution" + null +
			"(paid has none in 2014, 2017); ask with cut=year:2015..2016, or drill year"},
		{"aggregates=_count&having=execution>1&drilldown=year", ""},
		{"aggregates=ratio(paid.sum,debt.sum)", "years-differ: ratio(paid.sum,debt.sum)" + null +
			"(paid has none in 2014, 2017, debt has none in 2014 to 2016); no year asked has them all"},
		{"aggregates=ratio(plan.sum,debt.sum)&cut=year:2016..", "years-differ: ratio(plan.sum,debt.sum)" + null +
			"(debt has none in 2016); ask with cut=year:2017, or drill year"},
		{"aggregates=execution&drilldown=year|region", "years-differ: execution" + null +
			"(paid has none in 2014, 2017); ask with cut=year:2015..2016"},
		{"aggregates=share(diff(plan.sum,paid.sum))|execution&drilldown=region&cut=year:2014..2015",
			"years-differ: share(diff(plan.sum,paid.sum))" + null + "(paid has none in 2014); ask with cut=year:2015\n" +
				"years-differ: execution" + null + "(paid has none in 2014); ask with cut=year:2015, or drill year"},
		{"aggregates=execution&cut=year:2015..2016", ""},
		{"aggregates=execution&cut=year:2014", ""},
		{"aggregates=ratio(paid.sum,paid.count)|share(paid.sum)", ""},
	} {
		if got := differing(bindTo(t, c, tt.question)); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.question, got, tt.want)
		}
	}
	const want = "years-differ: execution: nulo donde se suman varios años, pues no todos tienen los montos que usa " +
		"(paid no tiene en 2014, 2017); pregunte con cut=year:2015..2016, o desglose year"
	if got := differing(bindTo(t, c, "aggregates=execution").In(cube.Spanish)); got != want {
		t.Errorf("in Spanish\ngot  %s\nwant %s", got, want)
	}
	c.Coverage.Years = []int64{2014, 2015, 2016, 2017, 2019}
	if got := differing(bindTo(t, c, "aggregates=execution&cut=!year:2016")); !strings.Contains(got, "cut=year:2015;2019,") {
		t.Errorf("of years apart: %s", got)
	}
}

// differing shows the warnings of years that differ.
func differing(p *cube.Plan) string {
	lines := slices.DeleteFunc(strings.Split(warned(p), "\n"), func(line string) bool { return !strings.HasPrefix(line, cube.WarnYearsDiffer) })
	return strings.Join(lines, "\n")
}
