package plan

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/tidy"
)

// Plan is a checked question: every name is resolved and every value typed. It has the statements that a store answers,
// and says what the passes of package answer do with the results. Bind and BindTree make plans; a plan never changes.
type Plan struct {
	Grouping            // of the cells
	nodeHaving []Having // of a tree: the answer has the nodes that meet them, and the nodes above these
	order      []Sort
	asked      int // how many of order the question has; the rest are the keys
	page       query.Page
	question   [][2]string
	text       string

	factFlows []cube.Measure // of a count of facts: FactFlows
	hasCounts bool           // of a count of facts: HasCounts

	unsorted    *Statement   // nil if a store sorts exactly, or a pass sorts anyway
	subtotals   []*Statement // by step; nil if the subtotals are sums of the cells
	summary     *Grouping
	without     []string
	rollup      bool
	top         *Top
	fill        *GapFill
	snapshotKey int // index in keys of the field that names snapshots, or -1
}

// Top keeps the first members of the last step in each group of the step before.
type Top struct {
	Count     int
	Rank      int  // index in Plan.Order of what ranks the members
	Remainder bool // one more row adds up the others
}

// GapFill adds cells where the values of an axis of whole numbers have gaps.
type GapFill struct {
	With query.Fill
	Axis int // index in Plan.Keys
}

// Unsorted is the statement for all cells by their keys, which a pass has to sort, since a store sorts quotients in double
// precision. If there are more cells than the passes accept, the order of Main has to do. It is nil if the store sorts
// exactly.
func (p *Plan) Unsorted() *Statement { return p.unsorted }

// Subtotals has for each step the statement for its subtotals, or nil if these are sums of the cells.
func (p *Plan) Subtotals() []*Statement { return p.subtotals }

// Summary is the grouping that answers the summary if the cells are snapshots of the same money, which cannot be added up. It
// is nil if the cells can.
func (p *Plan) Summary() *Grouping { return p.summary }

// SummaryWithout names the levels of the drilldown that Summary does not have.
func (p *Plan) SummaryWithout() []string { return p.without }

// NodeHaving are the conditions on the nodes of a tree.
func (p *Plan) NodeHaving() []Having { return p.nodeHaving }

// Order is the complete order of the cells.
func (p *Plan) Order() []Sort { return p.order }

// OrderAsked is the part of Order that the question has.
func (p *Plan) OrderAsked() []Sort { return p.order[:p.asked] }

// Page is the part of the cells to return.
func (p *Plan) Page() query.Page { return p.page }

// Rollup tells whether the answer has subtotals before the cells of each step.
func (p *Plan) Rollup() bool { return p.rollup }

// Top is nil if the answer has all members.
func (p *Plan) Top() *Top { return p.top }

// Remainder tells whether rows add up the members that Top leaves out.
func (p *Plan) Remainder() bool { return p.top != nil && p.top.Remainder }

// Fill is nil if gaps are not filled.
func (p *Plan) Fill() *GapFill { return p.fill }

// ParentKeys has for each step how many of the first keys identify the parent of a cell. It is nil without shares of a
// parent.
func (g *Grouping) ParentKeys() []int { return g.parentKeys }

// SnapshotKey is the index in Keys of the field that names snapshots, or -1 if the cells are no snapshots of the same
// money.
func (p *Plan) SnapshotKey() int {
	if p.summary == nil {
		return -1
	}
	return p.snapshotKey
}

// FactFlows are the measures among the fields of facts that add up over snapshots, whose rows are not all among the facts
// of the last one.
func (p *Plan) FactFlows() []cube.Measure { return p.factFlows }

// HasCounts tells whether the plan counts facts of all snapshots that have the column CountsField.
func (p *Plan) HasCounts() bool { return p.hasCounts }

