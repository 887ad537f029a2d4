package e2e

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/internal/testrequire"
)

// These tests hand packages to a tool of others that reads and writes data packages, and take them from it.

// dataPackageTool is a folder with the tool.
func dataPackageTool(t *testing.T) string {
	t.Helper()
	for _, command := range []string{"node", "npm"} {
		if _, err := exec.LookPath(command); err != nil {
			testrequire.Skip(t, "clients", "there is no "+command+", which the tool of others needs")
		}
	}
	folder, err := os.MkdirTemp(scratch, "datapackage-")
	check(err)
	check(os.CopyFS(folder, os.DirFS("e2e/testdata/datapackage")))
	if _, err := runIn(t, folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000"); err != nil {
		testrequire.Skip(t, "clients", "the tool of others cannot be installed: "+err.Error())
	}
	return folder
}

// A table that others describe is loaded, with what it means guessed.
func TestOpenAPI_ClientsWritePackages(t *testing.T) {
	onRequest(t)
	tool, folder := dataPackageTool(t), t.TempDir()
	write(filepath.Join(folder, "towns.csv"), []byte("year,town,opened,amount\n2015,A,2001-02-03,1.5\n2015,B,2001-02-04,2.0\n2016,A,2001-02-03,4.25\n"))
	if _, err := runIn(t, tool, "node", "tables.js", "write", folder, "towns"); err != nil {
		t.Fatal(err)
	}
	db := freshDuckDB(t)
	must(t, "load", folder, "--db", db)
	s := serve(t, db)
	says(t, get(t, s.url+"/cubes/towns/aggregate?drilldown=year|town&format=csv"), "2015,A,1,1.50", "2015,B,1,2.00", "2016,A,1,4.25")
	said, err := runIn(t, tool, "node", "tables.js", "read", folder)
	if err != nil {
		t.Fatal(err)
	}
	s.hasTables(t, "towns", said)
}

// What fiscube init writes is a valid package to others, with the amounts that it found.
func TestOpenAPI_ClientsReadWhatInitWrites(t *testing.T) {
	onRequest(t)
	tool, folder := dataPackageTool(t), t.TempDir()
	table := filepath.Join(folder, "offices.csv")
	write(table, []byte("Jahr;Amt;Amt Name;Betrag\n2024;01;Rat;1200,50\n2024;02;Schulen;95000,00\n2025;01;Rat;5,50\n2025;02;Schulen;7,00\n"))
	must(t, "init", "--yes", table)
	said, err := runIn(t, tool, "node", "tables.js", "read", folder)
	if err != nil {
		t.Fatal(err)
	}
	says(t, said, `{"name":"Betrag","type":"number"}`, `"Betrag":1200.5}`, `"Betrag":95000}`, `"Amt":"01"`)
}

// A package that fiscube writes is a valid one to others, with the rows and types that fiscube answers.
func TestOpenAPI_ClientsOfPackages(t *testing.T) {
	onRequest(t)
	tool := dataPackageTool(t)
	points, _ := withDataPoints(t)
	defer points.stop(t)
	for _, name := range []string{"example-croatia", "example-costa-rica-egresos", "wide", "listed", "dated", "qualified"} {
		s := points
		if strings.HasPrefix(name, "example") {
			s = seeded.onDuckDB(t)
		}
		folder := unzipped(t, s.wholeZip(t, name))
		said, err := runIn(t, tool, "node", "tables.js", "read", folder)
		if err != nil {
			t.Fatal(err)
		}
		s.hasTables(t, name, said)
	}
}

// otherTable is a resource as a tool of others reads it.
type otherTable struct {
	Name   string
	Fields []struct{ Name, Type string }
	Rows   []map[string]any
}

