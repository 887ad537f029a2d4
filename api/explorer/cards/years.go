package cards

import (
	"github.com/shopspring/decimal"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/query"
)

// Years is a number in each year as bars; nil of a single one.
func Years(r *reading.Reading, years []reading.Bar) *layers.Card {
	if len(years) < 2 {
		return nil
	}
	card := &layers.Card{ID: "years", Title: r.Say("home.by-years"), Unit: r.Unit(), Rows: &layers.Rows{}}
	for _, of := range years {
		card.Rows.Rows = append(card.Rows.Rows, layers.Row{
			Name: of.Text, Down: of.Link, Amount: of.Short, Open: of.Open, Exact: of.Amount, Change: of.Change, NowWide: of.Bar, Mark: of.Note,
		})
	}
	return card
}

// Stages asks, year by year, for what was spent and what was approved; ok is false where one of the two is not known, or the selection is of neither.
func Stages(s *selection.Selection) (q query.Query, ok bool) {
	year, isOfYear := s.Year()
	executed, approved, known := selection.Executed(s.Cube, year)
	main := s.Main()
	if !isOfYear || !known || main.Func != cube.Sum || main.ByYear != nil || main.Measure != executed.Ref && main.Measure != approved.Ref {
		return q, false
	}
	return s.ByYear(s.Address, selection.SumOf(executed), selection.SumOf(approved)), true
}

// SpentOfApproved shows, year by year, what was spent against what was approved: the answer that Stages asks for. It is nil where nothing of it can be shown.
func SpentOfApproved(s *selection.Selection, found *answer.Answer) *layers.Card {
	if found == nil {
		return nil
	}
	widest := decimal.Zero
	for _, cell := range found.Cells {
		widest = decimal.Max(widest, cell.Values[0].Decimal, cell.Values[1].Decimal)
	}
	verb := "picture.spent"
	if s.Measure().Direction == "revenue" {
		verb = "picture.received"
	}
	card := &layers.Card{ID: "spent", Title: s.Say("picture.spent-and-approved"), Unit: s.Say("picture.spent-and-approved-unit")}
	for _, cell := range found.Cells {
		spent, of := cell.Values[0], cell.Values[1]
		year, ok := cell.Keys[0].Int()
		if !ok || !spent.Decimal.IsPositive() || !of.Valid || of.Decimal.IsNegative() {
			continue
		}
		card.Pairs = append(card.Pairs, layers.Pair{
			Year: s.Years([]int64{year}), Spent: s.Say(verb, "Amount", s.Short(spent.Decimal)), Approved: s.Say("picture.approved", "Amount", s.Short(of.Decimal)),
			SpentWide: reading.BarOf(spent.Decimal, widest), ApprovedAt: reading.BarOf(of.Decimal, widest),
		})
	}
	if len(card.Pairs) == 0 {
		return nil
	}
	return card
}
