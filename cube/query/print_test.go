package query_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/query"
)

// Whatever a query holds, reading what it prints gives it again. The generator is seeded: a failure repeats.
func TestQuery_PrintedReadsAsTheSame(t *testing.T) {
	random := queries{rand.New(rand.NewPCG(7, 41))}
	for range 20_000 {
		q := random.query()
		again, err := query.Parse(split(q.String()))
		if err != nil || !reflect.DeepEqual(withoutPositions(again), withoutPositions(q)) {
			t.Fatalf("%s\nreads as %+v, %v\nwant     %+v", q, again, err, q)
		}
	}
}

// split takes a printed query apart at each & outside quotes.
func split(question string) map[string]string {
	given := map[string]string{}
	quoted, start := false, 0
	for i := 0; i <= len(question); i++ {
		switch {
		case i == len(question) || question[i] == '&' && !quoted:
			name, text, _ := strings.Cut(question[start:i], "=")
			given[name] = text
			start = i + 1
		case question[i] == '\\' && quoted:
			i++
		case question[i] == '"':
			quoted = !quoted
		}
	}
	return given
}

// queries makes random queries as ParseQuery could.
type queries struct{ *rand.Rand }

// Texts that a careless printer or parser would trip over, beside those that questions ask.
var hostile = append([]string{
	"x", "_count", "sum", "asc", "a.sum", "ratio(a.sum,b.sum)", "a&cut=b:1", "&", "=", "==", "<=", "!=", "%00", "%", "#", "?",
	"a,b", "desc", `\"`, `"`, `""`, `"\u0000"`, "'; DROP TABLE fact; --", "-1", "1e9", "\u202e", "\U0010ffff", "'", "´",
}, cubetest.HardTexts...)

func (q queries) text() string { return hostile[q.IntN(len(hostile))] }

// name is a text that may be empty only in quotes.
func (q queries) name() string {
	if text := q.text(); text != "" {
		return text
	}
	return "x"
}

func listOf[T any](q queries, most int, one func() T) []T {
	var list []T
	for range q.IntN(most + 1) {
		list = append(list, one())
	}
	return list
}

func (q queries) query() query.Query {
	choice := query.Query{
		Drilldown:  listOf(q, 3, q.ref),
		Cuts:       listOf(q, 3, q.cut),
		Aggregates: listOf(q, 3, func() query.AggregateRef { return q.aggregate(3) }),
		Having:     listOf(q, 2, q.condition),
		Order:      listOf(q, 3, q.order),
		Snapshots:  one(q, query.LastSnapshots, query.AllSnapshots),
		Rollup:     q.IntN(2) > 0,
		Top:        q.IntN(2) * (1 + q.IntN(query.MaxPageSize)),
		Remainder:  q.IntN(2) > 0,
		Fill:       one(q, query.FillNone, query.FillNull, query.FillZero),
		Page:       query.Page{Number: 1 + q.IntN(1<<40), Size: q.IntN(query.MaxPageSize + 1)},
	}
	if q.IntN(2) > 0 {
		choice.Compare = &query.Compare{Ref: q.ref(), Offset: one(q, int64(-1), 1, -1<<31, 1<<31-1)}
	}
	return choice
}

func one[T any](q queries, of ...T) T { return of[q.IntN(len(of))] }

func (q queries) ref() query.Ref {
	return one(q, query.Ref{Name: q.name()}, query.Ref{Dimension: q.name(), Name: q.name()})
}

func (q queries) cut() query.Cut {
	return query.Cut{Ref: q.ref(), Not: q.IntN(2) > 0, Items: append([]query.Item{q.item()}, listOf(q, 3, q.item)...)}
}

func (q queries) item() query.Item {
	switch q.IntN(4) {
	case 0:
		return query.Item{Op: query.OpMatch, Match: q.name()}
	case 1:
		from, to := q.name(), q.name()
		return one(q, span(from, to), span(from, ""), span("", to))
	}
	return value(append([]string{q.text()}, listOf(q, 3, q.text)...)...)
}

func (q queries) aggregate(deep int) query.AggregateRef {
	switch {
	case deep > 0 && q.IntN(3) == 0:
		inside := func() query.AggregateRef { return q.aggregate(deep - 1) }
		return query.AggregateRef{Func: q.name(), Args: append([]query.AggregateRef{inside()}, listOf(q, 2, inside)...)}
	case q.IntN(2) > 0:
		return query.AggregateRef{Measure: q.name(), Func: q.name()}
	}
	return query.AggregateRef{Func: q.name()}
}

