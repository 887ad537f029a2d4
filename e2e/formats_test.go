package e2e

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
	"fiscube/store/load"
)

// awkwardDescriptor is of a package whose cells are what readers of files trip over.
const awkwardDescriptor = `{
 "name": "awkward", "license": "CC0-1.0",
 "resources": [{"name": "rows", "path": "rows.csv", "mediatype": "text/csv"}],
 "schema": {"fields": [
  {"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
  {"name": "code", "type": "string"}, {"name": "name", "type": "string"}, {"name": "paid", "type": "number"}
 ]},
 "model": {
  "dimensions": {
   "date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {}}},
   "entity": {"dimensionType": "classification", "primaryKey": ["code"], "attributes": {"code": {}, "name": {"labelfor": "code"}}}
  },
  "measures": {"paid": {"currency": "EUR"}}
 }
}`

const awkwardRows = "year,code,name,paid\r\n" +
	"2021,001,\"a, \"\"b\"\"\nc; d | e\",123456789012345.67\r\n" +
	"2021,0010,=1+1,-0.05\r\n2021,-1,@SUM(A1),-98765432109876.50\r\n2021,,,10\r\n2022,001,\"x\r\ny\",\r\n" +
	"2022,ž 财,'quoted',118405000.1\r\n2022,1e5,NULL,0\r\n2022,\"\"\"\",+5 \\ %,99999999999.99\r\n"

// What DuckDB reads of each format is what JSON says: of cells with subtotals, of members, and of facts.
func TestFormats_OthersReadThem(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		if !slices.Contains(sql.Drivers(), "duckdb") {
			t.Skip("nobody reads the files: this build was made with CGO_ENABLED=0")
		}
		folder := t.TempDir()
		write(filepath.Join(folder, "datapackage.json"), []byte(awkwardDescriptor))
		write(filepath.Join(folder, "rows.csv"), []byte(awkwardRows))
		must(t, "load", "--db", db, folder)
		s := serve(t, db)
		for _, target := range []struct {
			path, rows string
			columns    []string
		}{
			{"aggregate?drilldown=year|code&aggregates=paid.sum|_count|paid.avg&rollup=1", "cells",
				[]string{"year", "code", "name", "paid.sum", "_count", "paid.avg", "_level"}},
			{"members/code?order=rows:desc", "members", []string{"code", "name", "_rows", "_first_year", "_last_year"}},
			{"facts?order=paid:desc", "facts", []string{"year", "code", "name", "paid", "_resource", "_line"}},
		} {
			want := s.inJSON(t, "/cubes/awkward/"+target.path, target.rows, target.columns)
			for format, read := range readers {
				file := s.download(t, "/cubes/awkward/"+target.path, format)
				want := want
				if format == "xlsx" {
					want = averagesRounded(want, target.columns)
				}
				if got := read(t, file, target.columns); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s:\ngot  %q\nwant %q", target.rows, format, got, want)
				}
			}
		}
	})
}

// averagesRounded gives rows with averages of the 15 digits that a spreadsheet keeps.
func averagesRounded(rows [][]any, columns []string) [][]any {
	average := slices.Index(columns, "paid.avg")
	if average < 0 {
		return rows
	}
	var list [][]any
	for _, row := range rows {
		row = slices.Clone(row)
		if text, ok := row[average].(string); ok {
			digits := strconv.FormatFloat(sure(strconv.ParseFloat(text, 64)), 'g', 15, 64)
			row[average] = sure(decimal.NewFromString(digits)).StringFixed(6)
		}
		list = append(list, row)
	}
	return list
}

// inJSON asks for rows as JSON. A cell is a text, the digits of a number, or nil.
func (s *service) inJSON(t *testing.T, path, rows string, columns []string) [][]any {
	t.Helper()
	var body map[string]json.RawMessage
	s.read(t, path, &body)
	decoder := json.NewDecoder(strings.NewReader(string(body[rows])))
	decoder.UseNumber()
	var objects []map[string]any
	if err := decoder.Decode(&objects); err != nil {
		t.Fatal(err)
	}
	var list [][]any
	for _, object := range objects {
		if rows == "members" {
			object = flat(object)
		}
		row := make([]any, len(columns))
		for i, name := range columns {
			if value, ok := object[name]; ok && value != nil {
				row[i] = fmt.Sprint(value)
			}
		}
		list = append(list, row)
	}
	return list
}

// flat is a member as the rows of other formats have it.
func flat(member map[string]any) map[string]any {
	years := member["years"].([]any)
	return map[string]any{
		"code": member["key"], "name": member["label"], "_rows": member["rows"], "_first_year": years[0], "_last_year": years[1],
	}
}

// download writes an answer into a file. The amounts of NDJSON are strings: DuckDB reads its numbers as floats.
func (s *service) download(t *testing.T, path, format string) (file string) {
	t.Helper()
	query := "&format=" + format
	if format == "ndjson" && !strings.Contains(path, "/members/") {
		query += "&numbers=string"
	}
	status, body := s.get(t, path+query)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", format, status, body)
	}
	file = filepath.Join(t.TempDir(), "file."+format)
	write(file, body)
	return file
}

