package storetest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/cube/search"
	"fiscube/internal/testrequire"
	"fiscube/store/catalogue"
	"fiscube/store/load"
)

// Reform is a package whose functions are numbered anew in 2017: 3, which was Housing, is Health from then on, and Health was
// 1. Rows of one year have no name, others have no year, and 9 has no name at all.
func Reform() fs.FS {
	return fstest.MapFS{
		"lines.csv": {Data: []byte("year,group,group_name,function,function_name,amount\n" +
			"2011,2,Social,1,Health,10\n" +
			"2011,2,Social,2,Sport,20\n" +
			"2011,2,Social,3,Housing,30\n" +
			"2012,2,Social,1,,40\n" +
			"2017,2,Social,1,Environment,50\n" +
			"2017,2,Social,2,Pensions,60\n" +
			"2017,2,Social,3,Health,70\n" +
			",2,Social,3,Care,80\n" +
			"2017,2,Social,9,,90\n")},
		"overlay.yaml": {Data: []byte("levels: {group: {label: group_name}, function: {parent: group, label: function_name}}\n")},
		"datapackage.json": {Data: []byte(`{"name": "reform", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
			{"name": "group", "type": "string"}, {"name": "group_name", "type": "string"},
			{"name": "function", "type": "string"}, {"name": "function_name", "type": "string"}, {"name": "amount", "type": "number"}]},
			"model": {"measures": {"amount": {}}, "dimensions": {
				"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
				"functions": {"dimensionType": "classification", "primaryKey": ["group", "function"]}}},
			"resources": [{"name": "lines", "path": "lines.csv"}]}`)},
	}
}

// ReformLabels are the names of the functions in the rows of Reform, as a view shows them, from the first line to the last.
const ReformLabels = "Health|Sport|Housing|Environment|Environment|Pensions|Health|Care|9"

// mexicanSample is of how many rows of a year of JoinedMexico one is kept, beside the first of each subfunction and each type of
// expense.
const mexicanSample = 10

// JoinedMexico gives the path of a folder with a sample of the years 2008 and 2010 of the real budget of Mexico, and the part of
// 2017 that there is, as one package. Between the last two the functions are numbered anew. Without the files t is skipped.
func JoinedMexico(t testing.TB) string {
	t.Helper()
	target := t.TempDir()
	joined := copySamples(t, "D7-mexico", target, ofEachSubfunction(mexicanSample))
	part := copySamples(t, "D7-mexico-2017-sample", target, ofEachSubfunction(1))
	joined["resources"] = append(joined["resources"].([]any), part["resources"].([]any)...)
	writeDescriptor(t, target, joined)
	return target
}

// MexicanUnits gives the path of a folder with a sample of the real budget of Mexico that has each of its units. Without the files t
// is skipped.
func MexicanUnits(t testing.TB) string {
	t.Helper()
	target := t.TempDir()
	writeDescriptor(t, target, copySamples(t, "D7-mexico", target, ofEachUnit))
	return target
}

