package reading

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// ChangeOf tells whether the first amount of a cell is new or gone. What was zero before is new; what has no amount in either year is
// neither.
func (r *Reading) ChangeOf(cell answer.Cell) answer.Change {
	before := r.ValueIn(query.RoleEarlier, cell.Values)
	isSome := func(amount decimal.NullDecimal) bool { return amount.Valid && !amount.Decimal.IsZero() }
	switch {
	case cell.Change == answer.ChangeGone && isSome(before):
		return answer.ChangeGone
	case isSome(cell.Values[0]) && (cell.Change == answer.ChangeNew || before.Valid && before.Decimal.IsZero()):
		return answer.ChangeNew
	}
	return ""
}

// Changed says of a cell that its first amount is new or gone, or that it cannot be compared, or nothing.
func (r *Reading) Changed(cell answer.Cell) string {
	switch change := r.ChangeOf(cell); {
	case change == answer.ChangeNew:
		return r.Say("view.new")
	case change == answer.ChangeGone:
		return r.Say("view.gone")
	case r.IsIncomparable(cell):
		return r.Say("figure.incomparable")
	}
	return ""
}

// IsIncomparable tells whether a cell of a year is not compared, since its code means another thing in the other year, or that of one
// of several that it adds up.
func (r *Reading) IsIncomparable(cell answer.Cell) bool {
	year, ok := r.Year()
	whole, before := r.ValueIn(query.RoleEarlier, r.Answer.Summary.Values), r.ValueIn(query.RoleEarlier, cell.Values)
	if !ok || before.Valid || !cell.Values[0].Valid || cell.Change != "" {
		return false
	}
	return cell.Others > 0 && whole.Valid || len(r.Answer.ReusedBetween(year, year+r.Offset(), cell.Keys)) > 0
}

// ChangeText is the change of a cell since the year before, in percent or in a word.
func (r *Reading) ChangeText(cell answer.Cell) string {
	at := r.IndexOf(query.RolePercentage)
	switch {
	case r.IsStopped():
		return ""
	case r.Changed(cell) != "":
		return r.Changed(cell)
	case at < 0 || r.IsUnknown(at, r.YearsOfCell(cell)):
		return ""
	}
	return r.Number(at, cell.Values[at])
}

// Zeros gives which of the years are published as 0 throughout in a measure of an aggregate.
func (r *Reading) Zeros(index int, years []int64) []int64 {
	return caveat.Zeros(r.Plan, r.Plan.Aggregates()[index], years)
}

// IsUnknown tells whether a rate or a change in some years would take zeros for amounts that are probably not known.
func (r *Reading) IsUnknown(index int, years []int64) bool {
	switch a := r.Plan.Aggregates()[index]; {
	case a.Role == query.RolePercentage || a.Role == query.RoleDifference:
		both := append(slices.Clone(years), each.Of(years, func(year int64) int64 { return year + r.Offset() })...)
		return len(r.Zeros(index, both)) > 0
	case caveat.IsRate(a):
		return len(r.Zeros(index, years)) > 0
	}
	return false
}

// YearsOfCell lists the fiscal years that a cell adds up.
func (r *Reading) YearsOfCell(cell answer.Cell) []int64 {
	if at := r.Plan.YearKey(); at >= 0 && at < len(cell.Keys) {
		if year, ok := cell.Keys[at].Int(); ok {
			return []int64{year}
		}
	}
	return r.Plan.Years()
}

// UnknownChange says because of which years the change of a year is not told.
func UnknownChange(r *Reading, year int64) string {
	return r.Say("caveat.unknown-change", "Years", r.Years(r.Zeros(0, []int64{year + r.Offset(), year})))
}
