package plan

import (
	"iter"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Statement is what one SQL statement answers: it groups the rows that pass the filters by the keys, computes parts for
// each group, and gives a page of the groups in order. It holds no other statement and never changes. Only this package
// makes statements, and turning one into SQL cannot fail.
type Statement struct {
	cube       *cube.Cube
	keys       []cube.Column
	levels     []cube.Level
	flat       bool
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

// Levels are the levels whose members the keys name, in the order of the answer. Their paths are among Keys or, in a Flat
// statement, their own keys.
func (s *Statement) Levels() []cube.Level { return s.levels }

// Flat tells whether a group may have rows of several members of a level, since the keys above its own are no keys. The
// label of a group is then that of most of its rows in the latest fiscal year in which they have one. Text is sorted by its
// bytes, labels too.
func (s *Statement) Flat() bool { return s.flat }

// Filters must all pass a row.
func (s *Statement) Filters() []Filter { return s.filters }

// Guard is one more filter for the rows of each Guarded part; nil if no part is. It is a default filter in a question that
// also has measures that add up over snapshots (cube.Measure.Flow).
func (s *Statement) Guard() *Filter { return s.guard }

// Parts are the numbers to compute for each group.
func (s *Statement) Parts() []Part { return s.parts }

// Having are the conditions that a group must meet.
func (s *Statement) Having() []Having { return s.having }

// Aggregate gives the aggregate that a Sort of Order sorts by.
func (s *Statement) Aggregate(by Sort) Aggregate { return s.aggregates[by.Index] }

// Order is the complete order of the groups, without aggregates that are null in every group.
func (s *Statement) Order() []Sort { return s.order }

// Page is the part of the groups to return.
func (s *Statement) Page() query.Page { return s.page }

// YearOf is the filter that the rows of a part ByYear pass.
func (s *Statement) YearOf(p Part) Filter {
	column, _ := s.cube.Model.FiscalYear() // a part is by year only where rows have one
	return Filter{Any: [][]Test{{{Column: column, In: []cube.Value{p.Year}}}}}
}

// PartDigits bounds the digits of a part before and after the point.
func (s *Statement) PartDigits(part int) (whole, decimals int) { return s.parts[part].digits(s.cube) }

// Group is one row that a store answers: the keys of a group with the labels of their members, and its parts.
type Group struct {
	Keys   []cube.Value          // one for each of Statement.Keys
	Labels []cube.Value          // one for each of Statement.Levels; missing if a member has none
	Ranks  []cube.Value          // of Labels, for those of Statement.Levels that the order sorts by
	Parts  []decimal.NullDecimal // one for each of Statement.Parts
}

// KeysID encodes keys as a text that no other list of keys has: before each key it writes its kind, and the length of a text.
func KeysID(keys []cube.Value) string {
	id := make([]byte, 0, 16*len(keys))
	for _, key := range keys {
		id = key.AppendID(id)
	}
	return string(id)
}

// Result is what a store answers to a Statement. Close frees everything, even if Groups were not read to the end.
type Result struct {
	Count  int64                   // the number of groups on all pages
	Total  []decimal.NullDecimal   // the parts over all groups
	Groups iter.Seq2[Group, error] // those of the page, in order; they can be read once
	Close  func()
}

// Filter is a bound cut: a fact passes when it passes every test of any one alternative; with Not, when it
// passes none. Missing values count as values, so Not is the exact complement.
type Filter struct {
	Ref     string // the field or dimension, as an answer repeats it; a Default filter may have several fields: a/b
	Not     bool
	Default bool // Bind added it, to count one of several snapshots of the same money
	Any     [][]Test
	Echo    []EchoItem
	text    string
}

// String prints the filter as a cut, with its items sorted.
func (f Filter) String() string { return f.text }

// Level gives the level whose members the filter names: for a path the last one.
func (f Filter) Level(m *cube.Model) (cube.Level, bool) {
	if len(f.Any) == 0 || len(f.Any[0]) == 0 {
		return cube.Level{}, false
	}
	test := f.Any[0][len(f.Any[0])-1]
	if test.Members != nil {
		return test.Members.Level, true
	}
	return m.LevelOfKey(test.Column.Name)
}

// Test is a condition on one column: its value is in In, or between From and To, or is the key of a member that Members
// admits. If a test has both In and bounds, it is a range of snapshots and In lists them.
type Test struct {
	Column  cube.Column
	In      []cube.Value // exact values; Missing selects missing cells
	From    cube.Value   // the bounds of a range are inclusive; Missing is open
	To      cube.Value
	Members *MemberTest
}

// MemberTest admits the members of a Listed level that have one of Labels, or whose key or label contains one of Substrings,
// ignoring case and accents. One of the two lists is empty.
type MemberTest struct {
	CubeID     int64
	Level      cube.Level
	Path       []cube.Column // of the level; it identifies a member
	Labels     []string      // tidied; "" admits members without a label
	Substrings []string      // tidied, none of them empty
	Year       cube.Column   // the fiscal year, if Years or Reused is set
	Years      []Filter      // on Year: labels count of the years that they all admit; without them, of all years
	Reused     bool          // codes mean different things: a member is admitted in the years in which it means what has the label
}

// EchoItem is how an answer repeats an item of a cut: exact values or labels, the bounds of a range, the keys of a
// path, or a text to search for.
type EchoItem struct {
	Op       query.ItemOp
	Values   []cube.Value
	Path     bool     // the values are the keys of one path, not alternatives
	Editions []string // of the keys of a path or of a single key, each with its @ or ""; nil where none can be
}

// Edition gives the edition of a value, with its @, or "".
func (e EchoItem) Edition(value int) string {
	if value < len(e.Editions) {
		return e.Editions[value]
	}
	return ""
}

// Texts prints the values, each with its edition.
func (e EchoItem) Texts() []string {
	texts := make([]string, len(e.Values))
	for i, v := range e.Values {
		texts[i] = v.String() + e.Edition(i)
	}
	return texts
}

// Part is a number that a store computes for a group. One or two parts make an aggregate, so that a store never divides.
type Part struct {
	Func    cube.Func // never Avg
	Measure string    // "" for Rows
	Guarded bool      // computed over the rows that pass Statement.Guard
	ByYear  bool      // computed over the rows of a fiscal year
	Year    cube.Value
}

// digits bounds the digits of a part before and after the point. A sum of n amounts is at most n times the greatest one.
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
	Index int // in Keys, Levels or the aggregates, as By says
	Desc  bool
	Size  bool // by the amount without its sign, which is that of a difference: only a pass sorts by it
}

// Direction is asc or desc.
func (s Sort) Direction() string { return query.Direction(s.Desc) }

// SortBy says what a Sort sorts by.
type SortBy uint8

// The values of SortBy. Missing comes last in both directions.
const (
	ByKey       SortBy = iota // snapshots in declared order, whole numbers by size, text by length and then bytes; flat text by bytes
	ByLabel                   // the label's rank
	ByAggregate               // the amount
)

// Names tells whether the filter has a test on a field.
func (f Filter) Names(field string) bool {
	return slices.ContainsFunc(f.Any, func(tests []Test) bool {
		return slices.ContainsFunc(tests, func(t Test) bool { return t.Column.Name == field })
	})
}

// match is the result of a condition on a row of which only some cells are known.
type match uint8

const (
	fails match = iota
	mayPass
	passes
)

// match tests a filter on the known cells. What may pass may pass negated too: as long as the month is not known, both month:1 and
// !month:1 may.
func (f Filter) match(cell func(field string) (cube.Value, bool)) match {
	some := fails
	for _, tests := range f.Any {
		all := passes
		for i := range tests {
			t := &tests[i] // it is large, and there may be thousands
			switch value, known := cell(t.Column.Name); {
			case !known || t.Members != nil: // only a store knows the labels of members
				all = min(all, mayPass)
			case !t.Admits(value):
				all = fails
			}
		}
		if some = max(some, all); some == passes {
			break
		}
	}
	if f.Not {
		return passes - some
	}
	return some
}

// Admits tells whether a cell passes the test, which is none of Members, as it would in a store.
func (t *Test) Admits(v cube.Value) bool {
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

// mayAdmit tells whether a row with a value in a column may pass, depending on its other cells.
func (f Filter) mayAdmit(column cube.Column, value cube.Value) bool {
	return f.match(func(field string) (cube.Value, bool) { return value, field == column.Name }) != fails
}

// isRange tells whether the test is a range, also one of snapshots, which lists its values.
func (t Test) isRange() bool { return len(t.In) == 0 || !t.From.IsMissing() || !t.To.IsMissing() }

// OnlyOf tells whether the filter tests no other columns than these.
func (f Filter) OnlyOf(columns []cube.Column) bool {
	return len(f.Any) > 0 && !slices.ContainsFunc(f.Any, func(tests []Test) bool {
		return slices.ContainsFunc(tests, func(t Test) bool {
			return !slices.ContainsFunc(columns, func(c cube.Column) bool { return c.Name == t.Column.Name })
		})
	})
}

// Counting is the statement that counts the rows that pass the filters, and the different combinations of some columns in
// them: Result.Count has the combinations, and the one part the rows. Its page has no groups.
func Counting(c *cube.Cube, keys []cube.Column, filters []Filter) *Statement {
	return &Statement{cube: c, keys: keys, filters: filters, parts: []Part{{Func: cube.Rows}}, page: query.Page{Number: 1, Size: 0}}
}

// Resources is the statement whose groups are the resources, by their indexes, that have a row which s counts. A guard leaves
// no row out, since some part counts what it does not admit.
func (s *Statement) Resources() *Statement {
	resources := Counting(s.cube, []cube.Column{{Name: ResourceField, Type: cube.TypeInteger}}, s.filters)
	resources.page = query.Every
	return resources
}

// OfYears is the statement whose groups are the fiscal years of the rows that s counts. It gives false if rows have none.
func (s *Statement) OfYears() (*Statement, bool) {
	column, ok := s.cube.Model.FiscalYear()
	if !ok || s.cube.Coverage == nil {
		return nil, false
	}
	years := Counting(s.cube, []cube.Column{column}, s.filters)
	years.page = query.Every
	return years, true
}

// MembersIn is the statement that counts the members, of the levels that a filter names, that pass this filter alone, and
// their rows.
func (s *selection) MembersIn(f Filter) *Statement {
	var levels []cube.Level
	for _, tests := range f.Any {
		levels = append(levels, each.Found(tests, func(t Test) (cube.Level, bool) { return s.cube.Model.LevelOfKey(t.Column.Name) })...)
	}
	return Counting(s.cube, names{s.cube.Model}.columns(pathsOf(levels)), []Filter{f})
}

// LabelsOf is the statement whose groups are the members of a level that a filter names, with the labels that they have
// under the other filters; those that it leaves out, which may have no rows there, with the labels of the fiscal years that are asked for.
// Its page has at most most of them.
func (s *selection) LabelsOf(level cube.Level, f Filter, most int) *Statement {
	named := f
	named.Not = false
	year, _ := s.cube.Model.FiscalYear()
	filters := slices.DeleteFunc(s.AllFilters(), func(o Filter) bool { return o.text == f.text || f.Not && !o.OnlyOf([]cube.Column{year}) })
	return labelsIn(s.cube, level, append(filters, named), query.Page{Number: 1, Size: most})
}

// ByColumns is the statement for the same parts of the same rows as the cells have, grouped by the columns of keys alone and in their order, with the
// labels of the members that these name.
func (p *Plan) ByColumns(columns []cube.Column) *Statement {
	s := &Statement{cube: p.cube, keys: columns, levels: names{p.cube.Model}.levelsOf(columns), filters: p.filters, guard: p.guard, parts: p.parts,
		aggregates: p.aggregates, page: query.Every}
	for i := range columns {
		s.order = append(s.order, Sort{By: ByKey, Index: i})
	}
	return s
}

// labelsIn is the statement whose groups are the members of a level that pass the filters, with the labels that they have then.
func labelsIn(c *cube.Cube, level cube.Level, filters []Filter, page query.Page) *Statement {
	b := binder{Plan: &Plan{Grouping: Grouping{selection: selection{cube: c}}}, model: names{c.Model}, drilled: []cube.Level{level}}
	b.group()
	_ = b.bindOrder(query.Query{}) // by the keys alone; this cannot fail
	labels := Counting(c, b.keys, filters)
	labels.levels, labels.order, labels.page = b.levels, b.order, page
	return labels
}

// Reads estimates, without asking a store, how many rows the statements of the plan read: of the facts, those of the fiscal years that the
// cuts admit, as if all years had equally many. Where aggregates of numbers answer, ten rows count as one. A cut that searches the names of
// members counts as all rows.
func (p *Plan) Reads() int64 {
	statements := append([]*Statement{p.main}, p.subtotals...)
	if p.comparison != nil {
		statements = append(statements, p.main) // the other side reads about as much
	}
	if p.summary != nil {
		statements = append(statements, p.summary.main)
	}
	for _, f := range p.Financing() {
		statements = append(statements, p.OnlyFinancing(f)...)
	}
	rows := int64(0)
	for _, s := range statements {
		switch {
		case s == nil:
		case s.Needs().Why == "":
			rows += p.cube.Rows / rowsOfNumbers
		default:
			rows += p.cube.Rows
		}
	}
	return p.ofYears(rows) + p.cube.Rows*p.searches()
}

// rowsOfNumbers is how many rows of numbers are read in the time of one row of facts, at least: in memory it is a hundred.
const rowsOfNumbers = 10

// searches counts the cuts that search names of members.
func (s *selection) searches() (count int64) {
	for _, f := range s.AllFilters() {
		if slices.ContainsFunc(slices.Concat(f.Any...), func(t Test) bool { return t.Members != nil && len(t.Members.Substrings) > 0 }) {
			count++
		}
	}
	return count
}

// Reads estimates how many rows are read for a fact plan. The first facts in the order of the files are read alone.
func (p *FactPlan) Reads() int64 {
	if p.counting == nil {
		return p.cube.Rows
	}
	rows := p.counting.ofYears(p.cube.Rows)
	if p.size != query.EveryFact && p.IsInFileOrder() && len(p.filters) == 0 {
		return min(rows, p.skip+int64(p.size))
	}
	return rows
}

// ofYears gives how many of some rows are of the fiscal years that the cuts admit.
func (s *selection) ofYears(rows int64) int64 {
	if s.cube.Coverage == nil || len(s.cube.Coverage.Years) == 0 {
		return rows
	}
	all, admitted := int64(len(s.cube.Coverage.Years)), int64(len(s.Years()))
	return rows * admitted / all
}
