package api

import (
	"cmp"
	"strconv"
	"strings"

	"fiscube/api/babbage"
	"fiscube/cube"
)

// babbageAggregate answers a question of a dashboard.
func (a *api) babbageAggregate(c asking) ([]byte, error) {
	t := timingOf(c)
	read := func(n *babbage.Names) (babbage.Question, error) { return n.Query(c.given) }
	bind := func(one *cube.Cube, q babbage.Question) (*cube.Plan, error) { return one.Bind(q.Query) }
	question, plan, err := bound(a, c, t, read, bind)
	if err != nil || plan == nil {
		return nil, err
	}
	result, err := a.result(c.Request().Context(), t, plan)
	if err != nil {
		return nil, err
	}
	defer t.done(stageEncode)
	table := newBabbageTable(result.Plan, question)
	if strings.EqualFold(c.given["format"], "csv") {
		return nil, a.sendBabbageCSV(c, table, result)
	}
	return a.babbageCells(c, table, result), nil
}

// babbageTable writes the cells of a plan under the names of the dialect.
type babbageTable struct {
	*cellTable
	names *babbage.Names
}

func newBabbageTable(plan *cube.Plan, q babbage.Question) babbageTable {
	t := babbageTable{newCellTable(plan, false), q.Names}
	for i, field := range plan.Attributes() {
		t.columns[i].name = cmp.Or(q.Aliases[field], q.Names.Field(field))
	}
	t.nameAggregates(t.cellTable, len(plan.Attributes()))
	return t
}

// nameAggregates names the columns that are aggregates, which begin at a place.
func (t babbageTable) nameAggregates(table *cellTable, first int) {
	for i, a := range table.plan.Aggregates() {
		table.columns[first+i].name = t.names.Aggregate(a)
	}
}

// babbageAnswer is what stands beside the cells.
type babbageAnswer struct {
	SummaryWithout []string    `json:"summary_without,omitempty"`
	Cell           []cutJSON   `json:"cell"`
	Aggregates     []string    `json:"aggregates"`
	Attributes     []string    `json:"attributes"`
	Order          [][2]string `json:"order"`
	babbageEnd
}

// babbageCells writes a whole answer.
func (a *api) babbageCells(c asking, t babbageTable, r *cube.Result) []byte {
	b := append([]byte(`{"total_cell_count":`), strconv.FormatInt(r.Summary.Count, 10)...)
	b = append(b, `,"cells":[`...)
	names := fieldNames(t.columns)
	var row []datum
	for i, cell := range r.Cells {
		if i > 0 {
			b = append(b, ',')
		}
		row = t.row(cell, row)
		b = appendRow(b, t.columns, names, row, false)
	}
	summary := summaryTable(r.Plan)
	t.nameAggregates(summary, 0)
	b = append(b, `],"summary":`...)
	b = appendRow(b, summary.columns, fieldNames(summary.columns), summary.row(r.Summary, nil), false)
	b = append(b, ',')
	return append(b, marshal(a.babbageTail(c, t, r))[1:]...)
}

func (a *api) babbageTail(c asking, t babbageTable, r *cube.Result) babbageAnswer {
	plan := r.Plan
	link := permanent(plan.Cube(), "aggregate", plan.Question())
	tail := babbageAnswer{
		Cell: t.cuts(plan), Aggregates: []string{}, Attributes: []string{}, Order: [][2]string{},
		babbageEnd: a.babbageEnd(c, plan.Cube(), link, plan.Page(), r.Summary.Count, plan.Warnings()),
	}
	for _, field := range plan.SummaryWithout() {
		tail.SummaryWithout = append(tail.SummaryWithout, t.names.Field(field))
	}
	for _, field := range plan.Attributes() {
		tail.Attributes = append(tail.Attributes, t.names.Field(field))
	}
	for _, one := range plan.Aggregates() {
		tail.Aggregates = append(tail.Aggregates, t.names.Aggregate(one))
	}
	for _, s := range plan.OrderAsked() {
		tail.Order = append(tail.Order, [2]string{t.sortName(plan, s), s.Direction()})
	}
	return tail
}

func (t babbageTable) sortName(plan *cube.Plan, s cube.Sort) string {
	switch s.By {
	case cube.ByLabel:
		return t.names.Field(plan.Levels()[s.Index].LabelRef)
	case cube.ByAggregate:
		return t.names.Aggregate(plan.Aggregates()[s.Index])
	}
	return t.names.Field(plan.Keys()[s.Index].Name)
}

func (t babbageTable) cuts(plan *cube.Plan) []cutJSON { return renamed(cutsOf(plan), t.names) }

// renamed puts the names of the dialect in the place of ours.
func renamed(cuts []cutJSON, names *babbage.Names) []cutJSON {
	for i := range cuts {
		cuts[i].Ref = names.Filter(cuts[i].Ref)
	}
	return cuts
}

// sendBabbageCSV answers with the page that was asked for, which viewers do with the size of their picture; the
// headers say how many cells there are, and where the others.
func (a *api) sendBabbageCSV(c asking, t babbageTable, r *cube.Result) error {
	plan := r.Plan
	countPages(c, plan.Cube().Version, plan.Page(), r.Summary.Count)
	clauses := plan.Question()
	s := sheet{
		writing: writing{format: formatCSV}, one: plan.Cube(), file: "data", columns: t.columns, measures: plan.Measures(),
		question: clauses, link: a.base(c) + permanent(plan.Cube(), "aggregate", clauses), warnings: append(c.ignored, carried(plan)...),
	}
	return export(c, s, rowsOf(yielded(r.Cells), func(cell cube.Cell) ([]datum, error) { return t.row(cell, nil), nil }))
}
