package api

import (
	"context"
	"strconv"

	"fiscube/api/babbage"
	"fiscube/cube"
)

// babbageFacts answers with the rows themselves.
func (a *api) babbageFacts(c asking) ([]byte, error) {
	t := timingOf(c)
	read := func(n *babbage.Names) (babbage.FactQuestion, error) { return n.Facts(c.given) }
	bind := func(one *cube.Cube, q babbage.FactQuestion) (*cube.FactPlan, error) {
		return one.BindFacts(q.FactQuery)
	}
	question, plan, err := bound(a, c, t, read, bind)
	if err != nil || plan == nil {
		return nil, err
	}
	page, err := a.numberedPage(c, t, plan, question)
	if err != nil {
		return nil, err
	}
	defer t.done(stageEncode)
	return a.babbageRows(c, question, page), nil
}

// numberedPage asks for a page by its number. Facts are paged by the last one read, so the place where the page
// begins is looked for first, without the cells.
func (a *api) numberedPage(c asking, t *timing, plan *cube.FactPlan, q babbage.FactQuestion) (*cube.FactPage, error) {
	skip := (q.Page.Number - 1) * q.Page.Size
	switch {
	case skip == 0:
		return a.factPage(c.Request().Context(), t, plan)
	case int64(skip) >= plan.Cube().Rows:
		return a.factPage(c.Request().Context(), t, plan.Limited(0))
	}
	query := q.FactQuery
	query.Fields = []cube.Ref{{Name: cube.LineField}}
	places, err := plan.Cube().BindFacts(query)
	if err != nil {
		return nil, err
	}
	last, found, err := a.lastFact(c.Request().Context(), t, places.Limited(skip))
	switch {
	case err != nil:
		return nil, err
	case !found:
		return a.factPage(c.Request().Context(), t, plan.Limited(0))
	}
	return a.factPage(c.Request().Context(), t, plan.Following(spread(last, places, plan), q.Page.Size))
}

// lastFact gives the last of the facts of a plan, and false where there are fewer than it asks for.
func (a *api) lastFact(ctx context.Context, t *timing, plan *cube.FactPlan) (last cube.Fact, found bool, err error) {
	n, err := whole(ctx, a, t, func(ctx context.Context) (n int, err error) {
		for last, err = range a.engine.StreamFacts(ctx, plan) {
			if err != nil {
				return 0, err
			}
			n++
		}
		return n, nil
	})
	return last, n == plan.Size(), err
}

// spread puts what a fact is sorted by where another plan of the same order has it.
func spread(f cube.Fact, from, to *cube.FactPlan) cube.Fact {
	values := make([]cube.FactValue, len(to.Columns()))
	for i, s := range to.Order() {
		if s.Column >= 0 {
			values[s.Column] = f.Values[from.Order()[i].Column]
		}
	}
	return cube.Fact{Values: values, Resource: f.Resource, Line: f.Line}
}

// babbageFactsTail is what stands behind the facts. Here, and only here, the dialect tells the cut as it came.
type babbageFactsTail struct {
	Cell   *string     `json:"cell"`
	Fields []string    `json:"fields"`
	Order  [][2]string `json:"order"`
	babbageEnd
}

func (a *api) babbageRows(c asking, q babbage.FactQuestion, page *cube.FactPage) []byte {
	b := strconv.AppendInt([]byte(`{"total_fact_count":`), page.Total, 10)
	b = append(b, `,"data":[`...)
	keys := factKeys(append(q.Columns, cube.ResourceField, cube.LineField))
	for i, fact := range page.Facts {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendFact(b, page.Plan, keys, fact, false)
	}
	b = append(b, `],`...)
	return append(b, marshal(a.babbageFactsTail(c, q, page))[1:]...)
}

func (a *api) babbageFactsTail(c asking, q babbage.FactQuestion, page *cube.FactPage) babbageFactsTail {
	plan := page.Plan
	link := permanent(plan.Cube(), "", nil)
	tail := babbageFactsTail{
		Fields: append([]string{}, q.Fields...), Order: [][2]string{},
		babbageEnd: a.babbageEnd(c, plan.Cube(), link, q.Page, page.Total, plan.CountPlan().Warnings()),
	}
	linkPages(c.Response().Header(), c.Request().URL, plan.Cube().Version, q.Page, page.Total)
	if cut, ok := c.given["cut"]; ok {
		tail.Cell = &cut
	}
	for _, s := range plan.OrderAsked() {
		name := plan.SortName(s)
		if s.Column >= 0 {
			name = q.Names.Field(plan.Columns()[s.Column].Name)
		}
		tail.Order = append(tail.Order, [2]string{name, s.Direction()})
	}
	return tail
}
