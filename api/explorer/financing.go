package explorer

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// financing is what a sum is without the financing that it includes.
type financing struct {
	Text, Link string // a sentence, and what leads to that number
	Same       string // leads to the same view without it
	exact      string // the financing
	without    *view  // the view without it
}

// financing says how much of a sum is financing, and what it is without; nil if there is none in it.
func (w *view) financing() (*financing, error) {
	included, main, whole := w.answer.Plan.Financing(), w.answer.Plan.Aggregates()[0], w.answer.Summary.Values[0]
	if !w.has(cube.WarnFinancing) || main.Func != cube.Sum || !whole.Valid {
		return nil, nil
	}
	a := leavingOut(w.a, included)
	q := query.Query{Cuts: a.Query.Cuts, Aggregates: mainAggregates(w.cb.Model, a.Query.Aggregates)[:1], Snapshots: a.Query.Snapshots, Page: query.FirstPage}
	if _, ok := w.yearCut(); ok {
		q.Compare = &query.Compare{Ref: query.Ref{Name: yearOf(w.cb.Model).Name}, Offset: usualOffset(w.cb, q)}
	}
	found, err := w.Ask(w.cb, q)
	if err != nil {
		return nil, err
	}
	sum := found.Summary.Values[0]
	if of := whole.Decimal.Sub(sum.Decimal); sum.Valid && !of.IsZero() {
		without := &view{visit: w.visit, cb: w.cb, a: a, answer: found}
		names, err := without.namesOf(included)
		if err != nil {
			return nil, err
		}
		inWords, exact := without.sum()
		if change := without.valueIn(query.RolePercentage, found.Summary.Values); change.Valid {
			year, _ := w.yearCut()
			exact += " (" + w.Change(change) + " " + w.Say("number.from", "Year", strconv.FormatInt(year+q.Compare.Offset, 10)) + ")"
		}
		made := &financing{exact: w.Decimal(of, main.Scale), Link: without.numberOf(a), Same: a.String(), without: without}
		made.Text = w.Say("caveat.financing-sum", "Amount", w.InWords(of, currencyOf(w.cb.Model, main)), "Exact", made.exact, "Names", names, "Rest", inWords, "RestExact", exact)
		return made, nil
	}
	return nil, nil
}

// financingIn is how an address says that sums are to have financing.
const financingIn = "in"

// withoutFinancing leaves the financing out that the overlay names, which is neither revenue nor expenditure, unless the reader has put it in or
// chooses among what it is of.
func withoutFinancing(cb *cube.Cube, a site.Address) site.Address {
	if a.Financing == financingIn || len(cb.Financing) == 0 {
		return a
	}
	q := a.Query
	q.Aggregates = mainAggregates(cb.Model, q.Aggregates)
	bound, err := plan.Bind(cb, q)
	if err != nil { // who asks is told
		return a
	}
	page := a.Query.Page
	a = leavingOut(a, bound.Financing())
	a.Query.Page = page
	return a
}

// isLeftOut tells whether a cut leaves out the financing that the overlay names.
func isLeftOut(cb *cube.Cube, cut query.Cut) bool {
	return slices.ContainsFunc(cb.Financing, func(f cube.Financing) bool { return plan.WithoutFinancing(f).String() == cut.String() })
}

// leftOut says how much financing the sum of a view is without, and leads to the same with it; nil if there is none. It asks one question.
func (w *view) leftOut() (*layers.Note, error) {
	main := mainAggregates(w.cb.Model, w.a.Query.Aggregates)[0]
	with := w.a.Asking(w.nameMeasure)
	var only []query.Cut
	for _, cut := range w.a.Query.Cuts {
		if isLeftOut(w.cb, cut) {
			cut.Not = false
			only = append(only, cut)
		}
	}
	if len(only) == 0 || main.Func != string(cube.Sum) {
		return nil, nil
	}
	with.Query.Cuts = slices.DeleteFunc(slices.Clone(with.Query.Cuts), func(c query.Cut) bool { return isLeftOut(w.cb, c) })
	with.Financing = financingIn
	found, err := w.Ask(w.cb, query.Query{Cuts: append(slices.Clone(with.Query.Cuts), only...), Aggregates: []query.AggregateRef{main}, Snapshots: w.a.Query.Snapshots, Page: query.FirstPage})
	if isOfReader(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	of := found.Summary.Values[0]
	if !of.Valid || of.Decimal.IsZero() {
		return nil, nil
	}
	names, err := w.namesOf(w.cb.Financing)
	if err != nil {
		return nil, err
	}
	return &layers.Note{
		Text:   w.Say("view.left-out", "Amount", w.Brief(of.Decimal, currencyOf(w.cb.Model, w.answer.Plan.Aggregates()[0])), "Names", names),
		Remedy: &site.Choice{Text: w.Say("view.put-in"), Link: with.String()},
	}, nil
}

// leavingOut leads to the same without financing.
func leavingOut(a site.Address, list []cube.Financing) site.Address {
	a.Financing = ""
	for _, f := range list {
		a = a.With(plan.WithoutFinancing(f))
	}
	return a
}

// mended leads to the same with the cuts that mend it.
func mended(a site.Address, cuts []query.Cut) site.Address {
	for _, cut := range cuts {
		a = a.With(cut)
	}
	return a
}

// namesOf names the members that are financing, which the filters of the view leave out.
func (w *view) namesOf(included []cube.Financing) (string, error) {
	var names []string
	for _, f := range w.answer.Plan.FiltersAsked() {
		level, known := f.Level(w.cb.Model)
		if !slices.ContainsFunc(included, func(of cube.Financing) bool { return of.Level == level.Ref && f.String() == plan.FilterOf(w.cb, of) }) {
			continue // the reader's own
		}
		text, err := w.members(f, level, known)
		if err != nil {
			return "", err
		}
		names = append(names, w.LevelTitle(level)+" "+text)
	}
	return strings.Join(names, ", "), nil
}