// MayCount tells whether the plan may count a row of which some cells are known, as published, by the names of their fields.
func (p *Plan) MayCount(cells map[string]string) bool {
	known := func(field string) (cube.Value, bool) {
		text, ok := cells[field]
		column, has := p.cube.Model.Column(field)
		if !ok || !has || column.From != nil {
			return cube.Missing, false
		}
		value, err := column.Value(tidy.Label(text))
		return value, err == nil
	}
	return !slices.ContainsFunc(p.AllFilters(), func(f Filter) bool { return f.match(known) == fails })
}

// NeedsAllCells tells whether passes over all cells make the answer. If not, the rows of the store are the answer.
func (p *Plan) NeedsAllCells() bool {
	return p.NeedsAllGroups() || p.rollup || p.top != nil || p.fill != nil || p.parentKeys != nil
}

// Uses tells whether an aggregate has one of the functions.
func (p *Plan) Uses(functions ...cube.Func) bool {
	return slices.ContainsFunc(p.aggregates, func(a Aggregate) bool { return a.Uses(functions...) })
}

// Columns names the columns of an answer: each key, followed by its label if the level has one, then the
// aggregates.
func (p *Plan) Columns() []string {
	return append(p.Attributes(), each.Text(p.aggregates, func(a Aggregate) string { return a.Name })...)
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

// LabelOf gives the index in Levels of the level with the label of a key, or -1 if the key has none.
func (p *Plan) LabelOf(key cube.Column) int {
	return slices.IndexFunc(p.levels, func(l cube.Level) bool { return l.Ref == key.Name && l.LabelRef != "" })
}

// FieldsAsked names the fields of the drilldown and the cuts, each once.
func (p *Plan) FieldsAsked() []string {
	fields := each.Text(p.keys, func(c cube.Column) string { return c.Name })
	for _, f := range p.FiltersAsked() {
		for _, tests := range f.Any {
			for _, t := range tests {
				fields = each.Once(fields, t.Column.Name)
			}
		}
	}
	return fields
}

// Grouping is what the numbers of an answer are made of: which rows are counted, the keys by which they are grouped, what is
// computed for each group, and what a group is compared with. It has the statements for both sides. A plan has one for its
// cells and, if these are snapshots of the same money, another for the summary.
type Grouping struct {
	selection
	keys       []cube.Column
	levels     []cube.Level
	flat       bool // the keys are the fields that the drilldown names (query.Query.Flat)
	steps      []Step
	aggregates []Aggregate
	having     []Having // tested by the store
	postHaving []Having // tested in memory, with all groups
	countsAll  bool     // all snapshots are counted, though some repeat the same money
	manyYears  bool     // a row without a fiscal year adds up several
	yearKey    int      // index of the fiscal year in keys, or -1
	main       *Statement
	comparison *Comparison
	passes     []Pass
	parentKeys []int // by step: how many of the first keys identify the parent of a row; nil without shares of it
}

// Step is a prefix of the drilldown: its last level, and its number of keys.
type Step struct {
	Ref  string
	Keys int
}

// Main is the statement for the groups.
func (g *Grouping) Main() *Statement { return g.main }

// Passes lists the passes that finish what is made of the groups, in order: the answer or, of a summary, the sum over all of them.
func (g *Grouping) Passes() []Pass { return g.passes }

// Keys are the columns to group by, in the order of the answer.
func (g *Grouping) Keys() []cube.Column { return g.keys }

// Levels are the levels whose members the keys name, in the order of the answer. Their paths are among Keys or, in a Flat
// plan, their own keys.
func (g *Grouping) Levels() []cube.Level { return g.levels }

// Flat tells whether the keys are the fields that the drilldown names, without those above them (query.Query.Flat).
func (g *Grouping) Flat() bool { return g.flat }

// Steps lists the prefixes of the drilldown that have keys of their own, the whole of it last.
func (g *Grouping) Steps() []Step { return g.steps }

// Aggregates are the values of a cell, in the order of the answer.
func (g *Grouping) Aggregates() []Aggregate { return g.aggregates }

// Measures are those of the aggregates, each once.
func (g *Grouping) Measures() []cube.Measure {
	var list []cube.Measure
	for _, name := range measuresOf(g.aggregates) {
		measure, _ := g.cube.Model.Measure(name)
		list = append(list, measure)
	}
	return list
}

// Having lists the conditions on cells, whether the store tests them or a pass, sorted by their texts.
func (g *Grouping) Having() []Having {
	list := slices.Concat(g.having, g.postHaving)
	slices.SortFunc(list, func(x, y Having) int { return strings.Compare(x.text, y.text) })
	return list
}

// PostHaving are the conditions that a pass tests, since they need all cells.
func (g *Grouping) PostHaving() []Having { return g.postHaving }

// FiltersShares tells whether a condition is on a share. Then the store tests no condition.
func (g *Grouping) FiltersShares() bool { return slices.ContainsFunc(g.postHaving, Having.isOnShare) }

// Comparison is nil if nothing is compared.
func (g *Grouping) Comparison() *Comparison { return g.comparison }

// CountsAll tells whether every snapshot of the same money is counted (query.AllSnapshots).
func (g *Grouping) CountsAll() bool { return g.countsAll }

func (g *Grouping) keyNamed(field string) int {
	return slices.IndexFunc(g.keys, func(c cube.Column) bool { return c.Name == field })
}

// NeedsAllGroups tells whether the values over all groups are known only from the groups themselves: they are compared, or a
// pass leaves some out. If not, the store computes them.
func (g *Grouping) NeedsAllGroups() bool { return g.comparison != nil || len(g.postHaving) > 0 }

// selection says which rows are counted.
type selection struct {
	cube    *cube.Cube
	filters []Filter // those of the question come first
	guard   *Filter  // the default filter, if it applies to some of the parts alone
	parts   []Part
	periods []cube.Period // with the snapshots that the cuts admit; nil if the model has none
}

// Cube is the version of a package that the question is about.
func (s *selection) Cube() *cube.Cube { return s.cube }

// Periods lists the periods with the snapshots that the cuts admit. It is empty if the package has no snapshots.
func (s *selection) Periods() []cube.Period { return s.periods }

// AllFilters gives the filters and the guard, as an answer repeats them.
func (s *selection) AllFilters() []Filter {
	filters := slices.Clone(s.filters)
	if s.guard != nil {
		filters = append(filters, *s.guard)
	}
	return filters
}

// FiltersAsked gives the filters of the question.
func (s *selection) FiltersAsked() []Filter {
	return slices.DeleteFunc(s.AllFilters(), func(f Filter) bool { return f.Default })
}

// FiltersByDefault gives the filters that Bind added.
func (s *selection) FiltersByDefault() []Filter {
	return slices.DeleteFunc(s.AllFilters(), func(f Filter) bool { return !f.Default })
}

// Admits tells whether the filters of the question let a value of a column pass.
func (s *selection) Admits(column cube.Column, value cube.Value) bool {
	return !slices.ContainsFunc(s.FiltersAsked(), func(f Filter) bool { return !f.mayAdmit(column, value) })
}

// guardBy applies the default filter to all parts but those of measures that add up over snapshots (cube.Measure.Flow). If
// that is all parts, it becomes an ordinary filter.
func (s *selection) guardBy(filter Filter) {
	guarded := 0
	for _, part := range s.parts {
		if !s.isFlow(part.Measure) {
			guarded++
		}
	}
	switch guarded {
	case 0:
	case len(s.parts):
		s.filters = append(s.filters, filter)
	default:
		s.guard = &filter
		for i := range s.parts {
			s.parts[i].Guarded = !s.isFlow(s.parts[i].Measure)
		}
	}
}

func (s *selection) isFlow(measure string) bool {
	m, _ := s.cube.Model.Measure(measure)
	return m.Flow
}
