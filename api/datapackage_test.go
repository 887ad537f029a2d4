package api_test

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
)

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
