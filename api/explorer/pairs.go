package explorer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// pairTable has the amounts, the shares and the growth of two views beside each other, and the differences of the amounts.
type pairTable struct {
	Caption    string
	Levels     []column
	Groups     []group // of each view
	Difference string  // which of the two less which
	Rows       []row
	Total      []value
}

// group is a head over columns.
type group struct {
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

// pairs puts the cells of two views side by side. The second result says why there is no table.
func (w *view) pairs(other *view, name, otherName string) (*pairTable, string) {
	sides := [2]*view{w, other}
	for _, side := range sides {
		if r := side.tooMany(); r != nil {
			return nil, r.text
		}
		if slices.ContainsFunc(side.drilled(), func(l cube.Level) bool { return w.isApart(l.Ref) }) {
			return nil, w.Say("compare.not-in-common")
		}
	}
	list := matched(w, other)
	widest := decimal.Zero
	for _, p := range list {
		widest = decimal.Max(widest, p.size())
	}
	levels := w.levelColumns()
	t := &pairTable{
		Caption: w.Say("view.cells", "Count", len(list)), Levels: headsOf(levels, func(l cube.Level) column { return column{Title: w.LevelTitle(l)} }),
		Groups: []group{{name, w.headsOfPair()}, {otherName, other.headsOfPair()}}, Difference: w.Say("compare.minus", "One", name, "Other", otherName),
	}
	if w.isLess(other) {
		t.Difference = w.Say("compare.minus", "One", otherName, "Other", name)
	}
	var rest []cellPair
	addsUp := notOneWhole(w.answer.Plan) == "" && notOneWhole(other.answer.Plan) == ""
	if addsUp && w.a.Query.Page == query.FirstPage && len(list) > mostRows+1 && !drillsTime(w.cb.Model, w.a.Query) {
		list, rest = list[:mostRows], list[mostRows:]
	}
	for _, p := range list {
		of := sides[slices.IndexFunc(p[:], func(c *answer.Cell) bool { return c != nil })]
		made := row{Values: w.valuesOf(sides, p, widest), Members: of.membersOf(*p.any(), levels)}
		last := &made.Members[len(made.Members)-1]
		last.Down, last.Hint = w.below(*p.any())
		t.Rows = append(t.Rows, made)
	}
	if len(rest) > 0 {
		t.Rows = append(t.Rows, w.othersOf(sides, rest, len(levels)))
	}
	whole := cellPair{{Values: w.answer.Summary.Values}, {Values: other.answer.Summary.Values}}
	for _, v := range w.valuesOf(sides, whole, decimal.Zero) {
		t.Total = append(t.Total, value{Text: v.Text, Negative: v.Negative})
	}
	return t, ""
}

// matched pairs the cells of two views by their members, those with the largest amounts first, or times in their order. A code that
// means another thing in the year of the other view is not the same member.
func matched(x, y *view) []cellPair {
	var list []cellPair
	at := map[string]int{}
	for i := range x.answer.Cells {
		at[plan.KeysID(x.answer.Cells[i].Keys)] = len(list)
		list = append(list, cellPair{&x.answer.Cells[i], nil})
	}
	for i := range y.answer.Cells {
		cell := &y.answer.Cells[i]
		if same, ok := at[plan.KeysID(cell.Keys)]; ok && !slices.ContainsFunc(x.reusedIn(y, cell.Keys), x.isDrilled) {
			list[same][1] = cell
		} else {
			list = append(list, cellPair{nil, cell})
		}
	}
	list = slices.DeleteFunc(list, func(p cellPair) bool { return !p.amount(0).Valid && !p.amount(1).Valid })
	slices.SortStableFunc(list, func(a, b cellPair) int {
		if drillsTime(x.cb.Model, x.a.Query) {
			return slices.CompareFunc(a.any().Keys, b.any().Keys, cube.Value.Compare)
		}
		return b.size().Cmp(a.size())
	})
	return list
}

// headsOfPair are the heads of the columns of a view beside another, which valuesOf fills.
func (w *view) headsOfPair() []string {
	heads := []string{w.unit()}
	if w.shareIndex() >= 0 {
		heads = append(heads, w.Say("view.share"))
	}
	if w.growth() >= 0 {
		title := w.Say("view.change")
		if year, ok := w.comparedYear(); ok {
			title = w.Say("compare.change-since", "Year", strconv.FormatInt(year, 10))
		}
		heads = append(heads, title)
	}
	return heads
}

// valuesOf are the numbers of two cells: of each the amount, the share and the growth, and then the difference of the amounts.
func (w *view) valuesOf(sides [2]*view, p cellPair, widest decimal.Decimal) []value {
	var list []value
	for i, side := range sides {
		amount := p.amount(i)
		v := value{Text: side.number(0, amount), Negative: amount.Valid && amount.Decimal.IsNegative()}
		if amount.Valid && len(p[i].Keys) > 0 {
			v.Bar, v.Link = share(amount.Decimal, widest), side.opening(*p[i])
		}
		list = append(list, v)
		for _, index := range []int{side.shareIndex(), side.growth()} {
			if index >= 0 {
				list = append(list, side.valueAt(p[i], index))
			}
		}
	}
	return append(list, w.difference(sides[1], p))
}

// difference is by how much the amount of the view with the larger sum is more than that of the other. Members that one side alone has
// are nothing on the other.
// Nothing is told where a code that both views cut means another thing in the year of the other view.
func (w *view) difference(other *view, p cellPair) value {
	if len(w.reusedIn(other, nil)) > 0 {
		return value{Text: w.Say("figure.incomparable")}
	}
	d := p.amount(0).Decimal.Sub(p.amount(1).Decimal)
	if w.isLess(other) {
		d = d.Neg()
	}
	return value{Text: signed(d, w.exact(d)), Negative: d.IsNegative()}
}

// valueAt is the share or the growth of a cell, which may be none.
func (w *view) valueAt(cell *answer.Cell, index int) value {
	switch {
	case cell == nil:
		return value{}
	case w.answer.Plan.Aggregates()[index].Role == query.RolePercentage && w.changed(*cell) != "":
		return value{Text: w.changed(*cell)}
	}
	return value{Text: w.number(index, cell.Values[index]), Negative: cell.Values[index].Decimal.IsNegative()}
}

// othersOf adds up the pairs that have no row of their own, and leads to all rows.
func (w *view) othersOf(sides [2]*view, rest []cellPair, columns int) row {
	sum := cellPair{}
	for i, side := range sides {
		added := decimal.NullDecimal{}
		for _, p := range rest {
			if amount := p.amount(i); amount.Valid {
				added = decimal.NewNullDecimal(added.Decimal.Add(amount.Decimal))
			}
		}
		sum[i] = &answer.Cell{Values: make([]decimal.NullDecimal, len(side.answer.Plan.Aggregates()))}
		sum[i].Values[0] = added
		if at := side.shareIndex(); at >= 0 {
			sum[i].Values[at] = answer.Quotient(added, side.answer.Summary.Values[0], side.answer.Plan.Aggregates()[at].Scale)
		}
	}
	a := w.a
	a.Query.Page = query.Page{Number: 1, Size: query.MaxPageSize}
	made := row{Others: true, Members: make([]member, columns), Values: w.valuesOf(sides, sum, decimal.Zero)}
	made.Members[columns-1] = member{Label: w.Say("view.others", "Count", len(rest)), Down: a.String()}
	return made
}

// growth is the index of the aggregate that says by how much the amounts grew since the year that they are compared with, or -1.
func (w *view) growth() int {
	main := w.answer.Plan.Aggregates()[0]
	return slices.IndexFunc(w.answer.Plan.Aggregates(), func(a plan.Aggregate) bool {
		return a.Role == query.RolePercentage && strings.TrimSuffix(a.Name, "."+string(a.Role)) == main.Name
	})
}

// reusedIn gives the breaks from which on a code that the keys of a cell name, or the cuts of both views, means another thing in the
// year of the other view.
func (w *view) reusedIn(other *view, keys []cube.Value) []cube.LabelBreak {
	year, ok := w.yearCut()
	otherYear, okToo := other.yearCut()
	if !ok || !okToo {
		return nil
	}
	return slices.DeleteFunc(w.answer.ReusedBetween(year, otherYear, keys), func(b cube.LabelBreak) bool { return w.isApart(b.Level) })
}

// isDrilled tells whether a break is of a drilled member, and not of one that a cut names.
func (w *view) isDrilled(b cube.LabelBreak) bool {
	return slices.ContainsFunc(w.answer.Plan.Keys(), func(key cube.Column) bool { return key.Name == b.Level })
}
