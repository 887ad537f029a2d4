package load_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/cube/repair"
	"fiscube/internal/each"
)

func TestTotals_NamedByAWord(t *testing.T) {
	for name, test := range map[string]struct{ rows, left, kept string }{
		"a label":                       {"2016,1,A,5,1\n2016,2,B,7,1\n2016,,UKUPNO,12,2\n", "4", ""},
		"a code and a label":            {"2016,1,A,5,1\n2016,2,B,7,1\n2016,TOTAL,Total general,12,2\n", "4", ""},
		"a code of its own":             {"2016,1,A,5,1\n2016,2,B,7,1\n2016,999,Suma,12,2\n", "4", ""},
		"of all years":                  {"2016,1,A,5,1\n2017,2,B,7,1\n,,Total,12,2\n", "4", ""},
		"of each year and of all":       {"2016,1,A,5,1\n2016,,Total 2016,5,1\n2017,2,B,7,1\n2017,,Total 2017,7,1\n,,Total,12,2\n", "3 5 6", ""},
		"of a code":                     {"2016,1,A,5,1\n2016,1,B,7,1\n2016,1,Subtotal:,12,2\n2016,2,C,1,1\n2016,2,Sub total,1,1\n", "4 6", ""},
		"of a label under its code":     {"2016,1,A,5,1\n2016,2,B,7,1\n2016,3,Total,13,2\n", "", "4"},
		"one amount is not the total":   {"2016,1,A,5,1\n2016,2,B,7,1\n2016,,UKUPNO,12,3\n", "", "4"},
		"no other rows":                 {"2016,,Total,12,2\n", "", "2"},
		"a name that begins with total": {"2016,1,A,5,1\n2016,2,Total quality,7,1\n", "", ""},
		"as much as one other row":      {"2016,1,A,5,1\n2016,1,Suma alzada,5,1\n", "", "3"},
		"a supplier, twice":             {"2016,1,Shell,40,\n2016,1,Total Uruguay S.A.,40,\n2017,1,Shell,41,\n2017,1,Total Uruguay S.A.,39,\n", "", "3"},
		"nothing":                       {"2016,1,A,0,0\n2016,,Total,0,0\n", "", "3"},
		"in Greek":                      {"2016,1,A,5,1\n2016,2,B,7,1\n2016,,Σύνολο,12,2\n", "4", ""},
		"in Cyrillic":                   {"2016,1,A,5,1\n2016,2,B,7,1\n2016,,Итого,12,2\n", "4", ""},
		"words before it":               {"2016,1,A,5,1\n2016,2,B,7,1\n2016,,Rashodi ukupno,12,2\n", "4", ""},
		"in stars":                      {"2016,1,A,5,1\n2016,2,B,7,1\n2016,,** T O T A L **,12,2\n", "4", ""},
		"a sub-total of a cent less":    {"2016,1,A,5,1\n2016,2,B,7,1\n2016,,Sub-total 2016 (I+II),11.99,2\n", "", "4"},
		"as much as one row, as others": {"2016,1,A,5,1\n2016,1,Total 1,5,1\n2016,2,B,2,1\n2016,2,C,5,1\n2016,2,Total 2,7,2\n", "3 6", ""},
		"beside rows without a key":     {"2016,1,A,5,1\n2016,2,B,7,1\n2016,,C,9,1\n2016,GRAND TOTAL,,21,3\n", "5", ""},
		"a word that begins so":         {"2016,1,A,5,1\n2016,2,Totality,5,1\n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := one("year@ code name=code approved$ executed$", test.rows)
			k := take(t, p.fs(), bare)
			is(t, "left out", strings.Trim(fmt.Sprint(k.pkg.Resources[0].SkipLines), "[]"), test.left)
			var kept []string
			for _, total := range k.pkg.NamedTotals {
				kept = append(kept, fmt.Sprint(total.Line))
			}
			is(t, "called totals", strings.Join(kept, " "), test.kept)
			if rows := strings.Count(test.rows, "\n") - len(strings.Fields(test.left)); k.count != rows {
				t.Errorf("%d rows are loaded, want %d", k.count, rows)
			}
			is(t, "said", fmt.Sprint(k.found(repair.LooksLikeTotal) != ""), fmt.Sprint(test.kept != ""))
			off := take(t, p.with("repairs: {totals-row: off}"), bare)
			if off.count != strings.Count(test.rows, "\n") || len(off.pkg.NamedTotals) > 0 {
				t.Errorf("switched off, %d rows are loaded", off.count)
			}
		})
	}
}

