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

// Financing is what a sum is without the financing that it includes.
type Financing struct {
	layers.Note
	Number string // leads to the number without it
	Exact  string // the financing
}

// IncludesFinancing tells whether the sum of an answer has financing in it.
func IncludesFinancing(r *reading.Reading) bool {
	return r.Has(cube.WarnFinancing) && r.Main().Func == cube.Sum && r.Answer.Summary.Values[0].Valid
}

// Without asks for the same sum without financing, of which an address is given, and compared with the year before.
func Without(r *reading.Reading) (site.Address, query.Query) {
	a := selection.LeavingOut(r.Address, r.Plan.Financing())
	q := selection.Sum(a, selection.MainAggregates(r.Cube.Model, a.Query.Aggregates)[0])
	if _, ok := r.Year(); ok {
		q.Compare = &query.Compare{Ref: query.Ref{Name: selection.YearColumn(r.Cube.Model).Name}, Offset: selection.UsualOffset(r.Cube, q)}
	}
	return a, q
}

// FinancingOf says how much of a sum is financing, and what it is without: the answer that Without asks for. It is nil if there is none in it.
func FinancingOf(r, without *reading.Reading) *Financing {
	if without == nil {
		return nil
	}
	whole, sum := r.Answer.Summary.Values[0], without.Answer.Summary.Values[0]
	of := whole.Decimal.Sub(sum.Decimal)
	if !sum.Valid || of.IsZero() {
		return nil
	}
	inWords, exact := without.Sum()
	if change := without.ValueIn(query.RolePercentage, without.Answer.Summary.Values); change.Valid {
		year, _ := r.Year()
		exact += " (" + r.Change(change) + " " + r.Say("number.from", "Year", strconv.FormatInt(year+without.Question.Compare.Offset, 10)) + ")"
	}
	made := &Financing{Exact: r.Decimal(of, r.Main().Scale), Number: without.NumberAt(without.Address)}
	made.Text = r.Say("caveat.financing-sum", "Amount", r.Brief(of, r.Currency()), "Exact", made.Exact,
		"Names", without.NamesOfFinancing(r.Plan.Financing()), "Rest", inWords, "RestExact", exact)
	made.Remedy = &site.Choice{Text: r.Say("view.same-without"), Link: without.Address.String()}
	return made
}

// LeftOut says how much financing the sum of a selection is without, by the answer to a sum of it alone, and leads to the same with it; nil if there is none.
func LeftOut(s *selection.Selection, found *answer.Answer) *layers.Note {
	_, with, ok := s.FinancingLeftOut()
	if !ok || found == nil || !found.Summary.Values[0].Valid || found.Summary.Values[0].Decimal.IsZero() {
		return nil
	}
	return &layers.Note{
		Text:   s.Say("view.left-out", "Amount", s.Brief(found.Summary.Values[0].Decimal, s.Currency()), "Names", s.NamesOfFinancing(s.Cube.Financing)),
		Remedy: &site.Choice{Text: s.Say("view.put-in"), Link: with.String()},
	}
}
