package fdp_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"fiscube/cube"
)

// resourceOf is a descriptor with one resource of these fields, and more keys of the package.
func resourceOf(fields, more string) string {
	return `{"name": "p", "resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [` + fields + `]}}]` + more + `}`
}

// said tells what a package says: its columns with what they are in the file where that differs, its levels and its measures.
func said(p *cube.Package) string {
	var lines []string
	for _, f := range p.Resources[0].Schema.Fields {
		line := f.Name
		if f.Column != "" {
			line += "<-" + f.Column
		}
		if c, _ := p.Model.Column(f.Name); c.FiscalYear {
			line += " (year)"
		}
		lines = append(lines, line)
	}
	text := strings.Join(lines, ", ") + "\n" + strings.Join(levelsOf(p.Model), "\n")
	for _, m := range p.Model.Measures() {
		text += strings.TrimRight("\n= "+m.Ref+" "+m.Currency+" "+m.Phase+" "+m.Direction, " ")
	}
	return text
}

func TestRead_Generations(t *testing.T) {
	const spent = `{"name": "Year", "type": "integer"}, {"name": "Body Code", "type": "string"}, {"name": "Body", "type": "string"}, {"name": "Spent", "type": "number"}`
	const model = `{"measures": {"amount": {"source": "Spent", "resource": "a", "currency": "eur", "phase": "executed", "direction": "expenditure", "factor": 1}},
	 "dimensions": {"date": {"dimensionType": "datetime", "primaryKey": "year", "attributes": {"year": {"source": "Year"}}},
	  "administrator": {"dimensionType": "entity", "primaryKey": ["id"], "attributes": {"id": {"source": "Body Code"}, "label": {"source": "Body", "labelfor": "id"}}}}}`
	const asModel = "year<-Year (year), id<-Body Code, label<-Body, amount<-Spent\ndate datetime: year\nadministrator entity: id=label\n= amount EUR executed expenditure"
	for name, test := range map[string]struct{ text, want string }{
		"0.3":                     {resourceOf(spent, `, "model": `+model), asModel},
		"0.3 with years as dates": {resourceOf(strings.Replace(spent, `"type": "integer"`, `"type": "date", "format": "%Y"`, 1), `, "model": `+model), asModel},
		"0.3 alpha":               {resourceOf(spent, `, "mapping": `+strings.ReplaceAll(model, `"attributes"`, `"fields"`)), asModel},
		"0.3 alpha in lists": {resourceOf(spent, `, "mapping": {"measures": [{"name": "amount", "source": "Spent", "currency": "EUR", "phase": "executed", "direction": "expenditure"}],
		 "dimensions": [{"name": "date", "dimensionType": "datetime", "primaryKey": "year", "fields": [{"name": "year", "source": "Year"}]},
		  {"name": "administrator", "dimensionType": "entity", "fields": [{"name": "id", "source": "Body Code"}, {"name": "label", "source": "Body"}]}]}`), asModel},
		"names that are not unique": {resourceOf(`{"name": "id", "type": "string"}, {"name": "Code", "type": "string"}, {"name": "Kind", "type": "string"}, {"name": "Year", "type": "integer"}, {"name": "n", "type": "number"}`,
			`, "model": {"measures": {"amount": {"source": "n"}}, "dimensions": {"a": {"primaryKey": ["id"], "attributes": {"id": {"source": "Code"}}}, "b": {"primaryKey": ["label"], "attributes": {"label": {"source": "Kind"}}},
			 "when": {"dimensionType": "datetime", "primaryKey": ["Year"]}}}`),
			"id, Code, label<-Kind, Year (year), amount<-n\na: Code\nb: label\nwhen datetime: Year\n= amount"},
		"OpenSpending": {resourceOf(`{"name": "y", "type": "integer", "osType": "date:fiscal-year"}, {"name": "c", "type": "string", "osType": "functional-classification:generic:level1:code"},
		 {"name": "n", "type": "number", "osType": "value"}`, ""),
			"y (year), c, n\ndate datetime: y\nfunctional-classification classification functional: c\n= n"},
		"1.0": {resourceOf(`{"name": "y", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "c1", "type": "string", "columnType": "economic-classification:generic:level1:code"},
		 {"name": "l1", "type": "string", "columnType": "economic-classification:generic:level1:label"}, {"name": "c3", "type": "string", "columnType": "economic-classification:generic:level3:code"},
		 {"name": "why", "type": "string", "columnType": "economic-classification:generic:level3:description"}, {"name": "who", "type": "string", "columnType": "recipient:generic:name"},
		 {"name": "n", "type": "number", "columnType": "value"}`, ""),
			"y (year), c1, l1, c3, why, who, n\ndate datetime: y\neconomic-classification classification economic: c1=l1, c1>c3\nrecipient entity: who\n= n"},
		"1.0, a type of two columns": {resourceOf(`{"name": "y", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "a", "type": "string", "columnType": "fin-source:generic:code"},
		 {"name": "b", "type": "string", "columnType": "fin-source:generic:code"}, {"name": "al", "type": "string", "columnType": "fin-source:generic:label"},
		 {"name": "bl", "type": "string", "columnType": "fin-source:generic:label"}, {"name": "n", "type": "number", "columnType": "value"}`, ""),
			"y (year), a, b, al, bl, n\ndate datetime: y\nfin-source other: a=al, b=bl\n= n"},
		"1.0, types of its own": {resourceOf(`{"name": "y", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "s", "type": "string", "columnType": "street:name"},
		 {"name": "h", "type": "string", "columnType": "street:house"}, {"name": "t", "type": "string", "columnType": "street:title"}, {"name": "k", "type": "string", "columnType": "activity:generic:program:code:local"},
		 {"name": "n", "type": "number", "columnType": "value"}`, `, "columnTypes": ["https://example.org/types.json", [{"name": "street:name", "unique": true}],
		 {"name": "street:house", "prior": "street:name", "unique": true}, {"name": "street:title", "labelOf": "street:name"}]`),
			"y (year), s, h, t, k, n\ndate datetime: y\nstreet other: s=t, s>h\nactivity activity: k\n= n"},
		"neither": {resourceOf(`{"name": "Year", "type": "integer"}, {"name": "town", "type": "string"}, {"name": "n", "type": "number"}`, ""),
			"Year (year), town, n\nYear datetime: Year\ntown other: town"},
	} {
		t.Run(name, func(t *testing.T) {
			p := read(t, test.text)
			equal(t, "what it says", said(p), test.want)
			if p.Guessed != (name == "neither") {
				t.Errorf("guessed: %v", p.Guessed)
			}
		})
	}
}

