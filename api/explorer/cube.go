package explorer

import (
	"net/http"
	"slices"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/site"
	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/cube/query"
)

// viewPage is what the page of a view has.
type viewPage struct {
	site.Reader
	Said                layers.Sentence
	Controls            layers.Controls
	Cards               []layers.Card
	Below               []layers.Card // the width of the page
	LeftOut             *layers.Note  // financing
	Changed             *layers.Card  // what changed most, of a whole budget
	Beside              *layers.Card  // a second split, below what stands beside the picture
	Proof               *layers.Proof
	Folded              string // heads what is folded
	TableOpen           bool
	Title, Subtitle     string
	CubeTitle, CubeLink string
	Above               []site.Choice // what the members are below
	InWords, Exact, Of  string        // the sum, and what it is
	Unit                string        // what it is in each year
	Number, WhereFrom   string        // leads to its page, and with what text
	Made                string        // how the measure is put together from others
	sentences
	Instead                *instead
	Measures, MoreMeasures []site.Choice
	Levels, Years          []site.Choice
	Deeper                 *levelForm
	Terms                  []site.Choice
	YearBefore, YearAfter  string // links
	Chips                  []chip
	Ways                   []site.Choice // to show the cells
	Figure                 *figure
	Share                  *sharing
	Table                  *table
	Largest                *largest      // of a view that is broken down by nothing, or into one row
	ByYear                 []bar         // of that too
	OneYear                string        // there is no other year
	Nothing                bool          // no row matches
	PastEnd                *site.Choice  // rows match, and none is on this page: leads to the first
	Pages                  []site.Choice // the page before and the next one
	Downloads              []site.Choice
	JSON, Permanent        string
	Adjusted               string // the source of amounts in real terms or per head
	Pinned                 *pinning
	filterForm
	Finder *finder
}

// instead is what a view offers whose measure has no amounts in its years.
type instead struct {
	Text     string
	Measures []site.Choice
}

// showCube shows the answer to a question or, without one, the overview. A name with the end of a picture is the figure as a file.
func showCube(v *visit) (*site.Frame, error) {
	cb, end, err := v.named()
	if err != nil {
		return nil, err
	}
	a, err := v.asked(cb)
	if err != nil {
		return nil, err
	}
	if end != "" {
		return nil, v.picture(cb, a, end)
	}
	if v.PageParameter("_ask") != "" {
		return nil, v.answerPrepared(cb, a)
	}
	if a.Beside, a.Measure = v.PageParameter("_with"), v.PageParameter("_measure"); a.Beside != "" || a.Measure != "" {
		return v.compare(cb, a)
	}
	if len(a.Query.Clauses()) == 0 {
		return v.overview(cb, a)
	}
	w, err := v.view(cb, a)
	if err != nil {
		return nil, err
	}
	main, err := w.viewPage()
	if err != nil {
		return nil, err
	}
	f := v.Frame(templates["view"], w.headingOf(w.kind()), main)
	f.MadeUp = cb.Synthetic
	return f, nil
}

func (w *view) viewPage() (*viewPage, error) {
	cb := w.cb
	page := &viewPage{
		Reader: w.Reader, Title: w.heading, Above: w.trail, Subtitle: w.subtitle(), CubeTitle: w.TitleOfCube(cb), CubeLink: w.Explore(cb).String(),
		Unit: w.unit(), Of: w.sumOf(), Number: w.numberOf(w.a), Chips: w.chips, Terms: w.terms(), Levels: w.levels(), Deeper: w.deeper(), Ways: w.ways(w.a), Share: w.shared(),
		JSON: w.asJSON(), Permanent: w.permanent(), Adjusted: w.adjusted(), Made: w.madeOf(cb, w.measureOf()),
	}
	page.InWords, page.Exact = w.sum()
	page.Measures, page.MoreMeasures = w.measures()
	page.WhereFrom = w.Say("number.where-from")
	if m := w.measureOf(); m.Ref != "" {
		page.WhereFrom = w.whereFrom(m)
	}
	if kind := w.kind(); kind != asLine && kind != asChange { // which say so themselves
		page.OneYear = w.oneYear(cb)
	}
	var err error
	if page.Figure, err = w.figure(); err != nil {
		return nil, err
	}
	page.Years, page.YearBefore, page.YearAfter = w.years()
	page.Downloads = w.downloads(w.data("aggregate"))
	if page.Instead = w.instead(); page.Instead == nil {
		if page.Table, err = w.table(); err != nil {
			return nil, err
		}
	}
	if page.Table != nil && len(page.Table.Rows) == 0 && w.answer.Summary.Count > 0 {
		page.PastEnd = &site.Choice{Text: w.Say("view.first-page"), Link: w.a.Asking(func(*query.Query) {}).String()}
	}
	page.Nothing = page.Table != nil && len(page.Table.Rows) == 0 && page.PastEnd == nil || page.Table == nil && w.matchesNothing()
	if page.Table == nil && page.Figure == nil && !page.Nothing {
		if err := w.lookInto(page); err != nil {
			return nil, err
		}
	}
	if page.Table != nil && w.answer.Summary.Count == 1 && page.Figure == nil {
		if page.Largest, err = w.largestInside(); err != nil {
			return nil, err
		}
	}
	page.Pages = w.pages()
	if page.Pinned, err = w.pinned(); err != nil {
		return nil, err
	}
	if page.sentences, err = w.sentences(page.ByYear); err != nil {
		return nil, err
	}
	if w.isStopped() {
		page.Share = nil
	} else if page.Share.Frame, err = w.snippet(page.Figure); err != nil {
		return nil, err
	}
	if w.kind() == asTable && w.a.View != "" && w.a.View != asTable {
		page.Noted.add(w, []string{w.Say("view.no-such-view", "View", query.Clip(w.a.View))})
	}
	if page.Finder, err = w.finder(); err != nil {
		return nil, err
	}
	if page.filterForm, err = w.filterForm(); err != nil {
		return nil, err
	}
	return page, w.layered(page)
}

