package main

import (
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

// budgetLine is what these tests keep of a row of the Mexican budget, read by themselves.
type budgetLine struct {
	resource                   string
	line                       int
	year, ramo, unit, unitName string
	approved, spent            decimal.NullDecimal
	chapter                    string
}

// key is a cell by the name of its field.
func (l *budgetLine) key(field string) string {
	return map[string]string{"CICLO": l.year, "ID_RAMO": l.ramo, "ID_UR": l.unit, "ID_CAPITULO": l.chapter}[field]
}

// mexico is the running service with the lines of the files that it has loaded.
type mexico struct {
	*service
	folder string
	lines  []*budgetLine
}

func TestTheRealMexicanBudget(t *testing.T) {
	t.Parallel()
	folder := realPackage(t, "D7-mexico")
	lines := mexicanLines(t, os.DirFS(folder))
	onEveryStore(t, func(t *testing.T, db string) {
		must(t, "load", folder, "--db", db)
		m := &mexico{serve(t, db), folder, lines}
		for _, test := range mexicanTests {
			t.Run(test.name, func(t *testing.T) { test.run(m, t) })
		}
		m.stop(t)
	})
}

var mexicanTests = []struct {
	name string
	run  func(*mexico, *testing.T)
}{
	{"units of one ramo", (*mexico).unitsOfOneRamo},
	{"a unit of many ramos", (*mexico).unitOfManyRamos},
	{"text keys of one length", (*mexico).keysOfOneLength},
	{"names of the years asked", (*mexico).namesOfTheYears},
	{"cuts by a name of any year", (*mexico).cutsByName},
	{"facts of a cut", (*mexico).factsOfACut},
	{"having", (*mexico).havingMore},
	{"subtotals", (*mexico).subtotals},
	{"the greatest of each", (*mexico).greatestOfEach},
	{"shares and ratios", (*mexico).sharesAndRatios},
	{"comparison", (*mexico).comparison},
	{"no year to compare with", (*mexico).nothingToCompareWith},
}

// eachRow reads the files of a package row by row, with the line at which each begins.
func eachRow(t testing.TB, folder fs.FS, visit func(resource string, line int, cell func(field string) string)) {
	t.Helper()
	for _, resource := range describe(t, folder).Resources {
		if err := eachRowOf(folder, resource.Path, visit); err != nil {
			t.Fatalf("%s: %v", resource.Path, err)
		}
	}
}

func eachRowOf(folder fs.FS, path string, visit func(resource string, line int, cell func(field string) string)) error {
	file, err := folder.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	reader := csv.NewReader(file)
	header, err := reader.Read()
	if err != nil {
		return err
	}
	places := map[string]int{}
	for i, name := range header {
		places[name] = i
	}
	name := path[strings.LastIndex(path, "/")+1:]
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := reader.FieldPos(0)
		visit(name, line, func(field string) string { return row[places[field]] })
	}
}

func mexicanLines(t testing.TB, folder fs.FS) (lines []*budgetLine) {
	t.Helper()
	kept := map[string]string{} // each text once, and not with the row it stood in
	keep := func(text string) string {
		if _, ok := kept[text]; !ok {
			text = strings.Clone(text)
			kept[text] = text
		}
		return kept[text]
	}
	eachRow(t, folder, func(resource string, line int, cell func(string) string) {
		lines = append(lines, &budgetLine{resource: resource, line: line, year: keep(cell("CICLO")), ramo: keep(cell("ID_RAMO")),
			unit: keep(cell("ID_UR")), unitName: keep(cell("DESC_UR")), chapter: keep(cell("ID_CAPITULO")),
			approved: amountOf(t, cell("MONTO_APROBADO")), spent: amountOf(t, cell("MONTO_EJERCIDO"))})
	})
	return lines
}

func amountOf(t testing.TB, cell string) decimal.NullDecimal {
	t.Helper()
	if cell == "" {
		return decimal.NullDecimal{}
	}
	amount, err := decimal.NewFromString(cell)
	if err != nil {
		t.Fatal(err)
	}
	return decimal.NewNullDecimal(amount)
}

// The measures that are added up, in the order of a group's amounts.
const (
	approved = iota
	spent
)

// sums adds up the lines that are kept, by the cells of some fields.
func (m *mexico) sums(keep func(*budgetLine) bool, keys ...string) *sums {
	s := &sums{keys: keys, measures: []string{"MONTO_APROBADO", "MONTO_EJERCIDO"}, groups: map[string]*group{}}
	for _, l := range m.lines {
		if !keep(l) {
			continue
		}
		cells := make([]string, len(keys))
		for i, key := range keys {
			cells[i] = l.key(key)
		}
		amounts := []decimal.NullDecimal{l.approved, l.spent}
		s.group(cells).add(amounts)
		s.whole.add(amounts)
	}
	return s
}

func in2008(l *budgetLine) bool { return l.year == "2008" }
func in2010(l *budgetLine) bool { return l.year == "2010" }
