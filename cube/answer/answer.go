package answer

import (
	"context"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
)

// Answer is a whole answer: the summary over all cells, the cells of the page, and what a reader should keep in mind.
type Answer struct {
	Plan     *plan.Plan
	Summary  Summary
	Cells    []Cell
	Warnings []cube.Warning
	seen     prose.Seen
	hasGone  bool // some row, on any page, is gone: the answer is not empty though no row passes the cuts
}

// Summary has the number of cells on all pages, and the values over all of them.
type Summary struct {
	Count  int64
	Values []decimal.NullDecimal // one for each of Plan.Aggregates
}

// Cell is one row of an answer.
type Cell struct {
	Keys   []cube.Value          // one for each of Plan.Keys; a subtotal has the first of them
	Labels []cube.Value          // one for each of Plan.Levels; missing if a member has none
	Values []decimal.NullDecimal // one for each of Plan.Aggregates
	Level  string                // in a rollup: the level of its last key
	Others int64                 // of a remainder: how many members it adds up; 0 of any other cell
	Change Change                // whether the cell is on one side of the comparison alone
}

// Change says that only one side of a comparison has the cell.
type Change string

// The changes. A cell that both sides have has no change.
const (
	ChangeNew  Change = "new"
	ChangeGone Change = "gone"
)

// Run answers a plan: the store answers the statements, and the passes of the plan finish the answer, in order.
func Run(ctx context.Context, s Store, p *plan.Plan, l cube.Language) (*Answer, error) {
	t, err := fetch(ctx, s, p)
	if err != nil {
		return nil, err
	}
	return t.finish(ctx, s, l)
}

// finish runs the passes of the plan.
func (t *table) finish(ctx context.Context, s Store, l cube.Language) (*Answer, error) {
	for _, pass := range t.plan.Passes() {
		if err := t.run(ctx, s, pass, l); err != nil {
			return nil, err
		}
	}
	return t.answer, nil
}

// run runs one pass. The rules of each are listed above it.
func (t *table) run(ctx context.Context, s Store, pass plan.Pass, l cube.Language) error {
	switch pass {
	case plan.PassPair:
		t.pair()
	case plan.PassFill:
		return t.fill(ctx)
	case plan.PassFilter:
		t.filter()
	case plan.PassTotal:
		t.total()
	case plan.PassRank:
		t.rank()
	case plan.PassPage:
		t.answer = t.page()
	case plan.PassSummarize:
		return t.summarize(ctx, s)
	case plan.PassWarn:
		return t.answer.warn(ctx, s, t.hasRows, l)
	}
	return nil
}

// table is what the passes work on.
type table struct {
	plan      *plan.Plan
	grouping  *plan.Grouping // of the rows: that of the cells, or of the summary
	rows      []*row
	hasAll    bool                      // rows has the rows of all pages, for the passes in memory
	hasRows   bool                      // rows are known to pass the filters
	count     int64                     // the number of groups on all pages
	all       *basis                    // of all rows; shares divide by it
	kept      *basis                    // of the rows that having keeps
	divisor   []*row                    // the rows that shares divide by: also those that having left out; set by filter or total
	before    []*row                    // the rows of the earlier side
	beforeBy  map[string]*row           // the same by their keys
	unplaced  map[*row]bool             // those of before with members that are not known to be the same as any of this side
	within    map[int]map[string][]*row // the rows before, by the first keys of the rows that are compared with them
	labels    *labels                   // of members in the rows of the store
	subtotals []map[string]*row         // by step and keys, from the store
	parents   map[int]map[string]*basis
	breaks    *plan.CrossedBreaks
	seen      prose.Seen
	hasGone   bool
	answer    *Answer // made by page
}
