package series_test

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"math/big"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/series"
)

// rows reads a built file without this package: by country and year.
func rows(t *testing.T, name string) map[string]map[string]*big.Rat {
	t.Helper()
	file, err := os.Open("built/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comment = '#'
	cells, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]map[string]*big.Rat{}
	for _, row := range cells[1:] {
		if values[row[0]] == nil {
			values[row[0]] = map[string]*big.Rat{}
		}
		values[row[0]][row[1]], _ = new(big.Rat).SetString(row[2])
	}
	return values
}

func rat(f series.Factors, year int64) *big.Rat {
	return new(big.Rat).Quo(f.Times[year].Rat(), f.Divisor.Rat())
}

func built(t *testing.T, country string, ofPrices bool) cube.Series {
	t.Helper()
	i := slices.IndexFunc(series.Built(), func(s cube.Series) bool { return s.Country == country && s.IsOfPrices() == ofPrices })
	if i < 0 {
		t.Fatalf("no series of %s", country)
	}
	return series.Built()[i]
}

func TestReal_ChainsTheRatesOfEveryCountry(t *testing.T) {
	inflation := rows(t, "inflation.csv")
	if len(inflation) != 11 {
		t.Fatalf("%d countries, want 11", len(inflation))
	}
	const base = 2010
	years := []int64{1999, 2003, 2009, 2010, 2011, 2023}
	for country, rates := range inflation {
		f, ok := series.Real(built(t, country, true), base, years)
		if !ok {
			t.Fatalf("%s: no prices of %d", country, base)
		}
		for _, year := range years {
			want := big.NewRat(1, 1)
			for y := min(year, base) + 1; y <= max(year, base); y++ {
				rise := new(big.Rat).Quo(rates[decimal.NewFromInt(y).String()], big.NewRat(100, 1))
				want.Mul(want, rise.Add(rise, big.NewRat(1, 1)))
			}
			if year > base {
				want.Inv(want)
			}
			if got := rat(f, year); got.Cmp(want) != 0 {
				t.Errorf("%s %d: %s, want %s", country, year, got.FloatString(20), want.FloatString(20))
			}
		}
	}
}

func TestPerHead_DividesByTheInhabitantsOfTheYear(t *testing.T) {
	years := []int64{2000, 2012, 2024}
	for country, persons := range rows(t, "population.csv") {
		f := series.PerHead(built(t, country, false), years)
		for _, year := range years {
			want := new(big.Rat).Inv(persons[decimal.NewFromInt(year).String()])
			if got := rat(f, year); got.Cmp(want) != 0 {
				t.Errorf("%s %d: %s, want %s", country, year, got, want)
			}
		}
	}
}

// made reads a series without metadata of interest.
func made(t *testing.T, rows string) cube.Series {
	t.Helper()
	list, err := series.Read("made", []byte("# title: Made\n# source: us\n# licence: CC0-1.0\n# updated: 2025-07-01\n"+rows))
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

func TestReal_OfAnIndexIsTheRatioOfTwoLevels(t *testing.T) {
	s := made(t, "country,year,index\nHRV,2016,98.5\nHRV,2017,100\nHRV,2019,104.25\n")
	f, ok := series.Real(s, 2017, []int64{2016, 2017, 2018, 2019})
	if !ok || rat(f, 2016).Cmp(big.NewRat(1000, 985)) != 0 || rat(f, 2017).Cmp(big.NewRat(1, 1)) != 0 || rat(f, 2019).Cmp(big.NewRat(10000, 10425)) != 0 {
		t.Errorf("factors %v, %v", f, ok)
	}
	if _, has := f.Times[2018]; has {
		t.Error("2018 has no level and yet a factor")
	}
	if _, ok := series.Real(s, 2018, []int64{2017}); ok {
		t.Error("2018 has no level and yet prices")
	}
}

// Rates lead from the year before the first of them, and not across a year without one.
func TestReal_StopsWhereARateIsMissing(t *testing.T) {
	s := made(t, "country,year,annual_percent\nHRV,2015,10\nHRV,2016,-50\nHRV,2018,7\n")
	years := []int64{2013, 2014, 2015, 2016, 2017, 2018, 2019}
	for _, test := range []struct {
		base int64
		want []int64
	}{
		{2014, []int64{2014, 2015, 2016}},
		{2016, []int64{2014, 2015, 2016}},
		{2017, []int64{2017, 2018}},
	} {
		f, ok := series.Real(s, test.base, years)
		var got []int64
		for _, year := range years {
			if _, has := f.Times[year]; has {
				got = append(got, year)
			}
		}
		if !ok || !slices.Equal(got, test.want) {
			t.Errorf("prices of %d: factors of %v, want %v", test.base, got, test.want)
		}
		if got := rat(f, test.base); got.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("prices of %d: its own factor is %s", test.base, got)
		}
	}
	for _, base := range []int64{2013, 2019} {
		if f, ok := series.Real(s, base, years); ok {
			t.Errorf("prices of %d: %v", base, f)
		}
	}
	f, _ := series.Real(s, 2014, []int64{2016})
	if got := rat(f, 2016); got.Cmp(big.NewRat(100, 55)) != 0 { // prices rose by 10 and fell by half: 1.1 × 0.5
		t.Errorf("an amount of 2016 in prices of 2014 is multiplied by %s", got)
	}
}

