package load_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube/repair"
)

// grid has a row for each unit of A to D and each part of X to Z, the amounts 1 to 12.
func grid() string {
	var rows strings.Builder
	amount := 0
	for _, unit := range []string{"A", "B", "C", "D"} {
		for _, part := range []string{"X", "Y", "Z"} {
			amount++
			fmt.Fprintf(&rows, "2016,%s,%s,%d,%d.5\n", unit, part, amount, amount)
		}
	}
	return rows.String() // A adds up to 6, X to 22, all to 78
}

// Rows that are the sums of others and are no subtotals by the strict rules are counted and reported.
func TestSubtotals_AreReported(t *testing.T) {
	for name, test := range map[string]struct{ rows, lines, said string }{
		"of one unit": {"2016,A,,6,7.5\n", "14", "the row at line 14 looks like a total, and is counted: its approved of 6 is the sum of " +
			"the 3 rows at line 2, 3, 4; take it out of the file if it is a total"},
		"of one part":                 {"2016,,X,22,24\n", "14", "its approved of 22 is the sum of the 4 rows at line 2, 5, 8, 1 more"},
		"of two units":                {"2016,A,,6,7.5\n2016,C,,24,25.5\n", "14 15", ""},
		"beside a row of its kind":    {"2016,A,,6,7.5\n2016,A,,1,1\n", "14", ""},
		"with a row of its kind":      {"2016,A,,7,8.5\n2016,A,,1,1\n", "14", ""},
		"in two rows":                 {"2016,A,,4,5\n2016,A,,2,2.5\n", "14 15", ""},
		"of two levels":               {"2016,A,,6,7.5\n2016,,,78,84\n", "14 15", ""},
		"of two levels, all counted":  {"2016,A,,6,7.5\n2016,,,84,91.5\n", "14", ""}, // the last row is left out
		"in another form":             {"2016,A,,6.00,7.50000000000000001\n", "14", ""},
		"without an amount":           {"2016,A,,6,\n", "14", ""},
		"of all years":                {"2017,A,X,5,5\n,A,,11,12.5\n", "15", ""},
		"one amount differs":          {"2016,A,,6,7\n", "", ""},
		"of another year":             {"2017,A,,6,7.5\n", "", ""},
		"of one row":                  {"2016,E,X,5,5\n2016,E,,5,5\n", "", ""},
		"of one row and nothing":      {"2016,E,X,5,5\n2016,E,Y,0,0\n2016,E,,5,5\n", "", ""},
		"of nothing":                  {"2016,E,X,0,0\n2016,E,Y,0,0\n2016,E,,0,0\n", "", ""},
		"of amounts that cancel out":  {"2016,E,X,5,5\n2016,E,Y,-5,-5\n2016,E,,0,0\n", "", ""},
		"of amounts of either sign":   {"2016,E,X,5,5\n2016,E,Y,-7,-7\n2016,E,,-2,-2\n", "16", ""},
		"of long amounts":             {"2016,E,X,12345678901234567890.12,1\n2016,E,Y,0.01,1\n2016,E,,12345678901234567890.13,2\n", "16", ""},
		"of long amounts, but a cent": {"2016,E,X,12345678901234567890.12,1\n2016,E,Y,0.01,1\n2016,E,,12345678901234567890.14,2\n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			reportsTotals(t, one("year@ unit part approved$ executed$", grid()+test.rows), test.lines, test.said)
		})
	}
}

// reportsTotals checks which rows look like totals, and what is said of them.
func reportsTotals(t *testing.T, p pack, lines, said string) {
	t.Helper()
	k := take(t, p.fs(), bare)
	is(t, "answers warn of", linesOf(k.pkg.NamedTotals), lines)
	if got := k.found(repair.LooksLikeTotal); !strings.Contains(got, said) || (got != "") != (lines != "") {
		t.Errorf("the report says %q", got)
	}
	if off := take(t, p.with("repairs: {totals-row: off}"), bare); len(off.pkg.NamedTotals) > 0 {
		t.Errorf("switched off, %v look like totals", off.pkg.NamedTotals)
	}
}

