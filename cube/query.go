package cube

// Query is a question as it was asked: names are unchecked, and every part knows where it stood in the text.
// Cube.Bind turns it into a Plan or says what is wrong.
type Query struct {
	Drilldown  []Ref
	Cuts       []Cut
	Aggregates []AggregateRef // none means _count and the sum of every measure
	Order      []Order
	Snapshots  SnapshotChoice
	Page       Page
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

// AggregateRef names an aggregate: measure.function, or _count.
type AggregateRef struct {
	Measure string // "" for _count
	Func    string
	At      Position
}

// String prints the aggregate as it is written.
func (a AggregateRef) String() string {
	if a.Measure == "" {
		return quoteName(a.Func)
	}
	return quoteName(a.Measure) + "." + quoteName(a.Func)
}

// Order is one key of the order asked for. Ref names a field, or an aggregate written measure.function.
type Order struct {
	Ref  Ref
	Desc bool
}

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

// Every is the page that holds all cells, for exports.
var Every = Page{Number: 1, Size: -1}

// FirstPage is the page a Query without one asks for.
var FirstPage = Page{Number: 1, Size: DefaultPageSize}