// copySamples copies a sample of each file of a real package, and gives the descriptor of what was copied.
func copySamples(t testing.TB, name, target string, choose chooser) (descriptor map[string]any) {
	t.Helper()
	source := RealPackage(t, name)
	text, err := os.ReadFile(filepath.Join(source, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &descriptor); err != nil {
		t.Fatal(err)
	}
	for _, r := range descriptor["resources"].([]any) {
		resource := r.(map[string]any)
		for _, of := range []string{"hash", "hashcopy", "bytes"} { // of the file as it was published
			delete(resource, of)
		}
		path := filepath.FromSlash(resource["path"].(string))
		if err := copySample(filepath.Join(source, path), filepath.Join(target, path), choose); err != nil {
			t.Fatal(err)
		}
	}
	return descriptor
}

func writeDescriptor(t testing.TB, folder string, descriptor map[string]any) {
	t.Helper()
	text, err := json.Marshal(descriptor)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "datapackage.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// chooser chooses rows of a file with such a header: keep is called with each of them.
type chooser func(header []string) (keep func(row []string) bool)

// ofEachSubfunction keeps one of so many rows, and the first of each subfunction and each type of expense.
func ofEachSubfunction(every int) chooser {
	return func(header []string) func([]string) bool {
		subfunctions, expenses := newcomers(header, "GPO_FUNCIONAL", "ID_FUNCION", "ID_SUBFUNCION"), newcomers(header, "ID_TIPOGASTO")
		i := -1
		return func(row []string) bool {
			i++
			one, other := subfunctions(row), expenses(row)
			return i%every == 0 || one || other
		}
	}
}

// ofEachUnit keeps the first row of each chapter of each unit, of each name of a unit, and of each subfunction, and all rows of one unit.
func ofEachUnit(header []string) func([]string) bool {
	units := newcomers(header, "ID_RAMO", "ID_UR", "DESC_UR", "ID_CAPITULO")
	subfunctions := newcomers(header, "GPO_FUNCIONAL", "ID_FUNCION", "ID_SUBFUNCION")
	ramo, unit := slices.Index(header, "ID_RAMO"), slices.Index(header, "ID_UR")
	return func(row []string) bool {
		one, other := units(row), subfunctions(row)
		return one || other || row[ramo] == "11" && row[unit] == "100"
	}
}

// newcomers tells of a row whether none before it has the same cells in some fields.
func newcomers(header []string, fields ...string) (first func(row []string) bool) {
	var indexes []int
	for _, field := range fields {
		indexes = append(indexes, slices.Index(header, field))
	}
	seen := map[string]bool{}
	return func(row []string) bool {
		var key strings.Builder
		for _, i := range indexes {
			key.WriteString(row[i] + "\x00")
		}
		known := seen[key.String()]
		seen[key.String()] = true
		return !known
	}
}

// copySample copies the header of a CSV file and the rows that are chosen.
func copySample(from, to string, choose chooser) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	rows := csv.NewReader(file)
	rows.ReuseRecord = true
	var kept bytes.Buffer
	w := csv.NewWriter(&kept)
	header, err := rows.Read()
	if err != nil {
		return err
	}
	_ = w.Write(header) // nothing fails in memory
	keep := choose(slices.Clone(header))
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if keep(row) {
			_ = w.Write(row)
		}
	}
	w.Flush()
	return firstError(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, kept.Bytes(), 0o600))
}

// MexicanReform loads JoinedMexico, whose function 2/3 is Urbanización, Vivienda y Desarrollo Regional and later Salud, which
// was 2/1. It checks that the load found so, and that an answer of one year shows the names of that year. It gives queries of
// the view, each of which must find true.
func MexicanReform(t *testing.T, store catalogue.Store) (queries []string) {
	t.Helper()
	testrequire.Long(t)
	folder := JoinedMexico(t)
	source, err := load.OpenFS(t.Context(), os.DirFS(folder), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := load.Run(t.Context(), store, source, load.Silent{})
	if err != nil {
		t.Fatal(err)
	}
	checkReform(t, loaded.Cube.LabelHistory)
	sums := mexicanHealth(t, folder)
	checkHealth(t, store, loaded.Cube, sums)
	checkHealthHits(t, store, loaded.Cube)
	for year, sum := range sums {
		if got := healthIn(t, store, loaded.Cube, year); !got.Equal(sum) {
			t.Errorf("Salud was granted %s in %s, the answer has %s", sum, year, got)
		}
		queries = append(queries, fmt.Sprintf(`SELECT CAST(sum("MONTO_APROBADO") = %s AS text) FROM cube."mexico" `+
			`WHERE "CICLO" = %s AND "DESC_FUNCION" = 'Salud'`, sum, year))
	}
	if len(queries) != 3 {
		t.Errorf("Salud is in %d years", len(queries))
	}
	return queries
}

func checkReform(t *testing.T, history *cube.LabelHistory) {
	t.Helper()
	if history == nil {
		t.Fatal("there is no history of labels")
	}
	for _, want := range []cube.Renumbered{{Level: "ID_FUNCION", Year: 2017, Members: 20, Of: 21}, {Level: "ID_SUBFUNCION", Year: 2017, Members: 42, Of: 43}} {
		if !slices.Contains(history.Renumbered, want) {
			t.Errorf("numbered anew are %v, not %v", history.Renumbered, want)
		}
	}
	for _, want := range []string{
		"{ID_FUNCION [2 3] true Urbanización, Vivienda y Desarrollo Regional Salud 2010 2017}",
		"{ID_FUNCION [2 1] true Salud Protección Ambiental 2010 2017}",
		"{ID_FUNCION [1 1] true Soberanía Seguridad Nacional 2008 2010}",
		"{ID_FUNCION [3 2] false Desarrollo Agropecuario y Forestal Agropecuaria, Silvicultura, Pesca y Caza 2010 2017}",
		"{ID_TIPOGASTO [5] true Gasto corriente por concepto de subsidios a través de fideicomisos privados o estatales Participaciones 2010 2017}",
	} {
		if !slices.ContainsFunc(history.Breaks, func(b cube.LabelBreak) bool { return fmt.Sprint(b) == want }) {
			t.Errorf("no break is %s", want)
		}
	}
}

// mexicanHealth adds up what the files grant the function Salud in each year.
func mexicanHealth(t *testing.T, folder string) map[string]decimal.Decimal {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "data", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]decimal.Decimal{}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		if err = firstError(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		year, name, amount := slices.Index(rows[0], "CICLO"), slices.Index(rows[0], "DESC_FUNCION"), slices.Index(rows[0], "MONTO_APROBADO")
		for _, row := range rows[1:] {
			if row[name] == "Salud" && row[amount] != "" {
				sums[row[year]] = sums[row[year]].Add(decimal.RequireFromString(row[amount]))
			}
		}
	}
	return sums
}

