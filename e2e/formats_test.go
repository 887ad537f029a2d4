package e2e

import (
	"bytes"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"fiscube/seeds"
)

// awkwardDescriptor is of a package whose cells are what readers of files trip over.
const awkwardDescriptor = `{
 "name": "awkward", "license": "CC0-1.0",
 "resources": [{"name": "rows", "path": "rows.csv", "mediatype": "text/csv"}],
 "schema": {"fields": [
  {"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
  {"name": "code", "type": "string"}, {"name": "name", "type": "string"}, {"name": "paid", "type": "number"}
 ]},
 "model": {
  "dimensions": {
   "date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {}}},
   "entity": {"dimensionType": "classification", "primaryKey": ["code"], "attributes": {"code": {}, "name": {"labelfor": "code"}}}
  },
  "measures": {"paid": {"currency": "EUR"}}
 }
}`

const awkwardRows = "year,code,name,paid\r\n" +
	"2021,001,\"a, \"\"b\"\"\nc; d | e\",123456789012345.67\r\n" +
	"2021,0010,=1+1,-0.05\r\n2021,-1,@SUM(A1),-98765432109876.50\r\n2021,,,10\r\n2022,001,\"x\r\ny\",\r\n" +
	"2022,ž 财,'quoted',118405000.1\r\n2022,1e5,NULL,0\r\n2022,\"\"\"\",+5 \\ %,99999999999.99\r\n"

// What DuckDB reads of each format is what JSON says: of cells with subtotals, of members, and of facts.
func TestFormats_OthersReadThem(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		if !slices.Contains(sql.Drivers(), "duckdb") {
			t.Skip("nobody reads the files: this build was made with CGO_ENABLED=0")
		}
		folder := t.TempDir()
		write(filepath.Join(folder, "datapackage.json"), []byte(awkwardDescriptor))
		write(filepath.Join(folder, "rows.csv"), []byte(awkwardRows))
		must(t, "load", "--db", db, folder)
		s := serve(t, db)
		for _, target := range []struct {
			path, rows string
			columns    []string
		}{
			{"aggregate?drilldown=year|code&aggregates=paid.sum|_count|paid.avg&rollup=1", "cells",
				[]string{"year", "code", "name", "paid.sum", "_count", "paid.avg", "_level"}},
			{"members/code?order=rows:desc", "members", []string{"code", "name", "_rows", "_first_year", "_last_year"}},
			{"facts?order=paid:desc", "facts", []string{"year", "code", "name", "paid", "_resource", "_line"}},
		} {
			want := s.inJSON(t, "/cubes/awkward/"+target.path, target.rows, target.columns)
			for format, read := range readers {
				file := s.download(t, "/cubes/awkward/"+target.path, format)
				want := want
				if format == "xlsx" {
					want = averagesRounded(want, target.columns)
				}
				if got := read(t, file, target.columns); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s:\ngot  %q\nwant %q", target.rows, format, got, want)
				}
			}
		}
	})
}

// averagesRounded gives rows with averages of the 15 digits that a spreadsheet keeps.
func averagesRounded(rows [][]any, columns []string) [][]any {
	average := slices.Index(columns, "paid.avg")
	if average < 0 {
		return rows
	}
	var list [][]any
	for _, row := range rows {
		row = slices.Clone(row)
		if text, ok := row[average].(string); ok {
			digits := strconv.FormatFloat(sure(strconv.ParseFloat(text, 64)), 'g', 15, 64)
			row[average] = sure(decimal.NewFromString(digits)).StringFixed(6)
		}
		list = append(list, row)
	}
	return list
}

// inJSON asks for rows as JSON. A cell is a text, the digits of a number, or nil.
func (s *service) inJSON(t *testing.T, path, rows string, columns []string) [][]any {
	t.Helper()
	var body map[string]json.RawMessage
	s.read(t, path, &body)
	decoder := json.NewDecoder(strings.NewReader(string(body[rows])))
	decoder.UseNumber()
	var objects []map[string]any
	if err := decoder.Decode(&objects); err != nil {
		t.Fatal(err)
	}
	var list [][]any
	for _, object := range objects {
		if rows == "members" {
			object = flat(object)
		}
		row := make([]any, len(columns))
		for i, name := range columns {
			if value, ok := object[name]; ok && value != nil {
				row[i] = fmt.Sprint(value)
			}
		}
		list = append(list, row)
	}
	return list
}

// flat is a member as the rows of other formats have it.
func flat(member map[string]any) map[string]any {
	years := member["years"].([]any)
	return map[string]any{
		"code": member["key"], "name": member["label"], "_rows": member["rows"], "_first_year": years[0], "_last_year": years[1],
	}
}

