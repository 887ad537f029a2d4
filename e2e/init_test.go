package e2e

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"

	"fiscube/cube"
	"fiscube/internal/testrequire"
	"fiscube/schemas"
)

// townRows are the rows of a budget as an office exports it: semicolons, decimal commas, months since January.
func townRows() string {
	var b strings.Builder
	b.WriteString("year;month;office;office name;unit;unit name;Approved;Spent\n")
	for n := range 96 {
		year, month, unit := 2023+n/48, n/4%12+1, n%4
		fmt.Fprintf(&b, "%d;%02d;0%d;%s;0%d%d;Unit %d;\"%d.000,00\";\"%d.%03d,50\"\n", year, month, unit/2+1, []string{"Mayor", "Schools"}[unit/2],
			unit/2+1, unit, unit, 12*(unit+1), month*(unit+1), n%7)
	}
	return b.String()
}

// From a file alone to a number: the package is written, validated and loaded, and the year is its last month.
func TestInit_MakesAPackageOfABareFile(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "my-town.csv")
	write(file, []byte(townRows()))
	said := must(t, "init", file)
	says(t, said, "my-town: wrote "+filepath.Join(folder, "datapackage.json")+" and "+filepath.Join(folder, "overlay.yaml"), "96 rows in 1 file; 2 amounts, 4 levels in 3 dimensions",
		"year is the fiscal year: 96 of 96 cells are years: 2023 to 2024", "the last month of a year counts: amounts stay or grow from one month to the next: Approved in 8 of 8 keys, Spent in 8 of 8 keys",
		"not known, open in overlay.yaml: currency; unit; direction", "then: fiscube validate "+folder)
	says(t, must(t, "validate", folder), "unit (unit name) [4]", "office (office name) [2] → ", "measure Spent: 2 decimals, 0 cells missing")
	db := freshDuckDB(t)
	must(t, "load", "--db", db, folder)
	s := serve(t, db)
	got := s.ask(t, "my-town", "drilldown=year&aggregates=Approved.sum|Spent.sum&numbers=string")
	// December of a year: 12,000 for the first unit and as much again for each further one, spent with 14.00 and 10.00 and 0.50 each.
	for i, want := range []string{"map[Approved.sum:120000.00 Spent.sum:120016.00 year:2023]", "map[Approved.sum:120000.00 Spent.sum:120012.00 year:2024]"} {
		if text := fmt.Sprint(got.Cells[i]); text != want {
			t.Errorf("the year is %s, want %s", text, want)
		}
	}
	s.stop(t)
}

func TestInit_OverwritesNothing(t *testing.T) {
	for _, there := range []string{"datapackage.json", "overlay.yaml"} {
		folder := t.TempDir()
		file := filepath.Join(folder, "my-town.csv")
		write(file, []byte(townRows()))
		write(filepath.Join(folder, there), []byte("mine"))
		fails(t, exitFailed, []string{"init", file}, there+" is there already, and is not overwritten")
		left := sure(os.ReadDir(folder))
		if content := string(sure(os.ReadFile(filepath.Join(folder, there)))); len(left) != 2 || content != "mine" {
			t.Errorf("the folder has %v, and %s holds %q", left, there, content)
		}
	}
}

// Both documents name the address of their schema, as editors follow it, and a server has it there.
func TestInit_NamesSchemasThatAreServed(t *testing.T) {
	s := seeded.onDuckDB(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "my-town.csv")
	write(file, []byte(townRows()))
	must(t, "init", "--schemas", s.url+"/schemas/", file)
	var descriptor struct {
		Schema string `json:"$schema"`
	}
	check(json.Unmarshal(sure(os.ReadFile(filepath.Join(folder, "datapackage.json"))), &descriptor))
	first, _, _ := strings.Cut(string(sure(os.ReadFile(filepath.Join(folder, "overlay.yaml")))), "\n")
	overlay, isNamed := strings.CutPrefix(first, "# yaml-language-server: $schema=")
	if !isNamed {
		t.Errorf("the overlay begins %q", first)
	}
	for kind, address := range map[schemas.Kind]string{schemas.Descriptor: descriptor.Schema, schemas.Overlay: overlay} {
		if got := get(t, address); got != string(sure(schemas.Text(kind))) {
			t.Errorf("%s has %.80s", address, got)
		}
	}
	must(t, "validate", folder)
	other := t.TempDir()
	write(filepath.Join(other, "my-town.csv"), []byte(townRows()))
	must(t, "init", "--schemas", "", filepath.Join(other, "my-town.csv"))
	if text := string(sure(os.ReadFile(filepath.Join(other, "overlay.yaml")))); strings.Contains(text, "$schema") {
		t.Errorf("no address is named, and it says\n%s", text)
	}
}

