package storetest

import (
	"errors"
	"io"
	"math/big"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// bag is the rows that a number is made of.
type bag struct {
	rows  [][]string // that count
	again [][]string // that state money again: what adds up over statements counts them too
	zero  bool       // there are none, and every number is to be 0
	none  bool       // there are none, and sums are to be 0
	sums  map[string]*sum
}

// sum is what the amounts of a measure come to.
type sum struct {
	count                int64
	total, least, utmost decimal.Decimal
}

// union puts the rows of several bags together. What stands for nothing adds nothing, unless all do.
func union(bags []*bag) *bag {
	all := &bag{zero: len(bags) > 0}
	for _, b := range bags {
		if !b.zero {
			all.rows, all.again = append(all.rows, b.rows...), append(all.again, b.again...)
			all.zero = false
		}
	}
	return all
}

// sum adds up the amounts of a measure, each times its factor.
func (o *oracle) sum(b *bag, measure string) *sum {
	if s, ok := b.sums[measure]; ok {
		return s
	}
	declared, _ := o.model.Measure(measure)
	factor := decimal.NewFromInt(1)
	if declared.Factor != "" {
		factor = decimal.RequireFromString(declared.Factor)
	}
	s := &sum{}
	for _, row := range b.rows {
		o.addTo(s, row, measure, factor)
	}
	if declared.Flow {
		for _, row := range b.again {
			o.addTo(s, row, measure, factor)
		}
	}
	if b.sums == nil {
		b.sums = map[string]*sum{}
	}
	b.sums[measure] = s
	return s
}

func (o *oracle) addTo(s *sum, row []string, measure string, factor decimal.Decimal) {
	amount, ok := o.amount(row, measure)
	if !ok {
		return
	}
	amount = amount.Mul(factor)
	if s.count == 0 || amount.LessThan(s.least) {
		s.least = amount
	}
	if s.count == 0 || amount.GreaterThan(s.utmost) {
		s.utmost = amount
	}
	s.total = s.total.Add(amount)
	s.count++
}

// figures are what the numbers of a cell are made of, and what shares are of.
type figures struct{ own, total, parent *bag }

// figure is the exact value of an aggregate. Counts of nothing are 0, everything else of nothing is nil.
func (o *oracle) figure(ref cube.AggregateRef, f figures) *big.Rat {
	switch {
	case f.own == nil:
		return nil
	case len(ref.Args) > 0:
		return o.formula(ref, f)
	case ref.Measure == "" && ref.Func == string(cube.Rows):
		return big.NewRat(int64(len(f.own.rows)), 1)
	case ref.Measure == "":
		return o.figure(o.formulaOf(ref.Func), f)
	case f.own.zero && ref.Func == string(cube.Avg):
		return nil
	case f.own.zero:
		return new(big.Rat)
	}
	s := o.sum(f.own, ref.Measure)
	switch cube.Func(ref.Func) {
	case cube.Count:
		return big.NewRat(s.count, 1)
	case cube.Avg:
		return quotient(s.total.Rat(), big.NewRat(s.count, 1))
	}
	switch {
	case s.count == 0 && f.own.none && ref.Func == string(cube.Sum):
		return new(big.Rat)
	case s.count == 0:
		return nil
	}
	return map[cube.Func]decimal.Decimal{cube.Sum: s.total, cube.Min: s.least, cube.Max: s.utmost}[cube.Func(ref.Func)].Rat()
}

func (o *oracle) formula(ref cube.AggregateRef, f figures) *big.Rat {
	one, other := o.figure(ref.Args[0], f), (*big.Rat)(nil)
	switch cube.Func(ref.Func) {
	case cube.Share:
		other = o.figure(ref.Args[0], figures{own: f.total})
	case cube.ShareOfParent:
		other = o.figure(ref.Args[0], figures{own: f.parent})
	default:
		other = o.figure(ref.Args[1], f)
	}
	if cube.Func(ref.Func) == cube.Diff {
		return difference(one, other)
	}
	return quotient(one, other)
}

// formulaOf gives the formula of a derived measure.
func (o *oracle) formulaOf(name string) cube.AggregateRef {
	derived, _ := o.model.DerivedMeasure(name)
	return aggregateRef(derived.Formula)
}

func aggregateRef(text string) cube.AggregateRef {
	refs, err := cube.ParseAggregates(text)
	if err != nil {
		panic(err) // it is the name of an aggregate that was bound
	}
	return refs[0]
}

func difference(a, b *big.Rat) *big.Rat {
	if a == nil || b == nil {
		return nil
	}
	return new(big.Rat).Sub(a, b)
}

func quotient(a, b *big.Rat) *big.Rat {
	if a == nil || b == nil || b.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Quo(a, b)
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

// decimals says how many decimals an aggregate has: those of its amounts, four more in an average, 8 in what divides
// otherwise.
func (o *oracle) decimals(ref cube.AggregateRef) int32 {
	switch {
	case len(ref.Args) > 0 && ref.Func == string(cube.Diff):
		return max(o.decimals(ref.Args[0]), o.decimals(ref.Args[1]))
	case len(ref.Args) > 0:
		return 8
	case ref.Func == string(cube.Rows) || ref.Func == string(cube.Count):
		return 0
	case ref.Measure == "":
		return o.decimals(o.formulaOf(ref.Func))
	}
	column, _ := o.model.Column(ref.Measure)
	scale := int32(column.Scale)
	if measure, _ := o.model.Measure(ref.Measure); measure.Factor != "" {
		scale += max(0, -decimal.RequireFromString(measure.Factor).Exponent())
	}
	if ref.Func == string(cube.Avg) {
		scale += 4
	}
	return scale
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
