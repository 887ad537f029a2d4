package load_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
	"fiscube/store/duckdb"
	"fiscube/store/load"
	"fiscube/store/storetest"
)

// oddity is a test of one of the numbered oddities of real packages (real-data.md, sections A, B and C).
type oddity struct {
	name string // its number and what must come of it
	run  func(*testing.T)
}

// oddities are by number. Those with real in their names need the published files beside the checkout.
var oddities = slices.Concat(semanticOddities, repeatedOddities, memberOddities, levelOddities, amountOddities, cellOddities)

func TestOddities(t *testing.T) {
	for _, o := range oddities {
		t.Run(o.name, o.run)
	}
}

func TestEveryOddityIsTested(t *testing.T) {
	for number := 1; number <= 28; number++ {
		prefix := fmt.Sprintf("%02d_", number)
		if !slices.ContainsFunc(oddities, func(o oddity) bool { return strings.HasPrefix(o.name, prefix) }) {
			t.Errorf("no test is named %s…", prefix)
		}
	}
}

// bare loads a package by its descriptor alone, shipped with the overlay that comes with fiscube.
var bare, shipped = load.Options{}, load.Options{Shipped: seeds.OverlayFor}

func seed(t *testing.T, name string) fs.FS {
	t.Helper()
	files, ok := seeds.Open(name)
	if !ok {
		t.Fatalf("there is no seed %s", name)
	}
	return files
}

// published gives the folder of a real package.
func published(t *testing.T, folder string) fs.FS {
	t.Helper()
	path := filepath.Join("../../../shared/data", folder)
	if _, err := os.Stat(path); err != nil {
		testrequire.Skip(t, "data", "the real packages are not there: no folder "+path)
	}
	return os.DirFS(path)
}

// kept is what a load hands to a store.
type kept struct {
	cube.Backend // of which a load needs nothing but Load
	pkg          *cube.Package
	rows         []keptRow // the first of them
	count        int       // of all rows
	members      map[string][]cube.Member
	report       *cube.Report
}

type keptRow struct {
	resource string
	line     int64
	cells    []string
}

// mostKept bounds the rows that are kept.
const mostKept = 5000

// Load implements cube.Backend.
func (k *kept) Load(ctx context.Context, content cube.Content) (cube.Loaded, error) {
	k.pkg, k.members = content.Package(), map[string][]cube.Member{}
	for row, err := range content.Rows(ctx) {
		if err != nil {
			return cube.Loaded{}, err
		}
		if k.count++; k.count <= mostKept {
			k.rows = append(k.rows, keptRow{k.pkg.Resources[row.Resource].Name, row.Line, slices.Clone(row.Cells)})
		}
	}
	for _, level := range k.pkg.Model.Levels() {
		if level.Listed {
			k.members[level.Ref] = slices.Collect(content.Members(level))
		}
	}
	k.report = content.Report()
	return cube.Loaded{}, nil
}

// take loads a package that is sound and gives what came of it.
func take(t *testing.T, files fs.FS, o load.Options) *kept {
	t.Helper()
	k := &kept{}
	loadInto(t, k, files, o)
	return k
}

func loadInto(t *testing.T, store cube.Backend, files fs.FS, o load.Options) *cube.Cube {
	t.Helper()
	source, err := load.OpenFS(t.Context(), files, o)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := load.Run(t.Context(), store, source, load.Silent{})
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Cube
}

// refused gives what is found in a package that is not loaded.
func refused(t *testing.T, files fs.FS) string {
	t.Helper()
	source, err := load.OpenFS(t.Context(), files, bare)
	if err != nil {
		t.Fatal(err)
	}
	_, err = load.Run(t.Context(), &kept{}, source, load.Silent{})
	var rejected *load.Rejected
	if !errors.As(err, &rejected) {
		t.Fatalf("the package is not refused: %v", err)
	}
	return rejected.Error()
}

// found gives the findings of a code, a line each.
func (k *kept) found(code string) string {
	var lines []string
	for _, f := range k.report.Findings {
		if f.Code == code {
			lines = append(lines, f.String())
		}
	}
	return strings.Join(lines, "\n")
}

// cells gives the cells of a column, row by row.
func (k *kept) cells(column string) string {
	place := slices.IndexFunc(k.pkg.Model.Columns(), func(c cube.Column) bool { return c.Name == column })
	if place < 0 {
		return "no column " + column
	}
	var list []string
	for _, row := range k.rows {
		list = append(list, row.cells[place])
	}
	return strings.Join(list, "|")
}

// list gives the members of a level by path, each with its label.
func (k *kept) list(level string) string {
	var list []string
	for _, m := range k.members[level] {
		list = append(list, strings.TrimSpace(path(m)+" "+m.Label))
	}
	return strings.Join(list, ", ")
}

// member gives the one of a path, such as 1/11.
func (k *kept) member(t *testing.T, level, at string) cube.Member {
	t.Helper()
	i := slices.IndexFunc(k.members[level], func(m cube.Member) bool { return path(m) == at })
	if i < 0 {
		t.Fatalf("%s has no member %s, but %s", level, at, k.list(level))
	}
	return k.members[level][i]
}

func path(m cube.Member) string {
	keys := make([]string, len(m.Path))
	for i, key := range m.Path {
		keys[i] = key.String()
	}
	return strings.Join(keys, "/")
}

// asked is a package in a store that answers.
type asked struct {
	engine  *cube.Engine
	version *cube.Cube
}

func ask(t *testing.T, files fs.FS, o load.Options) asked {
	t.Helper()
	store, err := duckdb.Open(t.Context(), duckdb.Memory, slog.New(slog.DiscardHandler))
	if cube.CodeOf(err) == cube.CodeUnavailable {
		t.Skip("no embedded store: the tests were built without cgo")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return asked{cube.NewEngine(store), loadInto(t, store, files, o)}
}

// answer asks a question and writes the cells: keys, label in quotes, = and amounts.
func (a asked) answer(t *testing.T, question string) string {
	t.Helper()
	plan := a.plan(t, question)
	result, err := a.engine.Aggregate(t.Context(), plan)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	var list []string
	for _, cell := range result.Cells {
		list = append(list, cellText(cell))
	}
	return strings.Join(list, " ")
}

func (a asked) plan(t *testing.T, question string) *cube.Plan {
	t.Helper()
	query, err := storetest.Query(question)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	plan, err := a.version.Bind(query)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return plan
}

func cellText(cell cube.Cell) string {
	var keys, values []string
	for _, key := range cell.Keys {
		keys = append(keys, key.String())
	}
	text := strings.Join(keys, "/")
	for _, label := range cell.Labels {
		if !label.IsMissing() {
			text += fmt.Sprintf(" %q", label.String())
		}
	}
	for _, v := range cell.Values {
		if !v.Valid {
			values = append(values, "null")
			continue
		}
		values = append(values, v.Decimal.String())
	}
	return strings.TrimSpace(text) + "=" + strings.Join(values, ",")
}

// is compares two texts.
func is(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", what, got, want)
	}
}
