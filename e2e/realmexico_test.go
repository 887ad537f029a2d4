package e2e

import (
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
		s.add(l.key, []decimal.NullDecimal{l.approved, l.spent})
	}
	return s
}

func in2008(l *budgetLine) bool { return l.year == "2008" }
func in2010(l *budgetLine) bool { return l.year == "2010" }
