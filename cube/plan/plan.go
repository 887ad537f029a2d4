package plan

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/query"
)

// Plan is a question whose every name is resolved and every value typed, with the statements that a store answers for
// it and what the passes of package answer do with these. Bind and BindTree make plans; they are never changed.
type Plan struct {
	selection
	keys       []cube.Column
	levels     []cube.Level
	steps      []Step
	aggregates []Aggregate
	having     []Having // tested by the store
	postHaving []Having // tested when all cells are there
	nodeHaving []Having // of a tree: a node is shown that meets them, and so is each above one
	order      []Sort
	asked      int // how many of order were asked for; the rest are the keys
	page       query.Page
	question   [][2]string
	text       string

	countsAll bool // all snapshots are counted, though some state the same money
	manyYears bool // a row without the fiscal year adds several up
	yearKey   int  // among keys, or -1

	main        *Statement
	subtotals   []*Statement // by step, where the subtotals cannot be added up from cells; else nil
	summary     *Plan
	without     []string
	rollup      bool
	top         *Top
	fill        *GapFill
	comparison  *Comparison
	parentKeys  []int // by step: how many of its cells' first keys are those of their parent; nil: none is asked
	snapshotKey int   // among the keys: what tells snapshots of the same money apart, or -1
}

// Step is a prefix of the drilldown: the level that it drills last, and how many keys it has.
type Step struct {
	Ref  string
	Keys int
}

// Top keeps the first members of the last step within each group of the steps before.
type Top struct {
	Count     int
	Rank      int  // among Plan.Order: what the members are ranked by
	Remainder bool // the others are added up in one more row
}

// GapFill adds cells where the values of an axis of whole numbers have gaps.
type GapFill struct {
	With query.Fill
	Axis int // among Plan.Keys
}

// Main is the statement whose groups become the cells.
func (p *Plan) Main() *Statement { return p.main }

// Subtotals has for each step the statement of its subtotals, or nil where these are sums of the cells.
func (p *Plan) Subtotals() []*Statement { return p.subtotals }

// Summary is the question whose summary is that of the whole answer, where the cells are snapshots of the same money
// and cannot be added up. Its page has no cells. It is nil where the plan has its own summary.
func (p *Plan) Summary() *Plan { return p.summary }

// SummaryWithout names the levels that Summary does not drill.
func (p *Plan) SummaryWithout() []string { return p.without }

// Keys are the columns to group by, in the order of the answer.
func (p *Plan) Keys() []cube.Column { return p.keys }

// Levels are the levels whose members the keys name, in the order of the answer. Their paths are among Keys.
func (p *Plan) Levels() []cube.Level { return p.levels }

// Steps lists the prefixes of the drilldown that have keys of their own, the whole of it last.
func (p *Plan) Steps() []Step { return p.steps }

// Aggregates are the values of a cell, in the order of the answer.
func (p *Plan) Aggregates() []Aggregate { return p.aggregates }

// Measures are those that the aggregates are of, each once.
func (p *Plan) Measures() []cube.Measure {
	var list []cube.Measure
	for _, name := range measuresOf(p.aggregates) {
		measure, _ := p.cube.Model.Measure(name)
		list = append(list, measure)
	}
	return list
}

// Having lists what is asked of the cells, whoever tests it.
func (p *Plan) Having() []Having { return sortedHaving(slices.Concat(p.having, p.postHaving)) }

// PostHaving are the conditions that are tested when all cells are there.
func (p *Plan) PostHaving() []Having { return p.postHaving }

// NodeHaving are the conditions on the nodes of a tree.
func (p *Plan) NodeHaving() []Having { return p.nodeHaving }

// FiltersShares tells whether a condition is on a share; then no store tests any.
func (p *Plan) FiltersShares() bool { return slices.ContainsFunc(p.postHaving, Having.isOnShare) }

// Order is the complete order of the cells.
func (p *Plan) Order() []Sort { return p.order }

// OrderAsked is the part of Order that was asked for.
func (p *Plan) OrderAsked() []Sort { return p.order[:p.asked] }

// Page is the part of the cells to return.
func (p *Plan) Page() query.Page { return p.page }

