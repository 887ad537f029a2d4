package query

import (
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
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

	Nodes bool // of a tree: Having chooses rows, and not the cells that they are made of
}

// Ref names a field or a dimension, or both: dimension.field.
type Ref struct {
	Dimension string // "" unless the ref was written with a dot
	Name      string
	At        cube.Position
}

// String prints the ref so that parsing it gives the ref again.
func (r Ref) String() string {
	if r.Dimension == "" {
		return QuoteName(r.Name)
	}
	return QuoteName(r.Dimension) + "." + QuoteName(r.Name)
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
	Args    []AggregateRef // of a formula, which always has some
	At      cube.Position
}

// String prints the aggregate as it is written.
func (a AggregateRef) String() string {
	switch {
	case len(a.Args) > 0:
		return QuoteName(a.Func) + "(" + strings.Join(cube.Texts(a.Args, AggregateRef.String), ",") + ")"
	case a.Measure == "":
		return QuoteName(a.Func)
	}
	return QuoteName(a.Measure) + "." + QuoteName(a.Func)
}

// Condition admits the cells one of whose aggregates compares so with a number. A null never does.
type Condition struct {
	Aggregate AggregateRef
	Op        Operator
	Number    decimal.Decimal
}

// Operator is how two numbers compare.
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

// Flipped is the comparison of two numbers after both are multiplied by a negative one.
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

// Holds tells whether two numbers that compare so are in the order asked.
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

// Role tells apart the values of an aggregate that is compared.
type Role string

// The roles. The value of the question itself has none.
const (
	RoleEarlier    Role = "earlier"    // of the question it is compared with
	RoleDifference Role = "difference" // from Earlier to the value
	RolePercentage Role = "percentage" // the difference in hundredths of Earlier's size
)

// SnapshotChoice says which snapshots of the same money a question counts.
type SnapshotChoice string

// The choices of a question. Whatever is no AllSnapshots counts money once.
const (
	LastSnapshots SnapshotChoice = ""    // of each period the last one that the cuts admit
	AllSnapshots  SnapshotChoice = "all" // every one, though they state the same money
)
