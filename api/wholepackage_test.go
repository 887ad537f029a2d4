package api_test

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/plan"
)

// filed is a store with a cube of so many files, whose resources have the names, with a row of each file but the last.
func filed(t *testing.T, names ...string) *fake {
	t.Helper()
	f := newFake(t)
	c := f.cubes[0]
	c.Resources = nil
	for i, name := range names {
		c.Resources = append(c.Resources, cube.Resource{Name: name, Path: fmt.Sprint(i, ".csv"), SkipLines: []int64{7}, Found: cube.Found{Hash: "ab"}})
		if i < len(names)-1 {
			fact := plan.Fact{Resource: i, Line: 2, Values: make([]plan.FactValue, len(c.Model.Columns()))}
			fact.Values[0].Value, fact.Values[1].Value = cube.Integer(2016), cube.Text(name)
			fact.Values[8].Amount = decimal.NewNullDecimal(decimal.RequireFromString("1234.5"))
			f.facts = append(f.facts, fact)
		}
	}
	c.Descriptor = descriptorOf(c.Model.Columns(), names...)
	return f
}

// Names of resources may be paths, names of devices or names that differ in case alone: in the zip they are files of a folder.
func TestWholePackage_NamesFilesSafely(t *testing.T) {
	names := []string{"../x.csv", "x", "X.csv.gz", "/etc/passwd", `C:\con`, "CON", "č/š", "бюджет", "..", "a\x00\nb", strings.Repeat("long", 100), "last"}
	f := filed(t, names...)
	r := ask(t, handler(t, f), "/cubes/croatia/package.zip")
	if r.status != http.StatusOK || r.header.Get("Content-Disposition") != "attachment; filename=croatia-v3.zip" {
		t.Fatalf("%d %v", r.status, r.header)
	}
	archive, err := zip.NewReader(strings.NewReader(r.body), int64(len(r.body)))
	if err != nil {
		t.Fatal(err)
	}
	var paths, folded []string
	for _, file := range archive.File {
		paths, folded = append(paths, file.Name), append(folded, strings.ToLower(file.Name))
		if !fs.ValidPath(file.Name) || strings.Trim(file.Name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") != "" {
			t.Errorf("%q", file.Name)
		}
	}
	if slices.Sort(folded); len(slices.Compact(folded)) != len(paths) || len(paths) != len(names)+2 {
		t.Errorf("%q", paths)
	}
	if want := []string{"data/x.csv", "data/x-2.csv", "data/X-3.csv", "data/etc-passwd.csv", "data/C-con.csv", "data/_CON.csv", "data/c-s.csv", "data/data.csv"}; !slices.Equal(paths[:8], want) {
		t.Errorf("%q", paths)
	}
	if last := paths[len(paths)-1]; last != "datapackage.json" {
		t.Errorf("the last is %s", last)
	}
}

