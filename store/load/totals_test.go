package load_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube/repair"
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

// A subtotal has fewer keys than the rows that it adds up.
func TestTotals_WithFewerKeys(t *testing.T) {
	for name, test := range map[string]struct{ rows, left string }{
		"of each unit":                  {"2016,1,a,5\n2016,1,b,7\n2016,1,,12\n2016,2,a,4\n2016,2,,4\n", "4 6"},
		"of each unit, and of all":      {"2016,1,a,5\n2016,1,b,7\n2016,1,,12\n2016,2,a,4\n2016,2,,4\n2016,,,16\n", "4 6 7"},
		"before their rows":             {"2016,1,,12\n2016,1,a,5\n2016,1,b,7\n2016,2,,4\n2016,2,a,4\n", "2 5"},
		"one differs":                   {"2016,1,a,5\n2016,1,b,7\n2016,1,,11\n2016,2,a,4\n2016,2,,5\n", ""},
		"one row, equal by chance":      {"2016,1,a,5\n2016,1,b,7\n2016,2,,12\n", ""},
		"as much in rows without a key": {"2016,1,a,5\n2016,1,b,7\n2016,2,,6\n2016,3,,6\n", ""},
		"money of another year":         {"2016,1,a,5\n2016,1,b,7\n2017,1,,12\n2017,2,,3\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			k := take(t, one("year@ unit part approved$", test.rows).fs(), bare)
			is(t, "left out", strings.Trim(fmt.Sprint(k.pkg.Resources[0].SkipLines), "[]"), test.left)
			if rows := strings.Count(test.rows, "\n") - len(strings.Fields(test.left)); k.count != rows {
				t.Errorf("%d rows are loaded, want %d", k.count, rows)
			}
		})
	}
}
