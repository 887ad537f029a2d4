package fdp_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

// The model of a resource without a file is that of the package, and other resources are not looked at.
func TestPlainDescriptor_KeepsWhatOnlyAnotherResourceSaid(t *testing.T) {
	const published = `{"name": "p", "note": "<kept>", "resources": [{"name": "broken", "schema": 7}, {"name": "other", "path": 7},
	 {"name": "gone", "path": "gone.csv", "dialect": {"decimalChar": ","}, "schema": {"fields": [
	   {"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "code", "type": "integer"}, {"name": "paid", "type": "number"},
	   {"name": "extra", "type": "string"}]},
	  "model": {"dimensions": {"date": {"primaryKey": ["year"]}, "entity": {"primaryKey": ["code"]}, "extras": {"primaryKey": ["extra"]}}, "measures": {"paid": {}}}},
	 {"name": "kept", "path": "kept.csv.gz", "compression": "gz", "schema": {"fields": [
	   {"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "_id", "type": "string"}, {"name": "code", "type": "integer"},
	   {"name": "paid", "type": "number", "groupChar": "."}]}}]}`
	text, err := fdp.PlainDescriptor([]byte(published), []cube.Resource{{Name: "gone"}, {Name: "kept"}}, modelOf(t, published, "gone", "kept"), []fdp.PlainFile{{
		Resource: "kept", Path: "data/kept.csv", Bytes: 3, Hash: strings.Repeat("0", 64), HashCopy: strings.Repeat("1", 64),
		Fields: []fdp.PlainField{{Name: "year", Type: cube.TypeInteger}, {Name: "code", Type: cube.TypeText}, {Name: "paid", Type: cube.TypeDecimal},
			{Name: "extra", Type: cube.TypeText}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := fdp.Read(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var levels []string
	for _, level := range p.Model.Levels() {
		levels = append(levels, level.Ref+" "+string(level.Type))
	}
	if got := strings.Join(levels, ", "); got != "year integer, code text, extra text" || len(p.Model.Measures()) != 1 || len(p.Resources) != 1 {
		t.Errorf("%s %v", got, p.Model.Measures())
	}
	r := p.Resources[0]
	if f := r.Schema.Fields; len(f) != 4 || f[1].Type != "string" || f[2].DecimalChar != "." || f[2].GroupChar != "" || f[3].DecimalChar != "," ||
		r.Path != "data/kept.csv" || len(r.Extra) != 1 || f[1].ColumnType != "own-entity:code:code" || f[2].ColumnType != "value" || string(p.Extra["note"]) != `"\u003ckept\u003e"` {
		t.Errorf("%+v %s", r, p.Extra["note"])
	}
}

func TestPlainDescriptor_RefusesAFieldThatNobodyDeclares(t *testing.T) {
	const published = `{"name": "p", "resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [{"name": "year", "type": "integer"}]}, "model": {}}]}`
	_, err := fdp.PlainDescriptor([]byte(published), []cube.Resource{{Name: "a"}}, modelOf(t, published),
		[]fdp.PlainFile{{Resource: "a", Fields: []fdp.PlainField{{Name: "b"}}}})
	if err == nil || !strings.Contains(err.Error(), `no schema has the field "b"`) {
		t.Error(err)
	}
}

// An overlay without marks of numbers is given as it is, comments and all.
func TestPlainOverlay(t *testing.T) {
	const as = "# a comment\nlevels: {code:   {type: text}}\nmeasures: {paid: {currency: EUR}}\n"
	if text, err := fdp.PlainOverlay([]byte(as)); err != nil || string(text) != as {
		t.Errorf("%v %s", err, text)
	}
	if text, err := fdp.PlainOverlay(nil); err != nil || text != nil {
		t.Errorf("%v %s", err, text)
	}
	text, err := fdp.PlainOverlay([]byte("# of the document\n\nmeasures:\n  paid: # in units\n    decimal: \",\"\n    unit: 1000\n  lent: {group: \" \"}\n"))
	if err != nil || string(text) != "# of the document\n\nmeasures:\n  paid: # in units\n    unit: 1000\n  lent: {}\n" {
		t.Errorf("%v %s", err, text)
	}
	if _, err := fdp.ReadOverlay(text); err != nil {
		t.Error(err)
	}
}

func TestPlainOverlay_RefusesWhatIsNoOverlay(t *testing.T) {
	for text, want := range map[string]string{
		"measures: &m {paid: {decimal: \",\"}}": "measures (line 1): anchors and aliases are not supported",
		"measures: [paid]":                      "measures (line 1): must be a mapping, not a list",
		"measures: {paid: 1}":                   "measures.paid (line 1): must be a mapping, not text",
		"[measures]":                            "line 1: must be a mapping, not a list",
	} {
		if plain, err := fdp.PlainOverlay([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s gives %q and %v, want %s", text, plain, err, want)
		}
	}
}

func TestOverlayValues(t *testing.T) {
	got, err := fdp.OverlayValues([]byte("\ufeffa: [1, -2.50, 0x1F, 007, True, ~, 2017-01-01, \"8\", .inf]\nb: {c: {}, d: []}\n"))
	want := map[string]any{
		"a": []any{json.Number("1"), json.Number("-2.50"), "0x1F", "007", true, nil, "2017-01-01", "8", ".inf"},
		"b": map[string]any{"c": map[string]any{}, "d": []any{}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v %#v", err, got)
	}
	if got, err := fdp.OverlayValues([]byte("a: 1\na: 2")); err == nil || err.Error() != "a (line 2): the key stands twice" {
		t.Errorf("%v %v", got, err)
	}
}

func modelOf(t *testing.T, descriptor string, only ...string) *cube.Model {
	t.Helper()
	p, err := fdp.Read([]byte(descriptor), only...)
	if err != nil {
		t.Fatal(err)
	}
	return p.Model
}
