package selection

import (
	"slices"
	"strconv"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/cube/series"
)

// HasTerms tells whether an aggregate is in real terms or per head.
func HasTerms(a query.AggregateRef) bool {
	return len(a.Args) > 0 && (a.Func == string(cube.Real) || a.Func == string(cube.PerHead))
}

// IsPerHead tells whether an aggregate is counted for each inhabitant.
func IsPerHead(a query.AggregateRef) bool {
	return HasTerms(a) && (a.Func == string(cube.PerHead) || IsPerHead(a.Args[0]))
}

// Bare gives an aggregate as its amounts are published.
func Bare(a query.AggregateRef) query.AggregateRef {
	for HasTerms(a) {
		a = a.Args[0]
	}
	return a
}

// InTermsOf counts the amounts of an aggregate as those of another are counted.
func InTermsOf(like, a query.AggregateRef) query.AggregateRef {
	if HasTerms(like) {
		like.Args = append([]query.AggregateRef{InTermsOf(like.Args[0], a)}, like.Args[1:]...)
		return like
	}
	return a
}

// PerHead counts an aggregate for each inhabitant.
func PerHead(a query.AggregateRef) query.AggregateRef {
	return query.AggregateRef{Func: string(cube.PerHead), Args: []query.AggregateRef{a}}
}

// PerPerson counts the sum of an address for each inhabitant; ok is false, and it stays, where it is counted otherwise or not of one year whose
// inhabitants are known.
func PerPerson(cb *cube.Cube, a site.Address) (of site.Address, ok bool) {
	ref := MainAggregates(cb.Model, a.Query.Aggregates)[0]
	year, isOfYear := YearCut(cb.Model, a.Query.Cuts)
	if heads, _ := SeriesOf(cb, year); !isOfYear || !heads || ref.Measure == "" || ref.Func != string(cube.Sum) || DrillsTime(cb.Model, a.Query) {
		return a, false
	}
	a.Query.Aggregates, a.Query.Order = []query.AggregateRef{PerHead(ref)}, nil
	return a, true
}

// InPrices counts an aggregate in the prices of a year.
func InPrices(a query.AggregateRef, year int64) query.AggregateRef {
	return query.AggregateRef{Func: string(cube.Real), Args: []query.AggregateRef{a, {Func: strconv.FormatInt(year, 10)}}}
}

// SeriesOf tells whether the inhabitants and the prices of a year are known.
func SeriesOf(cb *cube.Cube, year int64) (heads, prices bool) {
	for _, s := range series.Of(cb) {
		if s.IsOfPrices() {
			_, ok := series.Real(s, year, nil)
			prices = prices || ok
		} else {
			_, ok := s.Value(year)
			heads = heads || ok
		}
	}
	return heads, prices
}

// PriceYear is the last fiscal year of which prices are known, or 0.
func PriceYear(cb *cube.Cube) int64 {
	for _, year := range slices.Backward(cb.Coverage.Years) {
		if _, prices := SeriesOf(cb, year); prices {
			return year
		}
	}
	return 0
}

// HasHeads tells whether the inhabitants of some year are known.
func HasHeads(cb *cube.Cube) bool {
	return slices.ContainsFunc(series.Of(cb), func(s cube.Series) bool { return !s.IsOfPrices() })
}
