package explorer

import (
	"net/url"
	"slices"
	"strconv"

	"fiscube/api/explorer/asks"
	"fiscube/api/explorer/cards"
	"fiscube/api/explorer/controls"
	"fiscube/api/explorer/figures"
	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/api/explorer/told"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/query"
)

// viewAsked is all that the page of a view is made of.
type viewAsked struct {
	*reading.Reading
	instead          *layers.Aside  // offers other measures, where that of the view has no amounts in its years
	withheld         []string       // why it is not compared, though nobody asked for that
	all              *answer.Answer // all members, where some that are gone are among the others
	figure           figures.Asked  // of the page or, of a table, of what other pages show
	areas            figures.Asked  // of the first split
	splits           []*reading.Reading
	years            *reading.Reading // the same in each year
	financing        told.Apart
	executed         *answer.Answer
	terms            *answer.Answer
	stages           *answer.Answer
	lines            *answer.Answer // how many make up the sum
	served           *asks.Now
	filter, compared controls.Sought
	filters, others  []controls.Candidate
}

// askView asks all that the page of a view needs: the answer, and then what stands beside it, all at once.
func (v *visit) askView(cb *cube.Cube, a site.Address) (*viewAsked, error) {
	r, withheld, err := v.Read(cb, a)
	if err != nil {
		return nil, err
	}
	w := &viewAsked{
		Reading: r, withheld: withheld, instead: instead(r),
		filter: controls.SoughtAs(v.Guest, "_in", "_find"), compared: controls.SoughtAs(v.Guest, "_beside", "_like"),
	}
	all, hasGone := reading.OfAllMembers(r)
	executed, isExecuted := told.Executed(r.Selection)
	terms, hasTerms := told.Terms(r.Selection)
	stages, hasStages := cards.Stages(r.Selection)
	return w, site.Together(
		v.Beside(&w.all, cb, all, hasGone),
		v.There(r),
		v.Figure(&w.figure, r, r.Pictured()),
		v.divisions(w),
		v.ByYear(&w.years, r, r.Kind() == selection.AsTable && !reading.MatchesNothing(r) && (w.isUndivided() || w.instead != nil)),
		v.Financing(&w.financing, r),
		v.Beside(&w.executed, cb, executed, isExecuted),
		v.Beside(&w.terms, cb, terms, hasTerms),
		v.Beside(&w.stages, cb, stages, hasStages),
		v.lines(&w.lines, r),
		v.Served(&w.served, r),
		v.Candidates(&w.filters, r.Selection, w.filter, w.filter.IsForFilter()),
		v.Candidates(&w.others, r.Selection, w.compared, w.compared.IsForComparison(r.Selection)),
	)
}

// isUndivided tells whether the view is broken down by nothing.
func (w *viewAsked) isUndivided() bool { return len(w.Plan.Steps()) == 0 }

// divisions asks how the sum of a view is divided beside what it shows: three times of a whole budget, twice of a sum of a part, and once of what is broken down.
func (v *visit) divisions(w *viewAsked) func() error {
	most := 1
	switch {
	case w.Kind() != selection.AsTable || w.DrillsTime() || !w.IsSum() || w.instead != nil || reading.MatchesNothing(w.Reading):
		most = 0
	case w.isUndivided() && w.isBudget():
		most = 3
	case w.isUndivided():
		most = 2
	}
	return func() error {
		if most == 0 {
			return nil
		}
		if err := v.Splits(&w.splits, w.Reading, most)(); err != nil || !w.isUndivided() || len(w.splits) == 0 {
			return err
		}
		return v.Figure(&w.areas, w.splits[0], selection.AsTreemap)()
	}
}

// isBudget tells whether the view is of a whole budget, in some year.
func (w *viewAsked) isBudget() bool {
	return !slices.ContainsFunc(w.Filters, func(f selection.Filter) bool { return !f.IsTime && !selection.IsLeftOut(w.Cube, f.Cut) })
}

// viewPage is what the page of a view has.
type viewPage struct {
	site.Reader
	layers.Body
	folded
	Share *sharing
}

// folded is what stands below a page about amounts, folded.
type folded struct {
	FoldedTitle string
	TableOpen   bool
	Table       *reading.Table
	Largest     *division // of what is broken down by nothing, or into one row
	ByYear      *yearTable
	Made        string // how the measure is put together from others
	Execution   *told.Execution
}

// division is how a sum is divided, as a table.
type division struct {
	Title, Link string
	*reading.Table
}

// yearTable is a number in each year.
type yearTable struct {
	Title, Year, Unit, Change string // of the table and its columns
	Years                     []reading.Bar
}

