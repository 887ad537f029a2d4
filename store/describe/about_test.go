package describe_test

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"fiscube/schemas"
	"fiscube/store/describe"
	"fiscube/store/load"
)

// What a person says of a package stands in its descriptor, and the levels are listed below one another.
func TestDescription_TellsAboutAndLevels(t *testing.T) {
	files := fstest.MapFS{"a.csv": {Data: []byte(plain(",", func(n int) string { return "10.5" }))}}
	d, err := describe.Read(t.Context(), files, []string{"a.csv"}, describe.Options{}, load.Silent{})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []describe.About{{Licence: "free for all"}, {Licence: "http://a.example"}, {Country: "Uruguay"}, {Start: "2024-01-01"}, {Start: "2024-12-31", End: "2024-01-01"}} {
		if d.Tell(bad) == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
	if err := d.Tell(describe.About{Licence: "CC-BY-4.0", Country: "uy", Start: "2024-01-01", End: "2024-12-31"}); err != nil {
		t.Fatal(err)
	}
	text, err := d.Descriptor()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Licenses     []struct{ Name string }
		CountryCode  string
		FiscalPeriod struct{ Start, End string }
	}
	if err := json.Unmarshal(text, &got); err != nil || got.Licenses[0].Name != "CC-BY-4.0" || got.CountryCode != "UY" || got.FiscalPeriod.End != "2024-12-31" {
		t.Errorf("%v: %s", err, text)
	}
	if problems := schemas.Check(schemas.Descriptor, text); problems != nil {
		t.Error(problems)
	}
	for _, l := range d.Levels() {
		if l.Field == "unit_code" && (l.Parent != "office_code" || l.Label != "unit_name" || l.Why == nil) {
			t.Errorf("%+v", l)
		}
	}
	if len(d.Levels()) != 3 {
		t.Errorf("%+v", d.Levels())
	}
}
