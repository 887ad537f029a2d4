package storetest

import (
	"errors"
	"io"
	"math/big"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// group is one cell in the making: the rows of some keys, added up.
type group struct {
	cell  cube.Cell // complete when all rows are in
	rows  int64
	sums  map[string]*sum // by measure
	flows bool            // some measure adds up over the statements of money
}

// sum is what the amounts of a measure come to.
type sum struct {
	flow                 bool // it adds up over the statements of money
	count                int64
	total, least, utmost decimal.Decimal
}

func newGroup(plan *cube.Plan, keys []cube.Value) *group {
	g := &group{cell: cube.Cell{Keys: keys}, sums: map[string]*sum{}}
	for _, a := range plan.Aggregates() {
		if measure, ok := plan.Cube().Model.Measure(a.Measure); ok {
			g.sums[a.Measure] = &sum{flow: measure.Flow}
			g.flows = g.flows || measure.Flow
		}
	}
	return g
}

// add adds a row. One that does not count states money again: only what flows is added.
func (g *group) add(o *oracle, row []string, counts bool) {
	if counts {
		g.rows++
	}
	for measure, s := range g.sums {
		if amount, ok := o.amount(row, measure); ok && (counts || s.flow) {
			s.add(amount)
		}
	}
}

func (s *sum) add(amount decimal.Decimal) {
	if s.count == 0 || amount.LessThan(s.least) {
		s.least = amount
	}
	if s.count == 0 || amount.GreaterThan(s.utmost) {
		s.utmost = amount
	}
	s.total = s.total.Add(amount)
	s.count++
}

func (g *group) values(plan *cube.Plan) []decimal.NullDecimal {
	values := make([]decimal.NullDecimal, len(plan.Aggregates()))
	for i, a := range plan.Aggregates() {
		values[i] = g.value(plan, a)
	}
	return values
}

// value gives an aggregate. Counts of nothing are 0, everything else of nothing is null.
func (g *group) value(plan *cube.Plan, a cube.Aggregate) decimal.NullDecimal {
	if a.Func == cube.Rows {
		return decimal.NewNullDecimal(decimal.NewFromInt(g.rows))
	}
	s := g.sums[a.Measure]
	switch {
	case a.Func == cube.Count:
		return decimal.NewNullDecimal(decimal.NewFromInt(s.count))
	case s.count == 0:
		return decimal.NullDecimal{}
	case a.Func == cube.Sum:
		return decimal.NewNullDecimal(s.total)
	case a.Func == cube.Min:
		return decimal.NewNullDecimal(s.least)
	case a.Func == cube.Max:
		return decimal.NewNullDecimal(s.utmost)
	}
	column, _ := plan.Cube().Model.Column(a.Measure)
	return decimal.NewNullDecimal(halfToEven(s.total.Rat(), s.count, int32(column.Scale)+4))
}

// quotient is what an average sorts by: the floating-point quotient of its exact parts.
func (g *group) quotient(a cube.Aggregate) float64 {
	s := g.sums[a.Measure]
	total, _ := s.total.Float64()
	return total / float64(s.count)
}

// halfToEven divides and rounds to so many decimals, a half to the even neighbour.
func halfToEven(dividend *big.Rat, divisor int64, decimals int32) decimal.Decimal {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	exact := new(big.Rat).Mul(dividend, new(big.Rat).SetFrac(scale, big.NewInt(divisor)))
	below := new(big.Int).Div(exact.Num(), exact.Denom()) // rounds down, as Denom is positive
	rest := new(big.Rat).Sub(exact, new(big.Rat).SetInt(below))
	half := rest.Cmp(big.NewRat(1, 2))
	if half > 0 || half == 0 && below.Bit(0) == 1 {
		below.Add(below, big.NewInt(1))
	}
	return decimal.NewFromBigInt(below, -decimals)
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
