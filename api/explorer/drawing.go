package explorer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/fold"
)

// Why a figure cannot be made from a question, beside the reasons of package chart.
const (
	noLevel      chart.Reason = "no-level"
	oneLevel     chart.Reason = "one-level"
	noYear       chart.Reason = "no-year"
	noYears      chart.Reason = "no-years"
	noComparison chart.Reason = "no-comparison"
)

// drawing draws a figure for a width, or says why not. What it tells is the same in sentences.
type drawing struct {
	draw func(width int) (chart.Figure, *refusal)
	told []string
}

// refusal is a sentence, with the questions that would have a figure.
type refusal struct {
	text    string
	choices []site.Choice
}

func refusing(r refusal) drawing {
	return drawing{draw: func(int) (chart.Figure, *refusal) { return chart.Figure{}, &r }}
}

// refused says why there is no figure.
func (w *view) refused(r *chart.Refusal) *refusal {
	if r == nil {
		return nil
	}
	return &refusal{text: prose.NoFigure(prose.RefusedFigure{
		Reason: string(r.Reason), Label: r.Label, Amount: r.Amount, Count: r.Count, Limit: r.Limit,
	}, w.Locale)}
}

// refusedUntil refuses a figure until something is chosen.
func (w *view) refusedUntil(reason chart.Reason, choices []site.Choice) drawing {
	r := w.refused(&chart.Refusal{Reason: reason})
	r.choices = slices.DeleteFunc(slices.Clone(choices), func(c site.Choice) bool { return c.Taken })
	return refusing(*r)
}

// kind is the figure that the address names.
func (w *view) kind() string {
	switch w.a.View {
	case asBars, asTreemap, asLine, asChange, asSankey:
		return w.a.View
	}
	return asTable
}

// pictured is the figure of a picture: that of the view. A table is shown as bars or, where nothing is ranked, as a line.
func (w *view) pictured() string {
	switch kind := w.kind(); {
	case kind != asTable:
		return kind
	case len(w.drilled()) > 0 && !drillsTime(w.cb.Model, w.a.Query):
		return asBars
	}
	return asLine
}

// headingOf says what a figure is about: a line is of all years, a change of two.
func (w *view) headingOf(kind string) string {
	title := w.title
	year, ok := w.yearCut()
	if ok && (kind == asLine || kind == asChange) {
		title = cmp.Or(strings.TrimSuffix(title, ", "+w.Years([]int64{year})), title)
	}
	if ok && kind == asChange {
		title += ", " + w.Say("compare.change-between", "First", strconv.FormatInt(year+w.offset(), 10), "Last", strconv.FormatInt(year, 10))
	}
	return strings.TrimSuffix(title+" – "+w.subtitle(), " – ")
}

// frameOf is what the figures of a view have in common. Its parts are added up only if they are parts of one whole.
func (w *view) frameOf(width, parts int) chart.Frame {
	f := chart.Frame{Width: width, Title: w.headingOf(w.pictured()), Desc: w.unit(), NotOneWhole: notOneWhole(w.answer.Plan)}
	if f.NotOneWhole != "" {
		return f
	}
	f.Others = func(kind chart.Kind, members int, value decimal.Decimal) chart.Part {
		message := map[chart.Kind]string{
			chart.Others: "view.others", chart.New: "figure.new-ones", chart.Gone: "figure.gone-ones", chart.Incomparable: "figure.incomparable-ones",
		}[kind]
		a := w.a
		if a.View = ""; kind == chart.Others && parts > members {
			a = a.Asking(func(q *query.Query) { q.Page = query.Page{Number: 2, Size: parts - members} })
		}
		made := chart.Part{Label: w.Say(message, "Count", members), Amount: w.exact(value), Href: a.String()}
		made.Title = titled(made.Label, made)
		return made
	}
	return f
}

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
	q := w.a.Query
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
	other.answer, other.called = r, nil
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
func (w *view) nameOf(cell answer.Cell) string {
	return w.namesOn(w.drilled(), cell) + w.codeBeside(cell)
}

// pathOf names the members of a cell, and those above them.
func (w *view) pathOf(cell answer.Cell) string {
	return w.namesOn(w.shown(), cell) + w.codeBeside(cell)
}

// codeBeside is the code of the last member of a cell where other cells, or the sum of the others, have its name too.
func (w *view) codeBeside(cell answer.Cell) string {
	levels := w.drilled()
	if w.called == nil {
		w.called = map[string]int{strings.Trim(fold.Text(w.Say("view.others", "Count", mostRows)), "0123456789 "): 1}
		for _, c := range w.answer.Cells {
			w.called[fold.Text(w.namesOn(levels, c))]++
		}
	}
	if name := w.namesOn(levels, cell); name != "" && w.called[fold.Text(name)] > 1 {
		if code := w.memberOf(cell, levels[len(levels)-1]).Code; code != "" {
			return " (" + code + ")"
		}
	}
	return ""
}

func (w *view) namesOn(levels []cube.Level, cell answer.Cell) string {
	return strings.Join(slices.Compact(each.Text(levels, func(l cube.Level) string { return w.memberOf(cell, l).Label })), " · ")
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