// The lines of a statement add up those above them, and codes those below, which no key tells.
func TestAdjacentTotals_AreReported(t *testing.T) {
	for name, test := range map[string]struct{ rows, lines, said string }{
		"a statement":                    {"2016,Tax,1000\n2016,Fees,300\n2016,Total revenues,1300\n2016,Police,700\n2016,Fire,400\n2016,Total spending,1100\n2016,Surplus,200\n", "4 7 8", "the difference of 2 rows, those at line 4, 7"},
		"a statement with a deficit":     {"2016,Tax,1000\n2016,Fees,300\n2016,Total revenues,1300\n2016,,\n2016,Police,900\n2016,Fire,700\n2016,Total spending,1600\n2016,Surplus,-300\n", "4 8 9", ""},
		"lines that only digits tell":    {"2016,Tax,12345\n2016,Fees,301\n2016,Ertrag,12646\n2016,Police,7007\n2016,Fire,4120\n2016,Aufwand,11127\n", "4 7", "is the sum of the 2 rows at line 2, 3"},
		"small numbers":                  {"2016,Tax,1\n2016,Fees,2\n2016,Ertrag,3\n2016,Police,2\n2016,Fire,4\n2016,Aufwand,6\n", "", ""},
		"codes above others":             {"2016,1,70\n2016,11,30\n2016,12,40\n2016,2,110\n2016,21,50\n2016,22,60\n", "2 5", ""},
		"codes with names, above others": {"2016,1 - Pay,70\n2016,1.1 - A,30\n2016,1.2 - B,40\n2016,2 - Goods,110\n2016,2.1 - C,50\n2016,2.2 - D,60\n", "2 5", ""},
		"two of many rows":               {"2016,1,70\n2016,11,30\n2016,12,40\n2016,2,110\n2016,21,50\n2016,22,60\n2016,3,1\n2016,4,2\n2016,5,4\n2016,6,8\n", "", ""},
		"of other years":                 {"2016,1,70\n2017,11,30\n2018,12,40\n2016,2,110\n2017,21,50\n2018,22,60\n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			reportsTotals(t, one("year@ line approved$", test.rows), test.lines, test.said)
		})
	}
}

// A subtotal may spell the label of its code differently, and a row without a label has no fewer keys.
func TestSubtotals_GoByCodes(t *testing.T) {
	rows := "2016,1,Health,a,5\n2016,1,Health,b,7\n2016,1,HEALTH,,12\n2016,2,Roads,a,3\n2016,2,Roads,a,4\n2016,2,,a,7\n"
	k := take(t, one("year@ unit name=unit part approved$", rows).fs(), bare)
	is(t, "answers warn of", linesOf(k.pkg.NamedTotals), "4")
}

