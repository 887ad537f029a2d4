package load_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/encoding/charmap"

	"fiscube/cube"
	"fiscube/cube/repair"
	"fiscube/store/load"
	"fiscube/store/load/files"
)

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
	k := takePublished(t, "D6-uruguay", bare)
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

	p = one("year@ item paid$", "2017, 1.2.30 Paper,1\n2017,1.3.40 Ink,2\n2017,2,4\n2017,,8\n")
	k = take(t, p.with(`{dimensions: {items: {}}, levels: {part: {dimension: items, derive: {from: item, separator: ".", parts: 2}}, item: {dimension: items, parent: part, split: true}}}`), bare)
	is(t, "parts", k.cells("part"), "1.2|1.3|2|")
	is(t, "codes below parts", k.list("item"), "2/2 2, 1.2/1.2.30 Paper, 1.3/1.3.40 Ink, /")
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
	d2 := takePublished(t, "D2-croatia", shipped)
	is(t, "section", path(d2.member(t, "admin1_code", "010")), "010")
	is(t, "function", d2.member(t, "func1_code", "01").Label, "Opće javne usluge")
	d8 := takePublished(t, "D8-costa-rica-egresos", shipped)
	if !strings.Contains("|"+d8.cells("cog_subpartida_codigo")+"|", "|00101|") || !strings.Contains("|"+d8.cells("subprograma_codigo")+"|", "|00|") {
		t.Error("the codes of D8 lost their zeros")
	}
	portfolio := "|" + takePublished(t, "D7-mexico-2017-sample", shipped).cells("ID_CLAVE_CARTERA") + "|"
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

// bothWays loads with the overlay that ships and without.
var bothWays = map[string]load.Options{"bare": bare, "with its overlay": shipped}

func testMissingAmounts(t *testing.T) {
	a := ask(t, one("year@ unit paid$ owed$", "2016,a,,0\n2016,b,,\n2017,a,0,\n2017,b,5.5,\n").fs(), bare)
	is(t, "years", a.answer(t, "drilldown=year&aggregates=paid.sum|paid.count|paid.avg|owed.sum|owed.min|_count"),
		"2016=null,0,null,0,0,2 2017=5.5,2,2.75,null,null,2")
	is(t, "all", a.answer(t, "aggregates=paid.sum|paid.avg|owed.sum|owed.avg"), "=5.5,2.75,0,0")
	k := take(t, one("year@ unit paid$", "2016,a,\n2017,a,0\n").fs(), bare)
	is(t, "control totals", totals(k.report, "paid"), "2016: , 2017: 0")
}

func testMeasuresOfYears(t *testing.T) {
	a := ask(t, seed(t, "example-mexico"), shipped)
	is(t, "spent", a.answer(t, "drilldown=CICLO&cut=CICLO:2012;2013;2019;2020&aggregates=MONTO_EJERCIDO.sum|MONTO_EJERCICIO.sum|MONTO_GASTADO.sum"),
		"2012=671645432952,null,671645432952 2013=null,749706930405,749706930405 2019=null,null,null 2020=null,null,null")
	is(t, "paid", a.answer(t, "drilldown=CICLO&cut=CICLO:2008;2020&aggregates=MONTO_PAGADO.sum|MONTO_PAGADO.count"), "2008=null,0 2020=872232590246,89")
	warned(t, a, "cut=CICLO:2008&aggregates=MONTO_PAGADO.sum", cube.WarnMeasureAbsent)
	// D6 writes 0 where nothing is known: a zero is a zero, and a warning says so
	b := ask(t, seed(t, "example-uruguay"), shipped)
	is(t, "zeros", b.answer(t, "drilldown=ANO&cut=ANO:2019&aggregates=MONTO_EJECUTADO.sum|MONTO_EJECUTADO.count"), "2019=0,148")
	warned(t, b, "cut=ANO:2019", cube.WarnMeasureZero)
}

func testRealMissing(t *testing.T) {
	k := takePublished(t, "D2-croatia", shipped)
	var list []string
	for _, total := range k.report.Totals {
		list = append(list, strings.Join([]string{total.Year, total.Measure, total.Sum, cube.Integer(total.Rows - total.Cells).String()}, " "))
	}
	is(t, "sums and missing cells", strings.Join(list, ", "),
		"2016 approved_value 140602813788 331, 2016 executed_value 138824057832.27 1223, "+
			"2017 approved_value 166084873275 235, 2017 executed_value 162672886076.01 1280")
}

