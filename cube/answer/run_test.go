package answer_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// run answers a plan in English.
func run(t testing.TB, s answer.Store, p *plan.Plan) *answer.Answer {
	t.Helper()
	a, err := answer.Run(t.Context(), s, p, cube.English)
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	return a
}

// answered asks a question and writes the answer.
func answered(t testing.TB, s answer.Store, c *cube.Cube, question string) string {
	t.Helper()
	return answerText(run(t, s, cubetest.Bind(t, c, question)))
}

// answerText writes an answer: a line for each cell, with its keys, its values and what else there is to it, then the
// count and the summary.
func answerText(a *answer.Answer) string {
	var lines []string
	for _, cell := range a.Cells {
		line := keysText(cell.Keys) + "= " + numbersText(cell.Values)
		for _, text := range []string{cell.Level, string(cell.Change)} {
			if text != "" {
				line += " " + text
			}
		}
		if cell.Others > 0 {
			line += " others " + decimal.NewFromInt(cell.Others).String()
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, decimal.NewFromInt(a.Summary.Count).String()+": "+numbersText(a.Summary.Values)), "\n")
}

func keysText(keys []cube.Value) string {
	text := ""
	for _, key := range keys {
		if key.IsMissing() {
			text += "-"
		}
		text += key.String() + " "
	}
	return text
}

func numbersText(values []decimal.NullDecimal) string {
	return strings.Join(each.Text(values, numberText), " ")
}

func numberText(v decimal.NullDecimal) string {
	if !v.Valid {
		return "null"
	}
	return v.Decimal.String()
}

// canned gives the same groups to every statement.
type canned struct {
	cubetest.Store
	count  int64
	total  []decimal.NullDecimal
	groups []plan.Group
	err    error // behind the groups
	closed *bool
}

func (c canned) Cells(context.Context, *plan.Statement) (plan.Result, error) {
	return plan.Result{Count: c.count, Total: c.total, Close: func() { *c.closed = true }, Groups: func(yield func(plan.Group, error) bool) {
		for _, g := range c.groups {
			if !yield(g, nil) {
				return
			}
		}
		if c.err != nil {
			yield(plan.Group{}, c.err)
		}
	}}, nil
}

func TestRun_CollectsThePage(t *testing.T) {
	p := cubetest.MustAsk(t, "drilldown=Year&aggregates=_count")
	one := []decimal.NullDecimal{decimal.NewNullDecimal(decimal.NewFromInt(1))}
	first, second := plan.Group{Keys: []cube.Value{cube.Integer(1)}, Parts: one}, plan.Group{Keys: []cube.Value{cube.Missing}, Parts: one}
	for _, tt := range []struct {
		name   string
		groups []plan.Group
		want   string
	}{
		{"a page of cells", []plan.Group{first, second}, "1 = 1\n- = 1\n2: 1"},
		{"a page past the end", nil, "2: 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			closed := false
			a := run(t, canned{count: 2, total: one, groups: tt.groups, closed: &closed}, p)
			if got := answerText(a); got != tt.want || a.Plan != p || !closed {
				t.Errorf("got %s of %v, closed %v", got, a.Plan, closed)
			}
		})
	}
}

func TestRun_PassesErrorsOn(t *testing.T) {
	away, closed := errors.New("away"), false
	p := cubetest.MustAsk(t, "")
	store := canned{count: 1, total: make([]decimal.NullDecimal, len(p.Main().Parts())), err: away, closed: &closed}
	if a, err := answer.Run(t.Context(), store, p, cube.English); a != nil || !errors.Is(err, away) || !closed {
		t.Errorf("an answer cut short is %+v, %v, closed %v", a, err, closed)
	}
}

