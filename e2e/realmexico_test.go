package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/shopspring/decimal"

	"fiscube/api"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/testrequire"
	"fiscube/store"
	"fiscube/store/postgres"
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
	switch field {
	case "CICLO":
		return l.year
	case "ID_RAMO":
		return l.ramo
	case "ID_UR":
		return l.unit
	case "ID_CAPITULO":
		return l.chapter
	}
	return ""
}

// mexico is the running service with the lines of the files that it has loaded.
type mexico struct {
	*service
	folder string
	lines  []*budgetLine
	rows   map[string]map[string]string // whole, of the unit 11/100, by file and line
}

func TestRealData_TheMexicanBudget(t *testing.T) {
	t.Parallel()
	folder := realPackage(t, "D7-mexico")
	lines, rows := mexicanLines(t, os.DirFS(folder))
	realCubes.onEveryStore(t, func(t *testing.T, s *service) {
		m := &mexico{s, folder, lines, rows}
		for _, test := range mexicanTests {
			t.Run(test.name, func(t *testing.T) { test.run(m, t) })
		}
	})
}

var mexicanTests = []struct {
	name string
	run  func(*mexico, *testing.T)
}{
	{"members of each level", (*mexico).membersOfEachLevel},
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

func mexicanLines(t testing.TB, folder fs.FS) (lines []*budgetLine, rows map[string]map[string]string) {
	t.Helper()
	fields := describe(t, folder).Resources[0].Schema.Fields
	rows = map[string]map[string]string{}
	kept := map[string]string{} // each text once, and not with its whole row
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
		if cell("ID_RAMO") != "11" || cell("ID_UR") != "100" {
			return
		}
		row := map[string]string{}
		for _, field := range fields {
			row[field.Name] = strings.Clone(cell(field.Name))
		}
		rows[fmt.Sprint(resource, ":", line)] = row
	})
	return lines, rows
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

// The figures were counted from the files by other means.
func (m *mexico) membersOfEachLevel(t *testing.T) {
	for level, want := range map[string]int64{"ID_RAMO": 37, "ID_UR": 1200, "ID_FUNCION": 28, "ID_SUBFUNCION": 92} {
		if got := m.ask(t, "mexico", "drilldown="+level+"&cut=CICLO:2008&pagesize=0").TotalCellCount; got != want {
			t.Errorf("%s has %d members in 2008, want %d", level, got, want)
		}
	}
}

func (m *mexico) unitsOfOneRamo(t *testing.T) {
	want := m.sums(func(l *budgetLine) bool { return in2010(l) && l.ramo == "11" }, "ID_RAMO", "ID_UR")
	m.agree(t, "mexico", "ID_UR&cut=ID_RAMO:11|CICLO:2010", want)
}

// Unit 100 is the minister's office of most ramos: a code means something under its parent only.
func (m *mexico) unitOfManyRamos(t *testing.T) {
	want := m.sums(func(l *budgetLine) bool { return in2010(l) && l.unit == "100" }, "ID_RAMO", "ID_UR")
	if len(want.groups) < 20 {
		t.Errorf("unit 100 is in %d ramos only", len(want.groups))
	}
	m.agree(t, "mexico", "ID_UR&cut=ID_UR:100|CICLO:2010", want)
}

func (m *mexico) keysOfOneLength(t *testing.T) {
	want := m.sums(func(l *budgetLine) bool { return len(l.ramo) == 1 && l.ramo >= "1" && l.ramo <= "9" }, "ID_RAMO")
	if len(want.groups) != 9 {
		t.Errorf("there are %d ramos of one digit", len(want.groups))
	}
	m.agree(t, "mexico", "ID_RAMO&cut=ID_RAMO:1..9", want)
}

// unitNames gives what each unit is called in a year, which is one name.
func (m *mexico) unitNames(t *testing.T, year string) map[string]string {
	t.Helper()
	names := map[string]string{}
	for _, l := range m.lines {
		id, name := l.ramo+"/"+l.unit, strings.Join(strings.Fields(l.unitName), " ")
		if known, ok := names[id]; l.year == year && ok && known != name {
			t.Fatalf("unit %s has two names in %s", id, year)
		}
		if l.year == year {
			names[id] = name
		}
	}
	return names
}

// renamedUnits are those that have another name in 2010 than in 2008.
func (m *mexico) renamedUnits(t *testing.T) (before, after map[string]string) {
	t.Helper()
	before, after = m.unitNames(t, "2008"), m.unitNames(t, "2010")
	for id, name := range before {
		if later, ok := after[id]; !ok || later == name {
			delete(before, id)
		}
	}
	if len(before) < 50 {
		t.Fatalf("%d units have another name in 2010", len(before))
	}
	return before, after
}

