package cube

import (
	"context"
	"iter"
)

// Engine answers questions from a backend.
type Engine struct {
	backend Backend
}

// NewEngine makes an engine over a store.
func NewEngine(b Backend) *Engine { return &Engine{backend: b} }

// Catalog gives the picture of what is loaded.
func (e *Engine) Catalog(ctx context.Context) (*Catalog, error) { return e.backend.Catalog(ctx) }

// Ready tells whether the store answers.
func (e *Engine) Ready(ctx context.Context) error { return e.backend.Ready(ctx) }

// Run answers a plan cell by cell, as Backend.Run does.
func (e *Engine) Run(ctx context.Context, plan *Plan) iter.Seq2[Cell, error] {
	return e.backend.Run(ctx, plan)
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
}

// Aggregate runs a plan and collects its page.
func (e *Engine) Aggregate(ctx context.Context, plan *Plan) (*Result, error) {
	result := &Result{Plan: plan}
	first := true
	for cell, err := range e.backend.Run(ctx, plan) {
		switch {
		case err != nil:
			return nil, err
		case first:
			result.Summary, first = cell, false
		default:
			result.Cells = append(result.Cells, cell)
		}
	}
	return result, e.summarize(ctx, result)
}

// summarize puts the values of the plan's SummaryPlan, where it has one, in the place of its own. The count stays
// that of its cells.
func (e *Engine) summarize(ctx context.Context, result *Result) error {
	plan := result.Plan.SummaryPlan()
	if plan == nil {
		return nil
	}
	for cell, err := range e.backend.Run(ctx, plan) {
		if err != nil {
			return err
		}
		result.Summary.Values = cell.Values
		break
	}
	return nil
}
