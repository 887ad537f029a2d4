package load_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/repair"
)

var levelOddities = []oddity{
	{"14_ODGYAUX_stays_text", testTextThatLooksDecimal},
	{"14_real_ODGYAUX_stays_text", testRealTextThatLooksDecimal},
	{"15_a_level_empty_in_the_middle_is_a_step_of_the_path", testEmptyMiddle},
	{"15_levels_absent_in_some_years_are_warned_about", testAbsentLevels},
	{"15_missing_levels_are_derived_from_the_codes_below", testDerived},
	{"15_real_chapters_of_2017_are_derived", testRealDerivedChapters},
	{"16_leading_zeros_make_text", testLeadingZeros},
	{"16_real_leading_zeros_stay", testRealLeadingZeros},
	{"16_a_number_is_the_code_of_a_label_with_zeros", testNumberBesideJoinedCode},
}

const threeObjects = "0/4/42.4 Compensación por asiduidad, 0/4/42.40 Compensación por dedicación, 0/4/42.400 Compensación por traslado"

func testTextThatLooksDecimal(t *testing.T) {
	for name, options := range bothWays {
		k := take(t, seed(t, "example-uruguay"), options)
		if !strings.Contains(k.list("ODGYAUX_ID"), threeObjects) {
			t.Errorf("%s: the objects are %s", name, k.list("ODGYAUX_ID"))
		}
	}
	k := take(t, one("year@ object name=object paid$", "2021,198.0,A,1\n2021,91.17,B,2\n2021,198.00,C,3\n2021,198,D,4\n").fs(), bare)
	is(t, "members", k.list("object"), "198 D, 198.0 A, 91.17 B, 198.00 C")
}

func testRealTextThatLooksDecimal(t *testing.T) {
	k := take(t, published(t, "D6-uruguay"), bare)
	level, _ := k.pkg.Model.Level("ODGYAUX_ID")
	if level.Type != cube.TypeText || !strings.Contains("|"+k.cells("ODGYAUX_ID")+"|", "|198.0|") {
		t.Errorf("it is %s, its cells are %s", level.Type, k.cells("ODGYAUX_ID"))
	}
}

func testEmptyMiddle(t *testing.T) {
	p := one("year@ chapter concept<chapter item<concept name=item paid$",
		"2008,1000,1100,,,1\n2008,1000,,11301,Sueldos,2\n2008,,,11301,Sueldos,4\n2008,1000,1100,11301,Sueldos,8\n2008,,,,,16\n")
	is(t, "members", take(t, p.fs(), bare).list("item"), "1000/1100/11301 Sueldos, 1000/1100/, 1000//11301 Sueldos, //11301 Sueldos, //")
	a := ask(t, p.fs(), bare)
	is(t, "items", a.answer(t, "drilldown=item&aggregates=paid.sum&cut=item:11301"),
		`1000/1100/11301 "Sueldos"=8 1000//11301 "Sueldos"=2 //11301 "Sueldos"=4`)
	is(t, "chapters", a.answer(t, "drilldown=chapter&aggregates=paid.sum"), "1000=11 =20")
}

func testAbsentLevels(t *testing.T) {
	a := ask(t, seed(t, "example-mexico"), shipped)
	warned(t, a, "drilldown=ID_PARTIDA_ESPECIFICA&cut=CICLO:2008", cube.WarnLevelAbsent)
	is(t, "there is no item in 2008", a.answer(t, "drilldown=ID_PARTIDA_ESPECIFICA&cut=CICLO:2008|ID_PARTIDA_ESPECIFICA:1..&aggregates=_count"), "")
	is(t, "and its sum is whole", a.answer(t, "cut=CICLO:2008&aggregates=MONTO_APROBADO.sum"), "=523725688000")
	k := take(t, seed(t, "example-mexico"), shipped)
	labels, codes := 0, 0
	for _, m := range k.members["ID_PARTIDA_GENERICA"] {
		codes++
		if m.Label != "" {
			labels++
		}
	}
	if labels == codes || labels == 0 {
		t.Errorf("%d of %d items have a label", labels, codes)
	}
}

