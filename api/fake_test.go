package api_test

import (
	"context"
	"iter"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"fiscube/api"
	"fiscube/cube"
)

// fake is a store that says what a test tells it to: for failures and for encoding, which no data set brings
// about at will. Right answers are checked over real stores.
type fake struct {
	cubes      []*cube.Cube
	catalogErr error
	readyErr   error
	run        func(context.Context, *cube.Plan) iter.Seq2[cube.Cell, error]
	facts      []cube.Fact         // of every question
	factsErr   error               // what they end with
	members    []cube.MemberRow    // of every query, behind their number
	membersErr error               // what they end with
	absent     map[string][]string // what is not among the members, with what is near; everything else is there
	remove     func(ctx context.Context, name string) error

	mu   sync.Mutex
	plan *cube.Plan // the last one
}

func (f *fake) Catalog(context.Context) (*cube.Catalog, error) {
	return cube.NewCatalog(f.cubes), f.catalogErr
}

func (f *fake) Ready(context.Context) error { return f.readyErr }

func (f *fake) Run(ctx context.Context, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.plan = plan
	if f.run == nil {
		return yielding(something(plan))(ctx, plan)
	}
	return f.run(ctx, plan)
}

func (f *fake) Facts(context.Context, *cube.FactPlan) iter.Seq2[cube.Fact, error] {
	return func(yield func(cube.Fact, error) bool) {
		for _, fact := range f.facts {
			if !yield(fact, nil) {
				return
			}
		}
		if f.factsErr != nil {
			yield(cube.Fact{}, f.factsErr)
		}
	}
}

// asked gives the last plan and forgets it.
func (f *fake) SQL(*cube.Plan) (string, []any) { return "SELECT $1", []any{"one"} }

func (f *fake) asked() *cube.Plan {
	f.mu.Lock()
	defer f.mu.Unlock()
	plan := f.plan
	f.plan = nil
	return plan
}

func (f *fake) Load(context.Context, cube.Content) (cube.Loaded, error) { panic("not for this test") }

func (f *fake) Serve(context.Context, string, int) error { panic("not for this test") }

func (f *fake) Prune(context.Context, string, int) ([]int, error) { panic("not for this test") }

func (f *fake) Remove(ctx context.Context, name string) error { return f.remove(ctx, name) }

// something is a summary over rows, though there are no cells: of an empty one the engine would ask more.
func something(plan *cube.Plan) cube.Cell {
	summary := nothing(plan)
	for i := range summary.Values {
		summary.Values[i] = decimal.NewNullDecimal(decimal.NewFromInt(1))
	}
	return summary
}

// nothing is the summary over no rows.
func nothing(plan *cube.Plan) cube.Cell {
	return cube.Cell{Values: make([]decimal.NullDecimal, len(plan.Aggregates()))}
}

// yielding runs by yielding the cells, the summary first.
func yielding(cells ...cube.Cell) func(context.Context, *cube.Plan) iter.Seq2[cube.Cell, error] {
	return failing(nil, cells...)
}

// failing runs by yielding the cells and then the error.
func failing(err error, cells ...cube.Cell) func(context.Context, *cube.Plan) iter.Seq2[cube.Cell, error] {
	return func(context.Context, *cube.Plan) iter.Seq2[cube.Cell, error] {
		return func(yield func(cube.Cell, error) bool) {
			for _, cell := range cells {
				if !yield(cell, nil) {
					return
				}
			}
			if err != nil {
				yield(cube.Cell{}, err)
			}
		}
	}
}

// amounts makes values; "" is null.
func amounts(texts ...string) []decimal.NullDecimal {
	values := make([]decimal.NullDecimal, len(texts))
	for i, text := range texts {
		if text != "" {
			values[i] = decimal.NewNullDecimal(decimal.RequireFromString(text))
		}
	}
	return values
}

