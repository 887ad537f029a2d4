package cube

import (
	"strings"

	"github.com/shopspring/decimal"
)

// Query is a question as it was asked: names are unchecked, and every part knows where it stood in the text.
// Cube.Bind turns it into a Plan or says what is wrong.
type Query struct {
	Drilldown  []Ref
	Cuts       []Cut
	Aggregates []AggregateRef // none means _count and the sum of every measure
	Having     []Condition
	Order      []Order
	Snapshots  SnapshotChoice
	Rollup     bool     // a subtotal for each prefix of the drilldown too
	Top        int      // how many members of the last drilled level, inside each combination of the others; 0: all
	Remainder  bool     // what Top leaves out is one more cell
	Compare    *Compare // nil: with nothing
	Fill       Fill
	Page       Page

	nodes bool // of a tree: Having chooses rows, and not the cells that they are made of
}

// Ref names a field or a dimension, or both: dimension.field.
type Ref struct {
	Dimension string // "" unless the ref was written with a dot
	Name      string
	At        Position
}

// String prints the ref so that parsing it gives the ref again.
func (r Ref) String() string {
	if r.Dimension == "" {
		return quoteName(r.Name)
	}
	return quoteName(r.Dimension) + "." + quoteName(r.Name)
}

// Cut is one term of a filter: the members of Ref that any of Items names, or with Not all the others.
type Cut struct {
	Ref   Ref
	Not   bool
	Items []Item
}

// Item is one element of a cut's set.
type Item struct {
	Op    ItemOp
	Path  []string // OpEqual: the value, or on a dimension the values of a path from the top
	From  string   // OpRange: "" where open
	To    string   // OpRange: "" where open
	Match string   // OpMatch
	At    Position
}

// ItemOp says how an Item selects.
type ItemOp uint8

// The three forms of an Item.
const (
	OpEqual ItemOp = iota // value, or path
	OpRange               // from..to
	OpMatch               // ~text
)

// AggregateRef names an aggregate: measure.function, or a formula of other aggregates, or by a name alone the count
// of rows or a derived measure.
type AggregateRef struct {
	Measure string // "" unless the name was written with a dot
	Func    string
	Args    []AggregateRef // of a formula, which always has some
	At      Position
}

// String prints the aggregate as it is written.
func (a AggregateRef) String() string {
	switch {
	case len(a.Args) > 0:
		return quoteName(a.Func) + "(" + strings.Join(texts(a.Args, AggregateRef.String), ",") + ")"
	case a.Measure == "":
		return quoteName(a.Func)
	}
	return quoteName(a.Measure) + "." + quoteName(a.Func)
}

// Condition admits the cells one of whose aggregates compares so with a number. A null never does.
type Condition struct {
	Aggregate AggregateRef
	Op        Comparison
	Number    decimal.Decimal
}

// Comparison is how two numbers compare.
type Comparison string

// The comparisons of a Condition.
const (
	Less           Comparison = "<"
	LessOrEqual    Comparison = "<="
	Equal          Comparison = "="
	GreaterOrEqual Comparison = ">="
	Greater        Comparison = ">"
	Unequal        Comparison = "!="
)

// Order is one key of the order asked for: Ref names a field, a dimension or an aggregate written
// measure.function; Formula stands in its place where that is a formula.
type Order struct {
	Ref     Ref
	Formula *AggregateRef
	Role    Role // of a compared aggregate: which of its four values
	Desc    bool
}

// Compare asks for the same question Offset away on an axis of whole numbers, to stand beside the answer.
type Compare struct {
	Ref    Ref
	Offset int64 // never 0
}

// Fill says what stands in the gaps of an axis of whole numbers.
type Fill string

// The fills.
const (
	FillNone Fill = ""
	FillNull Fill = "null" // a cell whose amounts are null
	FillZero Fill = "zero" // a cell whose amounts are 0
)

// Page bounds.
const (
	DefaultPageSize = 100
	MaxPageSize     = 10_000
)

// Page is the part of the cells that is asked for: pages count from 1. Size 0 asks for the totals alone, and
// the page Every for all cells.
type Page struct {
	Number int
	Size   int
}

// holds is how many of so many cells are on the page; 0 of one without end, which nobody keeps as a whole.
func (p Page) holds(cells int64) int {
	before := int64(p.Number-1) * int64(p.Size)
	return int(max(0, min(cells-before, int64(p.Size))))
}

// Every is the page that holds all cells, for exports.
var Every = Page{Number: 1, Size: -1}

// FirstPage is the page a Query without one asks for.
var FirstPage = Page{Number: 1, Size: DefaultPageSize}