// healthIn asks for the functions of a year, and gives the amount of the one that is called Salud.
func healthIn(t *testing.T, store catalogue.Store, version *cube.Cube, year string) decimal.Decimal {
	t.Helper()
	result := answered(t, store, version, "drilldown=ID_FUNCION&cut=CICLO:"+year+"&aggregates=MONTO_APROBADO.sum")
	var sum decimal.Decimal
	for _, cell := range result.Cells {
		if cell.Labels[1] == cube.Text("Salud") {
			sum = sum.Add(cell.Values[0].Decimal)
		}
	}
	return sum
}

// answered answers a question of a version that the tests do not share.
func answered(t *testing.T, store answer.Store, version *cube.Cube, question string) *answer.Answer {
	t.Helper()
	p, err := bind(version, question)
	if err != nil {
		t.Fatal(err)
	}
	result, err := answer.Run(t.Context(), store, p, cube.English)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// checkHealth asks for the Mexican function Salud by its name: cuts, members and hits of a search go by the names of the years.
func checkHealth(t *testing.T, store catalogue.Store, version *cube.Cube, sums map[string]decimal.Decimal) {
	t.Helper()
	total := decimal.Zero
	for year, sum := range sums {
		total = total.Add(sum)
		if got := sumOf(t, store, version, "CICLO:"+year+"|DESC_FUNCION:Salud"); !got.Equal(sum) {
			t.Errorf("Salud was granted %s in %s, a cut on its name gives %s", sum, year, got)
		}
	}
	if got := sumOf(t, store, version, "DESC_FUNCION:Salud"); !got.Equal(total) {
		t.Errorf("Salud was granted %s in all years, a cut on its name gives %s", total, got)
	}
	q, err := query.ParseMembers("ID_FUNCION", map[string]string{"q": "salud", "cut": "CICLO:2010"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.BindMembers(version, q)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := store.Members(t.Context(), p.Main())
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for row, err := range rows.Members {
		if err != nil || row.Label != cube.Text("Salud") || row.Path[1] != cube.Text("1") && row.Path[1] != cube.Integer(1) {
			t.Errorf("%v %v is called salud in 2010, %v", row.Path, row.Label, err)
		}
	}
	if rows.Count != 1 {
		t.Errorf("%d functions are called salud in 2010", rows.Count)
	}
}

// checkHealthHits looks for salud. Every function that is found is shown by a name with this word.
func checkHealthHits(t *testing.T, store search.Store, version *cube.Cube) {
	t.Helper()
	index := search.New(store, slog.New(slog.DiscardHandler))
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	q, err := search.Parse("salud")
	if err != nil {
		t.Fatal(err)
	}
	found, err := index.Find(t.Context(), q, []*cube.Cube{version}, query.Page{Number: 1, Size: search.MostHits})
	if err != nil {
		t.Fatal(err)
	}
	functions := 0
	for _, hit := range found.Hits {
		if hit.Level.Ref != "ID_FUNCION" {
			continue
		}
		if functions++; !strings.Contains(folded(hit.Label), "salud") {
			t.Errorf("a hit for salud is %q", hit.Label)
		}
		if former := hit.LabelNow != ""; former && hit.LabelNow != "Protección Ambiental" || former != (hit.Last == cube.Integer(2010)) {
			t.Errorf("the hit %q is now %q, to %s", hit.Label, hit.LabelNow, hit.Last)
		}
	}
	if functions != 2 {
		t.Errorf("%d functions are found for salud", functions)
	}
}

func sumOf(t *testing.T, store answer.Store, version *cube.Cube, cut string) decimal.Decimal {
	t.Helper()
	return answered(t, store, version, "cut="+cut+"&aggregates=MONTO_APROBADO.sum").Summary.Values[0].Decimal
}
