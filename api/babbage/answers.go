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
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// aggregate answers a question of a dashboard.
func (h handlers) aggregate(c call) ([]byte, error) {
	t := limits.TimingOf(c)
	read := func(n *Names) (Question, error) { return n.Query(c.given) }
	bind := func(cb *cube.Cube, q Question) (*plan.Plan, error) { return plan.Bind(cb, q.Query) }
	question, p, err := readAndBind(h, c, t, read, bind)
	if err != nil || p == nil {
		return nil, err
	}
	result, err := h.limiter.Aggregate(c.Request().Context(), t, p, cube.English)
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
func (h handlers) cells(c call, t table, r *answer.Answer) []byte {
	b := append([]byte(`{"total_cell_count":`), strconv.FormatInt(r.Summary.Count, 10)...)
	b = append(b, `,"cells":[`...)
	b = encode.AppendRows(b, t.Columns, false, len(r.Cells), func(i int) []encode.Datum { return t.Row(r.Cells[i]) })
	summary := encode.SummaryTable(r.Plan)
	t.nameAggregates(summary, 0)
	b = append(b, `],"summary":`...)
	b = encode.AppendRows(b, summary.Columns, false, 1, func(int) []encode.Datum { return summary.Row(answer.Cell{Values: r.Summary.Values}) })
	b = append(b, ',')
	p := r.Plan
	link := reply.Permanent(p.Cube(), "aggregate", p.Question())
	tail := answerTail{
		Cell: renamed(encode.Cuts(p), t.names), Aggregates: []string{}, Attributes: []string{}, Order: [][2]string{},
		answerEnd: h.end(c, p.Cube(), link, p.Page(), r.Summary.Count, r.Warnings),
	}
	for _, field := range p.SummaryWithout() {
		tail.SummaryWithout = append(tail.SummaryWithout, t.names.Field(field))
	}
	for _, field := range p.Attributes() {
		tail.Attributes = append(tail.Attributes, t.names.Field(field))
	}
	for _, a := range p.Aggregates() {
		tail.Aggregates = append(tail.Aggregates, t.names.Aggregate(a))
	}
	for _, s := range p.OrderAsked() {
		var name string
		switch s.By {
		case plan.ByLabel:
			name = t.names.Field(p.Levels()[s.Index].LabelRef)
		case plan.ByAggregate:
			name = t.names.Aggregate(p.Aggregates()[s.Index])
		default:
			name = t.names.Field(p.Keys()[s.Index].Name)
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
func (h handlers) sendCSV(c call, t table, r *answer.Answer) error {
	p := r.Plan
	reply.CountPages(c, p.Cube().Version, p.Page(), r.Summary.Count)
	clauses := p.Question()
	s := encode.Sheet{
		Writing: encode.Writing{Format: encode.FormatCSV}, Cube: p.Cube(), File: "data", Columns: t.Columns, Measures: p.Measures(),
		Question: clauses, Link: request.Base(c) + reply.Permanent(p.Cube(), "aggregate", clauses), Warnings: append(c.ignored, encode.Warnings(p.Cube(), r.Warnings, cube.English)...),
	}
	return reply.Export(c, s, encode.Rows(encode.All(r.Cells), func(cell answer.Cell) ([]encode.Datum, error) { return t.Row(cell), nil }))
}

// facts answers with the rows themselves.
func (h handlers) facts(c call) ([]byte, error) {
	t := limits.TimingOf(c)
	read := func(n *Names) (FactQuestion, error) { return n.Facts(c.given) }
	bind := func(cb *cube.Cube, q FactQuestion) (*plan.FactPlan, error) {
		return plan.BindFacts(cb, q.FactQuery)
	}
	question, p, err := readAndBind(h, c, t, read, bind)
	if err != nil || p == nil {
		return nil, err
	}
	page, err := h.numberedPage(c, t, p, question)
	if err != nil {
		return nil, err
	}
	defer t.Done(limits.StageEncode)
	return h.rows(c, question, page), nil
}

// numberedPage asks for a page by its number. Facts are paged by the last one read, so the fact before the page
// is looked for first, without the cells.
func (h handlers) numberedPage(c call, t *limits.Timing, p *plan.FactPlan, q FactQuestion) (*answer.FactPage, error) {
	skip := (q.Page.Number - 1) * q.Page.Size
	switch {
	case skip == 0:
		return h.limiter.FactPage(c.Request().Context(), t, p)
	case int64(skip) >= p.Cube().Rows:
		return h.limiter.FactPage(c.Request().Context(), t, p.First(0))
	}
	asked := q.FactQuery
	asked.Fields = []query.Ref{{Name: plan.LineField}}
	before, err := plan.BindFacts(p.Cube(), asked)
	if err != nil {
		return nil, err
	}
	last, found, err := h.lastFact(c.Request().Context(), t, before.First(skip))
	switch {
	case err != nil:
		return nil, err
	case !found:
		return h.limiter.FactPage(c.Request().Context(), t, p.First(0))
	}
	return h.limiter.FactPage(c.Request().Context(), t, p.From(spread(last, before, p), q.Page.Size))
}

// lastFact gives the last of the facts of a plan, and false where there are fewer than it asks for.
func (h handlers) lastFact(ctx context.Context, t *limits.Timing, p *plan.FactPlan) (last plan.Fact, found bool, err error) {
	n, err := limits.Whole(ctx, h.limiter, t, func(ctx context.Context) (n int, err error) {
		for last, err = range h.limiter.Facts(ctx, p.Main()) {
			if err != nil {
				return 0, err
			}
			n++
		}
		return n, nil
	})
	return last, n == p.Size(), err
}

// spread puts what a fact is sorted by where another plan of the same order has it.
func spread(f plan.Fact, from, to *plan.FactPlan) plan.Fact {
	values := make([]plan.FactValue, len(to.Columns()))
	for i, s := range to.Order() {
		if s.Column >= 0 {
			values[s.Column] = f.Values[from.Order()[i].Column]
		}
	}
	return plan.Fact{Values: values, Resource: f.Resource, Line: f.Line}
}

// factsTail is what comes after the facts. Here, and only here, the dialect repeats the cut as it came.
type factsTail struct {
	Cell   *string     `json:"cell"`
	Fields []string    `json:"fields"`
	Order  [][2]string `json:"order"`
	answerEnd
}

// rows writes a page of facts.
func (h handlers) rows(c call, q FactQuestion, page *answer.FactPage) []byte {
	b := strconv.AppendInt([]byte(`{"total_fact_count":`), page.Total, 10)
	b = append(b, `,"data":[`...)
	p, table := page.Plan, encode.NewFactTable(page.Plan)
	for i, name := range q.Columns {
		table.Columns[i].Name = name
	}
	b = encode.AppendRows(b, table.Columns, false, len(page.Facts), func(i int) []encode.Datum { return table.Row(page.Facts[i]) })
	b = append(b, `],`...)
	link := reply.Permanent(p.Cube(), "", nil)
	tail := factsTail{
		Fields: append([]string{}, q.Fields...), Order: [][2]string{},
		answerEnd: h.end(c, p.Cube(), link, q.Page, page.Total, page.Warnings),
	}
	reply.LinkPages(c.Response().Header(), c.Request().URL, p.Cube().Version, q.Page, page.Total)
	if cut, ok := c.given["cut"]; ok {
		tail.Cell = &cut
	}
	for _, s := range p.OrderAsked() {
		name := p.SortName(s)
		if s.Column >= 0 {
			name = q.Names.Field(p.Columns()[s.Column].Name)
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
	bind := func(cb *cube.Cube, q MemberQuestion) (*plan.MemberPlan, error) {
		return plan.BindMembers(cb, q.MemberQuery)
	}
	question, p, err := readAndBind(h, c, t, read, bind)
	if err != nil || p == nil {
		return nil, err
	}
	list := memberList{names: question.Names, plan: p}
	err = h.limiter.ReadMembers(c.Request().Context(), t, p, func(page *answer.MemberPage) error {
		list.total, list.warnings = page.Count, page.Warnings
		for row, err := range page.Members {
			if err != nil {
				return err
			}
			list.rows = append(list.rows, row)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	h.limiter.CountRows(len(list.rows))
	defer t.Done(limits.StageEncode)
	return h.memberList(c, list), nil
}

// memberList is a page of members.
type memberList struct {
	names *Names
	plan  *plan.MemberPlan
	rows  []plan.MemberRow
	total int64 // on all pages

	warnings []cube.Warning
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
	p := l.plan
	key, label := l.names.Level(p.Level())
	var columns []encode.Column
	tail := membersTail{
		Cell: renamed(encode.Cuts(p.Question()), l.names), Order: orderOfMembers(p, l.names),
		answerEnd: h.end(c, p.Cube(), reply.Permanent(p.Cube(), "", nil), p.Page(), l.total, l.warnings),
	}
	for _, column := range p.Path() {
		tail.Fields = append(tail.Fields, l.names.Field(column.Name))
	}
	if label != key {
		tail.Fields = append(tail.Fields, label)
	}
	for _, name := range tail.Fields {
		columns = append(columns, encode.Column{Name: name})
	}
	reply.LinkPages(c.Response().Header(), c.Request().URL, p.Cube().Version, p.Page(), l.total)
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

func orderOfMembers(p *plan.MemberPlan, names *Names) [][2]string {
	order := p.Order()
	direction := "asc"
	if order.Desc {
		direction = "desc"
	}
	key, label := names.Level(p.Level())
	switch order.By {
	case query.ByMemberKey:
		return [][2]string{{key, direction}}
	case query.ByMemberLabel:
		return [][2]string{{label, direction}}
	}
	return [][2]string{}
}
