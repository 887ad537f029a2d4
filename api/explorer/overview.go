package explorer

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/loadreport"
	"fiscube/api/explorer/site"
	"fiscube/api/harvest"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// overviewPage is what the page of a cube has.
type overviewPage struct {
	site.Reader
	Title, Description        string
	Publisher, Country, Years string
	License, Loaded           string
	Rows                      string
	Unit, Year                string
	Made                      string    // how the measure of the sums is put together from others
	View                      *viewPage // of the last complete year
	Noted                     noted     // of the sums of all years
	Largest                   *largest
	Questions                 []site.Choice
	Prepared                  []prepared
	Share                     *sharing
	Here, Lang, Version       string // where the forms lead
	ByYear                    []bar
	Line                      *figure         // of the years, if there are enough for one
	OneYear                   string          // there is no other year
	Quality                   site.Choice     // leads to the load report
	Dataset                   harvest.Dataset // for search engines
}

// overview shows what a cube is about: the sum of its last complete year, its years, and questions to begin with.
func (v *visit) overview(cb *cube.Cube, a site.Address) (*site.Frame, error) {
	main := overviewPage{
		Reader: v.Reader, Title: v.TitleOfCube(cb), Description: cb.Description, Publisher: cb.Publisher,
		Country: cb.CountryIn(v.Language), Years: site.YearsOf(cb), Rows: v.Whole(cb.Rows), License: cb.License(), Loaded: site.DateOf(cb),
		Prepared: v.prepared(cb), Here: v.Here(), Lang: v.Given["lang"], Version: v.Given["version"],
	}
	if len(main.Prepared) == 0 {
		main.Questions = v.questions(cb, a)
	}
	main.Dataset = harvest.Describe(request.Base(v.Context), cb, v.Language)
	main.Share = v.sharing(cb, a, main.Title, cb.Description)
	quality, err := loadreport.Quality(v.Visit, cb)
	if err != nil {
		return nil, err
	}
	main.Quality = site.Choice{Text: quality, Link: a.At(a.Path + "/report").String()}
	f := v.Frame(templates["overview"], main.Title, &main)
	f.MadeUp = cb.Synthetic
	level, ok := cb.Model.YearLevel()
	if !ok {
		w := &view{visit: v, cb: cb, a: a}
		if w.answer, err = v.Ask(cb, query.Query{Aggregates: mainAggregates(cb.Model, nil), Page: query.FirstPage}); err != nil {
			return nil, err
		}
		main.Noted = w.noted(w.answer.Caveats, nil)
		main.Largest, err = v.largestOf(cb, a)
		return f, err
	}
	q := query.Query{
		Drilldown: []query.Ref{{Name: level.Ref}}, Aggregates: mainAggregates(cb.Model, nil), Page: query.FirstPage,
		Compare: &query.Compare{Ref: query.Ref{Name: level.Ref}, Offset: -1},
	}
	years, err := v.Ask(cb, q)
	if err == nil {
		years, err = v.withLines(years)
	}
	if err != nil {
		return nil, err
	}
	w := &view{visit: v, cb: cb, a: a, answer: years, fixed: map[string]bool{}}
	complete := cb.DefaultView().Year
	main.Unit, main.OneYear, main.Made = w.unit(), v.oneYear(cb), v.madeOf(cb, w.measureOf())
	for _, cell := range years.Cells {
		if n, ok := cell.Keys[0].Int(); ok && cell.Values[0].Valid && cell.Change != answer.ChangeGone && (main.Year == "" || complete == nil || n <= *complete) {
			main.Year = cell.Keys[0].String()
		}
	}
	main.ByYear = w.yearBars()
	ofSums := slices.DeleteFunc(slices.Clone(years.Caveats), func(c caveat.Caveat) bool { return c.Code == cube.WarnNotCompared }) // as the first year
	main.Noted = w.noted(ofSums, nil)
	for i, of := range main.ByYear {
		if of.Amount == "" {
			continue
		}
		in := a.With(query.CutTo(level.Ref, of.key))
		main.ByYear[i].Open = w.numberOf(in)
		if first := cb.Model.FirstLevels(1); len(first) > 0 {
			in = in.Drilling(first[0].Ref)
		}
		main.ByYear[i].Link = in.String()
	}
	year, err := strconv.ParseInt(main.Year, 10, 64)
	if err != nil {
		return f, nil // no row has a year
	}
	if main.View, err = v.wholeOf(cb, a, year); err != nil {
		return nil, err
	}
	if main.View.Share == nil { // its total cannot be trusted
		main.Share = nil
	}
	main.Noted.fold(w, main.View.Noted)
	main.Line, err = v.lineOf(cb, a, main.ByYear)
	return f, err
}

