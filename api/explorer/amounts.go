package explorer

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/search"
)

// amountsPage is what a search for an amount finds.
type amountsPage struct {
	Title   string
	Read    string // the amounts that the text may mean
	Notes   []string
	MadeUp  bool
	Rounded []found // equal when rounded
	Equal   []found
	Nearest []found
}

// amounts finds the numbers that a text may mean; nil if it means none.
func (p *Pages) amounts(v *visit, text string, cubes []*cube.Cube) (*amountsPage, error) {
	figures := search.ParseFigure(text)
	if len(figures) == 0 {
		return nil, nil
	}
	answer := p.search.FindFigure(figures, cubes)
	page := &amountsPage{
		Title: v.Fill(v.Words.AmountsEqual, answer.Total, text),
		Read:  strings.Join(cube.Texts(figures, func(f search.Figure) string { return v.Decimal(f.Amount, 0) }), " / "),
	}
	if len(answer.Pending) > 0 {
		titles := cube.Texts(answer.Pending, v.titleOfCube)
		page.Notes = append(page.Notes, v.Fill(v.Words.AmountsPending, strings.Join(titles, "; ")))
		if answer.Total == 0 {
			page.Title = text
		}
	}
	for _, cb := range cubes {
		if left := answer.Left[cb.Name]; len(left) > 0 {
			titles := cube.Texts(left, func(l cube.Level) string { return v.levelTitle(cb.Model, l) })
			page.Notes = append(page.Notes, v.Fill(v.Words.AmountsLeft, v.titleOfCube(cb), strings.Join(titles, ", ")))
		}
	}
	for _, cell := range answer.Equal {
		made, err := v.amount(cell)
		if err != nil {
			return nil, err
		}
		page.MadeUp = page.MadeUp || cell.Hit.Cube.Synthetic
		if cell.IsExact {
			page.Equal = append(page.Equal, made)
		} else {
			page.Rounded = append(page.Rounded, made)
		}
	}
	for _, cell := range answer.Nearest {
		made, err := v.amount(cell)
		if err != nil {
			return nil, err
		}
		page.MadeUp = page.MadeUp || cell.Hit.Cube.Synthetic
		page.Nearest = append(page.Nearest, made)
	}
	return page, nil
}

// amount describes a number, with a link to its page.
func (v *visit) amount(cell search.Cell) (found, error) {
	cb, m := cell.Hit.Cube, cell.Hit.Cube.Model
	made := v.member(cell.Hit)
	made.Above = strings.TrimSuffix(v.titleOfCube(cb)+" › "+made.Above, " › ")
	if cell.Kind == search.KindCube {
		made.Above = v.Words.Total
	}
	made.Unit, made.Amount = prose.MeasureTitle(cell.Sum, v.Language), v.Decimal(cell.Value, 0)
	a := v.explore(cb)
	if cell.Kind == search.KindMember {
		bound, err := plan.Bind(cb, query.Query{Drilldown: []query.Ref{{Name: cell.Level.Ref}}})
		if err != nil {
			return made, err
		}
		a = a.cuttingText(bound.CutOf(cell.Path))
		made.Above = v.levelTitle(m, cell.Level) + " · " + made.Above
	}
	if year, ok := m.YearLevel(); ok && !cell.In.IsMissing() {
		made.Unit += " " + cell.In.String()
		if !slices.Contains(cell.Level.Path, year.Ref) {
			a = a.with(equal(year.Ref, cell.In.String()))
		}
	}
	sum := query.AggregateRef{Measure: cell.Sum.Ref, Func: string(cube.Sum)}
	a = a.asking(func(q *query.Query) { q.Aggregates = []query.AggregateRef{sum} })
	made.Link = a.at(a.path + "/number").String()
	return made, nil
}
