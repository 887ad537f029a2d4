package e2e

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
)

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

// Facts are the rows of the files that the cut admits, cell by cell, at the line where they stand.
func (m *mexico) factsOfACut(t *testing.T) {
	want := map[string]map[string]string{}
	p := describe(t, os.DirFS(m.folder))
	eachRow(t, os.DirFS(m.folder), func(resource string, line int, cell func(string) string) {
		if cell("ID_RAMO") != "11" || cell("ID_UR") != "100" {
			return
		}
		row := map[string]string{}
		for _, field := range p.Resources[0].Schema.Fields {
			row[field.Name] = cell(field.Name)
		}
		want[fmt.Sprint(resource, ":", line)] = row
	})
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
			t.Errorf("no row stands at %s, or two facts", id)
		}
		delete(want, id)
	}
}

// textOf is a text in JSON as it stands in a file.
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
