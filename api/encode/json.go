package encode

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Marshal writes one of our own shapes, with < > & left readable.
func Marshal(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // a shape that does not encode is a fault in this package
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Object is an object whose members have an order.
type Object []Member

// Member is a member of an Object.
type Member struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o Object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(appendString(b, m.name), ':'), Marshal(m.value)...)
	}
	return append(b, '}'), nil
}

// AppendRows appends n rows as objects, with commas between them. It reserves memory for all of them at once: it measures some rows, from all
// over the answer, where there are many.
func AppendRows(b []byte, columns []Column, quoted bool, n int, row func(i int) []Datum) []byte {
	w, size := newRowWriter(columns, quoted), bytesOfRow
	if first := len(b); n > 4*sampleRows {
		for i := range sampleRows {
			b = w.append(b, row(i*n/sampleRows))
		}
		b, size = b[:first], (len(b)-first)*9/8/sampleRows+3 // with the braces and the comma
	}
	b = slices.Grow(b, n*size+bytesOfTail)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(w.append(append(b, '{'), row(i)), '}')
	}
	return b
}

// What AppendRows reserves memory by.
const (
	sampleRows  = 16  // that it measures
	bytesOfRow  = 256 // where it measures none
	bytesOfTail = 1 << 10
)

// rowWriter appends rows as the members of objects.
type rowWriter struct {
	columns []Column
	quoted  bool // amounts as strings
	members []rowMember
}

// rowMember is the last member that a column had: of a key or label, which rows that follow each other often share, it has the text.
type rowMember struct {
	value cube.Value
	text  []byte
	name  int // how much of the text is the name, with its colon
}

func newRowWriter(columns []Column, quoted bool) *rowWriter {
	w := &rowWriter{columns, quoted, make([]rowMember, len(columns))}
	for i, col := range columns {
		text := append(appendString(make([]byte, 0, 64), col.Name), ':')
		w.members[i] = rowMember{cube.Missing, append(text, "null"...), len(text)}
	}
	return w
}

