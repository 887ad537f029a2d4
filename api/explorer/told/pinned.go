package told

import (
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube/answer"
)

// Pinned says how the served version answers what a page of another one asks: served is nil where it cannot.
func Pinned(r *reading.Reading, version int, served *answer.Answer) *layers.Pinned {
	a := r.Address
	a.Version = ""
	made := &layers.Pinned{
		Text: r.Say("view.pinned", "Version", strconv.Itoa(r.Cube.Version)), Now: site.Choice{Text: r.Say("view.served-now"), Link: a.String()},
	}
	how := r.Say("view.pinned-cannot")
	if served != nil {
		how = changedIn(r, served)
	}
	made.Served = r.Say("view.pinned-served", "Version", strconv.Itoa(version)) + " " + how + "."
	return made
}

// changedIn says by how much the answer of another version differs.
func changedIn(r *reading.Reading, found *answer.Answer) string {
	was, is := r.Answer.Summary.Values[0], found.Summary.Values[0]
	main := found.Plan.Aggregates()[0]
	inWords := func(d decimal.Decimal) string {
		return r.Brief(d, selection.CurrencyOf(found.Plan.Cube().Model, main))
	}
	switch {
	case was.Valid && is.Valid && was.Decimal.Equal(is.Decimal) || !was.Valid && !is.Valid:
		if len(r.Plan.Steps()) > 0 {
			return r.Say("view.pinned-total")
		}
		return r.Say("view.pinned-same")
	case !is.Valid:
		return r.Say("view.pinned-none")
	case !was.Valid:
		return r.Say("view.pinned-has", "Amount", inWords(is.Decimal), "Exact", r.Decimal(is.Decimal, main.Scale))
	}
	d, message := is.Decimal.Sub(was.Decimal), "view.pinned-more"
	if d.IsNegative() {
		message = "view.pinned-less"
	}
	text := r.Say(message, "Amount", inWords(d.Abs()), "Exact", r.Decimal(d.Abs(), main.Scale))
	if was.Decimal.IsPositive() {
		text += " (" + r.Change(reading.PercentOf(d, was.Decimal)) + ")"
	}
	return text
}
