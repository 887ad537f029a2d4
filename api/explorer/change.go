package explorer

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

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