func testNegatives(t *testing.T) {
	a := ask(t, one("year@ unit paid$", "2016,a,-2146516296\n2016,b,-9999999999.99\n2016,c,3\n2016,d,-0.01\n2016,e,-0\n").fs(), bare)
	is(t, "amounts", a.answer(t, "aggregates=paid.sum|paid.min|paid.max|paid.count"), "=-12146516293,-9999999999.99,3,5")
}

func testRealNegatives(t *testing.T) {
	a := ask(t, published(t, "D2-croatia"), shipped)
	is(t, "years", a.answer(t, "drilldown=Year&aggregates=executed_value.min|executed_value.count|executed_value.sum"),
		"2016=-2113653.61,8467,138824057832.27 2017=-3519721,8688,162672886076.01")
}

func testMagnitudes(t *testing.T) {
	for rows, want := range map[string]string{
		"2016,a,220479027949.00\n2016,b,747881400000.00\n2016,c,0.01\n":                "=968360427949.01,747881400000",
		"2016,a,9007199254740993\n2016,b,9007199254740993.01\n":                        "=18014398509481986.01,9007199254740993.01",
		"2016,a,0.1\n2016,b,0.2\n":                                                     "=0.3,0.2",
		"2016,a,99999999999999999999999999.99\n2016,b,99999999999999999999999999.99\n": "=199999999999999999999999999.98,99999999999999999999999999.99",
		"2016,a," + strings.Repeat("9", 37) + "\n":                                     "=" + strings.Repeat("9", 37) + "," + strings.Repeat("9", 37),
		"2016,a,9999999999999999999999999999\n2016,b,1\n":                              "=10000000000000000000000000000,9999999999999999999999999999",
		strings.Repeat("2016,a,922337203685477580.70\n", 3):                            "=2767011611056432742.1,922337203685477580.7",
	} {
		a := ask(t, one("year@ unit paid$", rows).fs(), bare)
		is(t, rows, a.answer(t, "aggregates=paid.sum|paid.max"), want)
	}
	is(t, "too many digits", refused(t, one("year@ unit paid$", "2016,a,"+strings.Repeat("1", 38)+"\n").fs()),
		"f.csv:2: field paid: its amounts have up to 38 digits and 0 decimals, and 1 rows of them add up to more than the 38 digits that fiscube holds: "+
			"publish them with fewer decimals [too-many-digits]")
}

func testRealMagnitudes(t *testing.T) {
	k := mexico(t)
	is(t, "approved", totals(k.report, "MONTO_APROBADO"), "2008: 1992356257156.00")
	is(t, "spent", totals(k.report, "MONTO_EJERCIDO"), "2008: 2576691830102.00")
	is(t, "paid", totals(k.report, "MONTO_PAGADO"), "2008: ")
}

func testMixedDecimals(t *testing.T) {
	p := pack{fields: "year@ unit paid$", files: map[string]string{
		"2016.csv": "2016,a,5\n2016,b,5.5\n2016,c,5.25\n", "2018.csv": "2018,a,612079932.9\n2018,b,0\n", "2020.csv": "2020,a,7\n"}}
	k := take(t, p.fs(), bare)
	is(t, "control totals", totals(k.report, "paid"), "2016: 15.75, 2018: 612079932.90, 2020: 7.00")
	is(t, "cells", k.cells("paid"), "5|5.5|5.25|612079932.9|0|7")
	if c, _ := k.pkg.Model.Column("paid"); c.Scale != 2 || c.Digits != 9 {
		t.Errorf("%d digits, %d decimals", c.Digits, c.Scale)
	}
}

