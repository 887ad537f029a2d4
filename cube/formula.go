package cube

import "github.com/shopspring/decimal"

// basis is what the values of a cell are made of: its own parts, and those of what it is measured by. What is not
// known is nil, and what is made of it null.
type basis struct {
	own       []decimal.NullDecimal
	total     *basis // over all cells
	parent    *basis // over the cells of the same parent
	earlier   *basis // of the cell that it is compared with
	noRows    bool   // a difference counts sums of it as 0
	countZero bool   // sums and counts are 0
	apart     bool   // of an earlier one: no difference from it is told
	spans     bool   // it adds several fiscal years up
	year      Value  // the one that its keys name, if any
}

// fraction is an exact value before its only rounding; whole where it divides nothing.
type fraction struct {
	num, den decimal.Decimal
	known    bool
	whole    bool
}

var unity = decimal.NewFromInt(1)

func wholeFraction(n decimal.NullDecimal) fraction {
	return fraction{num: n.Decimal, den: unity, known: n.Valid, whole: true}
}

// by divides; nothing is known of a quotient by zero.
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
		return wholeFraction(decimal.NewNullDecimal(f.num.Sub(g.num)))
	}
	return fraction{num: f.num.Mul(g.den).Sub(g.num.Mul(f.den)), den: f.den.Mul(g.den), known: true}
}

func (f fraction) abs() fraction {
	f.num, f.den = f.num.Abs(), f.den.Abs()
	return f
}

var hundred = decimal.NewFromInt(100)

func (f fraction) hundredfold() fraction {
	f.num = f.num.Mul(hundred)
	return f
}

// rounded is the value: as it is where nothing was divided, else rounded half to even.
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

// of is the exact value of the aggregate, in its role.
func (a Aggregate) of(b basis) fraction {
	switch {
	case a.mixedIn(b):
		return fraction{}
	case a.Role == "":
		return a.plain(b)
	case b.earlier == nil || a.uneven && a.addsYears(b):
		return fraction{}
	case a.Role == RoleEarlier:
		return a.plain(*b.earlier)
	case b.earlier.apart || (b.noRows || b.earlier.noRows) && a.patchyIn(b):
		return fraction{}
	}
	earlier := a.counted(*b.earlier)
	difference := a.counted(b).minus(earlier)
	if a.Role == RoleDifference {
		return difference
	}
	return difference.by(earlier.abs()).hundredfold()
}

// counted is the value that a difference is made of: where there are no rows, sums and counts are 0.
func (a Aggregate) counted(b basis) fraction {
	b.countZero = b.noRows
	return a.plain(b)
}

func (a Aggregate) plain(b basis) fraction {
	if b.own == nil && !b.countZero {
		return fraction{}
	}
	switch a.Func {
	case Ratio:
		return a.Args[0].plain(b).by(a.Args[1].plain(b))
	case Diff:
		return a.Args[0].plain(b).minus(a.Args[1].plain(b))
	case Share:
		return a.Args[0].shareOf(b, b.total)
	case ShareOfParent:
		return a.Args[0].shareOf(b, b.parent)
	}
	if b.countZero {
		return a.ofNothing()
	}
	if a.Func == Avg {
		return wholeFraction(a.scaled(b.own[a.parts[0]])).by(wholeFraction(b.own[a.parts[1]]))
	}
	return wholeFraction(a.scaled(b.own[a.parts[0]]))
}

// shareOf divides the value by that over more cells.
func (a Aggregate) shareOf(b basis, whole *basis) fraction {
	if whole == nil {
		return fraction{}
	}
	return a.plain(b).by(a.plain(basis{own: whole.own}))
}

// ofNothing is a sum or a count where there are no rows; an average or an extreme is of none.
func (a Aggregate) ofNothing() fraction {
	switch a.Func {
	case Sum, Count, Rows:
		return wholeFraction(decimal.NewNullDecimal(decimal.Zero))
	}
	return fraction{}
}

// Values makes the aggregates of a cell from its parts and those of all cells.
func (p *Plan) Values(own, total []decimal.NullDecimal) []decimal.NullDecimal {
	return p.values(basis{own: own, total: p.basisOfAll(total), spans: p.spans(len(p.keys))})
}

// SummaryValues makes the aggregates of all cells together.
func (p *Plan) SummaryValues(total []decimal.NullDecimal) []decimal.NullDecimal {
	all := p.basisOfAll(total)
	all.total = all
	return p.values(*all)
}

func (p *Plan) basisOfAll(total []decimal.NullDecimal) *basis {
	return &basis{own: total, spans: p.spans(0)}
}

func (p *Plan) values(b basis) []decimal.NullDecimal {
	values := make([]decimal.NullDecimal, len(p.aggregates))
	for i, a := range p.aggregates {
		values[i] = a.of(b).rounded(a.Scale)
	}
	return values
}

// folded adds up the parts of two sets of rows that share none.
func folded(parts []Part, a, b []decimal.NullDecimal) []decimal.NullDecimal {
	sum := make([]decimal.NullDecimal, len(parts))
	for i, part := range parts {
		sum[i] = part.fold(a[i], b[i])
	}
	return sum
}

func (p Part) fold(a, b decimal.NullDecimal) decimal.NullDecimal {
	switch {
	case !a.Valid:
		return b
	case !b.Valid:
		return a
	case p.Func == Min:
		return decimal.NewNullDecimal(decimal.Min(a.Decimal, b.Decimal))
	case p.Func == Max:
		return decimal.NewNullDecimal(decimal.Max(a.Decimal, b.Decimal))
	}
	return decimal.NewNullDecimal(a.Decimal.Add(b.Decimal))
}

// nothing gives the parts of no rows: counts are 0, the rest is null.
func nothing(parts []Part) []decimal.NullDecimal {
	none := make([]decimal.NullDecimal, len(parts))
	for i, part := range parts {
		if part.Func == Rows || part.Func == Count {
			none[i] = decimal.NewNullDecimal(decimal.Zero)
		}
	}
	return none
}
