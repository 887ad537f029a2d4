package answer

import (
	"context"
	"math"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

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
			t.subtotals[i][cube.KeysID(r.Keys)] = r
		}
	}
	return t, nil
}

// fetchRows fetches the rows of the grouping and, if the passes need all of them, those of the other side of a comparison.
func (t *table) fetchRows(ctx context.Context, s Store) error {
	main, err := collect(ctx, s, t.grouping.Main())
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
	all, err := collectUpTo(ctx, s, p.Unsorted(), plan.MostSorted)
	if err != nil || all.count > plan.MostSorted {
		return nil, err
	}
	t := &table{plan: p, grouping: &p.Grouping, breaks: p.LabelBreaks()}
	t.begin(all)
	if t.rows, err = t.rowsOf(all); err != nil {
		return nil, err
	}
	t.hasAll = true
	t.labels = newLabels(t.grouping, t.rows)
	return t, nil
}

// begin takes the count and the totals of a result.
func (t *table) begin(c collected) {
	t.count = c.count
	t.all = &basis{parts: c.total, addsYears: t.grouping.AddsYears(0)}
	t.all.total, t.all.parent, t.kept = t.all, t.all, t.all
	hasAmount := slices.ContainsFunc(c.total, func(n decimal.NullDecimal) bool { return n.Valid && !n.Decimal.IsZero() })
	t.hasRows = c.count > 0 && (len(t.grouping.Keys()) > 0 || hasAmount) && t.grouping.Main().Guard() == nil
}

func (t *table) fetchAll(ctx context.Context, s Store, statement *plan.Statement) ([]*row, error) {
	all, err := collect(ctx, s, statement)
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

// collected is a whole result of a store.
type collected struct {
	count  int64 // the number of groups on all pages
	total  []decimal.NullDecimal
	groups []plan.Group
}

// collect lets the store answer a statement, and closes the result.
func collect(ctx context.Context, s Store, statement *plan.Statement) (collected, error) {
	return collectUpTo(ctx, s, statement, math.MaxInt64)
}

// collectUpTo collects no groups of a result that has more than most.
func collectUpTo(ctx context.Context, s Store, statement *plan.Statement, most int64) (collected, error) {
	result, err := s.Cells(ctx, statement)
	if err != nil {
		return collected{}, err
	}
	defer result.Close()
	c := collected{count: result.Count, total: result.Total}
	if c.count > most {
		return c, nil
	}
	for g, err := range result.Groups {
		if err != nil {
			return collected{}, err
		}
		c.groups = append(c.groups, g)
	}
	return c, nil
}