// mostBeside is how many members a split beside the picture lists.
const mostBeside = 5

// layered puts what a page has into its layers.
func (w *view) layered(page *viewPage) (err error) {
	page.Said = w.said()
	if page.Said.Lede, err = w.lede(page.Execution); err != nil {
		return err
	}
	if page.LeftOut, err = w.leftOut(); err != nil {
		return err
	}
	page.Controls = w.controlRow(page)
	isOfYear := func(c chip) bool {
		return len(page.Years) > 1 && c.level.Ref == yearOf(w.cb.Model).Name && !c.not && c.year != ""
	}
	page.Chips = slices.DeleteFunc(slices.Clone(page.Chips), func(c chip) bool { return isOfYear(c) && !page.Nothing || isLeftOut(w.cb, c.cut) })
	if main := w.picture(page); main != nil {
		page.Cards = append(page.Cards, *main)
	}
	if err := w.addSplits(page); err != nil {
		return err
	}
	beside, err := w.spentOfApproved()
	if err != nil {
		return err
	}
	if years := w.ofYears(page.ByYear); beside == nil {
		beside = years
	}
	var column []layers.Card
	for _, card := range []*layers.Card{page.Changed, beside, page.Beside} {
		if card != nil && len(page.Cards) > 0 {
			column = append(column, *card)
		}
	}
	if len(column) > 0 {
		column[0].Beside = column[1:]
		page.Cards = append(page.Cards, column[0])
	}
	page.TableOpen = w.a.View == asTable || len(page.Cards) == 0
	page.Folded = w.Say("view.folded-table")
	page.Proof = w.proof(page)
	return nil
}

// addSplits divides the sum of a view: by one level in the picture, if there is no other, and by another beside it. A whole budget is divided by who
// has the money, too.
func (w *view) addSplits(page *viewPage) error {
	if page.Instead != nil || page.Nothing || w.kind() != asTable || drillsTime(w.cb.Model, w.a.Query) || w.answer.Plan.Aggregates()[0].Func != cube.Sum {
		return nil
	}
	most := []int{mostBeside}
	isWhole := !slices.ContainsFunc(page.Chips, func(c chip) bool { return !c.IsTime }) && len(w.drilled()) == 0
	switch {
	case isWhole:
		most = []int{mostRanked + mostBeside, mostRanked, mostBeside}
	case len(page.Cards) == 0:
		most = []int{mostRanked, mostBeside}
	}
	splits, err := w.splitsOf(w.a, most...)
	if err != nil || len(splits) == 0 {
		return err
	}
	if len(page.Cards) == 0 {
		card, err := splits[0].areaCard("picture")
		if err != nil {
			return err
		}
		if isWhole {
			page.Changed = splits[0].changeCard()
		}
		page.Cards, splits = append(page.Cards, card), splits[1:]
	}
	if len(splits) > 0 {
		card := splits[len(splits)-1].card("")
		card.Source = ""
		page.Beside = &card
		splits = splits[:len(splits)-1]
	}
	for _, split := range splits {
		page.Below = append(page.Below, split.card(""))
	}
	return nil
}

