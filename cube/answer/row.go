package answer

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// row is a cell in the making, or a subtotal of some.
type row struct {
	plan.Group
	basis
	kind   kind
	others int64      // of a remainder: how many rows it adds up
	sorts  []fraction // what the order's aggregates sort by
}

// kind says where a row comes from. The pass that makes the row sets it.
type kind uint8

const (
	fromStore kind = iota
	gone           // pair: only the earlier side has it
	inGap          // fill: no side has it
	goneInGap      // fill: it is gone, and fill gives it zeros
	subtotal       // rank: the head of a group
	remainder      // rank: what top leaves out of a group
)

// basis is what the values of a row are computed from: its own parts, and those of the rows that it is measured by.
type basis struct {
	parts     []decimal.NullDecimal // nil: not known
	total     *basis                // of all rows
	parent    *basis                // of the rows of the same parent; nil: not known
	earlier   *basis                // of the row that it is compared with; nil without a comparison
	state     state
	addsYears bool       // it adds several fiscal years up
	year      cube.Value // the one that its keys name, if any
}

// state says how a row stands to the one that it is compared with. The pass pair sets it, and sums derive it.
type state uint8

const (
	compared      state = iota // with what earlier has
	isNew                      // only this side has rows: in a difference, sums and counts of the other side are 0
	isGone                     // only the earlier side has rows
	noDifference               // the earlier value is given, and no difference from it
	notComparable              // there is nothing to compare with, so no sum with this row is compared either
)

// id tells rows apart by their first n keys.
func (r *row) id(n int) string { return cube.KeysID(r.Keys[:n]) }

// keysAt gives the keys of a row moved along an axis; where that is not drilled, the same. False where no number is so
// far away.
func (r *row) keysAt(axis int, offset int64) ([]cube.Value, bool) {
	if axis < 0 {
		return r.Keys, true
	}
	place, ok := r.Keys[axis].Shifted(offset)
	keys := slices.Clone(r.Keys)
	keys[axis] = place
	return keys, ok
}

// step gives the place of the step that a row belongs to; a remainder belongs to the last. It is -1 where nothing is
// drilled.
func (t *table) step(r *row) int {
	steps := t.plan.Steps()
	step := slices.IndexFunc(steps, func(s plan.Step) bool { return s.Keys == len(r.Keys) && r.kind != remainder })
	if step < 0 {
		return len(steps) - 1
	}
	return step
}

// groups gathers the rows that share their first n keys, in the order of their first ones.
func groups(rows []*row, n int) [][]*row {
	return gathered(rows, func(r *row) string { return r.id(n) })
}

// gathered puts the rows together that have one id, in the order of their first ones.
func gathered(rows []*row, id func(*row) string) [][]*row {
	var groups [][]*row
	places := map[string]int{}
	for _, r := range rows {
		key := id(r)
		place, known := places[key]
		if !known {
			place = len(groups)
			places[key] = place
			groups = append(groups, nil)
		}
		groups[place] = append(groups[place], r)
	}
	return groups
}

// noRows gives the parts of no rows: counts are 0, the rest is null.
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

// added adds up the parts of two sets of rows that share none.
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
