package storetest

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// Reform is a package whose functions are numbered anew in 2017: 3, which was Housing, is Health from then on, and Health was
// 1. Rows of one year have no name, others have no year, and 9 has no name at all.
func Reform() fs.FS {
	return fstest.MapFS{
		"lines.csv": {Data: []byte("year,group,group_name,function,function_name,amount\n" +
			"2011,2,Social,1,Health,10\n" +
			"2011,2,Social,2,Sport,20\n" +
			"2011,2,Social,3,Housing,30\n" +
			"2012,2,Social,1,,40\n" +
			"2017,2,Social,1,Environment,50\n" +
			"2017,2,Social,2,Pensions,60\n" +
			"2017,2,Social,3,Health,70\n" +
			",2,Social,3,Care,80\n" +
			"2017,2,Social,9,,90\n")},
		"overlay.yaml": {Data: []byte("levels: {group: {label: group_name}, function: {parent: group, label: function_name}}\n")},
		"datapackage.json": {Data: []byte(`{"name": "reform", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
			{"name": "group", "type": "string"}, {"name": "group_name", "type": "string"},
			{"name": "function", "type": "string"}, {"name": "function_name", "type": "string"}, {"name": "amount", "type": "number"}]},
			"model": {"measures": {"amount": {}}, "dimensions": {
				"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
				"functions": {"dimensionType": "classification", "primaryKey": ["group", "function"]}}},
			"resources": [{"name": "lines", "path": "lines.csv"}]}`)},
	}
}

// ReformLabels are the names of the functions in the rows of Reform, as a view shows them, from the first line to the last.
const ReformLabels = "Health|Sport|Housing|Environment|Environment|Pensions|Health|Care|9"

// JoinedMexico gives the path of a folder with the years 2008 and 2010 of the real budget of Mexico, and the part of 2017 that
// there is, as one package. Between the last two the functions are numbered anew. Without the files t is skipped.
func JoinedMexico(t testing.TB) string {
	t.Helper()
	target := t.TempDir()
	var joined map[string]any
	for _, name := range []string{"D7-mexico", "D7-mexico-2017-sample"} {
		source := RealPackage(t, name)
		text, err := os.ReadFile(filepath.Join(source, "datapackage.json"))
		if err != nil {
			t.Fatal(err)
		}
		var descriptor map[string]any
		if err := json.Unmarshal(text, &descriptor); err != nil {
			t.Fatal(err)
		}
		if joined == nil {
			joined = descriptor
		} else {
			joined["resources"] = append(joined["resources"].([]any), descriptor["resources"].([]any)...)
		}
		if err := unpack(os.DirFS(source), target); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(joined)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(target, "datapackage.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return target
}
