package plan

import (
	"iter"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/query"
)

// Statement is what one SQL statement answers: the parts of the rows that pass the filters, grouped by the keys, and
// of the groups a page in order. It holds no other statement and is never changed once it is made. Only this package
// makes statements, and turning one into SQL cannot fail.
type Statement struct {
	cube       *cube.Cube
	keys       []cube.Column
	levels     []cube.Level
	filters    []Filter
	guard      *Filter
	parts      []Part
	having     []Having
	aggregates []Aggregate
	order      []Sort
	page       query.Page
}

// Cube is the version of a package that the statement asks.
func (s *Statement) Cube() *cube.Cube { return s.cube }

// Keys are the columns to group by, in the order of the answer.
func (s *Statement) Keys() []cube.Column { return s.keys }

// Levels are the levels whose members the keys name, in the order of the answer. Their paths are among Keys.
func (s *Statement) Levels() []cube.Level { return s.levels }

// Filters must all hold.
func (s *Statement) Filters() []Filter { return s.filters }

// Guard is what the rows of a Part that is Guarded must pass besides; nil where no part is. It stands in for a
// default filter where measures are asked that add up over snapshots (cube.Measure.Flow).
func (s *Statement) Guard() *Filter { return s.guard }

// Parts are what is computed for each group.
func (s *Statement) Parts() []Part { return s.parts }

// Having must all hold of a group.
func (s *Statement) Having() []Having { return s.having }

// Aggregate gives the aggregate that a Sort of Order goes by.
func (s *Statement) Aggregate(by Sort) Aggregate { return s.aggregates[by.Index] }

// Order is the complete order of the groups. What is null in every group is left out of it.
func (s *Statement) Order() []Sort { return s.order }

// Page is the part of the groups to return.
func (s *Statement) Page() query.Page { return s.page }

// PartDigits bounds the digits of a part before and after the point.
func (s *Statement) PartDigits(part int) (whole, decimals int) { return s.parts[part].digits(s.cube) }

// Group is one row that a store answers: the keys of a group with what their members are called, and its parts.
type Group struct {
	Keys   []cube.Value          // one for each of Statement.Keys
	Labels []cube.Value          // one for each of Statement.Levels; missing where a member has none
	Ranks  []cube.Value          // of Labels, for those of Statement.Levels that the order goes by
	Parts  []decimal.NullDecimal // one for each of Statement.Parts
}

// Result is what a store answers to a Statement. Close frees everything, also where Groups were not read to the end.
type Result struct {
	Count  int64                   // how many groups there are on all pages
	Total  []decimal.NullDecimal   // the parts over all groups
	Groups iter.Seq2[Group, error] // of the page, in order; once
	Close  func()
}

// Filter is a bound cut: a fact passes when it passes every test of any one alternative; with Not, when it
// passes none. Missing values count as values, so Not is the exact complement.
type Filter struct {
	Ref     string // the field or dimension as it is echoed; of a Default one it may be several fields: a/b
	Not     bool
	Default bool // nobody asked for it: it counts one of several snapshots of the same money
	Any     [][]Test
	Echo    []EchoItem
	text    string
}

// String prints the filter as a cut, with its items sorted.
func (f Filter) String() string { return f.text }

// Test is a condition on one column: its value is among In, or lies between From and To; or, as the key of a
// member, it is of one that Members admits. With bounds beside it, In lists the snapshots that the range spans.
type Test struct {
	Column  cube.Column
	In      []cube.Value // exact values; Missing selects missing cells
	From    cube.Value   // the bounds of a range are inclusive; Missing is open
	To      cube.Value
	Members *MemberTest
}

// MemberTest admits the members of a level, which is Listed, that have one of Labels in any year, or one of Parts in
// their key or a label without regard to case and accents. One of the two lists is empty.
type MemberTest struct {
	CubeID int64
	Level  cube.Level
	Path   []cube.Column // of the level: what tells its members apart
	Labels []string      // tidied; "" is rows without a label
	Parts  []string      // tidied, none of them empty
}

