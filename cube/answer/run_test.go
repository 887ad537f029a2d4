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
	for _, tt := range []struct{ name, question, want string }{
		{"ratio and difference", "drilldown=year&aggregates=ratio(paid.sum,plan.sum)|diff(plan.sum,paid.sum)",
			"2016 = 0.05 95\n2017 = 0.72083333 16.75\n2: 0.3015625 111.75"},
		{"a ratio by zero and of nothing", "drilldown=town&cut=year:2016;2017|town:c;d&aggregates=ratio(paid.sum,plan.sum)|ratio(debt.sum,_count)",
			"c = 0.3 -3.5\nd = null -9\n2: 0.3325 -5.33333333"},
		{"a derived measure", "drilldown=region&aggregates=execution",
			"n = 0.25\ns = 0.3325\n2: 0.3015625"},
		{"share", "drilldown=region&aggregates=share(plan.sum)", "n = 0.375\ns = 0.625\n2: 1"},
		{"share is of what having keeps", "drilldown=town&aggregates=share(plan.sum)&having=plan.sum<=30",
			"a = 0.5\nb = 0.5\nd = 0\n3: 1"},
		{"share of parent", "drilldown=year|region&aggregates=share_of_parent(plan.sum)",
			"2016 n = 0.4\n2016 s = 0.6\n2017 n = 0.33333333\n2017 s = 0.66666667\n4: 1"},
		{"having", "drilldown=town&aggregates=plan.sum&having=plan.sum>50", "c = 100\n1: 100"},
		{"null meets no condition", "drilldown=town&cut=year:2016&aggregates=paid.sum&having=paid.sum!=5", "b = 0\n1: 0"},
		{"having a ratio", "drilldown=town&aggregates=_count&having=ratio(paid.sum,plan.sum)>=0.5", "a = 2\n1: 2"},
		{"having what a negative factor turns round", "drilldown=town&aggregates=debt.min&having=debt.min<=-7|debt.max>-9",
			"c = -7\n1: -7"},
		{"rollup", "drilldown=year|region&aggregates=plan.sum|paid.avg&rollup=1",
			"2016 = 100 2.5 year\n2016 n = 40 2.5 region\n2016 s = 60 null region\n" +
				"2017 = 60 14.416667 year\n2017 n = 20 10 region\n2017 s = 40 16.625 region\n6: 160 9.65"},
		{"siblings are sorted among themselves", "drilldown=year|region&aggregates=plan.sum&rollup=1&order=plan.sum:desc",
			"2016 = 100 year\n2016 s = 60 region\n2016 n = 40 region\n2017 = 60 year\n2017 s = 40 region\n2017 n = 20 region\n6: 160"},
		{"pages are of all rows", "drilldown=year|region&aggregates=plan.sum&rollup=1&page=2&pagesize=2",
			"2016 s = 60 region\n2017 = 60 year\n6: 160"},
		{"top is inside the earlier levels", "drilldown=year|town&aggregates=plan.sum&top=1",
			"2016 c = 60\n2017 c = 40\n2: 160"},
		{"remainder", "drilldown=year|town&aggregates=plan.sum|share_of_parent(plan.sum)&top=1&remainder=1",
			"2016 c = 60 0.6\n2016 = 40 0.4 others 2\n2017 c = 40 0.66666667\n2017 = 20 0.33333333 others 2\n4: 160 1"},
		{"top goes by the first aggregate of the order, and rows stand in it", "drilldown=town&aggregates=plan.sum&top=2&order=town:desc,plan.sum:asc",
			"d = 0\nb = 30\n2: 160"},
		{"the rows of a rollup have their level", "drilldown=region|town&aggregates=plan.sum&top=1&remainder=1&rollup=1",
			"s = 100 region\ns c = 100 town\ns = 0 town others 1\nn = 60 region\nn a = 30 town\nn = 30 town others 1\n6: 160"},
		{"compare", "drilldown=year|town&aggregates=plan.sum&compare=year:-1",
			"2016 a = 10 null null null\n2016 b = 30 null null null\n2016 c = 60 null null null\n" +
				"2017 a = 20 10 10 100\n2017 b = null 30 -30 -100 gone\n2017 c = 40 60 -20 -33.33333333\n" +
				"2017 d = 0 null 0 null new\n7: 160 null null null"},
		{"compare a cut that is not drilled", "drilldown=town&cut=year:2017&aggregates=paid.sum|_count&compare=year:-1&order=paid.sum.difference:desc",
			"a = 10 5 5 100 1 1 0 0\nd = 3.25 null 3.25 null 1 null 1 null new\nb = null 0 0 null 0 1 -1 -100 gone\n" +
				"c = 30 null null null 1 1 0 0\n4: 43.25 5 38.25 765 3 3 0 0"},
		{"nothing is gone where having may have kept it out", "drilldown=town&cut=year:2017&aggregates=plan.sum&compare=year:-1&having=plan.sum>20",
			"c = 40 60 -20 -33.33333333\n1: 40 60 -20 -33.33333333"},
		{"a percentage is of the size of a negative amount", "drilldown=town&cut=year:2017|town:a&aggregates=debt.sum&compare=year:-1",
			"a = -5 -1 -4 -400\n1: -5 -1 -4 -400"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
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
	for _, tt := range []struct{ name, question, want string }{
		{"with null", "drilldown=town|year&aggregates=plan.sum|_count&fill=null",
			"a 2014 = 7 1\na 2015 = null 0\na 2016 = -1 1\nb 2014 = null 0\nb 2015 = null 0\nb 2016 = 5 1\nb - = 9 1\n7: 20 4"},
		{"with zero, which adds nothing", "drilldown=town|year&cut=!year:&aggregates=plan.min|paid.sum|paid.avg&fill=zero&rollup=1",
			"a = -1 null null town\na 2014 = 7 null null year\na 2015 = 0 0 null year\na 2016 = -1 null null year\n" +
				"b = 5 2 2 town\nb 2014 = 0 0 null year\nb 2015 = 0 0 null year\nb 2016 = 5 2 2 year\n8: -1 2 2"},
		{"beside what is there", "drilldown=year&cut=!year:&aggregates=plan.sum&fill=null&compare=year:-1",
			"2014 = 7 null null null\n2015 = null 7 null null\n2016 = 4 null null null\n3: 11 null null null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
}

// Unit u has amounts in June alone: it has none in December, which is counted of the year.
func TestRun_SubtotalsOfMembersThatTheLastSnapshotHasNot(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Flat)
	store := cubetest.NewStore(c.Model, "2018 06 - - t 1 -", "2018 06 - - u 5 -", "2018 12 - - t 2 -")
	for question, want := range map[string]string{
		"rollup=1": "u = null 0 titulo\nu 06 = 5 1 mes\nt = 2 1 titulo\nt 06 = 1 1 mes\nt 12 = 2 1 mes\n5: 2 1",
		"top=1":    "u 06 = 5 1\nt 06 = 1 1\n2: 2 1",
	} {
		question = "drilldown=titulo|mes&cut=ejercicio:2018&aggregates=pi_monto.sum|_count&order=_count:asc&" + question
		if got := answered(t, store, c, question); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", question, got, want)
		}
	}
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
	for _, tt := range []struct{ name, question, want string }{
		{"a level within another is of its own parent", "drilldown=programme&cut=year:2016",
			"R 1 a = 0.125\nR 1 b = 0.375\nR 2 a = 0.5\nS 2 a = 1\n4: 1"},
		{"below its parent it is the same", "drilldown=kind|programme&cut=year:2016|kind:R&rollup=1",
			"R = 1 kind\nR 1 a = 0.125 programme\nR 1 b = 0.375 programme\nR 2 a = 0.5 programme\n4: 1"},
		{"what top leaves out is a part of the group", "drilldown=kind|programme&cut=year:2016&top=1&remainder=1",
			"R 2 a = 0.5\nR = 0.5 others 2\nS 2 a = 1\n3: 1"},
		{"below what it is within", "drilldown=ramo|programme&cut=year:2016",
			"1 R a = 0.25\n1 R b = 0.75\n2 R a = 0.66666667\n2 S a = 0.33333333\n4: 1"},
		{"of its parent in each year", "drilldown=year|programme&cut=kind:R",
			"2016 R 1 a = 0.125\n2016 R 1 b = 0.375\n2016 R 2 a = 0.5\n2017 R 1 a = 0.5\n2017 R 2 a = 0.5\n5: 1"},
		{"which a remainder has if all of it has", "drilldown=year|programme&cut=year:2016&top=1&remainder=1",
			"2016 S 2 a = 1\n2016 = 1 others 3\n2: 1"},
		{"of a few", "drilldown=programme&cut=year:2016|kind:R&top=1&remainder=1", "R 2 a = 0.5\n= 0.5 others 2\n2: 1"},
		{"and not if it is of several", "drilldown=programme&cut=year:2016&order=share_of_parent(plan.sum)&top=2&remainder=1",
			"R 1 a = 0.125\nR 1 b = 0.375\n= null others 2\n3: 1"},
		{"a level that is skipped is no parent", "drilldown=ramo|desk&cut=year:2017",
			"1 x i = 1\n2 x i = 0.5\n2 x j = 0.5\n3: 1"},
		{"years of a member", "drilldown=unit|year&cut=unit:x",
			"1 x 2016 = 0.44444444\n1 x 2017 = 0.55555556\n2 x 2016 = 0.44444444\n2 x 2017 = 0.55555556\n4: 1"},
		{"programmes of a unit", "drilldown=unit|programme&cut=year:2016",
			"1 x R a = 0.25\n1 x R b = 0.75\n2 x R a = 1\n2 y S a = 1\n4: 1"},
		{"a level above, asked after it", "drilldown=unit|ramo&cut=year:2016", "1 x = 1\n2 x = 0.66666667\n2 y = 0.33333333\n3: 1"},
		{"the first level is of all", "drilldown=ramo", "1 = 0.45\n2 = 0.55\n2: 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question+"&aggregates=share_of_parent(plan.sum)"); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
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
