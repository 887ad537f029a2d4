package babbage

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"fiscube/api/encode"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
)

// aggregate answers a question of a dashboard.
func (h handlers) aggregate(c call) ([]byte, error) {
	t := limits.TimingOf(c)
	read := func(n *Names) (Question, error) { return n.Query(c.given) }
	bind := func(cb *cube.Cube, q Question) (*cube.Plan, error) { return cb.Bind(q.Query) }
	question, plan, err := readAndBind(h, c, t, read, bind)
	if err != nil || plan == nil {
		return nil, err
	}
	result, err := h.engine.Aggregate(c.Request().Context(), t, plan)
	if err != nil {
		return nil, err
	}
	defer t.Done(limits.StageEncode)
	table := table{encode.NewCellTable(result.Plan, false), question.Names}
	attributes := result.Plan.Attributes()
	for i, field := range attributes {
		table.Columns[i].Name = cmp.Or(question.Aliases[field], question.Names.Field(field))
	}
	table.nameAggregates(table.CellTable, len(attributes))
	if strings.EqualFold(c.given["format"], "csv") {
		return nil, h.sendCSV(c, table, result)
	}
	return h.cells(c, table, result), nil
}

// table writes the cells of a plan under the names of the dialect.
type table struct {
	*encode.CellTable
	names *Names
}

// nameAggregates names the columns that are aggregates, from an index on.
func (t table) nameAggregates(table *encode.CellTable, first int) {
	for i, a := range table.Plan.Aggregates() {
		table.Columns[first+i].Name = t.names.Aggregate(a)
	}
}

// answerTail is what comes beside the cells.
type answerTail struct {
	SummaryWithout []string     `json:"summary_without,omitempty"`
	Cell           []encode.Cut `json:"cell"`
	Aggregates     []string     `json:"aggregates"`
	Attributes     []string     `json:"attributes"`
	Order          [][2]string  `json:"order"`
	answerEnd
}

// cells writes a whole answer.
func (h handlers) cells(c call, t table, r *cube.Result) []byte {
	b := append([]byte(`{"total_cell_count":`), strconv.FormatInt(r.Summary.Count, 10)...)
	b = append(b, `,"cells":[`...)
	b = encode.AppendRows(b, t.Columns, false, len(r.Cells), func(i int) []encode.Datum { return t.Row(r.Cells[i]) })
	summary := encode.SummaryTable(r.Plan)
	t.nameAggregates(summary, 0)
	b = append(b, `],"summary":`...)
	b = encode.AppendRows(b, summary.Columns, false, 1, func(int) []encode.Datum { return summary.Row(r.Summary) })
	b = append(b, ',')
	plan := r.Plan
	link := reply.Permanent(plan.Cube(), "aggregate", plan.Question())
	tail := answerTail{
		Cell: renamed(encode.Cuts(plan), t.names), Aggregates: []string{}, Attributes: []string{}, Order: [][2]string{},
		answerEnd: h.end(c, plan.Cube(), link, plan.Page(), r.Summary.Count, plan.Warnings()),
	}
	for _, field := range plan.SummaryWithout() {
		tail.SummaryWithout = append(tail.SummaryWithout, t.names.Field(field))
	}
	for _, field := range plan.Attributes() {
		tail.Attributes = append(tail.Attributes, t.names.Field(field))
	}
	for _, a := range plan.Aggregates() {
		tail.Aggregates = append(tail.Aggregates, t.names.Aggregate(a))
	}
	for _, s := range plan.OrderAsked() {
		var name string
		switch s.By {
		case cube.ByLabel:
			name = t.names.Field(plan.Levels()[s.Index].LabelRef)
		case cube.ByAggregate:
			name = t.names.Aggregate(plan.Aggregates()[s.Index])
		default:
			name = t.names.Field(plan.Keys()[s.Index].Name)
		}
		tail.Order = append(tail.Order, [2]string{name, s.Direction()})
	}
	return append(b, encode.Marshal(tail)[1:]...)
}

// renamed puts the names of the dialect in the place of ours.
func renamed(cuts []encode.Cut, names *Names) []encode.Cut {
	for i := range cuts {
		cuts[i].Ref = names.Filter(cuts[i].Ref)
	}
	return cuts
}

