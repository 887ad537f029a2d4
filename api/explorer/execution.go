package explorer

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
)

// execution is how much of what was approved for a year was spent or, of revenue, received.
type execution struct {
	Text, Link string   // a sentence, and what leads to the number
	Notes      []string // what it means that it is more than was approved, and that it is of a part of the year
	Short      string   // a sentence in few words
	Made       string   // how the measure of what was spent is put together from others
	WhereFrom  string   // the text of the link
}

// execution says how much of what was approved for a year was spent or, of revenue, received, under the cuts of an address and without
// financing; nil if that is not known.
func (v *visit) execution(cb *cube.Cube, a site.Address, year int64, f *financing) (*execution, error) {
	if f != nil {
		a = f.without.a
	}
	executed, approved, ok := executedOf(cb, year)
	if !ok {
		return nil, nil
	}
	q := query.Query{Cuts: a.Query.Cuts, Aggregates: []query.AggregateRef{sumOf(executed), sumOf(approved)}, Page: query.FirstPage}
	q.Aggregates = append(q.Aggregates, query.AggregateRef{Func: string(cube.Ratio), Args: slices.Clone(q.Aggregates)})
	found, err := v.Ask(cb, q)
	if err != nil {
		return nil, err
	}
	spent, of := found.Summary.Values[0], found.Summary.Values[1]
	if !spent.Decimal.IsPositive() || !of.Decimal.IsPositive() { // null is 0 here: nothing is known yet
		return nil, nil
	}
	message := "view.spent"
	if executed.Direction == "revenue" {
		message = "view.received"
	}
	main := found.Plan.Aggregates()[0]
	exact := v.Decimal(spent.Decimal, main.Scale)
	if periods := found.Plan.Periods(); len(periods) == 1 {
		exact += " (" + v.upTo(cb, periods[0].Last()) + ")"
	}
	if parts := caveat.PartsOf(found.Plan, []int64{year}); len(parts) > 0 {
		exact += " (" + v.Say("caveat.part-short", "Months", v.Periods(parts[0]), "Year", v.Years(parts[0].Years)) + ")"
	}
	number := v.Explore(cb)
	number.Query = query.Query{Cuts: a.Query.Cuts, Aggregates: []query.AggregateRef{sumOf(executed)}, Page: query.FirstPage}
	rate := answer.Quotient(spent, of, 8)
	told := &execution{
		Text: v.Say(message, "Year", words.Digits(year), "Percent", v.Share(rate.Decimal), "Amount", v.InWords(spent.Decimal, currencyOf(cb.Model, main)), "Exact", exact),
		Link: number.At(number.Path + "/number").String(), Made: v.madeOf(cb, executed), WhereFrom: v.whereFrom(executed),
	}
	if told.Short = v.Say("said.of-approved", "Share", v.Share(rate.Decimal)); executed.Direction == "revenue" {
		told.Short = v.Say("said.of-expected", "Share", v.Share(rate.Decimal))
	}
	if f != nil {
		first, size := utf8.DecodeRuneInString(told.Text)
		told.Text = v.Say("caveat.without-financing", "Sentence", string(unicode.ToLower(first))+told.Text[size:])
	}
	for _, c := range found.Caveats {
		if _, isOfRate := c.Params.(caveat.Rate); isOfRate {
			told.Notes = append(told.Notes, prose.Tell(found.Plan, c, v.Locale))
		}
	}
	return told, nil
}

// whereFrom is the text of a link to a number of a measure, beside those of other measures.
func (v *visit) whereFrom(m cube.Measure) string {
	return v.Say("number.where-from-of", "Measure", cmp.Or(m.Titles.In(v.Language), m.Title, m.Ref))
}

// executed is the execution of a view that adds up what was approved or spent in a year.
func (w *view) executed(f *financing) (*execution, error) {
	year, ok := w.yearCut()
	spent, approved, known := executedOf(w.cb, year)
	main := mainAggregates(w.cb.Model, w.a.Query.Aggregates)[0]
	if !ok || !known || main.Measure != approved.Ref && main.Measure != spent.Ref || main.Func != string(cube.Sum) || hasTerms(main) || w.a.Query.Snapshots != "" {
		return nil, nil
	}
	told, err := w.execution(w.cb, w.a, year, f)
	if told != nil && main.Measure == spent.Ref { // whose page says so itself
		told.Made = ""
	}
	return told, err
}

// upTo says up to when a statement goes, such as a month of its year, or which it is if its name does not say so.
func (v *visit) upTo(cb *cube.Cube, statement cube.Snapshot) string {
	if prose.IsNamed(statement) {
		return v.Say("view.as-in-report", "Report", statement.Value.String())
	}
	by, _ := cb.Model.Level(cb.Model.Snapshots().By) // a cube with statements has one
	return v.Say("view.up-to-then", "Report", v.LevelTitle(by)+" "+statement.Value.String())
}

func sumOf(m cube.Measure) query.AggregateRef {
	return query.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)}
}

// executedOf gives the measure of what was executed and that of what was approved: those of a derived measure that divides them or, of
// a package without one, the only executed measure with amounts in the year beside the leading one.
func executedOf(cb *cube.Cube, year int64) (executed, approved cube.Measure, ok bool) {
	m := cb.Model
	comparable := func(x, y cube.Measure) bool {
		x.Phase = y.Phase
		return x.IsLike(y)
	}
	for _, d := range m.Derived() {
		refs, err := query.ParseAggregates(d.Formula)
		if err != nil || refs[0].Func != string(cube.Ratio) || len(refs[0].Args) != 2 {
			continue
		}
		x, hasX := m.Measure(refs[0].Args[0].Measure)
		y, hasY := m.Measure(refs[0].Args[1].Measure)
		if hasX && hasY && x.Phase == "executed" && y.Phase == "approved" && comparable(x, y) {
			return x, y, true
		}
	}
	leading, _ := m.Leading()
	list := slices.DeleteFunc(slices.Clone(m.Measures()), func(x cube.Measure) bool {
		return x.Phase != "executed" || !comparable(x, leading) || cb.Coverage != nil && len(cb.Coverage.Gap(x.Ref, []int64{year})) > 0
	})
	list = slices.DeleteFunc(list, func(x cube.Measure) bool { // a part of another one
		return slices.ContainsFunc(m.Measures(), func(y cube.Measure) bool { return slices.Contains(m.FirstOf(y.Ref), x.Ref) && y.Phase == "executed" })
	})
	if leading.Phase != "approved" || len(list) != 1 {
		return cube.Measure{}, cube.Measure{}, false
	}
	return list[0], leading, true
}
