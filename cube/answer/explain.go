package answer

import (
	"context"
	"time"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// Explanation says how a question is answered.
type Explanation struct {
	Answer  *Answer
	Queries []Explained
	Cuts    []Matched
	Rows    int64         // facts that pass the filters
	Took    time.Duration // of the queries and the passes
}

// Explained is one statement, and what answers it.
type Explained struct {
	Purpose string // answer, summary, subtotals, earlier
	Source
	Tasks int // into how many tasks the nodes of a cluster split it; 0 if one machine answers it
}

// Matched says what a filter alone selects.
type Matched struct {
	Filter  string // in the grammar of cuts
	Default bool
	Members int64 // of the levels it names
	Rows    int64
}

// Explain answers the plan and says how. Took does not include counting what the cuts match.
func Explain(ctx context.Context, s interface {
	Store
	Explainer
}, p *plan.Plan, l cube.Language) (*Explanation, error) {
	start := time.Now()
	a, err := Run(ctx, s, p, l)
	if err != nil {
		return nil, err
	}
	x := &Explanation{Answer: a, Took: time.Since(start)}
	if x.Queries, err = queries(ctx, s, p, a.Summary.Count); err != nil {
		return nil, err
	}
	for _, f := range p.AllFilters() {
		alone, err := count(ctx, s, p.MembersIn(f))
		if err != nil {
			return nil, err
		}
		x.Cuts = append(x.Cuts, Matched{f.String(), f.Default, alone.Groups, alone.Rows})
	}
	all, err := count(ctx, s, plan.Counting(p.Cube(), nil, p.AllFilters()))
	x.Rows = all.Rows
	return x, err
}

// queries lists the queries that an answer of so many cells takes, in order.
func queries(ctx context.Context, s Explainer, p *plan.Plan, count int64) ([]Explained, error) {
	var list []Explained
	var failed error
	add := func(purpose string, statement *plan.Statement) {
		if statement == nil || failed != nil {
			return
		}
		x := Explained{Purpose: purpose}
		if x.Source, failed = s.Source(ctx, statement); failed == nil && x.Text != "" {
			x.Tasks, failed = s.Tasks(ctx, x.Text, x.Args)
		}
		list = append(list, x)
	}
	add("answer", p.Unsorted())
	if p.Unsorted() == nil || count > plan.MostSorted {
		add("answer", p.Main())
	}
	add("earlier", earlierOf(&p.Grouping))
	for _, statement := range p.Subtotals() {
		add("subtotals", statement)
	}
	if summary := p.Summary(); summary != nil {
		add("summary", summary.Main())
		add("earlier", earlierOf(summary))
	}
	return list, failed
}

// earlierOf gives the statement for the other side of a comparison, or nil if there is none.
func earlierOf(g *plan.Grouping) *plan.Statement {
	if c := g.Comparison(); c != nil {
		return c.Earlier
	}
	return nil
}
