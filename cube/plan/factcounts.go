package plan

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/internal/each"
)

// CountsField is a column of facts of all snapshots, if some amounts among the fields add up over snapshots (cube.Measure.Flow)
// and others do not: the fields, joined by |, whose answers count the fact. A fact of an earlier snapshot counts for the
// former alone. With it the facts behind a cell of both kinds add up to each of its amounts.
const CountsField = "_counts"

// factCounts tells for which measures answers count a fact.
type factCounts struct {
	columns     []int // of FactStatement.Columns: those that name a snapshot and its period
	last        map[string]bool
	flows, both cube.Value
}

// bindCounts adds the columns that the column CountsField needs, if there is one.
func (p *FactPlan) bindCounts() {
	h, flows := names{p.cube.Model}.history(), flowsAmong(p.cube.Model, p.Fields())
	if h == nil || !p.counting.countsAll || len(flows) == 0 || areFlows(p.cube.Model, p.Fields()) {
		return
	}
	p.counting.hasCounts = true
	c := &factCounts{last: map[string]bool{}, flows: measuresText(flows), both: measuresText(measuresAmong(p.cube.Model, p.Fields()))}
	for _, column := range h.Columns {
		if p.columnIndex(column.Name) < 0 {
			p.columns = append(p.columns, column)
		}
		c.columns = append(c.columns, p.columnIndex(column.Name))
	}
	for _, period := range p.counting.periods {
		c.last[KeysID(append(slices.Clone(period.Key), period.Last().Value))] = true
	}
	p.counts = c
}

// HasCounts tells whether the facts have the column CountsField.
func (p *FactPlan) HasCounts() bool { return p.counts != nil }

// Counts gives the cell of a fact in the column CountsField.
func (p *FactPlan) Counts(f Fact) cube.Value {
	keys := make([]cube.Value, len(p.counts.columns))
	for i, column := range p.counts.columns {
		keys[i] = f.Values[column].Value
	}
	if p.counts.last[KeysID(keys)] {
		return p.counts.both
	}
	return p.counts.flows
}

// measuresAmong gives the measures among the columns.
func measuresAmong(m *cube.Model, columns []cube.Column) (list []cube.Measure) {
	for _, column := range columns {
		if measure, ok := m.Measure(column.Name); ok {
			list = append(list, measure)
		}
	}
	return list
}

// flowsAmong gives those of them that add up over snapshots.
func flowsAmong(m *cube.Model, columns []cube.Column) []cube.Measure {
	return slices.DeleteFunc(measuresAmong(m, columns), func(measure cube.Measure) bool { return !measure.Flow })
}

// areFlows tells whether there are measures among the columns, and all of them add up over snapshots.
func areFlows(m *cube.Model, columns []cube.Column) bool {
	all, flows := measuresAmong(m, columns), flowsAmong(m, columns)
	return len(all) > 0 && len(all) == len(flows)
}

func measuresText(list []cube.Measure) cube.Value {
	return cube.Text(strings.Join(each.Text(list, func(m cube.Measure) string { return m.Ref }), "|"))
}