func testNumberForms(t *testing.T) {
	const comma = `"dialect": {"delimiter": ";", "decimalChar": ",", "groupChar": "."},`
	const point = `"dialect": {"delimiter": ";", "groupChar": ","},`
	for name, test := range map[string]struct{ each, missing, cells, want string }{
		"Croatia v2":              {comma, "", "1.234,56|79474158,81|141.846.700.990,00|5", "1234.56|79474158.81|141846700990.00|5"},
		"Ramo 23":                 {point, "", `"40,800,000"|" 99,305,000 "|7`, "40800000|99305000|7"},
		"Ramo 23, 2016":           {point, `"", " -   "`, `"1,000"| -   |2`, "1000||2"},
		"not for publication, AU": {"", `"", "nfp"`, "1|nfp|-2", "1||-2"},
		"D7, 2018":                {"", "", "612079932.9|0|0.00|-5", "612079932.9|0|0.00|-5"},
		"padded":                  {"", "", " 5 |\u00a06|+7|08", "5|6|7|8"},
	} {
		p := one("unit paid$", "")
		p.each, p.missing = test.each, test.missing
		files, text := p.fs(), p.header()
		for cell := range strings.SplitSeq(test.cells, "|") {
			text += "a," + cell + "\n"
		}
		if test.each != "" {
			text = strings.NewReplacer("a,", "a;", "unit,", "unit;").Replace(text)
		}
		files["f.csv"].Data = []byte(text)
		is(t, name, take(t, files, bare).cells("paid"), test.want)
	}
}

func testBadNumbers(t *testing.T) {
	const rest = " for the field or its dialect, or decimal and group for the measure in the overlay"
	hints := map[string]string{
		`"1.234,56"`:    `; if it is one, declare decimalChar "," and groupChar "."` + rest,
		`"21000001,50"`: `; if it is one, declare decimalChar ","` + rest,
		"1 000":         `; if it is one, declare groupChar " "` + rest,
		`"1 000,5"`:     `; if it is one, declare decimalChar "," and groupChar " "` + rest,
	}
	for cell, why := range map[string]string{" -   ": "", "nfp": "", `"1.234,56"`: "1.234,56", `"21000001,50"`: "21000001,50", "1 000": "", `"1 000,5"`: "1 000,5", "n/a": "", "$5": ""} {
		if why == "" {
			why = cell
		}
		is(t, cell, refused(t, one("unit paid$", "a,1\na,"+cell+"\n").fs()), `f.csv:3: field paid: "`+why+`" is no number`+hints[cell]+` [bad-cell]`)
	}
	for cells, hint := range map[string]string{
		"1,234 2,500":     `groupChar "," where the comma separates thousands, or decimalChar "," where decimals follow it, for the field`,
		"1,234 1,234,567": `groupChar "," for the field`, "1,234 1,234.5": `groupChar "," for the field`, "1,234 2,5": `decimalChar "," for the field`,
	} {
		rows := `a,"` + strings.ReplaceAll(cells, " ", "\"\na,\"") + "\"\n"
		if got := refused(t, one("unit paid$", rows).fs()); !strings.Contains(got, `f.csv:2: field paid: "1,234" is no number; if it is one, declare `+hint) {
			t.Errorf("%s: %s", cells, got)
		}
	}
}

// DR: 3 of 311 amounts are what floating-point arithmetic left of nothing.
func testFloatNoise(t *testing.T) {
	p := one("year@ unit paid$", "2016,a,-1.4901161193847656E-8\n2016,b,1234567.89\n2016,c,0.13000000000000001\n2016,d,2.5\n")
	k := take(t, p.fs(), bare)
	is(t, "cells", k.cells("paid"), "0|1234567.89|0.13|2.5")
	is(t, "control total", totals(k.report, "paid"), "2016: 1234570.52")
	is(t, "said", k.found(load.CodeFloatNoise), "field paid: 2 amounts have more than 10 decimals, of which only float noise: "+
		"rounded half to even at 2 or before [float-noise]")
	is(t, "sum", ask(t, p.fs(), bare).answer(t, "aggregates=paid.sum"), "=1234570.52")
}

