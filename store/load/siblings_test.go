package load_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/cube/repair"
)

// funded makes the rows of funds A and B, and of T, which is their sum: of so many codes, of which the first have both.
func funded(codes, both int) string {
	var rows strings.Builder
	for code := 1; code <= codes; code++ {
		b := 0
		if code <= both {
			b = -3
		}
		fmt.Fprintf(&rows, "2016,T,Any,%d,%d,0\n2016,A,Own,%[1]d,%[3]d,0\n", code, 10*code+b, 10*code)
		if b != 0 {
			fmt.Fprintf(&rows, "2016,B,Lent,%d,%d,0\n", code, b)
		}
	}
	return rows.String()
}

func TestTotals_OfSiblings(t *testing.T) {
	changed := func(from, to string) string {
		before := funded(10, 3)
		if strings.Count(before, from) != 1 {
			t.Fatalf("%q is there %d times", from, strings.Count(before, from))
		}
		return strings.Replace(before, from, to, 1)
	}
	const lines = "2 5 8 11 13 15 17 19 21 23"
	mirrored := strings.ReplaceAll(strings.ReplaceAll(funded(10, 0), "T,Any", "C,All"), "A,Own", "D,All")
	for name, test := range map[string]struct{ rows, left string }{
		"ten places, three of two funds":      {funded(10, 3), lines},
		"nine places":                         {funded(9, 3), ""},
		"two places of two funds":             {funded(10, 2), ""},
		"one amount differs":                  {changed("T,Any,10,100,0", "T,Any,10,101,0"), ""},
		"two amounts differ by as much":       {strings.Replace(changed("T,Any,10,100,0", "T,Any,10,101,0"), "T,Any,9,90,0", "T,Any,9,89,0", 1), ""},
		"one column differs":                  {changed("T,Any,10,100,0", "T,Any,10,100,1"), ""},
		"quarters of which one differs":       {strings.NewReplacer(",A,Own", ",Q1,", ",B,Lent", ",Q2,", ",T,Any", ",T,").Replace(changed("T,Any,7,70,0", "T,Any,7,70,7")), ""},
		"a column in which it has no cells":   {strings.ReplaceAll(changed("A,Own,9,90,0", "A,Own,9,90,5"), ",0\n", ",\n"), lines},
		"missing is 0":                        {changed("T,Any,10,100,0", "T,Any,10,100,"), lines},
		"a place where it is missing":         {changed("2016,T,Any,10,100,0\n", ""), ""},
		"a place where it has more":           {funded(10, 3) + "2016,T,Any,11,5,0\n", ""},
		"a place where nothing is counted":    {funded(10, 3) + "2016,A,Own,11,0,0\n", lines},
		"two rows of one fund":                {changed("A,Own,10,100,0", "A,Own,10,60,0\n2016,A,Own,10,40,0"), lines},
		"funds of which one is as another":    {mirrored, ""},
		"likewise, beside funds of their own": {mirrored + funded(10, 3), ""},
		"a number in the fund's place":        {strings.ReplaceAll(funded(10, 3), "T,Any", "3,Any"), lines},
	} {
		t.Run(name, func(t *testing.T) {
			p := one("year@ fund name=fund code approved$ executed$", test.rows)
			k := take(t, p.fs(), bare)
			is(t, "left out", strings.Trim(fmt.Sprint(k.pkg.Resources[0].SkipLines), "[]"), test.left)
			is(t, "told", linesOf(k.pkg.TotalsLeftOut), test.left)
			if all := take(t, p.with("repairs: {totals-row: off}"), bare); all.count != strings.Count(test.rows, "\n") {
				t.Errorf("switched off, %d rows are loaded", all.count)
			}
		})
	}
	k := take(t, one("year@ fund name=fund code approved$ executed$", funded(10, 3)+"2016,,Total,,541,0\n").fs(), bare)
	is(t, "found", k.found(repair.TotalsRow), "f.csv: field fund: T is the sum of its siblings for all other keys, so its 10 rows are left out; the first is at line 2 [totals-row]\n"+
		"f.csv: the row at line 25 is the total of the others, so it is left out [totals-row]")
}

// Statements of months are no siblings of which one is the sum, though three months of equal amounts add up so. A part of the year is no
// total of its year either.
func TestTotals_OfSiblingsAreNoParts(t *testing.T) {
	rows := func(third string) string {
		var all strings.Builder
		for code := range 12 {
			fmt.Fprintf(&all, "2016,1,%d,10\n2016,2,%[1]d,20\n2016,%s,%[1]d,30\n", code, third)
		}
		return all.String()
	}
	ofTime := "dimensions: {date: {type: datetime}}\nlevels: {month: {dimension: date}}\n"
	for name, test := range map[string]struct {
		third, overlay string
		rows           int
	}{
		"months of a dimension of time": {"3", ofTime, 36},
		"months that are statements":    {"3", "snapshots: {by: month, per: [year]}\n", 36},
		"a whole year among months":     {"All", ofTime, 24},
		"dates":                         {"2016-03-31", "", 36},
		"two sources that share":        {"3", "", 36},
	} {
		if k := take(t, one("year@ month code paid$", rows(test.third)).with(test.overlay), bare); k.count != test.rows {
			t.Errorf("%s: %d rows are loaded, want %d", name, k.count, test.rows)
		}
	}
}

// A line that holds the amounts of all funds cannot be left out.
func TestTotals_OfSiblingsInOneLine(t *testing.T) {
	rows := "code,A,B,T\n"
	for code := range 12 {
		rows += fmt.Sprintf("%d,%d,5,%d\n", code, 10+code, 15+code)
	}
	column := func(fund string) string {
		return fmt.Sprintf(`{"name": %q, "type": "number", "normalize": {"fund": %[1]q}}`, fund)
	}
	files := fstest.MapFS{"a.csv": &fstest.MapFile{Data: []byte(rows)}, "datapackage.json": &fstest.MapFile{Data: []byte(`{"name": "wide", "resources": [{"name": "a", "path": "a.csv", "schema": {
		"fields": [{"name": "code", "type": "string", "columnType": "functional-classification:generic:code"}, ` + column("A") + `, ` + column("B") + `, ` + column("T") + `],
		"extraFields": [{"name": "amount", "type": "number", "columnType": "value", "normalizationTarget": true}, {"name": "year", "type": "integer", "columnType": "date:fiscal-year", "constant": 2016},
		{"name": "fund", "type": "string", "columnType": "fin-source:generic:code"}]}}]}`)}}
	if k := take(t, files, bare); k.count != 36 {
		t.Errorf("%d data points are loaded, want 36", k.count)
	}
}

// A row of a member that its name calls a total is that of the rows of the member.
func TestTotals_OfMembersByName(t *testing.T) {
	text := "2016,Police,Pay,1000\n2016,Police,Cars,300\n2016,Police Total,,1300\n2016,Fire,Pay,500\n2016,Fire,Cars,20\n2016,Total - Fire,,520\n2016,Grand Total,,1820\n"
	if k := take(t, one("year@ office object paid$", text).fs(), bare); k.count != 4 {
		t.Errorf("%d rows are loaded, want 4", k.count)
	}
	if k := take(t, one("year@ office object paid$", strings.ReplaceAll(text, ",520\n", ",521\n")).fs(), bare); k.count != 5 {
		t.Errorf("where one total differs %d rows are loaded, want 5", k.count)
	}
}
