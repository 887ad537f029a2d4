package babbage

import (
	"net/url"
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
	"fiscube/internal/each"
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
	table := newTable(result.Plan, question)
	if strings.EqualFold(c.given["format"], "csv") {
		return nil, h.sendCSV(c, table, result)
	}
	return h.cells(c, table, result), nil
}

// table writes the cells of a plan under the names of the dialect.
type table struct {
	*encode.CellTable
	names      *Names
	aggregates []plan.Aggregate // those that were asked for, which come first
}

func newTable(p *plan.Plan, q Question) table {
	t := table{encode.NewCellTable(p, false), q.Names, p.Aggregates()[:len(p.Aggregates())-q.Unasked]}
	attributes := p.Attributes()
	for i, field := range attributes {
		t.Columns[i].Name = q.column(field)
	}
	for i, a := range t.aggregates {
		t.Columns[len(attributes)+i].Name = t.names.Aggregate(a)
	}
	t.Columns = t.Columns[:len(attributes)+len(t.aggregates)] // those that were asked for
	return t
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
	b = encode.AppendRows(b, t.Columns, false, len(r.Cells), func(i int) []encode.Datum { return t.Row(&r.Cells[i]) })
	summary := t.Summary()
	b = append(b, `],"summary":`...)
	b = encode.AppendRows(b, summary.Columns, false, 1, func(int) []encode.Datum {
		return summary.Row(&answer.Cell{Values: r.Summary.Values})
	})
	b = append(b, ',')
	p := r.Plan
	link := reply.Permanent(p.Cube(), "aggregate", p.Question())
	tail := answerTail{
		Cell: renamed(encode.Cuts(p), t.names), Aggregates: []string{}, Attributes: []string{},
		answerEnd: h.end(c, p.Cube(), link, p.Page(), r.Summary.Count, r.Warnings),
	}
	tail.SummaryWithout = append(tail.SummaryWithout, each.Text(p.SummaryWithout(), t.names.Field)...)
	tail.Attributes = append(tail.Attributes, each.Text(p.Attributes(), t.names.Field)...)
	tail.Aggregates = append(tail.Aggregates, each.Text(t.aggregates, t.names.Aggregate)...)
	tail.Order = t.order()
	return append(b, encode.Marshal(tail)[1:]...)
}

// order gives the order that was asked for.
func (t table) order() [][2]string {
	p, order := t.Plan, [][2]string{}
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
		order = append(order, [2]string{name, s.Direction()})
	}
	return order
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
		Writing: encode.Writing{Format: encode.FormatFile}, Cube: p.Cube(), File: "data", Columns: t.Columns, Measures: p.Measures(),
		Question: clauses, Link: request.Base(c) + reply.Permanent(p.Cube(), "aggregate", clauses), Warnings: append(c.ignored, encode.Warnings(p.Cube(), r.Warnings, cube.English)...),
	}
	return reply.Export(c, s, encode.Rows(encode.All(r.Cells), func(cell answer.Cell) ([]encode.Datum, error) { return t.Row(&cell), nil }))
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
	page, err := h.limiter.FactPage(c.Request().Context(), t, p.Skipping(int64(question.Page.Number-1)*int64(question.Page.Size)), cube.English)
	if err != nil {
		return nil, err
	}
	defer t.Done(limits.StageEncode)
	return h.rows(c, question, page), nil
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
	link := reply.Permanent(p.Cube(), "facts", encode.FactClauses(p, q.FactQuery))
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

// members lists the members of a level: the cells of a question without amounts.
func (h handlers) members(c call) ([]byte, error) {
	t := limits.TimingOf(c)
	read := func(n *Names) (Question, error) { return n.Members(request.Path(c, "level"), c.given) }
	bind := func(cb *cube.Cube, q Question) (*plan.Plan, error) { return plan.Bind(cb, q.Query) }
	question, p, err := readAndBind(h, c, t, read, bind)
	if err != nil || p == nil {
		return nil, err
	}
	question.Unasked = len(p.Aggregates()) // the count of rows, since every question has an aggregate
	result, err := h.limiter.Aggregate(c.Request().Context(), t, p, cube.English)
	if err != nil {
		return nil, err
	}
	defer t.Done(limits.StageEncode)
	return h.memberList(c, newTable(p, question), result), nil
}

// membersTail is what comes after the members.
type membersTail struct {
	Cell   []encode.Cut `json:"cell"`
	Fields []string     `json:"fields"`
	Order  [][2]string  `json:"order"`
	answerEnd
}

// memberList writes members.
func (h handlers) memberList(c call, t table, r *answer.Answer) []byte {
	p := r.Plan
	tail := membersTail{
		Cell: renamed(encode.Cuts(p), t.names), Order: t.order(),
		answerEnd: h.end(c, p.Cube(), memberLink(p), p.Page(), r.Summary.Count, r.Warnings),
	}
	tail.Fields = append(tail.Fields, each.Text(p.Attributes(), t.names.Field)...)
	reply.LinkPages(c.Response().Header(), c.Request().URL, p.Cube().Version, p.Page(), r.Summary.Count)
	b := strconv.AppendInt([]byte(`{"total_member_count":`), r.Summary.Count, 10)
	b = append(b, `,"data":[`...)
	b = encode.AppendRows(b, t.Columns, false, len(r.Cells), func(i int) []encode.Datum { return t.Row(&r.Cells[i]) })
	return append(append(b, `],`...), encode.Marshal(tail)[1:]...)
}

// memberLink leads to the members of the level of a plan below /cubes, in the same order as far as there is such.
func memberLink(p *plan.Plan) string {
	clauses := encode.ClausesOf(p, "cut", "page", "pagesize")
	level, _ := p.Cube().Model.LevelOfKey(p.Steps()[0].Ref)
	if asked := p.OrderAsked(); len(asked) > 0 {
		by := query.ByMemberLabel
		switch {
		case asked[0].By == plan.ByAggregate: // the count of rows
			by = query.ByMemberRows
		case asked[0].By == plan.ByKey && p.Keys()[asked[0].Index].Name == level.Ref || !level.HasLabels():
			by = query.ByMemberKey
		}
		clauses = append(clauses, [2]string{"order", string(by) + ":" + asked[0].Direction()})
	}
	return reply.Permanent(p.Cube(), "members/"+url.PathEscape(level.Ref), clauses)
}