// A question for "No Informado" counts a total whose cell is NO INFORMADO.
func TestTotals_OfWhatIsNotInformed(t *testing.T) {
	rows := "2016,NO INFORMADO,Total,9\n2016,No Informado,b,1\n2016,No Informado,c,1\n"
	k := take(t, one("year@ unit name approved$", rows).with("not_informed: [No Informado]\n"), bare)
	q, err := query.Parse(map[string]string{"cut": "unit:No Informado"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Bind(&cube.Cube{Package: k.pkg}, q)
	if err != nil || len(k.pkg.NamedTotals) != 1 || !p.MayCount(k.pkg.NamedTotals[0].Cells) {
		t.Errorf("%v: nobody warns of %v", err, k.pkg.NamedTotals)
	}
}

// A subtotal has fewer keys than the rows that it adds up.
// A subtotal has fewer cells than the rows that it adds up. If only some rows of its kind are subtotals, they are counted, and
// answers say so.
func TestTotals_WithFewerKeys(t *testing.T) {
	for name, test := range map[string]struct{ rows, left string }{
		"one unit alone, counted":       {"2016,1,a,5\n2016,1,b,7\n2016,1,,12\n2016,2,a,4\n2016,2,c,1\n", "counted 4"},
		"one differs, counted":          {"2016,1,a,5\n2016,1,b,7\n2016,1,,12\n2016,2,a,4\n2016,2,,6\n2016,3,a,1\n2016,3,b,1\n2016,3,,2\n", "counted 4 9"},
		"two rows of one unit":          {"2016,1,a,5\n2016,1,b,7\n2016,1,,6\n2016,1,,6\n2016,2,a,4\n2016,2,,5\n", "counted 4 5"},
		"of one year alone":             {"2016,1,a,5\n2016,1,b,7\n2016,1,,12\n2016,2,a,4\n2016,2,,4\n2017,1,,3\n", "4 6"},
		"of each unit":                  {"2016,1,a,5\n2016,1,b,7\n2016,1,,12\n2016,2,a,4\n2016,2,,4\n", "4 6"},
		"of each unit, and of all":      {"2016,1,a,5\n2016,1,b,7\n2016,1,,12\n2016,2,a,4\n2016,2,,4\n2016,,,16\n", "4 6 keyless 7"},
		"before their rows":             {"2016,1,,12\n2016,1,a,5\n2016,1,b,7\n2016,2,,4\n2016,2,a,4\n", "2 5"},
		"one differs":                   {"2016,1,a,5\n2016,1,b,7\n2016,1,,11\n2016,2,a,4\n2016,2,,5\n", ""},
		"one row, equal by chance":      {"2016,1,a,5\n2016,1,b,7\n2016,2,,12\n", ""},
		"as much in rows without a key": {"2016,1,a,5\n2016,1,b,7\n2016,2,,6\n2016,3,,6\n", ""},
		"money of another year":         {"2016,1,a,5\n2016,1,b,7\n2017,1,,12\n2017,2,,3\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			k := take(t, one("year@ unit part approved$", test.rows).fs(), bare)
			want, counted, _ := strings.Cut(test.left, "counted ")
			told, _, _ := strings.Cut(want, " keyless")
			want = strings.Replace(want, " keyless", "", 1)
			is(t, "left out", strings.Trim(fmt.Sprint(k.pkg.Resources[0].SkipLines), "[]"), want)
			is(t, "named in answers", linesOf(k.pkg.TotalsLeftOut), told)
			is(t, "suspected", linesOf(k.pkg.NamedTotals), counted)
			if rows := strings.Count(test.rows, "\n") - len(strings.Fields(want)); k.count != rows {
				t.Errorf("%d rows are loaded, want %d", k.count, rows)
			}
		})
	}
}

func linesOf(rows []cube.NamedTotal) string {
	return strings.Join(each.Text(rows, func(row cube.NamedTotal) string { return fmt.Sprint(row.Line) }), " ")
}

// Files may share rows of a year in which each has others too.
func TestTake_FindsFilesThatShareRows(t *testing.T) {
	p := pack{fields: "year@ code approved$", files: map[string]string{
		"a.csv": "2016,1,5\n2017,1,6\n2017,2,7\n", "b.csv": "2017,1,6\n2017,2,7\n2017,3,1\n2018,1,9\n", "c.csv": "2018,1,8\n2018,2,9\n",
	}}
	k := take(t, p.fs(), bare)
	is(t, "answers warn of", fmt.Sprint(k.pkg.Overlaps), "[{2017 [a.csv b.csv]}]")
}

// The same row may be written differently in each file.
func TestTake_ComparesRowsByTheirValues(t *testing.T) {
	const a, b = "2016,1,Caf\u00e9,6\n2016,2,x,7.5\n", "2016,1 ,Cafe\u0301 ,6.00\n 2016,2,\u00a0x,7.50\n"
	p := pack{fields: "year@ code name=code approved$", files: map[string]string{"a.csv": a, "b.csv": b}}
	k := take(t, p.fs(), bare)
	is(t, "left out", k.pkg.Resources[1].LeftOut, "its rows stand in other resources")
	p.files["b.csv"] = b + "2016,3,y,1\n"
	is(t, "answers warn of", fmt.Sprint(take(t, p.fs(), bare).pkg.Overlaps), "[{2016 [a.csv b.csv]}]")
	for name, other := range map[string]string{
		"a zero before":      "2016,01,Caf\u00e9,6\n2016,2,x,7.5\n",
		"a zero behind":      "2016,1,Caf\u00e9,60\n2016,2,x,7.5\n",
		"cells changed over": "2016,1,Caf\u00e9,6\n2016,x,2,7.5\n",
		"a cell elsewhere":   "2016,1,,6\n2016,2,x,7.5\n",
	} {
		p.files["b.csv"] = other
		if k := take(t, p.fs(), bare); k.pkg.Resources[0].LeftOut+k.pkg.Resources[1].LeftOut != "" {
			t.Errorf("%s: a file is left out", name)
		}
	}
	p.files["b.csv"] = b
	off := take(t, p.with("repairs: {code-padded: off}\n"), bare)
	is(t, "codes as they are written", off.pkg.Resources[1].LeftOut, "")
}

// What differs in a field that the model does not have is no subtotal.
func TestTotals_OfAnotherKind(t *testing.T) {
	rows := "2016,1,R,,12\n2016,1,E,a,5\n2016,1,E,b,7\n2016,2,R,,4\n2016,2,E,a,4\n"
	k := take(t, one("year@ unit kind part approved$", rows).fs(), bare)
	if k.count != 5 || len(k.pkg.NamedTotals) > 0 {
		t.Errorf("%d rows are loaded, and %v look like totals", k.count, k.pkg.NamedTotals)
	}
}

// The file is read again for its totals, and its mistakes are counted once.
func TestTotals_CountMistakesOnce(t *testing.T) {
	got, _, _ := strings.Cut(refused(t, one("year@ code name=code approved$", "2016,1,A,5\n2016,2\n2016,,Total,5\n").fs()), "\n")
	is(t, "found", got, "f.csv:3: the row has 2 cells, the schema 4 fields [cell-count]")
}

// Of a row only 63 keys are known, and it need not have fewer than that.
func TestTotals_OfManyKeys(t *testing.T) {
	fields, more := "year@ unit part approved$", ""
	for i := range 64 {
		fields, more = fields+fmt.Sprint(" k", i), more+",x"
	}
	var rows strings.Builder
	for _, row := range strings.Fields("1,a,5 1,b,7 1,,12 2,a,4 2,,4") {
		fmt.Fprintln(&rows, "2016,"+row+more)
	}
	k := take(t, one(fields, rows.String()).fs(), bare)
	is(t, "left out", fmt.Sprint(k.pkg.Resources[0].SkipLines), "[4 6]")
}

// What is remembered of rows that name totals is bounded: long cells, their bytes, and the combinations of keys that they have.
func TestTotals_AreBounded(t *testing.T) {
	long := "2016,,Total," + strings.Repeat("x", 9<<20) + ",1\n"
	k := take(t, one("year@ code name=code note approved$", "2016,1,A,a,5\n"+long+long).fs(), bare)
	if n := len(k.pkg.NamedTotals); n != 2 || k.pkg.NamedTotals[1].Cells != nil {
		t.Fatalf("%d rows are called totals; those that are not remembered are one without cells", n)
	}
	if cell, known := k.pkg.NamedTotals[0].Cells["note"]; known {
		t.Errorf("a cell of %d bytes is kept", len(cell))
	}

	rows := "2016,Total" + strings.Repeat(",x", 7) + ",3\n2016,a" + strings.Repeat(",x", 7) + ",1\n"
	for set := range 100 {
		rows += "2016,Total"
		for i := range 7 {
			rows += "," + strings.Repeat("y", set>>i&1)
		}
		rows += ",9\n"
	}
	rows += "2016,b,x,x,x,x,x,x,z,2\n2016,Total,,,,,,,z,2\n"
	k = take(t, one("year@ name a b c d e f g approved$", rows).fs(), bare)
	if len(k.pkg.Resources[0].SkipLines) > 0 || len(k.pkg.NamedTotals) != 101 {
		t.Errorf("%v are left out, %d are called totals; one stands for the rest", k.pkg.Resources[0].SkipLines, len(k.pkg.NamedTotals))
	}
}
