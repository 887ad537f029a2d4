package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/internal/testrequire"
	"fiscube/store/storetest"
)

// realData is where the published packages are, beside the checkout.
const realData = "../shared/data"

// questions are the drilldowns by which the real packages are added up, with the fields that identify a cell.
var questions = []struct {
	folder, cube string
	drilldowns   []string
	keys         [][]string
}{
	{"D2-croatia", "croatia-budget-spending", []string{"Year", "admin1_code"}, [][]string{{"Year"}, {"admin1_code"}}},
	{"D6-uruguay", "presupuesto-uy-desde-2011", []string{"ANO", "ORG_ID"}, [][]string{{"ANO"}, {"ORG_ID"}}},
	{"D7-mexico", "mexico", []string{"CICLO", "ID_RAMO", "ID_UR"}, [][]string{{"CICLO"}, {"ID_RAMO"}, {"ID_RAMO", "ID_UR"}}},
}

func TestRealData_TotalsAreThoseOfTheFiles(t *testing.T) {
	t.Parallel()
	want := map[string][]*sums{}
	for _, q := range questions {
		want[q.cube] = addUp(t, os.DirFS(realPackage(t, q.folder)), q.keys...)
	}
	realCubes.onEveryStore(t, func(t *testing.T, s *service) {
		for _, q := range questions {
			for i, drilldown := range q.drilldowns {
				s.agree(t, q.cube, drilldown, want[q.cube][i])
			}
		}
	})
}

// realCubes serves the real packages.
var realCubes = &shared{load: func(t testing.TB) (folders []string) {
	for _, name := range []string{"D2-croatia", "D5-costa-rica-ingresos", "D6-uruguay", "D7-mexico", "D8-costa-rica-egresos"} {
		folders = append(folders, realPackage(t, name))
	}
	return folders
}}

// unpacked real packages, by name.
var realPackages = struct {
	mu      sync.Mutex
	folders map[string]string
}{folders: map[string]string{}}

// longRun is the run of few tests (make questions, make overload) that loads the Mexican budget whole. The ordinary run loads a
// sample with each of its units.
var longRun = os.Getenv("FISCUBE_TEST_QUERIES") != "" || os.Getenv(overloadEnv) != ""

// realPackage gives the folder of a real package, unpacked where it is packed, to a long run.
func realPackage(t testing.TB, name string) string {
	t.Helper()
	testrequire.Long(t)
	realPackages.mu.Lock()
	defer realPackages.mu.Unlock()
	switch {
	case realPackages.folders[name] != "":
	case name == "D7-mexico" && !longRun:
		realPackages.folders[name] = storetest.MexicanUnits(lasting{t})
	default:
		realPackages.folders[name] = unpackedReal(lasting{t}, name)
	}
	return realPackages.folders[name]
}

func unpackedReal(t testing.TB, name string) string {
	t.Helper()
	folder := filepath.Join(realData, name)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		testrequire.Skip(t, "data", "the real packages are not there: no folder "+folder)
	}
	packed, _ := filepath.Glob(filepath.Join(folder, "data", "*.gz"))
	if packed == nil {
		return folder
	}
	unpacked := t.TempDir()
	descriptor, err := os.ReadFile(filepath.Join(folder, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(unpacked, "datapackage.json"), descriptor)
	for _, path := range packed {
		target := filepath.Join(unpacked, "data", strings.TrimSuffix(filepath.Base(path), ".gz"))
		if err := unpack(path, target); err != nil {
			t.Fatalf("unpack %s: %v", path, err)
		}
	}
	return unpacked
}

func unpack(path, target string) error {
	packed, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = packed.Close() }()
	content, err := gzip.NewReader(packed)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	file, err := os.Create(target)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}

// snapshot is a measure in one month of a year: by a code, and in all.
type snapshot struct {
	by    map[string]decimal.NullDecimal
	whole decimal.NullDecimal
}

func readSnapshot(t testing.TB, folder, year, month, field, measure string) snapshot {
	t.Helper()
	s := snapshot{by: map[string]decimal.NullDecimal{}}
	eachRow(t, os.DirFS(folder), func(_ string, _ int, cell func(string) string) {
		if cell("ejercicio") == year && cell("mes") == month {
			amount := amountOf(t, cell(measure))
			s.by[cell(field)] = plus(s.by[cell(field)], amount)
			s.whole = plus(s.whole, amount)
		}
	})
	if len(s.by) == 0 {
		t.Fatalf("%s has no rows of %s/%s", folder, year, month)
	}
	return s
}

func plus(a, b decimal.NullDecimal) decimal.NullDecimal {
	return decimal.NullDecimal{Decimal: a.Decimal.Add(b.Decimal), Valid: a.Valid || b.Valid}
}