// controlRow is what the reader may choose, in one row.
func (w *view) controlRow(page *viewPage) layers.Controls {
	made := layers.Controls{Title: w.Say("figure.controls")}
	for _, s := range w.segments(page) {
		if s.Name == "measures" {
			made.More = append(made.More, s)
		} else {
			made.Segments = append(made.Segments, s)
		}
	}
	split := layers.Menu{Name: "split", Title: w.Say("view.break-down"), Taken: takenOf(page.Levels), Links: page.Levels}
	if d := page.Deeper; d != nil {
		form := layers.Form{Title: w.Say("view.deeper"), Hidden: d.Kept, Name: "drilldown", Button: w.Say("view.break-it")}
		for _, g := range d.Groups {
			form.Groups = append(form.Groups, layers.Group{Title: g.Title, Choices: g.Levels})
			if split.Taken == "" {
				split.Taken = takenOf(g.Levels)
			}
		}
		split.Forms = []layers.Form{form}
	}
	made.Menus = append(made.Menus, split, layers.Menu{Name: "ways", Title: w.Say("view.show"), Taken: takenOf(page.Ways), Links: page.Ways})
	if len(page.MoreMeasures) > 0 {
		made.Menus = append(made.Menus, layers.Menu{Name: "others", Title: w.Say("view.others", "Count", len(page.MoreMeasures)), Links: page.MoreMeasures})
	}
	if len(page.FilterLevels) > 0 {
		menu := layers.Menu{Name: "filters", Title: w.Say("view.filters"), Open: page.Finding != "", Forms: []layers.Form{{
			Title: w.Say("view.add"), Hidden: page.Hidden, Name: "_in", Groups: []layers.Group{{Choices: page.FilterLevels}}, Search: "_find", Text: page.Finding,
			Hint: w.Say("view.add-hint"), Button: w.Say("view.find"),
		}}}
		if page.Finding != "" {
			menu.Found = &layers.Found{Links: page.Found, None: page.None}
		}
		made.Menus = append(made.Menus, menu)
	}
	if f := page.Finder; f != nil {
		menu := layers.Menu{Name: "compare", Title: w.Say("compare.compare-with"), Open: f.Asked, Forms: []layers.Form{{
			Title: w.Say("compare.compare-with"), Hidden: f.Hidden, Name: "_beside", Groups: []layers.Group{{Choices: f.Levels}}, Search: "_like", Text: f.Finding,
			Hint: w.Say("view.add-hint"), Button: w.Say("view.find"),
		}}}
		if f.Asked {
			menu.Found = &layers.Found{Links: f.Found, None: f.None}
		}
		made.Menus = append(made.Menus, menu)
	}
	return made
}

// proof leads from the number to where it comes from.
func (w *view) proof(page *viewPage) *layers.Proof {
	made := &layers.Proof{
		Exact: page.Exact, ExactlyText: w.Say("view.exactly"), DownloadsTitle: w.Say("view.download"),
		Downloads: append(page.Downloads, site.Choice{Text: w.Say("view.as-json"), Link: page.JSON}),
		Version:   site.Choice{Text: w.Say("view.permanent-link"), Link: page.Permanent},
	}
	if page.Exact != "" {
		made.Links = []site.Choice{{Text: page.WhereFrom, Link: page.Number}}
	}
	if s := page.Share; s != nil && s.Frame != "" && (page.Table != nil || page.Figure != nil) {
		made.Share = &layers.Share{
			Title: w.Say("figure.share-it"), FrameTitle: w.Say("figure.embed"), Frame: s.Frame, Pictures: []site.Choice{{Text: "SVG", Link: s.SVG}, {Text: "PNG", Link: s.PNG}},
		}
	}
	return made
}

// lookInto shows what a sum that is broken down by nothing is made of, and how it was in other years.
func (w *view) lookInto(page *viewPage) (err error) {
	if page.Instead == nil {
		if page.Largest, err = w.largestInside(); page.Largest != nil {
			page.Ways = w.ways(page.Largest.view)
		}
	}
	if err != nil {
		return err
	}
	page.ByYear, err = w.byYear()
	for i, of := range page.ByYear {
		if of.Amount != "" {
			page.ByYear[i].Open, page.ByYear[i].Link = of.Link, w.a.With(query.CutTo(yearOf(w.cb.Model).Name, of.key)).String()
		}
	}
	return err
}

// largestInside ranks what the sum of the view is made of.
func (w *view) largestInside() (*largest, error) {
	var years []int64
	if year, ok := w.yearCut(); ok {
		years = append(years, year)
	}
	found, err := w.largestOf(w.cb, w.a, years...)
	if err != nil && reply.Statuses[cube.CodeOf(err)] == http.StatusBadRequest { // such as a share of what has no total
		return nil, nil
	}
	return found, err
}

// pages leads to the page of cells before and the next one.
func (w *view) pages() []site.Choice {
	page, total := w.answer.Plan.Page(), w.answer.Summary.Count
	if page.Size <= 0 {
		return nil
	}
	var list []site.Choice
	for _, other := range []struct {
		text   string
		number int
	}{{w.Say("view.previous"), page.Number - 1}, {w.Say("view.next"), page.Number + 1}} {
		if other.number >= 1 && int64(other.number-1)*int64(page.Size) < total && (other.number < page.Number || int64(page.Number)*int64(page.Size) < total) {
			a := w.a
			a.Query.Page = query.Page{Number: other.number, Size: page.Size}
			list = append(list, site.Choice{Text: other.text, Link: a.String()})
		}
	}
	return list
}
