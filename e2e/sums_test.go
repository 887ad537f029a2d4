package e2e

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

// These tests add up the published files by themselves, knowing nothing of models, types or stores, and hold
// what the service answers against it.

// sums are the amounts of a package by the cells of some fields.
type sums struct {
	keys     []string
	measures []string
	groups   map[string]*group // by the cells, joined
	whole    group
}

// group is what rows add up to: for each measure, the sum of its cells or nothing where all are empty.
type group struct {
	rows    int64
	amounts []decimal.NullDecimal
}

func (g *group) add(amounts []decimal.NullDecimal) {
	if g.amounts == nil {
		g.amounts = make([]decimal.NullDecimal, len(amounts))
	}
	g.rows++
	for i, amount := range amounts {
		if amount.Valid {
			g.amounts[i] = decimal.NewNullDecimal(g.amounts[i].Decimal.Add(amount.Decimal))
		}
	}
}

// published is what these tests read of a descriptor.
type published struct {
	Name      string
	Resources []struct {
		Path   string
		Schema struct {
			Fields []struct{ Name, Type string }
		}
	}
}

func describe(t testing.TB, folder fs.FS) published {
	t.Helper()
	data, err := fs.ReadFile(folder, "datapackage.json")
	if err != nil {
		t.Fatal(err)
	}
	var p published
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// measures lists the fields of type number.
func (p published) measures() []string {
	var names []string
	for _, field := range p.Resources[0].Schema.Fields {
		if field.Type == "number" {
			names = append(names, field.Name)
		}
	}
	return names
}

// addUp reads the files of a package once and adds up its amounts by each of the lists of fields.
func addUp(t testing.TB, folder fs.FS, by ...[]string) []*sums {
	t.Helper()
	measures := describe(t, folder).measures()
	list := make([]*sums, len(by))
	for i, keys := range by {
		list[i] = &sums{keys: keys, measures: measures, groups: map[string]*group{}}
	}
	eachRow(t, folder, func(_ string, _ int, cell func(string) string) {
		amounts := make([]decimal.NullDecimal, len(measures))
		for i, measure := range measures {
			amounts[i] = amountOf(t, strings.TrimSpace(cell(measure)))
		}
		for _, s := range list {
			s.add(cell, amounts)
		}
	})
	return list
}

// eachRow reads the files of a package row by row, with the line at which each begins.
func eachRow(t testing.TB, folder fs.FS, visit func(resource string, line int, cell func(field string) string)) {
	t.Helper()
	for _, resource := range describe(t, folder).Resources {
		if err := eachRowOf(folder, resource.Path, visit); err != nil {
			t.Fatalf("%s: %v", resource.Path, err)
		}
	}
}

func eachRowOf(folder fs.FS, path string, visit func(resource string, line int, cell func(field string) string)) error {
	file, err := folder.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	reader := csv.NewReader(file)
	header, err := reader.Read()
	if err != nil {
		return err
	}
	columns := map[string]int{}
	for i, name := range header {
		columns[name] = i
	}
	name := path[strings.LastIndex(path, "/")+1:]
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := reader.FieldPos(0)
		visit(name, line, func(field string) string { return row[columns[field]] })
	}
}

// amountOf is the amount in a cell, nothing where it is empty.
func amountOf(t testing.TB, cell string) decimal.NullDecimal {
	t.Helper()
	if cell == "" {
		return decimal.NullDecimal{}
	}
	amount, err := decimal.NewFromString(cell)
	if err != nil {
		t.Fatal(err)
	}
	return decimal.NewNullDecimal(amount)
}

// add adds up a row.
func (s *sums) add(cell func(field string) string, amounts []decimal.NullDecimal) {
	cells := make([]string, len(s.keys))
	for i, key := range s.keys {
		cells[i] = cell(key)
	}
	s.group(cells).add(amounts)
	s.whole.add(amounts)
}

func (s *sums) group(cells []string) *group {
	id := strings.Join(cells, "\x00")
	if s.groups[id] == nil {
		s.groups[id] = &group{}
	}
	return s.groups[id]
}

// agree checks that a drilldown of a cube gives exactly these sums, to the last digit.
func (s *service) agree(t testing.TB, cube, drilldown string, want *sums) {
	t.Helper()
	a := s.ask(t, cube, "drilldown="+drilldown+"&pagesize=10000")
	if len(a.Cells) != len(want.groups) || a.TotalCellCount != int64(len(want.groups)) {
		t.Fatalf("%s by %s: %d cells of %d, want %d", cube, drilldown, len(a.Cells), a.TotalCellCount, len(want.groups))
	}
	want.compare(t, cube+" in all", &want.whole, a.Summary)
	seen := map[string]bool{}
	for _, cell := range a.Cells {
		id := want.id(cell)
		if want.groups[id] == nil || seen[id] {
			t.Fatalf("%s by %s: there is no cell %q, or two", cube, drilldown, id)
		}
		seen[id] = true
		want.compare(t, fmt.Sprintf("%s %q", cube, id), want.groups[id], cell)
	}
}

func (s *sums) id(cell map[string]any) string {
	cells := make([]string, len(s.keys))
	for i, key := range s.keys {
		if value := cell[key]; value != nil {
			cells[i] = fmt.Sprint(value)
		}
	}
	return strings.Join(cells, "\x00")
}

