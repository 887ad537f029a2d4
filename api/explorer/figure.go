package explorer

import (
	"cmp"
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
	"fiscube/internal/each"
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
	return w.Fill(w.Words.ByLevel, strings.Join(each.Text(drilled, func(l cube.Level) string { return w.levelTitle(w.cb.Model, l) }), ", "))
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

// change explains the change since the year before, or since that which the question compares with: by how much each member grew or shrank. A member leads to its own change on
// the level below.
func (p *Pages) change(w *view) (drawing, error) {
	level, hasYears := w.cb.Model.YearLevel()
	year, ok := w.yearCut()
	switch {
	case !hasYears:
		return w.refusedUntil(noYears, nil), nil
	case !ok:
		years, _, _ := w.years()
		return w.refusedUntil(noYear, slices.DeleteFunc(years, func(c choice) bool { return c.Text == w.Words.AllYears })), nil
	case len(w.drilled()) == 0:
		return w.refusedUntil(noLevel, w.levels()), nil
	}
	q := w.question()
	q.Compare = &query.Compare{Ref: query.Ref{Name: level.Ref}, Offset: w.offset()}
	found, err := p.ask(w.visit, w.cb, q)
	if err != nil {
		return nil, err
	}
	of := w.withAnswer(found)
	if r := of.tooMany(); r != nil {
		return refusing(*r), nil
	}
	before := slices.IndexFunc(found.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Role == query.RoleEarlier })
	if notOneWhole(found.Plan) == "" && !(found.Summary.Values[0].Valid && found.Summary.Values[before].Valid) {
		return w.refusedUntil(noComparison, nil), nil
	}
	from, to := of.inYear(year+w.offset(), found.Summary.Values[before]), of.inYear(year, found.Summary.Values[0])
	parts := of.differences(before)
	return func(width int) (chart.Figure, *refusal) {
		f := of.frameOf(width, 0)
		if others := f.Others; others != nil {
			f.Others = func(kind chart.Kind, members int, value decimal.Decimal) chart.Part {
				made := others(kind, members, value)
				made.Amount = signed(value, made.Amount)
				made.Title = titled(made.Label, made)
				return made
			}
		}
		made, r := chart.Change(f, from, to, parts)
		return made, of.refused(r)
	}, nil
}

// offset leads from the year of the view to the one that it is compared with.
func (w *view) offset() int64 {
	if c := w.a.q.Compare; c != nil && c.Ref.Name == yearOf(w.cb.Model).Name {
		return c.Offset
	}
	return -1
}

// inYear is the whole of a year.
func (w *view) inYear(year int64, amount decimal.NullDecimal) chart.Part {
	text := strconv.FormatInt(year, 10)
	a := w.a.with(equal(yearOf(w.cb.Model).Name, text))
	a.view = ""
	return chart.Part{Value: amount.Decimal, Label: text, Amount: w.number(0, amount), Title: text + ": " + w.number(0, amount), Href: a.String()}
}

// differences are the members that have another amount than in the year before, whose column is given.
func (w *view) differences(before int) []chart.Part {
	percentage := slices.IndexFunc(w.answer.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Role == query.RolePercentage })
	var parts []chart.Part
	for _, cell := range w.answer.Cells {
		difference := cell.Values[0].Decimal.Sub(cell.Values[before].Decimal) // what is null is nothing
		if difference.IsZero() {
			continue
		}
		down, _ := w.below(cell)
		made := chart.Part{
			Kind: kindOf(cell), Members: int(cell.Others), Value: difference, Label: w.nameOf(cell), Amount: signed(difference, w.exact(difference)), Href: down,
		}
		name := w.pathOf(cell)
		switch {
		case cell.Others > 0:
			made.Label = w.Fill(w.Words.Others, cell.Others)
			name = made.Label
		case cell.Change == answer.ChangeNew:
			made.Kind, made.Share = chart.New, w.Words.New
		case cell.Change == answer.ChangeGone:
			made.Kind, made.Share = chart.Gone, w.Words.Gone
		case cell.Values[percentage].Valid:
			made.Share = w.Change(cell.Values[percentage])
		}
		made.Title = titled(name, made)
		parts = append(parts, made)
	}
	return parts
}

// signed writes a difference with its sign.
func signed(d decimal.Decimal, text string) string {
	if d.IsPositive() {
		return "+" + text
	}
	return text
}

const (
	mostLinesDrawn = 5   // beside that of the whole
	mostYears      = 200 // of a line
)

