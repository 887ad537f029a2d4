package plan

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/query"
)

// NotInLast asks for the lines of a plan's rows that are in an earlier snapshot of their period and not in the last one that the cuts
// admit, which alone is counted: no amount has their money. A line is what the levels tell apart that are neither of time nor below the
// snapshot, as in the load's own check of the snapshots.
type NotInLast struct {
	plan  *Plan
	lines []cube.Column // the columns of the period, and the keys that tell lines apart
	Level cube.Level    // names a line: the deepest one with labels, or else the deepest
}

// NotInLast is nil where the plan counts every snapshot that the cuts admit, and where no level tells lines apart.
func (p *Plan) NotInLast() *NotInLast {
	h := names{p.cube.Model}.reported()
	if h == nil || p.countsAll || !p.HasSeveralSnapshots() {
		return nil
	}
	n := &NotInLast{plan: p, lines: slices.Clone(h.Columns[:len(h.Columns)-1])}
	var levels []cube.Level
	for _, level := range p.cube.Model.Levels() {
		dimension, _ := p.cube.Model.Dimension(level.Dimension)
		column, _ := p.cube.Model.Column(level.Ref)
		if dimension.Type != cube.DimensionTime && !slices.Contains(level.Path, h.By().Name) && h.indexOf(column) < 0 {
			levels = append(levels, level)
		}
	}
	if len(levels) == 0 {
		return nil
	}
	n.Level = slices.MaxFunc(levels, func(x, y cube.Level) int {
		switch {
		case x.HasLabels() && !y.HasLabels():
			return 1
		case y.HasLabels() && !x.HasLabels():
			return -1
		}
		return cmp.Compare(len(x.Path), len(y.Path))
	})
	for _, column := range (names{p.cube.Model}).columns(pathsOf(levels)) {
		if !slices.ContainsFunc(n.lines, func(c cube.Column) bool { return c.Name == column.Name }) {
			n.lines = append(n.lines, column)
		}
	}
	return n
}

// Lines is the statement whose groups are the lines. Its page has at most most of them.
func (n *NotInLast) Lines(most int) *Statement {
	last := names{n.plan.cube.Model}.reported().lastSnapshot(n.plan.periods)
	s := Counting(n.plan.cube, n.lines, n.plan.FiltersAsked())
	s.parts[0].Guarded, s.guard = true, &last
	s.having = []Having{{Num: []Term{{Factor: decimal.NewFromInt(1)}}, Op: query.Equal}}
	s.page = query.Page{Number: 1, Size: most}
	return s
}

// Amounts is the statement whose groups are the snapshots of some lines, with the sum of a measure in each. Their first keys are those of
// the period, and the last is that of the snapshot.
func (n *NotInLast) Amounts(lines []Group, measure string) *Statement {
	only := Filter{}
	for _, line := range lines {
		var tests []Test
		for i, key := range n.lines {
			tests = append(tests, Test{Column: key, In: []cube.Value{line.Keys[i]}})
		}
		only.Any = append(only.Any, tests)
	}
	by := n.plan.cube.Model.History().By()
	s := Counting(n.plan.cube, append(slices.Clone(n.lines), by), append(n.plan.FiltersAsked(), only))
	s.parts, s.page = []Part{{Func: cube.Sum, Measure: measure}}, query.Every
	if n.Level.HasLabels() {
		s.levels = []cube.Level{n.Level}
	}
	return s
}
