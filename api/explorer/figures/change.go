package figures

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/controls"
	"fiscube/api/explorer/reading"
	"fiscube/cube/answer"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// change explains the change since the year before, or since that which the question compares with: by how much each member grew or
// shrank. A member leads to its own change on the level below.
func change(a Asked) Drawing {
	r, values := a.All, a.All.Answer.Summary.Values
	year, _ := r.Year()
	before, now := r.ValueIn(query.RoleEarlier, values), values[0]
	if r.IsOneWhole() && !(now.Valid && before.Valid) {
		later := controls.YearsAlone(a.Page.Selection, func(other int64) bool { return other > year })
		return refusing(until(a.Page, noComparison, later))
	}
	from, to := inYear(r, year+r.Offset(), before), inYear(r, year, now)
	parts, others := differences(r)
	if len(others) > 0 {
		if len(parts) == 0 {
			return refusing(until(a.Page, noComparison, nil))
		}
		parts = append(parts, incomparable(r, others, to.Value.Sub(sumOfParts(from.Value, parts))))
	}
	told := tellChange(r, from, to, parts)
	if sum := sumOfParts(from.Value, parts); addUp(r, sum, to.Value, len(parts)) {
		to.Value = sum
	}
	return Drawing{Told: told, Draw: func(width, height int) (chart.Figure, *Refusal) {
		f := frameOf(r, width, height)
		if others := f.Others; others != nil {
			f.Others = func(kind chart.Kind, members int, value decimal.Decimal) chart.Part {
				made := others(kind, members, value)
				made.Amount = reading.Signed(value, made.Amount)
				made.Title = titled(made.Label, made)
				return made
			}
		}
		drawn, why := chart.Change(f, from, to, parts)
		return drawn, refused(r, why)
	}}
}

// tellChange says by how much the whole changed, and which of its parts grew and which shrank most.
func tellChange(r *reading.Reading, from, to chart.Part, parts []chart.Part) []string {
	inWords := func(d decimal.Decimal) string {
		return reading.Signed(d, r.Brief(d, r.Currency()))
	}
	whole := r.DifferenceOf(r.Answer.Summary.Values)
	text := inWords(whole)
	if rate := r.ValueIn(query.RolePercentage, r.Answer.Summary.Values); rate.Valid && from.Value.IsPositive() {
		text += " (" + r.Change(rate) + ")"
	}
	told := []string{r.Say("figure.change-whole", "First", from.Label, "Last", to.Label, "Amount", text, "Exact", reading.Signed(whole, r.Exact(whole)))}
	named := slices.DeleteFunc(slices.Clone(parts), func(p chart.Part) bool {
		return p.Members > 1 || p.Kind != chart.Member && p.Kind != chart.Missing // what is new or gone did not grow or shrink
	})
	if len(named) < 2 {
		return told
	}
	byValue := func(a, b chart.Part) int { return a.Value.Cmp(b.Value) }
	for _, most := range []struct {
		part    chart.Part
		sign    int
		message string
	}{{slices.MaxFunc(named, byValue), 1, "figure.change-most"}, {slices.MinFunc(named, byValue), -1, "figure.change-least"}} {
		if most.part.Value.Sign() != most.sign {
			continue // all grew, or all shrank
		}
		text := inWords(most.part.Value)
		if most.part.Share != "" {
			text += " (" + most.part.Share + ")"
		}
		told = append(told, r.Say(most.message, "Name", most.part.Label, "Amount", text))
	}
	return told
}

// inYear is the whole of a year.
func inYear(r *reading.Reading, year int64, amount decimal.NullDecimal) chart.Part {
	text := strconv.FormatInt(year, 10)
	a := r.Address.With(r.ToYear(year))
	a.View = ""
	return chart.Part{Value: amount.Decimal, Label: text, Amount: r.Number(0, amount), Title: text + ": " + r.Number(0, amount), Href: a.String()}
}

// differences are the members that have another amount than in the year before, and the cells that have nothing to be compared with.
func differences(r *reading.Reading) (parts []chart.Part, others []answer.Cell) {
	for _, cell := range r.Answer.Cells {
		if r.IsIncomparable(cell) {
			others = append(others, cell)
			continue
		}
		difference := r.DifferenceOf(cell.Values)
		if difference.IsZero() {
			continue
		}
		down, _ := r.Below(cell)
		made := chart.Part{
			Kind: kindOf(cell), Members: int(cell.Others), Value: difference, Label: r.NameOf(cell), Amount: reading.Signed(difference, r.Exact(difference)), Href: down,
		}
		name := r.PathOf(cell)
		switch {
		case cell.Others > 0:
			made.Label = r.Say("view.others", "Count", cell.Others)
			name = made.Label
		case r.ChangeOf(cell) == answer.ChangeNew:
			made.Kind, made.Share = chart.New, r.Say("view.new")
		case r.ChangeOf(cell) == answer.ChangeGone:
			made.Kind, made.Share = chart.Gone, r.Say("view.gone")
		default:
			if percentage := r.ValueIn(query.RolePercentage, cell.Values); percentage.Valid {
				made.Share = r.Change(percentage)
			}
		}
		made.Title = titled(name, made)
		parts = append(parts, made)
	}
	return parts, others
}

// incomparable is the change of cells that cannot be compared: what the change of the whole leaves for them and for those that had
// their codes before.
func incomparable(r *reading.Reading, cells []answer.Cell, left decimal.Decimal) chart.Part {
	members, table := 0, r.Address
	table.View = ""
	for _, cell := range cells {
		members += int(max(cell.Others, 1))
	}
	made := chart.Part{
		Kind: chart.Incomparable, Members: members, Value: left, Label: r.Say("figure.incomparable-ones", "Count", members), Amount: reading.Signed(left, r.Exact(left)),
		Href: table.String(),
	}
	made.Title = titled(made.Label+": "+strings.Join(each.Text(cells, r.NameOf), "; "), made)
	return made
}
