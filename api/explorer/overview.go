package explorer

import (
	"strconv"

	"fiscube/api/explorer/loadreport"
	"fiscube/api/explorer/site"
	"fiscube/api/harvest"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

// overviewPage is what the page of a cube has.
type overviewPage struct {
	site.Reader
	Title, Description            string
	Publisher, Country, Years     string
	Rows                          string
	Unit, Year                    string
	InWords, Exact, Change, Named string // the sum of the last complete year, and the change since the year before
	Execution                     string // how much of it was spent
	Questions                     []site.Choice
	Prepared                      []prepared
	Share                         *sharing
	Here, Lang, Version           string // where the forms lead
	ByYear                        []bar
	Quality                       site.Choice     // leads to the load report
	Dataset                       harvest.Dataset // for search engines
}

// overview shows what a cube is about: the sum of its last complete year, its years, and questions to begin with.
func (v *visit) overview(cb *cube.Cube, a site.Address) (*site.Frame, error) {
	main := overviewPage{
		Reader: v.Reader, Title: v.TitleOfCube(cb), Description: cb.Description, Publisher: cb.Publisher,
		Country: cb.Country, Years: site.YearsOf(cb), Rows: v.Whole(cb.Rows), Questions: v.questions(cb, a),
		Prepared: v.prepared(cb), Here: v.Here(), Lang: v.Given["lang"], Version: v.Given["version"],
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
		return f, nil
	}
	q := query.Query{
		Drilldown: []query.Ref{{Name: level.Ref}}, Aggregates: mainAggregates(cb.Model, nil), Page: query.FirstPage,
		Compare: &query.Compare{Ref: query.Ref{Name: level.Ref}, Offset: -1},
	}
	years, err := v.Ask(cb, q)
	if err != nil {
		return nil, err
	}
	w := &view{visit: v, cb: cb, a: a, answer: years, fixed: map[string]bool{}}
	widest, early, complete := w.widest(), w.early(), cb.DefaultView().Year
	main.Unit = prose.AggregateTitle(years.Plan, years.Plan.Aggregates()[0], v.Language)
	for _, cell := range years.Cells {
		sum := cell.Values[0]
		if !sum.Valid || cell.Change == answer.ChangeGone {
			continue
		}
		year := cell.Keys[0].String()
		in := a.With(site.Equal(level.Ref, year))
		if first := cb.Model.FirstLevels(1); len(first) > 0 {
			in = in.Drilling(first[0].Ref)
		}
		if n, ok := cell.Keys[0].Int(); main.Year == "" || complete == nil || ok && n <= *complete {
			w.headline(&main, cell)
		}
		shown := bar{Text: year, Link: in.String(), Note: early[year], Amount: w.number(0, sum), Bar: share(sum.Decimal, widest)}
		main.ByYear = append(main.ByYear, shown)
	}
	if year, err := strconv.ParseInt(main.Year, 10, 64); err == nil {
		if main.Execution, err = v.execution(cb, year); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// headline shows the sum of a year, and the change since the year before.
func (w *view) headline(main *overviewPage, cell answer.Cell) {
	sum, aggregate := cell.Values[0].Decimal, w.answer.Plan.Aggregates()[0]
	main.Year = cell.Keys[0].String()
	main.Exact, main.InWords = w.Decimal(sum, aggregate.Scale), w.InWords(sum, currencyOf(w.cb.Model, aggregate))
	main.Change, main.Named = "", ""
	if change := cell.Values[len(cell.Values)-1]; change.Valid {
		main.Change = w.Change(change)
		if year, ok := cell.Keys[0].Int(); ok {
			main.Named = strconv.FormatInt(year-1, 10)
		}
	}
}
