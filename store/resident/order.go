package resident

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/store/dictionary"
)

// sortedBy gives the comparisons of two groups, which decide one after the other. The numbers of members that follow each other are compared
// as one number, as far as it fits into 64 bits.
func (q *question) sortedBy(g *groups, r *reading) []func(i, j int32) int {
	if len(g.rows) == 0 { // there may be no columns either
		return nil
	}
	var order []func(i, j int32) int
	var places []uint64
	combinations := uint64(1) // of the members whose numbers the places join
	for i := 0; i < len(q.Order()); i++ {
		o := q.Order()[i]
		if path := slices.IndexFunc(q.groups, func(m *dictionary.Members) bool { return q.sortsByPath(i, m.Level.Path) }); path >= 0 {
			members := q.groups[path]
			size := uint64(max(1, members.Size))
			high, product := bits.Mul64(combinations, size)
			if places == nil || high > 0 {
				joined := make([]uint64, len(g.rows))
				order = append(order, func(i, j int32) int { return cmp.Compare(joined[i], joined[j]) })
				places, product = joined, size
			}
			for i := range places {
				places[i] *= size
			}
			g.from.numbers[members.Level.Index].addTo(places, g.rows, 1)
			combinations, i = product, i+len(members.Level.Path)-1
			continue
		}
		places = nil
		switch o.By {
		case plan.ByAggregate:
			order = append(order, g.byAmount(q.Aggregate(o), o.Desc))
		case plan.ByLabel:
			l := &r.labels[o.Index]
			order = append(order, g.byPlace(q.groups[l.group].Level, func(number int32) int64 {
				_, rank := l.of(number)
				return placeOf(rank, o.Desc)
			}))
		default:
			k := r.keys[o.Index]
			places := q.groups[k.group].KeyOrder(k.at, o.Desc)
			order = append(order, g.byPlace(q.groups[k.group].Level, func(number int32) int64 { return int64(places[number]) }))
		}
	}
	return order
}

// sortsByPath tells whether the order has the keys of a path from a step on, all ascending: that is the order of the numbers of its members.
func (q *question) sortsByPath(from int, path []string) bool {
	for i, field := range path {
		if from+i >= len(q.Order()) {
			return false
		}
		if o := q.Order()[from+i]; o.By != plan.ByKey || o.Desc || q.Keys()[o.Index].Name != field {
			return false
		}
	}
	return true
}

// byPlace compares groups by the places of their members of a level.
func (g *groups) byPlace(level cube.Level, place func(number int32) int64) func(i, j int32) int {
	column, places := g.from.numbers[level.Index], make([]int64, len(g.rows))
	for i, row := range g.rows {
		places[i] = place(int32(column.at(row)))
	}
	return func(i, j int32) int { return cmp.Compare(places[i], places[j]) }
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
	if p.low != nil && p.high == nil && p.function != cube.Min && p.function != cube.Max { // sums that are narrow, and counts, have less than 64 bits
		places := make([]int64, len(g.rows))
		for i, n := range p.low {
			switch {
			case p.isNull(int32(i)):
				n = math.MaxInt64
			case desc:
				n = -n
			}
			places[i] = n
		}
		return func(i, j int32) int { return cmp.Compare(places[i], places[j]) }
	}
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