// A unit that was renamed is one cell, called as in the latest year that is asked.
func (m *mexico) namesOfTheYears(t *testing.T) {
	before, after := m.renamedUnits(t)
	for cut, names := range map[string]map[string]string{"": after, "&cut=CICLO:2008": before, "&cut=CICLO:2010": after} {
		seen := map[string]int{}
		for _, cell := range m.ask(t, "mexico", "drilldown=ID_UR&aggregates=_count&pagesize=10000"+cut).Cells {
			id := fmt.Sprint(cell["ID_RAMO"], "/", cell["ID_UR"])
			seen[id]++
			if _, renamed := before[id]; renamed && cell["DESC_UR"] != names[id] {
				t.Errorf("%s: unit %s is called %v, want %s", cut, id, cell["DESC_UR"], names[id])
			}
		}
		for id := range before {
			if seen[id] != 1 {
				t.Errorf("%s: unit %s is %d cells", cut, id, seen[id])
			}
		}
	}
}

// A name of any year finds a unit with all its rows, and so does a part of it.
func (m *mexico) cutsByName(t *testing.T) {
	before, after := m.renamedUnits(t)
	for _, unit := range slices.Sorted(maps.Keys(before))[:5] {
		name := before[unit]
		part := strings.TrimSpace(plainly(name)[:len(plainly(name))-3])
		named, said := map[string]bool{}, map[string]bool{}
		for _, names := range []map[string]string{m.unitNames(t, "2008"), after} {
			for id, other := range names {
				named[id] = named[id] || other == name
				said[id] = said[id] || strings.Contains(plainly(other), part)
			}
		}
		for cut, members := range map[string]map[string]bool{fmt.Sprintf("DESC_UR:%q", name): named, fmt.Sprintf("DESC_UR:~%q", part): said} {
			want := m.sums(func(l *budgetLine) bool { return members[l.ramo+"/"+l.unit] }, "ID_RAMO", "ID_UR")
			if len(want.groups) == 0 || len(want.groups) == len(members) {
				t.Errorf("%s: %d units of %d", cut, len(want.groups), len(members))
			}
			m.agree(t, "mexico", "ID_UR&cut="+url.QueryEscape(cut), want)
		}
	}
}

// plainly is a text without case, accents and doubled spaces, as far as Spanish has them.
func plainly(text string) string {
	text = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ü", "u", "ñ", "n").Replace(
		strings.Map(unicode.ToLower, text))
	return strings.Join(strings.Fields(text), " ")
}

// Facts are the rows of the files that the cut admits, cell by cell, with the line they are in.
func (m *mexico) factsOfACut(t *testing.T) {
	p := describe(t, os.DirFS(m.folder))
	want := maps.Clone(m.rows)
	var answer struct {
		Total int `json:"total_fact_count"`
		Facts []map[string]any
	}
	m.read(t, "/cubes/mexico/facts?cut=ID_RAMO:11|ID_UR:100&pagesize=10000", &answer)
	if answer.Total != len(want) || len(answer.Facts) != len(want) || len(want) < 100 {
		t.Fatalf("%d facts of %d, want %d", len(answer.Facts), answer.Total, len(want))
	}
	numbers := p.numbers(0)
	for _, fact := range answer.Facts {
		id := fmt.Sprint(fact["_resource"], ":", fact["_line"])
		for field, cell := range want[id] {
			if got := fact[field]; numbers[field] && !equal(got, amountOf(t, cell)) || !numbers[field] && textOf(got) != cell {
				t.Errorf("%s, %s: %v, want %q", id, field, got, cell)
			}
		}
		if want[id] == nil {
			t.Errorf("no row is at %s, or two facts", id)
		}
		delete(want, id)
	}
}