// hasTables compares the rows of tables with the facts of a cube.
func (s *service) hasTables(t *testing.T, name, said string) {
	t.Helper()
	var tables []otherTable
	if err := json.Unmarshal([]byte(said), &tables); err != nil {
		t.Fatalf("%v: %.300s", err, said)
	}
	facts := s.facts(t, name)
	for _, x := range tables {
		for _, row := range x.Rows {
			if len(facts) == 0 {
				t.Fatalf("%s: more rows than facts", name)
			}
			for _, f := range x.Fields {
				if f.Type == "boolean" {
					row[f.Name] = fmt.Sprint(row[f.Name])
				}
				if day, ok := row[f.Name].(string); ok && f.Type == "date" {
					row[f.Name], _, _ = strings.Cut(day, "T")
				}
				if want := facts[0][f.Name]; !reflect.DeepEqual(row[f.Name], want) && (row[f.Name] != nil || want != "") {
					t.Fatalf("%s, line %v: %s is %#v to others, and %#v", name, facts[0]["_line"], f.Name, row[f.Name], want)
				}
			}
			facts = facts[1:]
		}
	}
	if len(facts) > 0 {
		t.Errorf("%s: others read %d rows less", name, len(facts))
	}
}

// facts gives all rows of a cube, in the order of its files.
func (s *service) facts(t *testing.T, name string) []map[string]any {
	t.Helper()
	var facts []map[string]any
	for line := range strings.Lines(get(t, s.url+"/cubes/"+url.PathEscape(name)+"/facts?format=ndjson&snapshots=all")) {
		var fact map[string]any
		if err := json.Unmarshal([]byte(line), &fact); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		facts = append(facts, fact)
	}
	return facts
}

// unzipped unpacks a zip.
func unzipped(t *testing.T, path string) string {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	folder := filepath.Join(t.TempDir(), "package")
	check(os.CopyFS(folder, archive))
	return folder
}

// dataPoints are tables whose rows become data points, by the names of their packages: each with its columns and its rows.
var dataPoints = map[string]struct{ descriptor, table, list string }{
	"wide": {`{"name": "wide", "resources": [{"name": "a", "path": "data/a.csv", "schema": {"fields": [{"name": "code", "type": "string", "columnType": "functional-classification:generic:code"},
	 {"name": "B15", "type": "number", "bareNumber": false, "normalize": {"year": 2015, "Phase": "approved"}}, {"name": "A15", "type": "number", "normalize": {"year": 2015, "Phase": "executed"}},
	 {"name": "B16", "type": "number", "normalize": {"year": 2016, "Phase": "approved"}}],
	 "extraFields": [{"name": "amount", "type": "number", "columnType": "value", "normalizationTarget": true}, {"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
	  {"name": "Phase", "type": "string", "columnType": "phase:id"}]}}]}`, "code,B15,A15,B16\n1,$1.5,2,4\n2,Fr.8,16,32\n1,-$0.5,1,\n", ""},
	"listed": {`{"name": "listed", "resources": [{"name": "a", "path": "data/a.csv", "schema": {"fields": [{"name": "Year", "type": "integer"}, {"name": "Unit", "type": "string"}, {"name": "Spent", "type": "number"}],
	 "foreignKeys": [{"fields": "Unit", "reference": {"resource": "units", "fields": "id"}}]}},
	 {"name": "units", "path": "data/units.csv", "schema": {"fields": [{"name": "id", "type": "string", "columnType": "administrative-classification:generic:level2:code"},
	  {"name": "body", "type": "string", "columnType": "administrative-classification:generic:level1:code"}]}}],
	 "model": {"measures": {"amount": {"source": "Spent"}}, "dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {"source": "Year"}}},
	  "who": {"primaryKey": ["body", "unit"], "attributes": {"body": {}, "unit": {"source": "Unit", "parent": "body"}}}}}}`,
		"Year,Unit,Spent\n2015,u1,1\n2015,u2,2\n2016,u3,4\n2016,u1,8\n", "id,body\nu1,b1\nu2,b1\nu3,b2\n"},
	"qualified": {`{"name": "qualified", "resources": [{"name": "a", "path": "data/a.csv", "schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
	 {"name": "Art", "type": "string", "columnType": "phase:id"}, {"name": "dir", "type": "string", "columnType": "direction"}, {"name": "paid", "type": "number", "columnType": "value"}]}}]}`,
		"year,Art,dir,paid\n2014,Plan,Ausgaben,1\n2014,Ist,Ausgaben,2\n2015,Plan,Einnahmen,4\n2015,,Ausgaben,8\n", ""},
	"mixed": {`{"name": "mixed", "resources": [{"name": "a", "path": "data/a.csv", "schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
	 {"name": "Plan", "type": "number", "normalize": {"Phase": "approved"}}, {"name": "Paid", "type": "number", "normalize": {"Phase": "Ist"}}],
	 "extraFields": [{"name": "amount", "type": "number", "columnType": "value", "normalizationTarget": true}, {"name": "Phase", "type": "string", "columnType": "phase:id"}]}},
	 {"name": "b", "path": "data/units.csv", "schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "Phase", "type": "string", "columnType": "phase:id"},
	  {"name": "amount", "type": "number", "columnType": "value", "currency": "EUR"}]}}]}`,
		"year,Plan,Paid\n2015,1,2\n2016,4,8\n", "year,Phase,amount\n2015,executed,16\n2017,,32\n"},
	"dated": {`{"name": "dated", "resources": [{"name": "a", "path": "data/a.csv", "schema": {"fields": [{"name": "day", "type": "date", "format": "%d.%m.%Y", "columnType": "date:fiscal-year"},
	 {"name": "open", "type": "boolean", "columnType": "fin-source:generic:code"}, {"name": "paid", "type": "number", "columnType": "value"}]}}]}`,
		"day,open,paid\n31.12.2014,1,1\n01.02.2015,False,2\n05.02.2015,TRUE,4\n", ""},
	"named": {`{"name": "named", "resources": [{"name": "a", "path": "data/a.csv", "schema": {"fields": [{"name": "year", "type": "string", "columnType": "date:fiscal-year"},
	 {"name": "code", "type": "string", "columnType": "functional-classification:generic:code"}, {"name": "paid", "type": "number", "columnType": "value"}]}}]}`,
		"year,code,paid\nFY21-22,1,1\n2021/22,2,2\nFY23,1,4\n2023.0,2,8\n2023-2024,1,16\n", ""},
	"namedwide": {`{"name": "namedwide", "resources": [{"name": "a", "path": "data/a.csv", "schema": {"fields": [{"name": "code", "type": "string", "columnType": "functional-classification:generic:code"},
	 {"name": "FY24", "type": "number", "normalize": {"year": "FY24"}}, {"name": "2024-25", "type": "number", "normalize": {"year": "2024-25"}}],
	 "extraFields": [{"name": "amount", "type": "number", "columnType": "value", "normalizationTarget": true}, {"name": "year", "type": "string", "columnType": "date:fiscal-year"}]}}]}`,
		"code,FY24,2024-25\n1,1,2\n2,4,8\n", ""},
}