func TestInit_TakesFilesOfSeveralFolders(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"2023/spending.csv", "2024/spending.csv"} {
		check(os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o755))
		write(filepath.Join(folder, name), []byte(strings.ReplaceAll("year,office,spent\nYEAR,A,10.5\nYEAR,B,20\n", "YEAR", filepath.Dir(name))))
	}
	t.Chdir(folder)
	says(t, must(t, "init", "--name", "town", "2023/spending.csv", "2024/spending.csv"), "town: wrote datapackage.json and overlay.yaml", "4 rows in 2 files", "fiscube validate .")
	says(t, must(t, "validate", "."), "2023/spending.csv", "2024/spending.csv", "30.5")
}

// A folder is described with all tables in it, whatever they are written by: here a workbook and a compressed text.
func TestInit_TakesAFolderWithAWorkbookAndACompressedFile(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "Our town")
	check(os.MkdirAll(filepath.Join(folder, "old"), 0o755))
	book := excelize.NewFile()
	for at, row := range [][]any{{"Year", "Office", "Spent"}, {2024, "A", 10.5}, {2024, "B", 20}} {
		check(book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", at+1), &row))
	}
	check(book.SaveAs(filepath.Join(folder, "2024.xlsx")))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_ = sure(w.Write([]byte(sure(charmap.KOI8U.NewEncoder().String("Year;Office ;SPENT\n2023;Освіта;7,25\n2023;Охорона здоров'я;1,50\n")))))
	check(w.Close())
	write(filepath.Join(folder, "old", "2023.csv.gz"), packed.Bytes())
	write(filepath.Join(folder, "readme.txt"), []byte("Two tables."))
	says(t, must(t, "init", folder), "our-town: wrote "+filepath.Join(folder, "datapackage.json"), "4 rows in 2 files; 1 amount", "2023   Spent    8.75", "2024   Spent   30.5")
	must(t, "validate", folder)
	db := freshDuckDB(t)
	must(t, "load", "--db", db, folder)
	s := serve(t, db)
	if got := fmt.Sprint(s.ask(t, "our-town", "drilldown=Year&aggregates=Spent.sum&numbers=string").Cells); got != "[map[Spent.sum:8.75 Year:2023] map[Spent.sum:30.50 Year:2024]]" {
		t.Errorf("the years have %s", got)
	}
	s.stop(t)
}

func TestInit_SaysWhatIsWrong(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		write(path, []byte(text))
		return path
	}
	good := file("good.csv", "year,office,spent\n2024,A,10.5\n")
	for _, test := range []struct {
		code int
		args []string
		says string
	}{
		{exitRefused, []string{"init", filepath.Join(folder, "nowhere.csv")}, "nowhere.csv cannot be read: no such file or directory"},
		{exitRefused, []string{"init", t.TempDir()}, "the folder holds no tables, such as CSV files or workbooks"},
		{exitUsage, []string{"init", good, good}, "is named twice"},
		{exitUsage, []string{"init", "--allow", "no-yeer", good}, `"no-yeer" is nothing that can be allowed`},
		{exitRefused, []string{"init", "--encoding", "utf-9", good}, "encoding utf-9 is not supported"},
		{exitRefused, []string{"init", "--name", "a/b", good}, `"a/b" is no name of a package`},
		{exitRefused, []string{"init", file("none.csv", "office,spent\nA,10.5\n")}, "no column, no name of a column and no title says the fiscal year: name it, as in --year 2024"},
	} {
		fails(t, test.code, test.args, test.says)
	}
	if _, err := os.Stat(filepath.Join(folder, "datapackage.json")); err == nil {
		t.Error("a descriptor was written")
	}
	must(t, "init", "--allow", "no-year", filepath.Join(folder, "none.csv"))
	must(t, "validate", "--allow", "no-year", folder)
}