func newYearTable(r *reading.Reading, years []reading.Bar) *yearTable {
	return &yearTable{r.Say("home.by-years"), r.Say("view.year"), r.Unit(), r.Say("view.change"), years}
}

// viewPage builds the page of a view.
func (v *visit) viewPage(w *viewAsked) *viewPage {
	financing := told.FinancingOf(w.Reading, w.financing, "")
	page := &viewPage{Reader: w.Reader}
	page.Said = told.Heading(w.Reading)
	page.Execution = told.ExecutionOf(w.Selection, w.executed, financing.In != "")
	page.Said.Lede = told.Lede(w.Reading, w.terms, page.Execution)
	page.Pinned = w.served.Told(w.Reading)
	years := w.yearBars()
	w.fold(&page.folded, years)
	page.Asides = w.asides(page.Table)
	page.Filters = w.removable(len(page.Asides) > 0 && page.Table == nil)
	page.Noted = w.noted(financing.Note, years)
	page.Execution.Beside(page.Noted)
	shown := w.shown()
	w.addCards(page, years, shown)
	page.Controls = controls.Row(w.Selection, w.drawn(page.Cards), controls.Filters(w.Selection, w.filter, w.filters), controls.Compare(w.Selection, w.compared, w.others))
	page.TableOpen = w.Address.View == selection.AsTable || len(page.Cards) == 0
	page.Pages = w.leaves()
	page.Share = v.share(w, page.Said, shown)
	page.Proof = w.proof(page)
	return page
}

// drawn is what the first picture of the view is of, with its figure: of a sum that is broken down by nothing, how that is divided.
func (w *viewAsked) drawn(pictures []layers.Card) *selection.Selection {
	of, kind := w.Selection, w.Kind()
	switch {
	case w.isShownDivided():
		of, kind = w.splits[0].Selection, selection.AsBars
		if pictures[0].Wide != "" {
			kind = selection.AsTreemap
		}
	case kind == selection.AsTable && w.Address.View != kind && !w.isUndivided() && len(pictures) > 0:
		kind = selection.AsBars
	}
	a := of.Address
	a.View = kind
	return of.With(a, of.Plan)
}

// yearBars is the number in each year, with links to the view in that year.
func (w *viewAsked) yearBars() []reading.Bar {
	if w.years == nil {
		return nil
	}
	return reading.YearBars(w.years, func(in site.Address) (link, open string) { return in.String(), w.NumberAt(in) })
}

// fold makes what is folded below the pictures.
func (w *viewAsked) fold(to *folded, years []reading.Bar) {
	to.FoldedTitle, to.Made = w.Say("view.folded-table"), controls.MadeOf(w.Guest, w.Cube, w.Measure())
	if w.instead == nil {
		to.Table = reading.TableOf(w.Reading, reading.GoneApart(w.Reading, w.all))
	}
	if (to.Table == nil || w.Answer.Summary.Count == 1) && len(w.splits) > 0 {
		split := w.splits[0]
		title := split.Subtitle()
		if year, ok := w.Year(); ok {
			title += ", " + w.Years([]int64{year})
		}
		to.Largest = &division{title, split.Address.String(), reading.TableOf(split, split.Answer.Cells)}
	}
	if len(years) > 0 {
		to.ByYear = newYearTable(w.Reading, years)
	}
}

// instead offers the measures that have amounts in the years of an answer whose measure has none.
func instead(r *reading.Reading) *layers.Aside {
	measures := r.Main().Measures()
	if len(measures) != 1 || r.Answer.Summary.Values[0].Valid || !r.HasNone(measures[0]) { // a count of no amounts is 0
		return nil
	}
	choices, _ := controls.Measures(r.Selection)
	choices = slices.DeleteFunc(choices, func(c site.Choice) bool { return c.Taken })
	if len(choices) == 0 {
		return nil
	}
	return &layers.Aside{Text: r.Say("caveat.instead", "Years", r.Years(r.Plan.Years())), Choices: choices}
}

