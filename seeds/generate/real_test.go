package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// These tests hold the generator against the real packages where that folder is beside the checkout.
const realData = "../../../shared/data"

// realDescriptor returns one real descriptor with its order of keys, or skips.
func realDescriptor(t *testing.T, folder string) object {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(realData, folder, "datapackage.json"))
	if err != nil {
		t.Skip("the real packages are not beside the checkout")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return ordered(t, d).(object)
}

// Model and schema follow from the fields of each real resource as published.
func TestRealModelsAndSchemas(t *testing.T) {
	for _, folder := range []string{"D1-paraguay", "D2-croatia", "D5-costa-rica-ingresos", "D6-uruguay", "D7-mexico",
		"D8-costa-rica-egresos"} {
		t.Run(folder, func(t *testing.T) {
			resource := realDescriptor(t, folder).get("resources").(list)[0].(object)
			var fields []field
			for _, f := range resource.get("schema").(object).get("fields").(list) {
				f := f.(object)
				fields = append(fields, field{f.get("name").(string), f.get("type").(string), f.get("columnType").(string)})
			}
			same(t, "schema", resource.get("schema"), schema(fields))
			same(t, "model", resource.get("model"), model(fields))
		})
	}
}

// The keys of package and resource are the published ones in their order. Beyond them stand synthetic,
// and for D2 the copies of schema and sample, which the specification has and the real file lacks.
func TestRealKeys(t *testing.T) {
	for folder, s := range map[string]seed{
		"D1-paraguay": paraguay(), "D2-croatia": croatia(), "D5-costa-rica-ingresos": costaRicaIngresos(),
		"D6-uruguay": uruguay(), "D7-mexico": mexico(), "D8-costa-rica-egresos": costaRicaEgresos(),
	} {
		t.Run(folder, func(t *testing.T) {
			published := realDescriptor(t, folder)
			ours := s.descriptor([]file{s.file(s.resources[0])})
			keys := slices.DeleteFunc(ours.keys(), func(key string) bool {
				return slices.Contains([]string{"synthetic", "schema", "sample"}, key)
			})
			if !slices.Equal(keys, published.keys()) {
				t.Errorf("package keys %q, published %q", keys, published.keys())
			}
			a, b := ours.get("resources").(list)[0].(object), published.get("resources").(list)[0].(object)
			if !slices.Equal(a.keys(), b.keys()) {
				t.Errorf("resource keys %q, published %q", a.keys(), b.keys())
			}
			same(t, "fields", b.get("schema"), schema(s.fields))
			same(t, "dialect", b.get("dialect"), a.get("dialect"))
		})
	}
}

// The real D3 is there under a descriptor written from the specification; its fields are those of ours.
func TestRealDominicana(t *testing.T) {
	resource := realDescriptor(t, "D3-dominicana-ingresos").get("resources").(list)[0].(object)
	for i, f := range resource.get("schema").(object).get("fields").(list) {
		f := f.(object)
		published := field{f.get("name").(string), f.get("type").(string), f.get("columnType").(string)}
		if published != dominicanaFields[i] {
			t.Errorf("field %v, published %v", dominicanaFields[i], published)
		}
	}
}

// The published files, read and written again, are the same bytes, with the published hashes.
func TestRealFiles(t *testing.T) {
	published := realDescriptor(t, "D2-croatia").get("resources").(list)[0].(object)
	content, err := os.ReadFile(filepath.Join(realData, "D2-croatia", published.get("path").(string)))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encodeCSV(rows), content) {
		t.Error("CSV is not written as published")
	}
	_, body, _ := bytes.Cut(content, []byte("\n"))
	if sha256Hex(content) != published.get("hash") || sha256Hex(body) != published.get("hashcopy") {
		t.Error("hash or hashcopy is made of something else")
	}
}

func same(t *testing.T, what string, published, ours any) {
	t.Helper()
	a, b := strings.Split(string(encodeJSON(published)), "\n"), strings.Split(string(encodeJSON(ours)), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("%s, line %d: published %s, ours %s", what, i+1, a[i], b[i])
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s: %d lines published, %d ours", what, len(a), len(b))
	}
}

func (o object) keys() []string {
	var keys []string
	for _, p := range o {
		keys = append(keys, p.key)
	}
	return keys
}

func (o object) get(key string) any {
	for _, p := range o {
		if p.key == key {
			return p.value
		}
	}
	return nil
}

// ordered reads a JSON value into objects, lists and scalars.
func ordered(t *testing.T, d *json.Decoder) any {
	t.Helper()
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch token {
	case json.Delim('{'):
		o := object{}
		for d.More() {
			key := ordered(t, d).(string)
			o = append(o, pair{key, ordered(t, d)})
		}
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
		return o
	case json.Delim('['):
		l := list{}
		for d.More() {
			l = append(l, ordered(t, d))
		}
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
		return l
	default:
		return token
	}
}