// A spreadsheet writes a third of a billion with all digits that it has.
func testFractions(t *testing.T) {
	for name, test := range map[string]struct{ rows, cells, sum string }{
		"beside 0":      {"a,0.41666666666666669\nb,0.33333333333333331\nc,0\n", "0.41666666666666669|0.33333333333333331|0", "=0.75"},
		"beside 3":      {"a,1.4166666666666667\nb,2.5833333333333335\nc,3\n", "1.4166666666666667|2.5833333333333335|3", "=7.0000000000000002"},
		"tiny alone":    {"a,0.00000000012345\nb,0.00000000054321\n", "0.00000000012345|0.00000000054321", "=0.00000000066666"},
		"tiny beside 1": {"a,0.000000012345678\nb,0\nc,1\n", "0.000000012345678|0|1", "=1.000000012345678"},
		"tiny and long": {"a,0.00000012345678901\nb,0.00000000765432101\n", "0.00000012345678901|0.00000000765432101", "=0.00000013111111002"},
		"alone":         {"a,0.41666666666666669\nb,0.33333333333333331\n", "0.41666666666666669|0.33333333333333331", "=0.75"},
		"beside noise":  {"a,0.41666666666666669\nb,1234.5600000000001\n", "0.41666666666666669|1234.56", "=1234.97666666666666669"},
		"of 18":         {"a,0.041666666666666664\nb,1.5\n", "0.041666666666666664|1.5", "=1.541666666666666664"},
		"beside 999 bn": {"a,0.041666666666666664\nb,999999999999\n", "0.041666666666666664|999999999999", "=999999999999.041666666666666664"},
	} {
		p := one("unit paid$", test.rows)
		is(t, name, take(t, p.fs(), bare).cells("paid"), test.cells)
		is(t, name+", sum", ask(t, p.fs(), bare).answer(t, "aggregates=paid.sum"), test.sum)
	}
	is(t, "of 19", refused(t, one("unit paid$", "a,1\nb,0.0083333333333333332\n").fs()),
		`f.csv:3: field paid: "0.0083333333333333332" has more than the 18 decimals that fiscube holds, and is no float noise: round it in the file [bad-cell]`)
	is(t, "beside 21 digits", refused(t, one("unit paid$", "a,0.41666666666666669\nb,999999999999999999999\n").fs()),
		"f.csv:3: field paid: its amounts have up to 21 digits and 17 decimals, and 2 rows of them add up to more than the 38 digits that fiscube holds: "+
			"publish them with fewer decimals [too-many-digits]")
}

// An amount that another one is made of is read for both.
func testAmountsReadTwice(t *testing.T) {
	const overlay = "measures: {spent: {first_of: [paid, owed]}, due: {first_of: [owed]}}\n"
	p := one("unit paid$ owed$", "a,0.50000000000000011,7\nb,2.25,0.99999999999999989\n")
	is(t, "noise", take(t, p.with(overlay), bare).found(load.CodeFloatNoise),
		"field paid: 1 amounts have more than 10 decimals, of which only float noise: rounded half to even at 2 or before [float-noise]\n"+
			"field owed: 1 amounts have more than 10 decimals, of which only float noise: rounded half to even at 0 or before [float-noise]")
	is(t, "bad cells", refused(t, one("unit paid$ owed$", "a,nfp,2\nb,n/a,3\n").with(overlay)),
		`f.csv:2: field paid: "nfp" is no number [bad-cell] (2 times, lines 2, 3)`)
}

func testEncodings(t *testing.T) {
	for encoding, page := range map[string]*charmap.Charmap{"windows-1250": charmap.Windows1250, "windows-1252": charmap.Windows1252, "cp850": charmap.CodePage850} {
		label := map[string]string{"windows-1250": "Šume – čćžđ", "windows-1252": "Año – Ñandú", "cp850": "Administración Ñ"}[encoding]
		text, err := page.NewEncoder().String("year,code,name,paid\n2016,1," + label + ",1\n")
		if err != nil {
			t.Fatal(err)
		}
		p := one("year@ code name=code paid$", "")
		p.each = `"encoding": "` + encoding + `",`
		files := p.fs()
		files["f.csv"].Data = []byte(text)
		is(t, encoding, take(t, files, bare).list("code"), "1 "+label)
		p.each = ""
		undeclared := p.fs()
		undeclared["f.csv"].Data = []byte(text)
		is(t, encoding+", undeclared", refused(t, undeclared),
			"f.csv:2: the file is not UTF-8: declare its encoding, or name it with --encoding [not-utf8]")
		is(t, encoding+", by option", take(t, undeclared, load.Options{Encoding: encoding}).list("code"), "1 "+label)
	}
	marked := one("year@ code name=code paid$", "").fs()
	marked["f.csv"].Data = []byte("\ufeffyear,code,name,paid\r\n2016,1,Буџет,1\r\n")
	is(t, "a byte-order mark and CRLF", take(t, marked, bare).list("code"), "1 Буџет")
}

