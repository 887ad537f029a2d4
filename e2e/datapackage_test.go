package e2e

import (
	"archive/zip"
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/store"
	"fiscube/store/load"
)

// again is a server of the example packages into which answers are loaded as packages of their own.
type again struct {
	url   string
	store store.Store
}

func answersAgain(t *testing.T) again {
	t.Helper()
	s := seededStore(t)
	server := httptest.NewServer(api.New(cube.NewEngine(s), api.Options{Document: sure(os.ReadFile(openapi)), Log: slog.New(slog.DiscardHandler)}))
	t.Cleanup(server.Close)
	return again{server.URL, s}
}

// load asks for a data package and loads it.
func (a again) load(t *testing.T, name, question string) *cube.Cube {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answer.zip")
	write(path, []byte(get(t, a.url+"/cubes/"+name+"/package.zip?"+question)))
	source, err := load.OpenWith(context.Background(), path, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = source.Close() }()
	loaded, err := load.Run(t.Context(), a.store, source, load.Silent{})
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Cube
}

// answer is what a question and its answer asked again must have in common.
func (a again) answer(t *testing.T, name, question string) (body struct {
	Total    int `json:"total_cell_count"`
	Cells    []map[string]any
	Summary  map[string]any
	Measures map[string]struct {
		Title, Currency, Phase, Direction string
		Unit                              int
	}
	Synthetic bool
}) {
	t.Helper()
	text := get(t, a.url+"/cubes/"+name+"/aggregate?numbers=string&"+question)
	if err := json.Unmarshal([]byte(strings.NewReplacer(".sum", "", `\"`, "").Replace(text)), &body); err != nil || body.Cells == nil {
		t.Fatalf("%v %s", err, text)
	}
	return body
}

var sumOf = regexp.MustCompile(`\w+\.sum`)

