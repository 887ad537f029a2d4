package load_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/findings"
	"fiscube/cube/repair"
	"fiscube/store/load"
)

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
	if got := fmt.Sprint(caveat.Of(caveat.Evidence{Plan: a.plan(t, question)})); !strings.Contains(got, code) {
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
	k := takePublished(t, "D8-costa-rica-egresos", shipped)
	is(t, "years", yearsOf(k.pkg), "2019: 2019 to 2019, 2018: 2020 to 2020")
	is(t, "said", k.found(load.CodeYearOutsideResource),
		"egreso2019ene_dic__2018.csv: its name says 2018; 29 of its 29 rows are of another fiscal year [year-outside-resource]")
}

func testDeclaredYears(t *testing.T) {
	for declared, want := range map[string]string{
		`"2016", "2017"`:                 "",
		`"2017", "2016", "2017"`:         "",
		`2016, 2017`:                     "",
		`"2016"`:                         "the package says that it has the years 2016 (years_included); its rows are of 2016, 2017 [declared-years-differ]",
		`"2016", "2017", "2018", "2019"`: "the package says that it has the years 2016, 2017, 2018, 2019 (years_included); its rows are of 2016, 2017 [declared-years-differ]",
		`"2015", "2017"`:                 "the package says that it has the years 2015, 2017 (years_included); its rows are of 2016, 2017 [declared-years-differ]",
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
		"D2-croatia":             "2016, 2017, 2018, 2019 (years_included); its rows are of 2016, 2017",
		"D5-costa-rica-ingresos": "2017, 2018 (years_included); its rows are of 2017, 2018, 2019",
		"D6-uruguay": "2011, 2012, 2013, 2014, 2015, 2016, 2017, 2018, 2019, 2020, 2021 (years_included); " +
			"its rows are of 2011, 2012, 2013, 2014, 2015, 2016, 2017, 2018, 2019",
		"D8-costa-rica-egresos": "2017, 2018, 2019, 2020 (years_included); its rows are of 2019, 2020",
	} {
		if want != "" {
			want = "the package says that it has the years " + want + " [declared-years-differ]"
		}
		is(t, folder, takePublished(t, folder, shipped).found(load.CodeDeclaredYearsDiffer), want)
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
		k := takePublished(t, "D1-paraguay", options)
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
	k := takePublished(t, "D1-paraguay", bare)
	is(t, "measures", measuresOf(k), measuresOfD1)
	is(t, "cells", strings.Join(strings.Split(k.cells("montoVigente"), "|")[:2], "|"), "10000000|115000000")
}

// wholeAndSplits is the older form of the Croatian package: the table and its three years.
func wholeAndSplits() pack {
	return pack{fields: "year@ unit paid$", files: map[string]string{
		"plan.csv":       "2016,a,1\n2016,b,2\n2017,a,4\n2018,a,8\n2018,a,8\n",
		"plan__2016.csv": "2016,b,2\n2016,a,1\n", "plan__2017.csv": "2017,a,4\n", "plan__2018.csv": "2018,a,8\n2018,a,8\n",
	}}
}

func testWholeAndSplits(t *testing.T) {
	p := wholeAndSplits()
	a := ask(t, p.fs(), bare)
	is(t, "sums", a.answer(t, "drilldown=year&aggregates=paid.sum|_count"), "2016=3,2 2017=4,1 2018=16,2")
	is(t, "said", take(t, p.fs(), bare).found(repair.ResourceCovers),
		"plan.csv: every row of it stands in other resources of the package, so it is left out [resource-covers]")
	all := ask(t, p.with("repairs: {resource-covers: off}"), bare)
	is(t, "switched off", all.answer(t, "drilldown=year&aggregates=paid.sum|_count"), "2016=6,4 2017=8,2 2018=32,4")
	p.each = `"bytes": 11131969,` // the descriptor says of each the size of all
	if said := refused(t, p.fs()); strings.Count(said, "the descriptor says 11131969 [size-differs]") != 4 {
		t.Errorf("cumulative sizes: %s", said)
	}
	p.each = ""
	p.files["plan__2018.csv"] = "2018,a,8\n2018,a,8.5\n"
	changed := take(t, p.fs(), bare)
	is(t, "a cell of 2018 differs", changed.found(repair.ResourceCovers),
		"plan__2016.csv: every row of it stands in other resources of the package, so it is left out [resource-covers]\n"+
			"plan__2017.csv: every row of it stands in other resources of the package, so it is left out [resource-covers]")
	is(t, "overlap", changed.found(repair.YearsOverlap), "fiscal year 2018 stands in plan.csv, plan__2018.csv [years-overlap]")
}

// The file of 2018 holds two rows of 2019, which the file of 2019 has not.
func testNextYear(t *testing.T) {
	a := ask(t, seed(t, "example-costa-rica-ingresos"), shipped)
	is(t, "January of 2019", a.answer(t, "cut=ejercicio:2019|mes:01&aggregates=pi_monto.sum"), "=1739631040000")
	k := take(t, seed(t, "example-costa-rica-ingresos"), shipped)
	is(t, "said", k.found(repair.YearsOverlap),
		"fiscal year 2019 stands in ingreso2018ene_dic__2018.csv, ingreso2019ene_dic__2019.csv [years-overlap]")
	is(t, "left out", k.found(repair.ResourceCovers), "")
}

func testHashCopy(t *testing.T) {
	const rows = "a,1\r\nb,2\r\n"
	hash := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	declared := func(hashcopy string) pack {
		p := one("unit paid$", rows)
		p.each = fmt.Sprintf(`"hash": %q, "hashcopy": %q,`, hash("unit,paid\n"+rows), hashcopy)
		return p
	}
	k := take(t, declared(hash(rows)).fs(), bare)
	is(t, "found", k.pkg.Resources[0].Found.HashCopy, hash(rows))
	is(t, "upper case, prefixed", take(t, declared("sha256:"+strings.ToUpper(hash(rows))).fs(), bare).found(load.CodeHashDiffers), "")
	whole := hash("unit,paid\n" + rows)
	is(t, "the hash of the whole", refused(t, declared(whole).fs()), "f.csv: the SHA-256 of the file without its header line is "+
		hash(rows)+", the descriptor says "+whole+" [hash-differs]")
}

// Of Croatia v2 2016 it is the last row: no other cell, and amounts of two forms in one file.
func testTotalsRows(t *testing.T) {
	for name, test := range map[string]struct{ rows, lines, sums string }{
		"the last row":         {"2016,1,A,5,\n2016,2,B,7,1.5\n,,,12,1.5\n", "4", "2016: 12"},
		"the first row":        {",,,12,1.5\n2016,1,A,5,\n2016,2,B,7,1.5\n", "2", "2016: 12"},
		"a total of each year": {"2016,1,A,5,2\n2016,,,5,2\n2017,2,B,7,1.5\n2017,,,7,1.5\n,,,12,3.5\n", "3 5 6", "2016: 5, 2017: 7"},
		"one amount is empty":  {"2016,1,A,5,\n2016,2,B,7,1.5\n,,,12,\n", "4", "2016: 12"},
	} {
		k := take(t, one("year@ code name=code approved$ executed$", test.rows).fs(), bare)
		is(t, name, strings.Trim(fmt.Sprint(k.pkg.Resources[0].SkipLines), "[]"), test.lines)
		is(t, name, totals(k.report, "approved"), test.sums)
		is(t, name+", loaded", k.cells("approved"), "5|7")
	}
	p := one("year@ code name=code approved$ executed$", "")
	p.each = `"dialect": {"delimiter": ";", "decimalChar": ",", "groupChar": "."},`
	files := p.fs()
	files["f.csv"].Data = []byte("year;code;name;approved;executed\n2016;1;A;79474158,81;0\n2016;2;B;141.767.226.831,19;1,5\n;;;141.846.700.990,00;1,50\n")
	k := take(t, files, bare)
	is(t, "Croatia v2 2016", totals(k.report, "approved"), "2016: 141846700990.00")
	is(t, "said", k.found(repair.TotalsRow), "f.csv: the row at line 4 is the total of the others, so it is left out [totals-row]")
}

// totals lists the control totals of a measure by year.
func totals(r *findings.Report, measure string) string {
	var list []string
	for _, total := range r.Totals {
		if total.Measure == measure {
			list = append(list, total.Year+": "+total.Sum)
		}
	}
	return strings.Join(list, ", ")
}

// Published D2 lost one true row a year to a pipeline that took every last row for totals.
func testTrueLastRow(t *testing.T) {
	for name, test := range map[string]struct{ rows, says string }{
		"it has a code, and the sum of the others": {"2016,1,A,5,1\n2016,242,ZAVOD,5,1\n", ""},
		"no keys, and no total":                    {"2016,1,A,5,1\n,,,13700000,2\n", "1 rows have no keys and are no totals of the others, so they are kept; the first is at line 3"},
		"one of two amounts is the total":          {"2016,1,A,5,1\n,,,5,2\n", "1 rows have no keys and are no totals of the others, so they are kept; the first is at line 3"},
		"a total of another year":                  {"2016,1,A,5,1\n2017,2,B,6,1\n2017,,,5,1\n", "1 rows have no keys and are no totals of the others, so they are kept; the first is at line 4"},
		"the only row":                             {",,,5,1\n", ""},
	} {
		k := take(t, one("year@ code name=code approved$ executed$", test.rows).fs(), bare)
		if test.says != "" {
			test.says = "f.csv: " + test.says + " [totals-row]"
		}
		is(t, name, k.found(repair.TotalsRow), test.says)
		if rows := strings.Count(test.rows, "\n"); k.count != rows {
			t.Errorf("%s: %d of %d rows are loaded", name, k.count, rows)
		}
	}
	years := one("year@ approved$", "2016,5\n2017,5\n2018,10\n")
	is(t, "a table of years alone", take(t, years.fs(), bare).cells("approved"), "5|5|10")
}

// What is loaded is what the control totals count, either way.
func testTotalsRowsStay(t *testing.T) {
	p := one("year@ code approved$", "2016,1,5\n2016,2,7\n2016,,12\n")
	is(t, "left out", totals(take(t, p.fs(), bare).report, "approved"), "2016: 12")
	k := take(t, p.with("repairs: {totals-row: off}"), bare)
	is(t, "kept", totals(k.report, "approved"), "2016: 24")
	is(t, "loaded", k.cells("approved"), "5|7|12")
	is(t, "said", k.found(repair.TotalsRow), "")
}

const year2008 = "presupuesto_mexico__2008.csv"

// mexico2008 loads the file of 2008, with 130,950 rows, once for all tests.
var mexico2008 = sync.OnceValues(func() (*kept, error) {
	source, err := load.OpenFS(context.Background(), os.DirFS("../../../shared/data/D7-mexico"), load.Options{Resource: year2008, Shipped: shipped.Shipped})
	if err != nil {
		return nil, err
	}
	k := &kept{}
	_, err = load.Run(context.Background(), k, source, load.Silent{})
	return k, err
})

func mexico(t *testing.T) *kept {
	t.Helper()
	published(t, "D7-mexico")
	k, err := mexico2008()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (k *kept) counts(levels string) string {
	var list []string
	for ref := range strings.FieldsSeq(levels) {
		list = append(list, fmt.Sprintf("%s %d", ref, len(k.members[ref])))
	}
	return strings.Join(list, ", ")
}

func testRealPaths(t *testing.T) {
	k := mexico(t)
	is(t, "members", k.counts("ID_RAMO ID_UR ID_FUNCION ID_SUBFUNCION ID_PP"),
		"ID_RAMO 37, ID_UR 1200, ID_FUNCION 28, ID_SUBFUNCION 92, ID_PP 1482")
	for _, ref := range strings.Fields("ID_RAMO ID_UR GPO_FUNCIONAL ID_FUNCION ID_SUBFUNCION ID_AI") {
		for _, m := range k.members[ref] {
			if len(m.Labels) != 1 || m.Label == "" {
				t.Errorf("%s %s has the labels %v", ref, path(m), m.Labels)
			}
		}
	}
	under := 0
	for _, m := range k.members["ID_UR"] {
		if m.Path[1] == cube.Text("100") {
			under++
		}
	}
	if under != 24 {
		t.Errorf("the unit 100 is in %d ramos, want 24", under)
	}
}

func testPaths(t *testing.T) {
	a := ask(t, seed(t, "example-uruguay"), shipped)
	k := take(t, seed(t, "example-uruguay"), shipped)
	if units, institutions := len(k.members["UE_ID"]), len(k.members["ORG_ID"]); units <= institutions {
		t.Errorf("%d units in %d institutions, each of which has a unit 1", units, institutions)
	}
	cells := a.answer(t, "drilldown=UE_ID&cut=UE_ID:1|ANO:2019&aggregates=_count")
	if n := strings.Count(cells, "/1 \""); n != len(k.members["ORG_ID"]) {
		t.Errorf("the unit 1 is %d units: %s", n, cells)
	}
}

func testRealProgrammes(t *testing.T) {
	k := mexico(t)
	for _, m := range k.members["ID_PP"] {
		if len(m.Labels) != 1 {
			t.Errorf("%s has the labels %v", path(m), m.Labels)
		}
	}
	is(t, "said", k.found(load.CodeAmbiguous), "")
}

// The path that the descriptor gives is not enough: R/1 is another programme in each ramo.
func testRealProgrammesAlone(t *testing.T) {
	files := published(t, "D7-mexico")
	overlay := filepath.Join(t.TempDir(), "overlay.yaml")
	if err := os.WriteFile(overlay, []byte("levels: {ID_PP: {parent: ID_MODALIDAD, label: DESC_PP}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	k := take(t, files, load.Options{Resource: year2008, OverlayFile: overlay})
	is(t, "members", k.counts("ID_PP ID_AI"), "ID_PP 977, ID_AI 323")
	for field, want := range map[string]string{"ID_PP": "120, said of 117", "ID_AI": "20, said of 20"} { // 3 differ by case or accents alone
		several, said := 0, int64(0)
		for _, m := range k.members[field] {
			if len(m.Labels) > 1 {
				several++
			}
		}
		for _, f := range k.report.Findings {
			if f.Code == load.CodeAmbiguous && f.Field == field {
				said = f.Count
			}
		}
		is(t, field, fmt.Sprintf("%d, said of %d", several, said), want)
	}
}

func testProjects(t *testing.T) {
	k := take(t, seed(t, "example-uruguay"), shipped)
	is(t, "with its overlay", k.found(load.CodeAmbiguous), "")
	alone := take(t, seed(t, "example-uruguay"), bare).found(load.CodeAmbiguous)
	if !strings.HasPrefix(alone, "field PROYECTO_ID: ") || strings.Contains(alone, "\n") {
		t.Errorf("by its number alone: %s", alone)
	}
}

func testDrift(t *testing.T) {
	k := take(t, seed(t, "example-uruguay"), shipped)
	m := k.member(t, "FUENTE_FINANC_ID", "10/11")
	first, last := m.Years()
	is(t, "years", first.String()+" to "+last.String(), "2011 to 2019")
	is(t, "said", k.found(load.CodeAmbiguous), "")
	a := ask(t, seed(t, "example-uruguay"), shipped)
	for cut, want := range map[string]string{"": "Rentas Generales", "|ANO:2011..2016": "Rentas generales", "|ANO:2016..": "Rentas Generales"} {
		if got := a.answer(t, "drilldown=FUENTE_FINANC_ID&aggregates=_count&cut=FUENTE_FINANC_ID:11"+cut); !strings.Contains(got, `"`+want+`"=`) {
			t.Errorf("%s: %s, want %s", cut, got, want)
		}
	}
}

func testSpellings(t *testing.T) {
	k := take(t, one("year@ code name=code paid$",
		"2018,1,Salud pública,1\n2018,1,SALUD PUBLICA,1\n2018,1,Salud  pública ,1\n"+
			"2018,2,Fondo del Sec,1\n2019,2,Fondo del Se,1\n2018,3,Salud,1\n2018,3,Educación,1\n").fs(), bare)
	is(t, "members", k.list("code"), "1 Salud pública, 2 Fondo del Se, 3 Educación")
	is(t, "said", k.found(load.CodeAmbiguous), "field code: members have several labels in one year; "+
		`that of the most rows is shown [label-ambiguous] (3 in 2018: "Educación", "Salud")`)
}

// D2: 30 true activities were moved to another programme.
func testMovedCode(t *testing.T) {
	p := one("year@ programme activity<programme name=activity paid$", "2016,2301,A1,Ceste,1\n2017,2303,A1,Ceste,2\n2017,2303,A2,Mostovi,4\n")
	is(t, "members", take(t, p.fs(), bare).list("activity"), "2301/A1 Ceste, 2303/A1 Ceste, 2303/A2 Mostovi")
	a := ask(t, p.fs(), bare)
	is(t, "cells", a.answer(t, "drilldown=activity&aggregates=paid.sum&cut=activity:A1"), `2301/A1 "Ceste"=1 2303/A1 "Ceste"=2`)
	is(t, "its field alone", a.answer(t, "aggregates=paid.sum&cut=activity:A1"), "=3")
}

func testCatchAll(t *testing.T) {
	p := one("year@ admin admin_name=admin unit<admin unit_name=unit func func_name=func paid$",
		"2016,025,Financije,Ostalo,Ostalo,99,Ostalo,1\n2016,030,Obrana,Ostalo,Ostalo,Ostalo,Ostalo,2\n"+
			"2016,Ostalo,Ostalo,Ostalo,Ostalo,99,Ostalo,4\n2016,#,#,#,#,,,8\n2016,11101,(Derogada),1,(Derogada),99,Ostalo,16\n")
	k := take(t, p.fs(), bare)
	is(t, "units", k.list("unit"), "#/# #, 025/Ostalo Ostalo, 030/Ostalo Ostalo, 11101/1 (Derogada), Ostalo/Ostalo Ostalo")
	is(t, "two codes of one label, and none", k.list("func"), "99 Ostalo, Ostalo Ostalo, ")
	a := ask(t, p.fs(), bare)
	is(t, "functions", a.answer(t, "drilldown=func&aggregates=paid.sum"), `99 "Ostalo"=21 Ostalo "Ostalo"=2 =8`)
}

func testRealCatchAll(t *testing.T) {
	k := takePublished(t, "D2-croatia", shipped)
	for _, code := range []string{"99", "Ostalo"} {
		is(t, code, k.member(t, "func1_code", code).Label, "Ostalo")
	}
	units := 0
	for _, m := range k.members["admin2_code"] {
		if m.Path[1] == cube.Text("Ostalo") {
			units++
		}
	}
	if units < 2 {
		t.Errorf("Ostalo is %d units", units)
	}
	is(t, "said", k.found(load.CodeAmbiguous), "")
}

func testNotInformed(t *testing.T) {
	const rows = "2014,1.1 - Impuestos,No Informado - ,1\n2014,1.1 - Impuestos,NO INFORMADO,2\n" +
		"2014,1.2 - Ventas,no  informado,4\n2014,1.2 - Ventas,,8\n2014,1.2 - Ventas,1.2.1 - De bienes,16\n"
	p := one("year@ title group<title paid$", rows)
	k := take(t, p.with("not_informed: [No Informado]\n"), bare)
	is(t, "members", k.list("group"), "1.1/No Informado No Informado, 1.2/1.2.1 De bienes, 1.2/No Informado No Informado, 1.2/")
	is(t, "said", k.found("not-informed"),
		`field group: its cells "NO INFORMADO", "No Informado - ", "no  informado" are one member, "No Informado" [not-informed]`)
	is(t, "published", k.cells("group_cell"), "No Informado - |NO INFORMADO|no  informado||1.2.1 - De bienes")
	p.files["a.csv"] = "2013,1.1 - Impuestos,,1\n"
	is(t, "none in the first file", take(t, p.with("not_informed: [No Informado]\n"), bare).found("not-informed"), k.found("not-informed"))
	delete(p.files, "a.csv")
	for _, off := range []string{"off", "{except: [group]}"} {
		k := take(t, p.with("not_informed: [No Informado]\nrepairs: {not-informed: "+off+"}\n"), bare)
		if n := len(k.members["group"]); n != 5 || k.found("not-informed") != "" {
			t.Errorf("%s: %s", off, k.list("group"))
		}
	}
}

// A report says what the descriptor's sample, the package's own schema and names of fiscube's own have against the file.
func TestRun_ReportsWhatTheDescriptorSaysOtherwise(t *testing.T) {
	const fields = `{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "amount", "type": "number"}`
	k := take(t, fstest.MapFS{
		"datapackage.json": {Data: []byte(`{"name": "p", "schema": {"fields": [` + fields + `]}, "resources": [{"name": "a", "path": "a.csv",
			"sample": [["year", "amount", "_own"], ["2016", "1", "x"], ["2016", "2", "x"]],
			"schema": {"fields": [` + fields + `, {"name": "_own", "type": "string"}]}}], "model": {"measures": {"amount": {}}, "dimensions": {"date": {"primaryKey": ["year"]}}}}`)},
		"a.csv": {Data: []byte("year,amount,_own\n2016,1,x\n2016,3,x\n")},
	}, load.Options{})
	for code, want := range map[string]string{
		load.CodeSampleDiffers:        "a: the descriptor's sample differs from the file at line 3 [sample-differs]",
		load.CodePackageSchemaDiffers: "a: its fields are not those of the package's own schema [package-schema-differs]",
		load.CodeFieldLeftOut:         "a: field _own: it is left out: names that begin with _ are fiscube's own; give it another name to load it [field-left-out]",
	} {
		if got := k.found(code); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