// line shows the view over all years, and the largest members of the drilled level beside it.
func (p *Pages) line(w *view) (drawing, error) {
	level, ok := w.cb.Model.YearLevel()
	if !ok {
		return w.refusedUntil(noYears, nil), nil
	}
	isYear := func(field string) bool { return field == level.Ref }
	whole := w.a.without(isYear)
	total, err := p.inYears(w, whole, level)
	if err != nil {
		return nil, err
	}
	of := w.withAnswer(total)
	years := of.yearsOf()
	if len(years) > mostYears {
		return refusing(*w.refused(&chart.Refusal{Reason: chart.TooMany, Count: len(years), Limit: mostYears})), nil
	}
	lines := []chart.Series{of.series(w.Words.Total, years, whole, level)}
	for _, cell := range w.largest() {
		member := w.a.cuttingText(w.answer.Plan.CutOf(cell.Keys)).without(isYear)
		found, err := p.inYears(w, member, level)
		if err != nil {
			return nil, err
		}
		lines = append(lines, w.withAnswer(found).series(w.nameOf(cell), years, member, level))
	}
	return func(width int) (chart.Figure, *refusal) {
		f := of.frameOf(width, 0)
		f.Title = w.headingOf(asLine)
		made, r := chart.Lines(f, years, lines, func(d decimal.Decimal) string { return w.InWords(d, "") })
		return made, w.refused(r)
	}, nil
}

// inYears asks for the sum of a view in each year.
func (p *Pages) inYears(w *view, a address, level cube.Level) (*answer.Answer, error) {
	return p.ask(w.visit, w.cb, query.Query{
		Cuts: a.q.Cuts, Snapshots: a.q.Snapshots, Aggregates: mainAggregates(w.cb.Model, a.q.Aggregates)[:1],
		Drilldown: []query.Ref{{Name: level.Ref}}, Page: query.Page{Number: 1, Size: query.MaxPageSize},
	})
}

// largest are the cells with the largest amounts, unless they are times.
func (w *view) largest() []answer.Cell {
	if len(w.drilled()) == 0 || drillsTime(w.cb.Model, w.a.q) {
		return nil
	}
	cells := slices.DeleteFunc(slices.Clone(w.answer.Cells), func(c answer.Cell) bool { return c.Others > 0 || !c.Values[0].Valid || c.Level != "" })
	slices.SortStableFunc(cells, func(a, b answer.Cell) int { return b.Values[0].Decimal.Cmp(a.Values[0].Decimal) })
	return cells[:min(len(cells), mostLinesDrawn)]
}

// yearsOf lists the years from the first to the last with an amount. A year whose last statement is earlier than that of others
// is incomplete.
func (w *view) yearsOf() []chart.Year {
	var found []int64
	for _, cell := range w.answer.Cells {
		if year, err := strconv.ParseInt(cell.Keys[0].String(), 10, 64); err == nil && cell.Values[0].Valid {
			found = append(found, year)
		}
	}
	if len(found) == 0 {
		return nil
	}
	early := w.early()
	first, last := slices.Min(found), slices.Max(found)
	if last-first >= mostYears {
		return make([]chart.Year, mostYears+1)
	}
	var years []chart.Year
	for year := first; year <= last; year++ {
		text := strconv.FormatInt(year, 10)
		years = append(years, chart.Year{Label: text, Incomplete: early[text]})
	}
	return years
}

// early says of each year whose last statement is earlier than that of another, up to when it goes.
func (w *view) early() map[string]string {
	p, notes := w.answer.Plan, map[string]string{}
	history, level := w.cb.Model.History(), yearOf(w.cb.Model)
	if history == nil || p.CountsAll() || len(p.Periods()) == 0 {
		return notes
	}
	column := slices.IndexFunc(history.Columns, func(c cube.Column) bool { return c.Name == level.Name })
	latest := slices.MaxFunc(p.Periods(), func(a, b cube.Period) int { return cmp.Compare(a.Last().Rank, b.Last().Rank) }).Last()
	for _, period := range p.Periods() {
		if last := period.Last(); last.Rank < latest.Rank && column >= 0 && column < len(period.Key) {
			notes[period.Key[column].String()] = w.Fill(w.Words.UpToThen, last.Value.String())
		}
	}
	return notes
}

// series is the line of an answer by years.
func (w *view) series(label string, years []chart.Year, a address, level cube.Level) chart.Series {
	amounts := map[string]decimal.NullDecimal{}
	for _, cell := range w.answer.Cells {
		amounts[cell.Keys[0].String()] = cell.Values[0]
	}
	s := chart.Series{Label: label}
	for _, year := range years {
		amount := amounts[year.Label]
		point := chart.Point{None: !amount.Valid}
		if amount.Valid {
			point.Part = chart.Part{Value: amount.Decimal, Label: label, Amount: w.exact(amount.Decimal), Href: a.with(equal(level.Ref, year.Label)).String()}
			point.Title = label + ", " + year.Label + ": " + point.Amount
			if year.Incomplete != "" {
				point.Title += " (" + year.Incomplete + ")"
			}
		}
		s.Points = append(s.Points, point)
	}
	return s
}
