package e2e

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"fiscube/internal/testfolder"
	"fiscube/seeds"
	"fiscube/store"
	"fiscube/store/postgres/postgrestest"
)

// kind is a kind of store that the tests run on. The stores that it gives go with t.
type kind struct {
	name   string
	fresh  func(t testing.TB) (address string)            // of an empty store
	copied func(t testing.TB, db string) (address string) // of a copy of a store that nobody has open
}

var kinds = []kind{{"duckdb", freshDuckDB, copiedDuckDB}, {"postgres", freshPostgres, postgrestest.Copy}}

// onEveryStore runs a test on an empty store of each kind.
func onEveryStore(t *testing.T, test func(t *testing.T, db string)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { test(t, k.fresh(t)) })
	}
}

// sideBySide is onEveryStore with the stores, and other tests, side by side.
func sideBySide(t *testing.T, test func(t *testing.T, db string)) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, db string) {
		t.Parallel()
		test(t, db)
	})
}

// shared is a server that several tests ask and none changes. It is started for the first test that asks it, on a store of
// each kind, and ends after the last test.
type shared struct {
	load     func(t testing.TB) (paths []string) // what it serves
	examples bool                                // it serves the example packages
	flags    []string

	mu      sync.Mutex
	stores  map[string]string // addresses by the kind of store
	servers map[string]*service
}

// onEveryStore asks the server on each kind of store, side by side.
func (s *shared) onEveryStore(t *testing.T, test func(t *testing.T, s *service)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			test(t, s.on(t, k))
		})
	}
}

// onDuckDB is the server on the store that needs nothing else.
func (s *shared) onDuckDB(t testing.TB) *service {
	t.Helper()
	return s.on(t, kinds[0])
}

func (s *shared) on(t testing.TB, k kind) *service {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.servers[k.name] == nil {
		s.servers[k.name] = serve(lasting{t}, s.store(t, k), s.flags...)
	}
	return s.servers[k.name]
}

// alone gives the address of the embedded store while no server has it open. The test must not run beside others.
func (s *shared) alone(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	db := s.store(t, kinds[0])
	if server := s.servers[kinds[0].name]; server != nil {
		server.stop(t)
		delete(s.servers, kinds[0].name)
	}
	return db
}

func (s *shared) store(t testing.TB, k kind) string {
	t.Helper()
	if s.stores == nil {
		s.stores, s.servers = map[string]string{}, map[string]*service{}
	}
	if db, ok := s.stores[k.name]; ok {
		return db
	}
	var db string
	if s.examples {
		db = k.withExamples(lasting{t})
	} else {
		db = withAllThreads(k.fresh(lasting{t}))
		must(t, append([]string{"load", "--db", db}, s.load(lasting{t})...)...)
	}
	s.stores[k.name] = db
	return db
}

// lasting is a test that leaves what it made to the tests after it.
type lasting struct{ testing.TB }

// afterAll is what lasting tests leave to be done after the last test.
var afterAll struct {
	mu   sync.Mutex
	work []func()
}

// Cleanup defers work until all tests are over.
func (lasting) Cleanup(work func()) {
	afterAll.mu.Lock()
	defer afterAll.mu.Unlock()
	afterAll.work = append(afterAll.work, work)
}

// TempDir makes a folder that is there until all tests are over.
func (lasting) TempDir() string { return sure(os.MkdirTemp(scratch, "")) }

func freshDuckDB(t testing.TB) string {
	t.Helper()
	if !slices.Contains(sql.Drivers(), "duckdb") {
		t.Skip("this build has no embedded store: it was made with CGO_ENABLED=0")
	}
	return "duckdb:" + filepath.Join(testfolder.New(t), "budgets.duckdb") + "?threads=1" // more cost more than they help with few rows
}

// withAllThreads is the address of the same store without a setting of its threads.
func withAllThreads(db string) string {
	if path, ok := store.EmbeddedPath(db); ok {
		return "duckdb:" + path
	}
	return db
}

func copiedDuckDB(t testing.TB, db string) string {
	t.Helper()
	fresh := freshDuckDB(t)
	write(fileOf(fresh), sure(os.ReadFile(fileOf(db))))
	switch log, err := os.ReadFile(fileOf(db) + ".wal"); { // of a server that had to stop before all who read had ended
	case err == nil:
		write(fileOf(fresh)+".wal", log)
	case !errors.Is(err, fs.ErrNotExist):
		t.Fatal(err)
	}
	check(os.CopyFS(fileOf(fresh)+".files", os.DirFS(fileOf(db)+".files")))
	return fresh
}

