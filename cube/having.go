package cube

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// Having is a bound condition on cells: Num compares with Number, or where Den is not empty the quotient of the two
// does. A store tests it without dividing: num > number × den where den is positive, the other way round where it is
// negative, and never where it is zero or anything is null.
type Having struct {
	Num        []Term
	Den        []Term
	Op         Comparison
	Number     decimal.Decimal
	AlwaysNull bool // what it compares is null in every cell
	text       string

	aggregate Aggregate // what is compared
}

// Term is a part times a number.
type Term struct {
	Part   int // among Plan.Parts
	Factor decimal.Decimal
}

// Flipped is the comparison of two numbers after both are multiplied by a negative one.
func (c Comparison) Flipped() Comparison {
	switch c {
	case Less:
		return Greater
	case LessOrEqual:
		return GreaterOrEqual
	case GreaterOrEqual:
		return LessOrEqual
	case Greater:
		return Less
	}
	return c
}

// String prints the condition as it is written.
func (h Having) String() string { return h.text }

func (b *binder) having(q Query) error {
	conditions := slices.Clone(q.Having)
	slices.SortStableFunc(conditions, func(x, y Condition) int { return strings.Compare(x.String(), y.String()) })
	same := func(x, y Condition) bool { return x.String() == y.String() }
	for _, condition := range slices.CompactFunc(conditions, same) {
		a, err := b.aggregate(condition.Aggregate)
		if err != nil {
			return err
		}
		h := Having{Op: condition.Op, Number: condition.Number, text: condition.String(), aggregate: a}
		var linear bool
		h.Num, h.Den, linear = a.linear()
		if digits := b.plan.digits(h); linear && digits > mostDigits {
			return Errorf(CodeBadValue, "%s needs %d digits, more than the %d that are compared exactly", h, digits,
				mostDigits).at(condition.Aggregate.At).or("write the number with fewer digits")
		}
		switch {
		case q.nodes:
			b.plan.shown = append(b.plan.shown, h)
		case linear:
			b.plan.having = append(b.plan.having, h)
		default:
			b.plan.weighed = append(b.plan.weighed, h)
		}
	}
	if b.plan.weighsShares() { // which are of all cells, whatever else they meet
		b.plan.having, b.plan.weighed = nil, b.plan.conditions()
	}
	return nil
}

// linear takes an aggregate apart into a quotient of two sums of parts; the divisor is empty where nothing is
// divided. False where it is no such quotient.
func (a Aggregate) linear() (num, den []Term, ok bool) {
	switch a.Func {
	case Share, ShareOfParent:
		return nil, nil, false
	case Avg:
		one := decimal.NewFromInt(1)
		return []Term{{a.parts[0], a.factor}}, []Term{{a.parts[1], one}}, true
	case Ratio, Diff:
		return a.linearFormula()
	}
	factor := a.factor
	if factor.IsZero() { // a count
		factor = decimal.NewFromInt(1)
	}
	return []Term{{a.parts[0], factor}}, nil, true
}

func (a Aggregate) linearFormula() (num, den []Term, ok bool) {
	x, xDen, ok := a.Args[0].linear()
	y, yDen, also := a.Args[1].linear()
	if !ok || !also || len(xDen)+len(yDen) > 0 {
		return nil, nil, false
	}
	if a.Func == Ratio {
		return x, y, true
	}
	for _, t := range y {
		x = append(x, Term{t.Part, t.Factor.Neg()})
	}
	return x, nil, true
}

// mostDigits is how many digits a DECIMAL of DuckDB has.
const mostDigits = 38

// digits bounds how many digits the sides of a condition can have, before and after the point.
func (p *Plan) digits(h Having) int {
	whole, decimals := 0, 0
	for _, t := range append(append([]Term(nil), h.Num...), h.Den...) {
		w, d := p.PartDigits(t.Part)
		whole = max(whole, w+wholeDigits(t.Factor))
		decimals = max(decimals, d+decimalDigits(t.Factor))
	}
	// A sum of two terms carries into one digit more.
	return whole + 1 + decimals + wholeDigits(h.Number) + decimalDigits(h.Number)
}

// PartDigits bounds the digits of a part before and after the point. A sum of n amounts is at most n times the
// greatest.
func (p *Plan) PartDigits(part int) (whole, decimals int) {
	rows := len(strconv.FormatInt(p.cube.Rows, 10))
	function := p.parts[part].Func
	if function == Rows || function == Count {
		return rows, 0
	}
	column, _ := p.cube.Model.Column(p.parts[part].Measure)
	if function != Sum {
		rows = 0
	}
	return max(1, column.Digits) + rows, column.Scale
}

func wholeDigits(d decimal.Decimal) int { return len(d.Abs().Truncate(0).String()) }

func decimalDigits(d decimal.Decimal) int { return int(max(0, -d.Exponent())) }
