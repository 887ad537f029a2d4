package storetest

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/series"
	"fiscube/internal/testrequire"
)

// realTermsTests ask for sums in real terms and per head. What these are is worked out here, as fractions of the cells of the
// files and of the values of the series, which are read again.
var realTermsTests = []test{
	{"of Croatia", func(s *subject) {
		s.realTerms(deflated{country: "HRV", year: "Year", level: "admin1_code", measure: "approved_value", scale: 0, base: 2018}, seedOf(s, "example-croatia"))
	}},
	{"of Mexico", func(s *subject) {
		s.realTerms(deflated{country: "MEX", year: "CICLO", level: "ID_RAMO", measure: "MONTO_APROBADO", scale: 2, base: 2010}, seedOf(s, "example-mexico"))
	}},
	{"of Uruguay", func(s *subject) {
		s.realTerms(deflated{country: "URY", year: "ANO", level: "AP_ID", measure: "MONTO_EJECUTADO", scale: 0, base: 2005}, seedOf(s, "example-uruguay"))
	}},
	{"of the real D2", func(s *subject) {
		testrequire.Long(s.T)
		s.realTerms(deflated{country: "HRV", year: "Year", level: "admin1_code", measure: "approved_value", scale: 0, base: 2019}, onDisk("D2-croatia")(s.T))
	}},
	{"of the real D6", func(s *subject) {
		testrequire.Long(s.T)
		s.realTerms(deflated{country: "URY", year: "ANO", level: "GRUPO_ID", measure: "MONTO_EJECUTADO", scale: 0, base: 2012}, onDisk("D6-uruguay")(s.T))
	}},
	{"of years without a value", testYearsWithoutFactor},
	{"by series of the package", testOwnSeries},
}

// addedSeriesTests change what all packages are asked with.
var addedSeriesTests = []test{{"are used by all packages until they are removed", testAddedSeries}}

// deflated is a package whose amounts are put in real terms, and what is asked of it.
type deflated struct {
	*subject
	version                       *cube.Cube
	country, year, level, measure string
	scale                         int32 // of the measure
	base                          int64
	members                       []string
	years                         []int64
	amounts                       map[string]map[int64]*big.Rat // by member and year
	rates, persons                map[int64]*big.Rat
}

// realTerms asks a package, by numbers and by facts.
func (s *subject) realTerms(d deflated, files fs.FS) {
	d.subject, d.version = s, s.load(files).Cube
	d.readAmounts(files)
	d.rates, d.persons = d.series("inflation.csv"), d.series("population.csv")
	for _, version := range []*cube.Cube{d.version, withoutCuboids(d.version)} {
		d.version = version
		d.eachYear()
		d.overYears()
		d.ranked()
		d.subtotals()
		d.compared()
		d.kept()
	}
}