func (q queries) condition() query.Condition {
	number := decimal.New(q.Int64N(1e15)-5e14, -int32(q.IntN(4)))
	return query.Condition{Aggregate: q.aggregate(2), Number: number,
		Op: one(q, query.Less, query.LessOrEqual, query.Equal, query.GreaterOrEqual, query.Greater, query.Unequal)}
}

// order makes a key with a role only where the grammar has a place for it: behind a point or a formula.
func (q queries) order() query.Order {
	o := query.Order{Ref: q.ref(), Desc: q.IntN(2) > 0}
	if formula := q.aggregate(2); len(formula.Args) > 0 {
		o.Ref, o.Formula = query.Ref{}, &formula
	}
	if (o.Ref.Dimension != "" || o.Formula != nil) && q.IntN(2) > 0 {
		o.Role = query.Role(q.name())
	}
	return o
}

// withoutPositions gives a query without the positions of its parts, and with its numbers in one form.
func withoutPositions(q query.Query) query.Query {
	for i := range q.Drilldown {
		q.Drilldown[i].At = cube.Position{}
	}
	cutsWithoutPositions(q.Cuts)
	clearPositions(q.Aggregates)
	for i, c := range q.Having {
		clearPositions([]query.AggregateRef{c.Aggregate})
		q.Having[i].Aggregate.At = cube.Position{}
		q.Having[i].Number = decimal.RequireFromString(c.Number.String())
	}
	for i, o := range q.Order {
		q.Order[i].Ref.At = cube.Position{}
		if o.Formula != nil {
			o.Formula.At = cube.Position{}
			clearPositions(o.Formula.Args)
		}
	}
	if q.Compare != nil {
		q.Compare.Ref.At = cube.Position{}
	}
	return q
}

func clearPositions(list []query.AggregateRef) {
	for i := range list {
		list[i].At = cube.Position{}
		clearPositions(list[i].Args)
	}
}

// FuzzParse reads questions of all clauses: a mistake has a position in the text of its clause, and what is read
// prints and reads as the same.
func FuzzParse(f *testing.F) {
	for _, question := range []string{
		"", "drilldown=a|b.c&cut=!a:1;2..3;~x|b:x/y/&aggregates=_count|m.sum&order=a:desc,m.sum&page=2&pagesize=0",
		"aggregates=ratio(a.sum,b.sum)|share(diff(a.sum,_count))|rate&having=ratio(a.sum,b.sum)>=-0.80|_count!=1",
		"rollup=1&top=5&remainder=true&order=share_of_parent(m.sum).percentage:desc,m.sum.earlier",
		"compare=date.Year:-1&fill=zero&snapshots=all&drilldown=Year", `drilldown="a&b=\"c"|"&"&having="<"."="<1`,
		"having=m.sum<>1&compare=Year:0&top=0&fill=&rollup=2", "cut=\xff&order=\x00", `aggregates=f(f(f(f(f(f(f(f(f(a)))))))))`,
		"having=a>000000000000000000.1&compare=a:+1", `order="".x,a."".y:asc,"a"."b"."c"`, "top=1&pagesize=&page=",
	} {
		f.Add(question)
	}
	f.Fuzz(func(t *testing.T, question string) {
		given := split(question)
		q, err := query.Parse(given)
		if err != nil {
			checkQuestionPosition(t, given, err)
			return
		}
		again, err := query.Parse(split(q.String()))
		if err != nil || !reflect.DeepEqual(withoutPositions(again), withoutPositions(q)) {
			t.Fatalf("%q prints as %q and reads as\n     %+v, %v\nnot %+v", question, q, again, err, q)
		}
	})
}

func checkQuestionPosition(t *testing.T, given map[string]string, err error) {
	t.Helper()
	codes := []cube.Code{cube.CodeBadSyntax, cube.CodeBadValue, cube.CodeBadPage, cube.CodeTooLarge}
	if !slices.Contains(codes, cube.CodeOf(err)) {
		t.Fatalf("%q: %#v", given, err)
	}
	var e *cube.Error
	if !errors.As(err, &e) || e.Message == "" || e.Position == nil {
		t.Fatalf("%q: %#v", given, err)
	}
	text, ok := given[e.Position.Parameter]
	if !ok || e.Position.Offset < 0 || e.Position.Offset > len([]rune(text)) {
		t.Fatalf("%q: place %+v among %q", given, *e.Position, slices.Sorted(maps.Keys(given)))
	}
}

