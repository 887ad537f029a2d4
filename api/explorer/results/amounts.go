package results

import (
	"slices"
	"strings"

	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/search"
	"fiscube/internal/each"
)

// amountsPage is what a search for an amount finds.
type amountsPage struct {
	Title   string
	Read    string // the amounts that the text may mean
	Notes   []string
	Retry   string // leads to this page again, while amounts are still being added up
	MadeUp  bool
	Rounded []found // equal when rounded
	Equal   []found
	Nearest []found

	In        bool          // they are in the cube that is looked in
	Elsewhere []site.Choice // leads to those in others

	total int
}

// amounts finds the numbers that a text may mean, first in the cube that is looked in, and then in all; nil if it means none.
func (v *visit) amounts(text string, in *cube.Cube, all []*cube.Cube) *amountsPage {
	if in == nil {
		return v.amountsIn(text, all, all)
	}
	others := slices.DeleteFunc(slices.Clone(all), func(cb *cube.Cube) bool { return cb == in })
	page := v.amountsIn(text, []*cube.Cube{in}, all)
	if page != nil && page.total == 0 && page.Retry != "" {
		page.In = true
		return page
	}
	elsewhere := v.amountsIn(text, others, all)
	switch {
	case page == nil:
		return elsewhere
	case elsewhere == nil || elsewhere.total == 0:
		page.In = true
		if elsewhere != nil && elsewhere.Retry != "" { // what others have is not known yet
			page.Retry, page.Notes = elsewhere.Retry, slices.Concat(page.Notes, elsewhere.Notes)
		}
		return page
	case page.total == 0:
		elsewhere.Notes = slices.Insert(elsewhere.Notes, 0, v.Say("search.nothing-in", "Text", text, "Budget", v.TitleOfCube(in)))
		return elsewhere
	}
	page.In = true
	page.Elsewhere = []site.Choice{{Text: v.Say("search.amounts-elsewhere", "Count", elsewhere.total), Link: v.searching(text)}}
	return page
}

// amountsIn finds the numbers in some of the cubes.
func (v *visit) amountsIn(text string, cubes, all []*cube.Cube) *amountsPage {
	asked, ok := v.index.Figure(text, cubes, all)
	if !ok {
		return nil
	}
	answer := v.index.FindFigure(asked)
	page := &amountsPage{
		Title: v.amountsTitle(answer, asked.Text), total: answer.Total,
		Read: strings.Join(each.Text(asked.Figures, func(f search.Figure) string { return v.Decimal(f.Amount, 0) }), " / "),
	}
	if len(asked.Cubes) < len(cubes) || len(cubes) == 1 && len(all) > 1 {
		page.Read += " · " + strings.Join(site.Once(each.Text(asked.Cubes, v.titleMarked)), "; ")
	}
	if asked.Year != 0 {
		page.Read += " · " + v.Years([]int64{asked.Year})
	}
	switch {
	case len(asked.Currencies) > 0:
		page.Read += " · " + strings.Join(asked.Currencies, ", ")
	case asked.Currency != "":
		page.Notes = append(page.Notes, v.Say("search.currency-lacking", "Currency", asked.Currency))
	}
	if len(answer.Pending) > 0 {
		titles := each.Text(answer.Pending, v.TitleOfCube)
		page.Notes = append(page.Notes, v.Say("search.amounts-pending", "Budgets", strings.Join(titles, "; ")))
		page.Retry = v.searchingIn(v.Given["cube"], text)
		if answer.Total == 0 {
			page.Title = asked.Text
		}
	}
	if listed := len(answer.Equal); answer.Total > listed {
		page.Notes = append(page.Notes, v.Say("search.amounts-first", "Count", listed))
	}
	for _, cb := range cubes {
		if left := answer.Left[cb.Name]; len(left) > 0 {
			titles := each.Text(left, v.LevelTitle)
			page.Notes = append(page.Notes, v.Say("search.amounts-left", "Budget", v.TitleOfCube(cb), "Levels", strings.Join(titles, ", ")))
		}
	}
	for _, cells := range slices.Concat(sameSums(answer.Equal), sameSums(answer.Nearest)) {
		same := each.Of(cells, v.amount)
		made := same[0]
		made.Same = same[1:]
		made.Others = v.Say("search.amounts-same", "Count", len(made.Same))
		page.MadeUp = page.MadeUp || cells[0].Cube.Synthetic
		switch {
		case answer.Total == 0:
			page.Nearest = append(page.Nearest, made)
		case cells[0].IsExact:
			page.Equal = append(page.Equal, made)
		default:
			page.Rounded = append(page.Rounded, made)
		}
	}
	return page
}