// Months are year to date, so a year that is not over is compared with the former one at the same month.
func TestRealData_YearsAreComparedAtTheSameMonth(t *testing.T) {
	t.Parallel()
	type test struct {
		folder, cube, field, cut, year, former, month string
		now, before                                   snapshot
	}
	tests := []*test{
		{folder: "D8-costa-rica-egresos", cube: "test-costa-rica", field: "cog_subpartida_codigo", cut: "ejercicio:2020", year: "2020", former: "2019", month: "01"},
		{folder: "D5-costa-rica-ingresos", cube: "costa-rica-presupuesto-ingresos", field: "ci_fuente_codigo", cut: "ejercicio:2019", year: "2019", former: "2018", month: "12"},
		{folder: "D5-costa-rica-ingresos", cube: "costa-rica-presupuesto-ingresos", field: "ci_fuente_codigo", cut: "ejercicio:2018|mes:..03", year: "2018", former: "2017", month: "03"},
	}
	for _, tt := range tests {
		folder := realPackage(t, tt.folder)
		tt.now = readSnapshot(t, folder, tt.year, tt.month, tt.field, "de_monto")
		tt.before = readSnapshot(t, folder, tt.former, tt.month, tt.field, "de_monto")
	}
	realCubes.onEveryStore(t, func(t *testing.T, s *service) {
		for _, tt := range tests {
			question := "cut=" + tt.cut + "&compare=ejercicio:-1&aggregates=de_monto.sum&pagesize=10000"
			a := s.ask(t, tt.cube, "drilldown="+tt.field+"&"+question)
			seen := map[string]bool{}
			for _, cell := range a.Cells {
				code := fmt.Sprint(cell[tt.field])
				compared(t, code, "de_monto.sum", cell, tt.now.by[code], tt.before.by[code])
				seen[code] = true
			}
			if all := len(union(tt.now.by, tt.before.by)); len(seen) != all || len(a.Cells) != all {
				t.Errorf("%s: %d codes in %d cells, want %d", tt.cut, len(seen), len(a.Cells), all)
			}
			compared(t, "in all", "de_monto.sum", s.ask(t, tt.cube, question).Cells[0], tt.now.whole, tt.before.whole)
		}
	})
}

func union(a, b map[string]decimal.NullDecimal) map[string]bool {
	all := map[string]bool{}
	for _, codes := range []map[string]decimal.NullDecimal{a, b} {
		for code := range codes {
			all[code] = true
		}
	}
	return all
}

// compared checks an amount beside the earlier one.
func compared(t testing.TB, what, column string, cell map[string]any, now, before decimal.NullDecimal) {
	t.Helper()
	var difference, hundredfold decimal.NullDecimal
	oneSided := cell["_change"] != nil // what is new or gone has changed from nothing, or to it
	if now.Valid && before.Valid || oneSided && (now.Valid || before.Valid) {
		difference = decimal.NewNullDecimal(now.Decimal.Sub(before.Decimal))
		hundredfold = decimal.NewNullDecimal(difference.Decimal.Shift(2))
	}
	size := decimal.NullDecimal{Decimal: before.Decimal.Abs(), Valid: before.Valid}
	for name, want := range map[string]decimal.NullDecimal{
		"": now, ".earlier": before, ".difference": difference, ".percentage": quotient(hundredfold, size),
	} {
		if got := cell[column+name]; !equal(got, want) {
			t.Errorf("%q, %s: %v, want %s", what, column+name, got, show(want))
		}
	}
}

// The real year of the Dominican Republic has its September report alone. With one of April beside it, whose
// amounts are made up, the last is counted and never both.
func TestRealData_AYearInTwoReportsIsCountedOnce(t *testing.T) {
	t.Parallel()
	const file, measure = "ingresos-actualizacion-%s__2016.csv", "percibido_aprobado"
	folder := withApril(t, realPackage(t, "D3-dominicana-ingresos"), file, measure)
	report := func(name string) (sum decimal.NullDecimal) {
		check(eachRowOf(os.DirFS(folder), "data/"+fmt.Sprintf(file, name), func(_ string, _ int, cell func(string) string) {
			sum = plus(sum, amountOf(t, cell(measure)))
		}))
		return sum
	}
	april, september := report("abril"), report("septiembre")
	onEveryStore(t, func(t *testing.T, db string) {
		must(t, "load", folder, "--db", db)
		s := serve(t, db)
		for question, want := range map[string]decimal.NullDecimal{
			"": september, "&cut=corte:abril": april, "&cut=corte:septiembre": september, "&cut=corte:..abril": april,
			"&drilldown=corte": september, "&drilldown=economica_titulo": september, "&snapshots=all": plus(april, september),
		} {
			a := s.ask(t, "republica-dominicana-ingresos", "aggregates="+measure+".sum"+question)
			if got := a.Summary[measure+".sum"]; !equal(got, want) {
				t.Errorf("%s: %v, want %s", question, got, show(want))
			}
		}
		cells := s.ask(t, "republica-dominicana-ingresos", "drilldown=corte&aggregates="+measure+".sum").Cells
		if len(cells) != 2 || !equal(cells[0][measure+".sum"], april) || !equal(cells[1][measure+".sum"], september) {
			t.Errorf("the reports are %v", cells)
		}
		s.stop(t)
	})
}

// withApril is a copy of the package with a second report of its year: the same rows with another amount in one field.
func withApril(t testing.TB, source, file, measure string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	check(os.CopyFS(folder, os.DirFS(source)))
	september := sure(os.ReadFile(filepath.Join(folder, "data", fmt.Sprintf(file, "septiembre"))))
	rows := sure(csv.NewReader(bytes.NewReader(september)).ReadAll())
	for i, row := range rows[1:] {
		row[slices.Index(rows[0], measure)] = fmt.Sprintf("%d.25", i)
	}
	var april bytes.Buffer
	check(csv.NewWriter(&april).WriteAll(rows))
	addResource(folder, fmt.Sprintf(file, "abril"), april.Bytes())
	return folder
}

// addResource adds a file to a package, described as its first one is.
func addResource(folder, file string, content []byte) {
	write(filepath.Join(folder, "data", file), content)
	var descriptor map[string]any
	path := filepath.Join(folder, "datapackage.json")
	check(json.Unmarshal(sure(os.ReadFile(path)), &descriptor))
	resources := descriptor["resources"].([]any)
	added := maps.Clone(resources[0].(map[string]any))
	delete(added, "hashcopy")
	added["name"], added["path"], added["bytes"], added["hash"] = file, "data/"+file, len(content), digest(content)
	descriptor["resources"] = append(resources, added)
	write(path, sure(json.Marshal(descriptor)))
}