// On a terminal a person is asked what no cell says.
func TestInit_AsksOnATerminal(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "my-town.csv")
	write(file, []byte(townRows()))
	p, terminal := onTerminalWith(t, []string{readsInput + "=1"}, "init", file)
	answer := func(question, text string) {
		t.Helper()
		eventually(t, "it asks: "+question+" in "+p.out.String(), patience, func() bool { return strings.Contains(p.out.String(), question) })
		_, err := terminal.WriteString(text + "\n")
		check(err)
	}
	answer("Title of the package [My town]: ", "Budget of my town")
	answer("Currency of the amounts, in three letters (ISO 4217): ", "euros")
	answer(`"euros" is no code of a currency, such as EUR`, "eur")
	answer("Unit of the amounts (1, 1000, 1000000): ", "1000")
	answer("Is the money spent or received (expenditure, revenue): ", "expenditure")
	answer("What are the amounts of Approved (approved, proposed, adjusted, executed) [approved]: ", "proposed")
	answer("What are the amounts of Spent (approved, proposed, adjusted, executed) [executed]: ", "")
	p.succeed(t)
	overlay := string(sure(os.ReadFile(filepath.Join(folder, "overlay.yaml"))))
	says(t, overlay, `en: "Budget of my town" # as you said`, "currency: EUR # as you said", "unit: 1000 # as you said", "phase: proposed # as you said",
		`phase: executed # its name says "spent"`, "direction: expenditure # as you said")
	must(t, "validate", folder)
}

// A person who stops it leaves nothing behind; one who ends the input gets what is known so far.
func TestInit_IsStoppedOnATerminal(t *testing.T) {
	for _, test := range []struct {
		sent    string
		code, n int
	}{{"\x03", exitFailed, 1}, {"\x04", exitDone, 3}} {
		folder := t.TempDir()
		file := filepath.Join(folder, "my-town.csv")
		write(file, []byte(townRows()))
		p, terminal := onTerminalWith(t, []string{readsInput + "=1"}, "init", file)
		eventually(t, "it asks", patience, func() bool { return strings.Contains(p.out.String(), "Title of the package") })
		_, err := terminal.WriteString(test.sent)
		check(err)
		if code := p.exit(t); code != test.code || len(sure(os.ReadDir(folder))) != test.n {
			t.Errorf("exit code %d, and the folder has %d files: %s", code, len(sure(os.ReadDir(folder))), p)
		}
	}
}

