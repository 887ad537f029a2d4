package schemas_test

import (
	"os"
	"path/filepath"
	"testing"

	"fiscube/cube/fdp"
	"fiscube/schemas"
	"fiscube/seeds"
)

// The schema accepts every overlay that the reader accepts.
func FuzzCheck_Overlay(f *testing.F) {
	for _, o := range seeds.Overlays() {
		f.Add(o.Text)
	}
	f.Add([]byte(`{measures: {a: {factor: -1.5, group: "", flow: true}}, levels: {b: {label: {field: c}, within: 1}},
		snapshots: {by: 1, per: [true], order: [01, 1.0, 2017-01-01]}, repairs: {label-paired: {except: a}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := fdp.ReadOverlay(text); err != nil {
			return
		}
		if problems := schemas.Check(schemas.Overlay, text); problems != nil {
			t.Fatalf("the reader accepts what the schema refuses:\n%v", problems)
		}
	})
}

// The schema accepts every descriptor that the reader accepts.
func FuzzCheck_Descriptor(f *testing.F) {
	small, _ := filepath.Glob("../../shared/data/D3-*/datapackage.json")
	for _, path := range small {
		if text, err := os.ReadFile(path); err == nil {
			f.Add(text)
		}
	}
	f.Add([]byte(`{"name": ["m"], "id": 7, "title": null, "synthetic": "true", "tags": "", "sample": [["a", 1.50, true, null]],
		"schema": {"fields": [{"name": "y", "type": ["integer"], "options": [{}], "decimalChar": ""}], "missingValues": "-"},
		"model": {"measures": {"n": {"source": "y", "title": ["a", "b"]}}, "dimensions": {"x": {"primaryKey": "y",
		"attributes": {"y": null}}}}, "resources": [{"name": 1, "path": "a", "bytes": "7", "dialect": {"delimiter": [";"]}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := fdp.Read(text); err != nil {
			return
		}
		if problems := schemas.Check(schemas.Descriptor, text); problems != nil {
			t.Fatalf("the reader accepts what the schema refuses:\n%v", problems)
		}
	})
}
