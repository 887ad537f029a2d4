package fdp_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
)

// FuzzRead: whatever the bytes, Read gives Problems or a package that goes through JSON unchanged.
func FuzzRead(f *testing.F) {
	f.Add([]byte(everyKey))
	f.Add([]byte(withModel("null")))
	f.Add([]byte(withModel(`{"measures": {"i": {}}, "dimensions": {"x": {"primaryKey": ["a", "b", "i"], "attributes": {
		"b": {"parent": "a"}, "c": {"labelfor": "b"}, "a": {"parent": "i"}}}, "y": {"primaryKey": "a"}}}`)))
	f.Add([]byte(several(schema("f string")+`, "model": {"dimensions": {"": {"primaryKey": ["", "f"], "attributes": {"": {}}}}},`, `"bytes": 1`)))
	f.Add([]byte(tabled(codeField+`,{"name": "B15", "type": "number", "normalize": {"FY": 2015, "Phase": "Plan"}}, {"name": "A16", "type": "number", "normalize": {"FY": 2016, "Phase": "Ist"}}`,
		`, "extraFields": [`+amount+`,`+fiscal+`,`+phase+`]`, "")))
	f.Add([]byte(tabled(yearField+`, {"name": "k", "type": "date", "format": "%Y"}`, `, "foreignKeys": [{"fields": "k", "reference": {"resource": "b", "fields": "id"}}]`,
		`, {"name": "b", "data": [{"id": "x"}], "schema": {"fields": [{"name": "id", "type": "string", "columnType": "phase:id"}], "foreignKeys": [{"fields": "id", "reference": {"resource": "b", "fields": "id"}}]}}`)))
	f.Add([]byte(`{"name": "p", "fiscalPeriod": {"end": "2015"}, "columnTypes": [{"name": "a:b", "prior": "a:c"}], "mapping": {"dimensions": [{"name": "d", "fields": {"id": {}}}]},
		"resources": [{"name": "r", "path": ["a", "b"], "compression": "gz", "dialect": {"header": false, "commentRows": [1]}, "schema": {"fields": [{"name": "id", "type": "any", "osType": "a:b"}]}}]}`))
	small, _ := filepath.Glob(realData + "/D3-*/datapackage.json")
	for _, path := range small {
		if data, err := os.ReadFile(path); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := fdp.Read(data)
		if err != nil {
			var problems fdp.Problems
			if !errors.As(err, &problems) || len(problems) == 0 || p != nil {
				t.Fatalf("Read gave %v and %#v", p, err)
			}
			for _, problem := range problems {
				if problem.Place == "model" && !ofTheKeyModel(problem.Message) {
					t.Fatalf("found by cube.NewModel alone, so without its true place: %v", problem)
				}
			}
			return
		}
		checkJSON(t, p)
	})
}

// ofTheKeyModel tells what is wrong with the package's key "model" from what cube.NewModel says.
func ofTheKeyModel(message string) bool {
	return strings.HasPrefix(message, "must be an object") || message == "the key stands twice"
}

func checkJSON(t *testing.T, p *cube.Package) {
	once, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var again cube.Package
	if err := json.Unmarshal(once, &again); err != nil {
		t.Fatal(err)
	}
	twice, err := json.Marshal(&again)
	if err != nil || string(once) != string(twice) {
		t.Fatalf("%v\n%s\n%s", err, once, twice)
	}
	for _, d := range again.Model.Dimensions() {
		if len(d.Chains()) == 0 {
			t.Fatalf("dimension %q has no chain", d.Name)
		}
	}
}

// FuzzReadOverlay: whatever the bytes, ReadOverlay gives Problems or an overlay, and that gives Problems with
// their places or a package that goes through JSON unchanged; the package it is applied to stays as it is.
func FuzzReadOverlay(f *testing.F) {
	shipped, _ := filepath.Glob("../../seeds/overlays/*.yaml")
	for _, path := range append(shipped, "testdata/overlays.txt") {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		if filepath.Ext(path) == ".txt" { // an overlay a line
			for line := range bytes.Lines(data) {
				f.Add(line)
			}
		}
	}
	f.Add([]byte("a: &a [*a]\n? [x]\n: !!map {<<: 1}\n---\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := fdp.ReadOverlay(data)
		if err != nil {
			var problems fdp.Problems
			if !errors.As(err, &problems) || len(problems) == 0 || o != nil {
				t.Fatalf("ReadOverlay gave %v and %#v", o, err)
			}
			if all := fdp.OverlayProblems(data, read(t, budget)); len(all) < len(problems) {
				t.Fatalf("of %v, %v are left", problems, all)
			}
			return
		}
		checkApply(t, o)
	})
}

func checkApply(t *testing.T, o *fdp.Overlay) {
	p := read(t, budget)
	o.Applies(p)
	for _, code := range findings.Repairs {
		o.Off(code, "mes")
	}
	applied, err := o.Apply(p)
	if !reflect.DeepEqual(p, read(t, budget)) {
		t.Fatal("Apply changed the package it was given")
	}
	if err == nil {
		checkJSON(t, applied)
		return
	}
	var problems fdp.Problems
	if !errors.As(err, &problems) || applied != nil {
		t.Fatalf("Apply gave %v", err)
	}
	for _, problem := range problems {
		if problem.Place == "" {
			t.Fatalf("found by cube.Draft alone, so without its place: %v", problem)
		}
	}
}
