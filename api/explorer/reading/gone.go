package reading

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// others is the place of the cell that adds up the members beyond the first ones, if it is compared with the year before; else -1.
func others(r *Reading) int {
	if len(r.Drilled()) != 1 || !r.IsOneWhole() {
		return -1
	}
	return slices.IndexFunc(r.Answer.Cells, func(c answer.Cell) bool { return c.Others > 0 && r.ValueIn(query.RoleEarlier, c.Values).Valid })
}

// OfAllMembers asks for all members of a comparison of which some are added up as others; ok tells whether there are such.
func OfAllMembers(r *Reading) (q query.Query, ok bool) {
	q = r.Question
	q.Order, q.Top, q.Remainder, q.Page = nil, 0, false, query.Page{Number: 1, Size: query.MaxPageSize}
	return q, others(r) >= 0
}

// MembersThere asks how many members have rows, where others are added up that may be gone.
func MembersThere(r *Reading) (q query.Query, ok bool) {
	q, ok = OfAllMembers(r)
	q.Compare, q.Aggregates, q.Page.Size = nil, []query.AggregateRef{r.Asked()}, 1
	return q, ok
}

// GoneApart gives the cells of a comparison with what is gone apart from the others, which are compared with what they were alone: with
// nothing among more members than a page can have, where that is not known. All is the answer that OfAllMembers asks for, if it asks.
func GoneApart(r *Reading, all *answer.Answer) []answer.Cell {
	cells, at := slices.Clone(r.Answer.Cells), others(r)
	if at < 0 || all == nil {
		return cells
	}
	if all.Summary.Count > query.MaxPageSize {
		cells[at] = since(r, cells[at], decimal.NullDecimal{})
		return cells
	}
	var gone, left []answer.Cell
	sum := r.ValueIn(query.RoleEarlier, cells[at].Values)
	before := sum
	for _, c := range all.Cells {
		isSame := func(shown answer.Cell) bool {
			return shown.Others == 0 && plan.KeysID(shown.Keys) == plan.KeysID(c.Keys)
		}
		switch {
		case slices.ContainsFunc(cells, isSame):
		case r.ChangeOf(c) == answer.ChangeGone:
			gone, before.Decimal = append(gone, c), before.Decimal.Sub(r.ValueIn(query.RoleEarlier, c.Values).Decimal)
		default:
			left = append(left, c)
		}
	}
	if len(gone) == 0 {
		return cells
	}
	sum.Decimal = sum.Decimal.Sub(before.Decimal)
	lost := since(r, answer.Cell{Change: answer.ChangeGone, Others: int64(len(gone)), Values: make([]decimal.NullDecimal, len(cells[at].Values))}, sum)
	cells[at].Others = int64(len(left))
	cells[at] = since(r, cells[at], before)
	if len(left) < 2 {
		cells = slices.Replace(cells, at, at+1, left...)
	}
	if len(gone) < 2 {
		lost = gone[0]
	}
	return append(cells, lost)
}

// since is a cell whose first amount is compared with another amount before.
func since(r *Reading, c answer.Cell, before decimal.NullDecimal) answer.Cell {
	c.Values = slices.Clone(c.Values)
	difference := decimal.NullDecimal{Decimal: c.Values[0].Decimal.Sub(before.Decimal), Valid: before.Valid}
	for i, a := range r.Plan.Aggregates() {
		switch {
		case !r.IsOfMain(a):
		case a.Role == query.RoleEarlier:
			c.Values[i] = before
		case a.Role == query.RoleDifference:
			c.Values[i] = difference
		case a.Role == query.RolePercentage:
			c.Values[i] = PercentOf(difference.Decimal, before.Decimal.Abs())
			c.Values[i].Valid = c.Values[i].Valid && before.Valid
		}
	}
	return c
}
