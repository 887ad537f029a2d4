package figures

import (
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/reading"
	"fiscube/cube/answer"
)

// ofParts draws all members of the drilled levels. A figure of a whole has no part that is left out.
func ofParts(r *reading.Reading, draw func(chart.Frame, []chart.Part) (chart.Figure, *chart.Refusal), whole bool) Drawing {
	parts := partsOf(r)
	made := Drawing{Draw: func(width, height int) (chart.Figure, *Refusal) {
		f := frameOf(r, width, height)
		if whole && f.NotOneWhole == "" && len(parts) > 0 {
			if why := incomplete(r, parts); why != nil {
				return chart.Figure{}, refused(r, why)
			}
		}
		drawn, why := draw(f, parts)
		return drawn, refused(r, why)
	}}
	if whole {
		made.Told = tellAlmostAll(r, parts)
		made.small = func(unnamed []string) string {
			return r.Say("figure.small-areas", "Names", strings.Join(unnamed, ", "))
		}
	}
	return made
}

// almostAll is the share of a whole from which on the areas of its other parts can hardly be seen.
var almostAll = decimal.New(95, -2)

// tellAlmostAll says which part is almost all of the whole, if one is.
func tellAlmostAll(r *reading.Reading, parts []chart.Part) []string {
	sum := sumOfParts(decimal.Zero, parts)
	for _, part := range parts {
		if sum.IsPositive() && part.Share != "" && part.Value.GreaterThan(sum.Mul(almostAll)) {
			return []string{r.Say("figure.almost-all", "Name", part.Label, "Percent", part.Share)}
		}
	}
	return nil
}

// partsOf are the cells with an amount.
func partsOf(r *reading.Reading) []chart.Part {
	var parts []chart.Part
	for _, cell := range r.Answer.Cells {
		if amount := cell.Values[0]; amount.Valid {
			parts = append(parts, partOf(r, cell, amount.Decimal))
		}
	}
	return parts
}

// partOf is a cell with an amount.
func partOf(r *reading.Reading, cell answer.Cell, amount decimal.Decimal) chart.Part {
	down, _ := r.Below(cell)
	made := chart.Part{Kind: kindOf(cell), Members: int(cell.Others), Value: amount, Label: r.NameOf(cell), Amount: r.Exact(amount), Short: r.InFigure(0, cell.Values[0]), Href: down}
	if whole := r.Answer.Summary.Values[0]; whole.Valid && whole.Decimal.IsPositive() && r.IsOneWhole() {
		made.Share = r.Share(answer.Quotient(decimal.NewNullDecimal(amount), whole, shareDigits).Decimal)
	}
	made.Division = r.PurposeOf(cell)
	name := r.PathOf(cell)
	if cell.Others > 0 {
		made.Label = r.Say("view.others", "Count", cell.Others)
		name = made.Label
	}
	made.Title = titled(name, made)
	return made
}

// shareDigits is how exactly a share is divided before it is rounded to be shown.
const shareDigits = 60

// incomplete refuses parts that are not all of the whole, such as those that a condition leaves.
func incomplete(r *reading.Reading, parts []chart.Part) *chart.Refusal {
	sum, whole := sumOfParts(decimal.Zero, parts), r.Answer.Summary.Values[0]
	if whole.Valid && addUp(r, sum, whole.Decimal, len(parts)) {
		return nil
	}
	return &chart.Refusal{Reason: chart.DoesNotAddUp, Label: r.Title, Amount: r.Number(0, whole)}
}

// titled writes what a part is in one line: its members, the amount, and the share or the rate.
func titled(name string, part chart.Part) string {
	if part.Share == "" {
		return name + ": " + part.Amount
	}
	return name + ": " + part.Amount + " (" + part.Share + ")"
}

// kindOf tells what a cell stands for.
func kindOf(cell answer.Cell) chart.Kind {
	switch {
	case cell.Others > 0:
		return chart.Others
	case len(cell.Keys) > 0 && cell.Keys[len(cell.Keys)-1].IsMissing():
		return chart.Missing
	}
	return chart.Member
}

// addUp tells whether parts have the sum of a whole. In real terms and per head each of them is rounded, so that their sum may differ
// from the whole in its last digits.
func addUp(r *reading.Reading, sum, whole decimal.Decimal, parts int) bool {
	main, most := r.Main(), decimal.Zero
	if main.ByYear != nil {
		most = decimal.New(int64(parts)+1, -main.Scale)
	}
	return sum.Sub(whole).Abs().LessThanOrEqual(most)
}

// sumOfParts adds parts to an amount.
func sumOfParts(amount decimal.Decimal, parts []chart.Part) decimal.Decimal {
	for _, part := range parts {
		amount = amount.Add(part.Value)
	}
	return amount
}
