package told

import (
	"strconv"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/query"
)

// Financing is what a page says of the financing that is in a sum, or left out of it.
type Financing struct {
	*layers.Note        // nil where there is none
	In           string // exactly how much of it is in the sum; "" where none is
}

// Apart answers what a sum is without the financing that is in it, or how much is left out of it; each is nil where it is not so.
type Apart struct {
	Without *reading.Reading
	LeftOut *answer.Answer
}

// Without asks for a sum without the financing that is in it, of which an address is given, and compared with the year before; ok is false where there is
// none in it.
func Without(r *reading.Reading) (a site.Address, q query.Query, ok bool) {
	if !r.Has(cube.WarnFinancing) || r.Main().Func != cube.Sum || !r.Answer.Summary.Values[0].Valid {
		return a, q, false
	}
	a = selection.LeavingOut(r.Address, r.Plan.Financing())
	q = selection.Sum(a, selection.MainAggregates(r.Cube.Model, a.Query.Aggregates)[0])
	if _, ok := r.Year(); ok {
		q.Compare = &query.Compare{Ref: query.Ref{Name: selection.YearColumn(r.Cube.Model).Name}, Offset: selection.UsualOffset(r.Cube, q)}
	}
	return a, q, true
}

// FinancingOf says how much of a sum is financing, and what it is without, or how much is left out of it, and leads to the other. Beside is the name of
// the sum where another one is on the page, or "".
func FinancingOf(r *reading.Reading, apart Apart, beside string) Financing {
	if beside != "" {
		beside = " (" + beside + ")"
	}
	if apart.Without == nil {
		return Financing{Note: leftOut(r, apart.LeftOut, beside)}
	}
	without := apart.Without
	whole, sum := r.Answer.Summary.Values[0], without.Answer.Summary.Values[0]
	of := whole.Decimal.Sub(sum.Decimal)
	if !sum.Valid || of.IsZero() {
		return Financing{}
	}
	inWords, exact := without.Sum()
	if change := without.ValueIn(query.RolePercentage, without.Answer.Summary.Values); change.Valid {
		year, _ := r.Year()
		exact += " (" + r.Change(change) + " " + r.Say("number.from", "Year", strconv.FormatInt(year+without.Question.Compare.Offset, 10)) + ")"
	}
	in := r.Decimal(of, r.Main().Scale)
	text := r.Say("caveat.financing-sum", "Amount", r.Brief(of, r.Currency()), "Exact", in,
		"Names", without.NamesOfFinancing(r.Plan.Financing())+beside, "Rest", inWords, "RestExact", exact)
	return Financing{&layers.Note{Text: text, Remedy: &site.Choice{Text: r.Say("view.same-without"), Link: without.Address.String()}}, in}
}

// leftOut says how much money a sum is without, and leads to the same with it; nil if there is none.
func leftOut(r *reading.Reading, found *answer.Answer, beside string) *layers.Note {
	if found == nil || !found.Summary.Values[0].Valid || found.Summary.Values[0].Decimal.IsZero() {
		return nil
	}
	_, with, _ := r.FinancingLeftOut()
	amount := r.Brief(found.Summary.Values[0].Decimal, selection.CurrencyOf(r.Cube.Model, found.Plan.Aggregates()[0]))
	return &layers.Note{
		Text:   r.Say("view.left-out", "Amount", amount, "Names", r.NamesOfFinancing(r.Cube.Financing)+beside),
		Remedy: &site.Choice{Text: r.Say("view.put-in"), Link: with.String()},
	}
}
