package reading

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/selection"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

var hundred = decimal.NewFromInt(100)

// Sum writes what all cells add up to, in words and with all its digits; "" if there is nothing to add up.
func (r *Reading) Sum() (inWords, exact string) {
	sum, main := r.Answer.Summary.Values[0], r.Main()
	if !sum.Valid {
		return "", ""
	}
	inWords = r.Brief(sum.Decimal, r.Currency())
	if main.IsFraction() {
		inWords = r.Exact(sum.Decimal)
	}
	return inWords, r.Decimal(sum.Decimal, main.Scale)
}

// Number writes the value of an aggregate.
func (r *Reading) Number(index int, v decimal.NullDecimal) string {
	a := r.Plan.Aggregates()[index]
	switch {
	case !v.Valid:
		return ""
	case a.IsFraction():
		return r.Share(v.Decimal)
	case a.Role == query.RolePercentage:
		return r.Change(v)
	case a.Role == query.RoleDifference:
		return Signed(v.Decimal, r.Decimal(v.Decimal, a.Scale))
	}
	return r.Decimal(v.Decimal, a.Scale)
}

// Exact writes an amount of the first aggregate with all its digits.
func (r *Reading) Exact(d decimal.Decimal) string { return r.Number(0, decimal.NewNullDecimal(d)) }

// InFigure writes a value in a figure.
func (r *Reading) InFigure(index int, v decimal.NullDecimal) string {
	a := r.Plan.Aggregates()[index]
	if !v.Valid || a.IsFraction() || a.Role != "" {
		return r.Number(index, v)
	}
	return r.Short(v.Decimal)
}

// ValueIn is the first of the values in a role.
func (r *Reading) ValueIn(role query.Role, values []decimal.NullDecimal) decimal.NullDecimal {
	if i := r.IndexOf(role); i >= 0 {
		return values[i]
	}
	return decimal.NullDecimal{}
}

// IndexOf is the index of the first aggregate in a role, or -1.
func (r *Reading) IndexOf(role query.Role) int {
	return slices.IndexFunc(r.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Role == role })
}

// IsOfMain tells whether an aggregate is the first one or, of a comparison, has a role beside it.
func (r *Reading) IsOfMain(a plan.Aggregate) bool {
	return strings.TrimSuffix(a.Name, "."+string(a.Role)) == r.Main().Name
}

// ShareIndex is the index of the aggregate with the shares of the amounts, or -1.
func (r *Reading) ShareIndex() int {
	return slices.IndexFunc(r.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Func == cube.Share && a.Role == "" })
}

// Growth is the index of the aggregate that says by how much the amounts grew since the year that they are compared with, or -1.
func (r *Reading) Growth() int {
	return slices.IndexFunc(r.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Role == query.RolePercentage && r.IsOfMain(a) })
}

// DifferenceOf is the difference of the first amount since the year before, as it is rounded once: in real terms and per head it is not that
// of two rounded amounts. Where it is null, what is null of the two is nothing.
func (r *Reading) DifferenceOf(values []decimal.NullDecimal) decimal.Decimal {
	if difference := r.ValueIn(query.RoleDifference, values); difference.Valid {
		return difference.Decimal
	}
	return values[0].Decimal.Sub(r.ValueIn(query.RoleEarlier, values).Decimal)
}

// Widest is the largest amount of a row, without its sign.
func (r *Reading) Widest() decimal.Decimal {
	most := decimal.Zero
	for _, cell := range r.Answer.Cells {
		if amount := cell.Values[0]; cell.Others == 0 && amount.Valid && amount.Decimal.Abs().GreaterThan(most) {
			most = amount.Decimal.Abs()
		}
	}
	return most
}

// RowCount is how many rows there are, on all pages; those that one row stands for count each.
func (r *Reading) RowCount() int64 {
	count := r.Answer.Summary.Count
	for _, cell := range r.Answer.Cells {
		if cell.Others > 0 {
			count += cell.Others - 1
		}
	}
	return count
}

