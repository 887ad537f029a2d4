// Package pairs puts the answers of two selections side by side: the amounts, the shares and the growth of each member, and the differences.
package pairs

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/figures"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Table has the amounts, the shares and the growth of two views beside each other, and the differences of the amounts.
type Table struct {
	Caption    string
	Levels     []reading.Column
	Groups     []Group // of each view
	Difference string  // which of the two less which
	Rows       []reading.Row
	Total      []reading.Value
}

// Group is a head over columns.
type Group struct {
	Title string
	Heads []string
}

// cellPair is the cells of the same members in two views, of which one may have none.
type cellPair [2]*answer.Cell

// any is one of the cells.
func (p cellPair) any() *answer.Cell {
	if p[0] != nil {
		return p[0]
	}
	return p[1]
}

// amount is the first value on a side.
func (p cellPair) amount(side int) decimal.NullDecimal {
	if p[side] == nil {
		return decimal.NullDecimal{}
	}
	return p[side].Values[0]
}

// size is the larger amount, without its sign.
func (p cellPair) size() decimal.Decimal {
	return decimal.Max(p.amount(0).Decimal.Abs(), p.amount(1).Decimal.Abs())
}

// Of puts the cells of two answers side by side. The second result says why there is no table.
func Of(r, other *reading.Reading, name, otherName string) (*Table, string) {
	sides := [2]*reading.Reading{r, other}
	for _, side := range sides {
		if reading.IsTooMany(side) {
			return nil, figures.TooMany(side)
		}
		if slices.ContainsFunc(side.Drilled(), func(l cube.Level) bool { return r.IsApart(l.Ref) }) {
			return nil, r.Say("compare.not-in-common")
		}
	}
	list := matched(r, other)
	widest := decimal.Zero
	for _, p := range list {
		widest = decimal.Max(widest, p.size())
	}
	levels := reading.LevelColumns(r)
	t := &Table{
		Caption: r.Say("view.cells", "Count", len(list)), Levels: reading.HeadsOf(levels, func(l cube.Level) reading.Column { return reading.Column{Title: r.LevelTitle(l)} }),
		Groups: []Group{{name, headsOf(r)}, {otherName, headsOf(other)}}, Difference: r.Say("compare.minus", "One", name, "Other", otherName),
	}
	if isLess(r, other) {
		t.Difference = r.Say("compare.minus", "One", otherName, "Other", name)
	}
	var rest []cellPair
	addsUp := r.IsOneWhole() && other.IsOneWhole()
	if addsUp && r.Address.Query.Page == query.FirstPage && len(list) > selection.MostRows+1 && !r.DrillsTime() {
		list, rest = list[:selection.MostRows], list[selection.MostRows:]
	}
	for _, p := range list {
		of := sides[slices.IndexFunc(p[:], func(c *answer.Cell) bool { return c != nil })]
		made := reading.Row{Values: valuesOf(sides, p, widest), Members: of.Members(*p.any(), levels)}
		last := &made.Members[len(made.Members)-1]
		last.Down, last.Hint = r.Below(*p.any())
		t.Rows = append(t.Rows, made)
	}
	if len(rest) > 0 {
		t.Rows = append(t.Rows, othersOf(sides, rest, len(levels)))
	}
	whole := cellPair{{Values: r.Answer.Summary.Values}, {Values: other.Answer.Summary.Values}}
	for _, v := range valuesOf(sides, whole, decimal.Zero) {
		t.Total = append(t.Total, reading.Value{Text: v.Text, Negative: v.Negative})
	}
	return t, ""
}

// matched pairs the cells of two views by their members, those with the largest amounts first, or times in their order. A code that
// means another thing in the year of the other one is not the same member.
func matched(x, y *reading.Reading) []cellPair {
	var list []cellPair
	at := map[string]int{}
	for i := range x.Answer.Cells {
		at[plan.KeysID(x.Answer.Cells[i].Keys)] = len(list)
		list = append(list, cellPair{&x.Answer.Cells[i], nil})
	}
	for i := range y.Answer.Cells {
		cell := &y.Answer.Cells[i]
		if same, ok := at[plan.KeysID(cell.Keys)]; ok && !slices.ContainsFunc(ReusedIn(x, y, cell.Keys), func(b cube.LabelBreak) bool { return isDrilled(x, b) }) {
			list[same][1] = cell
		} else {
			list = append(list, cellPair{nil, cell})
		}
	}
	list = slices.DeleteFunc(list, func(p cellPair) bool { return !p.amount(0).Valid && !p.amount(1).Valid })
	slices.SortStableFunc(list, func(a, b cellPair) int {
		if x.DrillsTime() {
			return slices.CompareFunc(a.any().Keys, b.any().Keys, cube.Value.Compare)
		}
		return b.size().Cmp(a.size())
	})
	return list
}

// headsOf are the heads of the columns of a view beside another, which valuesOf fills.
func headsOf(r *reading.Reading) []string {
	heads := []string{r.Unit()}
	if r.ShareIndex() >= 0 {
		heads = append(heads, r.Say("view.share"))
	}
	if r.Growth() >= 0 {
		title := r.Say("view.change")
		if year, ok := r.ComparedYear(); ok {
			title = r.Say("compare.change-since", "Year", strconv.FormatInt(year, 10))
		}
		heads = append(heads, title)
	}
	return heads
}

