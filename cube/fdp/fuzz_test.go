package fdp_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

// FuzzRead: whatever the bytes, Read gives Problems or a package that goes through JSON unchanged.
func FuzzRead(f *testing.F) {
	f.Add([]byte(everyKey))
	f.Add([]byte(withModel("null")))
	f.Add([]byte(withModel(`{"measures": {"i": {}}, "dimensions": {"x": {"primaryKey": ["a", "b", "i"], "attributes": {
		"b": {"parent": "a"}, "c": {"labelfor": "b"}, "a": {"parent": "i"}}}, "y": {"primaryKey": "a"}}}`)))
	f.Add([]byte(several(schema("f string")+`, "model": {"dimensions": {"": {"primaryKey": ["", "f"], "attributes": {"": {}}}}},`, `"bytes": 1`)))
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