// textOf is a text in JSON as it is in a file.
func textOf(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

func (m *mexico) havingMore(t *testing.T) {
	all := m.sums(in2010, "ID_RAMO", "ID_UR")
	bound := amountOf(t, "10000000000.00").Decimal
	want := &sums{keys: all.keys, measures: all.measures, groups: map[string]*group{}}
	for id, g := range all.groups {
		if g.amounts[approved].Valid && g.amounts[approved].Decimal.GreaterThan(bound) {
			want.groups[id] = g
			want.whole.add(g.amounts)
			want.whole.rows += g.rows - 1
		}
	}
	if n := len(want.groups); n == 0 || n == len(all.groups) {
		t.Errorf("%d units of %d have more", n, len(all.groups))
	}
	m.agree(t, "mexico", "ID_UR&cut=CICLO:2010&having=MONTO_APROBADO.sum>10000000000", want)
}

// subtotals are the sums of their ramo, and of the cells that follow them.
func (m *mexico) subtotals(t *testing.T) {
	ramos, units := m.sums(in2010, "ID_RAMO"), m.sums(in2010, "ID_RAMO", "ID_UR")
	a := m.ask(t, "mexico", "drilldown=ID_RAMO|ID_UR&rollup=1&cut=CICLO:2010&pagesize=10000")
	if len(a.Cells) != len(ramos.groups)+len(units.groups) {
		t.Errorf("%d rows, want %d and %d", len(a.Cells), len(ramos.groups), len(units.groups))
	}
	ramos.compare(t, "in all", &ramos.whole, a.Summary)
	var ramo string
	below := map[string]decimal.Decimal{}
	for _, cell := range a.Cells {
		if cell["_level"] == "ID_RAMO" {
			ramo = fmt.Sprint(cell["ID_RAMO"])
			if _, has := cell["ID_UR"]; has {
				t.Errorf("the subtotal of ramo %s has a unit", ramo)
			}
			ramos.compare(t, "ramo "+ramo, ramos.groups[ramo], cell)
			continue
		}
		if id := units.id(cell); cell["_level"] != "ID_UR" || fmt.Sprint(cell["ID_RAMO"]) != ramo || units.groups[id] == nil {
			t.Fatalf("%v is under ramo %s", cell, ramo)
		}
		units.compare(t, "unit "+units.id(cell), units.groups[units.id(cell)], cell)
		below[ramo] = below[ramo].Add(amountIn(t, cell["MONTO_APROBADO.sum"]))
	}
	for ramo, sum := range below {
		if !sum.Equal(ramos.groups[ramo].amounts[approved].Decimal) {
			t.Errorf("the units of ramo %s add up to %s", ramo, sum)
		}
	}
}

// amountIn is a number in JSON, 0 where there is none.
func amountIn(t testing.TB, value any) decimal.Decimal {
	t.Helper()
	number, _ := value.(json.Number)
	return amountOf(t, number.String()).Decimal
}

// greatestOfEach asks for the five units of each ramo to which most was approved, and what the rest have.
func (m *mexico) greatestOfEach(t *testing.T) {
	units := m.sums(in2010, "ID_RAMO", "ID_UR")
	want := map[string]*group{}
	for ramo, ids := range unitsByRamo(units) {
		for place, id := range ids {
			key := id
			if place >= 5 {
				key = ramo + "\x00"
			}
			if want[key] == nil {
				want[key] = &group{}
			}
			want[key].add(units.groups[id].amounts)
			want[key].rows += units.groups[id].rows - 1
		}
	}
	a := m.ask(t, "mexico", "drilldown=ID_RAMO|ID_UR&top=5&remainder=1&order=MONTO_APROBADO.sum:desc&cut=CICLO:2010&pagesize=10000")
	if len(a.Cells) != len(want) {
		t.Errorf("%d rows, want %d", len(a.Cells), len(want))
	}
	for _, cell := range a.Cells {
		g := want[units.id(cell)]
		if _, has := cell["ID_UR"]; g == nil || has == (cell["_others"] != nil) {
			t.Fatalf("no such row is wanted: %v", cell)
		}
		units.compare(t, fmt.Sprintf("%q", units.id(cell)), g, cell)
	}
}

// unitsByRamo lists the units of each ramo, the greatest approved amount first; equals by key.
func unitsByRamo(units *sums) map[string][]string {
	ramos := map[string][]string{}
	for id := range units.groups {
		ramo, _, _ := strings.Cut(id, "\x00")
		ramos[ramo] = append(ramos[ramo], id)
	}
	for _, ids := range ramos {
		slices.SortFunc(ids, func(a, b string) int {
			x, y := units.groups[a].amounts[approved], units.groups[b].amounts[approved]
			if x.Valid != y.Valid {
				return cmp.Compare(boolean(y.Valid), boolean(x.Valid))
			}
			return cmp.Or(y.Decimal.Cmp(x.Decimal), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
		})
	}
	return ramos
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// quotient divides exactly and rounds once, half to even.
func quotient(of, by decimal.NullDecimal) decimal.NullDecimal {
	if !of.Valid || !by.Valid || by.Decimal.IsZero() {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(of.Decimal.DivRound(by.Decimal, 60).RoundBank(8))
}

func (m *mexico) sharesAndRatios(t *testing.T) {
	ramos, units := m.sums(in2010, "ID_RAMO"), m.sums(in2010, "ID_RAMO", "ID_UR")
	const ratio, share, ofParent = "ratio(MONTO_EJERCIDO.sum,MONTO_APROBADO.sum)", "share(MONTO_APROBADO.sum)", "share_of_parent(MONTO_APROBADO.sum)"
	a := m.ask(t, "mexico", "drilldown=ID_UR&cut=CICLO:2010&pagesize=10000&aggregates="+ratio+"|"+share+"|"+ofParent)
	if len(a.Cells) != len(units.groups) {
		t.Errorf("%d cells, want %d", len(a.Cells), len(units.groups))
	}
	unknown := 0
	for _, cell := range a.Cells {
		own, parent := units.groups[units.id(cell)].amounts, ramos.groups[fmt.Sprint(cell["ID_RAMO"])].amounts
		for name, want := range map[string]decimal.NullDecimal{
			ratio: quotient(own[spent], own[approved]), share: quotient(own[approved], units.whole.amounts[approved]),
			ofParent: quotient(own[approved], parent[approved]),
		} {
			if !equal(cell[name], want) {
				t.Errorf("%q: %s is %v, want %s", units.id(cell), name, cell[name], show(want))
			}
			unknown += 1 - boolean(want.Valid)
		}
	}
	if unknown == 0 {
		t.Error("no unit spent what nobody had approved")
	}
	if whole := quotient(units.whole.amounts[spent], units.whole.amounts[approved]); !equal(a.Summary[ratio], whole) {
		t.Errorf("in all %v was spent, want %s", a.Summary[ratio], show(whole))
	}
}

// reusedUnits gives the units whose codes mean another thing in 2010 than in 2008, so that nothing is compared.
func (m *mexico) reusedUnits(t *testing.T) map[string]bool {
	t.Helper()
	var model struct {
		Levels []struct {
			Ref    string
			Breaks []struct {
				Path   []string
				Reused bool
			}
		}
	}
	m.read(t, "/cubes/mexico/model", &model)
	units := map[string]bool{}
	for _, level := range model.Levels {
		for _, b := range level.Breaks {
			if level.Ref == "ID_UR" && b.Reused {
				units[strings.Join(b.Path, "\x00")] = true
			}
		}
	}
	if len(units) != 1 {
		t.Errorf("%d units are reused, want 27/411 alone: %v", len(units), units)
	}
	return units
}

// The package has 2008 and 2010, so the year before last is there.
func (m *mexico) comparison(t *testing.T) {
	before, now := m.sums(in2008, "ID_RAMO", "ID_UR"), m.sums(in2010, "ID_RAMO", "ID_UR")
	a := m.ask(t, "mexico", "drilldown=ID_UR&cut=CICLO:2010&compare=CICLO:-2&aggregates=MONTO_APROBADO.sum&pagesize=10000")
	reused := m.reusedUnits(t)
	changes := map[any]int{}
	for _, cell := range a.Cells {
		id := now.id(cell)
		if reused[id] {
			compared(t, id, "MONTO_APROBADO.sum", cell, amountsOf(now.groups[id]), decimal.NullDecimal{})
			changes[nil]++
			continue
		}
		changes[cell["_change"]]++
		here, there := now.groups[id], before.groups[id]
		if (cell["_change"] == "new") != (there == nil) || (cell["_change"] == "gone") != (here == nil) {
			t.Errorf("%q is %v", id, cell["_change"])
		}
		compared(t, id, "MONTO_APROBADO.sum", cell, amountsOf(here), amountsOf(there))
	}
	if changes[nil] == 0 || changes["new"] == 0 || changes["gone"] == 0 || changes[nil]+changes["new"] != len(now.groups) ||
		changes[nil]+changes["gone"] != len(before.groups) {
		t.Errorf("%v of %d units then and %d now", changes, len(before.groups), len(now.groups))
	}
	compared(t, "in all", "MONTO_APROBADO.sum", a.Summary, now.whole.amounts[approved], before.whole.amounts[approved])
}

func amountsOf(g *group) decimal.NullDecimal {
	if g == nil {
		return decimal.NullDecimal{}
	}
	return g.amounts[approved]
}

// There is no 2009: that is said, and no unit is new for it.
func (m *mexico) nothingToCompareWith(t *testing.T) {
	now := m.sums(in2010, "ID_RAMO")
	var a struct {
		answer
		Warnings []struct{ Code string }
	}
	m.read(t, "/cubes/mexico/aggregate?drilldown=ID_RAMO&cut=CICLO:2010&compare=CICLO:-1&aggregates=MONTO_APROBADO.sum", &a)
	for _, cell := range a.Cells {
		compared(t, now.id(cell), "MONTO_APROBADO.sum", cell, now.groups[now.id(cell)].amounts[approved], decimal.NullDecimal{})
		if cell["_change"] != nil {
			t.Errorf("%q is %v", now.id(cell), cell["_change"])
		}
	}
	if len(a.Cells) != len(now.groups) || len(a.Warnings) != 1 || a.Warnings[0].Code != "not-compared" {
		t.Errorf("%d cells and %v", len(a.Cells), a.Warnings)
	}
}

// BenchmarkExport sends every fact of the largest real package in each format. Beside the bytes a second it reports
// what bounds them: the time in which the store alone yields the same facts to nobody.
func BenchmarkExport(b *testing.B) {
	m := openAlone(b, realCubes, "mexico")
	facts, alone := m.read(b)
	b.Logf("the store yields %d facts in %v", facts, alone)
	for _, format := range []string{"csv", "ndjson", "parquet"} {
		b.Run(format, func(b *testing.B) {
			var sent *sink
			for b.Loop() {
				sent = m.export(b, format)
			}
			b.SetBytes(sent.bytes)
			b.ReportMetric(float64(alone.Milliseconds()), "store-ms")
			b.ReportMetric(float64(sent.most>>20), "heap-MB")
		})
	}
}

// exported serves more than an export may hold in memory.
var exported = &shared{load: func(testing.TB) []string { return []string{long()} }}

// An export takes as much memory as its buffers do, however long it is.
func TestExport_HoldsMemoryFlat(t *testing.T) {
	testrequire.Long(t)
	m := openAlone(t, exported, "budget")
	for format, allowed := range map[string]int64{"csv": 32 << 20, "ndjson": 32 << 20, "parquet": 64 << 20} {
		if sent := m.export(t, format); sent.most > allowed || format != "parquet" && sent.bytes < 2*allowed {
			t.Errorf("%s: %d bytes of memory for %d of the file", format, sent.most, sent.bytes)
		}
	}
	if sent := m.send(t, "/cubes/budget/package.zip"); sent.most > 32<<20 || sent.bytes < 1<<20 {
		t.Errorf("the whole package: %d bytes of memory for %d of the zip", sent.most, sent.bytes)
	}
}

// exporter is a service over a cube, without a server in between.
type exporter struct {
	store   store.Store
	handler http.Handler
	cube    string
}

func openAlone(t testing.TB, on *shared, cube string) exporter {
	t.Helper()
	s, err := store.Open(context.Background(), on.alone(t), postgres.Options{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return exporter{s, api.New(s, api.Options{Log: slog.New(slog.DiscardHandler)}), cube}
}

// read lets the store yield every fact.
func (m exporter) read(t testing.TB) (facts int, took time.Duration) {
	t.Helper()
	catalog, err := m.store.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	version, err := catalog.Cube(m.cube)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.BindFacts(version, query.FactQuery{Size: query.EveryFact})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for _, err := range m.store.Facts(t.Context(), p.Main()) {
		if err != nil {
			t.Fatal(err)
		}
		facts++
	}
	return facts, time.Since(began)
}

func (m exporter) export(t testing.TB, question string) *sink {
	t.Helper()
	return m.send(t, "/cubes/"+m.cube+"/facts?format="+question)
}

func (m exporter) send(t testing.TB, path string) *sink {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // what other tests have left in memory would let as much garbage gather
	runtime.GC()
	s := &sink{header: http.Header{}, least: heap()}
	m.handler.ServeHTTP(s, httptest.NewRequest(http.MethodGet, path, nil))
	if s.status != http.StatusOK {
		t.Fatalf("status %d", s.status)
	}
	return s
}

// sink takes an answer, and looks at the memory while it does.
type sink struct {
	header      http.Header
	status      int
	bytes, seen int64
	least, most int64
}

func (s *sink) Header() http.Header { return s.header }

func (s *sink) WriteHeader(status int) { s.status = status }

func (s *sink) Write(b []byte) (int, error) {
	s.bytes += int64(len(b))
	if s.bytes-s.seen > 1<<18 {
		s.seen = s.bytes
		s.most = max(s.most, heap()-s.least)
	}
	return io.Discard.Write(b)
}

func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
