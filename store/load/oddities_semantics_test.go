package load_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/repair"
	"fiscube/store/load"
)

var semanticOddities = []oddity{
	{"01_a_year_of_D5_is_its_last_statement", testYearToDate},
	{"01_real_a_year_of_D8_is_its_last_statement", testRealYearToDate},
	{"01_months_nobody_declared_are_warned_about", testUndeclaredMonths},
	{"01_months_with_leading_zeros_in_a_number_field", testMonthsMadeText},
	{"02_years_of_D8_come_from_the_rows", testYearsOfRows},
	{"02_real_names_of_files_lie", testRealYearsOfRows},
	{"03_declared_years_are_held_against_the_rows", testDeclaredYears},
	{"03_real_declared_years_differ", testRealDeclaredYears},
	{"04_departamento_is_text", testDepartamento},
	{"04_real_departamento_is_text", testRealDepartamento},
	{"05_measures_of_D1_and_D4_are_inferred", testInferredMeasures},
	{"05_real_measures_of_D1_are_inferred", testRealInferredMeasures},
}

// A source of revenue of which every month states the budget, and what has come in since January.
func testYearToDate(t *testing.T) {
	a := ask(t, seed(t, "example-costa-rica-ingresos"), shipped)
	const source = "ejercicio:2017|ci_fuente_codigo:1111050200001&aggregates=pi_monto.sum|de_monto.sum"
	for question, want := range map[string]string{
		"drilldown=ejercicio&cut=" + source:               "2017=2610000000,2714400000.52",
		"drilldown=ejercicio&cut=mes:01|" + source:        "2017=2610000000,158072429.51",
		"drilldown=mes&cut=mes:11..12|" + source:          "11=2610000000,2546448044.16 12=2610000000,2714400000.52",
		"aggregates=pi_monto.sum&cut=ejercicio:2017":      "=1553242000000",
		"snapshots=all&drilldown=ejercicio&cut=" + source: "2017=31320000000,17029834398.11",
	} {
		is(t, question, a.answer(t, question), want)
	}
	warned(t, a, "drilldown=ejercicio", cube.WarnSnapshotDefault)
}

func warned(t *testing.T, a asked, question, code string) {
	t.Helper()
	if got := fmt.Sprint(a.plan(t, question).Warnings()); !strings.Contains(got, code) {
		t.Errorf("%s: no warning %s in %s", question, code, got)
	}
}

// 2019 has 29 rows: two keys in all months, a third until May. What is in no later statement is reported.
func testRealYearToDate(t *testing.T) {
	files := published(t, "D8-costa-rica-egresos")
	const question = "drilldown=ejercicio&cut=ejercicio:2019&aggregates=pi_monto.sum|de_monto.sum|co_monto.sum"
	a := ask(t, files, shipped)
	is(t, "the last statement", a.answer(t, question), "2019=7743412000,6773724878.13,0")
	is(t, "all of them", a.answer(t, question+"&snapshots=all"), "2019=94170944000,44341396200.22,-286037648.71")
	if k := take(t, files, shipped); k.found(load.CodeSnapshotIncomplete) == "" {
		t.Error("nothing says that a key ends in May")
	}
}

func testUndeclaredMonths(t *testing.T) {
	a := ask(t, seed(t, "example-costa-rica-ingresos"), bare)
	is(t, "suspected", a.version.SnapshotsSuspected, "mes")
	warned(t, a, "drilldown=ejercicio", cube.WarnSnapshotsUndeclared)
}

// A month declared a whole number is text where its cells have leading zeros; its statements are those of the facts.
func testMonthsMadeText(t *testing.T) {
	for rows, want := range map[string]string{
		"2017,01,a,5\n2017,02,a,7\n": "2017/02=7",
		"2017,1,a,5\n2017, 2,a,7\n":  "2017/2=7",
	} {
		a := ask(t, one("year@ mes# unit paid$", rows).with("snapshots: {by: mes, per: [year]}"), bare)
		is(t, "the year", a.answer(t, "aggregates=paid.sum"), "=7")
		is(t, "the month", a.answer(t, "drilldown=year|mes&cut=mes:02..&aggregates=paid.sum"), want)
	}
}

func testYearsOfRows(t *testing.T) {
	k := take(t, seed(t, "example-costa-rica-egresos"), shipped)
	is(t, "years", yearsOf(k.pkg), "2018: 2020 to 2020, 2019: 2019 to 2019, 2020: 2017 to 2017")
	is(t, "said", k.found(load.CodeYearOutsideResource),
		"egreso2019ene_dic__2018.csv: its name says 2018; 34 of its 34 rows are of another fiscal year [year-outside-resource]\n"+
			"egreso2019ene_dic__2020.csv: its name says 2020; 204 of its 204 rows are of another fiscal year [year-outside-resource]")
	is(t, "members", k.list("ejercicio"), "2017, 2019, 2020")
}

// yearsOf lists the years of the rows of each resource, by what its name says.
func yearsOf(p *cube.Package) string {
	var list []string
	for _, r := range p.Resources {
		_, named, _ := strings.Cut(strings.TrimSuffix(r.Name, ".csv"), "__")
		list = append(list, fmt.Sprintf("%s: %d to %d", named, r.Found.FirstYear, r.Found.LastYear))
	}
	return strings.Join(list, ", ")
}