// Texts that are hard for every parser.
var hard = []string{
	"", "a", "a|b", "a.b", `"a"."b"`, "a:1", "!a:1;2", "a:1..2", "a:..", "a:~x", "a:x/y/", `a:"\u0000"`, "a:;;|",
	`"\"`, `"\\"`, "a,b:desc", "m.sum|_count", "é:ñ..", "a\x00b", "\xff", `"\ud800"`, "a:...", `a:"".."x"`, `"".a:`,
	"a:\u2028", `""`, "a:1..\"\"", "a & b:c&d=e", "!\"!\":\"~\"",
	"ratio(a.sum,b.sum)", "share(diff(a.b,_count))|x", "a.sum>=-1.50", "_count!=1|a<>2", "a.b.c:desc,share(x).earlier", "a:-1", "a.b:0",
}

func FuzzParseDrilldown(f *testing.F) {
	fuzz(f, "drilldown", query.ParseDrilldown, "|", query.Ref.String)
}

func FuzzParseCut(f *testing.F) {
	fuzz(f, "cut", query.ParseCut, "|", query.Cut.String)
}

func FuzzCut_Short(f *testing.F) {
	fuzz(f, "cut", query.ParseCut, "|", query.Cut.Short)
}

func FuzzParseAggregates(f *testing.F) {
	fuzz(f, "aggregates", query.ParseAggregates, "|", query.AggregateRef.String)
}

func FuzzParseHaving(f *testing.F) {
	fuzz(f, "having", query.ParseHaving, "|", query.Condition.String)
}

func FuzzParseCompare(f *testing.F) {
	fuzz(f, "compare", func(text string) ([]*query.Compare, error) {
		c, err := query.ParseCompare(text)
		return []*query.Compare{c}, err
	}, "|", (*query.Compare).String)
}

func FuzzParseOrder(f *testing.F) {
	fuzz(f, "order", query.ParseOrder, ",", func(o query.Order) string {
		if o.Desc {
			return o.String() + ":desc"
		}
		return o.String()
	})
}

func FuzzParsePage(f *testing.F) {
	f.Add("1", "100")
	f.Add("", "0")
	f.Add("-1", "1e3")
	f.Fuzz(func(t *testing.T, number, size string) {
		page, err := query.ParsePage(map[string]string{"page": number, "pagesize": size})
		if err != nil {
			if cube.CodeOf(err) != cube.CodeBadPage {
				t.Fatal(err)
			}
			return
		}
		if page.Number < 1 || page.Size < 0 || page.Size > query.MaxPageSize {
			t.Fatalf("%q, %q gave %+v", number, size, page)
		}
	})
}

// fuzz checks that a parser never panics, that its mistakes have a position in the text, and that what it accepts
// prints and parses again to an equal value.
func fuzz[T any](f *testing.F, parameter string, parse func(string) ([]T, error), separator string, print func(T) string) {
	for _, text := range hard {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parse(text)
		if err != nil {
			checkPosition(t, parameter, text, err)
			return
		}
		var printed []string
		for _, one := range got {
			printed = append(printed, print(one))
		}
		again, err := parse(strings.Join(printed, separator))
		if err != nil || !reflect.DeepEqual(listWithoutPositions(again), listWithoutPositions(got)) {
			t.Fatalf("%q prints as %q and parses again to\n     %+v, %v\nnot %+v", text, printed, again, err, got)
		}
	})
}

// listWithoutPositions takes the positions out of a parsed list: printing moves them.
func listWithoutPositions[T any](list []T) any {
	switch list := any(list).(type) {
	case []query.Ref:
		return withoutPositions(query.Query{Drilldown: list})
	case []query.Cut:
		return withoutPositions(query.Query{Cuts: list})
	case []query.AggregateRef:
		return withoutPositions(query.Query{Aggregates: list})
	case []query.Condition:
		return withoutPositions(query.Query{Having: list})
	case []query.Order:
		return withoutPositions(query.Query{Order: list})
	case []*query.Compare:
		return withoutPositions(query.Query{Compare: list[0]})
	}
	return list
}

// cutsWithoutPositions gives cuts without the positions of their parts.
func cutsWithoutPositions(cuts []query.Cut) []query.Cut {
	for i := range cuts {
		cuts[i].Ref.At = cube.Position{}
		for j := range cuts[i].Items {
			cuts[i].Items[j].At = cube.Position{}
		}
	}
	return cuts
}