func TestFactors_And(t *testing.T) {
	prices, _ := series.Real(made(t, "country,year,index\nHRV,2016,80\nHRV,2017,100\n"), 2017, []int64{2016, 2017})
	heads := series.PerHead(made(t, "country,year,persons\nHRV,2016,4\nHRV,2018,5\n"), []int64{2016, 2017, 2018})
	both := prices.And(heads)
	if len(both.Times) != 1 || rat(both, 2016).Cmp(big.NewRat(100, 320)) != 0 {
		t.Errorf("factors %v", both)
	}
	for _, d := range append(slices.Collect(maps.Values(both.Times)), both.Divisor) {
		if !d.IsInteger() || d.Exponent() != 0 {
			t.Errorf("%s is not written as a whole number", d)
		}
	}
}

func TestOf_FindsTheCountryByNameOrCode(t *testing.T) {
	for _, test := range []struct {
		country, code, want string
	}{
		{"Croatia", "", "HRV"}, {"HRVATSKA", "", "HRV"}, {"Mexico", "", "MEX"}, {"méxico", "", "MEX"}, {"Republica Dominicana", "", "DOM"},
		{"", `"CR"`, "CRI"}, {"", `["PRY"]`, "PRY"}, {"Atlantis", `"uy"`, "URY"},
		{"", "", ""}, {"Atlantis", "null", ""}, {"", `{"a":1}`, ""},
	} {
		p := &cube.Package{Country: test.country, GovtLevel: "National", Extra: map[string]json.RawMessage{}}
		if test.code != "" {
			p.Extra["countryCode"] = json.RawMessage(test.code)
		}
		var found []string
		for _, s := range series.Of(&cube.Cube{Package: p}) {
			found = append(found, s.Country+" "+string(s.Unit))
		}
		var want []string
		if test.want != "" {
			want = []string{test.want + " annual_percent", test.want + " persons"}
		}
		if !slices.Equal(found, want) {
			t.Errorf("%q, %s: %v, want %v", test.country, test.code, found, want)
		}
	}
}

// A package's own series come before those of the program, and say the country of a package that names none.
func TestOf_PrefersTheOwnSeriesOfAPackage(t *testing.T) {
	own := made(t, "country,year,index\nHRV,2016,98\n")
	for _, test := range []struct {
		p    cube.Package
		want []string
	}{
		{cube.Package{Country: "Croatia", Series: []cube.Series{own}}, []string{"made HRV", "population HRV"}},
		{cube.Package{Country: "Paraguay", Series: []cube.Series{own}}, []string{"inflation PRY", "population PRY"}},
		{cube.Package{Series: []cube.Series{own}}, []string{"made HRV", "population HRV"}},
	} {
		test.p.GovtLevel = "National"
		var found []string
		for _, s := range series.Of(&cube.Cube{Package: &test.p}) {
			found = append(found, s.Name+" "+s.Country)
		}
		if !slices.Equal(found, test.want) {
			t.Errorf("%q: %q, want %q", test.p.Country, found, test.want)
		}
	}
}

