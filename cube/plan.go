package cube

import (
	"slices"

	"github.com/shopspring/decimal"
)

// Plan is a question whose every name is resolved and every value typed: it cannot be wrong, and turning it into SQL
// cannot fail. Cube.Bind makes those of what somebody asks; this package makes others of these for what it asks besides.
type Plan struct {
	cube       *Cube
	keys       []Column
	levels     []Level
	filters    []Filter
	aggregates []Aggregate
	parts      []Part
	having     []Having // tested by the store
	weighed    []Having // tested when all cells are there
	shown      []Having // of a tree: what its nodes meet, or others below them
	steps      []Step
	order      []Sort
	asked      int // how many of order were asked for; the rest are the keys
	page       Page
	text       string
	question   [][2]string // the clauses of text
	language   Language    // of the package's own texts
	manyYears  bool        // a row without the fiscal year adds several up
	yearKey    int         // among keys, or -1

	stated  []period // the statements that the cuts admit; nil where the model has none
	all     bool     // they are all counted, though some state the same money
	guard   *Filter  // the default filter, where only some parts are under it
	summary *Plan    // where the cells state the same money
	without []string // what is not drilled for the summary
	finish  *finish  // nil where the store's answer is the whole answer

	noRemainder bool      // though it is asked for: top left nothing out of the answer
	found       []Warning // by the engine: of cuts that name members in vain, or else that admit no row
}

// Filter is a bound cut: a fact passes when it passes every test of any one alternative; with Not, when it
// passes none. Missing values count as values, so Not is the exact complement.
type Filter struct {
	Ref     string // the field or dimension as it is echoed; of a Default one it may be several fields: a/b
	Not     bool
	Default bool // nobody asked for it: it counts one of several statements of the same money
	Any     [][]Test
	Echo    []EchoItem
	text    string
}

// Test is a condition on one column: its value is among In, or lies between From and To; or, as the key of a
// member, it is of one that Members admits. With bounds beside it, In is what a range of statements spans.
type Test struct {
	Column  Column
	In      []Value // exact values; Missing selects missing cells
	From    Value   // the bounds of a range are inclusive; Missing is open
	To      Value
	Members *MemberTest
}

// MemberTest admits the members of a level, which is Listed, that have one of Labels in any year, or one of Parts in
// their key or a label without regard to case and accents. One of the two lists is empty.
type MemberTest struct {
	CubeID int64
	Level  Level
	Path   []Column // of the level: what tells its members apart
	Labels []string // tidied; "" is rows without a label
	Parts  []string // tidied, none of them empty
}

// EchoItem is how an item of a cut is told back: exact values or labels, the bounds of a range, the keys of a path, or
// a text that is looked for.
type EchoItem struct {
	Op     ItemOp
	Values []Value
	Path   bool // the values are the keys of one path, not alternatives
}

// Aggregate is a measure with a function, the count of rows, or a formula of other aggregates.
type Aggregate struct {
	Name    string // approved_value.sum, _count, ratio(a.sum,b.sum)
	Measure string // "" for _count and formulas
	Func    Func
	Args    []Aggregate     // of a formula
	Role    Role            // of a compared aggregate
	Scale   int32           // decimals it prints with
	factor  decimal.Decimal // of the measure, which amounts are multiplied by after aggregation; 0 of counts
	parts   [2]int
	mixed   bool    // of a formula: what it is of has amounts in different ones of the years asked
	uneven  bool    // of a role: its measures have amounts in other years than their counterparts
	patchy  []int64 // of a role: years asked of which one side has no amounts of its measures
}

// Factor is what amounts are multiplied by after aggregation; 0 of counts and formulas.
func (a Aggregate) Factor() decimal.Decimal { return a.factor }

// Reversed tells whether a greater part makes a smaller value, as a negative factor does.
func (a Aggregate) Reversed() bool { return a.factor.IsNegative() }

// Func is an aggregate function.
type Func string

// The aggregate functions.
const (
	Sum   Func = "sum"   // of the amounts that are there; null where there is none
	Count Func = "count" // how many rows have an amount
	Avg   Func = "avg"   // Sum by Count
	Min   Func = "min"
	Max   Func = "max"
	Rows  Func = "_count" // how many rows there are

	Ratio         Func = "ratio"           // of one aggregate by another
	Diff          Func = "diff"            // of one aggregate less another
	Share         Func = "share"           // of the value over all cells
	ShareOfParent Func = "share_of_parent" // of the value over the cells of the same parent
)

// Role tells apart the values of an aggregate that is compared.
type Role string

// The roles. The value of the question itself has none.
const (
	RoleEarlier    Role = "earlier"    // of the question it is compared with
	RoleDifference Role = "difference" // from Earlier to the value
	RolePercentage Role = "percentage" // the difference in hundredths of Earlier's size
)

// Part is what a store computes: every aggregate is made of one or two parts, so that a store never divides.
type Part struct {
	Func    Func   // never Avg
	Measure string // "" for Rows
	Guarded bool   // only of the rows that Plan.Guard admits
}

// Sort is one key of the order. The orders of a plan always end in all of its keys.
type Sort struct {
	By    SortBy
	Index int // among Keys, Levels or Aggregates
	Desc  bool
}

// SortBy says what a Sort goes by.
type SortBy uint8

// What answers can be sorted by. Missing comes last in both directions.
const (
	ByKey       SortBy = iota // statements as declared, whole numbers by size, text by length and then bytes
	ByLabel                   // the label's rank
	ByAggregate               // the amount
)