// A stream has the cells, the summary and the warnings of the whole answer.
func TestOpen_AnswersAsRunDoes(t *testing.T) {
	spending, monthly := cubetest.Spending(t), cubetest.YearToDate(t, cubetest.Flat)
	spent := cubetest.NewStore(spending.Model, cubetest.Spent...)
	snapshots := cubetest.NewStore(monthly.Model, "2018 06 - - t 1 -", "2018 06 - - u 5 -", "2018 12 - - t 2 -")
	for _, tt := range []struct {
		c         *cube.Cube
		store     answer.Store
		questions string
	}{
		{spending, spent, "drilldown=year|town&aggregates=plan.sum|share(plan.sum)|paid.avg drilldown=town&cut=year:1999 " +
			"drilldown=year|town&rollup=1 drilldown=town&compare=year:-1&cut=year:2017 aggregates=plan.sum"},
		{monthly, snapshots, "drilldown=mes&cut=ejercicio:2018 drilldown=mes&having=_count>1 drilldown=titulo|mes&rollup=1"},
	} {
		for question := range strings.FieldsSeq(tt.questions) {
			p := cubetest.Bind(t, tt.c, question)
			stream, err := answer.Open(t.Context(), tt.store, p, cube.English)
			if err != nil {
				t.Fatalf("%s: %v", question, err)
			}
			streamed := stream.Answer
			streamed.Cells = nil
			for cell, err := range stream.All {
				if err != nil {
					t.Fatalf("%s: %v", question, err)
				}
				streamed.Cells = append(streamed.Cells, cell)
			}
			stream.Close()
			whole := run(t, tt.store, p)
			if got, want := answerText(&streamed), answerText(whole); got != want || !slices.Equal(streamed.Warnings, whole.Warnings) {
				t.Errorf("%s\ngot\n%s\n%v\nwant\n%s\n%v", question, got, streamed.Warnings, want, whole.Warnings)
			}
		}
	}
}

// counting counts the groups that are read of statements for every group.
type counting struct {
	cubetest.Store
	read *int
}

func (c counting) Cells(ctx context.Context, s *plan.Statement) (plan.Result, error) {
	result, err := c.Store.Cells(ctx, s)
	groups := result.Groups
	result.Groups = func(yield func(plan.Group, error) bool) {
		for g, err := range groups {
			if s.Page() == query.Every {
				*c.read++
			}
			if !yield(g, err) {
				return
			}
		}
	}
	return result, err
}

// Cells that the store answers are never all in memory, also where they are snapshots and the summary is that of another
// question.
func TestOpen_ReadsCellsOneByOne(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Flat)
	read := 0
	store := counting{cubetest.NewStore(c.Model, "2018 06 - - t 1 -", "2018 07 - - t 5 -", "2018 12 - - t 2 -"), &read}
	q, err := cubetest.Read("drilldown=mes&aggregates=pi_monto.sum")
	if err != nil {
		t.Fatal(err)
	}
	q.Page = query.Every
	p, err := plan.Bind(c, q)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := answer.Open(t.Context(), store, p, cube.English)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if got := numbersText(stream.Summary.Values); got != "2" || read != 0 {
		t.Errorf("the summary is %s, with %d cells read", got, read)
	}
	for range stream.All {
		break
	}
	if read != 1 {
		t.Errorf("%d cells are read for one", read)
	}
}

func TestRun_Passes(t *testing.T) {
	c := cubetest.Spending(t)
	store := cubetest.NewStore(c.Model, cubetest.Spent...)
	answers(t, store, c, "")
}

func TestRun_RoundsPercentagesHalfToEven(t *testing.T) {
	c := cubetest.Spending(t)
	store := cubetest.NewStore(c.Model, "2016 n a A 20000000000 - - - -", "2017 n a A 20000000001 - - - -",
		"2016 n b B 20000000000 - - - -", "2017 n b B 20000000003 - - - -", "2016 n c C 0 - - - -", "2017 n c C 5 - - - -")
	want := "a = 20000000001 20000000000 1 0\nb = 20000000003 20000000000 3 0.00000002\nc = 5 0 5 null\n" +
		"3: 40000000009 40000000000 9 0.00000002"
	if got := answered(t, store, c, "drilldown=town&cut=year:2017&aggregates=plan.sum&compare=year:-1"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRun_FillsGaps(t *testing.T) {
	c := cubetest.Spending(t)
	store := cubetest.NewStore(c.Model, "2014 n a A 7 - - - -", "2016 n a A -1 - - - -", "2016 s b B 5 2 - - -", "- s b B 9 - - - -")
	answers(t, store, c, "")
}

// Unit u has amounts in June alone: it has none in December, which is counted of the year.
func TestRun_SubtotalsOfMembersThatTheLastSnapshotHasNot(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Flat)
	store := cubetest.NewStore(c.Model, "2018 06 - - t 1 -", "2018 06 - - u 5 -", "2018 12 - - t 2 -")
	answers(t, store, c, "&drilldown=titulo|mes&cut=ejercicio:2018&aggregates=pi_monto.sum|_count&order=_count:asc")
}

func TestRun_LabelsRowsThatNoStoreAnswered(t *testing.T) {
	c := cubetest.Spending(t)
	store := cubetest.NewStore(c.Model, cubetest.Spent...)
	a := run(t, store, cubetest.Bind(t, c, "drilldown=year|town&rollup=1&top=1&remainder=1&compare=year:-1&aggregates=plan.sum"))
	var got []string
	for _, cell := range a.Cells {
		labels := ""
		for _, label := range cell.Labels {
			labels += "/" + label.String()
		}
		got = append(got, keysText(cell.Keys)+labels)
	}
	want := "2016 //|2016 c //C|2016 //|2017 //|2017 c //C|2017 //"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
	}
}