// The inhabitants of a country are not those of a town.
func TestOf_HasInhabitantsOfWholeCountries(t *testing.T) {
	own := made(t, "country,year,persons\nMEX,2016,9\n")
	for level, want := range map[string]int{"": 1, "National": 2, " nacional ": 2, "Federal, State": 1, "federal government": 2, "Subnational": 1, "sub-national": 1, "Municipal": 1} {
		p := cube.Package{Country: "Mexico", GovtLevel: level}
		if n := len(series.Of(&cube.Cube{Package: &p})); n != want {
			t.Errorf("%q: %d series, want %d", level, n, want)
		}
		p.Series = []cube.Series{own}
		if n := len(series.Of(&cube.Cube{Package: &p})); n != 2 {
			t.Errorf("%q with inhabitants of its own: %d series", level, n)
		}
	}
}

// Series that an operator added come before those of the program, and after those of a package.
func TestOf_PrefersAddedSeries(t *testing.T) {
	added := made(t, "country,year,index\nHRV,2016,98\n")
	c := &cube.Cube{Package: &cube.Package{Country: "Croatia"}, Added: &cube.Added{Series: []cube.Series{added}}}
	if s := series.Of(c)[0]; s.Name != "made" {
		t.Errorf("it is %s", s.Name)
	}
	own := added
	own.Name = "own"
	c.Series = []cube.Series{own}
	if s := series.Of(c)[0]; s.Name != "own" {
		t.Errorf("it is %s", s.Name)
	}
}

func TestWrite_IsReadAgain(t *testing.T) {
	inflation := slices.DeleteFunc(slices.Clone(series.Built()), func(s cube.Series) bool { return s.Name != "inflation" })
	for _, file := range series.ByName(inflation) {
		again, err := series.Read("inflation", series.Write(file))
		if err != nil || !reflect.DeepEqual(again, inflation) {
			t.Errorf("%v, read again are %d series", err, len(again))
		}
	}
	if files := series.ByName(series.Built()); len(files) != 2 || len(files[0]) != 11 {
		t.Errorf("%d files", len(files))
	}
}

func TestBuilt_EachSaysWhereItIsFrom(t *testing.T) {
	if n := len(series.Built()); n != 22 {
		t.Errorf("%d series, want 22", n)
	}
	for _, s := range series.Built() {
		first, last := s.Years()
		if s.Title == "" || !strings.HasPrefix(s.Source, "World Bank") || s.License != "ODC-PDDL-1.0" || s.Updated == "" || first != 2000 || last < 2023 {
			t.Errorf("%+v", s)
		}
	}
}

func TestRead_NamesEveryMistakeWithItsLine(t *testing.T) {
	const from = "# title: T\n# source: S\n# licence: L\n# updated: 2025-07-01\n"
	for _, test := range []struct {
		file string
		want []string
	}{
		{"country,year,persons\nHRV,2016,4\n", []string{"its title", "its source", "its licence", "its updated"}},
		{"# by: me\n" + from + "country,year,persons\nHRV,2016,4\n", []string{"line 1: a comment says"}},
		{strings.Replace(from, "2025-07-01", "July", 1) + "country,year,persons\nHRV,2016,4\n", []string{`not "July"`}},
		{from + "country,year,people\nHRV,2016,4\n", []string{"its header is"}},
		{from + "country,year,persons\n", []string{"no values"}},
		{from + "country,year,persons\nHRV,2016\n", []string{"wrong number of fields"}},
		{from + "country,year,persons\n,2016,4\nHRV,16,4\nHRV,2016,four\nHRV,2016,0\nHRV,2017,1\nHRV,2017,2\n",
			[]string{"line 6: it names no country", `line 7: "16" is no year`, `line 8: "four" is no number`, "line 9: 0 is not above 0", "line 11: HRV has two values for 2017"}},
		{from + "country,year,annual_percent\nHRV,2016,-100\n", []string{"line 6: -100 is not above -100"}},
	} {
		_, err := series.Read("made", []byte(test.file))
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", test.file, err, want)
			}
		}
	}
}

func TestRead_OfAFileWithTwoCountriesAndAByteOrderMark(t *testing.T) {
	list, err := series.Read("two", []byte("\uFEFF# title: T\r\n# source: S\r\n# licence: L\r\n# updated: 2025-07-01\r\ncountry,year,index\r\nB,2017,2\r\nA,2016,1\r\nB,2016,1.5\r\n"))
	if err != nil || len(list) != 2 || list[0].Country != "B" || list[0].Values[0].Year != 2016 || list[1].Title != "T" || list[1].Name != "two" {
		t.Errorf("%+v, %v", list, err)
	}
}
