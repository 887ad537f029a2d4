package e2e

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"fiscube/cube/findings"
	"fiscube/store/load"
)

// again serves the example packages, and the answers that tests load as packages beside them.
var again = &shared{flags: []string{"--seed"}}

// loadAnswer asks for a data package, loads it beside the server, and gives the name of its cube.
func (s *service) loadAnswer(t *testing.T, name, question string) (loaded string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answer.zip")
	write(path, []byte(get(t, s.url+"/cubes/"+name+"/package.zip?"+question)))
	loaded, _, _ = strings.Cut(must(t, "load", "--db", again.store(t, kinds[0]), "--allow=no-measures", path), ": version ")
	return loaded
}

// answer is what a question and its answer asked again must have in common.
func (s *service) answerAgain(t *testing.T, name, question string) (body struct {
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
	text := get(t, s.url+"/cubes/"+name+"/aggregate?numbers=string&"+question)
	if err := json.Unmarshal([]byte(strings.NewReplacer(".sum", "", `\"`, "").Replace(text)), &body); err != nil || body.Cells == nil {
		t.Fatalf("%v %s", err, text)
	}
	return body
}

var sumOf = regexp.MustCompile(`\w+\.sum`)

// An answer that is loaded as a package answers the question again, and others of its dimensions.
func TestDataPackage_AnswersItsQuestionAgain(t *testing.T) {
	s := again.onDuckDB(t)
	for name, tt := range map[string]struct{ cube, packed, asked string }{
		"as it is":        {"example-croatia", "drilldown=Year|admin2_code", "drilldown=Year|admin2_code&aggregates=approved_value.sum|executed_value.sum"},
		"less deep":       {"example-croatia", "drilldown=Year|admin2_code", "drilldown=admin1_code&aggregates=approved_value.sum"},
		"cut by year":     {"example-croatia", "drilldown=Year|admin2_code", "drilldown=admin1_code&cut=Year:2019&aggregates=approved_value.sum"},
		"within others":   {"example-uruguay", "drilldown=PROYECTO_ID|ANO", "drilldown=PROYECTO_ID&aggregates=MONTO_APROBADO.sum"},
		"statements":      {"example-costa-rica-egresos", "drilldown=ejercicio|mes|programa_codigo", "drilldown=ejercicio&aggregates=de_monto.sum"},
		"some statements": {"example-costa-rica-egresos", "drilldown=ejercicio|mes|titulo_codigo", "cut=mes:..06&drilldown=titulo_codigo&aggregates=de_monto.sum"},
		"all statements":  {"example-ciudad-de-mexico", "drilldown=ciclo|periodo|sector&snapshots=all", "drilldown=ciclo&aggregates=monto_aprobado.sum"},
		"the last ones":   {"example-costa-rica-egresos", "drilldown=titulo_codigo|ejercicio", "drilldown=titulo_codigo&aggregates=de_monto.sum"},
		"editions":        {"example-mexico", "drilldown=ID_FUNCION|CICLO&aggregates=MONTO_APROBADO.sum", "drilldown=ID_FUNCION&aggregates=MONTO_APROBADO.sum"},
		"in Spanish":      {"example-mexico", "drilldown=ID_RAMO|CICLO&lang=es&aggregates=MONTO_APROBADO.sum", "lang=es&drilldown=CICLO&aggregates=MONTO_APROBADO.sum"},
	} {
		t.Run(name, func(t *testing.T) {
			loaded := s.loadAnswer(t, tt.cube, tt.packed)
			want := s.answerAgain(t, tt.cube, tt.asked)
			got := s.answerAgain(t, loaded, sumOf.ReplaceAllString(tt.asked, `%22$0%22.sum`))
			if !reflect.DeepEqual(got, want) || !got.Synthetic || want.Total == 0 {
				t.Errorf("\ngot  %+v\nwant %+v", got, want)
			}
			var report findings.Report
			s.read(t, "/cubes/"+loaded+"/report", &report)
			for _, f := range report.Findings {
				if f.Code != load.CodeFieldLeftOut || f.Field != "_count" {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// An answer without the year is loaded as it is, since it was asked for so. Any other package needs the year.
func TestDataPackage_WithoutYear(t *testing.T) {
	s := again.onDuckDB(t)
	for _, tt := range [][3]string{
		{"example-paraguay", "drilldown=codigoEntidad", "aggregates=montoVigente.sum|montoEjecutado.sum"},
		{"example-croatia", "drilldown=admin2_code", "aggregates=approved_value.sum"},
		{"example-uruguay", "drilldown=PROYECTO_ID", "aggregates=MONTO_APROBADO.sum"},
		{"example-costa-rica-egresos", "drilldown=titulo_codigo&cut=ejercicio:2019", "aggregates=de_monto.sum"},
	} {
		path := filepath.Join(t.TempDir(), "answer.zip")
		write(path, []byte(get(t, s.url+"/cubes/"+tt[0]+"/package.zip?"+tt[1]+"&"+tt[2])))
		loaded, _, _ := strings.Cut(must(t, "load", "--db", again.store(t, kinds[0]), path), ": version ")
		want := s.answerAgain(t, tt[0], tt[1]+"&"+tt[2])
		level, _, _ := strings.Cut(tt[1], "&")
		got := s.answerAgain(t, loaded, level+"&"+sumOf.ReplaceAllString(tt[2], `%22$0%22.sum`))
		if !reflect.DeepEqual(got, want) || want.Total == 0 {
			t.Errorf("\ngot  %+v\nwant %+v", got, want)
		}
		says(t, get(t, s.url+"/cubes/"+loaded+"/report"), `"no-year"`, `"warning"`)
	}
}

// Sums of the widest amounts need more digits than any of the amounts, and are loaded again all the same.
func TestDataPackage_OfWideAmounts(t *testing.T) {
	folder := t.TempDir()
	write(filepath.Join(folder, "datapackage.json"), []byte(`{"name": "wide-amounts", "resources": [{"name": "d", "path": "d.csv",
	 "schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
	  {"name": "code", "type": "string"}, {"name": "paid", "type": "number"}]},
	 "model": {"dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
	  "entity": {"dimensionType": "other", "primaryKey": ["code"]}}, "measures": {"paid": {}}}}]}`))
	write(filepath.Join(folder, "d.csv"), []byte("year,code,paid\n"+strings.Repeat("2020,a,9999999999999999999999999.999\n", 300)))
	must(t, "load", "--db", again.store(t, kinds[0]), folder)
	s := again.onDuckDB(t)
	loaded := s.loadAnswer(t, "wide-amounts", "drilldown=year|code")
	got := s.answerAgain(t, loaded, `aggregates=%22paid.sum%22.sum`).Summary["paid"]
	if want := "2999999999999999999999999999.700"; got != want {
		t.Errorf("the sum is %v, want %s", got, want)
	}
}

// Rows that state the money of others again are no amounts to be added up.
func TestDataPackage_OfWhatDoesNotAddUpHasNoMeasures(t *testing.T) {
	s := again.onDuckDB(t)
	for _, tt := range [][2]string{
		{"example-croatia", "drilldown=Year|admin1_code&rollup=1"}, {"example-costa-rica-egresos", "drilldown=mes|titulo_codigo"},
		{"example-croatia", "drilldown=Year|admin1_code&top=2&remainder=1"},
		{"example-costa-rica-egresos", "drilldown=ejercicio|titulo_codigo&snapshots=all&aggregates=pa_monto.sum"},
	} {
		var model struct{ Measures, Levels []struct{ Ref string } }
		s.read(t, "/cubes/"+s.loadAnswer(t, tt[0], tt[1])+"/model", &model)
		if len(model.Measures) > 0 || len(model.Levels) < 2 {
			t.Errorf("%s: %v of %v", tt[1], model.Measures, model.Levels)
		}
	}
}

// A cube that is loaded from an answer says that it is an extract, and of what.
func TestDataPackage_SaysWhatItIsOf(t *testing.T) {
	s := again.onDuckDB(t)
	loaded := s.loadAnswer(t, "example-croatia", "drilldown=Year&cut=admin1_code:025&lang=es")
	body := get(t, s.url+"/cubes/"+loaded+"/aggregate?cite=1&lang=es")
	says(t, body, "(extracto)", "Las filas son la respuesta a una pregunta: "+s.url+"/cubes/example-croatia/aggregate?drilldown=Year&cut=admin1_code%3A%22025%22")
}

// Whatever is asked, the package of its answer is one that can be loaded.
func TestDataPackage_OfAllKindsOfQuestions(t *testing.T) {
	s := again.onDuckDB(t)
	for _, tt := range [][2]string{
		{"example-croatia", "aggregates=approved_value.sum|_count"},
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
		var loaded struct{ Rows int }
		if s.read(t, "/cubes/"+s.loadAnswer(t, tt[0], tt[1]), &loaded); loaded.Rows == 0 {
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
	says(t, must(t, "load", "--db", db, "--allow=no-year", folder), "_id", "it is left out: names that begin with _ are fiscube's own")
	s := serve(t, db)
	if got := s.ask(t, "dump", "aggregates=paid.sum").Summary["paid.sum"]; got != json.Number("3.75") {
		t.Errorf("paid is %v", got)
	}
	if _, body := s.get(t, "/cubes/dump/resources/d"); string(body) != "code,paid\r\na,1.50\r\nb,2.25\r\n" {
		t.Errorf("%q", body)
	}
}

func TestDataPackage_SaysThatItIsSynthetic(t *testing.T) {
	s := again.onDuckDB(t)
	path := filepath.Join(t.TempDir(), "answer.zip")
	write(path, []byte(get(t, s.url+"/cubes/example-croatia/package.zip?drilldown=Year")))
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
