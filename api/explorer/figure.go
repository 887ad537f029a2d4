package explorer

import (
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

// The figures of a view, which the parameter _view names. Any other value is the table.
const (
	asTable   = "table"
	asBars    = "bars"
	asTreemap = "treemap"
	asLine    = "line"
	asChange  = "change"
	asSankey  = "sankey"
)

// Why a figure cannot be made from a question, beside the reasons of package chart.
const (
	noLevel      chart.Reason = "no-level"
	oneLevel     chart.Reason = "one-level"
	noYear       chart.Reason = "no-year"
	noYears      chart.Reason = "no-years"
	noComparison chart.Reason = "no-comparison"
)

// The widths of the figures in a page, for phones and for screens. The style sheet shows one of them.
const (
	smallWidth = 280
	largeWidth = 760
)

// figure is above the table, or says why it is not there.
type figure struct {
	Small, Large template.HTML
	Refused      string
	Choices      []choice // what may be chosen so that there is one
}

// drawing draws a figure for a width, or says why not.
type drawing func(width int) (chart.Figure, *refusal)

// refusal is a sentence, with the questions that would have a figure.
type refusal struct {
	text    string
	choices []choice
}

// ways are the links to the ways to show the cells.
func (w *view) ways() []choice {
	var list []choice
	taken := w.kind()
	for _, way := range []struct{ name, text string }{
		{asTable, w.Words.Table}, {asBars, w.Words.Bars}, {asTreemap, w.Words.Treemap}, {asLine, w.Words.OverYears},
		{asChange, w.Words.Change}, {asSankey, w.Words.Flows},
	} {
		a := w.a
		if a.view = way.name; way.name == asTable {
			a.view = ""
		}
		list = append(list, choice{Text: way.text, Link: a.String(), Taken: way.name == taken})
	}
	return list
}

// kind is the figure that the address names.
func (w *view) kind() string {
	switch w.a.view {
	case asBars, asTreemap, asLine, asChange, asSankey:
		return w.a.view
	}
	return asTable
}

// figure makes the figure of the page; a table has none.
func (p *Pages) figure(w *view) (*figure, error) {
	if w.kind() == asTable {
		return nil, nil
	}
	draw, err := p.drawing(w, w.kind())
	if err != nil {
		return nil, err
	}
	small, refused := draw(smallWidth)
	if refused == nil {
		var large chart.Figure
		if large, refused = draw(largeWidth); refused == nil {
			return &figure{Small: small.HTML(), Large: large.HTML()}, nil
		}
	}
	return &figure{Refused: refused.text, Choices: refused.choices}, nil
}

// drawing asks what a figure shows. A question that it cannot ask is a refusal.
func (p *Pages) drawing(w *view, kind string) (drawing, error) {
	makers := map[string]func(*view) (drawing, error){
		asBars: p.bars, asTreemap: p.treemap, asLine: p.line, asChange: p.change, asSankey: p.sankey,
	}
	made, err := makers[kind](w)
	if status := reply.Statuses[cube.CodeOf(err)]; status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge {
		return refusing(refusal{text: err.Error()}), nil
	}
	return made, err
}

func refusing(r refusal) drawing {
	return func(int) (chart.Figure, *refusal) { return chart.Figure{}, &r }
}

// refused says why there is no figure.
func (w *view) refused(r *chart.Refusal) *refusal {
	if r == nil {
		return nil
	}
	return &refusal{text: prose.NoFigure(prose.RefusedFigure{
		Reason: string(r.Reason), Label: r.Label, Amount: r.Amount, Count: r.Count, Limit: r.Limit,
	}, w.Language)}
}

// refusedUntil refuses a figure until something is chosen.
func (w *view) refusedUntil(reason chart.Reason, choices []choice) drawing {
	r := w.refused(&chart.Refusal{Reason: reason})
	r.choices = slices.DeleteFunc(slices.Clone(choices), func(c choice) bool { return c.Taken })
	return refusing(*r)
}

// frameOf is what the figures of a view have in common. Its parts are added up only if they are parts of one whole.
func (w *view) frameOf(width, parts int) chart.Frame {
	f := chart.Frame{Width: width, Title: w.headingOf(w.pictured()), Desc: w.unit(), NotOneWhole: notOneWhole(w.answer.Plan)}
	if f.NotOneWhole != "" {
		return f
	}
	f.Others = func(kind chart.Kind, members int, value decimal.Decimal) chart.Part {
		words := map[chart.Kind]string{chart.Others: w.Words.Others, chart.New: w.Words.NewOnes, chart.Gone: w.Words.GoneOnes}[kind]
		a := w.a
		if a.view = ""; kind == chart.Others && parts > members {
			a = a.asking(func(q *query.Query) { q.Page = query.Page{Number: 2, Size: parts - members} })
		}
		made := chart.Part{Label: w.Fill(words, members), Amount: w.exact(value), Href: a.String()}
		made.Title = titled(made.Label, made)
		return made
	}
	return f
}

// subtitle names the levels by which the view is broken down.
func (w *view) subtitle() string {
	drilled := w.drilled()
	if len(drilled) == 0 {
		return ""
	}
	return w.Fill(w.Words.ByLevel, strings.Join(cube.Texts(drilled, func(l cube.Level) string { return w.levelTitle(w.cb.Model, l) }), ", "))
}

// unit names what is added up, and in what.
func (w *view) unit() string {
	return prose.AggregateTitle(w.answer.Plan, w.answer.Plan.Aggregates()[0], w.Language)
}

// exact writes an amount of the first aggregate with all its digits.
func (w *view) exact(d decimal.Decimal) string { return w.number(0, decimal.NewNullDecimal(d)) }

// notOneWhole tells why the cells of a plan are no parts of one whole.
func notOneWhole(p *plan.Plan) chart.Reason {
	switch a := p.Aggregates()[0]; {
	case a.Func != cube.Sum && a.Func != cube.Rows && a.Func != cube.Count:
		return chart.NotASum
	case p.CountsAll() || p.SnapshotKey() >= 0:
		return chart.SameMoneyTwice
	}
	return ""
}

// question is what the view asks, for all its cells and the first aggregate alone.
func (w *view) question() query.Query {
	q := w.a.q
	q.Aggregates = mainAggregates(w.cb.Model, q.Aggregates)[:1]
	if q.Top == 0 {
		q.Order = nil
	}
	q.Rollup, q.Compare, q.Fill = false, nil, query.FillNone
	q.Page = query.Page{Number: 1, Size: query.MaxPageSize}
	return q
}

// withAnswer is the view with another answer.
func (w *view) withAnswer(r *answer.Answer) *view {
	other := *w
	other.answer = r
	return &other
}

// tooMany refuses an answer with more cells than a page can have.
func (w *view) tooMany() *refusal {
	count := w.answer.Summary.Count
	if count <= query.MaxPageSize {
		return nil
	}
	return w.refused(&chart.Refusal{Reason: chart.TooMany, Count: int(count), Limit: query.MaxPageSize})
}

// nameOf names the members of a cell on the drilled levels.
func (w *view) nameOf(cell answer.Cell) string { return w.namesOn(w.drilled(), cell) }

// pathOf names the members of a cell, and those above them.
func (w *view) pathOf(cell answer.Cell) string { return w.namesOn(w.shown(), cell) }

func (w *view) namesOn(levels []cube.Level, cell answer.Cell) string {
	return strings.Join(slices.Compact(cube.Texts(levels, func(l cube.Level) string { return w.memberOf(cell, l).Label })), " · ")
}

// titled writes what a part is in one line: its members, the amount, and the share or the rate.
func titled(name string, part chart.Part) string {
	if part.Share == "" {
		return name + ": " + part.Amount
	}
	return name + ": " + part.Amount + " (" + part.Share + ")"
}

// kindOf tells what a cell stands for.
func kindOf(cell answer.Cell) chart.Kind {
	switch {
	case cell.Others > 0:
		return chart.Others
	case len(cell.Keys) > 0 && cell.Keys[len(cell.Keys)-1].IsMissing():
		return chart.Missing
	}
	return chart.Member
}

// yearCut is the fiscal year that the view is of.
func (w *view) yearCut() (year int64, ok bool) {
	level, ok := w.cb.Model.YearLevel()
	if !ok {
		return 0, false
	}
	for _, c := range w.a.q.Cuts {
		if c.Ref.Name == level.Ref && !c.Not && len(c.Items) == 1 && c.Items[0].Op == query.OpEqual && len(c.Items[0].Path) == 1 {
			year, err := strconv.ParseInt(c.Items[0].Path[0].Text, 10, 64)
			return year, err == nil
		}
	}
	return 0, false
}
