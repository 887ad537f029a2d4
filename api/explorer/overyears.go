package explorer

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/query"
)

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