// The numbers of tables whose rows become data points lead to the cells that they rest on, and a command of others adds up these cells.
func TestNumberPage_OfDataPoints(t *testing.T) {
	t.Parallel()
	s, folders := withDataPoints(t)
	defer s.stop(t)
	for name, folder := range folders {
		if commands := s.numbersRestOnFiles(t, name, folder, 4); commands < 4 {
			t.Errorf("%s: %d commands for 4 numbers", name, commands)
		}
	}
	names := slices.Sorted(maps.Keys(folders))
	again := s.loadedAgain(t, names...)
	for _, name := range names {
		if !slices.Contains([]string{"wide", "mixed", "namedwide"}, name) { // whose data points are lines of their own now
			s.isLoadedAgain(t, name, again)
			continue
		}
		question := "/cubes/" + name + "/aggregate?drilldown=year&format=csv"
		if got, want := get(t, again.url+question), get(t, s.url+question); got != want {
			t.Errorf("loaded again it is %s, not %s", got, want)
		}
	}
	facts := s.facts(t, "wide")
	for i, column := range []string{"B15|A15", "B16", "B15|A15", "B16", "B15|A15", "B16"} {
		if facts[i]["_column"] != column || facts[i]["_line"] != float64(2+i/2) {
			t.Errorf("fact %d stands in %v", i, facts[i])
		}
	}
	s.cutsOfRowsLeaveTheirFacts(t, "qualified")
	if model := get(t, s.url+"/api/3/cubes/qualified/model"); !strings.Contains(model, `"paid_approved_revenue.sum"`) || strings.Contains(model, `"paid.sum"`) {
		t.Errorf("/api/3 has not the measures of the phases and directions: %s", model)
	}
	asked := overHTTP(t, s).call(t, "ask", map[string]any{"cube": "qualified", "aggregates": "paid_approved_revenue.sum|paid_executed_expenditure.sum"})
	if text := string(sure(json.Marshal(asked))); !strings.Contains(text, `"paid_approved_revenue.sum":"4"`) && !strings.Contains(text, `"paid_approved_revenue.sum":4`) {
		t.Errorf("an assistant is told %s", text)
	}
	const wanted = `<tr class="wanted"><th scope="row">2</th><td><span class="code">`
	if page := get(t, s.url+"/explore/wide/number?cut=year:2016|code:1"); !strings.Contains(page, `:2</span></a> <span class="code">B16</span></th><td class="number">4.0</td>`) {
		t.Errorf("the page of a number does not name the column of its amounts:\n%s", page)
	}
	for cut, columns := range map[string][]string{"cut=year:2016": {"B16"}, "cut=year:2015&aggregates=amount_executed.sum": {"A15"}, "": {"B15", "B16", "A15"}} {
		var cited struct {
			Citation struct {
				Text      string
				Resources []struct{ Columns []string }
			}
		}
		s.read(t, "/cubes/wide/aggregate?cite=1&"+cut, &cited)
		if got := cited.Citation; !slices.Equal(got.Resources[0].Columns, columns) || !strings.Contains(got.Text, "; columns of the file: “"+strings.Join(columns, "”, “")+"”. Source: ") {
			t.Errorf("%s is cited as %v", cut, got)
		}
	}
	lines := s.url + "/explore/wide/lines/a?line=2"
	for address, column := range map[string]string{lines: "B15|A15", lines + "&_number=" + url.QueryEscape("cut=year:2016|code:1"): "B16"} {
		if page := get(t, address); !strings.Contains(page, wanted+column+"<") || strings.Count(page, ">_column<") != 1 {
			t.Errorf("%s does not mark the cell of %s:\n%s", address, column, page)
		}
	}
}