func testRealYearsOfRows(t *testing.T) {
	k := take(t, published(t, "D8-costa-rica-egresos"), shipped)
	is(t, "years", yearsOf(k.pkg), "2019: 2019 to 2019, 2018: 2020 to 2020")
	is(t, "said", k.found(load.CodeYearOutsideResource),
		"egreso2019ene_dic__2018.csv: its name says 2018; 29 of its 29 rows are of another fiscal year [year-outside-resource]")
}

func testDeclaredYears(t *testing.T) {
	for declared, want := range map[string]string{
		`"2016", "2017"`:                 "",
		`"2017", "2016", "2017"`:         "",
		`2016, 2017`:                     "",
		`"2016"`:                         "years_included says 2016; the rows are of 2016, 2017 [declared-years-differ]",
		`"2016", "2017", "2018", "2019"`: "years_included says 2016, 2017, 2018, 2019; the rows are of 2016, 2017 [declared-years-differ]",
		`"2015", "2017"`:                 "years_included says 2015, 2017; the rows are of 2016, 2017 [declared-years-differ]",
		``:                               "",
	} {
		p := one("year@ unit paid$", "2016,a,1\n2017,a,1\n,a,1\n")
		p.more = `"years_included": [` + declared + `],`
		is(t, declared, take(t, p.fs(), bare).found(load.CodeDeclaredYearsDiffer), want)
	}
}

func testRealDeclaredYears(t *testing.T) {
	for folder, want := range map[string]string{
		"D1-paraguay":            "",
		"D2-croatia":             "2016, 2017, 2018, 2019; the rows are of 2016, 2017",
		"D5-costa-rica-ingresos": "2017, 2018; the rows are of 2017, 2018, 2019",
		"D6-uruguay": "2011, 2012, 2013, 2014, 2015, 2016, 2017, 2018, 2019, 2020, 2021; " +
			"the rows are of 2011, 2012, 2013, 2014, 2015, 2016, 2017, 2018, 2019",
		"D8-costa-rica-egresos": "2017, 2018, 2019, 2020; the rows are of 2019, 2020",
	} {
		if want != "" {
			want = "years_included says " + want + " [declared-years-differ]"
		}
		is(t, folder, take(t, published(t, folder), shipped).found(load.CodeDeclaredYearsDiffer), want)
	}
}

func testDepartamento(t *testing.T) {
	k := take(t, one("codigoDepartamento# departamento# paid$",
		"12,12-DPTO. ÑEEMBUCÚ,1\n99,99-ALCANCE NACIONAL,2\n99,,3\n").fs(), bare)
	is(t, "said", k.found(repair.TypeWidened), "field departamento: declared integer; 2 of its 2 cells are none, so it is text [type-widened]")
	is(t, "members", k.list("codigoDepartamento"), "12 DPTO. ÑEEMBUCÚ, 99 ALCANCE NACIONAL")
	is(t, "half of the cells", refused(t, one("a# paid$", "1,1\nx,2\n").fs()), `f.csv:3: field a: "x" is no whole number [bad-cell]`)
}

// 12° has no letter, so the cell joins nothing; only an overlay splits the others.
func testRealDepartamento(t *testing.T) {
	for want, options := range map[string]load.Options{
		"12 12-12° DPTO. ÑEEMBUCÚ, 99 99-ALCANCE NACIONAL": bare, "12 12-12° DPTO. ÑEEMBUCÚ, 99 ALCANCE NACIONAL": shipped,
	} {
		k := take(t, published(t, "D1-paraguay"), options)
		is(t, "members", k.list("codigoDepartamento"), want)
		if c, ok := k.pkg.Model.Column("departamento"); !ok || c.Type != cube.TypeText || k.count != 29 {
			t.Errorf("departamento is %s, %d rows are loaded", c.Type, k.count)
		}
	}
}

// measuresOf lists the measures, and in brackets those of them that are levels still.
func measuresOf(k *kept) string {
	var list []string
	for _, m := range k.pkg.Model.Measures() {
		list = append(list, m.Ref)
		if _, ok := k.pkg.Model.Level(m.Ref); ok {
			list = append(list, "(a level)")
		}
	}
	return strings.Join(list, " ")
}

const measuresOfD1 = "presupuestoInicialAprobado montoVigente montoPlanFinancieroVigente montoEjecutado montoTransferido montoPagado"

func testInferredMeasures(t *testing.T) {
	for name, want := range map[string]string{
		"example-paraguay":         measuresOfD1,
		"example-ciudad-de-mexico": "monto_aprobado monto_modificado monto_ejercido",
	} {
		k := take(t, seed(t, name), bare)
		is(t, name, measuresOf(k), want)
		if said := k.found(repair.MeasureInferred); strings.Count(said, "\n")+1 != len(strings.Fields(want)) {
			t.Errorf("%s: it says %s", name, said)
		}
	}
}

func testRealInferredMeasures(t *testing.T) {
	k := take(t, published(t, "D1-paraguay"), bare)
	is(t, "measures", measuresOf(k), measuresOfD1)
	is(t, "cells", strings.Join(strings.Split(k.cells("montoVigente"), "|")[:2], "|"), "10000000|115000000")
}