func freshPostgres(t testing.TB) string {
	t.Helper()
	return postgrestest.DSN(t)
}

// isDuckDB says whether a store is embedded.
func isDuckDB(db string) bool {
	_, ok := store.EmbeddedPath(db)
	return ok
}

// tables lists the tables of facts and members in a store; an embedded one must have no owner.
func tables(t testing.TB, db string) []string {
	t.Helper()
	connection, err := connect(db)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	rows, err := connection.Query(`SELECT table_schema || '.' || table_name FROM information_schema.tables
	WHERE table_schema IN ('fact', 'member', 'cuboid') ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return names
}

func connect(db string) (*sql.DB, error) {
	if path, ok := store.EmbeddedPath(db); ok {
		return sql.Open("duckdb", path)
	}
	return sql.Open("pgx", db)
}

// Versions of the package "budget", made when they are first used.
var (
	small = sync.OnceValue(func() string { return budget("small", growth{copies: 1, every: seldom}) }) // some 120 rows

	// medium has some 12,000 rows, so long that no socket holds their export.
	medium = sync.OnceValue(func() string { return budget("medium", growth{copies: 10, name: 1000}) })

	// big has some 147,000 rows, of which DuckDB writes all but the last few before the commit.
	big = sync.OnceValue(func() string { return budget("big", growth{copies: 120}) })

	// long has some 73,000 long rows, more than a group of rows in Parquet, whose export no buffer holds.
	long = sync.OnceValue(func() string { return budget("long", growth{copies: 60, name: 800}) })
)

func budget(folder string, by growth) string {
	return grow(filepath.Join(scratch, folder), "budget", by)
}

// seldom is every how many rows a package takes where it does not matter how many it has.
const seldom = 10

// growth is how a package differs from example-croatia.
type growth struct {
	every  int // every how many rows are taken, 0 for all
	copies int // of each of them
	name   int // how many characters are added to the names of functions, which makes rows longer and no member more
	code   int // how many are added to the codes of activities, of which every copy has its own
}

// everyRow is the drilldown in which each row of such a package is a cell.
const everyRow = "drilldown=Year|admin2_code|activity3_code|func1_code|fin_source_code|econ3_code"

// grown writes some rows of the example package of Croatia under another name, so many times.
func grown(t testing.TB, name string, copies int) (folder string) {
	t.Helper()
	return grow(t.TempDir(), name, growth{copies: copies, every: seldom})
}

// grow writes a package into a folder: one file that holds the rows of example-croatia many times over. The activities of
// every copy have codes of their own, so that the members grow with the rows.
func grow(folder, name string, by growth) string {
	example, _ := seeds.Open("example-croatia")
	content := copyRows(example, by)
	file := name + ".csv"
	write(filepath.Join(folder, "data", file), content)
	write(filepath.Join(folder, "datapackage.json"), describeFile(example, name, file, content))
	return folder
}

func copyRows(example fs.FS, by growth) []byte {
	paths := sure(fs.Glob(example, "data/*.csv"))
	var rows [][]string
	for _, path := range paths {
		records := sure(csv.NewReader(bytes.NewReader(sure(fs.ReadFile(example, path)))).ReadAll())
		if rows == nil {
			rows = records[:1]
		}
		for i := 1; i < len(records); i += max(by.every, 1) {
			rows = append(rows, records[i])
		}
	}
	for _, row := range rows[1:] {
		row[func1Label] += strings.Repeat(".", by.name)
	}
	var content bytes.Buffer
	w := csv.NewWriter(&content)
	w.UseCRLF = true
	_ = w.Write(rows[0]) // nothing fails in memory
	for i := range by.copies {
		for _, row := range rows[1:] {
			code := row[activity3]
			row[activity3] += "-" + strconv.Itoa(i)
			row[activity3] += noise(row[activity3], by.code)
			_ = w.Write(row)
			row[activity3] = code
		}
	}
	w.Flush()
	return content.Bytes()
}

// noise is so many characters that no database compresses much; of equal texts the same.
func noise(text string, length int) string {
	var made strings.Builder
	for sum := sha256.Sum256([]byte(text)); made.Len() < length; sum = sha256.Sum256(sum[:]) {
		made.WriteString(hex.EncodeToString(sum[:]))
	}
	return made.String()[:length]
}

// The indexes of activity3_code and func1_label among the fields of example-croatia.
const (
	activity3  = 9
	func1Label = 12
)

// describeFile makes the descriptor of example-croatia that of a package with one file.
func describeFile(example fs.FS, name, file string, content []byte) []byte {
	var descriptor map[string]any
	check(json.Unmarshal(sure(fs.ReadFile(example, "datapackage.json")), &descriptor))
	resource := descriptor["resources"].([]any)[0].(map[string]any)
	_, body, _ := bytes.Cut(content, []byte("\n"))
	resource["name"], resource["path"], resource["bytes"] = file, "data/"+file, len(content)
	resource["hash"], resource["hashcopy"] = digest(content), digest(body)
	delete(resource, "sample")
	delete(descriptor, "sample")
	descriptor["name"], descriptor["resources"] = name, []any{resource}
	return sure(json.Marshal(descriptor))
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// unpacked writes a seed into a folder of the test's own.
func unpacked(t testing.TB, seed string) (folder string) {
	t.Helper()
	files, ok := seeds.Open(seed)
	if !ok {
		t.Fatalf("there is no seed %s", seed)
	}
	folder = t.TempDir()
	if err := os.CopyFS(folder, files); err != nil {
		t.Fatal(err)
	}
	return folder
}

func write(path string, content []byte) {
	check(os.MkdirAll(filepath.Dir(path), 0o755))
	check(os.WriteFile(path, content, 0o644))
}

// sure gives a value that can be had wherever tests run.
func sure[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// handDescriptor is of a package whose amounts can be added up by eye: three levels, some of them empty, and three
// years.
const handDescriptor = `{
 "name": "hand", "title": "A budget added up by hand", "pub_institutional_name": "Ministry of Sums",
 "resources": [
  {"name": "early", "path": "early.csv", "mediatype": "text/csv"},
  {"name": "late", "path": "late.csv", "mediatype": "text/csv"}
 ],
 "schema": {"fields": [
  {"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
  {"name": "area", "type": "string"}, {"name": "area_name", "type": "string"},
  {"name": "unit", "type": "string"}, {"name": "unit_name", "type": "string"},
  {"name": "item", "type": "string"},
  {"name": "approved", "type": "number"}, {"name": "executed", "type": "number"}
 ]},
 "model": {
  "dimensions": {
   "date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {}}},
   "entity": {"dimensionType": "classification", "primaryKey": ["area", "unit", "item"], "attributes": {
    "area": {}, "area_name": {"labelfor": "area"},
    "unit": {"parent": "area"}, "unit_name": {"labelfor": "unit"},
    "item": {"parent": "unit"}}}
  },
  "measures": {"approved": {"currency": "EUR"}, "executed": {"currency": "EUR"}}
 }
}`

const handHeader = "year,area,area_name,unit,unit_name,item,approved,executed\r\n"

// In 2021 area 1 has 60 approved, of which 10 have no unit; area 2 has 40. In 2022 area 1 has 90, area 3 is new with
// 5, and area 2 is gone.
const handEarly = handHeader +
	"2021,1,Health,01,Hospitals,a,20.00,10.00\r\n" +
	"2021,1,Health,01,Hospitals,b,30.00,30.00\r\n" +
	"2021,1,Health,,,c,10.00,\r\n" +
	"2021,2,Roads,01,Bridges,a,40.00,10.00\r\n"

const handLate = handHeader +
	"2022,1,Health and care,01,Hospitals,a,90.00,45.00\r\n" +
	"2022,3,Parks,01,Trees,,5.00,-1.00\r\n"

// handFolder writes the package.
func handFolder(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range map[string]string{
		"datapackage.json": handDescriptor, "early.csv": handEarly, "late.csv": handLate,
	} {
		write(filepath.Join(folder, name), []byte(content))
	}
	return folder
}

// Servers of packages that no test changes.
var (
	hand   = &shared{load: func(t testing.TB) []string { return []string{handFolder(t)} }}
	seeded = &shared{examples: true, flags: []string{"--seed"}}
)
