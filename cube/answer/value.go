package answer

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Only this file computes values, from exact parts, and rounds them once, at the end:
//
//  1. A formula whose measures have amounts in different years is null in a row that adds up years.
//  2. An aggregate without a role is computed from the row's own parts, shares also from those of all rows or of
//     the parent.
//  3. The earlier value is computed from the earlier row. The difference subtracts it, and the percentage divides the
//     difference by its absolute value. In a difference, a sum or count of a side without rows is 0.
//  4. Nothing is compared across years in which the code of a member means different things (plan.CrossedBreaks).
//  5. A sum in real terms or per head adds up the amounts of each year times the factor of the year (plan.ByYear).
//  6. A sum over years is not compared if one side has no amounts of a measure in some of them. A row that is new or gone
//     is not compared if the other side may only have no amounts of a measure.

// fraction is an exact value before rounding. It is whole if nothing was divided.
type fraction struct {
	num, den decimal.Decimal
	known    bool
	whole    bool
}

var (
	unity   = decimal.NewFromInt(1)
	hundred = decimal.NewFromInt(100)
)

func whole(n decimal.NullDecimal) fraction {
	return fraction{num: n.Decimal, den: unity, known: n.Valid, whole: true}
}

// by divides. A quotient by zero is unknown.
func (f fraction) by(g fraction) fraction {
	if !f.known || !g.known || g.num.IsZero() {
		return fraction{}
	}
	return fraction{num: f.num.Mul(g.den), den: f.den.Mul(g.num), known: true}
}

func (f fraction) minus(g fraction) fraction {
	switch {
	case !f.known || !g.known:
		return fraction{}
	case f.whole && g.whole:
		return whole(decimal.NewNullDecimal(f.num.Sub(g.num)))
	}
	return fraction{num: f.num.Mul(g.den).Sub(g.num.Mul(f.den)), den: f.den.Mul(g.den), known: true}
}

// percentOf gives f in percent of the absolute value of g.
func (f fraction) percentOf(g fraction) fraction {
	percent := f.by(g.abs())
	percent.num = percent.num.Mul(hundred)
	return percent
}

// abs gives f without its sign.
func (f fraction) abs() fraction {
	f.num, f.den = f.num.Abs(), f.den.Abs()
	return f
}

// rounded gives the value: exact if nothing was divided, else rounded half to even.
func (f fraction) rounded(scale int32) decimal.NullDecimal {
	switch {
	case !f.known:
		return decimal.NullDecimal{}
	case f.whole:
		return decimal.NewNullDecimal(f.num)
	}
	return Quotient(decimal.NewNullDecimal(f.num), decimal.NewNullDecimal(f.den), scale)
}

// compare orders two known values exactly.
func (f fraction) compare(g fraction) int {
	if f.whole && g.whole {
		return f.num.Cmp(g.num)
	}
	order := f.num.Mul(g.den).Cmp(g.num.Mul(f.den))
	return order * f.den.Sign() * g.den.Sign()
}

// Quotient divides exactly and rounds half to even at the given decimals; it is null if either side is
// null or the divisor is zero.
func Quotient(a, b decimal.NullDecimal, scale int32) decimal.NullDecimal {
	if !a.Valid || !b.Valid || b.Decimal.IsZero() {
		return decimal.NullDecimal{}
	}
	// The remainder decides the half: digits of a/b cut off before rounding could turn 0.5000…1 into a tie.
	quotient, remainder := a.Decimal.QuoRem(b.Decimal, scale)
	twice := remainder.Abs().Mul(decimal.NewFromInt(2)).Cmp(b.Decimal.Abs().Shift(-scale))
	odd := quotient.Shift(scale).Mod(decimal.NewFromInt(2)).Abs().Equal(decimal.NewFromInt(1))
	if twice > 0 || twice == 0 && odd {
		step := decimal.New(int64(a.Decimal.Sign()*b.Decimal.Sign()), -scale)
		quotient = quotient.Add(step)
	}
	return decimal.NewNullDecimal(quotient)
}

// values computes the aggregates of the plan.
func (t *table) values(b *basis) []decimal.NullDecimal {
	return t.appendValues(make([]decimal.NullDecimal, 0, len(t.grouping.Aggregates())), b)
}

