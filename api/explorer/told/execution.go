package told

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"fiscube/api/explorer/controls"
	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
)

// Execution is how much of what was approved for a year was spent or, of revenue, received.
type Execution struct {
	Text, Link string   // a sentence, and what leads to the number
	Notes      []string // what it means that it is more than was approved, and that it is of a part of the year
	Short      string   // a sentence in few words
	Made       string   // how the measure of what was spent is put together from others
	WhereFrom  string   // the text of the link
}

// Executed asks for what was spent and approved in the year of a selection that adds one of the two up, without financing; ok is false where one of
// the two is not known.
func Executed(s *selection.Selection) (q query.Query, ok bool) {
	year, isOfYear := s.Year()
	spent, approved, known := selection.Executed(s.Cube, year)
	main := s.Asked()
	if !isOfYear || !known || main.Measure != approved.Ref && main.Measure != spent.Ref || main.Func != string(cube.Sum) || s.Address.Query.Snapshots != "" {
		return q, false
	}
	both := []query.AggregateRef{selection.SumOf(spent), selection.SumOf(approved)}
	q = selection.Sum(selection.LeavingOut(s.Address, s.Plan.Financing()), both[0], both[1], query.AggregateRef{Func: string(cube.Ratio), Args: both})
	return q, true
}

// ExecutionOf says how much was spent, by the answer that Executed asks for; nil if that is not known. WithoutFinancing tells whether the sum of the
// selection has financing, which this has not.
func ExecutionOf(s *selection.Selection, found *answer.Answer, withoutFinancing bool) *Execution {
	if found == nil {
		return nil
	}
	spent, of := found.Summary.Values[0], found.Summary.Values[1]
	if !spent.Decimal.IsPositive() || !of.Decimal.IsPositive() { // null is 0 here: nothing is known yet
		return nil
	}
	year, _ := s.Year()
	main := found.Plan.Aggregates()[0]
	executed, _ := s.Cube.Model.Measure(main.Measure)
	exact := s.Decimal(spent.Decimal, main.Scale)
	part := selection.PartOf(s.Guest, found.Plan)
	if part != "" {
		exact += " (" + part + ")"
	}
	message, short := "view.spent", "said.of-approved"
	if executed.Direction == "revenue" {
		message, short = "view.received", "said.of-expected"
	}
	share := s.Share(answer.Quotient(spent, of, 8).Decimal)
	number := s.Explore(s.Cube)
	number.Query = selection.Sum(selection.LeavingOut(s.Address, s.Plan.Financing()), selection.SumOf(executed))
	told := &Execution{
		Text: s.Say(message, "Year", words.Digits(year), "Percent", share, "Amount", s.Brief(spent.Decimal, selection.CurrencyOf(s.Cube.Model, main)), "Exact", exact),
		Link: number.At(number.Path + "/number").String(), WhereFrom: WhereFrom(s.Guest, executed), Short: s.Say(short, "Share", share),
	}
	if s.Asked().Measure != executed.Ref { // else the page says so itself
		told.Made = controls.MadeOf(s.Guest, s.Cube, executed)
	}
	if withoutFinancing || part != "" { // which the sum has, or of which it is no rate of the year
		told.Short = ""
	}
	if withoutFinancing {
		first, size := utf8.DecodeRuneInString(told.Text)
		told.Text = s.Say("caveat.without-financing", "Sentence", string(unicode.ToLower(first))+told.Text[size:])
	}
	for _, c := range found.Caveats {
		if _, isOfRate := c.Params.(caveat.Rate); isOfRate {
			told.Notes = append(told.Notes, prose.Tell(found.Plan, c, s.Locale))
		}
	}
	return told
}

// Beside leaves out the notes that the page says anyway.
func (e *Execution) Beside(noted layers.Noted) *Execution {
	if e != nil {
		e.Notes = slices.DeleteFunc(e.Notes, func(note string) bool { return slices.Contains(noted.All(), note) })
	}
	return e
}

// WhereFrom is the text of a link to a number of a measure, beside those of other measures.
func WhereFrom(g *site.Guest, m cube.Measure) string {
	if m.Ref == "" {
		return g.Say("number.where-from")
	}
	return g.Say("number.where-from-of", "Measure", cmp.Or(m.Titles.In(g.Language), m.Title, m.Ref))
}
