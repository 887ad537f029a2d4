package e2e

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

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
		says(t, get(t, s.url+"/cubes/small/resources/f"), "101 ,0.33333333333333331", " 101,1234.56", "101\u00a0,0", "cafe\u0301,1")
	})
}
