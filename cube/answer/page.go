package answer

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// page makes cells of rows:
//
//  1. If the passes have all rows, the cells are those of the page asked. Otherwise the store has given that page alone.
//  2. The summary is over the rows of all pages that having keeps. It counts every row, subtotals and remainders too.
//  3. A cell is new or gone if only one side of a comparison has it. A row that adds up others is neither, nor is one
//     whose code means different things on the two sides.
//  4. The breaks in the names of members (plan.CrossedBreaks) are those that cells of the page cross. The summary crosses those of
//     members that a cut names too, even if the page has no cell.
func (t *table) page() *Answer {
	a := &Answer{Plan: t.plan, Summary: Summary{t.count, t.values(t.kept)}, evidence: t.evidence, breaks: t.breaks, hasGone: t.hasGone}
	a.evidence.Plan = t.plan
	rows := t.rows
	a.evidence.SortedByDouble = t.plan.Unsorted() != nil && !t.hasAll
	if t.hasAll {
		a.Summary.Count = int64(len(rows))
		a.evidence.NoRemainder = !slices.ContainsFunc(rows, func(r *row) bool { return r.kind == remainder })
		if page := t.plan.Page(); page.Size >= 0 {
			from := min(int64(len(rows)), int64(page.Number-1)*int64(page.Size))
			rows = rows[from:min(int64(len(rows)), from+int64(page.Size))]
		}
	}
	a.Cells = make([]Cell, len(rows))
	n := len(t.grouping.Aggregates())
	values := make([]decimal.NullDecimal, n*len(rows)) // of all cells
	for i, r := range rows {
		a.Cells[i] = t.cell(r, t.appendValues(values[i*n:i*n:(i+1)*n], &r.basis))
	}
	a.evidence.Breaks = t.breaks.OfRows(func(yield func([]cube.Value) bool) {
		for _, cell := range a.Cells {
			if cell.Others == 0 && !yield(cell.Keys) { // a remainder names no member
				return
			}
		}
	})
	return a
}

func (t *table) cell(r *row, values []decimal.NullDecimal) Cell {
	c := Cell{Keys: r.Keys, Labels: r.Labels, Values: values, Others: r.others}
	switch {
	case r.kind == subtotal || r.kind == remainder || r.years.recoded:
	case r.state == isNew:
		c.Change = ChangeNew
	case r.state == isGone:
		c.Change = ChangeGone
	}
	if step := t.step(r); t.plan.Rollup() && step >= 0 {
		c.Level = t.plan.Steps()[step].Ref
	}
	return c
}
