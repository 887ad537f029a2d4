package cube

import (
	"context"
	"time"
)

// Explanation tells how a question is answered.
type Explanation struct {
	Result  *Result // its plan has the warnings of the answer
	Queries []Explained
	Cuts    []Matched
	Rows    int64         // facts that the filters admit
	Took    time.Duration // of the queries and what is finished in memory
}

// Explained is one query of a store, as SQL.
type Explained struct {
	Purpose string // answer, summary, subtotals, earlier
	Text    string
	Args    []any
}

// Matched tells what a filter selects by itself.
type Matched struct {
	Filter  string // in the grammar of cuts
	Default bool
	Members int64 // of the levels it names
	Rows    int64
}

// Explain answers the plan and tells how. Which members the cuts name, and what they match, is asked besides and not
// counted in Took.
func (e *Engine) Explain(ctx context.Context, plan *Plan) (*Explanation, error) {
	plan, err := e.Check(ctx, plan)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	result, err := e.Aggregate(ctx, plan)
	if err != nil {
		return nil, err
	}
	x := &Explanation{Result: result, Took: time.Since(start)}
	x.Queries = e.queries(plan, "answer")
	for _, f := range plan.AllFilters() {
		one, err := e.match(ctx, plan, f)
		if err != nil {
			return nil, err
		}
		x.Cuts = append(x.Cuts, one)
	}
	x.Rows, err = e.count(ctx, plan, plan.AllFilters())
	return x, err
}

// count asks how many rows the filters admit.
func (e *Engine) count(ctx context.Context, plan *Plan, filters []Filter) (int64, error) {
	all, err := e.collect(ctx, plan.rowsOf(nil, filters))
	if err != nil {
		return 0, err
	}
	return all.Summary.rows(), nil
}

// queries lists what the store is asked for a plan, in the order it is asked.
func (e *Engine) queries(plan *Plan, purpose string) []Explained {
	var list []Explained
	add := func(purpose string, p *Plan) {
		text, args := e.backend.SQL(p)
		list = append(list, Explained{purpose, text, args})
	}
	f := plan.finish
	if f == nil {
		add(purpose, plan)
	} else {
		add(purpose, f.store)
		if f.compare != nil && f.compare.earlier != nil {
			add("earlier", f.compare.earlier)
		}
		for _, subtotals := range f.subtotals {
			if subtotals != nil {
				add("subtotals", subtotals.stored())
			}
		}
	}
	if plan.summary != nil {
		list = append(list, e.queries(plan.summary, "summary")...)
	}
	return list
}

// stored is what of the plan a store is asked.
func (p *Plan) stored() *Plan {
	if p.finish != nil {
		return p.finish.store
	}
	return p
}

// match counts what a filter selects when it stands alone.
func (e *Engine) match(ctx context.Context, plan *Plan, f Filter) (Matched, error) {
	result, err := e.collect(ctx, plan.rowsOf(plan.members(f), []Filter{f}))
	if err != nil {
		return Matched{}, err
	}
	return Matched{f.text, f.Default, result.Summary.Count, result.Summary.rows()}, nil
}

// members lists the columns of the paths of the members that a filter asks for.
func (p *Plan) members(f Filter) []Column {
	var levels []Level
	for _, tests := range f.Any {
		for _, t := range tests {
			if level, ok := p.cube.Model.LevelOfKey(t.Column.Name); ok {
				levels = append(levels, level)
			}
		}
	}
	return p.cube.Model.columnsOf(pathsOf(levels))
}

// rowsOf counts rows, and the combinations of some columns that they have.
func (p *Plan) rowsOf(keys []Column, filters []Filter) *Plan {
	return &Plan{cube: p.cube, keys: keys, filters: filters, parts: []Part{{Func: Rows}},
		aggregates: []Aggregate{{Name: string(Rows), Func: Rows}}, page: Page{Number: 1, Size: 0}}
}

func (c Cell) rows() int64 { return c.Values[0].Decimal.IntPart() }