// download writes an answer into a file. The amounts of NDJSON are strings: DuckDB reads its numbers as floats.
func (s *service) download(t *testing.T, path, format string) (file string) {
	t.Helper()
	query := "&format=" + format
	if format == "ndjson" && !strings.Contains(path, "/members/") {
		query += "&numbers=string"
	}
	status, body := s.get(t, path+query)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", format, status, body)
	}
	file = filepath.Join(t.TempDir(), "file."+format)
	write(file, body)
	return file
}

// readers read a file of each format.
var readers = map[string]func(t *testing.T, file string, columns []string) [][]any{
	"csv": func(t *testing.T, file string, columns []string) [][]any {
		return inDuckDB(t, "read_csv(?, all_varchar = true, header = true, delim = ',', quote = '\"', escape = '\"', new_line = '\\r\\n')",
			file, columns)
	},
	"ndjson": func(t *testing.T, file string, columns []string) [][]any {
		var types []string
		for _, name := range columns {
			types = append(types, fmt.Sprintf("'%s': 'VARCHAR'", name))
		}
		return inDuckDB(t, "read_json(?, format = 'newline_delimited', columns = {"+strings.Join(types, ", ")+"})", file, columns)
	},
	"parquet": func(t *testing.T, file string, columns []string) [][]any {
		return inDuckDB(t, "read_parquet(?)", file, columns)
	},
	"xlsx": inExcelize,
}

func inDuckDB(t *testing.T, from, file string, columns []string) [][]any {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var selected []string
	for _, name := range columns {
		selected = append(selected, `"`+name+`"::VARCHAR`)
	}
	rows, err := db.QueryContext(t.Context(), "SELECT "+strings.Join(selected, ", ")+" FROM "+from, file)
	if err != nil {
		text, _ := os.ReadFile(file)
		t.Fatalf("%v\n%q", err, text)
	}
	defer func() { _ = rows.Close() }()
	var list [][]any
	for rows.Next() {
		row := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		list = append(list, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// inExcelize reads the values of the cells. Numbers have no decimals of their own there: they get those of the amounts.
func inExcelize(t *testing.T, file string, columns []string) [][]any {
	t.Helper()
	book, err := excelize.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = book.Close() }()
	lines, err := book.GetRows("Data", excelize.Options{RawCellValue: true})
	if err != nil || !slices.Equal(lines[1], columns) {
		t.Fatalf("%v: %q", err, lines)
	}
	decimals := map[string]int32{"paid": 2, "paid.sum": 2, "paid.avg": 6}
	var list [][]any
	for _, line := range lines[2:] {
		row := make([]any, len(columns))
		for i, text := range line {
			if scale, amount := decimals[columns[i]]; amount && text != "" {
				text = sure(decimal.NewFromString(text)).StringFixed(scale)
			}
			if text != "" {
				row[i] = text
			}
		}
		list = append(list, row)
	}
	return list
}

// Every file of every seed comes out of its resource as it was published, cell by cell, once numbers are read as
// numbers.
func TestResources_EqualTheFiles(t *testing.T) {
	t.Parallel()
	seeded.onEveryStore(t, func(t *testing.T, s *service) {
		for _, seed := range seeds.All() {
			p := describe(t, seed.FS)
			for i, resource := range p.Resources {
				name := s.resources(t, p.Name)[i]
				status, body := s.get(t, "/cubes/"+p.Name+"/resources/"+url.PathEscape(name))
				if status != http.StatusOK {
					t.Fatalf("%s of %s: %d %s", name, p.Name, status, body)
				}
				numbers := p.numbers(i)
				compareTables(t, p.Name+", "+name, table(t, body, numbers), table(t, sure(fs.ReadFile(seed.FS, resource.Path)), numbers))
			}
		}
	})
}

// resources names the files of a cube.
func (s *service) resources(t testing.TB, cube string) []string {
	t.Helper()
	var description struct{ Resources []struct{ Name string } }
	s.read(t, "/cubes/"+cube, &description)
	var names []string
	for _, r := range description.Resources {
		names = append(names, r.Name)
	}
	return names
}

// amountName is what amounts are called in the seeds that declare them as text.
var amountName = regexp.MustCompile(`(?i)monto|_value$|^pres|^percibido`)

// numbers names the fields of a file that hold numbers.
func (p published) numbers(resource int) map[string]bool {
	names := map[string]bool{}
	for _, field := range p.Resources[resource].Schema.Fields {
		names[field.Name] = field.Type != "string" || amountName.MatchString(field.Name)
	}
	return names
}

// table reads CSV with each number written in one way.
func table(t testing.TB, text []byte, numbers map[string]bool) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		for i, cell := range row {
			if number, err := decimal.NewFromString(strings.TrimSpace(cell)); numbers[rows[0][i]] && err == nil {
				row[i] = number.String()
			}
		}
	}
	return rows
}

func compareTables(t testing.TB, what string, got, want [][]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, want %d", what, len(got), len(want))
		return
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("%s, row %d:\ngot  %q\nwant %q", what, i, got[i], want[i])
			return
		}
	}
}