// asides say why there are no amounts.
func (w *viewAsked) asides(table *reading.Table) (list []layers.Aside) {
	if w.instead != nil {
		list = append(list, *w.instead)
	}
	isEmpty := table != nil && len(table.Rows) == 0
	switch {
	case isEmpty && w.Answer.Summary.Count > 0:
		first := w.Address.Asking(func(*query.Query) {})
		list = append(list, layers.Aside{Text: w.Say("view.no-rows-here"), Choices: []site.Choice{{Text: w.Say("view.first-page"), Link: first.String()}}})
	case isEmpty || table == nil && reading.MatchesNothing(w.Reading):
		nothing := layers.Aside{Text: w.Say("view.no-rows") + "."}
		for _, f := range selection.Removable(w.Selection, func(selection.Filter) bool { return false }) {
			nothing.Choices = append(nothing.Choices, site.Choice{Text: f.RemoveText, Link: f.Remove})
		}
		if len(nothing.Choices) > 0 {
			nothing.Text += " " + w.Say("view.no-rows-hint")
		}
		list = append(list, nothing)
	}
	return list
}

// removable are the filters that nothing else on the page shows.
func (w *viewAsked) removable(isEmpty bool) []layers.Filter {
	hasYears := len(controls.Years(w.Selection).Choices) > 1
	return selection.Removable(w.Selection, func(f selection.Filter) bool {
		isYear := hasYears && f.Of.Ref == selection.YearColumn(w.Cube.Model).Name && !f.Not && f.Year != ""
		return isYear && !isEmpty || selection.IsLeftOut(w.Cube, f.Cut)
	})
}

// noted are the caveats of the view. Years of its table that are not compared with those before them are told with them.
func (w *viewAsked) noted(financing *layers.Note, years []reading.Bar) layers.Noted {
	others := slices.Clone(w.withheld)
	others = append(others, reading.NotComparedIn(w.Reading, years))
	if kind := w.Kind(); kind != selection.AsLine && kind != selection.AsChange { // which say so themselves
		others = append(others, w.OneYear())
	}
	if w.Kind() == selection.AsTable && w.Address.View != "" && w.Address.View != selection.AsTable {
		others = append(others, w.Say("view.no-such-view", "View", query.Clip(w.Address.View)))
	}
	return w.Noted(financing, others...)
}

// The numbers of members that pictures beside the first one list.
const (
	mostBelow  = 8
	mostBeside = 5
)

// addCards makes the pictures: what the view shows, or the first split of its sum, and beside it what changed most, what was spent of what was approved, and
// another split.
func (w *viewAsked) addCards(page *viewPage, years []reading.Bar, drawn *figures.Shown) {
	splits := w.splits
	if shown := w.pictureOf(drawn); shown != nil {
		page.Cards = append(page.Cards, *shown)
	} else if w.isUndivided() && len(splits) > 0 {
		page.Cards = append(page.Cards, cards.Areas(splits[0], drawn, selection.MostRanked))
		splits = splits[1:]
	}
	spent := cards.SpentOfApproved(w.Selection, w.stages)
	if spent == nil {
		spent = cards.Years(w.Reading, years)
	}
	if len(page.Cards) == 0 { // nothing divides the sum
		if spent != nil && !reading.MatchesNothing(w.Reading) {
			page.Cards = []layers.Card{*spent}
		}
		return
	}
	var column []layers.Card
	add := func(card *layers.Card) {
		if card != nil {
			column = append(column, *card)
		}
	}
	if w.isUndivided() && w.isBudget() && len(w.splits) > 0 {
		add(cards.Changed(w.splits[0]))
		add(cards.Day(w.splits[0], w.terms))
	}
	add(spent)
	if last := len(splits) - 1; last >= 0 {
		card := cards.Split(splits[last], "", mostBeside)
		card.Source = ""
		add(&card)
		splits = splits[:last]
	}
	for _, split := range splits {
		page.Below = append(page.Below, cards.Split(split, "", mostBelow))
	}
	if len(column) > 0 {
		column[0].Beside = column[1:]
		page.Cards = append(page.Cards, column[0])
	}
}

// isShownDivided tells whether the picture of the view is how its sum is divided.
func (w *viewAsked) isShownDivided() bool {
	return w.isUndivided() && w.Kind() == selection.AsTable && w.areas.Page != nil
}

// shown draws the figure that stands for the view: its own, or how its sum is divided.
func (w *viewAsked) shown() *figures.Shown {
	if w.isShownDivided() {
		return figures.Of(w.areas).InPage()
	}
	return figures.Of(w.figure).InPage()
}

// pictureOf is the picture of what the view shows; nil of a sum that is broken down by nothing.
func (w *viewAsked) pictureOf(drawn *figures.Shown) *layers.Card {
	if w.instead != nil {
		return nil
	}
	if w.Kind() == selection.AsTable {
		return cards.Picture(w.Reading, nil)
	}
	return cards.Picture(w.Reading, drawn)
}

