package e2e

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/url"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/seeds"
)

// wholeZip gets the whole package of a cube and gives the path of its zip.
func (s *service) wholeZip(t testing.TB, name string) string {
	t.Helper()
	status, body := s.get(t, "/cubes/"+name+"/package.zip")
	if status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	path := filepath.Join(t.TempDir(), name+".zip")
	write(path, body)
	return path
}

// wholeModel is a model, as far as it does not depend on the load.
type wholeModel struct {
	Synthetic                                                              bool
	Dimensions, Levels, Measures, Derived, Aggregates, Snapshots, Warnings any
	Resources                                                              []modelResource
}

type modelResource struct {
	Name    string
	LeftOut string `json:"left_out"`
}

// isLoadedAgain compares a cube with one that was loaded from its whole package: the model, the facts and members, and the
// answers to questions about every level and year. The files of some resources may have more columns than were published.
func (s *service) isLoadedAgain(t *testing.T, name string, again *service, wider ...string) {
	var want, got wholeModel
	s.read(t, "/cubes/"+name+"/model", &want)
	again.read(t, "/cubes/"+name+"/model", &got)
	loaded := slices.DeleteFunc(want.Resources, func(r modelResource) bool { return r.LeftOut != "" })
	if len(loaded) != len(got.Resources) {
		t.Fatalf("the resources are %v, not %v", got.Resources, loaded)
	}
	for i, r := range got.Resources {
		path := "/cubes/" + name + "/resources/" + url.PathEscape(r.Name)
		if r.Name != loaded[i].Name || !slices.Contains(wider, r.Name) && get(t, again.url+path) != get(t, s.url+path) {
			t.Errorf("the rows of %s are others than those of %s", r.Name, loaded[i].Name)
		}
	}
	want.Resources, got.Resources = nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the model is\n%+v\nnot\n%+v", got, want)
	}
	for _, path := range s.manyQuestions(t, name) {
		want, got := map[string]any{}, map[string]any{}
		s.read(t, path, &want)
		again.read(t, path, &got)
		for _, answer := range []map[string]any{want, got} {
			delete(answer, "version")
			delete(answer, "next") // has the fingerprint
			answer["warnings"] = slices.DeleteFunc(answer["warnings"].([]any), func(w any) bool {
				code := w.(map[string]any)["code"] // what was left out is not in the package any more
				return code == cube.WarnResourceLeftOut || code == cube.WarnTotalsLeftOut
			})
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%v\nnot\n%v", path, got, want)
		}
	}
}

// manyQuestions asks for totals, for each level by year, or alone where there is none, and for its members.
func (s *service) manyQuestions(t testing.TB, name string) []string {
	t.Helper()
	var model struct {
		Levels     []struct{ Ref string }
		Aggregates []string
	}
	s.read(t, "/cubes/"+name+"/model", &model)
	year := ""
	for _, level := range model.Levels {
		if slices.Contains([]string{"Year", "CICLO", "ANO", "ciclo", "ejercicio", "periodo", "anio"}, level.Ref) {
			year = level.Ref
		}
	}
	cubePath := "/cubes/" + name
	paths := []string{cubePath + "/aggregate", cubePath + "/aggregate?snapshots=all&aggregates=" + url.QueryEscape(strings.Join(model.Aggregates, "|")), cubePath + "/facts?pagesize=50"}
	for _, level := range model.Levels {
		ref := url.QueryEscape(level.Ref)
		paths = append(paths, cubePath+"/members/"+url.PathEscape(level.Ref)+"?pagesize=1000")
		if year != "" && year != level.Ref {
			ref = year + "|" + ref
		}
		paths = append(paths, cubePath+"/aggregate?pagesize=500&drilldown="+ref)
	}
	return paths
}

// loadedAgain serves what is loaded from whole packages of the cubes.
func (s *service) loadedAgain(t testing.TB, names ...string) *service {
	t.Helper()
	args := []string{"load", "--db", freshDuckDB(t)}
	for _, name := range names {
		args = append(args, s.wholeZip(t, name))
	}
	must(t, args...)
	return serve(t, args[2])
}

// Every example package is the same cube when it is loaded from its whole package.
func TestWholePackage_OfSeeds(t *testing.T) {
	s := again.onDuckDB(t)
	var names []string
	for _, seed := range seeds.All() {
		names = append(names, seed.Name)
	}
	other := s.loadedAgain(t, names...)
	for _, name := range names {
		t.Run(name, func(t *testing.T) { s.isLoadedAgain(t, name, other) })
	}
}

func TestWholePackage_OfRealData(t *testing.T) {
	s := realCubes.onDuckDB(t)
	names := []string{"croatia-budget-spending", "presupuesto-uy-desde-2011"}
	other := s.loadedAgain(t, names...)
	for _, name := range names {
		t.Run(name, func(t *testing.T) { s.isLoadedAgain(t, name, other) })
	}
}

