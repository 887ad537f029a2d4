package load

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/cube/findings"
)

// Rows say where they begin, whatever their cells hold: the header is line 1, and lines inside cells count.
func TestContent_RowsHaveTheirLines(t *testing.T) {
	const descriptor = `{"name": "p", "resources": [
		{"name": "one", "path": "one.csv"}, {"name": "two", "path": "two.csv"}],
		"schema": {"fields": [{"name": "code", "type": "string"}, {"name": "note", "type": "string"}, {"name": "amount", "type": "number"}]},
		"model": {"dimensions": {"d": {"dimensionType": "other", "primaryKey": ["code"], "attributes": {"code": {}}}},
			"measures": {"amount": {}}}}`
	source, err := OpenFS(t.Context(), fstest.MapFS{
		"datapackage.json": {Data: []byte(descriptor)},
		"one.csv": {Data: []byte("code,note,amount\r\na,\"two\r\nlines\",1\r\n\"b\n\",\"\n\n\",2\nc,plain,3\r\n" +
			"d,\"a \"\"quoted\"\"\nline\",4\ne,last without end,5")},
		"two.csv": {Data: []byte("code,note,amount\nf,\"\n\n\n\n\",6\ng,x,7\n")},
	}, Options{Allow: []string{findings.NoYear}})
	if err != nil {
		t.Fatal(err)
	}
	survey, err := Take(t.Context(), source, Silent{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for row, err := range newContent(survey, Silent{}).Rows(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s:%d", strings.TrimSpace(row.Cells[0]), survey.Package().Resources[row.Resource].Name, row.Line))
	}
	want := "a one:2, b one:4, c one:8, d one:9, e one:11, f two:2, g two:7"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}
