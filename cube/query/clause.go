package query

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"fiscube/cube"
)

// Clause is one part of a question, as a parameter of a request gives it.
type Clause struct {
	Name      string
	Separator string // joins the texts of a clause that is given several times; "" where it is given once
	read      func(q *Query, text string) error
	print     func(q *Query) string // "" where the clause is left out
}

// Clauses lists what a question may have but its page, in the order Query.String prints it.
func Clauses() []Clause { return clauses }

var clauses = []Clause{
	{"drilldown", "|", reading(ParseDrilldown, func(q *Query) *[]Ref { return &q.Drilldown }),
		func(q *Query) string { return strings.Join(cube.Texts(q.Drilldown, Ref.String), "|") }},
	{"cut", "|", reading(ParseCut, func(q *Query) *[]Cut { return &q.Cuts }),
		func(q *Query) string { return strings.Join(cube.Texts(q.Cuts, Cut.String), "|") }},
	{"aggregates", "|", reading(ParseAggregates, func(q *Query) *[]AggregateRef { return &q.Aggregates }),
		func(q *Query) string { return strings.Join(cube.Texts(q.Aggregates, AggregateRef.String), "|") }},
	{"having", "|", reading(ParseHaving, func(q *Query) *[]Condition { return &q.Having }),
		func(q *Query) string { return strings.Join(cube.Texts(q.Having, Condition.String), "|") }},
	{"order", ",", reading(ParseOrder, func(q *Query) *[]Order { return &q.Order }),
		func(q *Query) string { return strings.Join(cube.Texts(q.Order, Order.text), ",") }},
	{"snapshots", "", reading(ParseSnapshots, func(q *Query) *SnapshotChoice { return &q.Snapshots }),
		func(q *Query) string { return string(q.Snapshots) }},
	{"rollup", "", flagOf("rollup", func(q *Query) *bool { return &q.Rollup }),
		func(q *Query) string { return flagText(q.Rollup) }},
	{"top", "", reading(parseTop, func(q *Query) *int { return &q.Top }), func(q *Query) string { return topText(q.Top) }},
	{"remainder", "", flagOf("remainder", func(q *Query) *bool { return &q.Remainder }),
		func(q *Query) string { return flagText(q.Remainder) }},
	{"compare", "|", reading(ParseCompare, func(q *Query) **Compare { return &q.Compare }),
		func(q *Query) string { return q.Compare.String() }},
	{"fill", "", reading(parseFill, func(q *Query) *Fill { return &q.Fill }),
		func(q *Query) string { return string(q.Fill) }},
}

// Parse reads the clauses of a question by their names. Names that no clause has are left to the caller, and
// so is the page where none is given.
func Parse(given map[string]string) (Query, error) {
	var q Query
	for _, clause := range clauses {
		if text, ok := given[clause.Name]; ok {
			if err := clause.read(&q, text); err != nil {
				return Query{}, err
			}
		}
	}
	if err := cmp.Or(notEmpty(given, "page"), notEmpty(given, "pagesize")); err != nil {
		return Query{}, err
	}
	var err error
	q.Page, err = ParsePage(given["page"], given["pagesize"])
	return q, err
}

// String prints the clauses joined by &, so that reading them gives the query again but for its positions.
func (q Query) String() string {
	return JoinClauses(append(q.Clauses(), PageClauses(q.Page)...))
}

// JoinClauses joins clauses by &.
func JoinClauses(list [][2]string) string {
	return strings.Join(cube.Texts(list, func(c [2]string) string { return c[0] + "=" + c[1] }), "&")
}

// Clauses prints those of the clauses that say something.
func (q Query) Clauses() [][2]string {
	var list [][2]string
	for _, clause := range clauses {
		if text := clause.print(&q); text != "" {
			list = append(list, [2]string{clause.Name, text})
		}
	}
	return list
}

