package resident

import (
	"cmp"
	"math"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// sortedBy gives the comparisons of two groups, which decide one after the other.
func (q *question) sortedBy(g *groups, r *reading) []func(i, j int32) int {
	var order []func(i, j int32) int
	for _, o := range q.Order() {
		switch o.By {
		case plan.ByAggregate:
			order = append(order, g.byAmount(q.Aggregate(o), o.Desc))
		case plan.ByLabel:
			order = append(order, byPlace(g.places(q, func(numbers []int32) int64 {
				return placeOf(r.rank(o.Index, numbers), o.Desc)
			})))
		default:
			k := r.keys[o.Index]
			places := q.groups[k.group].KeyOrder(k.at, o.Desc)
			order = append(order, byPlace(g.places(q, func(numbers []int32) int64 { return int64(places[numbers[k.group]]) })))
		}
	}
	return order
}

// places gives the place of each group by the numbers of its members.
func (g *groups) places(q *question, place func(numbers []int32) int64) []int64 {
	places := make([]int64, len(g.rows))
	for i := range places {
		places[i] = place(g.numbers(q, int32(i)))
	}
	return places
}

// placeOf gives the place of a rank; a missing one is last in both directions.
func placeOf(rank cube.Value, desc bool) int64 {
	n, ok := rank.Int()
	switch {
	case !ok:
		return math.MaxInt64
	case desc:
		return -n
	}
	return n
}

func byPlace(places []int64) func(i, j int32) int {
	return func(i, j int32) int { return cmp.Compare(places[i], places[j]) }
}

// byAmount compares amounts: those that are missing are last.
func (g *groups) byAmount(a plan.Aggregate, desc bool) func(i, j int32) int {
	if a.Func == cube.Diff {
		values := make([]decimal.NullDecimal, len(g.rows))
		for i := range values {
			values[i] = g.difference(a, int32(i))
		}
		return func(i, j int32) int {
			return missingLast(!values[i].Valid, !values[j].Valid, desc, func() int { return values[i].Decimal.Cmp(values[j].Decimal) })
		}
	}
	p := g.parts[a.Parts[0]]
	desc = desc != a.Reversed()
	return func(i, j int32) int {
		return missingLast(p.isNull(i), p.isNull(j), desc, func() int { return p.compare(i, j) })
	}
}

func missingLast(x, y, desc bool, compare func() int) int {
	switch {
	case x && y:
		return 0
	case x:
		return 1
	case y:
		return -1
	case desc:
		return -compare()
	}
	return compare()
}

// difference computes an exact aggregate.
func (g *groups) difference(a plan.Aggregate, group int32) decimal.NullDecimal {
	if a.Func != cube.Diff {
		return g.parts[a.Parts[0]].number(group)
	}
	x, y := g.difference(a.Args[0], group), g.difference(a.Args[1], group)
	return decimal.NullDecimal{Decimal: x.Decimal.Sub(y.Decimal), Valid: x.Valid && y.Valid}
}
