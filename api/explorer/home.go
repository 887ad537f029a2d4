package explorer

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"time"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// homePage is the start page.
type homePage struct {
	reader
	Cards []card
}

// card is a cube on the start page.
type card struct {
	Title, Link               string
	Country, Publisher, Years string
	Rows, Loaded              string
	MadeUp                    bool
	Questions                 []choice
}

// home shows the cubes that are loaded, each with questions to begin with, or what a search finds.
func (p *Pages) home(v *visit) (*frame, error) {
	if strings.TrimSpace(v.given["q"]) != "" {
		return p.results(v)
	}
	catalog, err := p.limiter.Catalog(v.Request().Context())
	if err != nil {
		return nil, err
	}
	main := homePage{reader: v.reader}
	for _, cb := range listed(catalog) {
		main.Cards = append(main.Cards, v.card(cb))
	}
	return v.frame("home", "fiscube", main), nil
}

// listed are the cubes that are served, those of made-up data last.
func listed(catalog *cube.Catalog) []*cube.Cube {
	var published, madeUp []*cube.Cube
	for _, cb := range catalog.Served() {
		if cb.Synthetic {
			madeUp = append(madeUp, cb)
		} else {
			published = append(published, cb)
		}
	}
	return append(published, madeUp...)
}

func (v *visit) card(cb *cube.Cube) card {
	a := v.explore(cb)
	return card{
		Title: v.titleOfCube(cb), Link: a.String(), Country: cb.Country, Publisher: cb.Publisher,
		Years: yearsOf(cb), Rows: v.Whole(cb.Rows), Loaded: dateOf(cb),
		MadeUp: cb.Synthetic, Questions: v.questions(cb, a),
	}
}

// explore leads to the overview of a cube.
func (v *visit) explore(cb *cube.Cube) address {
	return address{root: v.root, path: "explore/" + url.PathEscape(cb.Name), version: v.given["version"], lang: v.given["lang"]}
}

// questions are three views to begin with: over the years, and the largest members of two dimensions in the last complete year.
func (v *visit) questions(cb *cube.Cube, a address) []choice {
	var list []choice
	yearLevel, hasYears := cb.Model.YearLevel()
	year := cb.DefaultView().Year
	if hasYears {
		list = append(list, choice{Text: v.Words.ByYears, Link: a.drilling(yearLevel.Ref).String()})
	}
	for _, level := range cb.Model.FirstLevels(3 - len(list)) {
		in := a.drilling(level.Ref)
		if hasYears && year != nil {
			in = in.with(equal(yearLevel.Ref, strconv.FormatInt(*year, 10)))
		}
		list = append(list, choice{Text: v.Fill(v.Words.ByLevel, v.levelTitle(cb.Model, level)), Link: in.String()})
	}
	return list
}

// yearsOf writes the fiscal years of a cube, or "".
func yearsOf(cb *cube.Cube) string {
	first, last, ok := cb.Years()
	if !ok {
		return ""
	}
	return span(cube.Integer(first), cube.Integer(last))
}

// currencyOf is the currency of an aggregate whose amounts are counted in ones of it, or "".
func currencyOf(m *cube.Model, a plan.Aggregate) string {
	measure, _ := m.Measure(a.Measure) // counts and formulas have none
	if measure.Unit > 1 {
		return ""
	}
	return measure.Currency
}

func (v *visit) titleOfCube(cb *cube.Cube) string { return cmp.Or(cb.TitleIn(v.Language), cb.Name) }

// dateOf is the day on which a cube was loaded (ISO 8601).
func dateOf(cb *cube.Cube) string { return cb.LoadedAt.Format(time.DateOnly) }

// levelTitle names a level for people: by its title, else by the field with its labels, else by that with its keys.
func (v *visit) levelTitle(m *cube.Model, l cube.Level) string {
	return cmp.Or(l.Titles.In(v.Language), l.LabelRef, l.Ref)
}