// MatchesNothing tells whether no row of the budget is in the answer.
func MatchesNothing(r *Reading) bool {
	return (r.Has(cube.WarnNothingMatches) || r.Has(cube.WarnNoSuchMember)) && !r.Answer.Summary.Values[0].Valid
}

// Signed writes a difference with its sign.
func Signed(d decimal.Decimal, text string) string {
	if d.IsPositive() {
		return "+" + text
	}
	return text
}

// BarOf is how wide the bar of an amount is, in percent of the widest; "" for none.
func BarOf(amount, widest decimal.Decimal) string {
	if !widest.IsPositive() {
		return ""
	}
	return amount.Abs().Mul(hundred).DivRound(widest, 2).String()
}

// PercentOf gives a part in percent of a positive whole.
func PercentOf(part, whole decimal.Decimal) decimal.NullDecimal {
	return answer.Quotient(decimal.NewNullDecimal(part.Mul(hundred)), decimal.NewNullDecimal(whole), 8)
}

// IsSum tells whether the first aggregate adds up, so that the cells may be parts of one whole.
func (r *Reading) IsSum() bool {
	main := r.Main().Func
	return main == cube.Sum || main == cube.Rows || main == cube.Count
}

// HasMoneyTwice tells whether the cells have the same money in several statements.
func (r *Reading) HasMoneyTwice() bool { return r.Plan.CountsAll() || r.Plan.SnapshotKey() >= 0 }

// IsOneWhole tells whether the cells are parts of one whole.
func (r *Reading) IsOneWhole() bool { return r.IsSum() && !r.HasMoneyTwice() }

// IsTooMany tells whether the answer has more cells than a page can have.
func IsTooMany(r *Reading) bool { return r.Answer.Summary.Count > query.MaxPageSize }

// nearlyAll is the share from which on a part leaves so little to the others that a split says nothing: what is below it is split instead.
var nearlyAll = decimal.New(95, -2)

// IsDivided tells whether the answer has several parts, of which none has nearly all.
func IsDivided(r *Reading) bool {
	cells, at := r.Answer.Cells, r.ShareIndex()
	return len(cells) > 1 && (at < 0 || cells[0].Values[at].Decimal.LessThan(nearlyAll))
}

// mostOfOne is the share from which on one part is what a picture shows, so that its title says it.
var mostOfOne = decimal.New(4, -1)

// Titled gives a picture of the answer its title and the line below it: what it is of and its unit. Where one part explains most of a whole, the title
// says that, and what it is of stands before the unit.
func (r *Reading) Titled(of string) (title, unit string) {
	unit = r.Unit()
	if part := selection.PartOf(r.Guest, r.Plan); part != "" {
		unit += ", " + part
	}
	if found := finding(r); found != "" {
		return found, of + " · " + unit
	}
	return of, unit
}

// finding says which part explains most of the whole, where one does.
func finding(r *Reading) string {
	at, kind := r.ShareIndex(), r.Pictured()
	if at < 0 || len(r.Answer.Cells) < 2 || kind != selection.AsBars && kind != selection.AsTreemap {
		return ""
	}
	share := func(c answer.Cell) decimal.Decimal { return c.Values[at].Decimal }
	cell := slices.MaxFunc(r.Answer.Cells, func(a, b answer.Cell) int { return share(a).Cmp(share(b)) })
	isBelowZero := func(c answer.Cell) bool { return share(c).IsNegative() } // so that the others are more than the whole
	if cell.Others > 0 || share(cell).LessThanOrEqual(mostOfOne) || slices.ContainsFunc(r.Answer.Cells, isBelowZero) {
		return ""
	}
	name, verb := r.NameOf(cell), prose.Verb(r.Measure())
	if verb == "" || r.Main().Func != cube.Sum || !r.IsShared() {
		return r.Say("picture.finding", "By", r.Subtitle(), "Name", name, "Share", r.Share(share(cell)))
	}
	return r.Say("picture.most-"+verb, "Name", name, "Share", r.Share(share(cell)))
}