// budget is a cube with most of what a model can have.
func budget(t testing.TB) *cube.Cube {
	t.Helper()
	columns := []cube.Column{
		{Name: "Year", Type: cube.TypeInteger, FiscalYear: true},
		{Name: "admin1_code", Type: cube.TypeText}, {Name: "admin1_label", Type: cube.TypeText},
		{Name: "admin2_code", Type: cube.TypeText}, {Name: "admin2_label", Type: cube.TypeText},
		{Name: "unit", Type: cube.TypeText},
		{Name: "econ_code", Type: cube.TypeText}, {Name: "fin_code", Type: cube.TypeText},
		{Name: "approved_value", Scale: 2}, {Name: "executed: cash", Scale: 0},
	}
	dimensions := []cube.Dimension{
		{Name: "date", Type: "datetime", Levels: []cube.Level{{Ref: "Year"}}},
		{Name: "administrative-classification", Type: "classification", Classification: "administrative",
			Levels: []cube.Level{
				{Ref: "admin1_code", LabelRef: "admin1_label"},
				{Ref: "admin2_code", LabelRef: "admin2_label", Parent: "admin1_code"},
			}},
		{Name: "units", Levels: []cube.Level{{Ref: "unit", Within: []string{"admin1_code"}}}},
		{Name: "other", Levels: []cube.Level{{Ref: "econ_code"}, {Ref: "fin_code"}}},
	}
	measures := []cube.Measure{
		{Ref: "approved_value", Title: "Approved", Currency: "HRK", Unit: 1, Phase: "approved", Direction: "expenditure"},
		{Ref: "executed: cash"},
	}
	return &cube.Cube{
		Package: &cube.Package{
			Name: "croatia", Title: "Croatia <Budget> & More", Country: "HR", Publisher: "Ministry", Tags: []string{"budget"},
			StartDate: "2014-01-01", CreatedAt: "2018-05-01", Image: "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
			Descriptor: []byte(`{"name": "croatia" }`),
			Resources: []cube.Resource{
				{Name: "a", Path: "data/a.csv", Found: cube.Found{Bytes: 7, Hash: "ab", Rows: 3, FirstYear: 2014, LastYear: 2016}},
				{Name: "b", Path: "data/b.csv", Found: cube.Found{Bytes: 8, Hash: "cd", Rows: 4, FirstYear: 2017, LastYear: 2017}},
			},
			Model: newModel(t, columns, dimensions, measures),
		},
		ID: 1, Version: 3, Rows: 539917, Served: true, Last: 4, LoadedAt: time.Date(2018, 5, 2, 10, 0, 0, 0, time.UTC),
		Fingerprint: "f3", Report: budgetReport,
	}
}

const budgetReport = `{"resources":[` +
	`{"name":"a","path":"data/a.csv","rows":3,"declared":{"hash":"ab"},"found":{"bytes":7,"hash":"ab","hashcopy":"","rows":3}},` +
	`{"name":"b","path":"data/b.csv","rows":4,"declared":{},"found":{"bytes":8,"hash":"cd","hashcopy":"","rows":4}}],` +
	`"totals":[{"resource":"a","year":"2014","measure":"approved_value","sum":"1.50","cells":2,"rows":3}],` +
	`"coverage":[{"column":"Year","resource":"a","filled":3},{"column":"unit","resource":"a","filled":0},` +
	`{"column":"Year","resource":"b","filled":4},{"column":"unit","resource":"b","absent":true,"filled":0}],` +
	`"levels":[{"ref":"Year","members":2},{"ref":"unit","members":1}],` +
	`"findings":[{"code":"sample-differs","severity":"warning","message":"it differs","count":1,"places":[{"line":2,"cell":"x"}]}]}`

// bare is a cube with as little as a model can have, and a name that URLs write otherwise.
func bare(t testing.TB) *cube.Cube {
	t.Helper()
	columns := []cube.Column{{Name: "note", Type: cube.TypeText}}
	return &cube.Cube{
		Package: &cube.Package{Name: `own:h"r 100%/ž`, Synthetic: true, Model: newModel(t, columns, nil, nil)},
		ID:      2, Version: 1, Served: true, Report: "{}",
	}
}

func newModel(t testing.TB, c []cube.Column, d []cube.Dimension, m []cube.Measure) *cube.Model {
	t.Helper()
	model, err := cube.NewModel(c, d, m)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// newFake is a store with both cubes.
func newFake(t testing.TB) *fake {
	t.Helper()
	return &fake{cubes: []*cube.Cube{budget(t), bare(t)}}
}

// handler serves the fake, and logs into nothing.
func handler(t testing.TB, f *fake) http.Handler {
	t.Helper()
	return logging(t, f, slog.New(slog.DiscardHandler))
}

func logging(t testing.TB, f *fake, log *slog.Logger) http.Handler {
	t.Helper()
	return api.New(cube.NewEngine(f), api.Options{Document: documentBytes(t), Log: log})
}

func documentBytes(t testing.TB) []byte {
	t.Helper()
	document, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func (f *fake) Members(context.Context, *cube.MemberPlan) iter.Seq2[cube.MemberRow, error] {
	return func(yield func(cube.MemberRow, error) bool) {
		if !yield(cube.MemberRow{Count: int64(len(f.members))}, nil) {
			return
		}
		for _, row := range f.members {
			if !yield(row, nil) {
				return
			}
		}
		if f.membersErr != nil {
			yield(cube.MemberRow{}, f.membersErr)
		}
	}
}

func (f *fake) Find(_ context.Context, _ *cube.Cube, wanted []cube.Wanted) ([]bool, error) {
	there := make([]bool, len(wanted))
	for i, w := range wanted {
		_, absent := f.absent[w.Asked()]
		there[i] = !absent
	}
	return there, nil
}

func (f *fake) Near(_ context.Context, _ *cube.Cube, wanted []cube.Wanted) ([][]string, error) {
	near := make([][]string, len(wanted))
	for i, w := range wanted {
		near[i] = f.absent[w.Asked()]
	}
	return near, nil
}
