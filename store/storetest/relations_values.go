package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

func aggregateRef(text string) query.AggregateRef {
	refs, err := query.ParseAggregates(text)
	if err != nil {
		panic(err) // it is the name of an aggregate that was bound
	}
	return refs[0]
}

func functionOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// spelled puts the formula of a derived measure in the place of its name.
func (e *examination) spelled(ref query.AggregateRef) query.AggregateRef {
	if ref.Measure == "" && len(ref.Args) == 0 && ref.Func != rowCount {
		derived, _ := e.version.Model.DerivedMeasure(ref.Func)
		return aggregateRef(derived.Formula)
	}
	return ref
}

// leavesOf lists the plain aggregates and averages that an aggregate is made of.
func (e *examination) leavesOf(ref query.AggregateRef) []query.AggregateRef {
	ref = e.spelled(ref)
	if len(ref.Args) == 0 {
		return []query.AggregateRef{ref}
	}
	return slices.Concat(each.Of(ref.Args, e.leavesOf)...)
}

// uses tells whether one of the functions is anywhere in an aggregate.
func (e *examination) uses(ref query.AggregateRef, functions ...cube.Func) bool {
	ref = e.spelled(ref)
	return slices.Contains(functions, cube.Func(ref.Func)) ||
		slices.ContainsFunc(ref.Args, func(arg query.AggregateRef) bool { return e.uses(arg, functions...) })
}

// havingOnShares tells whether a condition is on a share: then shares are of all cells, whatever having keeps out.
func (e *examination) havingOnShares(q query.Query) bool {
	return slices.ContainsFunc(q.Having, func(c query.Condition) bool { return e.uses(c.Aggregate, cube.Share, cube.ShareOfParent) })
}

// scope is what a value is made of: the amounts of its cell, and those that its shares are of. What is nil is not known.
type scope struct{ own, total, parent amounts }

// value is the exact value of an aggregate; nil is null.
func (e *examination) value(ref query.AggregateRef, s scope) *big.Rat {
	ref = e.spelled(ref)
	if s.own == nil {
		return nil
	}
	switch cube.Func(ref.Func) {
	case cube.Share:
		return quotient(e.value(ref.Args[0], s), e.value(ref.Args[0], scope{own: s.total}))
	case cube.ShareOfParent:
		return quotient(e.value(ref.Args[0], s), e.value(ref.Args[0], scope{own: s.parent}))
	case cube.Ratio:
		return quotient(e.value(ref.Args[0], s), e.value(ref.Args[1], s))
	case cube.Diff:
		return minus(e.value(ref.Args[0], s), e.value(ref.Args[1], s))
	case cube.Avg:
		sum, count := ref, ref
		sum.Func, count.Func = string(cube.Sum), string(cube.Count)
		return quotient(s.own[sum.String()], s.own[count.String()])
	}
	return s.own[ref.String()]
}

func minus(x, y *big.Rat) *big.Rat {
	if x == nil || y == nil {
		return nil
	}
	return new(big.Rat).Sub(x, y)
}

func quotient(x, y *big.Rat) *big.Rat {
	if x == nil || y == nil || y.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Quo(x, y)
}

// noRows are the amounts of no rows, by the functions that are 0 then: counts, and in differences sums too.
func (e *examination) noRows(zero ...cube.Func) amounts {
	none := amounts{rowCount: new(big.Rat)}
	for _, m := range e.version.Model.Measures() {
		for _, f := range zero {
			none[query.AggregateRef{Measure: m.Ref, Func: string(f)}.String()] = new(big.Rat)
		}
	}
	return none
}

// valueOf is the exact value of an aggregate of a row, beside all cells and those of the row's parent, which may be nil.
func (e *examination) valueOf(a plan.Aggregate, row, total, parent *part) *big.Rat {
	if parent == nil {
		parent = &part{}
	}
	ref := aggregateRef(baseName(a))
	here, before := scope{row.own, total.own, parent.own}, scope{row.earlier, total.earlier, parent.earlier}
	switch {
	case a.Role == "":
		return e.value(ref, here)
	case a.Role == query.RoleEarlier:
		return e.value(ref, before)
	case row.apart:
		return nil
	case row.change == answer.ChangeNew:
		before.own = e.noRows(cube.Sum, cube.Count)
	case row.change == answer.ChangeGone:
		here.own = e.noRows(cube.Sum, cube.Count)
	}
	earlier := e.value(ref, before)
	by := minus(e.value(ref, here), earlier)
	if a.Role == query.RolePercentage && by != nil {
		return quotient(by.Mul(by, big.NewRat(100, 1)), new(big.Rat).Abs(earlier))
	}
	return by
}

// checkValues compares the values of a row with those that its part comes to.
func (e *examination) checkValues(l *layers, cell answer.Cell, row, total, parent *part) error {
	for i, a := range l.plan.Aggregates() {
		if a.Role != "" && e.addsUpAcross(l, cell) {
			continue
		}
		want := halfToEven(e.valueOf(a, row, total, parent), a.Scale)
		if got := cell.Values[i]; !sameAmount(got, want) && (got.Valid || !e.mayBeNull(l, a, row)) {
			return fmt.Errorf("%s of %s is %s, want %s", a.Name, shown(cell), text(got), text(want))
		}
	}
	return nil
}