// An answer that is loaded as a package answers the question again, and others of its dimensions.
func TestDataPackage_AnswersItsQuestionAgain(t *testing.T) {
	a := answersAgain(t)
	for name, tt := range map[string]struct{ cube, packed, asked string }{
		"as it is":        {"example-croatia", "drilldown=Year|admin2_code", "drilldown=Year|admin2_code&aggregates=approved_value.sum|executed_value.sum"},
		"less deep":       {"example-croatia", "drilldown=Year|admin2_code", "drilldown=admin1_code&aggregates=approved_value.sum"},
		"cut by year":     {"example-croatia", "drilldown=Year|admin2_code", "drilldown=admin1_code&cut=Year:2019&aggregates=approved_value.sum"},
		"within others":   {"example-uruguay", "drilldown=PROYECTO_ID|ANO", "drilldown=PROYECTO_ID&aggregates=MONTO_APROBADO.sum"},
		"statements":      {"example-costa-rica-egresos", "drilldown=ejercicio|mes|programa_codigo", "drilldown=ejercicio&aggregates=de_monto.sum"},
		"some statements": {"example-costa-rica-egresos", "drilldown=ejercicio|mes|titulo_codigo", "cut=mes:..06&drilldown=titulo_codigo&aggregates=de_monto.sum"},
		"all statements":  {"example-ciudad-de-mexico", "drilldown=ciclo|periodo|sector&snapshots=all", "drilldown=ciclo&aggregates=monto_aprobado.sum"},
		"the last ones":   {"example-costa-rica-egresos", "drilldown=titulo_codigo|ejercicio", "drilldown=titulo_codigo&aggregates=de_monto.sum"},
		"in Spanish":      {"example-mexico", "drilldown=ID_RAMO|CICLO&lang=es&aggregates=MONTO_APROBADO.sum", "lang=es&drilldown=CICLO&aggregates=MONTO_APROBADO.sum"},
	} {
		t.Run(name, func(t *testing.T) {
			loaded := a.load(t, tt.cube, tt.packed)
			want := a.answer(t, tt.cube, tt.asked)
			got := a.answer(t, loaded.Name, sumOf.ReplaceAllString(tt.asked, `%22$0%22.sum`))
			if !reflect.DeepEqual(got, want) || !got.Synthetic || want.Total == 0 {
				t.Errorf("\ngot  %+v\nwant %+v", got, want)
			}
			report, err := loaded.LoadReport()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Findings {
				if f.Code != load.CodeFieldLeftOut || f.Field != "_count" {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// Rows that state the money of others again are no amounts to be added up.
func TestDataPackage_OfWhatDoesNotAddUpHasNoMeasures(t *testing.T) {
	a := answersAgain(t)
	for _, tt := range [][2]string{
		{"example-croatia", "drilldown=Year|admin1_code&rollup=1"}, {"example-costa-rica-egresos", "drilldown=mes|titulo_codigo"},
		{"example-croatia", "drilldown=Year|admin1_code&top=2&remainder=1"},
		{"example-costa-rica-egresos", "drilldown=ejercicio|titulo_codigo&snapshots=all&aggregates=pa_monto.sum"},
	} {
		if loaded := a.load(t, tt[0], tt[1]); len(loaded.Model.Measures()) > 0 || len(loaded.Model.Levels()) < 2 {
			t.Errorf("%s: %v of %v", tt[1], loaded.Model.Measures(), loaded.Model.Levels())
		}
	}
}

// What is loaded of an answer is no more than that, and says so wherever it is told.
func TestDataPackage_SaysWhatItIsOf(t *testing.T) {
	a := answersAgain(t)
	loaded := a.load(t, "example-croatia", "drilldown=Year&cut=admin1_code:025&lang=es")
	body := get(t, a.url+"/cubes/"+loaded.Name+"/aggregate?cite=1&lang=es")
	says(t, body, "(extracto)", "Las filas son la respuesta a una pregunta: "+a.url+"/cubes/example-croatia/aggregate?drilldown=Year&cut=admin1_code%3A%22025%22")
}

// Whatever is asked, the package of its answer is one that can be loaded.
func TestDataPackage_OfAllKindsOfQuestions(t *testing.T) {
	a := answersAgain(t)
	for _, tt := range [][2]string{
		{"example-croatia", ""},
		{"example-croatia", "drilldown=Year&aggregates=approved_value.avg|approved_value.min|approved_value.count|ratio(executed_value.sum,approved_value.sum)"},
		{"example-croatia", "drilldown=admin1_code&top=3&remainder=1&order=approved_value.sum:desc&links=1&cite=1"},
		{"example-croatia", "drilldown=admin1_code&cut=Year:2017&compare=Year:2016&aggregates=approved_value.sum"},
		{"example-croatia", "drilldown=econ3_code&aggregates=share(approved_value.sum)"},
		{"example-mexico", "drilldown=ID_PP|ID_CLAVE_CARTERA&cut=CICLO:2010"},
		{"example-paraguay", "drilldown=codigoPrograma|funcion|objetoGasto"},
		{"example-dominicana", "drilldown=periodo|corte|economica_grupo"},
		{"example-ciudad-de-mexico", "drilldown=ciclo|unidad_responsable|programa_presupuestario"},
		{"example-costa-rica-ingresos", "drilldown=ci_subpartida_codigo&snapshots=all"},
	} {
		if loaded := a.load(t, tt[0], tt[1]); loaded.Rows == 0 {
			t.Errorf("%s: there are no rows", tt[1])
		}
	}
}

// Dumps have columns of their own beside the published ones.
func TestLoad_LeavesOutFieldsWithNamesLikeOurOwn(t *testing.T) {
	folder := t.TempDir()
	write(filepath.Join(folder, "datapackage.json"), []byte(`{"name": "dump", "resources": [{"name": "d", "path": "d.csv",
	 "schema": {"fields": [{"name": "_id", "type": "integer"}, {"name": "code", "type": "string"}, {"name": "paid", "type": "number"}]},
	 "model": {"dimensions": {"entity": {"dimensionType": "other", "primaryKey": ["code"]}}, "measures": {"paid": {}}}}]}`))
	write(filepath.Join(folder, "d.csv"), []byte("_id,code,paid\r\n1,a,1.50\r\n2,b,2.25\r\n"))
	db := freshDuckDB(t)
	says(t, must(t, "load", "--db", db, folder), "_id", "it is left out: names that begin with _ are fiscube's own")
	s := serve(t, db)
	if got := s.ask(t, "dump", "aggregates=paid.sum").Summary["paid.sum"]; got != json.Number("3.75") {
		t.Errorf("paid is %v", got)
	}
	if _, body := s.get(t, "/cubes/dump/resources/d"); string(body) != "code,paid\r\na,1.50\r\nb,2.25\r\n" {
		t.Errorf("%q", body)
	}
}

func TestDataPackage_SaysThatItIsSynthetic(t *testing.T) {
	a := answersAgain(t)
	path := filepath.Join(t.TempDir(), "answer.zip")
	write(path, []byte(get(t, a.url+"/cubes/example-croatia/package.zip?drilldown=Year")))
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	folder := t.TempDir()
	if err := os.CopyFS(folder, archive); err != nil {
		t.Fatal(err)
	}
	db := freshDuckDB(t)
	must(t, "validate", folder)
	must(t, "load", "--db", db, folder)
	says(t, must(t, "list", "--db", db), "[synthetic]", "2016-2019")
}