// sendCSV answers with the page that was asked for, which viewers do with the size of their picture; the
// headers say how many cells there are, and where the others.
func (h handlers) sendCSV(c call, t table, r *cube.Result) error {
	plan := r.Plan
	reply.CountPages(c, plan.Cube().Version, plan.Page(), r.Summary.Count)
	clauses := plan.Question()
	s := encode.Sheet{
		Writing: encode.Writing{Format: encode.FormatCSV}, Cube: plan.Cube(), File: "data", Columns: t.Columns, Measures: plan.Measures(),
		Question: clauses, Link: request.Base(c) + reply.Permanent(plan.Cube(), "aggregate", clauses), Warnings: append(c.ignored, encode.Warnings(plan)...),
	}
	return reply.Export(c, s, encode.Rows(encode.All(r.Cells), func(cell cube.Cell) ([]encode.Datum, error) { return t.Row(cell), nil }))
}

// facts answers with the rows themselves.
func (h handlers) facts(c call) ([]byte, error) {
	t := limits.TimingOf(c)
	read := func(n *Names) (FactQuestion, error) { return n.Facts(c.given) }
	bind := func(cb *cube.Cube, q FactQuestion) (*cube.FactPlan, error) {
		return cb.BindFacts(q.FactQuery)
	}
	question, plan, err := readAndBind(h, c, t, read, bind)
	if err != nil || plan == nil {
		return nil, err
	}
	page, err := h.numberedPage(c, t, plan, question)
	if err != nil {
		return nil, err
	}
	defer t.Done(limits.StageEncode)
	return h.rows(c, question, page), nil
}

// numberedPage asks for a page by its number. Facts are paged by the last one read, so the fact before the page
// is looked for first, without the cells.
func (h handlers) numberedPage(c call, t *limits.Timing, plan *cube.FactPlan, q FactQuestion) (*cube.FactPage, error) {
	skip := (q.Page.Number - 1) * q.Page.Size
	switch {
	case skip == 0:
		return h.engine.Facts(c.Request().Context(), t, plan)
	case int64(skip) >= plan.Cube().Rows:
		return h.engine.Facts(c.Request().Context(), t, plan.Limited(0))
	}
	query := q.FactQuery
	query.Fields = []cube.Ref{{Name: cube.LineField}}
	before, err := plan.Cube().BindFacts(query)
	if err != nil {
		return nil, err
	}
	last, found, err := h.lastFact(c.Request().Context(), t, before.Limited(skip))
	switch {
	case err != nil:
		return nil, err
	case !found:
		return h.engine.Facts(c.Request().Context(), t, plan.Limited(0))
	}
	return h.engine.Facts(c.Request().Context(), t, plan.Following(spread(last, before, plan), q.Page.Size))
}

