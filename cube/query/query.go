package query

import (
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/internal/each"
)

// Query is a question with unchecked names. Its parts have their positions in the text. plan.Bind turns it into a
// plan.Plan or says what is wrong.
type Query struct {
	Drilldown  []Ref
	Cuts       []Cut
	Aggregates []AggregateRef // none means _count and the sum of every measure
	Having     []Condition
	Order      []Order
	Snapshots  SnapshotChoice
	Rollup     bool     // a subtotal for each prefix of the drilldown too
	Top        int      // how many members of the last drilled level, inside each combination of the others; 0: all
	Remainder  bool     // one more cell adds up what Top leaves out
	Compare    *Compare // nil: no comparison
	Fill       Fill
	Page       Page

	Nodes         bool // of a tree: Having chooses nodes, not the cells that they add up
	EverySnapshot bool // of the facts of measures that add up over snapshots: none is left out

	// Flat groups by the fields that Drilldown names and by none above them: dimension.field by that field, a level or a
	// dimension by its key, with a label for each cell. Text is sorted by its bytes. No clause asks for it.
	Flat bool
}

// Ref names a field, a dimension, or both as dimension.field.
type Ref struct {
	Dimension string // "" unless the ref was written with a dot
	Name      string
	At        cube.Position
}

// String prints the ref as it is parsed.
func (r Ref) String() string {
	if r.Dimension == "" {
		return QuoteName(r.Name)
	}
	return QuoteName(r.Dimension) + "." + QuoteName(r.Name)
}

// Cut is one term of a filter: it admits the members of Ref that Items name, or with Not all others.
type Cut struct {
	Ref   Ref
	Not   bool
	Items []Item
}

// CutTo is a cut to one member of a level, by its key.
func CutTo(field, key string) Cut {
	return Cut{Ref: Ref{Name: field}, Items: []Item{{Op: OpEqual, Path: []Key{{Text: key}}}}}
}

// Item is one of the alternatives of a cut.
type Item struct {
	Op    ItemOp
	Path  []Key  // OpEqual: the value, or on a dimension the values of a path from the top
	From  string // OpRange: "" if open
	To    string // OpRange: "" if open
	Match string // OpMatch
	At    cube.Position
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
	Args    []AggregateRef // the operands of a formula; empty for any other aggregate
	At      cube.Position
}

// String prints the aggregate as it is written.
func (a AggregateRef) String() string {
	switch {
	case len(a.Args) > 0:
		return QuoteName(a.Func) + "(" + strings.Join(each.Text(a.Args, AggregateRef.String), ",") + ")"
	case a.Measure == "":
		return QuoteName(a.Func)
	}
	return QuoteName(a.Measure) + "." + QuoteName(a.Func)
}

// Condition admits a cell if the comparison of an aggregate with a number holds. It never holds for null.
type Condition struct {
	Aggregate AggregateRef
	Op        Operator
	Number    decimal.Decimal
}

// Operator compares two numbers.
type Operator string

// The comparisons of a Condition.
const (
	Less           Operator = "<"
	LessOrEqual    Operator = "<="
	Equal          Operator = "="
	GreaterOrEqual Operator = ">="
	Greater        Operator = ">"
	Unequal        Operator = "!="
)

// Flipped is the operator after both sides are multiplied by a negative number.
func (c Operator) Flipped() Operator {
	switch c {
	case Less:
		return Greater
	case LessOrEqual:
		return GreaterOrEqual
	case GreaterOrEqual:
		return LessOrEqual
	case Greater:
		return Less
	}
	return c
}

// Holds tells whether the operator holds for two numbers, of which cmp.Compare gives the order.
func (c Operator) Holds(order int) bool {
	switch c {
	case Less:
		return order < 0
	case LessOrEqual:
		return order <= 0
	case Equal:
		return order == 0
	case GreaterOrEqual:
		return order >= 0
	case Greater:
		return order > 0
	}
	return order != 0
}

// Order is one key of the order. Ref names a field, a dimension, or an aggregate written measure.function. For a formula
// Formula is set instead.
type Order struct {
	Ref     Ref
	Formula *AggregateRef
	Role    Role // of a comparison: which of the four values of an aggregate, or the size of its difference
	Desc    bool
}

// Compare asks for a comparison with the same question, moved by Offset along an axis of whole numbers.
type Compare struct {
	Ref    Ref
	Offset int64 // never 0
}

// Fill says how to fill the gaps of an axis of whole numbers.
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

// Page is the part of the cells to return. Pages count from 1. Size 0 asks for the totals alone, and the page Every for
// all cells.
type Page struct {
	Number int
	Size   int
}

// Every is the page with all cells, for exports.
var Every = Page{Number: 1, Size: -1}

// FirstPage is the default page of a Query.
var FirstPage = Page{Number: 1, Size: DefaultPageSize}

// Role says which value of a compared aggregate is meant.
type Role string

// The roles. The value of the question itself has no role.
const (
	RoleEarlier    Role = "earlier"    // the value of the moved question
	RoleDifference Role = "difference" // the value minus the earlier one
	RolePercentage Role = "percentage" // the difference in percent of the absolute earlier value
	RoleSize       Role = "size"       // of an order alone: the difference without its sign
)

// SnapshotChoice says which snapshots of the same money a question counts.
type SnapshotChoice string

// The choices of a question. Any other value than AllSnapshots means LastSnapshots.
const (
	LastSnapshots SnapshotChoice = ""    // of each period the last snapshot that the cuts admit
	AllSnapshots  SnapshotChoice = "all" // every snapshot, though they repeat the same money
)