// Nobody knows what a cell was before it was broken: it stays, and only what cannot be shown leaves the label.
func testMojibake(t *testing.T) {
	k := take(t, one("code name=code paid$", "1,F\u00c3\u008dSICAS,1\n2,\u00c1rea\u00a0 x\u0085y,2\n").fs(), bare)
	is(t, "cells", k.cells("name"), "F\u00c3\u008dSICAS|\u00c1rea\u00a0 x\u0085y")
	is(t, "labels", k.list("code"), "1 F\u00c3 SICAS, 2 \u00c1rea x y")
}

func testRealNoBreakSpaces(t *testing.T) {
	k := takePublished(t, "D7-mexico-2017-sample", shipped)
	m := k.member(t, "ID_RAMO", "32")
	if len(m.Labels) != 1 || m.Label != "Tribunal Federal de Justicia Administrativa" {
		t.Errorf("its labels are %v", m.Labels)
	}
	if !strings.Contains(k.cells("DESC_RAMO"), "Justicia\u00a0Administrativa") {
		t.Error("the cells have lost their no-break spaces")
	}
}

func testQuoting(t *testing.T) {
	k := take(t, one("code name=code paid$", "1,\"Program \"\"Glas\"\"\",1\n2,\"Grupo \"\"A\"\"\",2\n3,\"Rutas, puentes\",\"3\"\n"+
		"4,\"dos\nlíneas\",4\n5,a\tb,5\n6,\"\"\"\",6\n7,l'eau,7\n").fs(), bare)
	is(t, "labels", k.list("code"), `1 Program "Glas", 2 Grupo "A", 3 Rutas, puentes, 4 dos líneas, 5 a b, 6 ", 7 l'eau`)
	is(t, "cells", k.cells("name"), "Program \"Glas\"|Grupo \"A\"|Rutas, puentes|dos\nlíneas|a\tb|\"|l'eau")
	if last := k.rows[len(k.rows)-1]; last.line != 9 {
		t.Errorf("the last row is at line %d, want 9", last.line)
	}
	is(t, "a quote inside", refused(t, one("code paid$", "a\"b,1\n").fs()), "f.csv:2: a quote stands inside a cell, or is not closed [bad-quote]")
}

// A label whose accents are characters of their own is the same label.
func testSeparateAccents(t *testing.T) {
	p := one("year@ code name=code paid$", "2016,1,Caf\u00e9,1\n2017,1,Cafe\u0301,2\n2017,2,Cafe\u0301,4\n")
	k := take(t, p.fs(), bare)
	is(t, "labels", k.list("code"), "1 Caf\u00e9, 2 Caf\u00e9")
	is(t, "cells", k.cells("name"), "Caf\u00e9|Cafe\u0301|Cafe\u0301")
	a := ask(t, p.fs(), bare)
	for _, label := range []string{"Caf\u00e9", "Cafe\u0301", "\" Caf\u00e9\u00a0\""} {
		is(t, label, a.answer(t, "cut=name:"+label+"&aggregates=paid.sum"), "=7")
	}
}

func testSpaces(t *testing.T) {
	k := take(t, one("year@ code name=code paid$", "2016,1,Vialidad ,1\n2016,1,  Vialidad,2\n2016,1,Vialidad\u00a0,4\n2016,2,BIENES    Y   SERVICIOS,8\n").fs(), bare)
	is(t, "labels", k.list("code"), "1 Vialidad, 2 BIENES Y SERVICIOS")
	if m := k.member(t, "code", "1"); len(m.Labels) != 1 || m.Rows != 3 {
		t.Errorf("its labels are %v", m.Labels)
	}
	is(t, "cells", k.cells("name"), "Vialidad |  Vialidad|Vialidad\u00a0|BIENES    Y   SERVICIOS")
	seeded := take(t, seed(t, "example-uruguay"), shipped)
	if !strings.Contains(seeded.cells("UE_NOMBRE"), "Vialidad |") || strings.Contains(seeded.list("UE_ID"), "Vialidad ,") {
		t.Error("D6: the cells should keep their spaces and the labels should not")
	}
}