// The descriptor says what the files are, and else what was published.
func TestWholePackage_DescribesItsFiles(t *testing.T) {
	f := filed(t, "first", "second")
	f.cubes[0].Overlay = []byte("# why\nmeasures:\n  approved_value: {decimal: \",\", group: \".\", currency: HRK}\n")
	f.cubes[0].Resources = append(f.cubes[0].Resources, cube.Resource{Name: "third", LeftOut: "its rows stand in other resources", Repeats: true})
	f.cubes[0].Series = []cube.Series{{Name: "prices", Title: "Prices", Country: "HRV", Unit: cube.UnitIndex, Source: "us", License: "CC0-1.0", Updated: "2025-07-01",
		Values: []cube.YearValue{{Year: 2016, Value: decimal.RequireFromString("98.5")}}}}
	h := handler(t, f)
	r := ask(t, h, "/cubes/croatia/package.zip?lang=en")
	if again := ask(t, h, "/cubes/croatia/package.zip?lang=en"); again.body != r.body {
		t.Error("the same package gives other bytes")
	}
	files := unzip(t, r.body)
	if want := "# title: Prices\n# source: us\n# licence: CC0-1.0\n# updated: 2025-07-01\ncountry,year,index\nHRV,2016,98.5\n"; files["series/prices.csv"] != want {
		t.Errorf("the series are %q", files["series/prices.csv"])
	}
	const header = "Year,admin1_code,admin1_label,admin2_code,admin2_label,unit,econ_code,fin_code,approved_value,executed: cash\r\n"
	if files["data/first.csv"] != header+"2016,first,,,,,,,1234.50,\r\n" || files["data/second.csv"] != header {
		t.Errorf("%q", files)
	}
	if files["overlay.yaml"] != "# why\nmeasures:\n  approved_value: {currency: HRK}\n" {
		t.Errorf("%s", files["overlay.yaml"])
	}
	var d struct {
		Name, License, Encoding string
		Schema                  any
		Resources               []struct {
			Path, Encoding, Hash, HashCopy string
			Bytes                          int
			Dialect                        any
			Schema                         struct {
				MissingValues []string
				Fields        []struct{ Name, Type, DecimalChar string }
			}
		}
	}
	if err := json.Unmarshal([]byte(files["datapackage.json"]), &d); err != nil {
		t.Fatal(err)
	}
	first := d.Resources[0]
	if d.Name != "croatia" || d.License != "CC-BY-4.0" || d.Encoding != "utf-8" || len(d.Resources) != 2 || first.Path != "data/first.csv" || first.Dialect != nil ||
		first.Encoding != "utf-8" || first.Schema.MissingValues != nil || d.Schema != nil || first.Schema.Fields[8].DecimalChar != "." || first.Schema.Fields[1].DecimalChar != "," {
		t.Errorf("%s", files["datapackage.json"])
	}
	if sum, body := digest(files["data/first.csv"]), digest("2016,first,,,,,,,1234.50,\r\n"); first.Hash != "sha256:"+sum || first.HashCopy != body ||
		first.Bytes != len(files["data/first.csv"]) || d.Resources[1].HashCopy != digest("") {
		t.Errorf("%+v", d.Resources)
	}
	if _, err := fdp.Read([]byte(files["datapackage.json"])); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"data/first.csv: 1 rows", "third, since other resources have its rows", "1 rows of the resource first that are totals", "overlay.yaml is the overlay"} {
		if !strings.Contains(files["README.txt"], text) {
			t.Errorf("%q is not in %s", text, files["README.txt"])
		}
	}
	f.cubes[0].Overlay = nil
	if files := unzip(t, ask(t, h, "/cubes/croatia/package.zip?lang=es").body); files["overlay.yaml"] != "" || !strings.Contains(files["README.txt"], "no está en este zip: esta versión se cargó antes") {
		t.Errorf("%s", files["README.txt"])
	}
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// A parameter that is part of a question makes the answer one to that question.
func TestWholePackage_OnlyWithoutAQuestion(t *testing.T) {
	h := handler(t, filed(t, "first", "second"))
	for query, whole := range map[string]bool{"": true, "?version=3": true, "?lang=es&version=3": true, "?utm_source=x": true, "?drilldown=Year": false, "?aggregates=_count": false, "?cite=1": false} {
		r := ask(t, h, "/cubes/croatia/package.zip"+query)
		if files := unzip(t, r.body); (files["data/first.csv"] != "") != whole || (files["data.csv"] != "") == whole {
			t.Errorf("%s: %q", query, files)
		}
		if head := send(t, h, http.MethodHead, "/cubes/croatia/package.zip"+query); head.status != http.StatusOK || head.body != "" ||
			head.header.Get("ETag") != r.header.Get("ETag") || head.header.Get("Content-Disposition") != r.header.Get("Content-Disposition") {
			t.Errorf("HEAD %s: %v", query, head.header)
		}
		if known := ask(t, h, "/cubes/croatia/package.zip"+query, "If-None-Match", r.header.Get("ETag")); known.status != http.StatusNotModified {
			t.Errorf("%s: %d", query, known.status)
		}
	}
}

// descriptor is what these tests read of a data package.
type descriptor struct {
	Profile, Name, Title, Version, Homepage string
	License, Sources                        any
	Resources                               []struct {
		Path, Hash string
		Bytes      int
		Schema     struct {
			Fields []struct{ Name, Type string }
		}
	}
	Fiscube struct {
		Version  int
		Query    map[string]string
		Link     string
		Measures map[string]struct{ Currency string }
		Warnings []cube.Warning
		Sources  []struct{ Name, Path, Hash string }
	}
}

