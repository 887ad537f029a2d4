package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/schemas"
)

// The bodies in full, because the order of their names is part of them.
func TestCubes(t *testing.T) {
	store := newFake(t)
	store.cubes[0].Extra = map[string]json.RawMessage{"licenses": json.RawMessage(`[{"name":"ODC-BY-1.0","title":"Open Data Commons"}]`)}
	h := handler(t, store)
	const measures = `"measures":[{"ref":"approved_value","title":"Approved","currency":"HRK","unit":1,"phase":"approved",` +
		`"direction":"expenditure"},{"ref":"executed: cash"}],`
	const known = `"publisher":"Ministry","license":"Open Data Commons","currency":"HRK","loaded_at":"2018-05-02T10:00:00Z"`
	for path, want := range map[string]string{
		"/cubes": `{"status":"ok","cubes":[` +
			`{"name":"croatia","title":"Croatia <Budget> & More","country":"HR","years":[2014,2017],"rows":539917,"version":3,"synthetic":false,` + known + `},` +
			`{"name":"own:h\"r 100%/ž","title":"","country":"","years":null,"rows":0,"version":1,"synthetic":true}],` +
			`"page":1,"page_size":2,"warnings":[]}`,
		"/cubes/croatia": `{"status":"ok","name":"croatia","title":"Croatia <Budget> & More","country":"HR",` +
			`"years":[2014,2017],"rows":539917,"version":3,"synthetic":false,` + known + `,` +
			`"start_date":"2014-01-01","created":"2018-05-01","tags":["budget"],` + measures + `"resources":[` +
			`{"name":"a","path":"data/a.csv","bytes":7,"hash":"ab","rows":3},` +
			`{"name":"b","path":"data/b.csv","bytes":8,"hash":"cd","rows":4}],"warnings":[]}`,
		"/cubes/own:h%22r%20100%25%2F%C5%BE": `{"status":"ok","name":"own:h\"r 100%/ž","title":"","country":"",` +
			`"years":null,"rows":0,"version":1,"synthetic":true,"tags":[],"measures":[],"resources":[],"warnings":[]}`,
		"/cubes/croatia/model": `{"status":"ok","cube":"croatia","version":3,"synthetic":false,"dimensions":[` +
			`{"name":"date","type":"datetime","chains":[["Year"]]},` +
			`{"name":"administrative-classification","type":"classification","classification":"administrative",` +
			`"chains":[["admin1_code","admin2_code"]]},` +
			`{"name":"units","chains":[["unit"]]},{"name":"other","chains":[["econ_code"],["fin_code"]]}],"levels":[` +
			`{"ref":"Year","dimension":"date","type":"integer","members":2},` +
			`{"ref":"admin1_code","label_ref":"admin1_label","dimension":"administrative-classification","type":"text"},` +
			`{"ref":"admin2_code","label_ref":"admin2_label","parent":"admin1_code","dimension":"administrative-classification","type":"text"},` +
			`{"ref":"unit","within":["admin1_code"],"dimension":"units","type":"text","members":1},` +
			`{"ref":"econ_code","dimension":"other","type":"text"},{"ref":"fin_code","dimension":"other","type":"text"}],` + measures +
			`"derived":[],"aggregates":["_count","approved_value.sum","approved_value.count","approved_value.avg","approved_value.min",` +
			`"approved_value.max","\"executed: cash\".sum","\"executed: cash\".count","\"executed: cash\".avg",` +
			`"\"executed: cash\".min","\"executed: cash\".max"],"series":[` +
			`{"name":"inflation","title":"Consumer prices, annual change","country":"HRV","unit":"annual_percent",` +
			`"source":"World Bank, FP.CPI.TOTL.ZG, from the data package datasets/cpi","license":"ODC-PDDL-1.0","updated":"2025-07-01","first_year":2000,"last_year":2023},` +
			`{"name":"population","title":"Total population, mid-year","country":"HRV","unit":"persons",` +
			`"source":"World Bank, SP.POP.TOTL, from the data package datasets/population","license":"ODC-PDDL-1.0","updated":"2026-03-06","first_year":2000,"last_year":2024}],"resources":[` +
			`{"name":"a","path":"data/a.csv","bytes":7,"hash":"ab","rows":3},{"name":"b","path":"data/b.csv","bytes":8,"hash":"cd","rows":4}],` +
			`"coverage":[{"field":"Year","filled":[3,4]},{"field":"unit","filled":[0,null]}],` +
			`"default_view":{"measure":"approved_value","level":"admin1_code","year":2017},"warnings":[]}`,
	} {
		r := ask(t, h, path)
		if r.status != http.StatusOK || r.body != want {
			t.Errorf("%s: status %d\n%s\nwant\n%s", path, r.status, r.body, want)
		}
	}
}

