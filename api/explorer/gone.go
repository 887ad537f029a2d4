package explorer

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// goneApart gives the cells of a comparison with what is gone apart from the others, which are compared with what they were alone: with
// nothing among more members than a page can have, where that is not known.
func (w *view) goneApart() ([]answer.Cell, error) {
	cells := slices.Clone(w.answer.Cells)
	at := slices.IndexFunc(cells, func(c answer.Cell) bool { return c.Others > 0 && w.valueIn(query.RoleEarlier, c.Values).Valid })
	if at < 0 || len(w.drilled()) != 1 || notOneWhole(w.answer.Plan) != "" {
		return cells, nil
	}
	q := w.answers
	q.Order, q.Top, q.Remainder, q.Page = nil, 0, false, query.Page{Number: 1, Size: query.MaxPageSize}
	found, err := w.Ask(w.cb, q)
	if err != nil {
		return nil, err
	}
	if found.Summary.Count > query.MaxPageSize {
		cells[at] = w.since(cells[at], decimal.NullDecimal{})
		return cells, nil
	}
	var gone, left []answer.Cell
	before := w.valueIn(query.RoleEarlier, cells[at].Values)
	lost := answer.Cell{Change: answer.ChangeGone, Values: make([]decimal.NullDecimal, len(cells[at].Values))}
	for _, c := range found.Cells {
		isSame := func(shown answer.Cell) bool {
			return shown.Others == 0 && plan.KeysID(shown.Keys) == plan.KeysID(c.Keys)
		}
		switch earlier := w.valueIn(query.RoleEarlier, c.Values); {
		case slices.ContainsFunc(cells, isSame):
		case w.changeOf(c) == answer.ChangeGone:
			gone, before.Decimal = append(gone, c), before.Decimal.Sub(earlier.Decimal)
		default:
			left = append(left, c)
		}
	}
	if len(gone) == 0 {
		return cells, nil
	}
	sum := w.valueIn(query.RoleEarlier, cells[at].Values)
	sum.Decimal = sum.Decimal.Sub(before.Decimal)
	lost.Others, cells[at].Others = int64(len(gone)), int64(len(left))
	cells[at], lost = w.since(cells[at], before), w.since(lost, sum)
	if len(left) < 2 {
		cells = slices.Replace(cells, at, at+1, left...)
	}
	if len(gone) < 2 {
		lost = gone[0]
	}
	return append(cells, lost), nil
}

// since is a cell whose first amount is compared with another amount before.
func (w *view) since(c answer.Cell, before decimal.NullDecimal) answer.Cell {
	c.Values = slices.Clone(c.Values)
	difference := decimal.NullDecimal{Decimal: c.Values[0].Decimal.Sub(before.Decimal), Valid: before.Valid}
	for i, a := range w.answer.Plan.Aggregates() {
		switch {
		case !w.isOfMain(a):
		case a.Role == query.RoleEarlier:
			c.Values[i] = before
		case a.Role == query.RoleDifference:
			c.Values[i] = difference
		case a.Role == query.RolePercentage:
			c.Values[i] = percentOf(difference.Decimal, before.Decimal.Abs())
			c.Values[i].Valid = c.Values[i].Valid && before.Valid
		}
	}
	return c
}
