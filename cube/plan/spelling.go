package plan

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/query"
)

// A cut on labels takes them to the letter. Where one of two years writes a label in another way and under another code, the same
// cut admits the member in one of them alone: the amount would be called new or gone, which it is not.

// LabelCut is a cut on labels in one of two years that are compared.
type LabelCut struct {
	Year    int64 // of this side, which the cut is compared for
	Here    int64 // the year of this cut: Year, or that of the other side
	Named   []NamedMember
	cube    *cube.Cube
	axis    cube.Column
	filter  Filter
	filters []Filter // of its side, without filter
}

// LabelCuts gives the cuts on labels in each pair of years that are compared, first those of this side, then those of the other.
func (g *Grouping) LabelCuts() (pairs [][2]LabelCut) {
	c := g.comparison
	if c == nil || c.Earlier == nil || !c.Axis.FiscalYear || g.cube.LabelHistory == nil {
		return nil
	}
	for _, f := range g.FiltersAsked() {
		if !namesLabels(f, c.Axis) {
			continue
		}
		for _, year := range g.Years() {
			there := year + c.Offset
			if !slices.Contains(g.cube.Coverage.Years, there) {
				continue
			}
			pairs = append(pairs, [2]LabelCut{c.labelCut(f, g.main, year, year), c.labelCut(f, c.Earlier, year, there)})
		}
	}
	return pairs
}

// namesLabels tells whether a filter names whole labels of a level that does not belong to the years.
func namesLabels(f Filter, year cube.Column) bool {
	return slices.ContainsFunc(f.Any, func(tests []Test) bool {
		m := tests[0].Members
		return m != nil && len(m.Labels) > 0 && !slices.ContainsFunc(m.Path, func(column cube.Column) bool { return column.Name == year.Name })
	})
}

func (c *Comparison) labelCut(f Filter, side *Statement, year, here int64) LabelCut {
	cut := LabelCut{Year: year, Here: here, cube: side.cube, axis: c.Axis}
	for _, other := range side.filters {
		if other.Not == f.Not && other.canonical() == f.canonical() {
			cut.filter = other // with the years of its side
		} else {
			cut.filters = append(cut.filters, other)
		}
	}
	for _, tests := range f.Any {
		if m := tests[0].Members; m != nil {
			for _, label := range m.Labels {
				cut.Named = append(cut.Named, NamedMember{Level: m.Level, By: ByLabelText, Text: label, Years: []Filter{cut.inYear()}})
			}
		}
	}
	return cut
}

func (l *LabelCut) inYear() Filter {
	f := Filter{Ref: l.axis.Name}
	f.addExact(l.axis, []cube.Value{cube.Integer(l.Here)})
	f.text = f.canonical()
	return f
}

// Similar gives statements for members with rows of the year whose labels contain some of the labels, ignoring case and accents,
// and which the cut does not name.
func (l *LabelCut) Similar(labels []string) (statements []*Statement) {
	labels = slices.DeleteFunc(slices.Clone(labels), func(label string) bool { return label == "" })
	others := Filter{Ref: l.filter.Ref, Not: true, Any: l.filter.Any}
	inYear, level := l.inYear(), l.Named[0].Level
	for some := range slices.Chunk(labels, maxCutTexts) {
		path := names{l.cube.Model}.columns(level.Path)
		test := target{cubeID: l.cube.ID, level: level, path: path}.members(MemberTest{Substrings: some, Year: l.axis, Years: []Filter{inYear}})
		similar := Filter{Ref: l.filter.Ref, Any: [][]Test{{test}}}
		statements = append(statements, labelsIn(l.cube, level, append(slices.Clone(l.filters), inYear, others, similar), query.Every))
	}
	return statements
}