func TestCubes_None(t *testing.T) {
	r := ask(t, handler(t, &fake{}), "/cubes")
	if want := `{"status":"ok","cubes":[],"page":1,"page_size":0,"warnings":[]}`; r.body != want {
		t.Errorf("%s\nwant %s", r.body, want)
	}
}

func TestDocument_IsServedAsItIs(t *testing.T) {
	r := ask(t, handler(t, newFake(t)), "/openapi.yaml")
	if r.body != string(documentBytes(t)) || r.header.Get("Content-Type") != "application/yaml" {
		t.Error("it is not")
	}
}

func TestSchemas_AreServedAsTheyAre(t *testing.T) {
	for _, kind := range []schemas.Kind{schemas.Descriptor, schemas.Overlay} {
		text, err := schemas.Text(kind)
		if err != nil {
			t.Fatal(err)
		}
		r := ask(t, handler(t, newFake(t)), "/schemas/"+string(kind)+".schema.json")
		if r.body != string(text) || r.header.Get("Content-Type") != "application/schema+json" || r.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s is %s", kind, r.header)
		}
	}
	if r := ask(t, handler(t, newFake(t)), "/schemas/model.schema.json"); r.status != http.StatusNotFound {
		t.Errorf("another gives %d", r.status)
	}
}

// The model tells the measures that are formulas of others, and what amounts are multiplied by.
func TestModel_DerivedMeasuresAndFactors(t *testing.T) {
	store := newFake(t)
	draft := store.cubes[0].Model.Draft()
	draft.Measures[0].Factor = "-01.50"
	draft.Derived = []cube.Derived{
		{Ref: "spent", Formula: `ratio("executed: cash".sum,approved_value.sum)`, Title: "Spent"},
		{Ref: "my rate: own", Formula: "share(approved_value.sum)"},
	}
	model, err := draft.Model()
	if err != nil {
		t.Fatal(err)
	}
	store.cubes[0].Model = model
	var body struct {
		Measures   []map[string]any
		Derived    []map[string]any
		Aggregates []string
	}
	ask(t, handler(t, store), "/cubes/croatia/model").read(t, &body)
	want := []map[string]any{
		{"ref": "spent", "formula": `ratio("executed: cash".sum,approved_value.sum)`, "title": "Spent"},
		{"ref": "my rate: own", "formula": "share(approved_value.sum)"},
	}
	if !reflect.DeepEqual(body.Derived, want) {
		t.Errorf("derived: %v", body.Derived)
	}
	if factor := body.Measures[0]["factor"]; factor != json.Number("-1.5") || body.Measures[1]["factor"] != nil {
		t.Errorf("measures: %v", body.Measures)
	}
	if n := len(body.Aggregates); body.Aggregates[n-2] != "spent" || body.Aggregates[n-1] != `"my rate: own"` {
		t.Errorf("aggregates: %q", body.Aggregates)
	}
}

// CSV has no room for a mark in its rows, so its header carries it.
func TestCSV_SyntheticIsAWarning(t *testing.T) {
	for _, synthetic := range []bool{true, false} {
		f := monthly(t)
		f.cubes[0].Synthetic = synthetic
		r := ask(t, handler(t, f), monthlyQuestion+"&format=csv")
		said := strings.Contains(r.header.Get("Fiscube-Warnings"), `synthetic;message=%"the figures are made up`)
		if said != synthetic {
			t.Errorf("synthetic %t: %q", synthetic, r.header.Get("Fiscube-Warnings"))
		}
	}
}

func TestCube_TellsWhyAResourceIsLeftOut(t *testing.T) {
	store := newFake(t)
	store.cubes[0].Resources[0].LeftOut = findings.LeftRepeated
	store.cubes[0].Resources[1].LeftOut = "as an earlier release said it"
	store.cubes[0].Report = strings.Replace(budgetReport, `"rows":3}}`, `"rows":3},"left_out":"`+findings.LeftMissing+`"}`, 1)
	h := handler(t, store)
	for query, want := range map[string][2]string{
		"":         {"its rows stand in other resources", "its file is not there"},
		"?lang=es": {"sus filas están en otros recursos", "su archivo no está"},
		"?lang=hr": {"njegovi su redci u drugim resursima", "njegove datoteke nema"},
	} {
		var body struct {
			Resources []struct {
				LeftOut string `json:"left_out"`
			}
		}
		for _, path := range []string{"", "/model"} {
			ask(t, h, "/cubes/croatia"+path+query).read(t, &body)
			if r := body.Resources; r[0].LeftOut != want[0] || r[1].LeftOut != "as an earlier release said it" {
				t.Errorf("%s%s: %+v", path, query, r)
			}
		}
		ask(t, h, "/cubes/croatia/report"+query).read(t, &body)
		if got := body.Resources[0].LeftOut; got != want[1] {
			t.Errorf("report%s: %q", query, got)
		}
	}
}

