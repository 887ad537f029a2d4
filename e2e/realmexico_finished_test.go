package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

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
			t.Fatalf("%v stands under ramo %s", cell, ramo)
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

// The package has 2008 and 2010, so the year before last is there.
func (m *mexico) comparison(t *testing.T) {
	before, now := m.sums(in2008, "ID_RAMO", "ID_UR"), m.sums(in2010, "ID_RAMO", "ID_UR")
	a := m.ask(t, "mexico", "drilldown=ID_UR&cut=CICLO:2010&compare=CICLO:-2&aggregates=MONTO_APROBADO.sum&pagesize=10000")
	changes := map[any]int{}
	for _, cell := range a.Cells {
		id := now.id(cell)
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
