package explorer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/query"
)

// picture is the figure of a view in its card: bars of the members, or what the address names.
func (w *view) picture(page *viewPage) *layers.Card {
	card := layers.Card{ID: "picture", Title: w.subtitle(), Unit: w.unit(), Source: w.source()}
	switch {
	case page.Figure != nil:
		card.Wide, card.Narrow, card.Told = page.Figure.Large, page.Figure.Small, page.Figure.Told
		card.Refused, card.Choices = page.Figure.Refused, page.Figure.Choices
		card.Title = w.headingOf(w.kind())
	case page.Table != nil && len(page.Table.Rows) > 0 && !w.answer.Plan.Rollup():
		card.Rows = w.bars()
		card.Title = cmp.Or(w.finding(), card.Title)
	default:
		return nil
	}
	return &card
}

// mostOfOne is the share from which on one part is what a picture shows, so that its title says it.
var mostOfOne = decimal.New(4, -1)

// finding says which part explains most of the whole, where one does.
func (w *view) finding() string {
	at := w.shareIndex()
	if at < 0 || len(w.answer.Cells) < 2 || w.kind() == asChange {
		return ""
	}
	cell := slices.MaxFunc(w.answer.Cells, func(a, b answer.Cell) int { return a.Values[at].Decimal.Cmp(b.Values[at].Decimal) })
	if share := cell.Values[at]; cell.Others == 0 && share.Valid && share.Decimal.GreaterThan(mostOfOne) {
		return w.Say("picture.finding", "By", w.subtitle(), "Name", w.nameOf(cell), "Share", w.Share(share.Decimal))
	}
	return ""
}

// bars are the cells as members with bars, and the year before as their shadows.
func (w *view) bars() *layers.Rows {
	list := &layers.Rows{}
	before := w.indexOf(query.RoleEarlier)
	widest := w.widest()
	for _, cell := range w.answer.Cells {
		if before >= 0 && cell.Values[before].Valid && cell.Others == 0 {
			widest = decimal.Max(widest, cell.Values[before].Decimal.Abs())
		}
	}
	if year, ok := w.yearCut(); ok && before >= 0 {
		list.Now, list.Was = w.Years([]int64{year}), w.Years([]int64{year + w.offset()})
	}
	levels := w.levelColumns()
	for _, cell := range w.answer.Cells {
		members := w.membersOf(cell, levels)
		last := members[len(members)-1]
		amount := cell.Values[0]
		row := layers.Row{Name: w.nameOf(cell), Code: last.Code, Amount: w.short(0, amount), Exact: w.number(0, amount), Negative: amount.Valid && amount.Decimal.IsNegative()}
		if cell.Others > 0 {
			list.Rest = &site.Choice{Text: w.Say("picture.rest", "Count", cell.Others, "Amount", row.Amount), Link: w.a.Asking(func(q *query.Query) { q.Page = query.Page{Number: 2, Size: max(len(list.Rows), 1)} }).String()}
			continue
		}
		if purpose := w.purposeName(cell); purpose != "" && !strings.EqualFold(purpose, row.Name) {
			row.Name, row.Original = purpose, row.Name
		}
		if division := w.purposeOf(cell); division != "" {
			row.Purpose = "division-" + division
		}
		row.Down, row.DownHint = w.below(cell)
		if amount.Valid {
			row.NowWide, row.Open = share(amount.Decimal, widest), w.opening(cell)
		}
		if before >= 0 && cell.Values[before].Valid {
			row.WasWide = share(cell.Values[before].Decimal, widest)
		}
		row.Change = w.changeText(cell)
		list.Rows = append(list.Rows, row)
	}
	return list
}

// changeText is the change of a cell since the year before, in percent or in a word.
func (w *view) changeText(cell answer.Cell) string {
	at := w.indexOf(query.RolePercentage)
	switch {
	case w.isStopped():
		return ""
	case w.changed(cell) != "":
		return w.changed(cell)
	case at < 0 || w.isUnknown(at, w.yearsOfCell(cell)):
		return ""
	}
	return w.number(at, cell.Values[at])
}

// indexOf is the index of the first aggregate in a role, or -1.
func (w *view) indexOf(role query.Role) int {
	for i, a := range w.answer.Plan.Aggregates() {
		if a.Role == role {
			return i
		}
	}
	return -1
}

// short writes a value in a figure.
func (w *view) short(index int, v decimal.NullDecimal) string {
	a := w.answer.Plan.Aggregates()[index]
	if !v.Valid || a.IsFraction() || a.Role != "" {
		return w.number(index, v)
	}
	return w.Short(v.Decimal)
}

// ofYears is the number in each year as bars.
func (w *view) ofYears(years []bar) *layers.Card {
	if len(years) < 2 {
		return nil
	}
	card := &layers.Card{ID: "years", Title: w.Say("home.by-years"), Unit: w.unit(), Rows: &layers.Rows{}}
	for _, of := range years {
		card.Rows.Rows = append(card.Rows.Rows, layers.Row{
			Name: of.Text, Down: of.Link, Amount: of.Short, Open: of.Open, Exact: of.Amount, Change: of.Change, NowWide: of.Bar, Mark: of.Note,
		})
	}
	return card
}

// spentOfApproved holds, year by year, what was spent against what was approved; nil where one of the two is not known. It asks one question.
func (w *view) spentOfApproved() (*layers.Card, error) {
	year, ok := w.yearCut()
	executed, approved, known := executedOf(w.cb, year)
	main := w.answer.Plan.Aggregates()[0]
	if !ok || !known || main.Func != cube.Sum || main.ByYear != nil || main.Measure != executed.Ref && main.Measure != approved.Ref {
		return nil, nil
	}
	level, _ := w.cb.Model.YearLevel()
	q := w.a.Without(func(field string) bool { return field == level.Ref }).Query
	q.Drilldown, q.Aggregates = []query.Ref{{Name: level.Ref}}, []query.AggregateRef{sumOf(executed), sumOf(approved)}
	q.Order, q.Compare, q.Top, q.Remainder, q.Having, q.Page = nil, nil, 0, false, nil, query.Page{Number: 1, Size: mostYears}
	found, err := w.Ask(w.cb, q)
	if isOfReader(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	widest := decimal.Zero
	for _, cell := range found.Cells {
		widest = decimal.Max(widest, cell.Values[0].Decimal, cell.Values[1].Decimal)
	}
	card := &layers.Card{ID: "spent", Title: w.Say("picture.spent-and-approved"), Unit: w.Say("picture.spent-and-approved-unit")}
	for _, cell := range found.Cells {
		spent, of := cell.Values[0], cell.Values[1]
		if !spent.Valid || !of.Valid || spent.Decimal.IsNegative() || of.Decimal.IsNegative() || spent.Decimal.IsZero() {
			continue
		}
		verb := "picture.spent"
		if executed.Direction == "revenue" {
			verb = "picture.received"
		}
		card.Pairs = append(card.Pairs, layers.Pair{
			Year: yearText(w, cell), Spent: w.Say(verb, "Amount", w.Short(spent.Decimal)), Approved: w.Say("picture.approved", "Amount", w.Short(of.Decimal)),
			SpentWide: share(spent.Decimal, widest), ApprovedAt: share(of.Decimal, widest),
		})
	}
	if len(card.Pairs) == 0 {
		return nil, nil
	}
	return card, nil
}

// yearText writes the year of a cell of an answer by years.
func yearText(w *view, cell answer.Cell) string {
	if year, ok := cell.Keys[0].Int(); ok {
		return w.Years([]int64{year})
	}
	return w.Say("view.missing")
}