func (s *sums) compare(t testing.TB, what string, want *group, got map[string]any) {
	t.Helper()
	if rows := fmt.Sprint(got["_count"]); rows != strconv.FormatInt(want.rows, 10) {
		t.Errorf("%s: %s rows, want %d", what, rows, want.rows)
	}
	for i, measure := range s.measures {
		if !equal(got[measure+".sum"], want.amounts[i]) {
			t.Errorf("%s: %s.sum is %v, want %s", what, measure, got[measure+".sum"], show(want.amounts[i]))
		}
	}
}

func show(amount decimal.NullDecimal) string {
	if !amount.Valid {
		return "nothing"
	}
	return amount.Decimal.String()
}

// equal compares an amount in JSON with one added up.
func equal(got any, want decimal.NullDecimal) bool {
	number, ok := got.(json.Number)
	if !ok || !want.Valid {
		return got == nil && !want.Valid
	}
	amount, err := decimal.NewFromString(number.String())
	return err == nil && amount.Equal(want.Decimal)
}

// Fractions keep their digits and codes that look the same are one member, and the export of the file is the file.
func TestLoad_KeepsFractionsAndTidiesCodes(t *testing.T) {
	const content = "year,code,paid\r\n2016,101,0.41666666666666669\r\n2016,101 ,0.33333333333333331\r\n2016,\" 101\",1234.5600000000001\r\n2016,101\u00a0,0\r\n2016,cafe\u0301,1.25\r\n2016,caf\u00e9,2\r\n"
	sideBySide(t, func(t *testing.T, db string) {
		folder := t.TempDir()
		write(filepath.Join(folder, "datapackage.json"), []byte(`{"name": "small", "resources": [{"name": "f", "path": "f.csv", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "code", "type": "string"}, {"name": "paid", "type": "number"}]},
			"model": {"dimensions": {"entity": {"dimensionType": "other", "primaryKey": ["code"]}}, "measures": {"paid": {}}}}]}`))
		write(filepath.Join(folder, "f.csv"), []byte(content))
		must(t, "load", "--db", db, folder)
		s := serve(t, db)
		if got := s.ask(t, "small", "aggregates=paid.sum").Summary["paid.sum"]; got != json.Number("1238.56000000000000000") {
			t.Errorf("paid is %v", got)
		}
		got := s.ask(t, "small", "drilldown=code&aggregates=paid.sum&order=code")
		if len(got.Cells) != 2 || got.Cells[0]["code"] != "101" || got.Cells[0]["paid.sum"] != json.Number("1235.31000000000000000") {
			t.Errorf("the cells are %v", got.Cells)
		}
		says(t, get(t, s.url+"/cubes/small/members/code"), `"101"`, `"café"`)
		says(t, get(t, s.url+"/cubes/small/resources/f/rows.csv"), "101 ,0.33333333333333331", " 101,1234.56", "101\u00a0,0", "cafe\u0301,1")
	})
}

// The facts behind a cell say which of its amounts count each: with these, they add up to all of them, in JSON and in CSV.
func TestFacts_SayWhichAmountsCountThem(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "store/storetest/testdata/packages/monthly", "--db", db)
		s := serve(t, db)
		defer s.stop(t)
		var cells struct{ Cells []map[string]any }
		s.read(t, "/cubes/monthly/aggregate?drilldown=year&aggregates=plan.sum|fees.sum&links=1&numbers=string", &cells)
		if len(cells.Cells) != 2 {
			t.Fatalf("%d cells, want those of two years", len(cells.Cells))
		}
		for _, cell := range cells.Cells {
			link := "/cubes/monthly/facts?fields=plan|fees&cut=" + cell["_cut"].(string) + "&snapshots=" + cell["_snapshots"].(string)
			var facts struct {
				Fields []string
				Facts  []map[string]any
			}
			s.read(t, link+"&numbers=string", &facts)
			if want := []string{"plan", "fees", "_counts", "_resource", "_line"}; !slices.Equal(facts.Fields, want) {
				t.Errorf("%s has the fields %q, want %q", link, facts.Fields, want)
			}
			_, body := s.get(t, link+"&format=csv")
			rows, err := csv.NewReader(strings.NewReader(string(body))).ReadAll()
			check(err)
			for i, amount := range []string{"plan", "fees"} {
				ofJSON, ofCSV := decimal.Zero, decimal.Zero
				for _, fact := range facts.Facts {
					if slices.Contains(strings.Split(fact["_counts"].(string), "|"), amount) {
						ofJSON = ofJSON.Add(decimal.RequireFromString(fact[amount].(string)))
					}
				}
				for _, row := range rows[1:] {
					if slices.Contains(strings.Split(row[2], "|"), amount) {
						ofCSV = ofCSV.Add(decimal.RequireFromString(row[i]))
					}
				}
				if want := decimal.RequireFromString(cell[amount+".sum"].(string)); !ofJSON.Equal(want) || !ofCSV.Equal(want) {
					t.Errorf("%s: the facts that count for %s add up to %s and %s, want %s", link, amount, ofJSON, ofCSV, want)
				}
			}
		}
	})
}