func testPaddedCodes(t *testing.T) {
	p := one("code within paid$", "101,a,1\n101 ,a,2\n 101,a,4\n101\u00a0,a,8\ncaf\u00e9,a,16\ncafe\u0301,a,32\n ,a,64\n,a,128\n")
	k := take(t, p.fs(), bare)
	is(t, "members", k.list("code"), "101, caf\u00e9, ")
	is(t, "cells", k.cells("code_cell"), "101|101 | 101|101\u00a0|caf\u00e9|cafe\u0301| |")
	is(t, "said", k.found(repair.CodePadded), `field code: 5 of its 7 cells have outer spaces, no-break spaces or separate accents, as "101 ": `+
		`its codes are read without them, the published cells are in code_cell [code-padded]`)
	a := ask(t, p.fs(), bare)
	is(t, "drilldown", a.answer(t, "drilldown=code&aggregates=paid.sum&order=code"), "101=15 caf\u00e9=48 =192")
	for _, cut := range []string{"101", `"101 "`, `" 101"`, "101\u00a0"} {
		is(t, "cut", a.answer(t, "cut=code:"+cut+"&aggregates=paid.sum"), "=15")
	}
	is(t, "composed", a.answer(t, "cut=code:caf\u00e9&aggregates=paid.sum"), "=48")
	is(t, "separate", a.answer(t, "cut=code:cafe\u0301&aggregates=paid.sum"), "=48")
	is(t, "range", a.answer(t, "cut=code:\"100 \"..\" 101\"&aggregates=paid.sum"), "=15")
	off := take(t, p.with("repairs: {code-padded: off}\n"), bare)
	is(t, "off", fmt.Sprint(len(off.members["code"])), "8")
	const overlay = "snapshots: {by: month, per: [code], order: [jan, feb]}\n"
	s := ask(t, one("code month paid$", "101,jan,1\n101 ,feb ,2\n 101, feb,4\n").with(overlay), bare)
	is(t, "snapshots", s.answer(t, "aggregates=paid.sum"), "=6")
}

func testRealSpaces(t *testing.T) {
	k := takePublished(t, "D1-paraguay", shipped)
	is(t, "category", k.member(t, "categoriaEconomica", "100/120/122").Label, "BIENES Y SERVICIOS")
	for _, m := range k.members["codigoSubprograma"] {
		if strings.Contains(m.Label, "  ") || strings.HasPrefix(m.Label, " ") || strings.HasPrefix(m.Label, "8") {
			t.Errorf("a label is %q", m.Label)
		}
	}
}

func testSeparators(t *testing.T) {
	const rows = "28-UNIV,1\n340 - EDUC,2\n10- FORM,4\n100 GASTOS  CORRIENTES,8\n2.1 - Gastos - otros,16\n 7 -  FORMACIÓN,32\n5 (otros),64\n"
	k := take(t, one("f paid$", rows).fs(), bare)
	is(t, "members", k.list("f"), "5 (otros), 7 FORMACIÓN, 10 FORM, 28 UNIV, 100 GASTOS CORRIENTES, 2.1 Gastos - otros, 340 EDUC")
	is(t, "said", k.found(repair.CodeLabelSplit), "field f: 7 of 7 cells join a code and a label, so it is both [code-label-split]")
	is(t, "published", k.cells("f_cell"), strings.Join(strings.FieldsFunc("28-UNIV;340 - EDUC;10- FORM;100 GASTOS  CORRIENTES;"+
		"2.1 - Gastos - otros; 7 -  FORMACIÓN;5 (otros)", func(c rune) bool { return c == ';' }), "|"))
	// DR: one code in two spellings is one label
	k = take(t, one("year@ f paid$", "2016,98 - Administración,1\n2016,98 - Administracion,2\n2016,98 -ADMINISTRACIÓN,4\n").fs(), bare)
	is(t, "spellings", k.list("f"), "98 ADMINISTRACIÓN")
	is(t, "ambiguous", k.found(load.CodeAmbiguous), "")
	// 000-* has no letter: among a hundred others it is code and label as it is
	many := one("f paid$", strings.Repeat("28-UNIV,1\n", 99)+"000-*,1\n")
	is(t, "one that joins nothing", take(t, many.fs(), bare).list("f"), "28 UNIV, 000-* 000-*")
	few := one("f paid$", strings.Repeat("28-UNIV,1\n", 98)+"000-*,1\n")
	is(t, "below 99 in a hundred", take(t, few.fs(), bare).list("f"), "000-*, 28-UNIV")
	is(t, "switched off", take(t, many.with("repairs: {code-label-split: {except: [f]}}"), bare).list("f"), "000-*, 28-UNIV")
}

