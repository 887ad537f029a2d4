package cube_test

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
)

// Whatever a query holds, reading what it prints gives it again. The generator is seeded: a failure repeats.
func TestAPrintedQueryReadsAsTheSame(t *testing.T) {
	random := queries{rand.New(rand.NewPCG(7, 41))}
	for range 20_000 {
		query := random.query()
		again, err := cube.ParseQuery(split(query.String()))
		if err != nil || !reflect.DeepEqual(withoutPlaces(again), withoutPlaces(query)) {
			t.Fatalf("%s\nreads as %+v, %v\nwant     %+v", query, again, err, query)
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
}, askedValues...)

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

func (q queries) query() cube.Query {
	choice := cube.Query{
		Drilldown:  listOf(q, 3, q.ref),
		Cuts:       listOf(q, 3, q.cut),
		Aggregates: listOf(q, 3, func() cube.AggregateRef { return q.aggregate(3) }),
		Having:     listOf(q, 2, q.condition),
		Order:      listOf(q, 3, q.order),
		Snapshots:  one(q, cube.LastSnapshots, cube.AllSnapshots),
		Rollup:     q.IntN(2) > 0,
		Top:        q.IntN(2) * (1 + q.IntN(cube.MaxPageSize)),
		Remainder:  q.IntN(2) > 0,
		Fill:       one(q, cube.FillNone, cube.FillNull, cube.FillZero),
		Page:       cube.Page{Number: 1 + q.IntN(1<<40), Size: q.IntN(cube.MaxPageSize + 1)},
	}
	if q.IntN(2) > 0 {
		choice.Compare = &cube.Compare{Ref: q.ref(), Offset: one(q, int64(-1), 1, -1<<31, 1<<31-1)}
	}
	return choice
}

func one[T any](q queries, of ...T) T { return of[q.IntN(len(of))] }

func (q queries) ref() cube.Ref {
	return one(q, cube.Ref{Name: q.name()}, cube.Ref{Dimension: q.name(), Name: q.name()})
}

func (q queries) cut() cube.Cut {
	return cube.Cut{Ref: q.ref(), Not: q.IntN(2) > 0, Items: append([]cube.Item{q.item()}, listOf(q, 3, q.item)...)}
}

func (q queries) item() cube.Item {
	switch q.IntN(4) {
	case 0:
		return cube.Item{Op: cube.OpMatch, Match: q.name()}
	case 1:
		from, to := q.name(), q.name()
		return one(q, span(from, to), span(from, ""), span("", to))
	}
	return value(append([]string{q.text()}, listOf(q, 3, q.text)...)...)
}

func (q queries) aggregate(deep int) cube.AggregateRef {
	switch {
	case deep > 0 && q.IntN(3) == 0:
		inside := func() cube.AggregateRef { return q.aggregate(deep - 1) }
		return cube.AggregateRef{Func: q.name(), Args: append([]cube.AggregateRef{inside()}, listOf(q, 2, inside)...)}
	case q.IntN(2) > 0:
		return cube.AggregateRef{Measure: q.name(), Func: q.name()}
	}
	return cube.AggregateRef{Func: q.name()}
}

func (q queries) condition() cube.Condition {
	number := decimal.New(q.Int64N(1e15)-5e14, -int32(q.IntN(4)))
	return cube.Condition{Aggregate: q.aggregate(2), Number: number,
		Op: one(q, cube.Less, cube.LessOrEqual, cube.Equal, cube.GreaterOrEqual, cube.Greater, cube.Unequal)}
}

// order makes a key with a role only where the grammar has a place for it: behind a point or a formula.
func (q queries) order() cube.Order {
	o := cube.Order{Ref: q.ref(), Desc: q.IntN(2) > 0}
	if formula := q.aggregate(2); len(formula.Args) > 0 {
		o.Ref, o.Formula = cube.Ref{}, &formula
	}
	if (o.Ref.Dimension != "" || o.Formula != nil) && q.IntN(2) > 0 {
		o.Role = cube.Role(q.name())
	}
	return o
}

// withoutPlaces gives a query without what says where its parts stood, and with its numbers in one form.
func withoutPlaces(q cube.Query) cube.Query {
	for i := range q.Drilldown {
		q.Drilldown[i].At = cube.Position{}
	}
	placeless(q.Cuts)
	unplaceAggregates(q.Aggregates)
	for i, c := range q.Having {
		unplaceAggregates([]cube.AggregateRef{c.Aggregate})
		q.Having[i].Aggregate.At = cube.Position{}
		q.Having[i].Number = decimal.RequireFromString(c.Number.String())
	}
	for i, o := range q.Order {
		q.Order[i].Ref.At = cube.Position{}
		if o.Formula != nil {
			o.Formula.At = cube.Position{}
			unplaceAggregates(o.Formula.Args)
		}
	}
	if q.Compare != nil {
		q.Compare.Ref.At = cube.Position{}
	}
	return q
}

func unplaceAggregates(list []cube.AggregateRef) {
	for i := range list {
		list[i].At = cube.Position{}
		unplaceAggregates(list[i].Args)
	}
}

// FuzzParseQuery reads questions of all clauses: a mistake has a place in the text of its clause, and what is read
// prints and reads as the same.
func FuzzParseQuery(f *testing.F) {
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
		query, err := cube.ParseQuery(given)
		if err != nil {
			checkQuestionPlace(t, given, err)
			return
		}
		again, err := cube.ParseQuery(split(query.String()))
		if err != nil || !reflect.DeepEqual(withoutPlaces(again), withoutPlaces(query)) {
			t.Fatalf("%q prints as %q and reads as\n     %+v, %v\nnot %+v", question, query, again, err, query)
		}
	})
}

func checkQuestionPlace(t *testing.T, given map[string]string, err error) {
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