// The same over HTTP: a file or a zip of files is sent, and each answer says that nobody has checked what its columns mean. The
// package that comes of it, with its overlay corrected, is sent again.
func TestInit_OverHTTP(t *testing.T) {
	s := serveWithToken(t, freshDuckDB(t))
	latin := sure(charmap.Windows1252.NewEncoder().String(strings.ReplaceAll(townRows(), "Schools", "Educación")))
	s.sends(t, "/cubes?name=my-town", "text/csv", []byte(latin), "done", "")
	var answered struct {
		answer
		Warnings []cube.Warning
	}
	s.read(t, "/cubes/my-town/aggregate?drilldown=office&cut=year:2024&aggregates=Approved.sum&numbers=string&lang=es", &answered)
	if got := fmt.Sprint(answered.Cells); got != "[map[Approved.sum:36000.00 office:01 office name:Mayor] map[Approved.sum:84000.00 office:02 office name:Educación]]" {
		t.Errorf("the offices have %s", got)
	}
	if got := fmt.Sprint(answered.Warnings); !strings.Contains(got, "Nadie ha comprobado") {
		t.Errorf("the answer warns %s", got)
	}
	_, packed := s.get(t, "/cubes/my-town/package.zip?version=1")
	corrected := rezipped(t, packed, "overlay.yaml", func(overlay string) string {
		says(t, overlay, "96 of 96 rows: each unit has one office", "notes:")
		text, _, _ := strings.Cut(overlay, "# Each answer says so")
		return strings.Replace(text, "    # currency: EUR", "    currency: EUR", 1)
	})
	s.sends(t, "/cubes", "application/zip", corrected, "done", "")
	s.read(t, "/cubes/my-town/aggregate?aggregates=Approved.sum", &answered)
	if got := fmt.Sprint(answered.Warnings); strings.Contains(got, "checked") || s.version(t, "my-town") != 2 {
		t.Errorf("version %d warns %s", s.version(t, "my-town"), got)
	}
	two := zippedFiles(t, map[string]string{"2023.csv": "year,office,spent\n2023,A,10.5\n", "sub/2024.csv": "year,office,spent\n2024,A,20\n", "__MACOSX/2024.csv": "x", "read.me": "x"})
	s.sends(t, "/cubes?name=two", "application/zip", two, "done", "")
	if got := fmt.Sprint(s.ask(t, "two", "drilldown=year&aggregates=spent.sum").Cells); got != "[map[spent.sum:10.5 year:2023] map[spent.sum:20.0 year:2024]]" {
		t.Errorf("the years have %s", got)
	}
	answers := url.QueryEscape(`{"year": "2023/24", "currency": "eur", "unit:plan": "1000", "phase:paid": "executed"}`)
	job := s.sends(t, "/cubes?name=asked&answers="+answers, "text/csv", []byte("office,plan,paid\nA,1.5,2.5\n"), "done", "")
	says(t, job, `{"key":"currency","text":"Currency of the amounts, in three letters (ISO 4217)","answer":"eur"}`,
		`{"key":"direction:plan","choices":["expenditure","revenue"],"amount":"plan","general":"direction","text":"plan: Is the money spent or received"}`)
	_, packed = s.get(t, "/cubes/asked/package.zip?version=1")
	rezipped(t, packed, "overlay.yaml", func(overlay string) string {
		says(t, overlay, "currency: EUR # as you said\n    unit: 1000 # as you said", "phase: executed # as you said", "    # direction: expenditure")
		return overlay
	})
	s.sends(t, "/cubes?name=x&answers="+url.QueryEscape(`{"curency": "EUR", "year": "2024", "unit": "5"}`), "text/csv", []byte("office,spent\nA,1.5\n"), "refused",
		`nothing asks for "curency"; the questions are year, sheet, title, currency, unit, direction, phase:spent`)
	s.sends(t, "/cubes?name=a/b", "text/csv", []byte(latin), "refused", `"a/b" is no name of a package`)
	s.sends(t, "/cubes?name=x", "text/csv", []byte("office,spent\nA,1.5\n"), "refused", "x.csv: no column, no name of a column and no title says the fiscal year")
	s.sends(t, "/cubes?name=x", "text/tab-separated-values", []byte("office\tspent\nA\t1.5\n"), "refused", "x.tsv: no column, no name of a column and no title says the fiscal year")
	s.sends(t, "/cubes?name=x", "text/csv; charset=utf-9", []byte(latin), "refused", "encoding utf-9 is not supported")
	s.sends(t, "/cubes?name=x", "application/zip", packed, "refused", "which names the cube: send it without a name")
	s.sends(t, "/cubes", "application/zip", two, "refused", "it holds no datapackage.json")
	s.stop(t)
}

// sends sends a package and waits for the end of its job.
func (s *service) sends(t *testing.T, path, media string, body []byte, state, problem string) (text string) {
	t.Helper()
	request := sure(http.NewRequest(http.MethodPost, s.url+path, bytes.NewReader(body)))
	request.Header.Set("Authorization", "Bearer "+secret)
	request.Header.Set("Content-Type", media)
	response := sure(client.Do(request))
	text = string(sure(io.ReadAll(response.Body)))
	_ = response.Body.Close()
	var job struct{ ID, State string }
	if err := json.Unmarshal([]byte(text), &job); err != nil || response.StatusCode != http.StatusAccepted {
		t.Fatalf("POST %s: %s %s", path, response.Status, text)
	}
	eventually(t, "the job ends", patience, func() bool {
		request := sure(http.NewRequest(http.MethodGet, s.url+"/jobs/"+job.ID, nil))
		request.Header.Set("Authorization", "Bearer "+secret)
		response := sure(client.Do(request))
		text = string(sure(io.ReadAll(response.Body)))
		_ = response.Body.Close()
		check(json.Unmarshal([]byte(text), &job))
		return job.State != "waiting" && job.State != "running"
	})
	var said struct{ Problem struct{ Problems []string } }
	check(json.Unmarshal([]byte(text), &said))
	if job.State != state || !strings.Contains(strings.Join(said.Problem.Problems, "\n"), problem) {
		t.Errorf("POST %s ended %s: %s", path, job.State, text)
	}
	return text
}