// Rows of a file may be the sums of those of another file, or of all others.
func TestSubtotals_OfOtherFiles(t *testing.T) {
	rows := "2016,1,a,5\n2016,1,b,7\n2016,2,a,4\n2016,2,c,1\n2016,2,c,2\n2016,3,a,9\n"
	for name, test := range map[string]struct{ totals, want string }{
		"with fewer keys":      {"2016,1,,12\n2016,2,,7\n2016,3,,9\n", "2 3"},
		"with the same keys":   {"2016,2,c,3\n2016,3,b,1\n", "2"},
		"of a year":            {"2016,,,28\n", "2"},
		"of another year":      {"2017,1,,12\n2017,2,,7\n", ""},
		"of two files":         {"2018,1,,9\n", "2"},
		"with the same rows":   {"2016,2,c,1\n2016,2,c,2\n", ""},
		"with other amounts":   {"2016,1,,11\n2016,2,,8\n", ""},
		"of rows with a total": {"2016,1,x,5\n2016,1,,12\n", "3"},
	} {
		t.Run(name, func(t *testing.T) {
			p := pack{fields: "year@ unit part approved$", files: map[string]string{
				"1.csv": rows + "2018,1,a,5\n", "2.csv": test.totals, "3.csv": "2018,1,b,4\n",
			}}
			k := take(t, p.fs(), bare)
			is(t, "answers warn of", linesOf(k.pkg.NamedTotals), test.want)
			for _, total := range k.pkg.NamedTotals {
				is(t, "resource", total.Resource, "2.csv")
			}
			statements := "snapshots: {by: {resource: '(.)[.]csv', name: statement}, per: [year]}\n"
			if k := take(t, p.with(statements), bare); len(k.pkg.NamedTotals) > 0 {
				t.Errorf("files that report the same money have the totals %v", k.pkg.NamedTotals)
			}
		})
	}
	k := take(t, pack{fields: "year@ unit part approved$", files: map[string]string{"a.csv": rows, "b.csv": "2016,1,,12\n2016,2,,7\n"}}.fs(), bare)
	const want = "the row at line 2 looks like a total, and is counted: its approved of 12 is the sum of the 2 rows at line 2, 3 of a.csv"
	if said := k.found(repair.LooksLikeTotal); !strings.Contains(said, want) {
		t.Errorf("the report says %q", said)
	}
}

// Rows that may be totals but are none are summed by the subtotals that are left out: that of unit 1 includes its row without a section.
func TestSubtotals_LeaveOthersAlone(t *testing.T) {
	for _, amount := range []int{3, 9} { // of the size of the rows with a section, too
		rows := fmt.Sprintf("2016,1,a,s,5\n2016,1,a,t,7\n2016,1,b,,%d\n2016,2,a,s,4\n2016,2,a,t,2\n2016,1,,,%d\n2016,2,,,6\n", amount, 12+amount)
		k := take(t, one("year@ unit part section approved$", rows).fs(), bare)
		is(t, "left out", fmt.Sprint(k.pkg.Resources[0].SkipLines), "[7 8]")
		is(t, "answers warn of", linesOf(k.pkg.NamedTotals), "")
	}
}

// Many rows without a part, each equal to the only row of its unit or to none, are no totals.
func TestSubtotals_AreNoCoincidences(t *testing.T) {
	var rows strings.Builder
	for unit := range 3000 {
		fmt.Fprintf(&rows, "2016,%d,a,%d\n2016,%d,,%d\n", unit, 7*unit+1, unit, 7*unit+unit%2)
	}
	k := take(t, one("year@ unit part approved$", rows.String()).fs(), bare)
	if len(k.pkg.NamedTotals) > 0 || k.count != 6000 {
		t.Errorf("%d rows are loaded, and %v look like totals", k.count, k.pkg.NamedTotals)
	}
}

// Of thousands of rows that look like totals ten are reported each, and answers are checked for a hundred.
func TestSubtotals_AreBounded(t *testing.T) {
	rows := strings.Builder{}
	for unit := range 1000 {
		fmt.Fprintf(&rows, "2016,%d,a,%d\n2016,%d,b,5\n", unit, unit+1, unit)
	}
	for unit := range 999 {
		fmt.Fprintf(&rows, "2016,%d,,%d\n", unit+1, unit+7)
	}
	k := take(t, one("year@ unit part approved$", rows.String()+"2016,x,,1\n").fs(), bare)
	if n := len(k.pkg.NamedTotals); n != 101 || k.pkg.NamedTotals[100].Cells != nil {
		t.Errorf("answers are checked for %d rows; the last is one of the rest, without cells", n)
	}
	if said := k.found(repair.LooksLikeTotal); strings.Count(said, "\n") != 10 || !strings.Contains(said, "989 more rows look like totals") {
		t.Errorf("the report says %s", said)
	}
}
