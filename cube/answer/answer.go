package answer

import (
	"context"
	"slices"

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

// Run answers a plan. It runs these passes over all rows; a pass that the plan does not ask for does nothing:
//
//  1. fetch      the store answers the statements
//  2. pair       each row gets the earlier row that it is compared with
//  3. fill       new rows fill the gaps of an axis
//  4. filter     the conditions that no store can test leave out rows
//  5. total      the rows are added up, all together and by parent
//  6. rank       rows are sorted; top keeps the first of each group, rollup puts subtotals before their rows
//  7. page       the rows of the page become cells
//  8. summarize  if cells are snapshots of the same money, another plan answers the summary
//  9. warn       the warnings, in the language asked for
func Run(ctx context.Context, s Store, p *plan.Plan, l cube.Language) (*Answer, error) {
	t, err := fetch(ctx, s, p)
	if err != nil {
		return nil, err
	}
	return t.answer(ctx, s, l)
}

// answer runs the passes after fetch.
func (t *table) answer(ctx context.Context, s Store, l cube.Language) (*Answer, error) {
	if t.hasAll {
		t.pair()
		if err := t.fill(ctx); err != nil {
			return nil, err
		}
		t.filter()
		t.hasGone = slices.ContainsFunc(t.rows, func(r *row) bool { return r.state == isGone })
		t.total()
		t.rank()
	}
	a := t.page()
	summary, err := summaryValues(ctx, s, t.plan, l)
	if err != nil {
		return nil, err
	}
	if summary != nil {
		a.Summary.Values = summary
	}
	if err := a.warn(ctx, s, t.hasRows, l); err != nil {
		return nil, err
	}
	return a, nil
}

// table is what the passes work on.
type table struct {
	plan      *plan.Plan
	rows      []*row
	hasAll    bool                      // rows has the rows of all pages, for the passes in memory
	hasRows   bool                      // rows are known to pass the filters
	count     int64                     // the number of groups on all pages
	all       *basis                    // of all rows; shares divide by it
	kept      *basis                    // of the rows that having keeps
	divisor   []*row                    // the rows that shares divide by: also those that having left out
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
}