func testNotJoined(t *testing.T) {
	for _, cell := range []string{"2017-05-10", "31/12/2017", "2017-05-10 00:00:00", "2017-05-10T00:00:00", "2016 - 2017", "12:30", "1.1.2", "12a", "5 3 puntos"} {
		k := take(t, one("f paid$", cell+",1\n").fs(), bare)
		is(t, cell, k.list("f")+k.found(repair.CodeLabelSplit), cell)
	}
}

// D1: 1000000 is the financial unit of several entities, and 1 a unit of each.
func testJoinedUnderParents(t *testing.T) {
	const rows = "1,1000000-PILAR,1\n2,1000000-HACIENDA,2\n"
	flat := take(t, one("entity uaf paid$", rows).fs(), bare)
	is(t, "alone", flat.list("uaf"), "1000000-PILAR, 1000000-HACIENDA")
	is(t, "said", flat.found(repair.CodeLabelSplit),
		"field uaf: its cells join codes and labels, but the code 1000000 has two labels, so they stay whole [code-label-split]")
	is(t, "under its parent", take(t, one("entity uaf<entity paid$", rows).fs(), bare).list("uaf"), "1/1000000 PILAR, 2/1000000 HACIENDA")
	labels := one("entity code<entity name=code paid$", "1,10,10-PILAR,1\n2,10,10-HACIENDA,2\n")
	is(t, "a declared label", take(t, labels.fs(), bare).list("code"), "1/10 PILAR, 2/10 HACIENDA")
}

func testRealJoined(t *testing.T) {
	k := takePublished(t, "D1-paraguay", bare)
	for level, want := range map[string]string{
		"grupoEconomico": "100 GASTOS CORRIENTES, 200 GASTOS DE CAPITAL", "subfuncion": "340 EDUCACION Y CULTURA",
		"codigoNivel": "12 PODER EJECUTIVO, 28 UNIVERSIDADES NACIONALES", "codigoProyecto": "0 000-*", "fechaCorte": "2017-05-10",
		"codigoEntidad": "3 UNIVERSIDAD NACIONAL DE PILAR, 7 MINISTERIO DE EDUCACION Y CIENCIAS",
	} {
		is(t, level, k.list(level), want)
	}
}

func testBlankRows(t *testing.T) {
	p := one("code name=code paid$", "")
	padded := p.fs()
	padded["f.csv"].Data = []byte("code,name,paid,,\n" + strings.Repeat(",,,,\n", 101) + "a,A,1,,\n\n , ,\u00a0,,\nb,B,2,,\n,,,,\n")
	k := take(t, padded, bare)
	is(t, "rows", k.found(files.CodeBlankRows), "f.csv: 104 rows hold nothing and were left out [blank-rows]")
	is(t, "columns", k.found(files.CodeUnnamedColumns), "f.csv: 2 columns at the end have neither name nor cells and were left out [unnamed-columns]")
	is(t, "members", k.list("code"), "a A, b B")
	if found := k.pkg.Resources[0].Found; found.Rows != 2 || k.rows[1].line != 106 {
		t.Errorf("%d rows, the last at line %d", found.Rows, k.rows[1].line)
	}
}

func testDuplicates(t *testing.T) {
	p := one("year@ code name=code paid$", strings.Repeat("2009,1,Uno,0.10\n", 218)+"2009,1,Uno,5\n")
	a := ask(t, p.fs(), bare)
	is(t, "sum", a.answer(t, "drilldown=code&aggregates=paid.sum|_count"), `1 "Uno"=26.8,219`)
	is(t, "said", take(t, p.fs(), bare).found(repair.ResourceCovers), "")
}