// PageClauses leaves the page that holds every cell out: only an export, which needs none, can ask for it.
func PageClauses(p Page) [][2]string {
	if p == Every {
		return nil
	}
	return [][2]string{{"page", strconv.Itoa(p.Number)}, {"pagesize", strconv.Itoa(p.Size)}}
}

// read reads the text of a parameter where it is given.
func read[T any](given map[string]string, name string, parse func(string) (T, error), into *T) (err error) {
	if text, ok := given[name]; ok {
		*into, err = parse(text)
	}
	return err
}

func reading[T any](parse func(string) (T, error), place func(*Query) *T) func(*Query, string) error {
	return func(q *Query, text string) error {
		value, err := parse(text)
		*place(q) = value
		return err
	}
}

func flagOf(name string, place func(*Query) *bool) func(*Query, string) error {
	return reading(func(text string) (bool, error) { return ParseFlag(name, text) }, place)
}

// ParseFlag reads the text of a parameter that says yes or no.
func ParseFlag(name, text string) (bool, error) {
	switch text {
	case "1", "true":
		return true, nil
	case "0", "false":
		return false, nil
	}
	return false, cube.Errorf(cube.CodeBadValue, "%s is %q", name, text).At(cube.Position{Parameter: name}).WithHint("write " + name + "=1")
}

func flagText(set bool) string {
	if set {
		return "1"
	}
	return ""
}

// usualTop is what a hint asks for.
const usualTop = 10

func parseTop(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > MaxPageSize {
		return 0, cube.Errorf(cube.CodeBadValue, "top is %q, not a whole number from 1 to %d", text, MaxPageSize).
			At(cube.Position{Parameter: "top"}).WithHint(boundsHint("top", n, usualTop, MaxPageSize))
	}
	return n, nil
}

func topText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func parseFill(text string) (Fill, error) {
	if f := Fill(text); f == FillNull || f == FillZero {
		return f, nil
	}
	return FillNone, cube.Errorf(cube.CodeBadValue, "fill is %q", text).At(cube.Position{Parameter: "fill"}).
		WithHint("gaps are filled with null or zero")
}

// String prints the cut as a term of the grammar.
func (c Cut) String() string {
	text := c.Ref.String() + ":" + strings.Join(cube.Texts(c.Items, Item.String), ";")
	if c.Not {
		return "!" + text
	}
	return text
}

// String prints the item with every value quoted, so that its look never says what it is.
func (i Item) String() string {
	switch i.Op {
	case OpRange:
		return boundText(i.From) + ".." + boundText(i.To)
	case OpMatch:
		return "~" + QuoteText(i.Match)
	}
	return strings.Join(cube.Texts(i.Path, QuoteText), "/")
}

// boundText prints the bound of a range, which is empty where it is open.
func boundText(bound string) string {
	if bound == "" {
		return ""
	}
	return QuoteText(bound)
}

// String prints the condition as a term of the grammar.
func (c Condition) String() string { return c.Aggregate.String() + string(c.Op) + c.Number.String() }

func (o Order) text() string { return o.String() + ":" + Direction(o.Desc) }

// String prints the axis and the offset; of nothing it is empty.
func (c *Compare) String() string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", c.Ref, c.Offset)
}

// ParseSnapshots reads the text of the parameter snapshots.
func ParseSnapshots(text string) (SnapshotChoice, error) {
	if text == string(AllSnapshots) {
		return AllSnapshots, nil
	}
	return LastSnapshots, cube.Errorf(cube.CodeBadValue, "snapshots is %q", text).At(cube.Position{Parameter: "snapshots"}).
		WithHint("the only choice is all; without it one statement of each period is counted")
}

// ParseLanguage reads the text of the parameter lang.
func ParseLanguage(text string) (cube.Language, error) {
	if l := cube.Language(text); l == cube.English || l == cube.Spanish {
		return l, nil
	}
	return cube.English, cube.Errorf(cube.CodeBadValue, "lang is %q", text).At(cube.Position{Parameter: "lang"}).
		WithHint("the languages are en and es")
}
