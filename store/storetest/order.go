package storetest

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/internal/each"
)

// orderTests sort by quotients and products that differ in their last digits only.
var orderTests = []test{
	{"quotients of long amounts are in their exact order", testExactOrder},
	{"a text in the names of many members", testManyMatches},
	{"an order of more cells than other passes accept is exact", testOrderOfManyCells},
}

// longAmounts is a package of units with two amounts of 25 digits. Their quotients differ after the 20th digit, some are
// equal, and others are negative or missing.
func longAmounts(units int) fs.FS {
	rows := []string{"year,unit,paid,planned"}
	for i := range units {
		near := (i * 7919) % 97 // the same for several units
		paid, planned := fmt.Sprintf("10000000000000000000000%02d", near), "3000000000000000000000000"
		switch i % 8 {
		case 5:
			planned = "-" + planned
		case 6:
			planned = "0"
		case 7:
			paid = ""
		}
		rows = append(rows, fmt.Sprintf("2020,u%05d,%s,%s", i, paid, planned))
		if i%4 == 0 && paid != "" { // an average of two rows
			rows = append(rows, fmt.Sprintf("2020,u%05d,%s,%s", i, "1000000000000000000000000", planned))
		}
	}
	return fstest.MapFS{
		"rows.csv":     {Data: []byte(strings.Join(rows, "\n") + "\n")},
		"overlay.yaml": {Data: []byte("snapshots: none\nmeasures: {paid: {factor: \"-0.7\"}}\n")},
		"datapackage.json": {Data: []byte(`{"name": "long-amounts", "resources": [{"name": "rows", "path": "rows.csv"}], "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "unit", "type": "string"},
			{"name": "paid", "type": "number"}, {"name": "planned", "type": "number"}]},
			"model": {"measures": {"paid": {}, "planned": {}}, "dimensions": {
				"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
				"units": {"dimensionType": "other", "primaryKey": ["unit"]}}}}`)},
	}
}

// exactly gives the values that the aggregates of testExactOrder have before rounding, from the sum and the count of paid
// and the sum of planned. They are nil where there is nothing to divide, or to divide by.
var exactly = map[string]func(paid, count, planned *big.Rat) *big.Rat{
	"paid.avg":                    func(paid, count, _ *big.Rat) *big.Rat { return quotient(paid, count) },
	"ratio(paid.sum,planned.sum)": func(paid, _, planned *big.Rat) *big.Rat { return quotient(paid, planned) },
	"ratio(planned.sum,paid.avg)": func(paid, count, planned *big.Rat) *big.Rat {
		return quotient(planned, quotient(paid, count))
	},
	"diff(paid.sum,planned.sum)": func(paid, _, planned *big.Rat) *big.Rat { return difference(paid, planned) },
}

func testExactOrder(s *subject) {
	version := s.load(longAmounts(255)).Cube
	for name, value := range exactly {
		for _, direction := range []string{"asc", "desc"} {
			question := "drilldown=unit&aggregates=paid.sum|paid.count|planned.sum|" + name + "&order=" + name + ":" + direction + "&pagesize="
			whole := s.ask(version, question+"1000")
			want := slices.Clone(whole.Cells)
			slices.SortFunc(want, func(a, b answer.Cell) int { return compareExactly(value, direction == "desc", a, b) })
			if got := keysOfCells(whole.Cells); got != keysOfCells(want) {
				s.Errorf("%s %s: the order is\n%s\nwant\n%s", name, direction, got, keysOfCells(want))
			}
			if len(whole.Warnings) > 0 {
				s.Errorf("%s: %v", question, whole.Warnings)
			}
			s.pagesAre(version, question, want)
			top := s.ask(version, "drilldown=unit&aggregates=paid.sum|"+name+"&top=9&order="+name+":"+direction)
			if got := keysOfCells(top.Cells); got != keysOfCells(want[:9]) {
				s.Errorf("%s %s: the top is %s, want %s", name, direction, got, keysOfCells(want[:9]))
			}
		}
	}
}