// Rollup tells whether cells are preceded by the subtotals of the steps they belong to.
func (p *Plan) Rollup() bool { return p.rollup }

// Top is nil where all members are kept.
func (p *Plan) Top() *Top { return p.top }

// Remainder tells whether there may be rows that add up what Top leaves out.
func (p *Plan) Remainder() bool { return p.top != nil && p.top.Remainder }

// Fill is nil where gaps stay.
func (p *Plan) Fill() *GapFill { return p.fill }

// Comparison is nil where the cells are compared with nothing.
func (p *Plan) Comparison() *Comparison { return p.comparison }

// ParentKeys has for each step how many of its cells' first keys are those of their parent, where shares of a parent
// are asked; else it is nil.
func (p *Plan) ParentKeys() []int { return p.parentKeys }

// SnapshotKey is the place among the keys of what tells snapshots of the same money apart, or -1 where no cells do.
func (p *Plan) SnapshotKey() int {
	if p.summary == nil {
		return -1
	}
	return p.snapshotKey
}

// CountsAll tells whether every snapshot of the same money is counted (query.AllSnapshots).
func (p *Plan) CountsAll() bool { return p.countsAll }

// IsFinishedInMemory tells whether passes over all cells make the answer. Else it is what the store answers.
func (p *Plan) IsFinishedInMemory() bool {
	return p.rollup || p.top != nil || p.fill != nil || p.comparison != nil || p.parentKeys != nil || len(p.postHaving) > 0
}

// Uses tells whether a formula of one of the functions is asked.
func (p *Plan) Uses(functions ...cube.Func) bool {
	return slices.ContainsFunc(p.aggregates, func(a Aggregate) bool { return a.Uses(functions...) })
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
func (p *Plan) LabelOf(key cube.Column) int {
	return slices.IndexFunc(p.levels, func(l cube.Level) bool { return l.Ref == key.Name && l.LabelRef != "" })
}

func (p *Plan) keyNamed(field string) int {
	return slices.IndexFunc(p.keys, func(c cube.Column) bool { return c.Name == field })
}

// FieldsAsked names the fields that are drilled or cut, each once: the keys, then the others by the order of the cuts.
func (p *Plan) FieldsAsked() []string {
	fields := cube.Texts(p.keys, func(c cube.Column) string { return c.Name })
	for _, f := range p.FiltersAsked() {
		for _, tests := range f.Any {
			for _, t := range tests {
				if !slices.Contains(fields, t.Column.Name) {
					fields = append(fields, t.Column.Name)
				}
			}
		}
	}
	return fields
}

// selection says which rows are counted.
type selection struct {
	cube    *cube.Cube
	filters []Filter // those that were asked for come first
	guard   *Filter  // the default filter, where only some parts are under it
	parts   []Part
	periods []cube.Period // with the snapshots that the cuts admit; nil where the model has none
}

// Cube is the version of a package that is asked.
func (s *selection) Cube() *cube.Cube { return s.cube }

// Periods are those of which the cuts admit snapshots, with these; none where the package has no snapshots.
func (s *selection) Periods() []cube.Period { return s.periods }

// AllFilters gives the filters and the guard: what an answer repeats.
func (s *selection) AllFilters() []Filter {
	filters := slices.Clone(s.filters)
	if s.guard != nil {
		filters = append(filters, *s.guard)
	}
	return filters
}

// FiltersAsked gives the filters that were asked for.
func (s *selection) FiltersAsked() []Filter {
	return slices.DeleteFunc(s.AllFilters(), func(f Filter) bool { return f.Default })
}

// FiltersByDefault gives the filters that nobody asked for.
func (s *selection) FiltersByDefault() []Filter {
	return slices.DeleteFunc(s.AllFilters(), func(f Filter) bool { return !f.Default })
}

// Admits tells whether the cuts that were asked let a value of a column pass.
func (s *selection) Admits(column cube.Column, value cube.Value) bool {
	return !slices.ContainsFunc(s.FiltersAsked(), func(f Filter) bool { return !f.mayAdmit(column, value) })
}

// guardBy applies the default filter: to all rows, or where measures are asked that add up over snapshots
// (cube.Measure.Flow) to the other parts alone.
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