// A report is what was stored, with the kinds of its findings, and their messages in the language asked for. What was stored
// without parameters keeps its message.
func TestReport(t *testing.T) {
	h := handler(t, newFake(t))
	for query, said := range map[string][4]string{
		"":                   {"looks wrong", "2 rows hold nothing and were left out", "repaired", "2015: 2 of 3 members"},
		"?lang=en":           {"looks wrong", "2 rows hold nothing and were left out", "repaired", "2015: 2 of 3 members"},
		"?lang=es":           {"parece un error", "2 filas no tienen nada y se omitieron", "corregido", "2015: 2 de 3 miembros"},
		"?version=3&lang=hr": {"izgleda pogrešno", "2 retka su prazna i izostavljena", "ispravljeno", "2015.: 2 od 3 člana"},
	} {
		findings := strings.NewReplacer(
			`"cell":"x"}]`, `"cell":"x"}],"kind":"looks-wrong","kind_text":"`+said[0]+`"`,
			"2015: 2 of 3 members", said[3],
			`"year":2015}}]`, `"year":2015}}],"kind":"looks-wrong","kind_text":"`+said[0]+`"`,
			"2 rows hold nothing and were left out", said[1],
			`{"rows":2},"count":1`, `{"rows":2},"count":1,"kind":"repaired","kind_text":"`+said[2]+`"`,
		).Replace(budgetReport[1 : len(budgetReport)-1])
		r := ask(t, h, "/cubes/croatia/report"+query)
		if want := `{"status":"ok","cube":"croatia","version":3,"synthetic":false,` + findings + `,"warnings":[]}`; r.body != want {
			t.Errorf("%s: %s\nwant %s", query, r.body, want)
		}
	}
	if p := ask(t, h, "/cubes/croatia/report?lang=tlh").problem(t); p.Code != cube.CodeBadValue || *p.Context.Parameter != "lang" {
		t.Errorf("an unknown language: %+v", p)
	}
}

func TestReport_CannotBeRead(t *testing.T) {
	store := newFake(t)
	store.cubes[0].Report = "{"
	if r := ask(t, handler(t, store), "/cubes/croatia/report"); r.status != http.StatusInternalServerError {
		t.Errorf("status %d: %s", r.status, r.body)
	}
}

func TestDescriptor_IsServedAsPublished(t *testing.T) {
	store := newFake(t)
	store.cubes[0].Descriptor = []byte("{ \"name\":\n\t\"croatia\", \"more\": 1e400 }\r\n")
	r := send(t, handler(t, store), http.MethodGet, "/cubes/croatia/datapackage.json")
	if r.status != http.StatusOK || r.body != string(store.cubes[0].Descriptor) || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("status %d, %q", r.status, r.body)
	}
}

func TestImage(t *testing.T) {
	const pixel = "GIF89a\x01\x00\x01\x00\x00\x00\x00,"
	for uri, want := range map[string]struct{ media, body string }{
		"data:image/gif;base64,R0lGODlhAQABAAAAACw=":           {"image/gif", pixel},
		"data:image/gif;base64,R0lGODlhAQABAAAAACw":            {"image/gif", pixel},
		"DATA:Image/GIF;name=x;BASE64,R0lGODlhAQAB\n AAAAACw=": {"image/gif", pixel},
		"data:image/png;base64,R0lGODlhAQABAAAAACw%3D":         {"image/png", pixel},
		"data:image/jpeg,GIF89a%01":                            {"image/jpeg", "GIF89a\x01"},
		"data:image/webp;base64,":                              {"image/webp", ""},

		"":                                      {},
		"data:":                                 {},
		"data:image/png;base64":                 {},
		"data:image/png;base64,*":               {},
		"data:image/png;base64,%zz":             {},
		"data:,image":                           {},
		"data:image/svg+xml;base64,PHN2Zy8+":    {},
		"data:text/html,<script>x</script>":     {},
		"data:text/html;image/png,x":            {},
		"https://example.org/image.png":         {},
		"javascript:image/png,alert(1)":         {},
		" data:image/gif;base64,R0lGODlhAQAB":   {},
		"data:image/png\r\nX-Evil: 1;base64,AA": {},
	} {
		store := newFake(t)
		store.cubes[0].Image = uri
		r := ask(t, handler(t, store), "/cubes/croatia/image")
		if want.media == "" {
			if r.status != http.StatusNotFound || r.problem(t).Code != cube.CodeUnknownRoute {
				t.Errorf("%q: status %d, %s", uri, r.status, r.header.Get("Content-Type"))
			}
			continue
		}
		if r.status != http.StatusOK || r.header.Get("Content-Type") != want.media || r.body != want.body {
			t.Errorf("%q: status %d, %s: %q", uri, r.status, r.header.Get("Content-Type"), r.body)
		}
		if r.header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(r.header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%q: a browser may take it for something else: %v", uri, r.header)
		}
	}
}

