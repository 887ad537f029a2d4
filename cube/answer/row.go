package answer

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// row becomes a cell.
type row struct {
	plan.Group
	basis
	kind   kind
	others int64      // of a remainder: how many rows it adds up
	sorts  []fraction // the values of the aggregates in the order, before rounding
}

// kind says which pass made a row.
type kind uint8

const (
	fromStore kind = iota
	gone           // pair: only the earlier side has the row
	inGap          // fill: this side does not have the row
	subtotal       // rank: the head of a group
	remainder      // rank: adds up what top leaves out of a group
)

// basis is what the values of a row are computed from: its parts, and the sums and the earlier row that shares and
// comparisons need.
type basis struct {
	parts   []decimal.NullDecimal // nil: unknown
	total   *basis                // of all rows
	parent  *basis                // of the rows of the same parent; nil: unknown
	earlier *basis                // of the earlier row; nil without a comparison
	state   state
	years   years
}

// years is what the keys of a row say of the fiscal years of its values.
type years struct {
	year    cube.Value // in its keys, if any
	many    bool       // it adds up several
	recoded bool       // it is compared across years in which a code of it means different things (plan.CrossedBreaks)
}

// isAbsent tells whether this side does not have the row: its parts add up no facts, or are those that fill was asked for.
func (r *row) isAbsent() bool { return r.kind == inGap || r.kind == gone }

// state is the result of comparing a row with its earlier row. The pass compare sets it, and sums derive it from their rows. Of the
// earlier rows, those that pair can give to no row of this side have one.
type state uint8

const (
	compared      state = iota // both sides have values
	isNew                      // only this side has rows: in a difference, sums and counts of the other side are 0
	isGone                     // only the earlier side has rows
	noDifference               // the earlier value is given, and no difference from it
	notComparable              // there is nothing at its point to compare with
	noSameMember               // a member of it is not known to be the same as any at the point that it is compared with
)

// isIncomparable tells whether there is nothing to compare a row with, and so nothing for a sum with this row.
func (s state) isIncomparable() bool { return s == notComparable || s == noSameMember }

// id identifies the first n keys of a row.
func (r *row) id(n int) string { return plan.KeysID(r.Keys[:n]) }

// keysAt gives the keys of a row moved along an axis, or the same keys if axis is -1. It gives false if the number is too
// great.
func (r *row) keysAt(axis int, offset int64) ([]cube.Value, bool) {
	if axis < 0 {
		return r.Keys, true
	}
	moved, ok := r.Keys[axis].Shifted(offset)
	keys := slices.Clone(r.Keys)
	keys[axis] = moved
	return keys, ok
}

// step gives the index of the step that a row belongs to, or -1 without a drilldown. A remainder belongs to the last step.
func (t *table) step(r *row) int {
	steps := t.grouping.Steps()
	step := slices.IndexFunc(steps, func(s plan.Step) bool { return s.Keys == len(r.Keys) && r.kind != remainder })
	if step < 0 {
		return len(steps) - 1
	}
	return step
}

// groups groups rows by their first n keys. Groups are in the order of their first rows.
func groups(rows []*row, n int) [][]*row {
	return gathered(rows, func(r *row) string { return r.id(n) })
}

// gathered groups rows by an id. Groups are in the order of their first rows.
func gathered(rows []*row, id func(*row) string) [][]*row {
	var groups [][]*row
	indexes := map[string]int{}
	for _, r := range rows {
		key := id(r)
		index, known := indexes[key]
		if !known {
			index = len(groups)
			indexes[key] = index
			groups = append(groups, nil)
		}
		groups[index] = append(groups[index], r)
	}
	return groups
}

// noRows gives the parts over no facts: counts are 0, all others null.
func noRows(parts []plan.Part) []decimal.NullDecimal {
	none := make([]decimal.NullDecimal, len(parts))
	for i, part := range parts {
		if part.Func == cube.Rows || part.Func == cube.Count {
			none[i] = decimal.NewNullDecimal(decimal.Zero)
		}
	}
	return none
}

// zeros gives parts that are all 0.
func zeros(parts []plan.Part) []decimal.NullDecimal {
	list := make([]decimal.NullDecimal, len(parts))
	for i := range list {
		list[i] = decimal.NewNullDecimal(decimal.Zero)
	}
	return list
}

// added adds up the parts of two disjoint sets of facts.
func added(parts []plan.Part, a, b []decimal.NullDecimal) []decimal.NullDecimal {
	sum := make([]decimal.NullDecimal, len(parts))
	for i, part := range parts {
		switch x, y := a[i], b[i]; {
		case !x.Valid:
			sum[i] = y
		case !y.Valid:
			sum[i] = x
		case part.Func == cube.Min:
			sum[i] = decimal.NewNullDecimal(decimal.Min(x.Decimal, y.Decimal))
		case part.Func == cube.Max:
			sum[i] = decimal.NewNullDecimal(decimal.Max(x.Decimal, y.Decimal))
		default:
			sum[i] = decimal.NewNullDecimal(x.Decimal.Add(y.Decimal))
		}
	}
	return sum
}
