package answer

import (
	"context"
	"iter"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
)

// Stream is an answer whose cells come one by one. Close frees everything.
type Stream struct {
	Answer                        // without its Cells
	All    iter.Seq2[Cell, error] // the cells of the page, in order; they can be read once
	Close  func()
}

// Open answers a plan as Run does, but holds no cells in memory unless the passes need them all, which then are at most
// query.MaxPageSize. Without the cells it warns of the names that change of all members which the plan admits.
func Open(ctx context.Context, s Store, p *plan.Plan, l cube.Language) (*Stream, error) {
	if p.NeedsAllCells() {
		return opened(Run(ctx, s, p, l))
	}
	t, err := fetchUnsorted(ctx, s, p)
	if err != nil {
		return nil, err
	}
	if t != nil {
		return opened(t.finish(ctx, s, l))
	}
	var summary []decimal.NullDecimal
	if p.Summary() != nil {
		if summary, err = summaryValues(ctx, s, p, l); err != nil {
			return nil, err
		}
	}
	// The warnings are asked before the cells, since a store may have one connection for all. A guard may admit no row of
	// the cells, which their count does not show.
	asked := caveat.Evidence{Plan: p}
	if err := ask(ctx, s, &asked, false, p.Main().Guard() != nil); err != nil {
		return nil, err
	}
	breaks, err := withRows(ctx, s, p.LabelBreaks(), true)
	if err != nil {
		return nil, err
	}
	rows, err := s.Cells(ctx, p.Main())
	if err != nil {
		return nil, err
	}
	toClose := rows.Close
	defer func() { toClose() }() // unless the stream takes it over
	t = &table{plan: p, grouping: &p.Grouping}
	t.begin(collected{count: rows.Count, total: rows.Total})
	a := t.page()
	if summary != nil {
		a.Summary.Values = summary
	}
	if !t.hasRows && a.isEmpty() && len(asked.Missing)+len(asked.Nothing) == 0 && len(p.FiltersAsked()) > 0 {
		rows.Close() // Run finds out whether the cuts are the reason
		toClose = func() {}
		return opened(Run(ctx, s, p, l))
	}
	asked.Breaks, asked.NoRemainder, asked.SortedByDouble = breaks.OfAll(), a.evidence.NoRemainder, a.evidence.SortedByDouble
	a.evidence = asked
	a.tell(l)
	toClose = func() {}
	return &Stream{*a, t.cells(rows.Groups), rows.Close}, nil
}

// cells makes cells of groups as they come.
func (t *table) cells(groups iter.Seq2[plan.Group, error]) iter.Seq2[Cell, error] {
	return func(yield func(Cell, error) bool) {
		for g, err := range groups {
			if err != nil {
				yield(Cell{}, err)
				return
			}
			r := row{Group: g, basis: basis{parts: g.Parts}}
			t.setDivisors(&r)
			if !yield(t.cell(&r, t.values(&r.basis)), nil) {
				return
			}
		}
	}
}

// opened streams the cells of a whole answer.
func opened(a *Answer, err error) (*Stream, error) {
	if err != nil {
		return nil, err
	}
	return &Stream{Answer: *a, Close: func() {}, All: func(yield func(Cell, error) bool) {
		for _, c := range a.Cells {
			if !yield(c, nil) {
				return
			}
		}
	}}, nil
}
