package selection

import (
	"slices"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// FinancingIn is how an address says that sums are to have financing.
const FinancingIn = "in"

// WithoutFinancing leaves the financing out that the overlay names, which is neither revenue nor expenditure, unless the reader has put it in or
// chooses among what it is of.
func WithoutFinancing(cb *cube.Cube, a site.Address) site.Address {
	if a.Financing == FinancingIn && len(cb.Financing) > 0 {
		return a
	}
	q := a.Query
	q.Aggregates = MainAggregates(cb.Model, q.Aggregates)
	bound, err := plan.Bind(cb, q)
	if err != nil { // who asks is told
		return a
	}
	page := a.Query.Page
	a = LeavingOut(a, bound.Financing())
	a.Query.Page = page
	return a
}

// LeavingOut leads to the same without financing.
func LeavingOut(a site.Address, list []cube.Financing) site.Address {
	a.Financing = ""
	for _, f := range list {
		a = a.With(plan.WithoutFinancing(f))
	}
	return a
}

// IsLeftOut tells whether a cut leaves out the financing that the overlay names.
func IsLeftOut(cb *cube.Cube, cut query.Cut) bool {
	return slices.ContainsFunc(cb.Financing, func(f cube.Financing) bool { return plan.WithoutFinancing(f).String() == cut.String() })
}

// FinancingLeftOut asks for the money that the selection leaves out as financing, however its amounts are counted, and is the selection with it; ok
// tells whether there is any.
func (s *Selection) FinancingLeftOut() (only query.Query, with site.Address, ok bool) {
	var left []query.Cut
	for _, cut := range s.Address.Query.Cuts {
		if IsLeftOut(s.Cube, cut) {
			cut.Not = false
			left = append(left, cut)
		}
	}
	with = s.Address.Asking(s.NameMeasure)
	with.Query.Cuts = slices.DeleteFunc(slices.Clone(with.Query.Cuts), func(c query.Cut) bool { return IsLeftOut(s.Cube, c) })
	with.Financing = FinancingIn
	if len(left) == 0 || s.Main().CountsRows() {
		return only, with, false
	}
	only = Sum(with, query.AggregateRef{Measure: s.Main().Measures()[0], Func: string(cube.Sum)})
	only.Cuts = append(slices.Clone(only.Cuts), left...)
	return only, with, true
}

// NamesOfFinancing names the members that are financing, which the filters leave out.
func (s *Selection) NamesOfFinancing(included []cube.Financing) string {
	var names []string
	for _, f := range s.Filters {
		isOf := func(of cube.Financing) bool { return plan.WithoutFinancing(of).String() == f.Cut.String() }
		switch {
		case !slices.ContainsFunc(included, isOf): // it is the reader's own
		case f.Named == f.Code:
			names = append(names, f.Level+" "+f.Code)
		default:
			names = append(names, s.Say("said.named", "Name", f.Named))
		}
	}
	return s.And(names)
}
