package answer

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
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
	hasAll    bool              // rows has the rows of all pages, for the passes in memory
	hasRows   bool              // rows are known to pass the filters
	count     int64             // the number of groups on all pages
	all       *basis            // of all rows; shares divide by it
	kept      *basis            // of the rows that having keeps
	divisor   []*row            // the rows that shares divide by: also those that having left out
	before    []*row            // the rows of the earlier side
	beforeBy  map[string]*row   // the same by their keys
	labels    *labels           // of members in the rows of the store
	subtotals []map[string]*row // by step and keys, from the store
	parents   map[int]map[string]*basis
	breaks    *plan.CrossedBreaks
	seen      prose.Seen
	hasGone   bool
}

// fetch lets the store answer the statements of a plan:
//
//  1. The passes need all rows, so fetch refuses a plan with more than query.MaxPageSize.
//  2. An order that a store does not sort exactly is left to rank, which needs all rows too. If there are too many, the page
//     has the order of the store, and a warning says so.
func fetch(ctx context.Context, s Store, p *plan.Plan) (*table, error) {
	if t, err := fetchUnsorted(ctx, s, p); t != nil || err != nil {
		return t, err
	}
	t := &table{plan: p, breaks: p.LabelBreaks(), hasAll: p.NeedsAllCells()}
	main, err := s.Cells(ctx, p.Main())
	if err != nil {
		return nil, err
	}
	t.begin(main)
	t.rows, err = t.read(main, p.Main().Page())
	if err != nil {
		return nil, err
	}
	if !t.hasAll {
		return t, nil
	}
	t.labels = newLabels(p, t.rows)
	if c := p.Comparison(); c != nil && c.Earlier != nil {
		if t.before, err = t.fetchAll(ctx, s, c.Earlier); err != nil {
			return nil, err
		}
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
			t.subtotals[i][cube.KeysID(r.Keys)] = r
		}
	}
	return t, nil
}

// fetchUnsorted fetches all rows for an order that only rank sorts exactly. It gives nil if a store sorts them exactly, or if
// there are too many.
func fetchUnsorted(ctx context.Context, s Store, p *plan.Plan) (*table, error) {
	if p.Unsorted() == nil {
		return nil, nil
	}
	result, err := s.Cells(ctx, p.Unsorted())
	if err != nil {
		return nil, err
	}
	if result.Count > query.MaxPageSize {
		result.Close()
		return nil, nil
	}
	t := &table{plan: p, breaks: p.LabelBreaks(), hasAll: true}
	t.begin(result)
	if t.rows, err = t.read(result, p.Unsorted().Page()); err != nil {
		return nil, err
	}
	t.labels = newLabels(p, t.rows)
	return t, nil
}

// begin takes the count and the totals of a result.
func (t *table) begin(rows plan.Result) {
	t.count = rows.Count
	t.all = &basis{parts: rows.Total, addsYears: t.plan.AddsYears(0)}
	t.all.total, t.all.parent, t.kept = t.all, t.all, t.all
	hasAmount := slices.ContainsFunc(rows.Total, func(n decimal.NullDecimal) bool { return n.Valid && !n.Decimal.IsZero() })
	t.hasRows = rows.Count > 0 && (len(t.plan.Keys()) > 0 || hasAmount) && t.plan.Main().Guard() == nil
}

func (t *table) fetchAll(ctx context.Context, s Store, statement *plan.Statement) ([]*row, error) {
	rows, err := s.Cells(ctx, statement)
	if err != nil {
		return nil, err
	}
	return t.read(rows, statement.Page())
}

// read makes rows of the groups of a page, and closes the result before the next statement is asked: a store may have
// one connection for all.
func (t *table) read(result plan.Result, page query.Page) ([]*row, error) {
	defer result.Close()
	all := make([]row, 0, min(result.Count, int64(max(0, page.Size))))
	for g, err := range result.Groups {
		if err != nil {
			return nil, err
		}
		all = append(all, row{Group: g, basis: basis{parts: g.Parts}})
	}
	rows := make([]*row, len(all))
	for i := range all {
		rows[i] = &all[i]
	}
	if t.plan.NeedsAllCells() && len(rows) > query.MaxPageSize {
		tooMany := cube.Errorf(cube.CodeTooLarge, "the question has %d cells; subtotals, top, shares, comparison and fill work on "+
			"at most %d", result.Count, query.MaxPageSize).WithHint("cut it down, or drill fewer levels")
		if t.plan.FiltersShares() {
			tooMany = tooMany.At(cube.Position{Parameter: "having"})
		}
		return nil, tooMany
	}
	return rows, nil
}

// page makes cells of the rows of the page. Without passes in memory the store has answered that page already.
func (t *table) page() *Answer {
	a := &Answer{Plan: t.plan, Summary: Summary{t.count, t.values(t.kept)}, seen: t.seen}
	rows := t.rows
	a.seen.SortedByDouble = t.plan.Unsorted() != nil && !t.hasAll
	if t.hasAll {
		a.Summary.Count = int64(len(rows))
		a.hasGone = t.hasGone
		a.seen.NoRemainder = !slices.ContainsFunc(rows, func(r *row) bool { return r.kind == remainder })
		if page := t.plan.Page(); page.Size >= 0 {
			from := min(int64(len(rows)), int64(page.Number-1)*int64(page.Size))
			rows = rows[from:min(int64(len(rows)), from+int64(page.Size))]
		}
	} else {
		t.setDivisors(rows...)
	}
	a.Cells = make([]Cell, len(rows))
	for i, r := range rows {
		a.Cells[i] = t.cell(r)
	}
	a.seen.Breaks = breaksOf(t.plan, a.Cells)
	return a
}

func (t *table) cell(r *row) Cell {
	c := Cell{Keys: r.Keys, Labels: r.Labels, Values: t.values(&r.basis), Others: r.others}
	switch {
	case r.kind == subtotal || r.kind == remainder || r.withheld:
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

// summaryValues gives the values of the plan's Summary, which replace those over the cells, or nil if the plan has none.
func summaryValues(ctx context.Context, s Store, p *plan.Plan, l cube.Language) ([]decimal.NullDecimal, error) {
	if p.Summary() == nil {
		return nil, nil
	}
	summary, err := Run(ctx, s, p.Summary(), l)
	if err != nil {
		return nil, err
	}
	values := make([]decimal.NullDecimal, len(p.Aggregates()))
	for i, aggregate := range p.Aggregates() {
		j := slices.IndexFunc(p.Summary().Aggregates(), func(o plan.Aggregate) bool { return o.Name == aggregate.Name })
		if j >= 0 {
			values[i] = summary.Summary.Values[j]
		}
	}
	return values, nil
}
