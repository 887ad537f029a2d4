package explorer

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// goneApart gives the cells of a comparison with what is gone apart from the others, which are then compared with what they were alone. Where
// it cannot be told apart, as among more members than a page can have, the others have no rate.
func (w *view) goneApart() ([]answer.Cell, error) {
	cells := w.answer.Cells
	isOthers := func(c answer.Cell) bool { return c.Others > 0 && w.valueIn(query.RoleEarlier, c.Values).Valid }
	at := slices.IndexFunc(cells, isOthers)
	if at < 0 {
		return cells, nil
	}
	q := w.answers
	q.Aggregates, q.Order, q.Top, q.Remainder = q.Aggregates[:1], nil, 0, false
	q.Page = query.Page{Number: 1, Size: query.MaxPageSize}
	found, err := w.Ask(w.cb, q)
	if err != nil {
		return nil, err
	}
	cells = slices.Clone(cells)
	if found.Summary.Count > query.MaxPageSize || slices.ContainsFunc(cells[at+1:], isOthers) || notOneWhole(w.answer.Plan) != "" {
		for i, c := range cells {
			if isOthers(c) {
				cells[i] = w.lessGone(c, nil, nil)
			}
		}
		return cells, nil
	}
	all := w.withAnswer(found)
	var gone, left []answer.Cell
	for _, c := range found.Cells {
		isShown := func(shown answer.Cell) bool {
			return shown.Others == 0 && plan.KeysID(shown.Keys) == plan.KeysID(c.Keys)
		}
		switch {
		case slices.ContainsFunc(cells, isShown):
		case all.changeOf(c) == answer.ChangeGone:
			gone = append(gone, c)
		default:
			left = append(left, c)
		}
	}
	if len(gone) == 0 {
		return cells, nil
	}
	sum := decimal.Zero
	for _, c := range gone {
		sum = sum.Add(all.valueIn(query.RoleEarlier, c.Values).Decimal)
	}
	rest := w.lessGone(cells[at], left, &sum)
	lost := w.lessGone(cells[at], gone, nil)
	lost.Change = answer.ChangeGone
	for i, a := range w.answer.Plan.Aggregates() {
		switch lost.Values[i] = (decimal.NullDecimal{}); {
		case !w.isOfMain(a):
		case a.Role == query.RoleEarlier:
			lost.Values[i] = decimal.NewNullDecimal(sum)
		case a.Role == query.RoleDifference:
			lost.Values[i] = decimal.NewNullDecimal(sum.Neg())
		}
	}
	if cells[at] = rest; len(left) == 0 {
		cells = slices.Delete(cells, at, at+1)
	}
	return append(cells, lost), nil
}

// lessGone is the sum of the others for some of them, without the amount that those that are gone had before; without any rate if that is
// not known. Of one member it has the name.
func (w *view) lessGone(others answer.Cell, left []answer.Cell, before *decimal.Decimal) answer.Cell {
	others.Values = slices.Clone(others.Values)
	if len(left) > 0 {
		others.Others = int64(len(left))
	}
	if len(left) == 1 {
		others.Others, others.Keys, others.Labels, others.Change = 0, left[0].Keys, left[0].Labels, left[0].Change
	}
	if before != nil {
		for i, a := range w.answer.Plan.Aggregates() {
			switch value := &others.Values[i]; {
			case !value.Valid || !w.isOfMain(a):
			case a.Role == query.RoleEarlier:
				value.Decimal = value.Decimal.Sub(*before)
			case a.Role == query.RoleDifference:
				value.Decimal = value.Decimal.Add(*before)
			}
		}
	}
	for i, a := range w.answer.Plan.Aggregates() {
		if a.Role != query.RolePercentage || !w.isOfMain(a) {
			continue
		}
		if others.Values[i] = (decimal.NullDecimal{}); before != nil {
			difference := decimal.NewNullDecimal(w.differenceOf(others.Values).Mul(hundred))
			earlier := w.valueIn(query.RoleEarlier, others.Values)
			earlier.Decimal = earlier.Decimal.Abs()
			others.Values[i] = answer.Quotient(difference, earlier, a.Scale)
		}
	}
	return others
}