func sameAmount(x, y decimal.NullDecimal) bool {
	return x.Valid == y.Valid && x.Decimal.Equal(y.Decimal)
}

func text(v decimal.NullDecimal) string {
	if !v.Valid {
		return "null"
	}
	return v.Decimal.String()
}

// mayBeNull tells whether a value may be null for what years have no amounts of. Of a row of several years that is a
// formula that sets amounts of different years side by side, and a sum that would be compared with one of other years;
// and the difference of a cell that one side alone has. testdata/questions has such rows, worked out by hand.
func (e *examination) mayBeNull(l *layers, a plan.Aggregate, row *part) bool {
	ref := aggregateRef(baseName(a))
	drills := func(field string) bool {
		at := slices.IndexFunc(l.plan.Keys(), func(c cube.Column) bool { return c.Name == field })
		return at >= 0 && at < len(row.keys) && !e.uses(ref, cube.Share, cube.ShareOfParent)
	}
	if a.Role != "" && l.plan.Comparison() != nil && !drills(l.query.Compare.Ref.Name) {
		return true
	}
	year, _ := e.version.Model.FiscalYear()
	leaves := e.leavesOf(ref)
	gappy := slices.ContainsFunc(slices.Collect(maps.Values(e.adder.columnsByYear())), func(columns map[string]bool) bool {
		return slices.ContainsFunc(leaves, func(l query.AggregateRef) bool { return l.Measure != "" && !columns[l.Measure] })
	})
	return gappy && (a.Role != "" && row.change != "" || !drills(year.Name) && (a.Role != "" || len(leaves) > 1))
}

// halfToEven rounds to so many decimals, a half to the even neighbour.
func halfToEven(value *big.Rat, decimals int32) decimal.NullDecimal {
	if value == nil {
		return decimal.NullDecimal{}
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	exact := new(big.Rat).Mul(value, new(big.Rat).SetInt(scale))
	below := new(big.Int).Div(exact.Num(), exact.Denom()) // rounds down, as Denom is positive
	rest := new(big.Rat).Sub(exact, new(big.Rat).SetInt(below))
	half := rest.Cmp(big.NewRat(1, 2))
	if half > 0 || half == 0 && below.Bit(0) == 1 {
		below.Add(below, big.NewInt(1))
	}
	return decimal.NewNullDecimal(decimal.NewFromBigInt(below, -decimals))
}

// passing are the orders of two numbers that a comparison lets pass.
var passing = map[query.Operator][]int{query.Less: {-1}, query.LessOrEqual: {-1, 0}, query.Equal: {0}, query.GreaterOrEqual: {0, 1},
	query.Greater: {1}, query.Unequal: {-1, 1}}

// compareRows compares two rows with equally many keys as a plan sorts them, as far as their values tell: quotients are
// sorted before they are rounded, and labels of cells that no row is of by nothing. The last result is false where they
// do not tell.
func (e *examination) compareRows(l *layers, x, y answer.Cell) (order int, known bool) {
	for _, s := range l.plan.Order() {
		switch s.By {
		case plan.ByKey:
			if s.Index >= len(x.Keys) {
				continue
			}
			column := l.plan.Keys()[s.Index]
			order = missingLast(x.Keys[s.Index], y.Keys[s.Index], s.Desc, func(x, y cube.Value) int { return e.adder.compareKeys(column, x, y) })
		case plan.ByLabel:
			if _, named := pathOf(l.plan.Keys(), x.Keys, l.plan.Levels()[s.Index]); !named {
				continue
			}
			if l.unranked(x) || l.unranked(y) {
				return 0, false
			}
			order = missingLast(x.Labels[s.Index], y.Labels[s.Index], s.Desc, e.alphabet.compare)
		case plan.ByAggregate:
			if order, known = e.compareValues(l.plan.Aggregates()[s.Index], s, x, y); !known {
				return 0, false
			}
		}
		if order != 0 {
			return order, true
		}
	}
	return 0, true
}

// unranked tells whether the labels of a row may be those of no row.
func (l *layers) unranked(c answer.Cell) bool {
	return l.query.Fill != query.FillNone || c.Change == answer.ChangeGone || len(c.Keys) < len(l.plan.Keys()) && l.query.Compare != nil
}

// compareValues compares two rows by the aggregate that a sort is of.
func (e *examination) compareValues(a plan.Aggregate, s plan.Sort, one, other answer.Cell) (order int, known bool) {
	x, y := one.Values[s.Index], other.Values[s.Index]
	if s.Size {
		x.Decimal, y.Decimal = x.Decimal.Abs(), y.Decimal.Abs()
	}
	switch {
	case !x.Valid || !y.Valid:
		rank := map[bool]int{true: 0, false: 1}
		return cmp.Compare(rank[x.Valid], rank[y.Valid]), true
	case len(a.Args) > 0 || a.Func == cube.Avg || a.Role == query.RolePercentage:
		near := decimal.Max(x.Decimal.Abs(), y.Decimal.Abs()).Mul(decimal.New(1, -12))
		if x.Decimal.Sub(y.Decimal).Abs().LessThanOrEqual(near) {
			return 0, false
		}
	}
	if order = x.Decimal.Cmp(y.Decimal); s.Desc {
		order = -order
	}
	return order, true
}