func TestRun_RefusesToFillTooManyCells(t *testing.T) {
	c := cubetest.Spending(t)
	store := cubetest.NewStore(c.Model, "1 n a A 1 - - - -", "20000 n a A 1 - - - -")
	_, err := answer.Run(t.Context(), store, cubetest.Bind(t, c, "drilldown=year&fill=zero"), cube.English)
	cubetest.WantError(t, err, cube.CodeTooLarge, "fill at 0: the answer has more than 10000 cells (cut it down, or ask without fill)")
}

// programmes is a cube of programmes, which are numbered within a ramo and lie below a kind, and of units of the ramos.
func programmes(t testing.TB) *cube.Cube {
	t.Helper()
	m, err := (&cube.Draft{
		Columns: []cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "kind", Type: cube.TypeText},
			{Name: "ramo", Type: cube.TypeText}, {Name: "programme", Type: cube.TypeText}, {Name: "unit", Type: cube.TypeText},
			{Name: "desk", Type: cube.TypeText}, {Name: "plan", Digits: 9}},
		Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}}},
			{Name: "activity", Levels: []cube.Level{{Ref: "kind"}, {Ref: "programme", Parent: "kind", Within: []string{"ramo"}}}},
			{Name: "place", Levels: []cube.Level{{Ref: "ramo"}, {Ref: "unit", Parent: "ramo"}, {Ref: "desk", Parent: "unit"}}}},
		Measures: []cube.Measure{{Ref: "plan"}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{Package: &cube.Package{Name: "programmes", Model: m}, Rows: 7}
}

func TestRun_ShareOfParent(t *testing.T) {
	c := programmes(t)
	store := cubetest.NewStore(c.Model, // year kind ramo programme unit desk plan
		"2016 R 1 a x i 10", "2016 R 1 b x i 30", "2016 R 2 a x i 40", "2016 S 2 a y j 20",
		"2017 R 1 a x i 50", "2017 R 2 a x i 25", "2017 R 2 a x j 25")
	answers(t, store, c, "&aggregates=share_of_parent(plan.sum)")
}

// A result with too few totals is a bug of a store. It must not keep the only connection.
func TestOpen_ClosesTheResultOfABrokenStore(t *testing.T) {
	closed := false
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a result without totals is answered")
			}
		}()
		_, _ = answer.Open(t.Context(), canned{count: 1, total: []decimal.NullDecimal{}, closed: &closed}, cubetest.MustAsk(t, "drilldown=Year&aggregates=_count"), cube.English)
	}()
	if !closed {
		t.Error("the result is still open")
	}
}

// An answer for a caller who leaves ends at the next look: before each question for the store, and before each pass.
func TestRun_EndsWithItsCaller(t *testing.T) {
	c := cubetest.SpendingOfYears(t)
	p := cubetest.Bind(t, c, "drilldown=region&cut=year:2016&compare=year:-1&aggregates=plan.sum|share(plan.sum)")
	for after := 0; ; after++ {
		ctx := &cubetest.Leaving{Context: context.Background(), After: after}
		_, err := answer.Run(ctx, cubetest.NewStore(c.Model, cubetest.Spent...), p, cube.English)
		if err == nil {
			if after < len(p.Passes())+2 {
				t.Errorf("it is looked %d times at the caller", after)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || ctx.Looks != after+1 {
			t.Fatalf("after %d looks: %v, and %d more", after, err, ctx.Looks-after-1)
		}
	}
}
