package query

import (
	"fmt"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// Clause is one part of a question, which one request parameter gives.
type Clause struct {
	Name      string
	Separator string // joins the texts of a repeated parameter; "" if it cannot be repeated
	read      func(q *Query, text string) error
	print     func(q *Query) string // "" leaves the clause out
}

// Clauses lists the clauses of a question, other than its page, in the order in which Query.String prints them.
func Clauses() []Clause { return clauses }

var clauses = []Clause{
	{"drilldown", "|", reading(ParseDrilldown, func(q *Query) *[]Ref { return &q.Drilldown }),
		func(q *Query) string { return strings.Join(each.Text(q.Drilldown, Ref.String), "|") }},
	{"cut", "|", reading(ParseCut, func(q *Query) *[]Cut { return &q.Cuts }),
		func(q *Query) string { return strings.Join(each.Text(q.Cuts, Cut.String), "|") }},
	{"aggregates", "|", reading(ParseAggregates, func(q *Query) *[]AggregateRef { return &q.Aggregates }),
		func(q *Query) string { return strings.Join(each.Text(q.Aggregates, AggregateRef.String), "|") }},
	{"having", "|", reading(ParseHaving, func(q *Query) *[]Condition { return &q.Having }),
		func(q *Query) string { return strings.Join(each.Text(q.Having, Condition.String), "|") }},
	{"order", ",", reading(ParseOrder, func(q *Query) *[]Order { return &q.Order }),
		func(q *Query) string { return strings.Join(each.Text(q.Order, Order.text), ",") }},
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

// Parse reads the clauses of a question by their names. It ignores other names.
func Parse(given map[string]string) (Query, error) {
	var q Query
	for _, clause := range clauses {
		if text, ok := given[clause.Name]; ok {
			if err := clause.read(&q, text); err != nil {
				return Query{}, err
			}
		}
	}
	var err error
	q.Page, err = ParsePage(given)
	return q, err
}

// String prints the clauses joined by &. Reading the text gives the same query, with other positions.
func (q Query) String() string {
	return JoinClauses(append(q.Clauses(), PageClauses(q.Page)...))
}

// JoinClauses joins clauses by &.
func JoinClauses(list [][2]string) string {
	return strings.Join(each.Text(list, func(c [2]string) string { return c[0] + "=" + c[1] }), "&")
}

// Clauses prints the clauses that differ from the default, each as a name and a text.
func (q Query) Clauses() [][2]string {
	var list [][2]string
	for _, clause := range clauses {
		if text := clause.print(&q); text != "" {
			list = append(list, [2]string{clause.Name, text})
		}
	}
	return list
}

// PageClauses prints a page. It prints nothing for Every, which only an export has, without a page in its request.
func PageClauses(p Page) [][2]string {
	if p == Every {
		return nil
	}
	return [][2]string{{"page", strconv.Itoa(p.Number)}, {"pagesize", strconv.Itoa(p.Size)}}
}

// read reads the text of a parameter, if the request has it.
func read[T any](given map[string]string, name string, parse func(string) (T, error), into *T) (err error) {
	if text, ok := given[name]; ok {
		*into, err = parse(text)
	}
	return err
}

// reading makes the read function of a clause from a parser and the field of the query that it sets.
func reading[T any](parse func(string) (T, error), field func(*Query) *T) func(*Query, string) error {
	return func(q *Query, text string) error {
		value, err := parse(text)
		*field(q) = value
		return err
	}
}

func flagOf(name string, field func(*Query) *bool) func(*Query, string) error {
	return reading(func(text string) (bool, error) { return ParseFlag(name, text) }, field)
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

// usualTop is the top that a hint proposes.
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
	text := c.Ref.String() + ":" + strings.Join(each.Text(c.Items, Item.String), ";")
	if c.Not {
		return "!" + text
	}
	return text
}

// String prints the item with every value quoted, so that no value reads as an operator.
func (i Item) String() string {
	switch i.Op {
	case OpRange:
		return boundText(i.From) + ".." + boundText(i.To)
	case OpMatch:
		return "~" + QuoteText(i.Match)
	}
	return strings.Join(each.Text(i.Path, Key.String), "/")
}

// Short prints the cut as people write it: a value is quoted only if it would be read as something else without quotes.
func (c Cut) Short() string {
	text := c.Ref.String() + ":" + strings.Join(each.Text(c.Items, Item.short), ";")
	if c.Not {
		return "!" + text
	}
	return text
}

func (i Item) short() string {
	switch i.Op {
	case OpRange:
		return shortText(i.From) + rangeSign + shortText(i.To)
	case OpMatch:
		return "~" + shortText(i.Match)
	}
	return strings.Join(each.Text(i.Path, func(k Key) string { return shortText(k.Text) + k.Edition }), "/")
}

// shortText quotes a value if it has a character that means something in a cut, or a point at an end, where it could belong to
// the sign of a range.
func shortText(text string) string {
	if !strings.ContainsAny(text, `|;/"@~&`) && !strings.Contains(text, rangeSign) && text == strings.Trim(text, ".") {
		return text
	}
	return QuoteText(text)
}

// boundText prints the bound of a range; an open bound is empty.
func boundText(bound string) string {
	if bound == "" {
		return ""
	}
	return QuoteText(bound)
}

// String prints the condition as a term of the grammar.
func (c Condition) String() string { return c.Aggregate.String() + string(c.Op) + c.Number.String() }

func (o Order) text() string { return o.String() + ":" + Direction(o.Desc) }

// String prints the axis and the offset, or "" for nil.
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
	if l := cube.Language(text); words.IsLanguage(l) {
		return l, nil
	}
	return cube.English, cube.Errorf(cube.CodeBadValue, "lang is %q", text).At(cube.Position{Parameter: "lang"}).
		WithHintf("the languages are %s", strings.Join(each.Text(words.Languages(), func(l cube.Language) string { return string(l) }), ", "))
}

// ParsePage reads the parameters page and pagesize.
func ParsePage(given map[string]string) (Page, error) {
	number, err := parseBounded(given, "page", 1, 1, 1<<40)
	if err != nil {
		return Page{}, err
	}
	size, err := parseBounded(given, "pagesize", DefaultPageSize, 0, MaxPageSize)
	return Page{Number: number, Size: size}, err
}

// parseBounded reads a whole number, absent unless it is given. An empty text is probably not meant to be the default.
func parseBounded(given map[string]string, parameter string, absent, least, most int) (int, error) {
	text, ok := given[parameter]
	switch {
	case !ok:
		return absent, nil
	case text == "":
		return 0, cube.Errorf(cube.CodeBadPage, "%s is empty", parameter).At(cube.Position{Parameter: parameter}).WithHint(leaveOut)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, cube.Errorf(cube.CodeBadPage, "%s is %q, not a whole number from %d to %d", parameter, text, least, most).
			At(cube.Position{Parameter: parameter}).WithHint(boundsHint(parameter, n, absent, most))
	}
	return n, nil
}
