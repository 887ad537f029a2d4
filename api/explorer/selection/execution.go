package selection

import (
	"slices"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Executed gives the measure of what was executed and that of what was approved: those of a derived measure that divides them or, of
// a package without one, the only executed measure with amounts in the year beside the leading one.
func Executed(cb *cube.Cube, year int64) (executed, approved cube.Measure, ok bool) {
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

// UsualMeasure is what pages add up where nobody names a measure: what was spent or received, where that is known of the whole of all years of what is
// added up, or else the leading measure.
func UsualMeasure(cb *cube.Cube, years ...int64) (m cube.Measure, ok bool) {
	m, ok = cb.Model.Leading()
	if len(years) == 0 {
		return m, ok
	}
	executed, _, known := Executed(cb, years[0])
	whole := cb.WholeYears(executed.Ref)
	if known && !slices.ContainsFunc(years, func(year int64) bool { return !slices.Contains(whole, year) }) {
		m = executed
	}
	return m, ok
}

// OfUsualMeasure is an address of the usual measure, where it names none and sums up no statements.
func OfUsualMeasure(cb *cube.Cube, a site.Address) site.Address {
	q := a.Query
	if len(q.Aggregates)+len(q.Order)+len(q.Having) > 0 || q.Snapshots != "" {
		return a
	}
	q.Aggregates = MainAggregates(cb.Model, nil)
	bound, err := plan.Bind(cb, q)
	if err != nil { // who asks is told
		return a
	}
	if m, _ := UsualMeasure(cb, bound.Years()...); m.Ref != bound.Aggregates()[0].Measure {
		a.Query.Aggregates = []query.AggregateRef{SumOf(m)}
	}
	return a
}