// The model lists where the names of members change, those of reused codes first, and says how many there are.
func TestModel_Breaks(t *testing.T) {
	store := newFake(t)
	history := &cube.LabelHistory{Renumbered: []cube.Renumbered{{Level: "admin2_code", Year: 2016, Members: 3, Of: 4}}}
	for range 600 {
		history.Breaks = append(history.Breaks, cube.LabelBreak{Level: "admin2_code", Path: []string{"01", "1"}, Before: "Health", After: "Public Health", Last: 2014, First: 2016})
	}
	history.Breaks = append(history.Breaks,
		cube.LabelBreak{Level: "admin2_code", Path: []string{"01", ""}, Reused: true, Before: "Health", After: "Sport", Last: 2014, First: 2016},
		cube.LabelBreak{Level: "admin1_code", Path: []string{"01"}, Before: "Parliament", After: "The Parliament", Last: 2014, First: 2015})
	store.cubes[0].LabelHistory = history
	var body struct {
		Levels []struct {
			Ref        string
			Breaks     []map[string]any
			BreakCount int `json:"break_count"`
			Renumbered []int
		}
	}
	ask(t, handler(t, store), "/cubes/croatia/model").read(t, &body)
	var got []string
	for _, l := range body.Levels {
		if len(l.Breaks) > 0 {
			got = append(got, fmt.Sprintln(l.Ref, len(l.Breaks), l.BreakCount, l.Renumbered, l.Breaks[0]))
		}
	}
	want := []string{
		`admin1_code 1 1 [] map[after:The Parliament before:Parliament first:2015 last:2014 path:[01] reused:false]` + "\n",
		`admin2_code 500 601 [2016] map[after:Sport before:Health first:2016 last:2014 path:[01 ] reused:true]` + "\n",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The titles are those of the language asked for, else English, else any; what has none has no title.
func TestModel_Titles(t *testing.T) {
	store := newFake(t)
	draft := store.cubes[0].Model.Draft()
	draft.Measures[0].Titles = cube.Titles{"en": "Approved", "es": "Aprobado"}
	draft.Dimensions[1].Titles = cube.Titles{"es": "Quién gasta"}
	draft.Dimensions[1].Levels[0].Titles = cube.Titles{"en": "Ministry", "hr": "Ministarstvo"}
	draft.Derived = []cube.Derived{{Ref: "spent", Formula: `ratio("executed: cash".sum,approved_value.sum)`, Title: "Spent", Titles: cube.Titles{"es": "Gastado"}}}
	model, err := draft.Model()
	if err != nil {
		t.Fatal(err)
	}
	store.cubes[0].Model = model
	h := handler(t, store)
	for lang, want := range map[string]string{
		"":                   "Approved, Quién gasta, Ministry, Gastado",
		"?lang=es":           "Aprobado, Quién gasta, Ministry, Gastado",
		"?lang=hr&version=3": "Approved, Quién gasta, Ministarstvo, Gastado",
	} {
		var body struct{ Dimensions, Levels, Measures, Derived []struct{ Title string } }
		ask(t, h, "/cubes/croatia/model"+lang).read(t, &body)
		got := strings.Join([]string{body.Measures[0].Title, body.Dimensions[1].Title, body.Levels[1].Title, body.Derived[0].Title}, ", ")
		if got != want || body.Levels[0].Title != "" {
			t.Errorf("%s: %s, want %s", lang, got, want)
		}
	}
	if p := ask(t, h, "/cubes/croatia/model?lang=tlh").problem(t); p.Code != cube.CodeBadValue {
		t.Errorf("an unknown language: %+v", p)
	}
}
