package answer

import (
	"context"
	"math"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Answer is a whole answer: the summary over all cells, the cells of the page, and what a reader should keep in mind.
type Answer struct {
	Plan     *plan.Plan
	Summary  Summary
	Cells    []Cell
	Caveats  []caveat.Caveat
	Warnings []cube.Warning // their texts
	evidence caveat.Evidence
	breaks   *plan.CrossedBreaks // that its rows may cross
	hasGone  bool                // some row, on any page, is gone: the answer is not empty though no row passes the cuts
}

// ReusedBetween gives the breaks between two years from which on the codes that the cuts, or the keys of a cell, name mean another
// thing (plan.CrossedBreaks). A cell with such a break is not to be compared between the two years, whichever of them the answer is of.
func (a *Answer) ReusedBetween(year, other int64, keys []cube.Value) []cube.LabelBreak {
	if a.Plan.LabelBreaks() == nil { // none are looked for in a single year
		return a.Plan.AnyLabelBreaks().ReusedBetween(year, other, keys)
	}
	return a.breaks.ReusedBetween(year, other, keys)
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

// finish runs the passes that make the answer.
func (t *table) finish(ctx context.Context, s Store, l cube.Language) (*Answer, error) {
	if err := t.run(ctx, s, l); err != nil {
		return nil, err
	}
	return t.answer, nil
}

// run runs the passes of the grouping. The rules of each are listed above it.
func (t *table) run(ctx context.Context, s Store, l cube.Language) error {
	for _, pass := range t.grouping.Passes() {
		err := context.Cause(ctx) // a pass in memory does not look at it
		if err != nil {
			return err
		}
		switch pass {
		case plan.PassWithhold:
			err = t.withhold(ctx, s)
		case plan.PassPair:
			t.pair()
		case plan.PassFill:
			err = t.fill(ctx)
		case plan.PassCompare:
			t.compare()
		case plan.PassFilter:
			t.filter()
		case plan.PassTotal:
			t.total()
		case plan.PassRank:
			t.rank()
		case plan.PassPage:
			t.answer = t.page()
		case plan.PassSummarize:
			err = t.summarize(ctx, s, l)
		case plan.PassWarn:
			err = t.answer.warn(ctx, s, t.hasRows, l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// table is what the passes work on.
type table struct {
	plan      *plan.Plan
	grouping  *plan.Grouping // of the rows: that of the cells, or of the summary
	rows      []*row
	hasAll    bool                              // rows has the rows of all pages, for the passes in memory
	hasRows   bool                              // rows are known to pass the filters
	count     int64                             // the number of groups on all pages
	all       *basis                            // of all rows; shares divide by it
	kept      *basis                            // of the rows that having keeps
	divisor   []*row                            // the rows that shares divide by: also those that having left out; set by filter or total
	before    []*row                            // the rows of the earlier side
	beforeBy  map[string]*row                   // the same by their keys
	withheld  map[int64]plan.WithoutCounterpart // the years that write a label of a cut in another way; set by withhold
	matched   map[string]bool                   // the points with a counterpart; set by pair
	within    map[int]map[string][]*row         // the rows before, by the first keys of the rows that are compared with them
	labels    *labels                           // of members in the rows of the store
	subtotals []map[string]*row                 // by step and keys, from the store
	parents   map[int]map[string]*basis
	breaks    *plan.CrossedBreaks
	evidence  caveat.Evidence
	hasGone   bool
	answer    *Answer // made by page
}

// fetch lets the store answer the statements of a plan:
//
//  1. The passes need all rows, so fetch refuses a plan with more than query.MaxPageSize.
//  2. An order that a store does not sort exactly is left to rank, which needs all rows too. If there are too many, the page
//     has the order of the store, and a warning says so.
//  3. The other side of a comparison, and subtotals that no sum of rows gives, are statements of their own.
//  4. A result is closed before the next statement is asked, since a store may have one connection for all.
func fetch(ctx context.Context, s Store, p *plan.Plan) (*table, error) {
	if t, err := fetchUnsorted(ctx, s, p); t != nil || err != nil {
		return t, err
	}
	t := &table{plan: p, grouping: &p.Grouping, breaks: p.LabelBreaks(), hasAll: p.NeedsAllCells()}
	if err := t.fetchRows(ctx, s); err != nil || !t.hasAll {
		return t, err
	}
	t.subtotals = make([]map[string]*row, len(p.Subtotals()))
	for i, statement := range p.Subtotals() {
		if statement == nil {
			continue
		}
		subtotals, err := t.fetchAll(ctx, s, statement)
		if err != nil {
			return nil, err
		}
		t.subtotals[i] = map[string]*row{}
		for _, r := range subtotals {
			t.subtotals[i][plan.KeysID(r.Keys)] = r
		}
	}
	return t, nil
}

// fetchRows fetches the rows of the grouping and, if the passes need all of them, those of the other side of a comparison.
func (t *table) fetchRows(ctx context.Context, s Store) (err error) {
	if t.breaks, err = withRows(ctx, s, t.breaks, false); err != nil {
		return err
	}
	main, err := collect(ctx, s, t.grouping.Main(), anyNumber)
	if err != nil {
		return err
	}
	t.begin(main)
	if t.rows, err = t.rowsOf(main); err != nil || !t.hasAll {
		return err
	}
	t.labels = newLabels(t.grouping, t.rows)
	if earlier := earlierOf(t.grouping); earlier != nil {
		t.before, err = t.fetchAll(ctx, s, earlier)
	}
	return err
}

// fetchUnsorted fetches all rows for an order that only rank sorts exactly. It gives nil if a store sorts them exactly, or if
// there are too many.
func fetchUnsorted(ctx context.Context, s Store, p *plan.Plan) (*table, error) {
	if p.Unsorted() == nil {
		return nil, nil
	}
	all, err := collect(ctx, s, p.Unsorted(), plan.MostSorted)
	if err != nil || all.count > plan.MostSorted {
		return nil, err
	}
	t := &table{plan: p, grouping: &p.Grouping}
	if t.breaks, err = withRows(ctx, s, p.LabelBreaks(), false); err != nil {
		return nil, err
	}
	t.begin(all)
	if t.rows, err = t.rowsOf(all); err != nil {
		return nil, err
	}
	t.hasAll = true
	t.labels = newLabels(t.grouping, t.rows)
	return t, nil
}

// withRows leaves out the breaks of members that have no rows (plan.CrossedBreaks.WithRows).
func withRows(ctx context.Context, s Store, breaks *plan.CrossedBreaks, forAll bool) (*plan.CrossedBreaks, error) {
	return breaks.WithRows(forAll, func(statement *plan.Statement) ([]plan.Group, error) {
		members, err := collect(ctx, s, statement, anyNumber)
		return members.groups, err
	})
}

// begin takes the count and the totals of a result.
func (t *table) begin(c collected) {
	t.count = c.count
	t.all = &basis{parts: c.total, years: t.yearsOf(nil)}
	t.all.total, t.all.parent, t.kept = t.all, t.all, t.all
	hasAmount := slices.ContainsFunc(c.total, func(n decimal.NullDecimal) bool { return n.Valid && !n.Decimal.IsZero() })
	t.hasRows = c.count > 0 && (len(t.grouping.Keys()) > 0 || hasAmount) && t.grouping.Main().Guard() == nil
}

func (t *table) fetchAll(ctx context.Context, s Store, statement *plan.Statement) ([]*row, error) {
	all, err := collect(ctx, s, statement, anyNumber)
	if err != nil {
		return nil, err
	}
	return t.rowsOf(all)
}

// rowsOf makes rows of groups. The error says that the passes would need more of them.
func (t *table) rowsOf(c collected) ([]*row, error) {
	if t.hasAll && len(c.groups) > query.MaxPageSize {
		tooMany := cube.Errorf(cube.CodeTooLarge, "the question has %d cells; subtotals, top, shares, comparison and fill work on "+
			"at most %d", c.count, query.MaxPageSize).WithHint("cut it down, or drill fewer levels")
		if t.grouping.FiltersShares() {
			tooMany = tooMany.At(cube.Position{Parameter: "having"})
		}
		return nil, tooMany
	}
	all, rows := make([]row, len(c.groups)), make([]*row, len(c.groups))
	for i, g := range c.groups {
		all[i] = row{Group: g, basis: basis{parts: g.Parts}}
		rows[i] = &all[i]
	}
	return rows, nil
}

// anyNumber of groups is collected.
const anyNumber = math.MaxInt64

// collected is a whole result of a store.
type collected struct {
	count  int64 // the number of groups on all pages
	total  []decimal.NullDecimal
	groups []plan.Group
}

// collect lets the store answer a statement, and closes the result. It collects no groups of one that has more than most.
func collect(ctx context.Context, s Store, statement *plan.Statement, most int64) (collected, error) {
	if err := context.Cause(ctx); err != nil { // a store that has the answer in memory does not look at it
		return collected{}, err
	}
	result, err := s.Cells(ctx, statement)
	if err != nil {
		return collected{}, err
	}
	defer result.Close()
	c := collected{count: result.Count, total: result.Total}
	if c.count > most {
		return c, nil
	}
	room := min(c.count, query.MaxPageSize)
	if size := int64(statement.Page().Size); size >= 0 {
		room = min(room, size)
	}
	c.groups = make([]plan.Group, 0, room)
	for g, err := range result.Groups {
		if err != nil {
			return collected{}, err
		}
		c.groups = append(c.groups, g)
	}
	return c, nil
}
