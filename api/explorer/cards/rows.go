// Package cards makes the pictures of a page from its answers: members with bars, areas, what changed most, the years, and what was spent against what
// was approved. Each is a card with all that must not part from it.
package cards

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/figures"
	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube/answer"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

// Rows are the cells of an answer as members with bars, at most so many, and the year before as their shadows.
func Rows(r *reading.Reading, most int) *layers.Rows {
	list, before, widest, levels := &layers.Rows{}, r.IndexOf(query.RoleEarlier), r.Widest(), reading.LevelColumns(r)
	for _, cell := range r.Answer.Cells {
		if before >= 0 && cell.Values[before].Valid && cell.Others == 0 {
			widest = decimal.Max(widest, cell.Values[before].Decimal.Abs())
		}
	}
	if year, ok := r.Year(); ok && before >= 0 {
		list.Now, list.Was = r.Years([]int64{year}), r.Years([]int64{year + r.Offset()})
	}
	rest := decimal.NullDecimal{}
	members, listed := int64(0), int64(0)
	for _, cell := range r.Answer.Cells {
		if cell.Others == 0 && len(list.Rows) < most {
			list.Rows = append(list.Rows, rowOf(r, cell, levels, before, widest))
			if r.ChangeOf(cell) != answer.ChangeGone {
				listed++
			}
			continue
		}
		members += max(cell.Others, 1)
		rest.Decimal, rest.Valid = rest.Decimal.Add(cell.Values[0].Decimal), rest.Valid || cell.Values[0].Valid
	}
	if r.There > 0 {
		members = r.There - listed
	}
	if members > 0 {
		text := r.Say("view.others", "Count", members)
		if r.IsOneWhole() {
			text = r.Say("picture.rest", "Count", members, "Amount", r.InFigure(0, rest))
		}
		list.Rest = &site.Choice{Text: text, Link: r.AllRows().String()}
	}
	return list
}

// rowOf is one cell as a member with a bar.
func rowOf(r *reading.Reading, cell answer.Cell, levels []reading.LevelColumn, before int, widest decimal.Decimal) layers.Row {
	members, amount := r.Members(cell, levels), cell.Values[0]
	last := members[len(members)-1]
	row := layers.Row{
		Name: r.NameOf(cell), Code: last.Code, Published: last.Published, Amount: cmp.Or(r.InFigure(0, amount), r.Say("figure.no-data")), Exact: r.Number(0, amount), Change: r.ChangeText(cell),
		Negative: amount.Valid && amount.Decimal.IsNegative(),
	}
	if division := r.PurposeOf(cell); division != "" {
		row.Purpose = "division-" + division
		if original := prose.ShownLabel(r.Cube, last.Published); !strings.EqualFold(original, last.Label) {
			row.Original, row.Published = original, ""
		}
	}
	row.Down, row.DownHint = r.Below(cell)
	if amount.Valid {
		row.NowWide, row.Open = reading.BarOf(amount.Decimal, widest), r.Opening(cell)
	}
	if before >= 0 && cell.Values[before].Valid {
		row.WasWide = reading.BarOf(cell.Values[before].Decimal, widest)
	}
	return row
}

// Split shows by what an answer is divided, as bars; its title says which part explains most of it.
func Split(r *reading.Reading, id string, most int) layers.Card {
	title, unit := r.Titled(r.Subtitle())
	return layers.Card{ID: id, Title: title, TitleLink: r.Address.String(), Unit: unit, Rows: Rows(r, most), Source: r.Source()}
}

// Areas shows a split as areas or, on phones, as bars; as bars alone where areas are refused.
func Areas(r *reading.Reading, areas *figures.Shown, most int) layers.Card {
	card := Split(r, "picture", most)
	if areas != nil && areas.Refused == "" {
		card.Wide, card.Told = areas.Large, areas.Told
	}
	return card
}

// Picture is the figure of a page in its card: what the address names or, of members, bars; nil where there is neither.
func Picture(r *reading.Reading, shown *figures.Shown) *layers.Card {
	card := &layers.Card{ID: "picture", Source: r.Source()}
	card.Title, card.Unit = r.Titled(r.Subtitle())
	switch {
	case shown != nil:
		card.Wide, card.Narrow, card.Told, card.Refused, card.Choices = shown.Large, shown.Small, shown.Told, shown.Refused, shown.Choices
		if card.Title == r.Subtitle() {
			card.Title = r.HeadingOf(r.Kind())
		}
	case len(r.Plan.Steps()) > 0 && len(r.Answer.Cells) > 0 && !r.Plan.Rollup():
		card.Rows = Rows(r, len(r.Answer.Cells))
	default:
		return nil
	}
	return card
}

// mostChanged is how many members a picture of changes lists.
const mostChanged = 6

// Changed shows what changed most since the year before, of the members of a split; nil where nothing is compared.
func Changed(r *reading.Reading) *layers.Card {
	year, ok := r.Year()
	if r.IndexOf(query.RoleEarlier) < 0 || !ok || r.IsStopped() || len(r.Zeros(0, []int64{year, year + r.Offset()})) > 0 {
		return nil
	}
	cells := slices.DeleteFunc(slices.Clone(r.Answer.Cells), func(c answer.Cell) bool {
		return c.Others > 0 || r.Changed(c) != "" || r.DifferenceOf(c.Values).IsZero() // what is new or gone did not grow or shrink
	})
	size := func(c answer.Cell) decimal.Decimal { return r.DifferenceOf(c.Values).Abs() }
	slices.SortStableFunc(cells, func(a, b answer.Cell) int { return size(b).Cmp(size(a)) })
	if len(cells) < 2 {
		return nil
	}
	list := &layers.Rows{}
	for _, cell := range cells[:min(len(cells), mostChanged)] {
		difference := r.DifferenceOf(cell.Values)
		row := layers.Row{
			Name: r.NameOf(cell), Change: r.ChangeText(cell), NowWide: reading.BarOf(difference, size(cells[0])), Purpose: "up",
			Amount: reading.Signed(difference, r.Short(difference)), Exact: reading.Signed(difference, r.Exact(difference)),
		}
		if difference.IsNegative() {
			row.Purpose = "down"
		}
		row.Down, row.DownHint = r.Below(cell)
		list.Rows = append(list.Rows, row)
	}
	a := r.Address
	a.View = selection.AsChange
	return &layers.Card{
		ID: "changed", Title: r.Say("picture.changed-most", "Year", r.Years([]int64{year + r.Offset()})), TitleLink: a.String(), Unit: r.Unit(), Rows: list,
	}
}
