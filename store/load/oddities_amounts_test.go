package load_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/store/load"
)

var amountOddities = []oddity{
	{"17_missing_is_null_and_not_zero", testMissingAmounts},
	{"17_measures_come_and_go", testMeasuresOfYears},
	{"17_real_missing_amounts_are_counted_apart", testRealMissing},
	{"18_negatives_are_added_like_any", testNegatives},
	{"18_real_negatives_of_D2", testRealNegatives},
	{"19_magnitudes_are_exact", testMagnitudes},
	{"19_real_sums_of_D7_are_exact", testRealMagnitudes},
	{"20_decimals_mixed_in_one_column", testMixedDecimals},
	{"20_forms_of_numbers_are_declared", testNumberForms},
	{"20_cells_that_are_no_numbers_are_refused", testBadNumbers},
	{"20_float_noise_is_rounded_and_counted", testFloatNoise},
	{"20_cells_that_two_amounts_read_are_told_once", testAmountsReadTwice},
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
	// D6 writes 0 where nothing is known: a zero is a zero, and a note says so
	b := ask(t, seed(t, "example-uruguay"), shipped)
	is(t, "zeros", b.answer(t, "drilldown=ANO&cut=ANO:2019&aggregates=MONTO_EJECUTADO.sum|MONTO_EJECUTADO.count"), "2019=0,148")
	warned(t, b, "cut=ANO:2019", cube.WarnNote)
}

func testRealMissing(t *testing.T) {
	k := take(t, published(t, "D2-croatia"), shipped)
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
		"2016,a,9999999999999999999999999999\n2016,b,1\n":                              "=10000000000000000000000000000,9999999999999999999999999999",
		strings.Repeat("2016,a,922337203685477580.70\n", 3):                            "=2767011611056432742.1,922337203685477580.7",
	} {
		a := ask(t, one("year@ unit paid$", rows).fs(), bare)
		is(t, rows, a.answer(t, "aggregates=paid.sum|paid.max"), want)
	}
	is(t, "too many digits", refused(t, one("year@ unit paid$", "2016,a,10000000000000000000000000000\n").fs()),
		"f.csv:2: field paid: its amounts need 29 digits and 0 decimals; fiscube holds 28 in all [too-many-digits]")
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
	for cell, why := range map[string]string{" -   ": "", "nfp": "", `"1.234,56"`: "1.234,56", "1 000": "", "n/a": "", "$5": ""} {
		if why == "" {
			why = cell
		}
		is(t, cell, refused(t, one("unit paid$", "a,1\na,"+cell+"\n").fs()), `f.csv:3: field paid: "`+why+`" is no number [bad-cell]`)
	}
}

// DR: 3 of 311 amounts are what floating-point arithmetic left of nothing.
func testFloatNoise(t *testing.T) {
	p := one("year@ unit paid$", "2016,a,-1.4901161193847656E-8\n2016,b,1234567.89\n2016,c,0.12500000000000001\n2016,d,2.5\n")
	k := take(t, p.fs(), bare)
	is(t, "cells", k.cells("paid"), "0.00|1234567.89|0.13|2.5")
	is(t, "control total", totals(k.report, "paid"), "2016: 1234570.52")
	is(t, "said", k.found(load.CodeFloatNoise), "field paid: 2 amounts have more than 10 decimals: rounded half to even at 2 [float-noise]")
	is(t, "sum", ask(t, p.fs(), bare).answer(t, "aggregates=paid.sum"), "=1234570.52")
}

// An amount that another one is made of is read for both.
func testAmountsReadTwice(t *testing.T) {
	const overlay = "measures: {spent: {first_of: [paid, owed]}, due: {first_of: [owed]}}\n"
	p := one("unit paid$ owed$", "a,0.12500000000000001,7\nb,2.25,0.50000000000000001\n")
	is(t, "noise", take(t, p.with(overlay), bare).found(load.CodeFloatNoise),
		"field paid: 1 amounts have more than 10 decimals: rounded half to even at 2 [float-noise]\n"+
			"field owed: 1 amounts have more than 10 decimals: rounded half to even at 0 [float-noise]")
	is(t, "bad cells", refused(t, one("unit paid$ owed$", "a,nfp,2\nb,n/a,3\n").with(overlay)),
		`f.csv:2: field paid: "nfp" is no number [bad-cell] (2 times, lines 2, 3)`)
}