// append appends the members of a row, with every digit of an amount: no float comes near it.
func (w *rowWriter) append(b []byte, row []Datum) []byte {
	first := true
	for i := range row {
		d, m := &row[i], &w.members[i]
		if d.Absent {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		switch {
		case w.columns[i].kind != kindAmount:
			if d.Value != m.value {
				m.value, m.text = d.Value, appendValue(m.text[:m.name], d.Value)
			}
			b = append(b, m.text...)
		case !d.Amount.Valid:
			b = append(b, m.text...) // which stays null
		case w.quoted:
			b = append(appendFixed(append(append(b, m.text[:m.name]...), '"'), d.Amount.Decimal, w.columns[i].scale), '"')
		default:
			b = appendFixed(append(b, m.text[:m.name]...), d.Amount.Decimal, w.columns[i].scale)
		}
	}
	return b
}

// appendValue appends a key or label.
func appendValue(b []byte, v cube.Value) []byte {
	if v.IsMissing() {
		return append(b, "null"...)
	}
	if n, ok := v.Int(); ok {
		return strconv.AppendInt(b, n, 10)
	}
	return appendString(b, v.String())
}

// appendString writes a JSON string. Only what JSON demands is escaped; bytes that are not UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	plain := utf8.ValidString(s)
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] >= ' ' && s[i] != '"' && s[i] != '\\'
	}
	if plain {
		return append(append(b, s...), '"')
	}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r < ' ':
			b = append(b, '\\', 'u', '0', '0', '0'+byte(r>>4), "0123456789abcdef"[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// answerHead is what comes before the cells of an answer.
type answerHead struct {
	Status         string `json:"status"`
	Cube           string `json:"cube"`
	Version        int    `json:"version"`
	Synthetic      bool   `json:"synthetic"`
	TotalCellCount int64  `json:"total_cell_count"`
}

// answerTail is what comes after the cells and their summary: the question as it was understood.
type answerTail struct {
	SummaryWithout []string       `json:"summary_without,omitempty"`
	Cell           []Cut          `json:"cell"`
	Aggregates     []string       `json:"aggregates"`
	Attributes     []string       `json:"attributes"`
	Measures       Object         `json:"measures"`
	Series         []Series       `json:"series,omitempty"` // of real terms and amounts per head
	Order          [][2]string    `json:"order"`
	Page           int            `json:"page,omitempty"` // absent where the answer is whole
	PageSize       *int           `json:"page_size,omitempty"`
	Warnings       []cube.Warning `json:"warnings"`

	Citation *Citation `json:"citation,omitempty"`
}

// JSON says how an answer is written as JSON.
type JSON struct {
	Quoted   bool // amounts as strings
	Links    bool // every cell with its cut and the level below
	Lang     cube.Language
	Citation *Citation // nil where none is asked for
}

// Aggregate writes a whole answer. Its cells, which may be ten thousand, are appended one by one between the head
// and the tail, which are small.
func Aggregate(r *answer.Answer, o JSON) []byte {
	cb := r.Plan.Cube()
	b := Marshal(answerHead{"ok", cb.Name, cb.Version, cb.Synthetic, r.Summary.Count})
	b = append(b[:len(b)-1], `,"cells":[`...)
	table := NewCellTable(r.Plan, o.Links)
	b = AppendRows(b, table.Columns, o.Quoted, len(r.Cells), func(i int) []Datum { return table.Row(&r.Cells[i]) })
	summary := table.Summary()
	b = append(b, `],"summary":`...)
	b = AppendRows(b, summary.Columns, o.Quoted, 1, func(int) []Datum { return summary.Row(&answer.Cell{Values: r.Summary.Values}) })
	b = append(b, ',')
	return append(b, Marshal(tail(r, o))[1:]...)
}

func tail(r *answer.Answer, o JSON) answerTail {
	p := r.Plan
	t := answerTail{
		SummaryWithout: p.SummaryWithout(),
		Cell:           Cuts(p),
		Aggregates:     []string{},
		Attributes:     p.Attributes(),
		Measures:       Measures(p.Measures(), o.Lang),
		Series:         NewSeries(p.Series()),
		Order:          [][2]string{},
		Warnings:       append([]cube.Warning{}, r.Warnings...),
		Citation:       o.Citation,
	}
	if page := p.Page(); page != query.Every {
		t.Page, t.PageSize = page.Number, &page.Size
	}
	for _, a := range p.Aggregates() {
		t.Aggregates = append(t.Aggregates, a.Name)
	}
	for _, s := range p.OrderAsked() {
		t.Order = append(t.Order, [2]string{p.SortName(s), s.Direction()})
	}
	return t
}

// Cut is one item of a cut as it was understood. Entries of one term are alternatives, different terms must all hold.
type Cut struct {
	Ref      string `json:"ref"`
	Term     int    `json:"term"`
	Operator string `json:"operator"`
	Value    []any  `json:"value"`
	Not      bool   `json:"not,omitempty"`
	Default  bool   `json:"default,omitempty"`
}

// Cuts lists the cuts of a plan, those that it added among them.
func Cuts(p *plan.Plan) []Cut {
	cuts := []Cut{}
	for term, f := range p.AllFilters() {
		for _, item := range f.Echo {
			cut := Cut{f.Ref, term, ":", Plain(item.Values), f.Not, f.Default}
			for i, edition := range item.Editions {
				if edition != "" {
					cut.Value[i] = item.Values[i].String() + edition
				}
			}
			switch {
			case item.Op == query.OpRange:
				cut.Operator = ".."
			case item.Op == query.OpMatch:
				cut.Operator = "~"
			case item.Path:
				cut.Value = []any{cut.Value}
			}
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

// Plain gives values as JSON has them.
func Plain(values []cube.Value) []any {
	list := make([]any, len(values))
	for i, v := range values {
		if n, ok := v.Int(); ok {
			list[i] = n
		} else if !v.IsMissing() {
			list[i] = v.String()
		}
	}
	return list
}

// Measures gives measures as an object by ref, in their order, with their titles in a language.
func Measures(list []cube.Measure, lang cube.Language) Object {
	object := make(Object, len(list))
	for i, m := range list {
		object[i] = Member{m.Ref, NewMeasure(m, lang)}
	}
	return object
}

// Measure is a measure; what is unknown is left out.
type Measure struct {
	Ref       string `json:"ref,omitempty"`
	Title     string `json:"title,omitempty"`
	Currency  string `json:"currency,omitempty"`
	Unit      int64  `json:"unit,omitempty"`
	Phase     string `json:"phase,omitempty"`
	Direction string `json:"direction,omitempty"`
	Kind      string `json:"kind,omitempty"`
}

// NewMeasure gives what is known of a measure but its ref, with its title in a language.
func NewMeasure(m cube.Measure, lang cube.Language) Measure {
	return Measure{"", cmp.Or(m.Titles.In(lang), m.Title), m.Currency, m.Unit, m.Phase, m.Direction, m.Kind}
}

// Series says what a series of prices or of inhabitants is, without its values.
type Series struct {
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	Country   string          `json:"country"`
	Unit      cube.SeriesUnit `json:"unit"`
	Source    string          `json:"source"`
	License   string          `json:"license"`
	Updated   string          `json:"updated"`
	FirstYear int64           `json:"first_year"`
	LastYear  int64           `json:"last_year"`
}

// NewSeries describes series.
func NewSeries(all []cube.Series) []Series {
	var list []Series
	for _, s := range all {
		first, last := s.Years()
		list = append(list, Series{s.Name, s.Title, s.Country, s.Unit, s.Source, s.License, s.Updated, first, last})
	}
	return list
}

// Tree writes the nodes inside each other.
func Tree(r *answer.Answer, o JSON) []byte {
	cb := r.Plan.Cube()
	w := nodeWriter{plan: r.Plan, table: NewCellTable(r.Plan, false).Summary()}
	w.aggregates = newRowWriter(w.table.Columns, o.Quoted)
	b := Marshal(answerHead{"ok", cb.Name, cb.Version, cb.Synthetic, r.Summary.Count})
	b = w.nodes(append(b[:len(b)-1], `,"nodes":`...), nested(r))
	b = append(b, `,"summary":{`...)
	b = w.aggregates.append(b, w.table.Row(&answer.Cell{Values: r.Summary.Values}))
	b = append(b, `},`...)
	return append(b, Marshal(tail(r, o))[1:]...)
}

// node is a row of a rollup with the rows it adds up.
type node struct {
	cell     answer.Cell
	children []*node
}

// nested puts the rows of a rollup, each of which comes before those below it, inside each other.
func nested(r *answer.Answer) []*node {
	root := &node{}
	open := []*node{root} // the node of each depth that the next row may belong to
	for _, cell := range r.Cells {
		depth := depthOf(r.Plan, cell)
		n := &node{cell: cell}
		open[depth].children = append(open[depth].children, n)
		open = append(open[:depth+1], n)
	}
	return root.children
}

// depthOf counts the steps above that of a row. The remainder of top is beside the last ones.
func depthOf(p *plan.Plan, cell answer.Cell) int {
	steps := p.Steps()
	if cell.Others > 0 {
		return len(steps) - 1
	}
	return slices.IndexFunc(steps, func(s plan.Step) bool { return s.Keys == len(cell.Keys) })
}

// nodeWriter appends nodes as JSON.
type nodeWriter struct {
	plan       *plan.Plan
	table      *CellTable // the aggregates
	aggregates *rowWriter
}

func (w *nodeWriter) nodes(b []byte, list []*node) []byte {
	b = append(b, '[')
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = w.node(b, n)
	}
	return append(b, ']')
}

func (w *nodeWriter) node(b []byte, n *node) []byte {
	b = w.head(append(b, '{'), n.cell)
	b = w.aggregates.append(append(b, ','), w.table.Row(&n.cell))
	if len(n.children) > 0 {
		b = w.nodes(append(b, `,"children":`...), n.children)
	}
	return append(b, '}')
}

// head names the member of a node, and the level to ask for next where it has no children here.
func (w *nodeWriter) head(b []byte, cell answer.Cell) []byte {
	if cell.Others > 0 {
		return strconv.AppendInt(append(b, `"_others":`...), cell.Others, 10)
	}
	key, level := w.plan.Member(cell.Keys)
	label := cube.Text(key.String()) // without a label the key is its label
	if level >= 0 && !cell.Labels[level].IsMissing() {
		label = cell.Labels[level]
	}
	b = appendString(append(b, `"path":`...), w.plan.PathOf(cell.Keys))
	b = appendValue(append(b, `,"key":`...), key)
	b = appendValue(append(b, `,"label":`...), label)
	if below := w.plan.Below(len(cell.Keys)); below != "" {
		b = appendString(append(b, `,"_drilldown":`...), below)
	}
	return b
}

// factHead is what comes before the facts of an answer.
type factHead struct {
	Status         string   `json:"status"`
	Cube           string   `json:"cube"`
	Version        int      `json:"version"`
	Synthetic      bool     `json:"synthetic"`
	TotalFactCount int64    `json:"total_fact_count"`
	Fields         []string `json:"fields"`
}

// factTail is what comes after them.
type factTail struct {
	Next     *string        `json:"next"`
	Cell     []Cut          `json:"cell"`
	Order    [][2]string    `json:"order"`
	PageSize int            `json:"page_size"`
	Warnings []cube.Warning `json:"warnings"`
}

// Facts writes a page of facts.
func Facts(page *answer.FactPage, quoted bool) []byte {
	p, table := page.Plan, NewFactTable(page.Plan)
	b := Marshal(factHead{"ok", p.Cube().Name, p.Cube().Version, p.Cube().Synthetic, page.Total, names(table.Columns)})
	b = append(b[:len(b)-1], `,"facts":[`...)
	b = AppendRows(b, table.Columns, quoted, len(page.Facts), func(i int) []Datum { return table.Row(page.Facts[i]) })
	b = append(b, `],`...)
	t := factTail{
		Cell:     Cuts(p.Counting()),
		Order:    [][2]string{},
		PageSize: p.Size(),
		Warnings: append([]cube.Warning{}, page.Warnings...),
	}
	if page.Next != "" {
		t.Next = &page.Next
	}
	for _, s := range p.OrderAsked() {
		t.Order = append(t.Order, [2]string{p.SortName(s), s.Direction()})
	}
	return append(b, Marshal(t)[1:]...)
}

// MemberWriter appends members as JSON, one after the other.
type MemberWriter struct {
	Plan *plan.MemberPlan
	Rows int                 // that are written
	same map[string][]string // what members are the same as, by their paths
}

// membersHead is what comes before the members.
type membersHead struct {
	Status           string `json:"status"`
	Cube             string `json:"cube"`
	Version          int    `json:"version"`
	Synthetic        bool   `json:"synthetic"`
	TotalMemberCount int64  `json:"total_member_count"`
}

// membersTail is what comes after them.
type membersTail struct {
	Page     int            `json:"page"`
	PageSize int            `json:"page_size"`
	Warnings []cube.Warning `json:"warnings"`
}

// Begin appends what comes before the members.
func (m *MemberWriter) Begin(b []byte, total int64) []byte {
	cb := m.Plan.Cube()
	head := Marshal(membersHead{"ok", cb.Name, cb.Version, cb.Synthetic, total})
	return append(append(b, head[:len(head)-1]...), `,"members":[`...)
}

// Append appends a member.
func (m *MemberWriter) Append(b []byte, row plan.MemberRow) []byte {
	if m.Rows++; m.Rows > 1 {
		b = append(b, ',')
	}
	return appendMember(b, m.Plan.Path(), row, m.sameAs(row))
}

// End appends what comes after the members.
func (m *MemberWriter) End(b []byte, warnings []cube.Warning) []byte {
	page := m.Plan.Page()
	if page == query.Every {
		page.Size = m.Rows
	}
	tail := Marshal(membersTail{page.Number, page.Size, append([]cube.Warning{}, warnings...)})
	return append(append(b, "],"...), tail[1:]...)
}

// sameAs gives the path of the member of an earlier edition that a member is the same as, or "".
func (m *MemberWriter) sameAs(row plan.MemberRow) string {
	level := m.Plan.Level()
	if len(level.SameAs) == 0 {
		return ""
	}
	if m.same == nil {
		m.same = map[string][]string{}
		for _, s := range level.SameAs {
			m.same[strings.Join(s.Path, "\x00")] = s.SameAs
		}
	}
	if other, ok := m.same[strings.Join(each.Text(row.Path, cube.Value.String), "\x00")]; ok {
		return plan.PathText(m.Plan.Path(), other)
	}
	return ""
}

func appendMember(b []byte, path []cube.Column, row plan.MemberRow, sameAs string) []byte {
	b = appendString(append(b, `{"path":`...), query.PathText(path, row.Path))
	b = appendValue(append(b, `,"key":`...), row.Path[len(row.Path)-1])
	b = appendValue(append(b, `,"label":`...), row.Label)
	b = append(b, `,"labels":[`...)
	for i, use := range row.Labels {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendLabelUse(b, use)
	}
	b = append(b, ']')
	if sameAs != "" {
		b = appendString(append(b, `,"same_as":`...), sameAs)
	}
	b = append(b, `,"years":`...)
	if row.First.IsMissing() {
		b = append(b, "null"...)
	} else {
		b = append(appendValue(append(appendValue(append(b, '['), row.First), ','), row.Last), ']')
	}
	return append(strconv.AppendInt(append(b, `,"rows":`...), row.Rows, 10), '}')
}

func appendLabelUse(b []byte, use plan.LabelUse) []byte {
	b = append(appendString(append(b, `{"label":`...), use.Text), `,"years":[`...)
	for i, year := range use.Years {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, year, 10)
	}
	return append(b, "]}"...)
}
