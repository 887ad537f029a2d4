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

// Answer is a whole answer: the summary over all cells, the cells of the page, and what a reader should know of them.
type Answer struct {
	Plan     *plan.Plan
	Summary  Summary
	Cells    []Cell
	Warnings []cube.Warning
	seen     prose.Seen
	hasGone  bool // some row is gone, on whichever page: though there may be no rows the answer is not empty
}

// Summary says how many cells there are on all pages, and has the values of them all together.
type Summary struct {
	Count  int64
	Values []decimal.NullDecimal // one for each of Plan.Aggregates
}

// Cell is one row of an answer.
type Cell struct {
	Keys   []cube.Value          // one for each of Plan.Keys; a subtotal has the first of them
	Labels []cube.Value          // one for each of Plan.Levels; missing where a member has none
	Values []decimal.NullDecimal // one for each of Plan.Aggregates
	Level  string                // in a rollup: the level that its last key is of
	Others int64                 // how many members, whose keys it has not, are added up in it; 0 of a cell of one
	Change Change                // against the cell it is compared with
}

// Change says that only one of two compared cells is there.
type Change string

// The changes. A cell that is there on both sides has none.
const (
	ChangeNew  Change = "new"
	ChangeGone Change = "gone"
)

// Run answers a plan. One pass follows the other over all rows; each does nothing where the plan does not ask for it:
//
//  1. fetch      the store answers the statements
//  2. pair       each row stands beside the earlier one that it is compared with
//  3. fill       rows are added in the gaps of an axis
//  4. filter     having leaves out rows that no store has tested
//  5. total      all rows are added up, and the rows of each parent
//  6. rank       rows are sorted; top keeps the first of each group, rollup puts subtotals before their rows
//  7. page       the rows of the page become cells
//  8. summarize  where cells are snapshots of the same money the summary is that of another question
//  9. warn       what a reader should know, in the language asked for
func Run(ctx context.Context, s Store, p *plan.Plan, l cube.Language) (*Answer, error) {
	t, err := fetch(ctx, s, p)
	if err != nil {
		return nil, err
	}
	if p.IsFinishedInMemory() {
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
	summary, err := summaryValues(ctx, s, p, l)
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

// table is an answer in the making.
type table struct {
	plan      *plan.Plan
	rows      []*row
	hasRows   bool              // it is known that the filters admit rows
	count     int64             // how many groups the store has on all pages
	all       *basis            // of all rows together, which shares are of
	kept      *basis            // of those of them that having keeps
	weighted  []*row            // the rows that shares are of: also those that having leaves out of rows
	before    []*row            // the earlier side of a comparison
	beforeBy  map[string]*row   // the same by their keys
	labels    *labels           // of the members in the store's rows
	subtotals []map[string]*row // by step and keys: those that a store has to answer
	parents   map[int]map[string]*basis
	seen      prose.Seen
	hasGone   bool
}

// fetch has the store answer the statements of a plan. A finished answer needs all rows, and is refused where they are
// too many.
func fetch(ctx context.Context, s Store, p *plan.Plan) (*table, error) {
	t := &table{plan: p}
	main, err := s.Cells(ctx, p.Main())
	if err != nil {
		return nil, err
	}
	t.begin(main)
	t.rows, err = t.read(main, p.Main().Page())
	main.Close() // before the next statement: a store may have one connection for all
	if err != nil {
		return nil, err
	}
	if !p.IsFinishedInMemory() {
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

// begin takes what a store says before its groups.
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
	defer rows.Close()
	return t.read(rows, statement.Page())
}

// read makes rows of the groups of a page.
func (t *table) read(result plan.Result, page query.Page) ([]*row, error) {
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
	if t.plan.IsFinishedInMemory() && len(rows) > query.MaxPageSize {
		tooMany := cube.Errorf(cube.CodeTooLarge, "the question has %d cells; subtotals, top, shares, comparison and fill work on "+
			"at most %d", result.Count, query.MaxPageSize).WithHint("cut it down, or drill fewer levels")
		if t.plan.FiltersShares() {
			tooMany = tooMany.At(cube.Position{Parameter: "having"})
		}
		return nil, tooMany
	}
	return rows, nil
}

// page makes cells of the rows of the page. Where the store answered them they are that already.
func (t *table) page() *Answer {
	a := &Answer{Plan: t.plan, Summary: Summary{t.count, t.values(t.kept)}, seen: t.seen}
	rows := t.rows
	if t.plan.IsFinishedInMemory() {
		a.Summary.Count = int64(len(rows))
		a.hasGone = t.hasGone
		a.seen.NoRemainder = !slices.ContainsFunc(rows, func(r *row) bool { return r.kind == remainder })
		if page := t.plan.Page(); page.Size >= 0 {
			from := min(int64(len(rows)), int64(page.Number-1)*int64(page.Size))
			rows = rows[from:min(int64(len(rows)), from+int64(page.Size))]
		}
	} else {
		t.measure(rows)
	}
	a.Cells = make([]Cell, len(rows))
	for i, r := range rows {
		a.Cells[i] = t.cell(r)
	}
	return a
}

func (t *table) cell(r *row) Cell {
	c := Cell{Keys: r.Keys, Labels: r.Labels, Values: t.values(&r.basis), Others: r.others}
	switch {
	case r.kind == subtotal || r.kind == remainder:
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

// summaryValues gives the values of the plan's Summary, which stand in the place of its own; nil where it has none. The
// count stays that of its cells.
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
