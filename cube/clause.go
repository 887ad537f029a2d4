package cube

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
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
		func(q *Query) string { return strings.Join(texts(q.Drilldown, Ref.String), "|") }},
	{"cut", "|", reading(ParseCut, func(q *Query) *[]Cut { return &q.Cuts }),
		func(q *Query) string { return strings.Join(texts(q.Cuts, Cut.String), "|") }},
	{"aggregates", "|", reading(ParseAggregates, func(q *Query) *[]AggregateRef { return &q.Aggregates }),
		func(q *Query) string { return strings.Join(texts(q.Aggregates, AggregateRef.String), "|") }},
	{"having", "|", reading(ParseHaving, func(q *Query) *[]Condition { return &q.Having }),
		func(q *Query) string { return strings.Join(texts(q.Having, Condition.String), "|") }},
	{"order", ",", reading(ParseOrder, func(q *Query) *[]Order { return &q.Order }),
		func(q *Query) string { return strings.Join(texts(q.Order, Order.text), ",") }},
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

// ParseQuery reads the clauses of a question by their names. Names that no clause has are left to the caller, and
// so is the page where none is given.
func ParseQuery(given map[string]string) (Query, error) {
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
	return clausesText(append(q.clauses(), pageClauses(q.Page)...))
}

func clausesText(list [][2]string) string {
	return strings.Join(texts(list, func(c [2]string) string { return c[0] + "=" + c[1] }), "&")
}

// clauses prints those of the clauses that say something.
func (q Query) clauses() [][2]string {
	var list [][2]string
	for _, clause := range clauses {
		if text := clause.print(&q); text != "" {
			list = append(list, [2]string{clause.Name, text})
		}
	}
	return list
}

// pageClauses leaves the page that holds every cell out: only an export, which needs none, can ask for it.
func pageClauses(p Page) [][2]string {
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
	return false, Errorf(CodeBadValue, "%s is %q", name, text).at(Position{Parameter: name}).or("write " + name + "=1")
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
		return 0, Errorf(CodeBadValue, "top is %q, not a whole number from 1 to %d", text, MaxPageSize).
			at(Position{Parameter: "top"}).or(boundsHint("top", n, usualTop, MaxPageSize))
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
	return FillNone, Errorf(CodeBadValue, "fill is %q", text).at(Position{Parameter: "fill"}).
		or("gaps are filled with null or zero")
}

// String prints the cut as a term of the grammar.
func (c Cut) String() string {
	text := c.Ref.String() + ":" + strings.Join(texts(c.Items, Item.String), ";")
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
		return "~" + quoteText(i.Match)
	}
	return strings.Join(texts(i.Path, quoteText), "/")
}

// boundText prints the bound of a range, which is empty where it is open.
func boundText(bound string) string {
	if bound == "" {
		return ""
	}
	return quoteText(bound)
}

// String prints the condition as a term of the grammar.
func (c Condition) String() string { return c.Aggregate.String() + string(c.Op) + c.Number.String() }

func (o Order) text() string { return o.String() + ":" + direction(o.Desc) }

// String prints the axis and the offset; of nothing it is empty.
func (c *Compare) String() string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", c.Ref, c.Offset)
}
