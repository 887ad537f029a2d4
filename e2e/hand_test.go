package e2e

import (
	"path/filepath"
	"testing"
)

// handDescriptor is of a package whose amounts can be added up by eye: three levels, some of them empty, and three
// years.
const handDescriptor = `{
 "name": "hand", "title": "A budget added up by hand", "pub_institutional_name": "Ministry of Sums",
 "resources": [
  {"name": "early", "path": "early.csv", "mediatype": "text/csv"},
  {"name": "late", "path": "late.csv", "mediatype": "text/csv"}
 ],
 "schema": {"fields": [
  {"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
  {"name": "area", "type": "string"}, {"name": "area_name", "type": "string"},
  {"name": "unit", "type": "string"}, {"name": "unit_name", "type": "string"},
  {"name": "item", "type": "string"},
  {"name": "approved", "type": "number"}, {"name": "executed", "type": "number"}
 ]},
 "model": {
  "dimensions": {
   "date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {}}},
   "entity": {"dimensionType": "classification", "primaryKey": ["area", "unit", "item"], "attributes": {
    "area": {}, "area_name": {"labelfor": "area"},
    "unit": {"parent": "area"}, "unit_name": {"labelfor": "unit"},
    "item": {"parent": "unit"}}}
  },
  "measures": {"approved": {"currency": "EUR"}, "executed": {"currency": "EUR"}}
 }
}`

const handHeader = "year,area,area_name,unit,unit_name,item,approved,executed\r\n"

// In 2021 area 1 has 60 approved, of which 10 have no unit; area 2 has 40. In 2022 area 1 has 90, area 3 is new with
// 5, and area 2 is gone.
const handEarly = handHeader +
	"2021,1,Health,01,Hospitals,a,20.00,10.00\r\n" +
	"2021,1,Health,01,Hospitals,b,30.00,30.00\r\n" +
	"2021,1,Health,,,c,10.00,\r\n" +
	"2021,2,Roads,01,Bridges,a,40.00,10.00\r\n"

const handLate = handHeader +
	"2022,1,Health and care,01,Hospitals,a,90.00,45.00\r\n" +
	"2022,3,Parks,01,Trees,,5.00,-1.00\r\n"

// handFolder writes the package.
func handFolder(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range map[string]string{
		"datapackage.json": handDescriptor, "early.csv": handEarly, "late.csv": handLate,
	} {
		write(filepath.Join(folder, name), []byte(content))
	}
	return folder
}

// handService serves the package.
func handService(t testing.TB, db string) *service {
	t.Helper()
	must(t, "load", handFolder(t), "--db", db)
	return serve(t, db)
}