// readAmounts reads the amounts in all files.
func (d *deflated) readAmounts(files fs.FS) {
	d.Helper()
	d.amounts = map[string]map[int64]*big.Rat{}
	paths, err := fs.Glob(files, "data/*.csv")
	if err != nil || len(paths) == 0 {
		d.Fatalf("no files: %v", err)
	}
	for _, path := range paths {
		text, err := fs.ReadFile(files, path)
		if err != nil {
			d.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil {
			d.Fatal(err)
		}
		at := func(field string) int { return slices.Index(rows[0], field) }
		for _, row := range rows[1:] {
			var year int64
			member, cell := row[at(d.level)], row[at(d.measure)]
			if _, err := fmt.Sscan(row[at(d.year)], &year); err != nil || cell == "" {
				continue
			}
			amount, ok := new(big.Rat).SetString(cell)
			if !ok {
				d.Fatalf("%s: %q", path, cell)
			}
			if d.amounts[member] == nil {
				d.amounts[member], d.members = map[int64]*big.Rat{}, append(d.members, member)
			}
			if d.amounts[member][year] == nil {
				d.amounts[member][year] = new(big.Rat)
			}
			d.amounts[member][year].Add(d.amounts[member][year], amount)
			if !slices.Contains(d.years, year) {
				d.years = append(d.years, year)
			}
		}
	}
	slices.Sort(d.years)
}

// series reads the values of the country in a file that is part of the program.
func (d *deflated) series(name string) map[int64]*big.Rat {
	d.Helper()
	text, err := os.ReadFile(filepath.Join(projectRoot(d.T), "cube", "series", "built", name))
	if err != nil {
		d.Fatal(err)
	}
	values := map[int64]*big.Rat{}
	for _, line := range strings.Split(string(text), "\n") {
		var year int64
		var number string
		if _, err := fmt.Sscanf(line, d.country+",%d,%s", &year, &number); err == nil {
			values[year], _ = new(big.Rat).SetString(number)
		}
	}
	return values
}

// factor is what an amount of a year is multiplied by to be in prices of the base year.
func (d *deflated) factor(year int64) *big.Rat {
	rise := big.NewRat(1, 1)
	for y := min(year, d.base) + 1; y <= max(year, d.base); y++ {
		rate := new(big.Rat).Quo(d.rates[y], big.NewRat(100, 1))
		rise.Mul(rise, rate.Add(rate, big.NewRat(1, 1)))
	}
	if year > d.base {
		rise.Inv(rise)
	}
	return rise
}

// How amounts are asked.
const (
	inReal = 1 << iota
	byHead
)

// name writes the aggregate that asks so for the sum of the measure.
func (d *deflated) name(how int) string {
	name := d.measure + ".sum"
	if how&inReal != 0 {
		name = fmt.Sprintf("real(%s,%d)", name, d.base)
	}
	if how&byHead != 0 {
		name = "per_head(" + name + ")"
	}
	return name
}

// exact adds up the amounts of members in some years; nil if there are none.
func (d *deflated) exact(how int, members []string, years []int64) *big.Rat {
	var sum *big.Rat
	for _, member := range members {
		for _, year := range years {
			amount := d.amounts[member][year]
			if amount == nil {
				continue
			}
			amount = new(big.Rat).Set(amount)
			if how&inReal != 0 {
				amount.Mul(amount, d.factor(year))
			}
			if how&byHead != 0 {
				amount.Quo(amount, d.persons[year])
			}
			if sum == nil {
				sum = new(big.Rat)
			}
			sum.Add(sum, amount)
		}
	}
	return sum
}

// rounded is the exact value as an answer has it.
func (d *deflated) rounded(how int, members []string, years []int64) decimal.NullDecimal {
	scale := d.scale
	if how&byHead != 0 {
		scale += 4
	}
	return halfToEven(d.exact(how, members, years), scale)
}

// same checks a value of an answer.
func (d *deflated) same(what string, got, want decimal.NullDecimal) {
	d.Helper()
	if !sameAmount(got, want) {
		d.Errorf("%s: %s, want %s", what, text(got), text(want))
	}
}

// eachYear drills the years.
func (d *deflated) eachYear() {
	names := []string{d.name(inReal), d.name(byHead), d.name(inReal | byHead), fmt.Sprintf("real(per_head(%s.sum),%d)", d.measure, d.base)}
	result := d.ask(d.version, "drilldown="+d.year+"&aggregates="+strings.Join(names, "|"))
	if len(result.Cells) != len(d.years) {
		d.Fatalf("%d years, want %d", len(result.Cells), len(d.years))
	}
	for i, year := range d.years {
		for j, how := range []int{inReal, byHead, inReal | byHead, inReal | byHead} {
			d.same(fmt.Sprint(names[j], " of ", year), result.Cells[i].Values[j], d.rounded(how, d.members, []int64{year}))
			d.same(names[j]+" of all years", result.Summary.Values[j], d.rounded(how, d.members, d.years))
		}
	}
}

// overYears drills the members, so that every cell adds up years; page by page, and as a stream.
func (d *deflated) overYears() {
	years := d.years[len(d.years)/3:]
	question := fmt.Sprintf("drilldown=%s&aggregates=%s|%s&cut=%s:%d..", d.level, d.name(inReal), d.name(inReal|byHead), d.year, years[0])
	var cells []answer.Cell
	for page := 1; page == 1 || len(cells)%3 == 0; page++ {
		result := d.ask(d.version, fmt.Sprintf("%s&pagesize=3&page=%d", question, page))
		if len(result.Cells) == 0 {
			break
		}
		cells = append(cells, result.Cells...)
		d.same("the summary", result.Summary.Values[0], d.rounded(inReal, d.members, years))
	}
	stream, err := answer.Open(d.context(), d.Store, d.plan(d.version, question+"&pagesize=10000"), cube.English)
	if err != nil {
		d.Fatal(err)
	}
	defer stream.Close()
	count := 0
	for cell, err := range stream.All {
		if err != nil || count >= len(cells) {
			d.Fatalf("cell %d of %d: %v", count, len(cells), err)
		}
		if err := sameCell(cell, cells[count]); err != nil {
			d.Errorf("streamed: %v", err)
		}
		member := cell.Keys[len(cell.Keys)-1].String()
		for i, how := range []int{inReal, inReal | byHead} {
			d.same(member, cell.Values[i], d.rounded(how, []string{member}, years))
		}
		count++
	}
	if count != len(cells) || count < 3 {
		d.Errorf("%d cells, and %d on pages", count, len(cells))
	}
}

// ranked orders by the values, and adds up what top leaves out.
func (d *deflated) ranked() {
	sorted := slices.Clone(d.members)
	slices.SortStableFunc(sorted, func(a, b string) int {
		return d.exact(inReal, []string{b}, d.years).Cmp(d.exact(inReal, []string{a}, d.years))
	})
	name := d.name(inReal)
	question := fmt.Sprintf("drilldown=%s&aggregates=%s|share(%[2]s)&order=%[2]s:desc&pagesize=10000", d.level, name)
	all := d.ask(d.version, question)
	whole := d.exact(inReal, d.members, d.years)
	for i, cell := range all.Cells {
		own := d.exact(inReal, sorted[i:i+1], d.years)
		d.same(fmt.Sprint("number ", i), cell.Values[0], halfToEven(own, d.scale))
		d.same("its share", cell.Values[1], halfToEven(quotient(own, whole), 8))
	}
	unsorted, err := d.Cells(d.context(), d.plan(d.version, question).Main()) // by the double precision of the store
	if err != nil {
		d.Fatal(err)
	}
	defer unsorted.Close()
	i := 0
	for group, err := range unsorted.Groups {
		if err != nil || group.Keys[len(group.Keys)-1].String() != sorted[i] {
			d.Fatalf("the store sorts %v as number %d, want %s: %v", group.Keys, i, sorted[i], err)
		}
		i++
	}
	top := d.ask(d.version, fmt.Sprintf("drilldown=%s&aggregates=%s&top=2&remainder=1", d.level, name))
	if len(top.Cells) != 3 || top.Cells[2].Others != int64(len(sorted)-2) {
		d.Fatalf("top gives %d cells", len(top.Cells))
	}
	d.same("the first", top.Cells[0].Values[0], d.rounded(inReal, sorted[:1], d.years))
	d.same("the remainder", top.Cells[2].Values[0], d.rounded(inReal, sorted[2:], d.years))
}

// subtotals adds up the years of each member, with gaps that are filled.
func (d *deflated) subtotals() {
	result := d.ask(d.version, fmt.Sprintf("drilldown=%s|%s&aggregates=%s&rollup=1&fill=zero&pagesize=10000", d.level, d.year, d.name(inReal)))
	heads := 0
	for _, cell := range result.Cells {
		member := []string{cell.Keys[0].String()}
		if len(cell.Keys) == 1 {
			heads++
			d.same("the subtotal of "+member[0], cell.Values[0], d.rounded(inReal, member, d.years))
			continue
		}
		year, _ := cell.Keys[1].Int()
		want := d.rounded(inReal, member, []int64{year})
		if !want.Valid {
			want = decimal.NewNullDecimal(decimal.Zero) // a gap, or a row without an amount
			if !cell.Values[0].Valid {
				want = decimal.NullDecimal{}
			}
		}
		d.same(fmt.Sprint(member[0], " of ", year), cell.Values[0], want)
	}
	if heads != len(d.members) {
		d.Errorf("%d subtotals, want %d", heads, len(d.members))
	}
}

// compared compares a year with the one before, each in the same prices.
func (d *deflated) compared() {
	year := d.years[len(d.years)-1]
	result := d.ask(d.version, fmt.Sprintf("cut=%s:%d&drilldown=%s&aggregates=%s&compare=%[1]s:-1", d.year, year, d.level, d.name(inReal)))
	for _, cell := range append(result.Cells, answer.Cell{Values: result.Summary.Values}) {
		members := d.members
		if len(cell.Keys) > 0 {
			members = []string{cell.Keys[len(cell.Keys)-1].String()}
		}
		here, there := d.exact(inReal, members, []int64{year}), d.exact(inReal, members, []int64{year - 1})
		if here == nil || there == nil {
			continue
		}
		change := difference(here, there)
		d.same("the value", cell.Values[0], halfToEven(here, d.scale))
		d.same("the earlier value", cell.Values[1], halfToEven(there, d.scale))
		d.same("the difference", cell.Values[2], halfToEven(change, d.scale))
		percent := quotient(new(big.Rat).Mul(change, big.NewRat(100, 1)), new(big.Rat).Abs(there))
		d.same("the percentage", cell.Values[3], halfToEven(percent, 8))
	}
}

// kept asks for the members whose value is above that of one of them.
func (d *deflated) kept() {
	limit := d.rounded(inReal, d.members[:1], d.years).Decimal.Truncate(0)
	result := d.ask(d.version, fmt.Sprintf("drilldown=%s&aggregates=%s&having=%[2]s>%s", d.level, d.name(inReal), limit))
	above := slices.DeleteFunc(slices.Clone(d.members), func(member string) bool {
		return d.exact(inReal, []string{member}, d.years).Cmp(limit.Rat()) <= 0
	})
	if len(result.Cells) != len(above) {
		d.Errorf("%d cells are above %s, want %d", len(result.Cells), limit, len(above))
	}
	d.same("what is kept", result.Summary.Values[0], d.rounded(inReal, above, d.years))
}

// testOwnSeries asks a package that names no country and has prices of one.
func testOwnSeries(s *subject) {
	version := s.load(fstest.MapFS{
		"datapackage.json": {Data: []byte(`{"name": "priced", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "unit", "type": "string"}, {"name": "plan", "type": "number"}]},
			"model": {"measures": {"plan": {}}, "dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"]}, "other": {"dimensionType": "other", "primaryKey": ["unit"]}}},
			"resources": [{"name": "lines", "path": "lines.csv"}]}`)},
		"lines.csv": {Data: []byte("year,unit,plan\n2016,a,30\n2017,a,50\n2017,b,8\n")},
		"series/prices.csv": {Data: []byte("# title: Prices\n# source: us\n# licence: CC0-1.0\n# updated: 2025-07-01\n" +
			"country,year,index\nAtlantis,2016,75\nAtlantis,2017,100\nAtlantis,2018,50\n")},
	}).Cube
	s.answers(s.cube(version.Name), []asking{ // as it is read from the catalogue
		{"drilldown=unit&aggregates=real(plan.sum,2017)", "a=90 b=8 (2) =98"},
		{"drilldown=year&aggregates=real(plan.sum,2018)", "2016=20 2017=29 (2) =49"},
	})
}

// testAddedSeries adds series for all packages, in place of those of the program, and removes them again.
func testAddedSeries(s *subject) {
	files := fstest.MapFS{
		"datapackage.json": {Data: []byte(`{"name": "priced", "country": "Croatia", "govt_level": "National", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "unit", "type": "string"}, {"name": "plan", "type": "number"}]},
			"model": {"measures": {"plan": {}}, "dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"]}, "other": {"dimensionType": "other", "primaryKey": ["unit"]}}},
			"resources": [{"name": "lines", "path": "lines.csv"}]}`)},
		"lines.csv": {Data: []byte("year,unit,plan\n2016,a,30\n2017,a,50\n")},
	}
	s.load(files)
	const question = "aggregates=real(plan.sum,2017)"
	add := func(level, want string) string {
		list, err := series.Read("prices", []byte("# title: Prices\n# source: us\n# licence: CC0-1.0\n# updated: 2025-07-01\ncountry,year,index\nHRV,2016,"+level+"\nHRV,2017,100\nXXX,2017,1\n"))
		if err == nil {
			err = s.AddSeries(s.context(), list)
		}
		if err != nil {
			s.Fatal(err)
		}
		version := s.cube("priced")
		s.answers(version, []asking{{question, want}})
		return version.Key()
	}
	built := s.cube("priced").Key()
	keys := []string{built, add("75", "=90 (1) =90"), add("50", "=110 (1) =110")}
	s.reopen()
	s.answers(s.cube("priced"), []asking{{question, "=110 (1) =110"}})
	if added, err := s.Series(s.context()); err != nil || added == nil || len(added.Series) != 2 || added.Series[0].Title != "Prices" {
		s.Errorf("added are %v, %v", added, err)
	}
	if err := s.RemoveSeries(s.context(), "price"); cube.CodeOf(err) != cube.CodeUnknownRef || !strings.Contains(err.Error(), "did you mean prices?") {
		s.Errorf("a name that there is not: %v", err)
	}
	if err := s.RemoveSeries(s.context(), "prices"); err != nil {
		s.Fatal(err)
	}
	if added, err := s.Series(s.context()); err != nil || added != nil {
		s.Errorf("left are %v, %v", added, err)
	}
	if keys[0] == keys[1] || keys[1] == keys[2] || s.cube("priced").Key() != built {
		s.Errorf("the keys of the version are %q and then %q", keys, s.cube("priced").Key())
	}
}

// testYearsWithoutFactor asks a package with rows of a year that no series has, and without a year. Amounts of 0 need no factor.
func testYearsWithoutFactor(s *subject) {
	files := fstest.MapFS{
		"datapackage.json": {Data: []byte(`{"name": "future", "country": "Croatia", "govt_level": "National", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "unit", "type": "string"}, {"name": "plan", "type": "number"}]},
			"model": {"measures": {"plan": {}}, "dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"]}, "other": {"dimensionType": "other", "primaryKey": ["unit"]}}},
			"resources": [{"name": "lines", "path": "lines.csv"}]}`)},
		"lines.csv": {Data: []byte("year,unit,plan\n2010,a,4295427.00\n2010,b,8590854.00\n2090,a,7.25\n2090,b,0.00\n2090,c,\n,c,5.00\n")},
	}
	version := s.load(files).Cube
	persons := (&deflated{subject: s, country: "HRV"}).series("population.csv")[2010]
	unit := halfToEven(new(big.Rat).Quo(big.NewRat(4295427, 1), persons), 6)
	double := halfToEven(new(big.Rat).Quo(big.NewRat(8590854, 1), persons), 6)
	for _, version := range []*cube.Cube{version, withoutCuboids(version)} {
		s.answers(version, []asking{
			{"drilldown=year&aggregates=per_head(plan.sum)", fmt.Sprintf("2010=%s 2090=null =null (3) =null", halfToEven(new(big.Rat).Quo(big.NewRat(12886281, 1), persons), 6).Decimal)},
			{"drilldown=unit&aggregates=per_head(plan.sum)", fmt.Sprintf("a=null b=%s c=null (3) =null", double.Decimal)},
			{"drilldown=unit&cut=year:2010&aggregates=per_head(plan.sum)", fmt.Sprintf("a=%s b=%s (2) =%s", unit.Decimal, double.Decimal,
				halfToEven(new(big.Rat).Quo(big.NewRat(12886281, 1), persons), 6).Decimal)},
			{"drilldown=unit&cut=year:2090&aggregates=real(plan.sum,2010)&order=real(plan.sum,2010)", "b=0 a=null c=null (3) =null"},
		})
	}
	var codes []string
	for _, w := range s.ask(version, "aggregates=per_head(plan.sum)").Warnings {
		codes = append(codes, w.Code+" "+w.Message)
	}
	if !slices.ContainsFunc(codes, func(c string) bool {
		return strings.HasPrefix(c, cube.WarnSeriesAbsent+" “Total population, mid-year”: no value for 2090, (missing);")
	}) {
		s.Errorf("warnings %q", codes)
	}
	if all := s.ask(version, "cut=year:2010&aggregates=per_head(plan.sum)").Warnings; slices.ContainsFunc(all, func(w cube.Warning) bool { return w.Code != cube.WarnExcerpt }) {
		s.Errorf("warnings %v", all)
	}
	for _, w := range s.ask(version, "cut=year:1999&aggregates=per_head(plan.sum)").Warnings {
		if w.Code == cube.WarnSeriesAbsent {
			s.Errorf("a year without rows: %s", w.Message)
		}
	}
}