// withDataPoints serves the tables whose rows become data points, with the folders of their packages.
func withDataPoints(t *testing.T) (s *service, folders map[string]string) {
	t.Helper()
	db := freshDuckDB(t)
	folders = map[string]string{}
	for name, p := range dataPoints {
		folder := t.TempDir()
		folders[name] = folder
		write(filepath.Join(folder, "datapackage.json"), []byte(p.descriptor))
		write(filepath.Join(folder, "data", "a.csv"), []byte(p.table))
		if p.list != "" {
			write(filepath.Join(folder, "data", "units.csv"), []byte(p.list))
		}
		must(t, "load", folder, "--db", db)
	}
	return serve(t, db), folders
}

// cutsOfRowsLeaveTheirFacts follows the link of each row of each measure: the amounts of the facts behind it, and of the same question with
// its cut, are those of the row.
func (s *service) cutsOfRowsLeaveTheirFacts(t *testing.T, cube string) {
	t.Helper()
	var model struct{ Measures []struct{ Ref string } }
	s.read(t, "/cubes/"+cube+"/model", &model)
	followed := 0
	for _, m := range model.Measures {
		type row map[string]any
		type rows struct{ Cells, Facts []row }
		var answer rows
		aggregate := "/cubes/" + cube + "/aggregate?drilldown=year&links=1&aggregates=" + m.Ref + ".sum|" + m.Ref + ".count"
		s.read(t, aggregate, &answer)
		for _, cell := range answer.Cells {
			if fmt.Sprint(cell[m.Ref+".count"]) == "0" {
				continue // of no fact
			}
			var again, behind rows
			cut := "&cut=" + url.QueryEscape(cell["_cut"].(string))
			s.read(t, aggregate+cut, &again)
			s.read(t, "/cubes/"+cube+"/facts?fields="+m.Ref+cut, &behind)
			if len(again.Cells) != 1 || again.Cells[0][m.Ref+".sum"] != cell[m.Ref+".sum"] || fmt.Sprint(len(behind.Facts)) != fmt.Sprint(cell[m.Ref+".count"]) {
				t.Errorf("%s of %v: again %v, and the facts %v", m.Ref, cell, again.Cells, behind.Facts)
			}
			followed++
		}
	}
	if followed < 4 {
		t.Errorf("only %d rows were followed", followed)
	}
}