// testManyMatches cuts on more members than are written into a query: those that are admitted, and where these are most of all, the
// others.
func testManyMatches(s *subject) {
	files := longAmounts(3000).(fstest.MapFS)
	files["datapackage.json"].Data = bytes.Replace(files["datapackage.json"].Data, []byte("long-amounts"), []byte("many-units"), 1)
	version := s.load(files).Cube
	for cut, texts := range map[string][]string{"unit:~7;~8": {"7", "8"}, "unit:~1": {"1"}} {
		want := int64(0)
		for i := range 3000 {
			if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strconv.Itoa(i), text) }) {
				want++
			}
		}
		got := s.ask(version, "drilldown=unit&pagesize=3000&cut="+cut)
		if got.Summary.Count != want || int64(len(got.Cells)) != want {
			s.Errorf("%s admits %d members, want %d", cut, got.Summary.Count, want)
		}
	}
}

// pagesAre checks that the pages of a question, and the cells of its export, are these cells.
func (s *subject) pagesAre(version *cube.Cube, question string, want []answer.Cell) {
	s.Helper()
	for page := range (len(want) + 99) / 100 {
		got := s.ask(version, fmt.Sprintf("%s100&page=%d", question, page+1))
		if of := want[100*page : min(len(want), 100*page+100)]; keysOfCells(got.Cells) != keysOfCells(of) {
			s.Errorf("page %d of %s is\n%s\nwant\n%s", page+1, question, keysOfCells(got.Cells), keysOfCells(of))
		}
	}
	var streamed []answer.Cell
	for cell, err := range cellsOf(s.context(), s.Store, s.plan(version, question+"1000")) {
		if err != nil {
			s.Fatal(err)
		}
		streamed = append(streamed, cell)
	}
	if keysOfCells(streamed) != keysOfCells(want) {
		s.Errorf("the export of %s is not in the order of its pages", question)
	}
}

// compareExactly compares two cells by a value of their parts, nothing last, and then by their keys.
func compareExactly(value func(paid, count, planned *big.Rat) *big.Rat, desc bool, a, b answer.Cell) int {
	part := func(v decimal.NullDecimal) *big.Rat {
		if !v.Valid {
			return nil
		}
		return v.Decimal.Rat()
	}
	of := func(c answer.Cell) *big.Rat { return value(part(c.Values[0]), part(c.Values[1]), part(c.Values[2])) }
	x, y := of(a), of(b)
	order := 0
	switch {
	case x == nil && y == nil:
	case x == nil:
		return 1
	case y == nil:
		return -1
	case desc:
		order = y.Cmp(x)
	default:
		order = x.Cmp(y)
	}
	if order == 0 {
		order = a.Keys[0].Compare(b.Keys[0])
	}
	return order
}

func keysOfCells(cells []answer.Cell) string {
	return strings.Join(each.Text(cells, func(c answer.Cell) string { return c.Keys[0].String() }), " ")
}

// testOrderOfManyCells asks for more cells than other passes accept, on a late page and as an export.
func testOrderOfManyCells(s *subject) {
	version := s.load(longAmounts(10_001)).Cube
	const question = "drilldown=unit&aggregates=paid.sum|paid.count|planned.sum|paid.avg&order=paid.avg:desc&pagesize="
	p := s.plan(version, question+"10")
	stream, err := answer.Open(s.context(), s.Store, p, cube.English)
	if err != nil {
		s.Fatal(err)
	}
	stream.Close()
	if len(stream.Warnings) > 0 {
		s.Errorf("it warns of %v", stream.Warnings)
	}
	var all []answer.Cell
	for page := range 2 {
		all = append(all, s.ask(version, fmt.Sprintf("%s10000&page=%d", question, page+1)).Cells...)
	}
	want := slices.Clone(all)
	slices.SortFunc(want, func(a, b answer.Cell) int { return compareExactly(exactly["paid.avg"], true, a, b) })
	if len(all) != 10_001 || keysOfCells(all) != keysOfCells(want) {
		s.Errorf("%d cells are not in their exact order", len(all))
	}
}