// Codes of another length, and chapters that are there, stay as they are.
func testDerived(t *testing.T) {
	p := one("year@ chapter concept<chapter paid$", "2017,,37901,1\n2017,2000,37901,2\n2010,,3700,4\n2010,3000,3700,8\n2017,,,16\n")
	k := take(t, p.with(`levels: {chapter: {derive: {from: concept, length: 5, digits: 1, suffix: "000"}}}`), bare)
	is(t, "cells", k.cells("chapter"), "3000|2000||3000|")
	is(t, "published", k.cells("chapter_cell"), "|2000||3000|")
	is(t, "members", k.list("concept"), "2000/37901, 3000/3700, 3000/37901, /3700, /")
}

// 37901 in ID_CONCEPTO is of chapter 3000; the published cell, which is empty, is kept beside it.
func testRealDerivedChapters(t *testing.T) {
	files := published(t, "D7-mexico-2017-sample")
	const question = "drilldown=ID_CAPITULO&aggregates=MONTO_PAGADO.sum"
	is(t, "derived", ask(t, files, shipped).answer(t, question),
		`1000 "1000"=4515147432.94 2000 "2000"=4700604470.34 3000 "3000"=8240606348.8 4000 "4000"=7339394989.25 `+
			`5000 "5000"=215200991.56 6000 "6000"=2561799075.59 8000 "8000"=1530704688.41 9000 "9000"=192433601.4`)
	is(t, "as published", ask(t, files, bare).answer(t, question), "=29295891598.29")
	k := take(t, files, shipped)
	is(t, "cells", strings.Trim(k.cells("ID_CAPITULO_cell"), "|"), "")
	is(t, "object", k.member(t, "ID_CONCEPTO", "1000/11301").Label, "Sueldos base")
}

func testLeadingZeros(t *testing.T) {
	k := take(t, one("year@ code# name=code sub paid$", "2016,01,Uno,00,1\n2016,1,One,0,2\n2016,10,Diez,000,4\n").fs(), bare)
	is(t, "said", k.found(repair.TypeWidened), "field code: declared integer; 1 of its 3 cells begin with 0, so its codes are text [type-widened]")
	is(t, "codes", k.list("code"), "1 One, 01 Uno, 10 Diez")
	is(t, "text", k.list("sub"), "0, 00, 000")
	whole := take(t, one("year@ code# name=code paid$", "2016,0,Cero,1\n2016,+7,A,2\n2016, 7 ,A,3\n").fs(), bare)
	is(t, "one number", whole.list("code"), "0 Cero, 7 A")
}

func testRealLeadingZeros(t *testing.T) {
	d2 := take(t, published(t, "D2-croatia"), shipped)
	is(t, "section", path(d2.member(t, "admin1_code", "010")), "010")
	is(t, "function", d2.member(t, "func1_code", "01").Label, "Opće javne usluge")
	d8 := take(t, published(t, "D8-costa-rica-egresos"), shipped)
	if !strings.Contains("|"+d8.cells("cog_subpartida_codigo")+"|", "|00101|") || !strings.Contains("|"+d8.cells("subprograma_codigo")+"|", "|00|") {
		t.Error("the codes of D8 lost their zeros")
	}
	portfolio := "|" + take(t, published(t, "D7-mexico-2017-sample"), shipped).cells("ID_CLAVE_CARTERA") + "|"
	if !strings.Contains(portfolio, "|00000000000|") || strings.Contains(portfolio, "|0|") {
		t.Error("a portfolio key of zeros is another key")
	}
}

// D1: 3 and "03-UNIVERSIDAD NACIONAL DE PILAR" are one code.
func testNumberBesideJoinedCode(t *testing.T) {
	k := take(t, one("year@ codigoEntidad# descripcionEntidad paid$", "2017,3,03-PILAR,1\n2017,12,12- HACIENDA,1\n2017,0,000 - NADA,1\n").fs(), bare)
	is(t, "members", k.list("codigoEntidad"), "0 NADA, 3 PILAR, 12 HACIENDA")
	is(t, "published", k.cells("descripcionEntidad_cell"), "03-PILAR|12- HACIENDA|000 - NADA")
	is(t, "said", k.found(repair.CodeLabelSplit),
		"field descripcionEntidad: its 3 cells begin with the code of codigoEntidad, which the label leaves out [code-label-split]")
}