func zippedFiles(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var data bytes.Buffer
	w := zip.NewWriter(&data)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		_ = sure(sure(w.Create(name)).Write([]byte(files[name])))
	}
	check(w.Close())
	return data.Bytes()
}

// rezipped changes a file of a zip.
func rezipped(t *testing.T, packed []byte, name string, change func(string) string) []byte {
	t.Helper()
	files := map[string]string{}
	for _, f := range sure(zip.NewReader(bytes.NewReader(packed), int64(len(packed)))).File {
		files[f.Name] = string(sure(io.ReadAll(sure(f.Open()))))
	}
	files[name] = change(files[name])
	return zippedFiles(t, files)
}

// Real files, of which nobody has prepared one, give the sums that are known of them, and none that adds up what must not be added.
func TestInit_ReadsFilesAsTheyArePublished(t *testing.T) {
	folder := filepath.Join(filepath.Dir(realData), "wild")
	text, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	if err != nil {
		testrequire.Skip(t, "data", "there are no published files")
	}
	var published map[string]struct {
		File  string
		Flags []string
		Have  map[string][]string
		Never []string
	}
	check(json.Unmarshal(text, &published))
	if len(published) < 9 {
		t.Fatalf("%d files are known", len(published))
	}
	for name, p := range published {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own := t.TempDir()
			path := filepath.Join(own, p.File)
			write(path, sure(os.ReadFile(filepath.Join(folder, p.File))))
			must(t, slices.Concat([]string{"init", "--yes", "--name", "wild"}, p.Flags, []string{path})...)
			db := freshDuckDB(t)
			must(t, "load", own, "--db", db)
			s := serve(t, db)
			defer s.stop(t)
			sums := s.sumsByYear(t, "wild")
			for year, amounts := range p.Have {
				for _, amount := range amounts {
					if !slices.ContainsFunc(sums, func(sum yearSum) bool {
						return (sum.year == year || year == "*") && sum.amount.Equal(decimal.RequireFromString(amount))
					}) {
						t.Errorf("no measure has %s in %s: %v", amount, year, sums)
					}
				}
			}
			for _, amount := range p.Never {
				if slices.ContainsFunc(sums, func(sum yearSum) bool { return sum.amount.Equal(decimal.RequireFromString(amount)) }) {
					t.Errorf("%s is the sum of a measure: %v", amount, sums)
				}
			}
		})
	}
}

// yearSum is the sum of a measure in a year, or in all years, for which it is "".
type yearSum struct {
	year, measure string
	amount        decimal.Decimal
}

// sumsByYear asks for the sums of all measures by year and over all years, by the API and by /api/3.
func (s *service) sumsByYear(t *testing.T, cube string) (list []yearSum) {
	t.Helper()
	var model struct{ Measures []struct{ Ref string } }
	s.read(t, "/cubes/"+cube+"/model", &model)
	years := s.levelOfYears(t, cube)
	for _, m := range model.Measures {
		aggregate := url.QueryEscape(`"` + m.Ref + `".sum`)
		for _, row := range sure(csv.NewReader(strings.NewReader(get(t, s.url+"/cubes/"+cube+"/aggregate?format=csv&drilldown="+years+"&aggregates="+aggregate))).ReadAll())[1:] {
			if amount, err := decimal.NewFromString(row[len(row)-1]); err == nil {
				list = append(list, yearSum{row[0], m.Ref, amount})
			}
		}
		all := sure(csv.NewReader(strings.NewReader(get(t, s.url+"/cubes/"+cube+"/aggregate?format=csv&aggregates="+aggregate))).ReadAll())
		if amount, err := decimal.NewFromString(all[1][len(all[1])-1]); err == nil {
			list = append(list, yearSum{"", m.Ref, amount})
		}
	}
	return list
}

// levelOfYears names the level of the fiscal year, as a drilldown does.
func (s *service) levelOfYears(t *testing.T, cube string) string {
	t.Helper()
	var model struct {
		Levels []struct{ Ref, Dimension, Type string }
	}
	s.read(t, "/cubes/"+cube+"/model", &model)
	for _, l := range model.Levels {
		if l.Dimension == "date" && l.Type == "integer" {
			return url.QueryEscape(`"` + l.Ref + `"`)
		}
	}
	t.Fatalf("the model has no fiscal year: %v", model)
	return ""
}