// lastFact gives the last of the facts of a plan, and false where there are fewer than it asks for.
func (h handlers) lastFact(ctx context.Context, t *limits.Timing, plan *cube.FactPlan) (last cube.Fact, found bool, err error) {
	n, err := limits.Whole(ctx, h.engine, t, func(ctx context.Context) (n int, err error) {
		for last, err = range h.engine.StreamFacts(ctx, plan) {
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

// factsTail is what comes after the facts. Here, and only here, the dialect repeats the cut as it came.
type factsTail struct {
	Cell   *string     `json:"cell"`
	Fields []string    `json:"fields"`
	Order  [][2]string `json:"order"`
	answerEnd
}

// rows writes a page of facts.
func (h handlers) rows(c call, q FactQuestion, page *cube.FactPage) []byte {
	b := strconv.AppendInt([]byte(`{"total_fact_count":`), page.Total, 10)
	b = append(b, `,"data":[`...)
	plan, table := page.Plan, encode.NewFactTable(page.Plan)
	for i, name := range q.Columns {
		table.Columns[i].Name = name
	}
	b = encode.AppendRows(b, table.Columns, false, len(page.Facts), func(i int) []encode.Datum { return table.Row(page.Facts[i]) })
	b = append(b, `],`...)
	link := reply.Permanent(plan.Cube(), "", nil)
	tail := factsTail{
		Fields: append([]string{}, q.Fields...), Order: [][2]string{},
		answerEnd: h.end(c, plan.Cube(), link, q.Page, page.Total, plan.CountPlan().Warnings()),
	}
	reply.LinkPages(c.Response().Header(), c.Request().URL, plan.Cube().Version, q.Page, page.Total)
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
	return append(b, encode.Marshal(tail)[1:]...)
}

// members lists the members of a level, one for each path.
func (h handlers) members(c call) ([]byte, error) {
	t := limits.TimingOf(c)
	read := func(n *Names) (MemberQuestion, error) {
		return n.Members(request.Path(c, "level"), c.given)
	}
	bind := func(cb *cube.Cube, q MemberQuestion) (*cube.MemberPlan, error) {
		return cb.BindMembers(q.MemberQuery)
	}
	question, plan, err := readAndBind(h, c, t, read, bind)
	if err != nil || plan == nil {
		return nil, err
	}
	list := memberList{names: question.Names}
	list.plan, err = limits.Whole(c.Request().Context(), h.engine, t, func(ctx context.Context) (*cube.MemberPlan, error) {
		checked, err := h.engine.CheckMembers(ctx, plan)
		if err != nil {
			return nil, err
		}
		for row, err := range h.engine.Members(ctx, checked) {
			switch {
			case err != nil:
				return nil, err
			case row.Path == nil: // the first row is their number
				list.total = row.Count
			default:
				list.rows = append(list.rows, row)
			}
		}
		return checked, nil
	})
	if err != nil {
		return nil, err
	}
	h.engine.CountRows(len(list.rows))
	defer t.Done(limits.StageEncode)
	return h.memberList(c, list), nil
}

// memberList is a page of members.
type memberList struct {
	names *Names
	plan  *cube.MemberPlan
	rows  []cube.MemberRow
	total int64 // on all pages
}

// membersTail is what comes after the members.
type membersTail struct {
	Cell   []encode.Cut `json:"cell"`
	Fields []string     `json:"fields"`
	Order  [][2]string  `json:"order"`
	answerEnd
}

// memberList writes members: the keys of their path with the level's own, and its label.
func (h handlers) memberList(c call, l memberList) []byte {
	plan := l.plan
	key, label := l.names.Level(plan.Level())
	var columns []encode.Column
	tail := membersTail{
		Cell: renamed(encode.Cuts(plan.Question()), l.names), Order: orderOfMembers(plan, l.names),
		answerEnd: h.end(c, plan.Cube(), reply.Permanent(plan.Cube(), "", nil), plan.Page(), l.total, plan.Warnings()),
	}
	for _, column := range plan.Path() {
		tail.Fields = append(tail.Fields, l.names.Field(column.Name))
	}
	if label != key {
		tail.Fields = append(tail.Fields, label)
	}
	for _, name := range tail.Fields {
		columns = append(columns, encode.Column{Name: name})
	}
	reply.LinkPages(c.Response().Header(), c.Request().URL, plan.Cube().Version, plan.Page(), l.total)
	b := strconv.AppendInt([]byte(`{"total_member_count":`), l.total, 10)
	b = encode.AppendRows(append(b, `,"data":[`...), columns, false, len(l.rows), func(i int) (row []encode.Datum) {
		for _, key := range l.rows[i].Path {
			row = append(row, encode.Datum{Value: key})
		}
		if label != key {
			row = append(row, encode.Datum{Value: l.rows[i].Label})
		}
		return row
	})
	return append(append(b, `],`...), encode.Marshal(tail)[1:]...)
}

func orderOfMembers(plan *cube.MemberPlan, names *Names) [][2]string {
	order := plan.Order()
	direction := "asc"
	if order.Desc {
		direction = "desc"
	}
	key, label := names.Level(plan.Level())
	switch order.By {
	case cube.ByMemberKey:
		return [][2]string{{key, direction}}
	case cube.ByMemberLabel:
		return [][2]string{{label, direction}}
	}
	return [][2]string{}
}
