package search

import (
	"cmp"
	"context"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// made is a store of made-up members and amounts, which is all that an index asks for.
type made struct {
	cube.Backend
	mu      sync.Mutex
	cubes   []*cube.Cube
	members map[int64]map[string][]cube.MemberRow // by cube and level
	cells   map[int64]map[string][]cube.Cell      // by cube and drilldown
	asked   []string                              // the drilldowns of the questions
	failing map[int64]error
}

// Catalog implements cube.Backend.
func (m *made) Catalog(context.Context) (*cube.Catalog, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return cube.NewCatalog(m.cubes), nil
}

// Members implements cube.Backend for what an index asks: the members of most rows.
func (m *made) Members(_ context.Context, plan *cube.MemberPlan) iter.Seq2[cube.MemberRow, error] {
	return func(yield func(cube.MemberRow, error) bool) {
		m.mu.Lock()
		rows, err := m.members[plan.Cube().ID][plan.Level().Ref], m.failing[plan.Cube().ID]
		m.mu.Unlock()
		if err != nil {
			yield(cube.MemberRow{}, err)
			return
		}
		rows = slices.SortedStableFunc(slices.Values(rows), func(a, b cube.MemberRow) int { return cmp.Compare(b.Rows, a.Rows) })
		if !yield(cube.MemberRow{Count: int64(len(rows))}, nil) {
			return
		}
		for _, row := range rows[:min(len(rows), plan.Page().Size)] {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// Run implements cube.Backend: the cells that were put, behind a summary that nobody asked for.
func (m *made) Run(ctx context.Context, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
	drilled := drilldown(plan)
	m.mu.Lock()
	m.asked = append(m.asked, drilled)
	cells := m.cells[plan.Cube().ID][drilled]
	m.mu.Unlock()
	return func(yield func(cube.Cell, error) bool) {
		for _, cell := range append([]cube.Cell{paid("77.77")}, cells...) {
			if ctx.Err() != nil {
				yield(cube.Cell{}, ctx.Err())
				return
			}
			if !yield(cell, nil) {
				return
			}
		}
	}
}

func drilldown(plan *cube.Plan) string {
	var levels []string
	for _, l := range plan.Levels() {
		levels = append(levels, l.Ref)
	}
	return strings.Join(levels, "|")
}

// paid is a cell of one amount; "" is null.
func paid(amount string, keys ...cube.Value) cube.Cell {
	cell := cube.Cell{Keys: keys, Values: make([]decimal.NullDecimal, 1)}
	if amount != "" {
		cell.Values[0] = decimal.NewNullDecimal(decimal.RequireFromString(amount))
	}
	return cell
}

// pay says what a drilldown comes to.
func (m *made) pay(one *cube.Cube, drilldown string, cells ...cube.Cell) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cells[one.ID] == nil {
		m.cells[one.ID] = map[string][]cube.Cell{}
	}
	m.cells[one.ID][drilldown] = cells
}

// serve serves just these.
func (m *made) serve(cubes ...*cube.Cube) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cubes = cubes
}

func (m *made) put(one *cube.Cube, level string, rows ...cube.MemberRow) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.members[one.ID] == nil {
		m.members[one.ID] = map[string][]cube.MemberRow{}
	}
	m.members[one.ID][level] = rows
}

func newMade() *made {
	return &made{
		members: map[int64]map[string][]cube.MemberRow{}, cells: map[int64]map[string][]cube.Cell{}, failing: map[int64]error{},
	}
}

func (m *made) index() *Index { return New(cube.NewEngine(m), slog.New(slog.DiscardHandler)) }

// budget is a cube with a year, a chain of two levels with labels, a level without, and a measure.
func budget(t testing.TB, id int64, name, title string) *cube.Cube {
	t.Helper()
	model, err := cube.NewModel([]cube.Column{
		{Name: "year", Type: cube.TypeInteger, FiscalYear: true},
		{Name: "area", Type: cube.TypeText}, {Name: "area_name", Type: cube.TypeText},
		{Name: "unit", Type: cube.TypeText}, {Name: "unit_name", Type: cube.TypeText},
		{Name: "fund", Type: cube.TypeText}, {Name: "line", Type: cube.TypeText}, {Name: "paid", Type: cube.TypeDecimal, Scale: 2},
	}, []cube.Dimension{
		{Name: "date", Levels: []cube.Level{{Ref: "year"}}},
		{Name: "administrative-classification", Titles: cube.Titles{"en": "Who spends", "es": "Quién gasta"}, Levels: []cube.Level{
			{Ref: "area", LabelRef: "area_name", Titles: cube.Titles{"en": "Ministry"}},
			{Ref: "unit", LabelRef: "unit_name", Parent: "area"},
		}},
		{Name: "funds", Levels: []cube.Level{{Ref: "fund"}}},
		{Name: "lines", Type: cube.DimensionFact, Levels: []cube.Level{{Ref: "line"}}},
	}, []cube.Measure{{Ref: "paid", Title: "Money paid out"}})
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{
		Package: &cube.Package{
			Name: name, Title: title, Description: "What was planned and what was spent.", Model: model,
			Resources: []cube.Resource{{Name: "a", Found: cube.Found{FirstYear: 2014, LastYear: 2018}}},
		},
		ID: id, Version: 1, Rows: 1000, Served: true,
	}
}

// row makes a member; further labels are those of other years.
func row(rows int64, path []string, labels ...string) cube.MemberRow {
	m := cube.MemberRow{Rows: rows, First: cube.Integer(2014), Last: cube.Integer(2018)}
	for _, key := range path {
		m.Path = append(m.Path, cube.Text(key))
	}
	for _, label := range labels {
		m.Labels = append(m.Labels, cube.LabelUse{Text: label})
	}
	if m.Label = m.Path[len(m.Path)-1]; len(labels) > 0 {
		m.Label = cube.Text(labels[0])
	}
	return m
}

// find gives the labels of what is found, with a path behind them.
func find(t testing.TB, x *Index, text string) []string {
	t.Helper()
	list := []string{}
	for _, h := range ask(t, x, text, cube.Page{Number: 1, Size: MostHits}).Hits {
		list = append(list, shown(h))
	}
	return list
}

func shown(h Hit) string {
	if h.Kind != KindMember {
		return string(h.Kind) + " " + h.Label
	}
	return cube.PathText(h.Path) + " " + h.Label
}

func ask(t testing.TB, x *Index, text string, page cube.Page) Answer {
	t.Helper()
	q, err := Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	catalog, err := x.engine.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := x.Find(t.Context(), q, catalog.Served(), page)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
