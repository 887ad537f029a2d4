package load_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/repair"
	"fiscube/store/load"
)

var repeatedOddities = []oddity{
	{"06_the_whole_table_and_its_yearly_splits_load_once", testWholeAndSplits},
	{"06_rows_of_the_next_year_are_not_rows_twice", testNextYear},
	{"07_hashcopy_is_the_hash_without_the_header_line", testHashCopy},
	{"08_a_totals_row_is_left_out", testTotalsRows},
	{"08_a_true_last_row_is_kept", testTrueLastRow},
	{"08_totals_rows_stay_where_an_overlay_says_so", testTotalsRowsStay},
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
func totals(r *cube.Report, measure string) string {
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
		"a label alone":                   {"2016,1,A,5,1\n2016,,UKUPNO,5,1\n", ""},
		"no keys, and no total":           {"2016,1,A,5,1\n,,,13700000,2\n", "1 rows have no keys and are no totals of the others, so they are kept; the first is at line 3"},
		"one of two amounts is the total": {"2016,1,A,5,1\n,,,5,2\n", "1 rows have no keys and are no totals of the others, so they are kept; the first is at line 3"},
		"a total of another year":         {"2016,1,A,5,1\n2017,2,B,6,1\n2017,,,5,1\n", "1 rows have no keys and are no totals of the others, so they are kept; the first is at line 4"},
		"the only row":                    {",,,5,1\n", ""},
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
