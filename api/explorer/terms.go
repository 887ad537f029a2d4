package explorer

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/cube/series"
)

// terms are the choices of how amounts are counted: as they are, in prices of one year, per head, and both. There is none where the
// series of the country are not known, or the years of the rows.
func (w *view) terms() []site.Choice {
	main, asked := w.answer.Plan.Aggregates()[0], mainAggregates(w.cb.Model, w.a.Query.Aggregates)[0]
	if main.Func != cube.Sum || main.Measure == "" || w.cb.Coverage == nil {
		return nil
	}
	year := w.priceYear()
	heads := slices.ContainsFunc(series.Of(w.cb), func(s cube.Series) bool { return !s.IsOfPrices() })
	var priceYear int64
	perHead := false
	if main.ByYear != nil {
		priceYear, perHead = main.ByYear.PriceYear, main.ByYear.PerHead
		if priceYear != 0 {
			year = priceYear
		}
	}
	text := strconv.FormatInt(year, 10)
	var list []site.Choice
	add := func(title string, inPricesOf int64, byHead bool) {
		ref := bare(asked)
		if inPricesOf != 0 {
			ref = query.AggregateRef{Func: string(cube.Real), Args: []query.AggregateRef{ref, {Func: text}}}
		}
		if byHead {
			ref = query.AggregateRef{Func: string(cube.PerHead), Args: []query.AggregateRef{ref}}
		}
		a := w.a.Asking(func(q *query.Query) { q.Aggregates, q.Order = []query.AggregateRef{ref}, nil })
		list = append(list, site.Choice{Text: title, Link: a.String(), Taken: inPricesOf == priceYear && byHead == perHead})
	}
	add(w.Say("view.as-published"), 0, false)
	if year != 0 {
		add(w.Say("view.in-prices", "Year", text), year, false)
	}
	if heads {
		add(w.Say("view.per-head"), 0, true)
	}
	if year != 0 && heads {
		add(w.Say("view.per-head-in-prices", "Year", text), year, true)
	}
	if len(list) == 1 {
		return nil
	}
	return list
}

// priceYear is the last fiscal year of which prices are known, or 0.
func (w *view) priceYear() int64 {
	for _, s := range series.Of(w.cb) {
		for _, year := range slices.Backward(w.cb.Coverage.Years) {
			if _, ok := series.Real(s, year, nil); ok && s.IsOfPrices() {
				return year
			}
		}
	}
	return 0
}

// addUp tells whether parts have the sum of a whole. In real terms and per head each of them is rounded, so that their sum may differ
// from the whole in its last digits.
func (w *view) addUp(sum, whole decimal.Decimal, parts int) bool {
	main, most := w.answer.Plan.Aggregates()[0], decimal.Zero
	if main.ByYear != nil {
		most = decimal.New(int64(parts)+1, -main.Scale)
	}
	return sum.Sub(whole).Abs().LessThanOrEqual(most)
}

// sumOfParts adds parts to an amount.
func sumOfParts(amount decimal.Decimal, parts []chart.Part) decimal.Decimal {
	for _, part := range parts {
		amount = amount.Add(part.Value)
	}
	return amount
}

// hasTerms tells whether an aggregate is in real terms or per head.
func hasTerms(a query.AggregateRef) bool {
	return len(a.Args) > 0 && (a.Func == string(cube.Real) || a.Func == string(cube.PerHead))
}

// bare gives an aggregate as its amounts are published.
func bare(a query.AggregateRef) query.AggregateRef {
	for hasTerms(a) {
		a = a.Args[0]
	}
	return a
}

// inTermsOf counts the amounts of an aggregate as those of another are counted.
func inTermsOf(like, a query.AggregateRef) query.AggregateRef {
	if hasTerms(like) {
		like.Args = append([]query.AggregateRef{inTermsOf(like.Args[0], a)}, like.Args[1:]...)
		return like
	}
	return a
}

// seriesOf tells whether the inhabitants and the prices of a year are known.
func (w *view) seriesOf(year int64) (heads, prices bool) {
	for _, s := range series.Of(w.cb) {
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
