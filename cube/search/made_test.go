package search

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// made is a store of made-up members and amounts, which is all that an index asks for.
type made struct {
	answer.Store
	mu      sync.Mutex
	cubes   []*cube.Cube
	members map[int64]map[string][]plan.MemberRow // by cube and level
	groups  map[int64]map[string][]plan.Group     // by cube and drilldown
	asked   []string                              // the drilldowns of the questions
	failing map[int64]error
}

// Catalog implements Store.
func (m *made) Catalog(context.Context) (*cube.Catalog, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return cube.NewCatalog(m.cubes), nil
}

// Members implements Store for what an index asks: the members of most rows.
func (m *made) Members(_ context.Context, s *plan.MemberStatement) (plan.MemberRows, error) {
	m.mu.Lock()
	rows, err := m.members[s.Cube().ID][s.Level().Ref], m.failing[s.Cube().ID]
	m.mu.Unlock()
	if err != nil {
		return plan.MemberRows{}, err
	}
	rows = slices.SortedStableFunc(slices.Values(rows), func(a, b plan.MemberRow) int { return cmp.Compare(b.Rows, a.Rows) })
	return plan.MemberRows{Count: int64(len(rows)), Close: func() {}, Members: func(yield func(plan.MemberRow, error) bool) {
		for _, row := range rows[:min(len(rows), s.Page().Size)] {
			if !yield(row, nil) {
				return
			}
		}
	}}, nil
}

// Cells implements Store: the groups that were put, with totals that nobody asked for.
func (m *made) Cells(ctx context.Context, s *plan.Statement) (plan.Result, error) {
	drilled := drilldown(s)
	m.mu.Lock()
	m.asked = append(m.asked, drilled)
	groups := m.groups[s.Cube().ID][drilled]
	m.mu.Unlock()
	return plan.Result{Count: int64(len(groups)), Total: paid("77.77").Parts, Close: func() {}, Groups: func(yield func(plan.Group, error) bool) {
		if ctx.Err() != nil {
			yield(plan.Group{}, ctx.Err())
			return
		}
		for _, g := range groups {
			if !yield(g, ctx.Err()) {
				return
			}
		}
	}}, nil
}

func drilldown(s *plan.Statement) string {
	return strings.Join(each.Text(s.Levels(), func(l cube.Level) string { return l.Ref }), "|")
}

// paid is a group of one amount; "" is null.
func paid(amount string, keys ...cube.Value) plan.Group {
	g := plan.Group{Keys: keys, Parts: make([]decimal.NullDecimal, 1)}
	if amount != "" {
		g.Parts[0] = decimal.NewNullDecimal(decimal.RequireFromString(amount))
	}
	return g
}

// pay says what a drilldown comes to.
func (m *made) pay(cb *cube.Cube, drilldown string, groups ...plan.Group) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.groups[cb.ID] == nil {
		m.groups[cb.ID] = map[string][]plan.Group{}
	}
	m.groups[cb.ID][drilldown] = groups
}

// serve serves just these.
func (m *made) serve(cubes ...*cube.Cube) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cubes = cubes
}

func (m *made) put(cb *cube.Cube, level string, rows ...plan.MemberRow) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.members[cb.ID] == nil {
		m.members[cb.ID] = map[string][]plan.MemberRow{}
	}
	m.members[cb.ID][level] = rows
}

func newMade() *made {
	return &made{
		members: map[int64]map[string][]plan.MemberRow{}, groups: map[int64]map[string][]plan.Group{}, failing: map[int64]error{},
	}
}

func (m *made) index() *Index { return New(m, slog.New(slog.DiscardHandler)) }

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
		{Name: "administrative-classification", Classification: "administrative", Titles: cube.Titles{"en": "Who spends", "es": "Quién gasta"}, Levels: []cube.Level{
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
func row(rows int64, path []string, labels ...string) plan.MemberRow {
	m := plan.MemberRow{Rows: rows, First: cube.Integer(2014), Last: cube.Integer(2018)}
	for _, key := range path {
		m.Path = append(m.Path, cube.Text(key))
	}
	for _, label := range labels {
		m.Labels = append(m.Labels, plan.LabelUse{Text: label})
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
	for _, h := range ask(t, x, text, query.Page{Number: 1, Size: MostHits}).Hits {
		list = append(list, hitText(h))
	}
	return list
}

func hitText(h Hit) string {
	if h.Kind != KindMember {
		return string(h.Kind) + " " + h.Label
	}
	return query.PathText(h.Cube.Model.PathOf(h.Level), h.Path) + " " + h.Label
}

func ask(t testing.TB, x *Index, text string, page query.Page) Answer {
	t.Helper()
	q, err := Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	catalog, err := x.store.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := x.Find(t.Context(), q, catalog.Served(), page)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