// example is a row of the table of constructs in docs/packages.md: where its example stands, and the example.
var example = regexp.MustCompile("(?m)^\\| (package|resource|schema|field|dialect) \\| ([^|]*) \\| `(.*?)` \\|")

// The examples of the page are read.
func TestRead_ExamplesOfTheDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/packages.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := example.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 15 {
		t.Fatalf("the page has %d examples", len(rows))
	}
	for _, row := range rows {
		t.Run(row[2], func(t *testing.T) {
			var keys map[string]any
			if err := json.Unmarshal([]byte(row[3]), &keys); err != nil {
				t.Fatal(err)
			}
			fields := []any{map[string]any{"name": "year", "type": "integer", "columnType": cube.ColumnTypeFiscalYear}, map[string]any{"name": "paid", "type": "number", "columnType": "value"}}
			schema, dialect := map[string]any{"fields": fields}, map[string]any{}
			resource := map[string]any{"name": "a", "path": "a.csv", "schema": schema, "dialect": dialect}
			whole := map[string]any{"name": "p", "resources": []any{resource}}
			switch row[1] {
			case "package":
				maps.Copy(whole, keys)
			case "resource":
				if keys["data"] != nil {
					delete(resource, "path")
				}
				maps.Copy(resource, keys)
			case "schema":
				maps.Copy(schema, keys)
			case "dialect":
				maps.Copy(dialect, keys)
			case "field":
				schema["fields"] = append(fields, keys)
			}
			text, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			if p := read(t, string(text)); len(p.Model.Measures()) == 0 && !p.Guessed || len(p.Model.Levels()) == 0 {
				t.Errorf("no measures or levels: %s", said(p))
			}
		})
	}
}