// EchoItem is how an answer repeats an item of a cut: exact values or labels, the bounds of a range, the keys of a
// path, or a text that is looked for.
type EchoItem struct {
	Op     query.ItemOp
	Values []cube.Value
	Path   bool // the values are the keys of one path, not alternatives
}

// Part is what a store computes: every aggregate is made of one or two parts, so that a store never divides.
type Part struct {
	Func    cube.Func // never Avg
	Measure string    // "" for Rows
	Guarded bool      // only of the rows that Statement.Guard admits
}

// digits bounds the digits of a part before and after the point. A sum of n amounts is at most n times the greatest.
func (p Part) digits(c *cube.Cube) (whole, decimals int) {
	rows := len(strconv.FormatInt(c.Rows, 10))
	if p.Func == cube.Rows || p.Func == cube.Count {
		return rows, 0
	}
	column, _ := c.Model.Column(p.Measure)
	if p.Func != cube.Sum {
		rows = 0
	}
	return max(1, column.Digits) + rows, column.Scale
}

// Sort is one key of the order. Orders always end in all keys.
type Sort struct {
	By    SortBy
	Index int // among Keys, Levels or Aggregates
	Desc  bool
}

// Direction is asc or desc.
func (s Sort) Direction() string { return query.Direction(s.Desc) }

// SortBy says what a Sort goes by.
type SortBy uint8

// What answers can be sorted by. Missing comes last in both directions.
const (
	ByKey       SortBy = iota // snapshots as declared, whole numbers by size, text by length and then bytes
	ByLabel                   // the label's rank
	ByAggregate               // the amount
)

// Names tells whether the filter has a test on a field.
func (f Filter) Names(field string) bool {
	return slices.ContainsFunc(f.Any, func(tests []Test) bool {
		return slices.ContainsFunc(tests, func(t Test) bool { return t.Column.Name == field })
	})
}

// match is what is known of a condition when only some cells of a row are.
type match uint8

const (
	fails match = iota
	mayPass
	passes
)

// match judges a filter by the cells that are known; the complement of mayPass is mayPass.
func (f Filter) match(cell func(field string) (cube.Value, bool)) match {
	some := fails
	for _, tests := range f.Any {
		all := passes
		for _, t := range tests {
			value, known := cell(t.Column.Name)
			switch {
			case !known || t.Members != nil: // only a store knows which members those are
				all = min(all, mayPass)
			case !t.admits(value):
				all = fails
			}
		}
		some = max(some, all)
	}
	if f.Not {
		return passes - some
	}
	return some
}

// admits tells whether a cell passes, as a store would.
func (t Test) admits(v cube.Value) bool {
	if len(t.In) > 0 {
		_, found := slices.BinarySearchFunc(t.In, v, cube.Value.Compare)
		return found
	}
	bound := t.From
	if bound.IsMissing() {
		bound = t.To
	}
	return !v.IsMissing() && (t.Column.Type != cube.TypeText || v.Length() == bound.Length()) &&
		(t.From.IsMissing() || v.Compare(t.From) >= 0) && (t.To.IsMissing() || v.Compare(t.To) <= 0)
}

// mayAdmit tells whether a row that has a value in a column may pass, whatever its other cells.
func (f Filter) mayAdmit(column cube.Column, value cube.Value) bool {
	return f.match(func(field string) (cube.Value, bool) { return value, field == column.Name }) != fails
}

// isRange tells a range from exact values: also one of snapshots, whose values are listed.
func (t Test) isRange() bool { return len(t.In) == 0 || !t.From.IsMissing() || !t.To.IsMissing() }

// OnlyOf tells whether the filter has tests on no other columns than these.
func (f Filter) OnlyOf(columns []cube.Column) bool {
	return len(f.Any) > 0 && !slices.ContainsFunc(f.Any, func(tests []Test) bool {
		return slices.ContainsFunc(tests, func(t Test) bool {
			return !slices.ContainsFunc(columns, func(c cube.Column) bool { return c.Name == t.Column.Name })
		})
	})
}
