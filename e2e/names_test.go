package e2e

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// renamed is a package whose ministry 1 has another name every year, whose ministry 2 lost its name, and whose
// cells hold line breaks.
const renamed = `year,code,name,amount
2008,1,Finance,1
2008,2,Works,2
2010,1,Finance and
Planning,3
2010,2,,4
2009,1,Treasury,5
2011,3,"The ""Agency""

",6
2011,1,Finance and  Planning,7
`

// renamedPackage writes it into a folder.
func renamedPackage(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	content := []byte(strings.Replace(renamed, "Finance and\nPlanning", "\"Finance and\nPlanning\"", 1))
	_, body, _ := bytes.Cut(content, []byte("\n"))
	write(filepath.Join(folder, "data", "a.csv"), content)
	write(filepath.Join(folder, "datapackage.json"), []byte(fmt.Sprintf(`{"name": "names", "resources": [
		{"name": "Ministries", "path": "data/a.csv", "hash": "%s", "hashcopy": "%s"}],
		"schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "code", "type": "string"},
			{"name": "name", "type": "string"}, {"name": "amount", "type": "number"}]},
		"model": {"dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {}}},
			"ministry": {"dimensionType": "classification", "primaryKey": ["code"],
				"attributes": {"code": {}, "name": {"labelfor": "code"}}}}, "measures": {"amount": {}}}}`, digest(content), digest(body))))
	return folder
}

func TestNamesAreThoseOfTheYearsAsked(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, renamedPackage(t))
		s := serve(t, db)
		for question, want := range map[string]string{
			"":                                   "1 Finance and Planning, 2 Works, 3 The \"Agency\"",
			"&cut=year:2008":                     "1 Finance, 2 Works",
			"&cut=year:2009":                     "1 Treasury",
			"&cut=year:2010":                     "1 Finance and Planning, 2 2",
			"&cut=year:2008;2009":                "1 Treasury, 2 Works",
			"&cut=year:2009;2008&order=name":     "1 Treasury, 2 Works",
			"&cut=year:2008..2010":               "1 Finance and Planning, 2 Works",
			"&cut=!year:2010;2011":               "1 Treasury, 2 Works",
			"&cut=year:2010&order=name":          "2 2, 1 Finance and Planning",
			"&cut=year:2010&order=name:desc":     "1 Finance and Planning, 2 2",
			"&cut=year:2008&order=name:desc":     "2 Works, 1 Finance",
			"&cut=year:2008|year:2008..2011":     "1 Finance, 2 Works",
			"&cut=year:2007":                     "",
			"&cut=year:2010..&order=name&page=2": "",
		} {
			var got []string
			for _, cell := range s.ask(t, "names", "drilldown=code"+question).Cells {
				got = append(got, fmt.Sprint(cell["code"], " ", cell["name"]))
			}
			if text := strings.Join(got, ", "); text != want {
				t.Errorf("%s: %s, want %s", question, text, want)
			}
		}
		s.stop(t)
	})
}

// Every number leads back to the line it stood in: the cube names file and hash, the fact resource and line.
func TestFactsLeadBackToTheirLines(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		folder := renamedPackage(t)
		must(t, "load", "--db", db, folder)
		s := serve(t, db)
		var described struct {
			Resources []struct{ Name, Path, Hash, URL string }
		}
		s.read(t, "/cubes/names", &described)
		content := sure(os.ReadFile(filepath.Join(folder, "data", "a.csv")))
		if len(described.Resources) != 1 || described.Resources[0].Name != "Ministries" || described.Resources[0].Path != "data/a.csv" ||
			described.Resources[0].Hash != digest(content) {
			t.Errorf("the cube says %+v", described)
		}
		s.stop(t)
		lines, facts := strings.Split(string(content), "\n"), factsOf(t, db)
		if len(facts) != 7 {
			t.Errorf("%d facts", len(facts))
		}
		for _, fact := range facts {
			record, err := csv.NewReader(strings.NewReader(strings.Join(lines[fact.line-1:], "\n"))).Read()
			if fact.resource != 0 || err != nil && err != io.EOF || record[0] != fact.year || record[2] != fact.name || record[3] != fact.amount {
				t.Errorf("line %d of resource %d holds %q, the fact is %+v", fact.line, fact.resource, record, fact)
			}
		}
	})
}

type fact struct {
	year, name, amount string
	resource, line     int
}

// factsOf reads the only fact table of a store that no process has open.
func factsOf(t *testing.T, db string) (facts []fact) {
	t.Helper()
	connection, err := connect(db)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	rows, err := connection.Query(`SELECT CAST(year AS text), name, CAST(amount AS text), _resource, _line FROM fact.f1`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var one fact
		if err := rows.Scan(&one.year, &one.name, &one.amount, &one.resource, &one.line); err != nil {
			t.Fatal(err)
		}
		facts = append(facts, one)
	}
	return facts
}