func (t *table) appendValues(values []decimal.NullDecimal, b *basis) []decimal.NullDecimal {
	aggregates := t.grouping.Aggregates()
	for i := range aggregates {
		values = append(values, value(&aggregates[i], b).rounded(aggregates[i].Scale))
	}
	return values
}

// value computes an aggregate in its role.
func value(a *plan.Aggregate, b *basis) fraction {
	switch {
	case a.MixesYears && addsYears(a, b):
		return fraction{}
	case a.Role == "":
		return plain(a, b, false)
	case b.earlier == nil || b.years.recoded || a.YearsDiffer && addsYears(a, b):
		return fraction{}
	case a.Role == query.RoleEarlier:
		return plain(a, b.earlier, false)
	case b.state == noDifference || (b.state == isNew || b.state == isGone) && missesYear(a, b):
		return fraction{}
	}
	earlier := plain(a, b.earlier, b.state == isNew)
	difference := plain(a, b, b.state == isGone).minus(earlier)
	if a.Role == query.RoleDifference {
		return difference
	}
	return difference.percentOf(earlier)
}

// addsYears tells whether the value of a row, or the divisor of its share, adds up several years.
func addsYears(a *plan.Aggregate, b *basis) bool {
	return b.years.many || a.Uses(cube.Share) && b.total.years.many ||
		a.Uses(cube.ShareOfParent) && b.parent != nil && b.parent.years.many
}

// missesYear tells whether the other side of a row that is new or gone may only have no amounts of a measure: in the year
// of the row or, if it has no single year, in any year.
func missesYear(a *plan.Aggregate, b *basis) bool {
	if year, ok := b.years.year.Int(); ok && !addsYears(a, b) {
		return slices.Contains(a.YearsMissing, year)
	}
	return len(a.YearsMissing) > 0
}

// plain computes an aggregate without its role. With countZero it computes it over no facts: sums and counts are 0, and
// averages, minima and maxima are unknown.
func plain(a *plan.Aggregate, b *basis, countZero bool) fraction {
	if b.parts == nil && !countZero {
		return fraction{}
	}
	switch a.Func {
	case cube.Ratio:
		return plain(&a.Args[0], b, countZero).by(plain(&a.Args[1], b, countZero))
	case cube.Diff:
		return plain(&a.Args[0], b, countZero).minus(plain(&a.Args[1], b, countZero))
	case cube.Share:
		return shareOf(&a.Args[0], b, b.total, countZero)
	case cube.ShareOfParent:
		return shareOf(&a.Args[0], b, b.parent, countZero)
	}
	if countZero {
		if a.Func == cube.Sum || a.Func == cube.Count || a.Func == cube.Rows {
			return whole(decimal.NewNullDecimal(decimal.Zero))
		}
		return fraction{}
	}
	if a.ByYear != nil {
		return byYear(a, b)
	}
	part := b.parts[a.Parts[0]]
	if part.Valid && !a.Factor.IsZero() && !a.Factor.Equal(unity) { // counts have none, and most measures 1
		part.Decimal = part.Decimal.Mul(a.Factor)
	}
	if a.Func == cube.Avg {
		return whole(part).by(whole(b.parts[a.Parts[1]]))
	}
	return whole(part)
}

// byYear adds up the amounts of each year times its factor, and divides the sum once. It is unknown if a year has amounts and no
// factor; amounts of 0 need none.
func byYear(a *plan.Aggregate, b *basis) fraction {
	sum := fraction{den: a.ByYear.Divisor}
	for _, year := range a.ByYear.Years {
		part := b.parts[year.Part]
		switch {
		case !part.Valid:
			continue
		case year.Times.IsZero() && !part.Decimal.IsZero():
			return fraction{}
		}
		sum.num, sum.known = sum.num.Add(part.Decimal.Mul(year.Times)), true
	}
	sum.num = sum.num.Mul(a.Factor)
	return sum
}

// shareOf divides the value by the same aggregate over all.
func shareOf(a *plan.Aggregate, b, all *basis, countZero bool) fraction {
	if all == nil {
		return fraction{}
	}
	return plain(a, b, countZero).by(plain(a, &basis{parts: all.parts}, false))
}
