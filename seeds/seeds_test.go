package seeds_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/seeds"
)

func TestAll_IsSorted(t *testing.T) {
	var names []string
	for _, s := range seeds.All() {
		names = append(names, s.Name)
	}
	want := []string{
		"example-ciudad-de-mexico", "example-costa-rica-egresos", "example-costa-rica-ingresos", "example-croatia",
		"example-dominicana", "example-mexico", "example-paraguay", "example-uruguay",
	}
	if !slices.Equal(names, want) {
		t.Fatalf("seeds are %q, want %q", names, want)
	}
}

func TestOpen_FindsOnlySeeds(t *testing.T) {
	folder, ok := seeds.Open("example-croatia")
	if !ok || describe(t, folder).Name != "example-croatia" {
		t.Error("example-croatia is not there")
	}
	for _, name := range []string{"", ".", "..", "example", "example-croatia/data", "example-croatia/", "../seeds"} {
		if _, ok := seeds.Open(name); ok {
			t.Errorf("Open(%q) found something", name)
		}
	}
}

func TestPackages_AreSmall(t *testing.T) {
	size := 0
	for _, s := range seeds.All() {
		err := fs.WalkDir(s.FS, ".", func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				size += len(read(t, s.FS, path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if size > 5_000_000 {
		t.Errorf("the seeds take %d bytes of every binary", size)
	}
}

func TestPackages_SayThatTheyAreSynthetic(t *testing.T) {
	for _, s := range seeds.All() {
		d := describe(t, s.FS)
		if d.Name != s.Name || !d.Synthetic || d.Publisher != "fiscube (synthetic example)" {
			t.Errorf("%s: name %q, synthetic %v, publisher %q", s.Name, d.Name, d.Synthetic, d.Publisher)
		}
		if !strings.HasSuffix(d.Title, "(synthetic example)") ||
			!strings.HasSuffix(d.Description, ": this package is synthetic, none of its amounts is real.") {
			t.Errorf("%s: title %q, description %q", s.Name, d.Title, d.Description)
		}
	}
}

func TestPackages_DescribeEveryFile(t *testing.T) {
	for _, s := range seeds.All() {
		found, err := fs.Glob(s.FS, "data/*")
		if err != nil {
			t.Fatal(err)
		}
		var described []string
		for _, r := range describe(t, s.FS).Resources {
			described = append(described, r.Path)
			if r.Path != "data/"+r.Name || !strings.HasSuffix(r.Name, ".csv") {
				t.Errorf("%s: name %q", r.Path, r.Name)
			}
		}
		slices.Sort(described)
		if !slices.Equal(found, described) {
			t.Errorf("%s: files %q, described %q", s.Name, found, described)
		}
	}
}

// Whoever edits a file by hand reads here what its descriptor must say.
func TestPackages_DescribeTheFilesAsTheyAre(t *testing.T) {
	for _, s := range seeds.All() {
		for _, r := range describe(t, s.FS).Resources {
			checkFile(t, s.FS, r)
			rows := cells(t, s.FS, r.Path)
			if !slices.Equal(rows[0], r.Schema.header()) {
				t.Errorf("%s: the header is %q, the fields are %q", r.Path, rows[0], r.Schema.header())
			}
			if !reflect.DeepEqual(r.Sample, rows[:min(30, len(rows))]) {
				t.Errorf("%s: the sample is not the first 30 lines", r.Path)
			}
		}
	}
}

// The hashes and the way of writing are those of a published file.
func TestPackages_DescribeFilesLikeARealOne(t *testing.T) {
	published := parse[descriptor](t, realDescriptor(t, "D2-croatia"))
	checkFile(t, os.DirFS(filepath.Join(realData, "D2-croatia")), published.Resources[0])
}

// checkFile compares a file with its bytes and hashes in the descriptor, and with the way in which files are written.
func checkFile(t *testing.T, folder fs.FS, r resource) {
	t.Helper()
	content := read(t, folder, r.Path)
	_, body, _ := bytes.Cut(content, []byte("\n")) // hashcopy leaves out the header line
	if r.Bytes != len(content) || r.Hash != hash(content) || r.Hashcopy != hash(body) {
		t.Errorf(`%s: the file has "bytes":%d, "hash":%q, "hashcopy":%q`, r.Path, len(content), hash(content), hash(body))
	}
	if !bytes.Equal(content, encode(cells(t, folder, r.Path))) {
		t.Errorf("%s: a line does not end in CRLF, or a cell has quotes that it does not need", r.Path)
	}
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// encode writes rows as the published files are written: lines end in CRLF, and quotes are only where RFC 4180
// asks for them. encoding/csv also quotes a cell that begins with a space, which the published files do not.
func encode(rows [][]string) []byte {
	var b bytes.Buffer
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			if strings.ContainsAny(cell, ",\"\r\n") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

func TestPackages_HaveNoMembersTwiceInAFile(t *testing.T) {
	for _, s := range seeds.All() {
		seen := map[string]bool{}
		for _, row := range load(t, s.FS) {
			key := row.members()
			if seen[key] {
				t.Errorf("%s: twice %s", s.Name, key)
			}
			seen[key] = true
		}
	}
}

// A control is a number that the tests of other packages may rely on: the sum of an amount over the rows
// in which each field has a value.
type control struct{ cut, amount, sum string }

// The controls are right where adding up everything is wrong: they are those of the last snapshot of each year.
func TestPackages_AddUpToTheControls(t *testing.T) {
	for name, list := range controls {
		all := load(t, open(t, name))
		for _, c := range list {
			rows := all
			for term := range strings.SplitSeq(c.cut, "|") {
				field, value, _ := strings.Cut(term, ":")
				rows = where(rows, field, value)
			}
			if got := total(rows, c.amount); len(rows) == 0 || got != cents(c.sum) {
				t.Errorf("%s, %s: %s is %d cents, want %s", name, c.cut, c.amount, got, c.sum)
			}
		}
	}
}

var controls = map[string][]control{
	"example-paraguay": {
		{"anio:2017", "presupuestoInicialAprobado", "65325411920000"},
		{"anio:2017", "montoPagado", "861362350087"},
	},
	"example-dominicana": {
		// The September cut is the year; both cuts together would be nearly twice that.
		{"_resource:ingresos-actualizacion-septiembre__2014.csv", "pres_inicial", "524279201000.00"},
		{"_resource:ingresos-actualizacion-septiembre__2014.csv", "percibido_aprobado", "317605974692.55"},
		{"_resource:ingresos-actualizacion-septiembre__2015.csv", "percibido_aprobado", "403847311637.19"},
		{"_resource:ingresos-actualizacion-septiembre__2016.csv", "percibido_aprobado", "400002483653.56"},
		{"_resource:ingresos-actualizacion-septiembre__2017.csv", "percibido_aprobado", "426650808864.74"},
		{"_resource:ingresos-actualizacion-septiembre__2018.csv", "percibido_aprobado", "440222899944.90"},
		{"_resource:ingresos-actualizacion-septiembre__2019.csv", "percibido_aprobado", "471077794483.50"},
		{"_resource:ingresos-actualizacion-septiembre__2020.csv", "percibido_aprobado", "448839072891.88"},
		{"_resource:ingresos-actualizacion-septiembre__2021.csv", "percibido_aprobado", "503233643606.80"},
		{"_resource:ingresos-actualizacion-abril__2021.csv", "percibido_aprobado", "226204349073.69"},
	},
	"example-ciudad-de-mexico": {
		{"ciclo:2018|periodo:Enero-Junio", "monto_aprobado", "162954209000"},
		{"ciclo:2018|periodo:Enero-Marzo", "monto_ejercido", "39076056580.16"},
		{"ciclo:2018|periodo:Enero-Junio", "monto_ejercido", "73293892420.14"},
		{"ciclo:2019|periodo:Enero-Junio", "monto_ejercido", "76728111715.05"},
		{"ciclo:2020|periodo:Enero-Junio", "monto_ejercido", "80952723279.89"},
	},
	"example-costa-rica-ingresos": {
		{"ejercicio:2017|mes:12", "pi_monto", "1553242000000.00"},
		{"ejercicio:2017|mes:12", "de_monto", "1436295960003.41"},
		{"ejercicio:2018|mes:12", "de_monto", "1584610334604.15"},
		{"ejercicio:2019|mes:12", "de_monto", "1696577848002.82"},
		// January of 2019 is whole only with the two rows in the file of 2018.
		{"ejercicio:2019|mes:01", "pi_monto", "1739631040000.00"},
		// One source of revenue: its budget, what came in by January and by December, and the wrong sum of all months.
		{"ejercicio:2017|mes:12|ci_fuente_codigo:1111050200001", "pi_monto", "2610000000.00"},
		{"ejercicio:2017|mes:01|ci_fuente_codigo:1111050200001", "de_monto", "158072429.51"},
		{"ejercicio:2017|mes:12|ci_fuente_codigo:1111050200001", "de_monto", "2714400000.52"},
		{"ejercicio:2017|ci_fuente_codigo:1111050200001", "pi_monto", "31320000000.00"},
	},
	"example-mexico": {
		{"CICLO:2008", "MONTO_APROBADO", "523725688000.00"},
		{"CICLO:2012", "MONTO_EJERCIDO", "671645432952.00"},
		{"CICLO:2013", "MONTO_EJERCICIO", "749706930405.00"},
		{"CICLO:2017", "MONTO_APROBADO", "856615836440.00"},
		{"CICLO:2018", "MONTO_PAGADO", "946089064714.46"},
		{"CICLO:2020", "MONTO_APROBADO", "967694065920"},
	},
	"example-costa-rica-egresos": {
		{"ejercicio:2017|mes:12", "pi_monto", "10721047100000.00"},
		{"ejercicio:2017|mes:12", "de_monto", "9360152121008.81"},
		{"ejercicio:2019|mes:12", "de_monto", "11092679705808.28"},
		{"ejercicio:2020|mes:02", "de_monto", "1915890715285.95"},
		{"ejercicio:2019|mes:12", "co_monto", "0.00"},
		{"ejercicio:2019|mes:01|titulo_codigo:104|cog_subpartida_codigo:00101", "co_monto",
			"-209253936.64"},
	},
}

func read(t *testing.T, folder fs.FS, name string) []byte {
	t.Helper()
	b, err := fs.ReadFile(folder, name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func open(t *testing.T, name string) fs.FS {
	t.Helper()
	folder, ok := seeds.Open(name)
	if !ok {
		t.Fatalf("no seed %s", name)
	}
	return folder
}

// cells parses a CSV file; every row has as many cells as the first.
func cells(t *testing.T, folder fs.FS, name string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(read(t, folder, name))).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return rows
}

// load returns the rows of all files of a seed.
func load(t *testing.T, folder fs.FS) []row {
	t.Helper()
	var rows []row
	for _, r := range describe(t, folder).Resources {
		all := cells(t, folder, r.Path)
		for _, cells := range all[1:] {
			byName := row{fileName: r.Name}
			for i, field := range all[0] {
				byName[field] = cells[i]
			}
			rows = append(rows, byName)
		}
	}
	return rows
}