// leaves lead to the page of cells before and the next one.
func (w *viewAsked) leaves() (list []site.Choice) {
	page, total := w.Plan.Page(), w.Answer.Summary.Count
	if page.Size <= 0 {
		return nil
	}
	for _, other := range []struct {
		text   string
		number int
	}{{w.Say("view.previous"), page.Number - 1}, {w.Say("view.next"), page.Number + 1}} {
		if other.number >= 1 && int64(other.number-1)*int64(page.Size) < total && (other.number < page.Number || int64(page.Number)*int64(page.Size) < total) {
			a := w.Address
			a.Query.Page = query.Page{Number: other.number, Size: page.Size}
			list = append(list, site.Choice{Text: other.text, Link: a.String()})
		}
	}
	return list
}

// proof leads from the number to where it comes from.
func (w *viewAsked) proof(page *viewPage) *layers.Proof {
	_, exact := w.Sum()
	data := dataOf(w.Reading, "aggregate")
	made := &layers.Proof{
		Exact: exact, Unit: w.Currency(), ExactlyText: w.Say("view.exactly"), DownloadsTitle: w.Say("view.download"),
		Downloads: append(downloads(w.Selection, data), site.Choice{Text: w.Say("view.as-json"), Link: asJSON(w.Reading)}),
		Version:   pinnedAt(w.Selection), Links: sourcesOf(w.Reading, w.lines),
	}
	if s := page.Share; s != nil && s.Frame != "" && len(page.Cards) > 0 {
		made.Share = &layers.Share{
			Title: w.Say("figure.share-it"), FrameTitle: w.Say("figure.embed"), Frame: s.Frame,
		}
		made.Pictures = s.Pictures
	}
	return made
}

// lines asks how many rows a reading adds up, if it is a sum.
func (v *visit) lines(to **answer.Answer, r *reading.Reading) func() error {
	q := selection.Sum(r.Address, query.AggregateRef{Func: string(cube.Rows)})
	return v.Beside(to, r.Cube, q, r.Main().Func == cube.Sum)
}

// sourcesOf lead to the lines of a sum and to how it is cited; none where there is no sum.
func sourcesOf(r *reading.Reading, lines *answer.Answer) []site.Choice {
	if _, exact := r.Sum(); exact == "" {
		return nil
	}
	number, text := r.NumberAt(r.Address), told.WhereFrom(r.Guest, r.Measure())
	if lines != nil && lines.Summary.Values[0].Valid {
		text = r.Say("number.lines-alone", "Count", lines.Summary.Values[0].Decimal.IntPart())
	}
	return []site.Choice{{Text: text, Link: number}, {Text: r.Say("number.cite-as"), Link: number + "#cite"}}
}

// pinnedAt leads to the version of a page, for ever.
func pinnedAt(s *selection.Selection) site.Choice {
	return site.Choice{Text: s.Say("number.version") + " " + strconv.Itoa(s.Cube.Version) + ", " + site.DateOf(s.Cube), Hint: s.Say("view.permanent-link"), Link: s.Permanent()}
}

// dataOf leads to what a route of the API answers to the question of an answer, with a row for each member: what the page adds
// up as others, or has on other pages, is there too.
func dataOf(r *reading.Reading, route string) site.Address {
	a := r.Address.Alone().At("cubes/" + url.PathEscape(r.Cube.Name) + "/" + route)
	a.View = ""
	given := a.Query
	if a.Query, a.Query.Page = r.Question, query.FirstPage; given.Top == 0 {
		a.Query.Top, a.Query.Remainder = 0, false
	}
	return a
}

// downloads lead to the data at an address as files.
func downloads(s *selection.Selection, data site.Address) []site.Choice {
	return []site.Choice{
		{Text: s.Say("view.csv"), Link: data.Plus("format", "csv")},
		{Text: s.Say("view.excel-csv"), Link: data.Plus("format", "csv") + "&excel=1"},
		{Text: s.Say("view.workbook"), Link: data.Plus("format", "xlsx")},
		{Text: s.Say("view.parquet"), Link: data.Plus("format", "parquet")},
		{Text: s.Say("view.package"), Link: data.At("cubes/" + url.PathEscape(s.Cube.Name) + "/package.zip").String()},
	}
}

// asJSON leads to the data of an answer as JSON, of which the API gives a page.
func asJSON(r *reading.Reading) string {
	a, rows := dataOf(r, "aggregate"), r.RowCount()
	if a.Query.Top > 0 {
		rows = r.Answer.Summary.Count // the others that were asked for stay one row
	}
	if rows > query.DefaultPageSize {
		a.Query.Page = query.Page{Number: 1, Size: query.MaxPageSize}
	}
	return a.Plus("format", "json")
}
