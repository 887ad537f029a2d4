// Package published has the page of a line of a published file, with those around it.
package published

import (
	"cmp"
	"embed"
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/asks"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

//go:embed lines.html
var sources embed.FS

var template = site.Template(sources, "lines.html")

// around is how many lines a page shows before and after the one that is asked for.
const around = 10

// linesPage shows lines of a published file.
type linesPage struct {
	site.Reader
	Title, CubeTitle, CubeLink string
	NumberLink                 string // leads to the number that the line was opened from, if any
	Hash, File                 string
	Report                     string       // leads to how the data was loaded
	Beyond                     *site.Choice // the file ends before the line that was asked for: leads to its last one
	Fields                     []cell       // of the line that was asked for
	Columns                    string       // heads the columns that amounts stood in, where several facts stand in one line
	Header                     []head
	Rows                       []published
	Before, After              string
}

// published is a line of a file as it was loaded.
type published struct {
	Line  int64
	Link  string // leads to its fields
	Stood string // the columns that its amounts stood in
	Cells []string
	Is    bool // the line that was asked for
}

// head is the head of a column: for people, and as the file has it.
type head struct {
	Title, Name string // no Title if they are the same
	IsAmount    bool
	place       int // of the column in the file
}

// cell is a field of a line, with what it has there.
type cell struct {
	Title, Name string // for people, and in the file; no Title if they are the same
	Text        string
	Asked       bool // it is of the number that the line was opened from
}

// visit is a request for the page of a line.
type visit struct{ *site.Visit }

// Page shows the published lines around one line.
func Page(of *site.Visit) (*site.Frame, error) {
	v := &visit{of}
	cb, err := v.Cube()
	if err != nil {
		return nil, err
	}
	wanted := int64(2) // the first below the header
	if text, ok := v.Given[request.Line.Name]; ok {
		if wanted, err = request.LineNumber(text); err != nil {
			return nil, err
		}
	}
	bound, header, index, err := plan.LinesOf(cb, request.Path(v.Context, "resource"), wanted, around)
	if err != nil {
		return nil, err
	}
	number, asked, stood, err := v.openedFrom(cb, plan.Fact{Resource: index, Line: wanted})
	if err != nil {
		return nil, err
	}
	resource := cb.Resources[index]
	facts, err := v.factsOf(bound)
	if err != nil {
		return nil, err
	}
	page := linesPage{
		Reader: v.Reader, Title: v.Say("number.line-of", "Line", strconv.FormatInt(wanted, 10), "File", resource.Path), CubeTitle: v.TitleOfCube(cb), CubeLink: v.Explore(cb).String(),
		Hash: resource.Found.Hash, File: v.FileOf(cb, resource), Report: v.Report(cb), Header: v.headsOfLines(cb, bound, header, asked),
	}
	a := v.LinesOf(cb, resource)
	if number.Path != "" {
		page.NumberLink, a.Number = number.String(), v.PageParameter("_number")
	}
	if bound.HasColumn() {
		page.Columns = plan.ColumnField
	}
	for _, fact := range facts {
		row := published{Line: fact.Line, Link: a.ToLine(fact.Line), Is: fact.Line == wanted, Cells: v.cellsOf(bound, fact, page.Header)}
		if bound.HasColumn() {
			row.Stood = bound.ColumnOf(fact).String()
			row.Is = row.Is && (stood == "" || slices.Contains(strings.Split(row.Stood, "|"), stood))
		}
		page.Rows = append(page.Rows, row)
		if row.Is && page.Fields == nil {
			page.Fields = v.fieldsOf(cb, bound, fact, header, asked)
		}
	}
	if len(page.Rows) == 0 {
		last, err := v.lastLine(bound, index, resource.Found.Rows, wanted)
		if err != nil {
			return nil, err
		}
		if last > 0 {
			page.Beyond = &site.Choice{Text: v.Say("number.no-such-line", "Line", v.Whole(wanted), "Last", v.Whole(last)), Link: a.ToLine(last)}
		}
	} else if wanted > around {
		page.Before = a.ToLine(max(wanted-2*around, 2))
	}
	if len(page.Rows) > 2*around {
		page.After = a.ToLine(wanted + 2*around)
	}
	f := v.Frame(template, page.Title, page)
	f.MadeUp = cb.Synthetic
	return f, nil
}

// openedFrom gives the page of the number that a line was opened from, without a path if there is none, and the published fields that
// the number is of: that of its amounts, and those by which it is cut. A line that is none of the number's has no such fields. Where several
// facts stand in one line it gives the column of the file that the first of the number stood in.
func (v *visit) openedFrom(cb *cube.Cube, line plan.Fact) (a site.Address, fields []string, stood string, err error) {
	given, err := request.Read(v.PageParameter("_number"), asks.QuestionParameters)
	if err != nil || len(given) == 0 {
		return a, nil, "", nil
	}
	q, err := query.Parse(given)
	if err != nil {
		return a, nil, "", nil
	}
	bound, err := plan.Bind(cb, q)
	if err != nil {
		return a, nil, "", nil
	}
	a = v.Explore(cb)
	a.Query = q
	if len(bound.Financing()) > 0 {
		a.Financing = selection.FinancingIn
	}
	a = a.At(a.Path + "/number")
	isOf, stood, err := v.isOf(bound, q, line)
	if err != nil || !isOf {
		return a, nil, "", err
	}
	for _, measure := range bound.Aggregates()[0].Measures() {
		fields = append(fields, publishedFields(cb.Model, measure)...)
	}
	for _, f := range bound.FiltersAsked() {
		for _, test := range slices.Concat(f.Any...) {
			level, _ := cb.Model.Level(test.Column.Name)
			for _, name := range []string{test.Column.Name, level.LabelRef} {
				fields = append(fields, publishedFields(cb.Model, name)...)
			}
		}
	}
	return a, fields, stood, nil
}

// isOf tells whether a line is among those that make up a number, and in which column the first amount of it stood, where several stand in
// one line.
func (v *visit) isOf(number *plan.Plan, asked query.Query, line plan.Fact) (is bool, stood string, err error) {
	q := query.FactQuery{Cuts: asked.Cuts, Snapshots: number.FactSnapshots(), Size: 1}
	for _, measure := range number.Aggregates()[0].Measures() {
		q.Fields = append(q.Fields, query.Ref{Name: measure})
		q.Cuts = slices.Concat(q.Cuts, plan.CutsOf(number.Cube().Model, measure))
	}
	bound, err := plan.BindFacts(number.Cube(), q)
	if err != nil {
		return false, "", nil // such a number has no lines
	}
	before := plan.Fact{Resource: line.Resource, Line: line.Line - 1}
	found, err := v.Limiter.FactPage(v.Request().Context(), limits.TimingOf(v.Context), bound.From(before, 1), v.Language)
	if err != nil || len(found.Facts) == 0 {
		return false, "", err
	}
	fact := found.Facts[0]
	if found.Plan.HasColumn() {
		stood, _, _ = strings.Cut(found.Plan.ColumnOf(fact).String(), "|")
	}
	return fact.Resource == line.Resource && fact.Line == line.Line, stood, nil
}

// publishedFields names the fields of files from whose cells those of a column are made.
func publishedFields(m *cube.Model, column string) (fields []string) {
	c, ok := m.Column(column)
	switch {
	case !ok:
		return nil
	case c.From == nil:
		return []string{column}
	}
	for _, field := range c.From.Fields {
		if field == column {
			fields = append(fields, field)
		} else if below := publishedFields(m, field); len(below) > 0 {
			fields = append(fields, below...)
		} else {
			fields = append(fields, field)
		}
	}
	return fields
}

// fieldsOf gives the fields of a line: those of the number first, its amounts before its members, then the other amounts, then the rest.
func (v *visit) fieldsOf(cb *cube.Cube, p *plan.FactPlan, fact plan.Fact, header, asked []string) []cell {
	var list []cell
	places := map[string]int{}
	for i, column := range p.Fields() {
		place := slices.Index(asked, header[i])
		made := cell{Title: v.titleOfField(cb.Model, header[i]), Name: header[i], Text: TextOf(v.Guest, fact.Values[i], column), Asked: place >= 0}
		if place < 0 {
			place = len(asked)
			if column.Type != cube.TypeDecimal {
				place++
			}
		}
		places[made.Name] = place
		list = append(list, made)
	}
	slices.SortStableFunc(list, func(a, b cell) int { return cmp.Compare(places[a.Name], places[b.Name]) })
	return list
}

// TextOf writes what a line has in a field.
func TextOf(v *site.Guest, value plan.FactValue, column cube.Column) string {
	if value.Amount.Valid {
		return v.Decimal(value.Amount.Decimal, int32(column.Scale))
	}
	return cmp.Or(value.Text(0), v.Say("view.missing"))
}

// titleOfField names a field of a file for people: as the column that it is or that is made of it; "" if none has a title.
func (v *visit) titleOfField(m *cube.Model, field string) string {
	if title := prose.FieldTitle(m, field, v.Language); title != "" {
		return title
	}
	for _, column := range m.Columns() {
		if column.From != nil && slices.Contains(column.From.Fields, field) {
			if title := prose.FieldTitle(m, column.Name, v.Language); title != "" {
				return title
			}
		}
	}
	return ""
}

// headsOfLines are the heads of the published columns, those first that tell what a line is: the fields of the number that it was opened from,
// the leading amount, the names of members and the other amounts.
func (v *visit) headsOfLines(cb *cube.Cube, p *plan.FactPlan, header, asked []string) []head {
	leading, _ := cb.Model.Leading()
	var amounts, names []string
	for _, m := range cb.Model.Measures() {
		amounts = append(amounts, publishedFields(cb.Model, m.Ref)...)
	}
	for _, level := range slices.Backward(cb.Model.Levels()) { // the deepest tell most
		if level.LabelRef != "" {
			names = append(names, publishedFields(cb.Model, level.LabelRef)...)
		}
	}
	first := slices.Concat(asked, publishedFields(cb.Model, leading.Ref), names, amounts)
	rank := func(h head) int {
		if i := slices.Index(first, h.Name); i >= 0 {
			return i
		}
		return len(first)
	}
	var list []head
	for i, name := range header {
		list = append(list, head{Title: v.titleOfField(cb.Model, name), Name: name, IsAmount: p.Fields()[i].Type == cube.TypeDecimal, place: i})
	}
	slices.SortStableFunc(list, func(a, b head) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

// cellsOf writes the published cells of a fact, in the order of heads.
func (v *visit) cellsOf(p *plan.FactPlan, fact plan.Fact, heads []head) []string {
	var list []string
	for _, h := range heads {
		value := fact.Values[h.place]
		text := value.Text(int32(p.Fields()[h.place].Scale))
		if h.IsAmount && value.Amount.Valid {
			text = TextOf(v.Guest, value, p.Fields()[h.place])
		}
		list = append(list, text)
	}
	return list
}

// lastLine finds the last line of a file, of so many rows, that was loaded and is before another line, which no line follows; 0 if there is
// none. It looks first where it is if each row is on one line.
func (v *visit) lastLine(p *plan.FactPlan, resource int, rows, before int64) (int64, error) {
	last, probes := int64(0), []int64{rows + 2, rows + 1} // line 1 is the header
	for last+1 < before {
		probe := last + (before-last)/2
		if len(probes) > 0 {
			probe, probes = min(max(probes[0], last+1), before-1), probes[1:]
		}
		found, err := v.lineFrom(p.From(plan.Fact{Resource: resource, Line: probe - 1}, 1))
		switch {
		case err != nil:
			return 0, err
		case found < probe:
			before = probe
		default:
			last = found
		}
	}
	return last, nil
}

// lineFrom is the line of the first fact of a plan; 0 if there is none.
func (v *visit) lineFrom(p *plan.FactPlan) (int64, error) {
	facts, err := v.factsOf(p)
	if err != nil || len(facts) == 0 {
		return 0, err
	}
	return facts[0].Line, nil
}

// factsOf reads the few facts of a plan. Whoever asks for more has to have closed them: there may be one slot for questions of large files.
func (v *visit) factsOf(p *plan.FactPlan) ([]plan.Fact, error) {
	facts, err := v.Limiter.OpenFacts(v.Request().Context(), limits.TimingOf(v.Context), p, v.Language)
	if err != nil {
		return nil, err
	}
	defer facts.Close()
	var list []plan.Fact
	for fact, err := range facts.Rows {
		if err != nil {
			return nil, err
		}
		list = append(list, fact)
	}
	return list, nil
}