// readers read a file of each format.
var readers = map[string]func(t *testing.T, file string, columns []string) [][]any{
	"csv": func(t *testing.T, file string, columns []string) [][]any {
		return inDuckDB(t, "read_csv(?, all_varchar = true, header = true, delim = ',', quote = '\"', escape = '\"', new_line = '\\r\\n')",
			file, columns)
	},
	"ndjson": func(t *testing.T, file string, columns []string) [][]any {
		var types []string
		for _, name := range columns {
			types = append(types, fmt.Sprintf("'%s': 'VARCHAR'", name))
		}
		return inDuckDB(t, "read_json(?, format = 'newline_delimited', columns = {"+strings.Join(types, ", ")+"})", file, columns)
	},
	"parquet": func(t *testing.T, file string, columns []string) [][]any {
		return inDuckDB(t, "read_parquet(?)", file, columns)
	},
	"xlsx": inExcelize,
}

func inDuckDB(t *testing.T, from, file string, columns []string) [][]any {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var selected []string
	for _, name := range columns {
		selected = append(selected, `"`+name+`"::VARCHAR`)
	}
	rows, err := db.QueryContext(t.Context(), "SELECT "+strings.Join(selected, ", ")+" FROM "+from, file)
	if err != nil {
		text, _ := os.ReadFile(file)
		t.Fatalf("%v\n%q", err, text)
	}
	defer func() { _ = rows.Close() }()
	var list [][]any
	for rows.Next() {
		row := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		list = append(list, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// inExcelize reads the values of the cells. Numbers have no decimals of their own there: they get those of the amounts.
func inExcelize(t *testing.T, file string, columns []string) [][]any {
	t.Helper()
	book, err := excelize.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = book.Close() }()
	lines, err := book.GetRows("Data", excelize.Options{RawCellValue: true})
	if err != nil || !slices.Equal(lines[1], columns) {
		t.Fatalf("%v: %q", err, lines)
	}
	decimals := map[string]int32{"paid": 2, "paid.sum": 2, "paid.avg": 6}
	var list [][]any
	for _, line := range lines[2:] {
		row := make([]any, len(columns))
		for i, text := range line {
			if scale, amount := decimals[columns[i]]; amount && text != "" {
				text = sure(decimal.NewFromString(text)).StringFixed(scale)
			}
			if text != "" {
				row[i] = text
			}
		}
		list = append(list, row)
	}
	return list
}

// Every file of every seed comes out of its resource as it was published, cell by cell, once numbers are read as
// numbers.
func TestResources_EqualTheFiles(t *testing.T) {
	t.Parallel()
	seeded.onEveryStore(t, func(t *testing.T, s *service) {
		for _, seed := range seeds.All() {
			p := describe(t, seed.FS)
			for i, resource := range p.Resources {
				name := s.resources(t, p.Name)[i]
				status, body := s.get(t, "/cubes/"+p.Name+"/resources/"+url.PathEscape(name)+"/rows.csv")
				if status != http.StatusOK {
					t.Fatalf("%s of %s: %d %s", name, p.Name, status, body)
				}
				numbers := p.numbers(i)
				compareTables(t, p.Name+", "+name, table(t, body, numbers), table(t, sure(fs.ReadFile(seed.FS, resource.Path)), numbers))
			}
		}
	})
}

// resources names the files of a cube.
func (s *service) resources(t testing.TB, cube string) []string {
	t.Helper()
	var description struct{ Resources []struct{ Name string } }
	s.read(t, "/cubes/"+cube, &description)
	var names []string
	for _, r := range description.Resources {
		names = append(names, r.Name)
	}
	return names
}

// amountName is what amounts are called in the seeds that declare them as text.
var amountName = regexp.MustCompile(`(?i)monto|_value$|^pres|^percibido`)

// numbers names the fields of a file that hold numbers.
func (p published) numbers(resource int) map[string]bool {
	names := map[string]bool{}
	for _, field := range p.Resources[resource].Schema.Fields {
		names[field.Name] = field.Type != "string" || amountName.MatchString(field.Name)
	}
	return names
}

// table reads CSV with each number written in one way.
func table(t testing.TB, text []byte, numbers map[string]bool) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		for i, cell := range row {
			if number, err := decimal.NewFromString(strings.TrimSpace(cell)); numbers[rows[0][i]] && err == nil {
				row[i] = number.String()
			}
		}
	}
	return rows
}

func compareTables(t testing.TB, what string, got, want [][]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, want %d", what, len(got), len(want))
		return
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("%s, row %d:\ngot  %q\nwant %q", what, i, got[i], want[i])
			return
		}
	}
}

// again serves the example packages, and the answers that tests load as packages beside them.
var again = &shared{examples: true}

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
	testrequire.Long(t)
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
	if _, body := s.get(t, "/cubes/dump/resources/d/rows.csv"); string(body) != "code,paid\r\na,1.50\r\nb,2.25\r\n" {
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
		path := "/cubes/" + name + "/resources/" + url.PathEscape(r.Name) + "/rows.csv"
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
	names := []string{"example-costa-rica-egresos"} // which has snapshots
	if testrequire.IsLong() {
		names = nil
		for _, seed := range seeds.All() {
			names = append(names, seed.Name)
		}
	}
	other := s.loadedAgain(t, names...)
	for _, name := range names {
		t.Run(name, func(t *testing.T) { s.isLoadedAgain(t, name, other) })
	}
}

func TestWholePackage_OfRealData(t *testing.T) {
	s := realCubes.onDuckDB(t)
	names := []string{"presupuesto-uy-desde-2011", "croatia-budget-spending"}
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
