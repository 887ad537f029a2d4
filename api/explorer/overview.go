package explorer

import (
	"fiscube/api/explorer/figures"
	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/loadreport"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/api/harvest"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

// overviewAsked is all that the page of a budget is made of.
type overviewAsked struct {
	years   *reading.Reading // the sums of the leading measure by year, which say what the last complete one is; of a budget without years the sum of all
	line    figures.Asked    // of the view, over the years
	view    *viewAsked       // of the last complete year, or of all that has no year
	quality string
}

// overviewPage is what the page of a budget has.
type overviewPage struct {
	site.Reader
	layers.Body
	folded
	About     about
	Line      *figures.Shown // of the years, if there are enough for one
	Questions []site.Choice
	Prepared  []prepared
	Share     *sharing
	Address   [3]string       // where the forms lead: the page, the language and the version that were chosen
	Dataset   harvest.Dataset // for search engines
}

// about is what a budget is, in short texts.
type about struct {
	Description        string
	Publisher, Country string
	Years, License     string
	Rows, Loaded       string
	Quality            site.Choice // leads to the load report
}

// overview shows what a budget is about: the sum of its last complete year, its years, and questions to begin with.
func (v *visit) overview(cb *cube.Cube, a site.Address) (*site.Frame, error) {
	w, err := v.askOverview(cb, a)
	if err != nil {
		return nil, err
	}
	f := v.Frame(templates["overview"], v.TitleOfCube(cb), v.overviewPage(w, cb, a))
	f.MadeUp = cb.Synthetic
	return f, nil
}

// askOverview asks for the years of a budget, and then for the last complete one.
func (v *visit) askOverview(cb *cube.Cube, a site.Address) (*overviewAsked, error) {
	w := &overviewAsked{}
	level, hasYears := cb.Model.YearLevel()
	of := selection.WithoutFinancing(cb, a)
	q := selection.Sum(of, selection.MainAggregates(cb.Model, nil)[0])
	if hasYears {
		q.Drilldown = []query.Ref{{Name: level.Ref}}
		q.Compare = &query.Compare{Ref: q.Drilldown[0], Offset: -1}
	}
	err := site.Together(
		func() (err error) { w.quality, err = loadreport.Quality(v.Visit.Visit, cb); return err },
		func() error {
			found, err := v.Ask(cb, q)
			if err == nil {
				found, err = v.WithLines(found)
			}
			if err == nil {
				w.years = reading.New(selection.New(v.Guest, of, found.Plan, nil), q, found)
			}
			return err
		},
	)
	if err != nil {
		return nil, err
	}
	in := a.Asking(w.years.NameMeasure)
	if year, ok := shownYear(w.years); ok {
		in = a.With(w.years.ToYear(year))
	}
	if w.view, err = v.askView(cb, in); err != nil || w.view.years == nil {
		return w, err
	}
	if years, _ := w.view.years.WithAmount(); len(years) < leastDrawn {
		return w, nil
	}
	return w, v.Figure(&w.line, w.view.Reading, selection.AsLine)()
}

// shownYear is the last complete year of an answer by years or, where none is complete, its first one.
func shownYear(r *reading.Reading) (shown int64, ok bool) {
	complete := r.Cube.DefaultView().Year
	for _, cell := range r.Answer.Cells {
		year, isYear := int64(0), false
		if len(cell.Keys) > 0 {
			year, isYear = cell.Keys[0].Int()
		}
		if isYear && cell.Values[0].Valid && cell.Change != answer.ChangeGone && (!ok || complete == nil || year <= *complete) {
			shown, ok = year, true
		}
	}
	return shown, ok
}

// leastDrawn is how many years a line on the page of a budget has at least: one between two is no more than their table says.
const leastDrawn = 3

// mostQuestions is by how many levels a budget is asked that has no prepared question.
const mostQuestions = 3

// overviewPage builds the page of a budget: the view of its last complete year, with what the budget is.
func (v *visit) overviewPage(w *overviewAsked, cb *cube.Cube, a site.Address) *overviewPage {
	view := v.viewPage(w.view)
	page := &overviewPage{
		Reader: v.Reader, Body: view.Body, folded: view.folded, Prepared: v.prepared(cb), Address: [3]string{v.Here(), v.Given["lang"], v.Given["version"]},
		Dataset: harvest.Describe(v.Base, cb, v.Language),
		About: about{
			Description: cb.DescriptionIn(v.Language), Publisher: cb.Publisher, Country: cb.CountryIn(v.Language), Years: site.YearsOf(cb), License: cb.License(),
			Rows: v.Whole(cb.Rows), Loaded: site.DateOf(cb), Quality: site.Choice{Text: w.quality, Link: v.Report(cb)},
		},
	}
	if len(page.Prepared) == 0 {
		for _, level := range cb.Model.FirstLevels(mostQuestions) {
			page.Questions = append(page.Questions, site.Choice{Text: prose.Begin(v.ByLevel(level)), Link: a.Drilling(level.Ref).String()})
		}
	}
	if page.Share = view.Share; page.Share != nil { // else its total cannot be trusted
		page.Share.Title, page.Share.Page = v.TitleOfCube(cb), v.whole(a).String()
	}
	ofSums := w.years.Noted(nil)
	ofSums.Fold(v.Reader, page.Noted)
	page.Noted.Add(v.Reader, ofSums.Rest...)
	if w.line.Page != nil {
		page.Line = figures.Of(w.line).InPage()
	}
	return page
}