func testNoLabel(t *testing.T) {
	k := take(t, seed(t, "example-costa-rica-egresos"), shipped)
	for _, m := range k.members["subprograma_codigo"] {
		if m.Path[2].String() == "00" && (m.Label != "" || m.Fold != "00" || m.Rank == 0) {
			t.Errorf("%s is %+v", path(m), m)
		}
	}
	a := ask(t, one("code name=code paid$", "00,,1\n01,Uno,2\n02, ,4\n").fs(), bare)
	is(t, "shown", a.answer(t, "drilldown=code&aggregates=paid.sum&order=name"), `00 "00"=1 02 "02"=4 01 "Uno"=2`)
}

func testLongCells(t *testing.T) {
	long := strings.Repeat("Proyecto ñ ", 254)[:2793]
	k := take(t, one("code name=code paid$", "1,"+long+",1\n"+long+",x,2\n").fs(), bare)
	is(t, "label", k.member(t, "code", "1").Label, strings.TrimSpace(long))
	is(t, "key", path(k.members["code"][1]), strings.TrimSpace(long))
}

func testHeaders(t *testing.T) {
	for header, want := range map[string]string{
		"año,organismo,credito":          `b.csv:1: column 1 is "año", in the schema "ANO" [header-differs]`,
		"ANO,MONTO,ORG":                  `b.csv:1: column 2 is "MONTO", in the schema "ORG" [header-differs]`,
		"ANO,ORG,MONTO_VIGENTE":          `b.csv:1: column 3 is "MONTO_VIGENTE", in the schema "MONTO" [header-differs]`,
		"ANO,ORG":                        "b.csv:1: the header ends before field MONTO [header-differs]",
		"ANO,ORG,MONTO,NOTA":             `b.csv:1: the header has a column "NOTA" that the schema lacks [header-differs]`,
		"ANO, ORG,MONTO":                 `b.csv:1: column 2 is " ORG", in the schema "ORG" [header-differs]`,
		"\n\nAno,ORG,MONTO":              `b.csv:3: column 1 is "Ano", in the schema "ANO" [header-differs]`,
		"1,2,3\nANO,ORG,MONTO\n2020,a,1": `b.csv:1: column 1 is "1", in the schema "ANO" [header-differs]`,
	} {
		files := pack{fields: "ANO@ ORG MONTO$", files: map[string]string{"a.csv": "2020,a,1\n", "b.csv": ""}}.fs()
		files["b.csv"].Data = []byte(header + "\n2021,a,1\n")
		is(t, header, refused(t, files), want)
	}
}

// D6 changed its names in 2021. Where the descriptor says so, fields are joined by name.
func testOtherFields(t *testing.T) {
	const model = `"model": {"dimensions": {"d": {"primaryKey": ["ORG"]}}, "measures": {"MONTO": {}, "credito": {}}}`
	files := one("ORG MONTO$ credito$", "").fs()
	files[load.DescriptorName].Data = []byte(`{"name": "odd", ` + model + `, "resources": [
		{"name": "2020", "path": "2020.csv", "schema": {"fields": [{"name": "ORG", "type": "string"}, {"name": "MONTO", "type": "number"}]}},
		{"name": "2021", "path": "2021.csv", "schema": {"fields": [{"name": "credito", "type": "number"}, {"name": "ORG", "type": "string"}]}}]}`)
	files["2020.csv"], files["2021.csv"] = &fstest.MapFile{Data: []byte("ORG,MONTO\na,1\n")}, &fstest.MapFile{Data: []byte("credito,ORG\n,a\n2,b\n")}
	k := take(t, files, bare)
	is(t, "said", k.found(repair.SchemaUnion), "2020: it lacks credito, which other resources have: missing in its rows [schema-union]\n"+
		"2021: it lacks MONTO, which other resources have: missing in its rows [schema-union]")
	is(t, "members", k.list("ORG"), "a, b")
	is(t, "cells", k.cells("MONTO")+" and "+k.cells("credito"), "1|| and ||2")
	var matrix []string
	for _, c := range k.report.Coverage {
		matrix = append(matrix, fmt.Sprintf("%s %s %d %t", c.Resource, c.Column, c.Filled, c.Absent))
	}
	is(t, "coverage", strings.Join(matrix, ", "),
		"2020 ORG 1 false, 2020 MONTO 1 false, 2020 credito 0 true, 2021 ORG 2 false, 2021 credito 1 false, 2021 MONTO 0 true")
}
