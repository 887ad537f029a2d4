package explorer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/query"
)

// homePage is the start page.
type homePage struct {
	site.Reader
	Groups     []cardGroup
	SideBySide string // leads to the budgets side by side, if several say what their money is for
}

// cardGroup is the budgets that are published, or those that are made up.
type cardGroup struct {
	Title  string
	MadeUp bool
	Cards  []card
}

// card is a cube on the start page.
type card struct {
	Title, Link               string
	Country, Publisher, Years string
	Currency, Rows, Loaded    string
	Excerpt                   string   // that it may be one
	Parts                     []string // of which periods alone its years are
	Totals                    *totals
	Questions                 []site.Choice
}

// totals is the leading measure of a cube: its sum in the last complete year, and a small picture of all years.
type totals struct {
	Unit, Year, InWords string
	Financing           string // that the sum includes some
	Told                string // the picture in words
	Width, Wide         int    // of the picture, in its own units and in pixels
	Bars                []totalBar
}

// totalBar is a year in the picture of totals. One without an amount has no height.
type totalBar struct {
	X      int
	Height string // in percent of the largest
	Early  bool   // the year is not complete
}

// mostSummed is how many of the cards have totals, since each is a question.
const mostSummed = 60

// showHome shows the cubes that are loaded, each with questions to begin with.
func showHome(v *visit) (*site.Frame, error) {
	catalog, err := v.Limiter.Catalog(v.Request().Context())
	if err != nil {
		return nil, err
	}
	published, madeUp := cardGroup{Title: v.Say("home.loaded")}, cardGroup{Title: v.Say("home.made-up-budgets"), MadeUp: true}
	for i, cb := range site.Listed(catalog) {
		made := v.card(cb)
		if i < mostSummed {
			if made.Totals, err = v.totals(cb); err != nil {
				return nil, err
			}
		}
		if cb.Synthetic {
			madeUp.Cards = append(madeUp.Cards, made)
		} else {
			published.Cards = append(published.Cards, made)
		}
	}
	slices.SortStableFunc(published.Cards, func(x, y card) int { return cmp.Compare(min(len(x.Excerpt), 1), min(len(y.Excerpt), 1)) }) // whole budgets first
	main := homePage{Reader: v.Reader, Groups: slices.DeleteFunc([]cardGroup{published, madeUp}, func(c cardGroup) bool { return len(c.Cards) == 0 })}
	if several := slices.DeleteFunc(site.Listed(catalog), func(cb *cube.Cube) bool { return cb.Functions == nil }); len(several) > 1 {
		main.SideBySide = site.Address{Root: v.Root, Path: "functions", Lang: v.Given["lang"]}.String()
	}
	return v.Frame(templates["home"], "fiscube", main), nil
}

func (v *visit) card(cb *cube.Cube) card {
	a := v.Explore(cb)
	leading, _ := cb.Model.Leading() // a cube without measures has no currency
	made := card{
		Title: v.TitleOfCube(cb), Link: a.String(), Country: cb.CountryIn(v.Language), Publisher: cb.Publisher, Currency: leading.Currency,
		Years: site.YearsOf(cb), Rows: v.Whole(cb.Rows), Loaded: site.DateOf(cb),
		Excerpt: v.ExcerptMark(cb), Questions: v.questions(cb, a),
	}
	if cb.Coverage != nil {
		made.Parts = v.PartMarks(cb, cb.Coverage.Years)
	}
	return made
}

// How far the years of a picture are apart, and how wide it is at most.
const (
	barStep       = 10
	widestPicture = 240
)

// totals adds a cube up by year; nil where there is nothing to add up.
func (v *visit) totals(cb *cube.Cube) (*totals, error) {
	level, ok := cb.Model.YearLevel()
	if _, hasMeasure := cb.Model.Leading(); !ok || !hasMeasure {
		return nil, nil
	}
	found, err := v.Ask(cb, query.Query{
		Drilldown: []query.Ref{{Name: level.Ref}}, Aggregates: selection.MainAggregates(cb.Model, nil), Page: query.Page{Number: 1, Size: query.MaxPageSize},
	})
	switch {
	case cube.CodeOf(err) == cube.CodeUnavailable: // who has too much to do, or no store, still shows what there is
		return nil, nil
	case err != nil:
		return nil, err
	}
	r := reading.New(selection.New(v.Guest, v.Explore(cb), found.Plan, nil), query.Query{}, found)
	years, cells := r.WithAmount()
	if len(years) == 0 {
		return nil, nil
	}
	shown := years[len(years)-1]
	if year := cb.DefaultView().Year; year != nil && cells[*year].Keys != nil {
		shown = *year
	}
	inWords := func(year int64) string { return v.InWords(cells[year].Values[0].Decimal, r.Currency()) }
	made := &totals{Unit: r.Unit(), Year: v.Years([]int64{shown}), InWords: inWords(shown)}
	if r.Has(cube.WarnFinancing) {
		made.Financing = v.Say("caveat.financing-short")
	}
	if len(years) == 1 {
		return made, nil
	}
	var told []string
	early, widest, first := r.Early(), r.Widest(), years[0]
	for _, year := range years[max(0, len(years)-reading.MostYears):] {
		text := strconv.FormatInt(year, 10)
		made.Bars = append(made.Bars, totalBar{
			X: int(year-first) * barStep, Height: reading.BarOf(cells[year].Values[0].Decimal, widest), Early: early[text] != "",
		})
		told = append(told, text+": "+inWords(year))
		made.Width = int(year-first+1) * barStep
	}
	made.Wide = min(made.Width*2, widestPicture)
	made.Told = strings.Join(told, "; ")
	return made, nil
}
