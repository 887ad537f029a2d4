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
