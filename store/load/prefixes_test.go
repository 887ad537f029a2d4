package load_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube/repair"
)

// konto is the Croatian accounts of two offices: 3 = 31 + 32 = 311 + 312 + 321 + 322, 31 = 311 + 312 and so on; 312 has one account below it.
// The sums are made by hand. The name and the depth of a code are beside it in each row.
const konto = `2023,A,3,Rashodi,1,100,10.5,7
2023,A,31,Plaće,2,60,6.5,8
2023,A,311,Bruto,3,40,6.5,9
2023,A,3111,Redovan rad,4,30,6,1
2023,A,3112,U naravi,4,10,.5,2
2023,A,312,Ostalo,3,20,,3
2023,A,3121,Ostala,4,20,,4
2023,A,32,Materijal,2,40,4,5
2023,A,321,Naknade,4,15,5,6
2023,A,322,Energija,4,25,-1,7
2023,B,3,Rashodi,1,7,0,9
2023,B,31,Plaće,2,7,0,9
2023,B,311,Bruto,3,7,0,9
2023,B,3111,Redovan rad,4,7,0,9
`

func TestTotals_OfCodes(t *testing.T) {
	changed := func(rows string, pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if strings.Count(rows, pairs[i]) != 1 {
				t.Fatalf("%q is there %d times", pairs[i], strings.Count(rows, pairs[i]))
			}
		}
		return strings.NewReplacer(pairs...).Replace(rows)
	}
	const lines = "2 3 4 7 9 12 13 14"
	colombia := strings.NewReplacer(",3111,", ",A-01-01-1,", ",3112,", ",A-01-01-2,", ",3121,", ",A-01-02-1,", ",311,", ",A-01-01,", ",312,", ",A-01-02,",
		",321,", ",A-02-01,", ",322,", ",A-02-02,", ",31,", ",A-01,", ",32,", ",A-02,", ",3,", ",A,").Replace
	// Six more codes with accounts of their own, so that one of ten may be none.
	more := ""
	for code := 4; code <= 9; code++ {
		more += fmt.Sprintf("2023,A,%d,N,1,5,0,1\n2023,A,%[1]d1,M,2,3,0,1\n2023,A,%[1]d2,L,2,2,0,1\n", code)
	}
	const moreLines = " 16 19 22 25 28 31"
	for name, test := range map[string]struct{ rows, left string }{
		// 3, 31, 311 and 32 are the sums of two leaves or more, 312 is that of one.
		"accounts of digits":                                  {konto, lines},
		"codes with hyphens":                                  {colombia(konto), lines},
		"leaves where no code above them stands":              {konto + "2023,C,3111,Redovan rad,4,9,0,9\n2023,C,5,Drugo,1,9,0,9\n", ""},
		"the same that add up to nothing":                     {konto + "2023,C,3111,Redovan rad,4,9,0,9\n2023,C,3112,U naravi,4,-9,0,9\n", lines},
		"one of five has other amounts":                       {changed(konto, "A,311,Bruto,3,40", "A,311,Bruto,3,41"), "2 3 7 9 12 13"},
		"it has money of its own, which those above it count": {changed(konto, "A,311,Bruto,3,40", "A,311,Bruto,3,41", "A,31,Plaće,2,60", "A,31,Plaće,2,61", "A,3,Rashodi,1,100", "A,3,Rashodi,1,101"), ""},
		"the other measure differs":                           {changed(konto, "A,311,Bruto,3,40,6.5", "A,311,Bruto,3,40,6.4"), "2 3 7 9 12 13"},
		"two places differ by as much":                        {changed(konto, "A,3,Rashodi,1,100", "A,3,Rashodi,1,101", "B,3,Rashodi,1,7", "B,3,Rashodi,1,6"), "3 4 7 9 13 14"},
		"one of ten or more has money of its own":             {changed(konto, "A,32,Materijal,2,40", "A,32,Materijal,2,41") + more, "2 3 4 7 12 13 14" + moreLines},
		"fewer than four of five agree":                       {changed(konto, "A,32,Materijal,2,40", "A,32,Materijal,2,41", "B,311,Bruto,3,7", "B,311,Bruto,3,8"), ""},
		"a code without amounts":                              {konto + "2023,A,33,Kamate,2,0,,9\n2023,A,331,Kamate,3,0,0,9\n", lines},
		"a row of another code without any":                   {changed(konto, "2023,B,31,Plaće,2,7,0,9\n", ""), "2 3 4 7 9 12 13"},
		"in the wrong place":                                  {changed(konto, "2023,B,311,Bruto", "2023,C,311,Bruto"), "2 3 7 9 12 13"},
		"two codes of two leaves":                             {"2023,A,3,,1,3,0,1\n2023,A,31,,2,3,0,1\n2023,A,311,,3,1,0,1\n2023,A,312,,3,2,0,1\n", ""},
		"three codes of one leaf":                             {"2023,A,3,,1,3,0,1\n2023,A,31,,2,3,0,1\n2023,A,4,,1,3,0,1\n2023,A,41,,2,3,0,1\n2023,A,5,,1,3,0,1\n2023,A,51,,2,3,0,1\n", ""},
		"numbers that begin alike, one by chance":             {"2023,A,1,,1,5,0,1\n2023,A,10,,1,2,0,1\n2023,A,11,,1,3,0,1\n2023,A,2,,1,4,0,1\n2023,A,20,,1,2,0,1\n2023,A,21,,1,9,0,1\n2023,A,3,,1,9,0,1\n2023,A,30,,1,4,0,1\n2023,A,31,,1,4,0,1\n", ""},
		"equal in the file, in one place by chance":           {changed(konto, "A,31,Plaće,2,60", "A,31,Plaće,2,59", "B,31,Plaće,2,7", "B,31,Plaće,2,8", "A,311,Bruto,3,40", "A,311,Bruto,3,39", "B,311,Bruto,3,7", "B,311,Bruto,3,8"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := one("year@ office code name=code depth paid$ planned$ index%", test.rows)
			k := take(t, p.fs(), bare)
			is(t, "left out", strings.Trim(fmt.Sprint(k.pkg.Resources[0].SkipLines), "[]"), test.left)
			is(t, "told", linesOf(k.pkg.TotalsLeftOut), test.left)
			if all := take(t, p.with("repairs: {totals-row: off}"), bare); all.count != strings.Count(test.rows, "\n") {
				t.Errorf("switched off, %d rows are loaded", all.count)
			}
		})
	}
	k := take(t, one("year@ office code name=code depth paid$ planned$ index%", changed(konto, "A,32,Materijal,2,40", "A,32,Materijal,2,41")).fs(), bare)
	is(t, "found", k.found(repair.TotalsRow), "f.csv: field code: 4 members are the sums of those whose codes begin with theirs, so their 7 rows are left out; the first is at line 2 [totals-row]\n"+
		"f.csv: field code: 1 member whose code begins others has other amounts than these, and is counted; the first is 32 [totals-row]")
}

// Levels above and below each other are no codes of one column, nor are parts of a year.
func TestTotals_OfCodesOfOneColumn(t *testing.T) {
	const fields = "year@ office code name=code depth paid$ planned$ index%"
	for name, p := range map[string]struct{ fields, overlay string }{
		"a level below it": {strings.Replace(fields, "depth", "depth<code", 1), ""},
		"a level above it": {strings.Replace(fields, "code ", "code<office ", 1), ""},
		"of time":          {fields, "dimensions: {date: {type: datetime}}\nlevels: {code: {dimension: date}}\n"},
	} {
		if k := take(t, one(p.fields, konto).with(p.overlay), bare); k.count != 14 {
			t.Errorf("%s: %d rows are loaded, want 14", name, k.count)
		}
	}
}
