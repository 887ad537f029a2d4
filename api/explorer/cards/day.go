package cards

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/reading"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
)

// daysOfYear is how many days a year has, leap years aside.
var daysOfYear = decimal.NewFromInt(365)

// mostOfDay is how many parts of a day are named below its strip.
const mostOfDay = 4

// Day shows what is spent for each person on a day, and on what: the parts of a split by function, by the answer that says how much that is for each
// person in the year. It is nil where one of the two is not known.
func Day(split *reading.Reading, terms *answer.Answer) *layers.Card {
	if terms == nil || split.Cube.Functions == nil || split.DrilledAlone() != split.Cube.Functions.Level || !split.IsOneWhole() {
		return nil
	}
	at := slices.IndexFunc(terms.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Role == "" && a.ByYear != nil && a.ByYear.PerHead })
	whole := split.Answer.Summary.Values[0]
	if at < 0 || !terms.Summary.Values[at].Valid || !whole.Valid || !whole.Decimal.IsPositive() || split.IsStopped() {
		return nil
	}
	perDay := func(share decimal.Decimal) string {
		return split.Brief(terms.Summary.Values[at].Decimal.Mul(share).DivRound(daysOfYear, 2), split.Currency())
	}
	strip, place := &layers.Strip{}, decimal.Zero
	var told []string
	for _, cell := range split.Answer.Cells {
		share := cell.Values[0].Decimal.DivRound(whole.Decimal, 6)
		if share.IsNegative() {
			return nil // no part of a strip is less than nothing
		}
		part := layers.Part{
			Name: split.NameOf(cell), Share: perDay(share), X: place.String(), Width: share.Shift(2).String(),
			Class: "fill-member", Named: len(strip.Parts) < mostOfDay && cell.Others == 0,
		}
		if division := split.PurposeOf(cell); division != "" {
			part.Class = "fill-division-" + division
		}
		place = place.Add(share.Shift(2))
		strip.Parts, told = append(strip.Parts, part), append(told, part.Name+" "+part.Share)
	}
	strip.Told = strings.Join(told, "; ")
	return &layers.Card{ID: "day", Title: split.Say("picture.day", "Amount", perDay(decimal.NewFromInt(1))), Source: strings.Join(prose.SeriesUsed(terms.Plan, split.Locale), "; "), Strip: strip}
}
