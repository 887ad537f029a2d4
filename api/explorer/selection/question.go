package selection

import (
	"slices"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// MostRows is how many members a page lists before it adds up the others.
const MostRows = 30

// Enriched gives questions that include what an address asks, the most telling first: with shares, the year before, the derived measure but for one of
// two selections, and the members beyond the first ones as one row. Those of a change have what changed most first.
func Enriched(cb *cube.Cube, a site.Address) []query.Query {
	asked := a.Query
	asked.Aggregates = MainAggregates(cb.Model, asked.Aggregates)
	plain, main := asked, asked.Aggregates[0]
	inUsualOrder, ofTime := len(asked.Order) == 0, DrillsTime(cb.Model, asked)
	if inUsualOrder && len(asked.Drilldown) > 0 && !ofTime {
		plain.Order = []query.Order{ByAggregate(main)}
	}
	shared := plain
	if main.Func == string(cube.Sum) || main.Func == string(cube.Rows) || HasTerms(main) {
		shared.Aggregates = append(slices.Clone(plain.Aggregates), ShareOf(main))
	}
	if derived := cb.Model.Derived(); len(derived) > 0 && len(asked.Aggregates) == 1 && a.View != AsPair {
		shared.Aggregates = append(slices.Clone(shared.Aggregates), query.AggregateRef{Func: derived[0].Ref})
	}
	first := asked.Page == query.FirstPage && asked.Top == 0 && !asked.Rollup
	if first && len(asked.Drilldown) == 1 && !ofTime && inUsualOrder {
		shared.Top, shared.Remainder = MostRows, true
	}
	list := []query.Query{shared, plain}
	if year, ok := cb.Model.YearLevel(); ok && asked.Compare == nil && Bare(main).Measure != "" {
		compared := shared
		compared.Compare = &query.Compare{Ref: query.Ref{Name: year.Ref}, Offset: UsualOffset(cb, asked)}
		list = append([]query.Query{compared}, list...)
	}
	if first := &list[0]; a.View == AsChange && inUsualOrder && first.Compare != nil && len(first.Order) > 0 {
		first.Order = []query.Order{{Ref: first.Order[0].Ref, Formula: first.Order[0].Formula, Role: query.RoleSize, Desc: true}}
	}
	return list
}

// ComparesNothing tells whether an answer is compared with nothing, such as with a year that the budget does not have.
func ComparesNothing(found *answer.Answer) bool {
	before := slices.IndexFunc(found.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Role == query.RoleEarlier })
	_, isTold := caveat.Find(found.Caveats, cube.WarnNotCompared)
	return isTold && before >= 0 && !found.Summary.Values[before].Valid
}

// MainAggregates are those asked, or the sum of the leading measure, or the number of rows.
func MainAggregates(m *cube.Model, asked []query.AggregateRef) []query.AggregateRef {
	if len(asked) > 0 {
		return asked
	}
	if leading, ok := m.Leading(); ok {
		return []query.AggregateRef{SumOf(leading)}
	}
	return []query.AggregateRef{{Func: string(cube.Rows)}}
}

// SumOf adds a measure up.
func SumOf(m cube.Measure) query.AggregateRef {
	return query.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)}
}

// ShareOf is the share of each cell in the whole of an aggregate.
func ShareOf(a query.AggregateRef) query.AggregateRef {
	return query.AggregateRef{Func: string(cube.Share), Args: []query.AggregateRef{a}}
}

// ByAggregate puts the cells with the largest values of an aggregate first.
func ByAggregate(a query.AggregateRef) query.Order {
	if a.Measure == "" {
		return query.Order{Formula: &a, Desc: true}
	}
	return query.Order{Ref: query.Ref{Dimension: a.Measure, Name: a.Func}, Desc: true}
}

// DrillsTime tells whether a level of a dimension of time is drilled: its members have an order of their own.
func DrillsTime(m *cube.Model, q query.Query) bool {
	return slices.ContainsFunc(q.Drilldown, func(ref query.Ref) bool {
		level, ok := m.Level(ref.Name)
		return ok && IsOfTime(m, level)
	})
}

// IsOfTime tells whether a level is of a dimension of time.
func IsOfTime(m *cube.Model, level cube.Level) bool {
	dimension, _ := m.Dimension(level.Dimension)
	return dimension.Type == cube.DimensionTime
}

// Sum asks what the selection of an address adds up to, by some aggregates.
func Sum(a site.Address, aggregates ...query.AggregateRef) query.Query {
	return query.Query{Cuts: a.Query.Cuts, Snapshots: a.Query.Snapshots, Aggregates: aggregates, Page: query.FirstPage}
}

// OfAllCells asks for all cells of the selection, and for the first aggregate alone.
func (s *Selection) OfAllCells() query.Query {
	q := s.Address.Query
	q.Aggregates = []query.AggregateRef{s.Asked()}
	if q.Top == 0 {
		q.Order = nil
	}
	q.Rollup, q.Compare, q.Fill = false, nil, query.FillNone
	q.Page = query.Page{Number: 1, Size: query.MaxPageSize}
	return q
}

// ByYear asks for the sum of the selection of an address in each year.
func (s *Selection) ByYear(a site.Address, aggregates ...query.AggregateRef) query.Query {
	year := YearColumn(s.Cube.Model).Name
	q := Sum(a.Without(func(field string) bool { return field == year }), aggregates...)
	q.Drilldown, q.Page = []query.Ref{{Name: year}}, query.Page{Number: 1, Size: query.MaxPageSize}
	return q
}
