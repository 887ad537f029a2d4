package cube

import (
	"context"
	"iter"
	"slices"

	"github.com/shopspring/decimal"
)

// Engine answers questions from a backend.
type Engine struct {
	backend Backend
	lookups lookups
}

// NewEngine makes an engine over a store.
func NewEngine(b Backend) *Engine { return &Engine{backend: b} }

// Catalog gives the picture of what is loaded.
func (e *Engine) Catalog(ctx context.Context) (*Catalog, error) { return e.backend.Catalog(ctx) }

// Ready tells whether the store answers.
func (e *Engine) Ready(ctx context.Context) error { return e.backend.Ready(ctx) }

// Remove gives up all versions of the named package.
func (e *Engine) Remove(ctx context.Context, name string) error { return e.backend.Remove(ctx, name) }

// Run answers a plan cell by cell, as Backend.Run does; what is finished in memory is at most MaxPageSize cells.
func (e *Engine) Run(ctx context.Context, plan *Plan) iter.Seq2[Cell, error] {
	if !plan.Finished() {
		return e.backend.Run(ctx, plan)
	}
	return func(yield func(Cell, error) bool) {
		result, err := e.Aggregate(ctx, plan)
		if err != nil {
			yield(Cell{}, err)
			return
		}
		if !yield(result.Summary, nil) {
			return
		}
		for _, cell := range result.Cells {
			if !yield(cell, nil) {
				return
			}
		}
	}
}

// Cube gives the served version of the named package.
func (e *Engine) Cube(ctx context.Context, name string) (*Cube, error) {
	catalog, err := e.backend.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	return catalog.Cube(name)
}

// Version gives a version of the named package by its number, as Catalog.Version does.
func (e *Engine) Version(ctx context.Context, name string, number int) (*Cube, error) {
	catalog, err := e.backend.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	return catalog.Version(name, number)
}

// Result is a whole answer: the summary over all cells, and the cells of the page.
type Result struct {
	Plan    *Plan
	Summary Cell
	Cells   []Cell
	gone    bool // it tells of cells that are gone, on whichever page: though it may have no rows it is not empty
}

// Aggregate runs a plan and collects its page.
func (e *Engine) Aggregate(ctx context.Context, plan *Plan) (*Result, error) {
	run := e.collect
	if plan.Finished() {
		run = e.assemble
	}
	result, err := run(ctx, plan)
	if err != nil {
		return nil, err
	}
	if err := e.summarize(ctx, result); err != nil {
		return nil, err
	}
	if !result.gone && isEmpty(result.Summary) {
		result.Plan, err = e.warnEmpty(ctx, result.Plan)
	}
	return result, err
}

// collect gathers what the store answers.
func (e *Engine) collect(ctx context.Context, plan *Plan) (*Result, error) {
	result := &Result{Plan: plan}
	first := true
	for cell, err := range e.backend.Run(ctx, plan) {
		switch {
		case err != nil:
			return nil, err
		case first:
			result.Summary, first = cell, false
		case result.Cells == nil:
			result.Cells = append(make([]Cell, 0, plan.page.holds(result.Summary.Count)), cell)
		default:
			result.Cells = append(result.Cells, cell)
		}
	}
	return result, nil
}

// assemble finishes in memory what the store answers.
func (e *Engine) assemble(ctx context.Context, plan *Plan) (*Result, error) {
	f := plan.finish
	store, err := e.whole(ctx, f.store)
	if err != nil {
		return nil, err
	}
	a := newAssembly(plan, store.Summary, store.Cells)
	if f.compare != nil {
		earlier, err := e.earlier(ctx, f.compare)
		if err != nil {
			return nil, err
		}
		a.compare(earlier)
		plan = plan.withAbsent(a.entries)
	}
	if err := a.fill(ctx); err != nil {
		return nil, err
	}
	if a.subtotals, err = e.subtotals(ctx, f); err != nil {
		return nil, err
	}
	kept := a.weigh()
	rows := a.arrange()
	result := &Result{Plan: plan.withRemainders(rows), Summary: Cell{Count: int64(len(rows))}, Cells: a.cells(rows)}
	result.gone = slices.ContainsFunc(a.entries, func(e *entry) bool { return e.Change == ChangeGone })
	result.Summary.Values = plan.values(*kept)
	return result, nil
}

// earlier collects the cells to compare with.
func (e *Engine) earlier(ctx context.Context, c *comparison) ([]Cell, error) {
	if c.earlier == nil {
		return nil, nil
	}
	result, err := e.whole(ctx, c.earlier)
	if err != nil {
		return nil, err
	}
	return result.Cells, nil
}

// subtotals answers the subtotals that cannot be added up.
func (e *Engine) subtotals(ctx context.Context, f *finish) ([]map[string]Cell, error) {
	subtotals := make([]map[string]Cell, len(f.steps))
	for i, plan := range f.subtotals {
		if plan == nil {
			continue
		}
		result, err := e.whole(ctx, plan.stored())
		if err != nil {
			return nil, err
		}
		subtotals[i] = map[string]Cell{}
		for _, cell := range result.Cells {
			subtotals[i][idOf(cell.Keys)] = cell
		}
	}
	return subtotals, nil
}

// whole collects all cells of a plan, if they are few enough to be finished.
func (e *Engine) whole(ctx context.Context, plan *Plan) (*Result, error) {
	result, err := e.collect(ctx, plan)
	if err == nil && len(result.Cells) > MaxPageSize {
		tooMany := Errorf(CodeTooLarge, "the question has %d cells; subtotals, top, shares, comparison and fill work on "+
			"at most %d", result.Summary.Count, MaxPageSize).or("cut it down, or drill fewer levels")
		if plan.weighsShares() {
			tooMany = tooMany.at(Position{Parameter: "having"})
		}
		return nil, tooMany
	}
	return result, err
}

// summarize puts the values of the plan's SummaryPlan, where it has one, in the place of its own. The count stays
// that of its cells.
func (e *Engine) summarize(ctx context.Context, result *Result) error {
	plan := result.Plan.SummaryPlan()
	if plan == nil {
		return nil
	}
	summary, err := e.Aggregate(ctx, plan)
	if err != nil {
		return err
	}
	values := result.Summary.Values
	for i, a := range result.Plan.aggregates {
		values[i] = decimal.NullDecimal{}
		if j := slices.IndexFunc(plan.aggregates, func(s Aggregate) bool { return s.Name == a.Name }); j >= 0 {
			values[i] = summary.Summary.Values[j]
		}
	}
	return nil
}