// valuesOf are the numbers of two cells: of each the amount, the share and the growth, and then the difference of the amounts.
func valuesOf(sides [2]*reading.Reading, p cellPair, widest decimal.Decimal) []reading.Value {
	var list []reading.Value
	for i, side := range sides {
		amount := p.amount(i)
		v := reading.Value{Text: side.Number(0, amount), Negative: amount.Valid && amount.Decimal.IsNegative()}
		if amount.Valid && len(p[i].Keys) > 0 {
			v.Bar, v.Link = reading.BarOf(amount.Decimal, widest), side.Opening(*p[i])
		}
		list = append(list, v)
		for _, index := range []int{side.ShareIndex(), side.Growth()} {
			if index >= 0 {
				list = append(list, valueAt(side, p[i], index))
			}
		}
	}
	return append(list, difference(sides[0], sides[1], p))
}

// difference is by how much the amount of the view with the larger sum is more than that of the other. Members that one side alone has
// are nothing on the other.
// Nothing is told where a code that both views cut means another thing in the year of the other one.
func difference(r, other *reading.Reading, p cellPair) reading.Value {
	if len(ReusedIn(r, other, nil)) > 0 {
		return reading.Value{Text: r.Say("figure.incomparable")}
	}
	d := p.amount(0).Decimal.Sub(p.amount(1).Decimal)
	if isLess(r, other) {
		d = d.Neg()
	}
	return reading.Value{Text: reading.Signed(d, r.Exact(d)), Negative: d.IsNegative()}
}

// valueAt is the share or the growth of a cell, which may be none.
func valueAt(r *reading.Reading, cell *answer.Cell, index int) reading.Value {
	switch {
	case cell == nil:
		return reading.Value{}
	case r.Plan.Aggregates()[index].Role == query.RolePercentage && r.Changed(*cell) != "":
		return reading.Value{Text: r.Changed(*cell)}
	}
	return reading.Value{Text: r.Number(index, cell.Values[index]), Negative: cell.Values[index].Decimal.IsNegative()}
}

// othersOf adds up the pairs that have no row of their own, and leads to all rows.
func othersOf(sides [2]*reading.Reading, rest []cellPair, columns int) reading.Row {
	sum := cellPair{}
	for i, side := range sides {
		added := decimal.NullDecimal{}
		for _, p := range rest {
			if amount := p.amount(i); amount.Valid {
				added = decimal.NewNullDecimal(added.Decimal.Add(amount.Decimal))
			}
		}
		sum[i] = &answer.Cell{Values: make([]decimal.NullDecimal, len(side.Plan.Aggregates()))}
		sum[i].Values[0] = added
		if at := side.ShareIndex(); at >= 0 {
			sum[i].Values[at] = answer.Quotient(added, side.Answer.Summary.Values[0], side.Plan.Aggregates()[at].Scale)
		}
	}
	r := sides[0]
	made := reading.Row{Others: true, Members: make([]reading.Member, columns), Values: valuesOf(sides, sum, decimal.Zero)}
	made.Members[columns-1] = reading.Member{Label: r.Say("view.others", "Count", len(rest)), Down: r.AllRows().String()}
	return made
}

// ReusedIn gives the breaks from which on a code that the keys of a cell name, or the cuts of both, means another thing in the
// year of the other one.
func ReusedIn(r, other *reading.Reading, keys []cube.Value) []cube.LabelBreak {
	year, ok := r.Year()
	otherYear, okToo := other.Year()
	if !ok || !okToo {
		return nil
	}
	return slices.DeleteFunc(r.Answer.ReusedBetween(year, otherYear, keys), func(b cube.LabelBreak) bool { return r.IsApart(b.Level) })
}

// isDrilled tells whether a break is of a drilled member, and not of one that a cut names.
func isDrilled(r *reading.Reading, b cube.LabelBreak) bool {
	return slices.ContainsFunc(r.Plan.Keys(), func(key cube.Column) bool { return key.Name == b.Level })
}

// isLess tells whether the sum of an answer is less than that of another: the difference is then that of the other one.
func isLess(r, other *reading.Reading) bool {
	x, y := r.Answer.Summary.Values[0], other.Answer.Summary.Values[0]
	return x.Valid && y.Valid && x.Decimal.LessThan(y.Decimal)
}

// Difference says in a sentence by how much the sum of an answer is more than that of another, or less; "" if one of them has none, or a
// code that both cut means different things in their years.
func Difference(r, other *reading.Reading, name, otherName string) string {
	x, y := r.Answer.Summary.Values[0], other.Answer.Summary.Values[0]
	if !x.Valid || !y.Valid || len(ReusedIn(r, other, nil)) > 0 {
		return ""
	}
	if isLess(r, other) {
		x, y, name, otherName = y, x, otherName, name
	}
	main := r.Main()
	d := x.Decimal.Sub(y.Decimal)
	if d.IsZero() {
		return r.Say("compare.as-much", "One", name, "Other", otherName)
	}
	text := r.Say("compare.more-than", "One", name, "Amount", r.Brief(d, r.Currency()), "Other", otherName, "Exact", r.Decimal(d, main.Scale))
	if y.Decimal.IsPositive() {
		text += " (" + r.Change(reading.PercentOf(d, y.Decimal)) + ")"
	}
	return text
}