// amountsTitle says how many numbers are the amount, and of them how many only when rounded.
func (v *visit) amountsTitle(answer search.Cells, text string) string {
	equal, rounded := v.Say("search.amounts-equal", "Count", answer.Exact, "Amount", text), answer.Total-answer.Exact
	if rounded == 0 {
		return equal
	}
	more := v.Say("search.amounts-round-to", "Count", rounded, "Amount", text)
	if answer.Exact == 0 {
		return more
	}
	return equal + "; " + more
}

// sameSums puts the cells of a budget and a year with one and the same amount together: as a rule they are sums of the same rows, which
// members of several levels and measures of several phases have. A measure that is put together from others comes before those.
func sameSums(cells []search.Cell) (sums [][]search.Cell) {
	for _, cell := range cells {
		i := slices.IndexFunc(sums, func(same []search.Cell) bool { return same[0].IsSumOf(cell) })
		if i < 0 {
			i, sums = len(sums), append(sums, nil)
		}
		sums[i] = append(sums[i], cell)
	}
	for _, same := range sums {
		for i := range same {
			whole := slices.IndexFunc(same[i:], func(cell search.Cell) bool { return isWholeOf(cell, same[i]) })
			if whole > 0 {
				same[i], same[i+whole] = same[i+whole], same[i]
			}
		}
	}
	return sums
}

// isWholeOf tells whether a cell is of the same rows as another one, and of a measure that is put together from the measure of that.
func isWholeOf(cell, part search.Cell) bool {
	return slices.Contains(cell.Cube.Model.FirstOf(cell.Sum.Ref), part.Sum.Ref) && cell.Kind == part.Kind && cell.Level.Ref == part.Level.Ref &&
		plan.KeysID(cell.Path) == plan.KeysID(part.Path)
}

// amount describes a number, with a link to its page.
func (v *visit) amount(cell search.Cell) found {
	cb, m := cell.Cube, cell.Cube.Model
	made := v.member(cell.Hit)
	made.Above = strings.TrimSuffix(v.TitleOfCube(cb)+" › "+made.Above, " › ")
	if cell.Kind == search.KindCube {
		made.Above = v.Say("view.total")
	}
	made.Unit, made.Amount = prose.MeasureTitle(cell.Sum, v.Language), v.Decimal(cell.Value, 0)
	a := v.Explore(cb)
	if cell.Kind == search.KindMember {
		cut, _ := cutToMember(cell.Hit)
		a = a.CuttingText(cut)
		made.Above = v.LevelTitle(cell.Level) + " · " + made.Above
	}
	if year, ok := m.YearLevel(); ok && !cell.In.IsMissing() {
		made.Unit += " " + cell.In.String()
		if !slices.Contains(cell.Level.Path, year.Ref) {
			a = a.With(query.CutTo(year.Ref, cell.In.String()))
		}
	}
	made.MadeUp = v.madeUp(cb.Synthetic)
	if excerpt := v.ExcerptMark(cb); excerpt != "" {
		made.Marks = append(made.Marks, excerpt)
	}
	if in, ok := cell.In.Int(); ok {
		made.Marks = append(made.Marks, v.PartMarks(cb, []int64{in})...)
	}
	a = summing(a, cell.Sum.Ref)
	if len(cb.Financing) > 0 { // which the sums have in them
		a.Financing = selection.FinancingIn
	}
	made.Link = a.At(a.Path + "/number").String()
	return made
}

// fillAmounts fills in the amounts of hits that the pages have to which they lead.
func (v *visit) fillAmounts(found search.Answer) error {
	return found.FillAmounts(func(p *plan.Plan) (*answer.Answer, error) {
		return v.Limiter.Aggregate(v.Request().Context(), limits.TimingOf(v.Context), p, v.Language)
	}, selection.UsualMeasure)
}

// doubtsOf say in a few words why the amount of a hit should not be cited as it stands: it is 0 as all amounts of its year.
func (v *visit) doubtsOf(hit search.Hit) (marks []string) {
	year, dated := hit.Amount.Year.Int()
	if dated && hit.Cube.Coverage != nil && len(hit.Cube.Coverage.Zero(hit.Amount.Measure, []int64{year})) > 0 {
		marks = append(marks, v.Say("caveat.not-known"))
	}
	return marks
}
