package plan

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"

	"github.com/shopspring/decimal"
)

// Having is a bound condition on cells: Num, or Num divided by Den if there is a Den, compares with Number. A store tests
// it without dividing: num > number × den if den is positive, num < number × den if it is negative, and false if den is
// zero or anything is null.
type Having struct {
	Num        []Term
	Den        []Term
	Op         query.Operator
	Number     decimal.Decimal
	AlwaysNull bool      // the aggregate is null in every cell
	Aggregate  Aggregate // the aggregate that is compared
	text       string
}

// Term is a part times a number.
type Term struct {
	Part   int // index in Statement.Parts
	Factor decimal.Decimal
}

// String prints the condition as it is written.
func (h Having) String() string { return h.text }

func (b *binder) bindHaving(q query.Query) error {
	conditions := slices.Clone(q.Having)
	slices.SortStableFunc(conditions, func(x, y query.Condition) int { return strings.Compare(x.String(), y.String()) })
	same := func(x, y query.Condition) bool { return x.String() == y.String() }
	for _, condition := range slices.CompactFunc(conditions, same) {
		a, err := b.aggregate(condition.Aggregate)
		if err != nil {
			return err
		}
		h := Having{Op: condition.Op, Number: condition.Number, text: condition.String(), Aggregate: a}
		var linear bool
		h.Num, h.Den, linear = a.linear()
		if digits := b.digits(h); linear && digits > mostDigits {
			return cube.Errorf(cube.CodeBadValue, "%s needs %d digits, more than the %d that are compared exactly", h, digits,
				mostDigits).At(condition.Aggregate.At).WithHint("write the number with fewer digits")
		}
		switch {
		case q.Nodes:
			b.nodeHaving = append(b.nodeHaving, h)
		case linear:
			b.having = append(b.having, h)
		default:
			b.postHaving = append(b.postHaving, h)
		}
	}
	if b.FiltersShares() { // shares need all cells, also those that other conditions leave out
		b.having, b.postHaving = nil, b.Having()
	}
	return nil
}

// linear writes an aggregate as a sum of parts, or as a quotient of two sums of parts; den is empty if nothing is
// divided. It gives false for an aggregate that is neither, such as a share.
func (a Aggregate) linear() (num, den []Term, ok bool) {
	switch a.Func {
	case cube.Share, cube.ShareOfParent:
		return nil, nil, false
	case cube.Avg:
		one := decimal.NewFromInt(1)
		return []Term{{a.Parts[0], a.Factor}}, []Term{{a.Parts[1], one}}, true
	case cube.Ratio, cube.Diff:
		return a.linearFormula()
	}
	if a.ByYear != nil { // its factors have more digits than a store multiplies exactly
		return nil, nil, false
	}
	factor := a.Factor
	if factor.IsZero() { // a count
		factor = decimal.NewFromInt(1)
	}
	return []Term{{a.Parts[0], factor}}, nil, true
}

func (a Aggregate) linearFormula() (num, den []Term, ok bool) {
	x, xDen, ok := a.Args[0].linear()
	y, yDen, also := a.Args[1].linear()
	if !ok || !also || len(xDen)+len(yDen) > 0 {
		return nil, nil, false
	}
	if a.Func == cube.Ratio {
		return x, y, true
	}
	x = append(x, each.Of(y, func(t Term) Term { return Term{t.Part, t.Factor.Neg()} })...)
	return x, nil, true
}

// mostDigits is how many digits a DECIMAL of DuckDB has.
const mostDigits = 38

// digits bounds the digits of both sides of a condition, before and after the point.
func (b *binder) digits(h Having) int {
	whole, decimals := 0, 0
	for _, t := range append(append([]Term(nil), h.Num...), h.Den...) {
		w, d := b.parts[t.Part].digits(b.cube)
		whole = max(whole, w+wholeDigits(t.Factor))
		decimals = max(decimals, d+decimalDigits(t.Factor))
	}
	// A sum of two terms carries into one digit more.
	return whole + 1 + decimals + wholeDigits(h.Number) + decimalDigits(h.Number)
}

func wholeDigits(d decimal.Decimal) int { return len(d.Abs().Truncate(0).String()) }

func decimalDigits(d decimal.Decimal) int { return int(max(0, -d.Exponent())) }

// isOnShare tells whether the condition compares a share or a formula of shares.
func (h Having) isOnShare() bool { return h.Aggregate.Uses(cube.Share, cube.ShareOfParent) }
