package e2e

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/internal/testfolder"
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
		realPackages.folders[name] = sampleOfUnits(lasting{t})
	default:
		realPackages.folders[name] = testfolder.Real(lasting{t}, name)
	}
	return realPackages.folders[name]
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

// The page of a number names the lines that earlier months have and the last one does not, which alone is counted, and those alone.
func TestRealData_LinesNotInTheLastReport(t *testing.T) {
	t.Parallel()
	const field, missing = "ci_fuente_codigo", "Amounts may be missing here"
	folder := realPackage(t, "D5-costa-rica-ingresos")
	last, may := readSnapshot(t, folder, "2019", "12", field, "de_monto"), readSnapshot(t, folder, "2019", "05", field, "de_monto")
	var codes []string
	for code := range may.by {
		if _, ok := last.by[code]; !ok {
			codes = append(codes, code)
		}
	}
	if len(codes) != 1 {
		t.Fatalf("%d codes of May are not in December: %v", len(codes), codes)
	}
	realCubes.onEveryStore(t, func(t *testing.T, s *service) {
		of := func(cut string) string {
			return strings.ReplaceAll(s.pageAt(t, "/explore/costa-rica-presupuesto-ingresos/number?lang=en&aggregates=de_monto.sum&cut=ejercicio:2019"+cut), ",", "")
		}
		left := ", exactly " + show(may.by[codes[0]]) + ": "
		for _, page := range []string{of(""), of("%7C" + field + ":" + codes[0])} {
			_, sentence, _ := strings.Cut(page, missing+": 1 budget line is")
			sentence, _, _ = strings.Cut(sentence, "</li>")
			if !strings.Contains(sentence, strings.ReplaceAll(left, ",", "")) || !strings.HasSuffix(sentence, "("+codes[0]+") in 2019 (Month 01–05).") {
				t.Errorf("%q does not name %s with %s", sentence, codes[0], left)
			}
		}
		for code := range last.by {
			if page := of("%7C" + field + ":" + code); strings.Contains(page, missing) {
				t.Errorf("the page of %s says %s", code, missing)
			}
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

// The functions of the package are numbered anew in 2017: the report and validate say so, and the model lists which.
func TestReform_IsReportedAndInTheModel(t *testing.T) {
	folder := t.TempDir()
	check(os.CopyFS(folder, storetest.Package("housing")))
	const reused = `1: "Health" (2011), "Environment" (2017)`
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", folder, "--db", db)
		if printed := must(t, "validate", folder); !strings.Contains(printed, "code-reused") || !strings.Contains(printed, reused) {
			t.Errorf("validate says\n%s", printed)
		}
		s := serve(t, db)
		defer s.stop(t)
		var report struct {
			Findings []struct {
				Code, Severity, Field string
				Count                 int
				Places                []struct{ Cell string }
			}
		}
		s.read(t, "/cubes/reform/report", &report)
		var found []string
		for _, f := range report.Findings {
			found = append(found, fmt.Sprint(f.Code, " ", f.Severity, " ", f.Field, " ", f.Count, " ", f.Places[0].Cell))
		}
		if want := []string{
			"level-renumbered warning function 1 2017: 3 of 3 members", `code-reused warning function 3 2/` + reused,
		}; !slices.Equal(found, want) {
			t.Errorf("found %q, want %q", found, want)
		}
		var model struct {
			Levels []struct {
				Ref        string
				Renumbered []int
				Breaks     []struct {
					Path          []string
					Reused        bool
					Before, After string
					Last, First   int
				}
			}
		}
		s.read(t, "/cubes/reform/model", &model)
		want := "{function [2017] [{[2 1] true Health Environment 2011 2017} {[2 2] true Sport Pensions 2011 2017} {[2 3] true Housing Health 2011 2017}]}"
		if got := fmt.Sprint(model.Levels[2]); got != want {
			t.Errorf("the level is %s, want %s", got, want)
		}
	})
}

// joinedMexico serves years of the real budget of Mexico between which the functions are numbered anew.
var joinedMexico = &shared{load: func(t testing.TB) []string { return []string{joinedFolder(t)} }}

// joinedFolder gives the folder of the package that joinedMexico serves.
func joinedFolder(t testing.TB) string {
	testrequire.Long(t)
	t.Helper()
	realPackages.mu.Lock()
	defer realPackages.mu.Unlock()
	const name = "joined Mexico"
	if realPackages.folders[name] == "" {
		realPackages.folders[name] = sampleOfYears(lasting{t})
	}
	return realPackages.folders[name]
}

// The functions of Mexico are numbered anew in 2012, as the overlay says: 2/3 was Urbanización and is Salud, which was 2/1. The
// amounts of each code are added up from the files, apart for each year.
func TestRealData_FunctionsOfMexicoAreApart(t *testing.T) {
	t.Parallel()
	folder := joinedFolder(t)
	want := map[string]decimal.NullDecimal{} // by year, group and function
	eachRow(t, os.DirFS(folder), func(_ string, _ int, cell func(string) string) {
		key := cell("CICLO") + " " + cell("GPO_FUNCIONAL") + "/" + cell("ID_FUNCION")
		want[key] = plus(want[key], amountOf(t, cell("MONTO_APROBADO")))
	})
	joinedMexico.onEveryStore(t, func(t *testing.T, s *service) {
		const amount = "aggregates=MONTO_APROBADO.sum"
		cells := s.ask(t, "mexico", "drilldown=CICLO|ID_FUNCION&pagesize=1000&"+amount).Cells
		for _, cell := range cells {
			year := fmt.Sprint(cell["CICLO"])
			key := fmt.Sprint(year, " ", cell["GPO_FUNCIONAL"], "/", cell["ID_FUNCION"])
			edition := map[string]string{"2008": "2008", "2010": "2008", "2017": "2012"}[year]
			if !equal(cell["MONTO_APROBADO.sum"], want[key]) || fmt.Sprint(cell["ID_FUNCION_edition"]) != edition {
				t.Errorf("%s is %v, want %s of the edition %s", key, cell, show(want[key]), edition)
			}
		}
		if len(cells) != len(want) {
			t.Errorf("%d cells, want %d", len(cells), len(want))
		}
		urban := plus(want["2008 2/3"], want["2010 2/3"])
		for cut, sum := range map[string]decimal.NullDecimal{
			"functional-classification:2/3@2012":                   want["2017 2/3"],
			"functional-classification:2/3@2008":                   urban,
			"functional-classification:2/3":                        plus(urban, want["2017 2/3"]),
			"GPO_FUNCIONAL:2|ID_FUNCION:3@2012;1@2008":             plus(want["2017 2/3"], plus(want["2008 2/1"], want["2010 2/1"])),
			"GPO_FUNCIONAL:2|ID_FUNCION:3|ID_FUNCION_edition:2012": want["2017 2/3"],
		} {
			if got := s.ask(t, "mexico", amount+"&cut="+cut).Summary["MONTO_APROBADO.sum"]; !equal(got, sum) {
				t.Errorf("%s: %v, want %s", cut, got, show(sum))
			}
		}
		s.namesFunctionsByEdition(t)
		s.comparesTheSameFunctions(t, want)
		s.comparesNoFunctionsOfOtherEditions(t)
	})
}

// namesFunctionsByEdition checks that members, trees, searches, citations and the report tell the editions apart.
func (s *service) namesFunctionsByEdition(t *testing.T) {
	t.Helper()
	var members struct {
		Members []struct {
			Path, Label string
			SameAs      string `json:"same_as"`
		}
	}
	s.read(t, "/cubes/mexico/members/ID_FUNCION?pagesize=100&parent=2", &members)
	var tree struct {
		Nodes []struct{ Path, Label string }
	}
	s.read(t, "/cubes/mexico/tree/functional-classification?path=2&aggregates=_count", &tree)
	names := map[string]string{}
	for _, m := range members.Members {
		names["member "+m.Path], names["same as "+m.Path] = m.Label, m.SameAs
	}
	for _, n := range tree.Nodes {
		names["node "+n.Path] = n.Label
	}
	for _, h := range s.search(t, "salud", "&pagesize=100").Hits {
		if h.Level != nil && *h.Level == "ID_FUNCION" {
			names["hit "+*h.Path] = *h.Label
		}
	}
	for name, want := range map[string]string{
		"member 2/3@2012": "Salud", "member 2/3@2008": "Urbanización, Vivienda y Desarrollo Regional", "member 2/1@2012": "Protección Ambiental",
		"node 2/1@2008": "Salud", "node 2/3@2012": "Salud", "hit 2/1@2008": "Salud", "hit 2/3@2012": "Salud", "hit 2/3@2008": "",
		"same as 2/3@2012": "2/1@2008", "same as 2/1@2008": "", "same as 2/1@2012": "",
	} {
		if names[name] != want {
			t.Errorf("%s is called %q, want %q", name, names[name], want)
		}
	}
	for cut, want := range map[string]string{
		"functional-classification:2/3@2012":                      "Functional group: Desarrollo Social (2); Function: Salud (3); Year: 2017.",
		"functional-classification:1/1@2008":                      "Functional group: Gobierno (1); Function: Seguridad Nacional (1); Year: 2008 and 2010.",
		"functional-classification:1/1@2008|CICLO:2008;2010;2017": "Functional group: Gobierno (1); Function: Seguridad Nacional (1); Year: 2008 and 2010.",
		"DESC_FUNCION:Soberanía":                                  "; Year: 2008.",
	} {
		if text := s.cite(t, "mexico", "cut="+cut+"&aggregates=MONTO_APROBADO.sum").Text; !strings.Contains(text, want) {
			t.Errorf("%s: the citation has no %q: %s", cut, want, text)
		}
	}
	var report struct {
		Findings []struct {
			Code, Field string
			Places      []struct{ Cell string }
		}
	}
	s.read(t, "/cubes/mexico/report", &report)
	for _, f := range report.Findings {
		switch {
		case f.Code == "level-renumbered":
			t.Errorf("%s is found numbered anew: %v", f.Field, f.Places)
		case f.Code == "code-reused" && slices.Contains([]string{"ID_FUNCION", "ID_SUBFUNCION", "ID_TIPOGASTO"}, f.Field) && strings.Contains(fmt.Sprint(f.Places), "(2017)"):
			t.Errorf("%s means something else in 2017: %v", f.Field, f.Places)
		}
	}
}

// comparesTheSameFunctions checks that a function is compared with the one that it is the same as, by the overlay.
func (s *service) comparesTheSameFunctions(t *testing.T, want map[string]decimal.NullDecimal) {
	t.Helper()
	const compare = "&aggregates=MONTO_APROBADO.sum&compare=CICLO:-7"
	same := map[string]string{"2/3": "2/1", "2/5": "2/0", "1/1": "1/0", "1/4": "1/2", "3/7": "3/6"}
	drilled := s.ask(t, "mexico", "drilldown=ID_FUNCION&cut=CICLO:2017&pagesize=100"+compare)
	for _, cell := range drilled.Cells {
		path := fmt.Sprint(cell["GPO_FUNCIONAL"], "/", cell["ID_FUNCION"])
		earlier := want["2010 "+same[path]]
		if !equal(cell["MONTO_APROBADO.sum"], want["2017 "+path]) || !equal(cell["MONTO_APROBADO.sum.earlier"], earlier) || cell["_change"] != nil {
			t.Errorf("%s is %v, want %s, and %s before", path, cell, show(want["2017 "+path]), show(earlier))
		}
		delete(same, path)
	}
	if len(same) > 0 {
		t.Errorf("%v are not compared", same)
	}
	var total decimal.NullDecimal
	for key, amount := range want {
		if strings.HasPrefix(key, "2010 ") {
			total = plus(total, amount)
		}
	}
	if !equal(drilled.Summary["MONTO_APROBADO.sum.earlier"], total) {
		t.Errorf("all functions are compared with %v, want %s", drilled.Summary, show(total))
	}
	health := s.ask(t, "mexico", "cut=CICLO:2017|functional-classification:2/3"+compare)
	if !equal(health.Summary["MONTO_APROBADO.sum"], want["2017 2/3"]) || !equal(health.Summary["MONTO_APROBADO.sum.earlier"], want["2010 2/1"]) {
		t.Errorf("health is %v, want %s, and %s before", health.Summary, show(want["2017 2/3"]), show(want["2010 2/1"]))
	}
	var ofDrilled, ofHealth warned
	s.read(t, "/cubes/mexico/aggregate?drilldown=ID_FUNCION&cut=CICLO:2017&pagesize=100"+compare, &ofDrilled)
	s.read(t, "/cubes/mexico/aggregate?cut=CICLO:2017|functional-classification:2/3"+compare, &ofHealth)
	if text := ofDrilled.String(); !strings.Contains(text, `2/3@2012 "Salud" is compared with 2/1@2008 "Salud"`) {
		t.Errorf("the warnings are %s", text)
	}
	if text := ofHealth.String(); !strings.Contains(text, `2/3@2012 "Salud" is compared with 2/1@2008 "Salud"`) {
		t.Errorf("the warnings are %s", text)
	}
	var model struct {
		Levels []struct {
			Ref    string
			SameAs []struct {
				Path   string
				SameAs string `json:"same_as"`
			} `json:"same_as"`
		}
	}
	s.read(t, "/cubes/mexico/model", &model)
	if text := fmt.Sprint(model.Levels); !strings.Contains(text, "{ID_FUNCION [{2/3@2012 2/1@2008} ") {
		t.Errorf("the model is %s", text)
	}
}

func (s *service) comparesNoFunctionsOfOtherEditions(t *testing.T) {
	t.Helper()
	for _, question := range []string{"drilldown=ID_TIPOGASTO&cut=CICLO:2017", "drilldown=ID_SUBFUNCION&cut=CICLO:2017", "cut=CICLO:2017|ID_FUNCION:3",
		"cut=CICLO:2017|functional-classification:2/1@2012"} {
		for _, cell := range s.ask(t, "mexico", question+"&aggregates=MONTO_APROBADO.sum&compare=CICLO:-7").Cells {
			if cell["MONTO_APROBADO.sum.earlier"] != nil || cell["_change"] != nil {
				t.Errorf("%s: %v is compared with the other edition", question, cell)
			}
		}
	}
	groups := s.ask(t, "mexico", "drilldown=CICLO|GPO_FUNCIONAL&cut=CICLO:2017&aggregates=MONTO_APROBADO.sum&compare=CICLO:-7").Cells
	if len(groups) < 4 || groups[0]["MONTO_APROBADO.sum.earlier"] == nil {
		t.Errorf("the groups, which stayed, are not compared: %v", groups)
	}
}