func TestDataPackage(t *testing.T) {
	f := newFake(t)
	f.run = yielding(nasty()...)
	f.cubes[0].Extra = map[string]json.RawMessage{
		"license": json.RawMessage(`"CC-BY-4.0"`), "sources": json.RawMessage(`[{"web":"https://example.org"}]`), "other": json.RawMessage(`1`),
	}
	f.cubes[0].Notes = []cube.Titles{{"en": "Preliminary."}}
	h := handler(t, f)
	target := strings.Replace(question, "/aggregate", "/package.zip", 1)
	r := ask(t, h, target)
	if name := r.header.Get("Content-Disposition"); name != "attachment; filename=croatia-aggregate-Year-admin1_code-approved_value.sum-_count-approved_value.avg-640e7792-v3.zip" ||
		r.header.Get("Content-Type") != "application/zip" || r.header.Get("Fiscube-Warnings") == "" {
		t.Errorf("%v", r.header)
	}
	if again := ask(t, h, target); again.body != r.body {
		t.Error("the same question gives other bytes")
	}
	files := unzip(t, r.body)
	if files["data.csv"] != ask(t, h, question+"&format=csv").body || len(files) != 3 {
		t.Errorf("the rows are %q", files["data.csv"])
	}
	var d descriptor
	if err := json.Unmarshal([]byte(files["datapackage.json"]), &d); err != nil {
		t.Fatal(err)
	}
	d.check(t, files["data.csv"])
}

func (d descriptor) check(t *testing.T, rows string) {
	t.Helper()
	hash := sha256.Sum256([]byte(rows))
	data := d.Resources[0]
	if data.Path != "data.csv" || data.Hash != "sha256:"+hex.EncodeToString(hash[:]) || data.Bytes != len(rows) {
		t.Errorf("the resource is %+v", data)
	}
	var types []string
	for _, field := range data.Schema.Fields {
		types = append(types, field.Name+" "+field.Type)
	}
	if want := "Year integer,admin1_code string,admin1_label string,approved_value.sum number,_count integer," +
		"approved_value.avg number"; strings.Join(types, ",") != want {
		t.Errorf("the schema is %q", types)
	}
	if d.Profile != "tabular-data-package" || d.Name != "croatia-aggregate-year-admin1_code-approved_value.sum-_count-approved_value.avg-640e7792-v3" || d.Title != "Croatia <Budget> & More (extract)" ||
		d.Version != "3" || d.License != "CC-BY-4.0" || !reflect.DeepEqual(d.Sources, []any{map[string]any{"web": "https://example.org"}}) {
		t.Errorf("the descriptor is %+v", d)
	}
	about := d.Fiscube
	if about.Version != 3 || about.Query["drilldown"] != "Year|admin1_code" || about.Link != d.Homepage || !strings.Contains(about.Link, "version=3") ||
		about.Measures["approved_value"].Currency != "HRK" || about.Warnings[0].Message != "Preliminary." ||
		len(about.Sources) != 2 || about.Sources[1].Hash != "cd" {
		t.Errorf("it is of %+v", about)
	}
}

func unzip(t *testing.T, body string) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, file := range archive.File {
		content, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		files[file.Name] = string(text)
	}
	return files
}

func TestDataPackage_Mistakes(t *testing.T) {
	h := handler(t, newFake(t))
	for query, code := range map[string]cube.Code{
		"format=csv": cube.CodeUnknownParameter, "excel=1": cube.CodeUnknownParameter, "cut=x:1": cube.CodeUnknownRef, "page=0": cube.CodeBadPage,
	} {
		if p := ask(t, h, "/cubes/croatia/package.zip?"+query).problem(t); p.Code != code {
			t.Errorf("%s: %v", query, p)
		}
	}
	if r := send(t, h, http.MethodHead, "/cubes/croatia/package.zip"); r.status != http.StatusOK || r.body != "" {
		t.Errorf("HEAD: %+v", r)
	}
}