// oddPackage writes a package whose files are in other encodings and forms, of which one is packed, one repeats the others and
// has the model, and one is not there and has a field of its own.
func oddPackage(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	const fields = `{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "code", "type": "integer"}, {"name": "name", "type": "string"},
	 {"name": "paid", "type": "number"}, {"name": "lent", "type": "number", "decimalChar": "."}`
	const form = `"encoding": "windows-1250", "dialect": {"delimiter": ";", "decimalChar": ",", "groupChar": "."}, "sample": [["x"]]`
	write(filepath.Join(folder, "datapackage.json"), []byte(`{"name": "odd", "title": "Odd", "license": "CC0", "encoding": "cp850", "resources": [
	 {"name": "all", "path": "all.csv", `+form+`, "schema": {"missingValues": ["", "-"], "fields": [`+fields+`]},
	  "model": {"dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"]}, "notes": {"primaryKey": ["note"]},
	   "entity": {"primaryKey": ["code"], "attributes": {"code": {}, "name": {"labelfor": "code"}}}}, "measures": {"paid": {}, "lent": {}}}},
	 {"name": "../2016.csv", "path": "2016.csv.gz", `+form+`, "schema": {"missingValues": ["", "-"], "fields": [`+fields+`]}},
	 {"name": "2017", "path": "2017.csv", "encoding": "utf-8", "schema": {"fields": [`+fields+`]}},
	 {"name": "later", "path": "later.csv", "schema": {"fields": [`+fields+`, {"name": "note", "type": "string"}]}}]}`))
	const header, rows2016 = "year;code;name;paid;lent\n", "2016;010;\x8akola;1.234,50;12.125\n2016;011;-;-;3.000\n2016;012;\"a;b\";0,25;\n"
	const other, rows2017 = "year,code,name,paid,lent\n", "2017,010,Škola,1,1\n2017,012,\"a;b\",2,\n"
	var packed bytes.Buffer
	archive := gzip.NewWriter(&packed)
	_, _ = archive.Write([]byte(header + rows2016 + "2016;;TOTAL;1.234,75;15.125\n"))
	_ = archive.Close()
	write(filepath.Join(folder, "2016.csv.gz"), packed.Bytes())
	write(filepath.Join(folder, "2017.csv"), []byte(other+rows2017))
	write(filepath.Join(folder, "all.csv"), []byte(header+rows2016+"2017;010;\x8akola;1;1\n2017;012;\"a;b\";2;\n"))
	write(filepath.Join(folder, "overlay.yaml"), []byte("applies: {name: odd}\nmeasures:\n  lent: {decimal: \".\", group: \"\", currency: HRK}\n"+
		"levels:\n  note: {title: {en: Note}}\n"))
	return folder
}

// What is loaded from a package of other encodings, dialects and forms of numbers, without totals, repeated and missing files, is
// the same cube when it is loaded from plain files.
func TestWholePackage_OfOtherFormsAndWithoutWhatWasLeftOut(t *testing.T) {
	db := freshDuckDB(t)
	must(t, "load", "--db", db, "--allow-missing", oddPackage(t))
	s := serve(t, db)
	path := s.wholeZip(t, "odd")
	for text, file := range map[string]string{
		"data/2016.csv": "year,code,name,paid,lent,note\r\n2016,010,Škola,1234.50,12.125,\r\n2016,011,,,3.000,\r\n2016,012,a;b,0.25,,\r\n",
		"data/2017.csv": "year,code,name,paid,lent\r\n2017,010,Škola,1.00,1.000\r\n2017,012,a;b,2.00,\r\n",
	} {
		if got := inZip(t, path, text); got != file {
			t.Errorf("%s is %q", text, got)
		}
	}
	says(t, inZip(t, path, "README.txt"), "the resource all, since other resources have its rows", "the resource later, since its file was not there",
		"1 rows of the resource ../2016.csv that are totals of others (lines of the published file: 5)", "(SHA-256 ")
	says(t, inZip(t, path, "datapackage.json"), `"license": "CC0"`)
	says(t, must(t, "validate", path), "odd")
	s.isLoadedAgain(t, "odd", s.loadedAgain(t, "odd"), "../2016.csv")
}

// inZip reads a file of a zip.
func inZip(t testing.TB, path, name string) string {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	text, err := fs.ReadFile(archive, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// An earlier version is given as it was, and one that was loaded before overlays were stored without its overlay.
func TestWholePackage_OfEarlierVersions(t *testing.T) {
	onEveryStore(t, func(t *testing.T, db string) {
		folder := oddPackage(t)
		must(t, "load", "--db", db, "--allow-missing", folder)
		write(filepath.Join(folder, "2017.csv"), []byte("year,code,name,paid,lent\n2017,010,Nova,7,8\n"))
		must(t, "load", "--db", db, "--allow-missing", folder)
		changed := sure(connect(db))
		var content string
		if err := changed.QueryRow("SELECT content FROM fiscube.version WHERE number = 1").Scan(&content); err != nil {
			t.Fatal(err)
		}
		before := regexp.MustCompile(`,"overlay":"[^"]+"`).ReplaceAllString(content, "")
		if before == content {
			t.Fatal("the version has no overlay")
		}
		if _, err := changed.Exec("UPDATE fiscube.version SET content = $1 WHERE number = 1", before); err != nil {
			t.Fatal(err)
		}
		if err := changed.Close(); err != nil {
			t.Fatal(err)
		}
		s := serve(t, db)
		for version, row := range map[string]string{"1": "2017,010,Škola,1.00,1.000\r\n", "2": "2017,010,Nova,7.00,8.000\r\n"} {
			_, body := s.get(t, "/cubes/odd/package.zip?version="+version)
			path := filepath.Join(t.TempDir(), "odd.zip")
			write(path, body)
			says(t, inZip(t, path, "data/2017.csv"), row)
			says(t, inZip(t, path, "README.txt"), map[string]string{"1": "it is not in this zip: this version was loaded before", "2": "overlay.yaml is the overlay"}[version])
			if version == "2" {
				says(t, inZip(t, path, "overlay.yaml"), "lent: {currency: HRK}")
			}
		}
	})
}
