package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
)

// fake is a store that says what a test tells it to: for failures and for encoding, which no data set brings
// about at will. Right answers are checked over real stores.
type fake struct {
	cubes      []*cube.Cube
	catalogErr error
	readyErr   error
	run        func(context.Context, *plan.Statement) iter.Seq2[row, error] // the first row is the summary
	facts      []plan.Fact                                                  // of every question
	factsErr   error                                                        // what they end with
	members    []plan.MemberRow                                             // of every query, with their number
	membersErr error                                                        // what they end with
	absent     map[string][]string                                          // what is not among the members, with what is near; everything else is there
	remove     func(ctx context.Context, name string) error

	mu        sync.Mutex
	statement *plan.Statement // the last one
}

// row is a group that the fake answers, or the summary of all groups with their number.
type row struct {
	Keys   []cube.Value
	Labels []cube.Value
	Values []decimal.NullDecimal // one for each of Statement.Parts; but see partsOf
	Count  int64
}

// partsOf gives the parts that the values of a row are made of. In the place of the count of a measure beside its sum
// there is the average: the count is what divides the sum to it.
func partsOf(s *plan.Statement, values []decimal.NullDecimal) []decimal.NullDecimal {
	parts := make([]decimal.NullDecimal, len(s.Parts()))
	copy(parts, values)
	for i, part := range s.Parts() {
		sum := slices.IndexFunc(s.Parts(), func(p plan.Part) bool { return p.Func == cube.Sum && p.Measure == part.Measure })
		if part.Func != cube.Count || sum < 0 || !parts[sum].Valid || !parts[i].Valid || parts[i].Decimal.IsZero() {
			continue
		}
		parts[i].Decimal = parts[sum].Decimal.DivRound(parts[i].Decimal, 60)
	}
	return parts
}

func (f *fake) Catalog(context.Context) (*cube.Catalog, error) {
	return cube.NewCatalog(f.cubes), f.catalogErr
}

func (f *fake) Ready(context.Context) error { return f.readyErr }

func (f *fake) Remove(ctx context.Context, name string) error { return f.remove(ctx, name) }

// Cells implements answer.Store: it reads the summary at once, as stores do.
func (f *fake) Cells(ctx context.Context, s *plan.Statement) (plan.Result, error) {
	next, stop := iter.Pull2(f.rows(ctx, s))
	summary, err, _ := next()
	if err != nil {
		stop()
		return plan.Result{}, err
	}
	return plan.Result{Count: summary.Count, Total: partsOf(s, summary.Values), Close: stop, Groups: func(yield func(plan.Group, error) bool) {
		for r, err, ok := next(); ok; r, err, ok = next() {
			if !yield(plan.Group{Keys: r.Keys, Labels: r.Labels, Ranks: r.Labels, Parts: partsOf(s, r.Values)}, err) || err != nil {
				return
			}
		}
	}}, nil
}

func (f *fake) rows(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.statement = s
	if f.run == nil {
		return yielding(something(s))(ctx, s)
	}
	return f.run(ctx, s)
}

func (f *fake) Facts(_ context.Context, s *plan.FactStatement) iter.Seq2[plan.Fact, error] {
	return endingIn(f.factsErr, f.facts[min(int(s.Skip()), len(f.facts)):])
}

func (f *fake) Members(context.Context, *plan.MemberStatement) (plan.MemberRows, error) {
	return plan.MemberRows{Count: int64(len(f.members)), Members: endingIn(f.membersErr, f.members), Close: func() {}}, nil
}

func (f *fake) Unknown(_ context.Context, _ *cube.Cube, named []plan.NamedMember, _ int) (list []plan.UnknownMember, err error) {
	for i, n := range named {
		if near, absent := f.absent[n.Asked()]; absent {
			list = append(list, plan.UnknownMember{Index: i, Near: plan.Near{Names: near}})
		}
	}
	return list, nil
}

func (f *fake) Source(context.Context, *plan.Statement) (answer.Source, error) {
	return answer.Source{Text: "SELECT $1", Args: []any{"one"}}, nil
}

func (f *fake) Tasks(context.Context, string, []any) (int, error) { return 0, nil }

// asked gives the last statement and forgets it.
func (f *fake) asked() *plan.Statement {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.statement
	f.statement = nil
	return s
}

// something is a summary over rows, though there are no cells: of an empty one more would be asked.
func something(s *plan.Statement) row {
	summary := nothing(s)
	for i := range summary.Values {
		summary.Values[i] = decimal.NewNullDecimal(decimal.NewFromInt(1))
	}
	return summary
}

// nothing is the summary over no rows.
func nothing(s *plan.Statement) row {
	return row{Values: make([]decimal.NullDecimal, len(s.Parts()))}
}

// yielding runs by yielding the rows, the summary first.
func yielding(rows ...row) func(context.Context, *plan.Statement) iter.Seq2[row, error] {
	return failing(nil, rows...)
}

// failing runs by yielding the rows and then the error.
func failing(err error, rows ...row) func(context.Context, *plan.Statement) iter.Seq2[row, error] {
	return func(context.Context, *plan.Statement) iter.Seq2[row, error] { return endingIn(err, rows) }
}

// endingIn yields the items, and then the error if there is one.
func endingIn[T any](err error, items []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
		if err != nil {
			var none T
			yield(none, err)
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
			Name: "croatia", Title: "Croatia <Budget> & More", Country: "HR", GovtLevel: "National", Publisher: "Ministry", Tags: []string{"budget"},
			StartDate: "2014-01-01", CreatedAt: "2018-05-01", Image: "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
			Descriptor: descriptorOf(columns, "a", "b"),
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
	`"findings":[{"code":"sample-differs","severity":"warning","message":"it differs","count":1,"places":[{"line":2,"cell":"x"}]},` +
	`{"code":"level-renumbered","severity":"warning","field":"unit","message":"it is numbered anew","count":1,` +
	`"places":[{"cell":"2015: 2 of 3 members","sentence":"case","params":{"members":2,"of":3,"year":2015}}]},` +
	`{"code":"blank-rows","severity":"info","message":"2 rows hold nothing and were left out","params":{"rows":2},"count":1}]}`

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
func handler(t testing.TB, f api.Store) http.Handler {
	t.Helper()
	return logging(t, f, slog.New(slog.DiscardHandler))
}

func logging(t testing.TB, f api.Store, log *slog.Logger) http.Handler {
	t.Helper()
	return api.New(f, api.Options{Document: documentBytes(t), Log: log})
}

func documentBytes(t testing.TB) []byte {
	t.Helper()
	document, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// descriptorOf is a descriptor whose resources have the names, and the columns.
func descriptorOf(columns []cube.Column, names ...string) []byte {
	var fields, resources []map[string]any
	for _, c := range columns {
		fields = append(fields, map[string]any{"name": c.Name, "type": "string"})
	}
	for i, name := range names {
		resources = append(resources, map[string]any{"name": name, "path": fmt.Sprint(i, ".csv"), "dialect": map[string]string{"delimiter": ";", "decimalChar": ","}})
	}
	text, _ := json.Marshal(map[string]any{"name": "croatia", "license": "CC-BY-4.0", "encoding": "cp1250", "resources": resources,
		"schema": map[string]any{"missingValues": []string{"-"}, "fields": fields}})
	return text
}