// Cell is one row of an answer, or its summary.
type Cell struct {
	Keys   []Value               // one for each of Plan.Keys; a subtotal has the first of them
	Labels []Value               // one for each of Plan.Levels; missing where a member has none
	Values []decimal.NullDecimal // one for each of Plan.Aggregates
	Count  int64                 // of the summary: how many cells there are; else 0

	Level  string // in a rollup: the level that its last key is of
	Others int64  // how many members, whose keys it has not, are added up in it; 0 of a cell of one
	Change Change // against the cell it is compared with

	Ranks []Value               // the ranks of Labels, for those of Plan.Levels that the order goes by
	Parts []decimal.NullDecimal // one for each of Plan.Parts
}

// Change says that only one of two compared cells is there.
type Change string

// The changes. A cell that is there on both sides has none.
const (
	ChangeNew  Change = "new"
	ChangeGone Change = "gone"
)

// Cube is the version of a package that the plan asks.
func (p *Plan) Cube() *Cube { return p.cube }

// Keys are the columns to group by, in the order of the answer.
func (p *Plan) Keys() []Column { return p.keys }

// Levels are the levels whose members the keys name, in the order of the answer. Their paths are among Keys.
func (p *Plan) Levels() []Level { return p.levels }

// Filters must all hold. Those that were asked for come first.
func (p *Plan) Filters() []Filter { return p.filters }

// Guard is what the rows of a Part that is Guarded must pass besides; nil where no part is. It stands in for a
// default filter where amounts are asked that add up over the statements of one money.
func (p *Plan) Guard() *Filter { return p.guard }

// AllFilters gives the filters and the guard: what an answer tells back.
func (p *Plan) AllFilters() []Filter {
	filters := slices.Clone(p.filters)
	if p.guard != nil {
		filters = append(filters, *p.guard)
	}
	return filters
}

// SummaryPlan gives the plan whose summary is that of the whole answer, where the cells cannot be added up: they
// state the same money. Its page has no cells. It is nil where the plan has its own summary.
func (p *Plan) SummaryPlan() *Plan { return p.summary }

// SummaryWithout names the levels that SummaryPlan does not drill.
func (p *Plan) SummaryWithout() []string { return p.without }

// Aggregates are the values of a cell, in the order of the answer.
func (p *Plan) Aggregates() []Aggregate { return p.aggregates }

// Measures are those that the aggregates are of, each once.
func (p *Plan) Measures() []Measure {
	var list []Measure
	for _, name := range measuresOf(p.aggregates) {
		measure, _ := p.cube.Model.Measure(name)
		list = append(list, measure)
	}
	return list
}

// Having must all hold of a cell.
func (p *Plan) Having() []Having { return p.having }

// Parts are what a store computes for each cell.
func (p *Plan) Parts() []Part { return p.parts }

// Order is the complete order of the cells.
func (p *Plan) Order() []Sort { return p.order }

// OrderAsked is the part of Order that was asked for.
func (p *Plan) OrderAsked() []Sort { return p.order[:p.asked] }

// Page is the part of the cells to return.
func (p *Plan) Page() Page { return p.page }

// String is the canonical question, in the grammar of Query with nothing left to defaults: two plans of one
// cube with equal strings have equal answers. A default filter stands in a clause of its own, _default, which
// routes pass over as they do all names that begin with _: asked again, the rest brings it about again.
func (p *Plan) String() string { return p.text }

// SumCount gives the parts whose quotient an average is.
func (p *Plan) SumCount(a Aggregate) (sum, count int) { return a.parts[0], a.parts[1] }

// PartOf gives the part that an aggregate other than an average is.
func (p *Plan) PartOf(a Aggregate) int { return a.parts[0] }

// scaled multiplies an amount by its measure's factor; counts have none.
func (a Aggregate) scaled(part decimal.NullDecimal) decimal.NullDecimal {
	if part.Valid && !a.factor.IsZero() {
		part.Decimal = part.Decimal.Mul(a.factor)
	}
	return part
}

// Quotient divides exactly and rounds half to even at the given decimals; it is null where either side is
// null or the divisor is zero.
func Quotient(a, b decimal.NullDecimal, scale int32) decimal.NullDecimal {
	if !a.Valid || !b.Valid || b.Decimal.IsZero() {
		return decimal.NullDecimal{}
	}
	// The remainder decides the half: digits of a/b cut off before rounding could turn 0.5000…1 into a tie.
	quotient, remainder := a.Decimal.QuoRem(b.Decimal, scale)
	twice := remainder.Abs().Mul(decimal.NewFromInt(2)).Cmp(b.Decimal.Abs().Shift(-scale))
	odd := quotient.Shift(scale).Mod(decimal.NewFromInt(2)).Abs().Equal(decimal.NewFromInt(1))
	if twice > 0 || twice == 0 && odd {
		step := decimal.New(int64(a.Decimal.Sign()*b.Decimal.Sign()), -scale)
		quotient = quotient.Add(step)
	}
	return decimal.NewNullDecimal(quotient)
}

// Columns names the columns of an answer: each key, followed by its label where the level has one, then the
// aggregates.
func (p *Plan) Columns() []string {
	names := p.Attributes()
	for _, a := range p.aggregates {
		names = append(names, a.Name)
	}
	return names
}

// Attributes names the keys and labels of an answer, in order.
func (p *Plan) Attributes() []string {
	names := []string{}
	for _, k := range p.keys {
		names = append(names, k.Name)
		if i := p.LabelOf(k); i >= 0 {
			names = append(names, p.levels[i].LabelRef)
		}
	}
	return names
}

// LabelOf gives the place among Levels of the level that labels the key, or -1 where none does.
func (p *Plan) LabelOf(key Column) int {
	return slices.IndexFunc(p.levels, func(l Level) bool { return l.Ref == key.Name && l.LabelRef != "" })
}