// wholeOf is the view of a budget in a year: of what was spent or, where that is not known, of the leading measure.
func (v *visit) wholeOf(cb *cube.Cube, a site.Address, year int64) (*viewPage, error) {
	in := a.With(query.CutTo(yearOf(cb.Model).Name, strconv.FormatInt(year, 10)))
	if executed, _, ok := executedOf(cb, year); ok && isKnown(cb, executed, year) {
		in = in.Asking(func(q *query.Query) { q.Aggregates = []query.AggregateRef{sumOf(executed)} })
	}
	w, err := v.view(cb, in)
	if err != nil {
		return nil, err
	}
	return w.viewPage()
}

// isKnown tells whether a measure has amounts in a year, and not 0 throughout, which is probably not known.
func isKnown(cb *cube.Cube, m cube.Measure, year int64) bool {
	years := []int64{year}
	return cb.Coverage == nil || len(cb.Coverage.Gap(m.Ref, years)) == 0 && len(cb.Coverage.Zero(m.Ref, years)) == 0
}

// leastDrawn is how many years a line on the page of a cube has at least: one between two is no more than their table says.
const leastDrawn = 3

// lineOf draws the sum of a cube over its years; nil if these are too few.
func (v *visit) lineOf(cb *cube.Cube, a site.Address, years []bar) (*figure, error) {
	if withAmount := slices.DeleteFunc(slices.Clone(years), func(of bar) bool { return of.Amount == "" }); len(withAmount) < leastDrawn {
		return nil, nil
	}
	w := &view{visit: v, cb: cb, a: a, title: v.TitleOfCube(cb)}
	w.a = a.Asking(w.nameMeasure)
	var err error
	if w.answer, err = v.Ask(cb, query.Query{Aggregates: w.a.Query.Aggregates, Page: query.FirstPage}); err != nil {
		return nil, err
	}
	return w.figureOf(asLine)
}

// largest are the largest members of the first level that says something of a year.
type largest struct {
	Title, Link, Level string
	Heads              []string // of the numbers
	Rows               []row
	view               site.Address // of all members
}

// The bounds of the members that the page of a cube ranks, and of the levels that it looks at for that.
const (
	mostRanked   = 8
	mostLookedAt = 4
)

// largestOf ranks the members of the first level worth a look that has several of them in the years of an address; nil if none has.
func (v *visit) largestOf(cb *cube.Cube, in site.Address, years ...int64) (*largest, error) {
	looked, inYears := 0, each.Text(years, func(year int64) string { return v.Years([]int64{year}) })
	for _, level := range cb.Model.FirstLevels(mostOffered) {
		isCut := slices.ContainsFunc(in.Query.Cuts, func(c query.Cut) bool { return c.Ref.Name == level.Ref })
		if isCut || cb.Coverage != nil && len(cb.Coverage.Gap(level.Ref, years)) > 0 {
			continue
		}
		if looked++; looked > mostLookedAt {
			break
		}
		a := in.Drilling(level.Ref)
		q := a.Query
		main := mainAggregates(cb.Model, in.Query.Aggregates)[:1]
		q.Aggregates = []query.AggregateRef{main[0], {Func: string(cube.Share), Args: main}}
		q.Order, q.Top, q.Remainder = []query.Order{byAggregate(main[0])}, mostRanked, true
		found, err := v.Ask(cb, q)
		if cube.CodeOf(err) == cube.CodeTooLarge { // the store ranks so many members, and their shares are left out
			q.Aggregates, q.Top, q.Remainder, q.Page = main, 0, false, query.Page{Number: 1, Size: mostRanked}
			found, err = v.Ask(cb, q)
		}
		if err != nil {
			return nil, err
		}
		if len(found.Cells) < 2 {
			continue
		}
		w := &view{visit: v, cb: cb, a: a, answer: found, fixed: fixedBy(found.Plan)}
		made := &largest{view: a, Title: strings.Join(append([]string{w.subtitle()}, inYears...), ", "), Link: a.String(), Level: v.LevelTitle(level), Heads: []string{w.unit(), v.Say("view.share")}[:len(q.Aggregates)]}
		levels, columns, widest := w.levelColumns(), w.columns(), w.widest()
		for _, cell := range found.Cells {
			row := w.row(cell, levels, columns, widest)
			if row.Others {
				row.Members[len(row.Members)-1].Down = made.Link
			}
			made.Rows = append(made.Rows, row)
		}
		return made, nil
	}
	return nil, nil
}
