package sqlgen

import (
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// formula writes the value that an aggregate sorts by. Quotients are in double precision, so an order by them is exact only
// after the passes have sorted the cells again (plan.Plan.Unsorted). column names a part, and total a part over all cells.
type formula struct {
	*renderer
	column, total func(part int) string
}

func (r *renderer) formula(from string) formula {
	return formula{r,
		func(part int) string { return from + numbered("a", part) },
		func(part int) string { return numbered("(SELECT t", part) + " FROM s)" }}
}

// wide casts a part to the digits that it needs: DuckDB gives a product the digits of both factors together, which may be 38 at
// most.
func (r *renderer) wide(s *plan.Statement, part int, text string) string {
	whole, decimals := s.PartDigits(part)
	return "CAST(" + text + " AS " + decimalType(max(whole, longDigits-decimals), decimals) + ")"
}

func (f formula) text(a plan.Aggregate) string {
	switch a.Func {
	case cube.Ratio:
		return quotient(f.text(a.Args[0]), f.text(a.Args[1]))
	case cube.Diff:
		return "(" + f.text(a.Args[0]) + " - " + f.text(a.Args[1]) + ")"
	case cube.Share:
		return quotient(f.text(a.Args[0]), f.ofTotal().text(a.Args[0]))
	case cube.Avg:
		return quotient(f.scaled(a, a.Parts[0]), f.column(a.Parts[1]))
	}
	if a.ByYear != nil {
		return f.byYear(a)
	}
	return f.scaled(a, a.Parts[0])
}

func (f formula) ofTotal() formula {
	f.column = f.total
	return f
}

func quotient(a, b string) string {
	return "(CAST(" + a + " AS double precision) / nullif(" + b + ", 0))"
}

// byYear writes the sum of the amounts of each year times its factor: null if all are null, or if a year has amounts and no factor.
func (f formula) byYear(a plan.Aggregate) string {
	years := a.ByYear.Years
	all := "coalesce(" + list(len(years), ", ", func(i int) string { return f.column(years[i].Part) }) + ")"
	return "(" + list(len(years), " + ", func(i int) string {
		part := f.column(years[i].Part)
		if years[i].Times.IsZero() {
			return "CASE WHEN " + part + " <> 0 THEN NULL ELSE 0 END"
		}
		factor := a.Factor.Mul(years[i].Times).DivRound(a.ByYear.Divisor, factorDecimals)
		return "coalesce(CAST(" + part + " AS double precision) * CAST(" + f.bind(factor.String()) + " AS double precision), 0)"
	}) + " + 0 * CAST(" + all + " AS double precision))"
}

// factorDecimals is enough decimals for the factor of an amount per head in double precision.
const factorDecimals = 40

func (f formula) scaled(a plan.Aggregate, part int) string {
	if a.Factor.IsZero() || a.Factor.Equal(one) {
		return f.column(part)
	}
	return "(CAST(" + f.column(part) + " AS double precision) * CAST(" + f.bind(a.Factor.String()) + " AS double precision))"
}

// conditions writes the conditions of having, over the parts h.a0 ….
func (r *renderer) conditions(s *plan.Statement) string {
	having := s.Having()
	return list(len(having), " AND ", func(i int) string { return r.condition(s, having[i]) })
}

// condition writes a condition. Instead of dividing it multiplies the number by the divisor, and flips the operator if the
// divisor is negative.
func (r *renderer) condition(s *plan.Statement, h plan.Having) string {
	if h.AlwaysNull {
		return "false"
	}
	num := r.linear(s, h.Num)
	if len(h.Den) == 0 {
		return num + " " + string(h.Op) + " " + r.decimal(h.Number)
	}
	den := r.linear(s, h.Den)
	side := den + " * " + r.decimal(h.Number)
	return "(" + den + " > 0 AND " + num + " " + string(h.Op) + " " + side +
		" OR " + den + " < 0 AND " + num + " " + string(h.Op.Flipped()) + " " + side + ")"
}

// longDigits is the number of digits from which DuckDB multiplies decimals in more than 64 bits.
const longDigits = 19

// linear writes a sum of parts.
func (r *renderer) linear(s *plan.Statement, terms []plan.Term) string {
	return "(" + list(len(terms), " + ", func(i int) string {
		part := r.wide(s, terms[i].Part, numbered("h.a", terms[i].Part))
		if terms[i].Factor.Equal(one) {
			return part
		}
		return part + " * " + r.decimal(terms[i].Factor)
	}) + ")"
}

// decimal binds an exact number.
func (r *renderer) decimal(d decimal.Decimal) string {
	decimals := int(max(0, -d.Exponent()))
	whole := len(d.Abs().Truncate(0).String())
	return "CAST(" + r.bind(d.String()) + " AS " + decimalType(whole, decimals) + ")"
}

func decimalType(whole, decimals int) string {
	return "decimal(" + strconv.Itoa(whole+decimals) + ", " + strconv.Itoa(decimals) + ")"
}

var one = decimal.NewFromInt(1)
