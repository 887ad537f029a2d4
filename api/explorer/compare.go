package explorer

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/asks"
	"fiscube/api/explorer/controls"
	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/pairs"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/api/explorer/told"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Two selections are shown side by side. The parameter _with has the cuts of the other one: it asks what the page asks, with these
// cuts in the place of those on the same levels and on the levels above and below them, but for levels of time. The parameter
// _measure names the measure of the other one, where that is another: some packages have one phase in several fields.

// comparisonAsked is all that the page of two selections is made of.
type comparisonAsked struct {
	sides     [2]*reading.Reading
	withheld  [2][]string
	financing [2]told.Apart
	terms     [2]*answer.Answer // for each inhabitant or, of amounts per person, in all
	taken     int64             // the year that is compared, where nobody chose one; else 0
	perHead   bool              // nobody chose how amounts are counted, so they are per person
	lines     [2]*answer.Answer // how many rows the sums have
	served    [2]*asks.Now
	look      controls.Sought
	others    []controls.Candidate
}

// comparePage is what the page of two selections has.
type comparePage struct {
	site.Reader
	layers.Body
	Title, Subtitle string
	Sides           []side
	Refused         string // why they are not compared, or not broken down
	Table           *pairs.Table
	TwoFiles        string // why there is no file of both
}

// side is one of the two selections.
type side struct {
	Name         string
	Said         layers.Sentence
	Exact        string
	Link, Number string // Number leads to the page of the sum
	Served       string
}

// compare shows two selections. Those that differ in the year alone are a change.
func (v *visit) compare(cb *cube.Cube, a site.Address) (*site.Frame, error) {
	w, err := v.askComparison(cb, a)
	if err != nil {
		return nil, err
	}
	if link, ok := changeFrom(w); ok {
		return nil, v.Redirect(http.StatusSeeOther, link)
	}
	main := v.comparePage(w)
	f := v.Frame(templates["compare"], main.Title, main)
	f.MadeUp = cb.Synthetic
	return f, nil
}

// askComparison asks for two selections: in the latest year that both have, where they say none.
func (v *visit) askComparison(cb *cube.Cube, a site.Address) (*comparisonAsked, error) {
	asked := a.Query.Aggregates
	a.View = ""
	a = selection.OfUsualMeasure(cb, a)
	q := selection.Sum(a, selection.MainAggregates(cb.Model, a.Query.Aggregates)[0])
	q.Drilldown, q.Page = a.Query.Drilldown, a.Query.Page
	a.Query = q
	other, err := otherSide(cb, a)
	if err != nil {
		return nil, err
	}
	w := &comparisonAsked{look: controls.SoughtAs(v.Guest, "_beside", "_like")}
	if w.taken, err = v.commonYear(cb, a, other); err != nil {
		return nil, err
	}
	if w.taken != 0 {
		cut := query.CutTo(selection.YearColumn(cb.Model).Name, strconv.FormatInt(w.taken, 10))
		a, other = a.With(cut), other.With(cut)
	}
	if one, two, ok := perPerson(cb, a, other); ok && len(asked) == 0 {
		a, other, w.perHead = one, two, true
	}
	sideOf := func(i int, a site.Address) func() error {
		return func() error {
			page := a.Query.Page
			a.Query.Page, a.View = query.Page{Number: 1, Size: query.MaxPageSize}, selection.AsPair
			r, withheld, err := v.Read(cb, a)
			if err != nil {
				return err
			}
			a = r.Address
			a.Query.Page, a.View = page, ""
			w.sides[i], w.withheld[i] = r.Elsewhere(a), withheld
			return nil
		}
	}
	if err := site.Together(sideOf(0, a), sideOf(1, other)); err != nil {
		return nil, err
	}
	x, y := w.sides[0], w.sides[1]
	x.Apart = cutApart(x.Selection, y.Selection)
	ask := []func() error{v.Candidates(&w.others, x.Selection, w.look, w.look.IsForComparison(x.Selection))}
	for i, side := range w.sides {
		terms, ok := told.Terms(side.Selection)
		if selection.IsPerHead(side.Asked()) {
			terms, ok = selection.Sum(side.Address, selection.Bare(side.Asked())), true
		}
		ask = append(ask, v.Served(&w.served[i], side), v.Financing(&w.financing[i], side), v.Beside(&w.terms[i], cb, terms, ok), v.lines(&w.lines[i], side))
	}
	return w, site.Together(ask...)
}

// perPerson counts two sums for each inhabitant; ok is false where that cannot be done with both.
func perPerson(cb *cube.Cube, a, other site.Address) (one, two site.Address, ok bool) {
	one, ok = selection.PerPerson(cb, a)
	two, also := selection.PerPerson(cb, other)
	return one, two, ok && also
}

// commonYear is the latest fiscal year that is complete and in which both selections have an amount, if neither says of which time it is;
// else, and where there is none, it is 0.
func (v *visit) commonYear(cb *cube.Cube, a, other site.Address) (int64, error) {
	level, ok := cb.Model.YearLevel()
	isOfYear := func(c query.Cut) bool { return selection.Related(cb.Model, c.Ref.Name, level.Ref) }
	if !ok || selection.DrillsTime(cb.Model, a.Query) || slices.ContainsFunc(slices.Concat(a.Query.Cuts, other.Query.Cuts), isOfYear) {
		return 0, nil
	}
	var common []int64
	for i, selected := range []site.Address{a, other} {
		q := selection.Sum(selected, selected.Query.Aggregates[0])
		q.Drilldown, q.Page = []query.Ref{{Name: level.Ref}}, query.Page{Number: 1, Size: query.MaxPageSize}
		found, err := v.Ask(cb, q)
		if err != nil {
			return 0, err
		}
		r := reading.New(selection.New(v.Guest, selected, found.Plan, nil), q, found)
		years, _ := r.WithAmount()
		early := r.Early()
		common = slices.DeleteFunc(years, func(year int64) bool {
			_, _, isPart := cb.PartOfYear(year)
			return isPart || early[strconv.FormatInt(year, 10)] != "" || len(r.Zeros(0, []int64{year})) > 0 || i > 0 && !slices.Contains(common, year)
		})
	}
	if len(common) == 0 {
		return 0, nil
	}
	return slices.Max(common), nil
}

// otherSide is the view of the other selection.
func otherSide(cb *cube.Cube, a site.Address) (site.Address, error) {
	measure, beside := a.Measure, a.Beside
	a = a.Alone()
	if measure != "" {
		if _, ok := cb.Model.Measure(measure); !ok {
			return a, cube.Errorf(cube.CodeUnknownRef, "no measure %q", query.Clip(measure)).At(cube.Position{Parameter: "_measure"}).WithHint("name a measure of the model")
		}
		ref := query.AggregateRef{Measure: measure, Func: string(cube.Sum)}
		asked := a.Query.Aggregates[0]
		if asked.Measure != "" {
			ref.Func = asked.Func
		}
		a.Query.Aggregates = []query.AggregateRef{selection.InTermsOf(asked, ref)}
	}
	if beside == "" {
		return a, nil
	}
	cuts, err := query.ParseCut(beside)
	if err != nil {
		return a, err
	}
	a = a.Without(func(own string) bool {
		return slices.ContainsFunc(cuts, func(other query.Cut) bool { return replaces(cb.Model, other.Ref.Name, own) })
	})
	a.Query.Cuts = append(a.Query.Cuts, cuts...)
	return a, nil
}

// replaces tells whether a cut of the other selection stands in the place of an own one, by the names that they are on.
func replaces(m *cube.Model, other, own string) bool {
	level, _ := m.Level(own)
	return selection.Related(m, other, own) && (other == own || !selection.IsOfTime(m, level))
}

// changeFrom leads to the change since the year of the other selection, if the two differ in nothing else.
func changeFrom(w *comparisonAsked) (link string, ok bool) {
	x, y := w.sides[0].Selection, w.sides[1].Selection
	year, ok := x.Year()
	from, too := y.Year()
	if !ok || !too || year == from {
		return "", false
	}
	level := selection.YearColumn(x.Cube.Model).Name
	besidesYear := func(a site.Address) string {
		q := a.Without(func(field string) bool { return field == level }).Query
		slices.SortFunc(q.Cuts, func(a, b query.Cut) int { return strings.Compare(a.String(), b.String()) })
		return query.JoinClauses(q.Clauses())
	}
	if besidesYear(x.Address) != besidesYear(y.Address) {
		return "", false
	}
	a := x.Address.Alone().Asking(func(q *query.Query) { q.Compare = &query.Compare{Ref: query.Ref{Name: level}, Offset: from - year} })
	a.View = selection.AsChange
	if w.perHead {
		a.Query.Aggregates = []query.AggregateRef{selection.Bare(x.Asked())}
	}
	return a.String(), true
}

// comparePage builds the page of two selections.
func (v *visit) comparePage(w *comparisonAsked) *comparePage {
	x, y := w.sides[0], w.sides[1]
	one, other, both := namesApart(x.Selection, y.Selection)
	page := &comparePage{Reader: v.Reader, Title: v.Say("compare.two-of", "One", one, "Other", other)}
	if both != "" {
		page.Title += ", " + both
	}
	page.Said = layers.Sentence{Trail: []site.Choice{{Text: x.TitleOfCube(x.Cube), Link: x.Explore(x.Cube).String()}}, What: page.Title}
	page.Sides = []side{sideOf(x, one, w.terms[0]), sideOf(y, other, w.terms[1])}
	for i, of := range w.served {
		if of != nil { // each side says how it is answered now, and the page leads there
			pinned := of.Told(w.sides[i])
			page.Sides[i].Served, pinned.Served = pinned.Served, ""
			page.Pinned = cmp.Or(page.Pinned, pinned)
		}
	}
	if w.taken != 0 {
		page.Asides = []layers.Aside{{
			Text: v.Say("compare.year-taken", "Year", v.Years([]int64{w.taken})), Choices: []site.Choice{{Text: v.Say("view.all-years"), Link: inAllYears(x.Selection).String()}},
		}}
	}
	if _, _, ok := perPerson(x.Cube, x.Address, y.Address); !ok && x.Main().Func == cube.Sum && x.Main().ByYear == nil {
		page.Asides = append(page.Asides, layers.Aside{Text: v.Say("compare.totals")})
	}
	page.Noted = notedOfBoth(w, one, other)
	page.Refused = unlike(x.Selection, y.Selection)
	page.Controls = controlsOfBoth(w, page.Refused == "")
	alone := func(r *reading.Reading, name string) site.Choice {
		return site.Choice{Text: v.Say("compare.json-of", "Name", name), Link: asJSON(r)}
	}
	page.Proof = &layers.Proof{Version: pinnedAt(x.Selection), DownloadsTitle: v.Say("view.download")}
	for i, r := range w.sides {
		for _, source := range sourcesOf(r, w.lines[i]) {
			page.Proof.Links = append(page.Proof.Links, site.Choice{Text: page.Sides[i].Name + ": " + source.Text, Link: source.Link})
		}
	}
	page.Proof.Downloads = []site.Choice{alone(x, one), alone(y, other)}
	if page.Refused == "" {
		page.addPairs(x, y, one, other)
	}
	return page
}

// addPairs puts the two selections side by side: their bars on one axis, whose title is the difference in a sentence, and their cells.
func (page *comparePage) addPairs(x, y *reading.Reading, one, other string) {
	widest := decimal.Max(x.Answer.Summary.Values[0].Decimal.Abs(), y.Answer.Summary.Values[0].Decimal.Abs())
	card := layers.Card{Title: page.Title, Unit: x.Unit(), Rows: &layers.Rows{}, Source: x.Source()}
	for i, side := range []*reading.Reading{x, y} {
		if amount := side.Answer.Summary.Values[0]; amount.Valid {
			card.Rows.Rows = append(card.Rows.Rows, layers.Row{
				Name: page.Sides[i].Name, Down: page.Sides[i].Link, Amount: side.InFigure(0, amount), Open: page.Sides[i].Number, Exact: page.Sides[i].Exact,
				NowWide: reading.BarOf(amount.Decimal, widest), Negative: amount.Decimal.IsNegative(),
			})
		}
	}
	if !x.IsStopped() && !y.IsStopped() {
		card.Title = cmp.Or(pairs.Difference(x, y, one, other), card.Title)
	}
	if len(card.Rows.Rows) == 2 {
		page.Cards = []layers.Card{card}
	}
	if len(x.Drilled()) == 0 {
		return
	}
	if page.Table, page.Refused = pairs.Of(x, y, one, other); page.Table == nil {
		return
	}
	page.Subtitle = x.Subtitle()
	if data, ok := dataOfBoth(x, y); ok {
		page.Proof.Downloads = append(downloads(x.Selection, data), page.Proof.Downloads...)
		return
	}
	page.TwoFiles = x.Say("compare.two-files")
	var files []site.Choice
	for i, side := range []*reading.Reading{x, y} {
		files = append(files, site.Choice{Text: page.Sides[i].Name + ", " + x.Say("view.csv"), Link: dataOf(side, "aggregate").Plus("format", "csv")})
	}
	page.Proof.Downloads = append(files, page.Proof.Downloads...)
}

// sideOf is a selection as one of two. Terms is its sum for each inhabitant, if these are known; or in all, if it is one for each inhabitant.
func sideOf(r *reading.Reading, name string, terms *answer.Answer) side {
	s := side{Name: name, Said: told.Heading(r), Link: r.Address.Alone().String(), Number: r.NumberAt(r.Address)}
	s.Said.Lede = told.Lede(r, terms, nil)
	if selection.IsPerHead(r.Asked()) && terms != nil && terms.Summary.Values[0].Valid {
		whole := r.Say("compare.in-all", "Amount", r.Brief(terms.Summary.Values[0].Decimal, r.Currency()))
		s.Said.Lede = append([]layers.Phrase{{Text: whole}}, s.Said.Lede...)
	}
	_, s.Exact = r.Sum()
	return s
}

// notedOfBoth are the caveats of two selections. What is said of the financing of one leads to both without it, or with it.
func notedOfBoth(w *comparisonAsked, one, other string) layers.Noted {
	x, y := w.sides[0], w.sides[1]
	of := [2]told.Financing{told.FinancingOf(x, w.financing[0], one), told.FinancingOf(y, w.financing[1], other)}
	noted, ofOther := x.Noted(of[0].Note), y.Noted(of[1].Note)
	if noted.Sight == nil && of[1].Note != nil && ofOther.Sight == of[1].Note {
		noted.Sight, ofOther.Sight = of[1].Note, nil
		_, both, _ := x.FinancingLeftOut()
		if of[1].In != "" {
			both.Financing = ""
		}
		noted.Sight.Remedy.Link = both.String()
	}
	if noted.Stops = site.Once(slices.Concat(noted.Stops, ofOther.Stops)); len(noted.Stops) > 0 && noted.Sight != nil {
		noted.Rest, noted.Sight = append(noted.Rest, noted.Sight.Text), nil
	}
	noted.Add(x.Reader, slices.Concat(ofOther.All(), w.withheld[0], w.withheld[1], []string{reading.NotCompared(x, pairs.ReusedIn(x, y, nil))})...)
	return noted
}

// controlsOfBoth lead to other comparisons.
func controlsOfBoth(w *comparisonAsked, isAlike bool) layers.Controls {
	x, y := w.sides[0].Selection, w.sides[1].Selection
	made := layers.Controls{Title: x.Say("figure.controls")}
	if years := controls.Years(x); len(years.Choices) > 1 && !x.IsApart(selection.YearColumn(x.Cube.Model).Name) {
		years.Choices[len(years.Choices)-1].Link = inAllYears(x).String()
		made.Segments = append(made.Segments, years)
	}
	if terms := controls.Counted(x); isAlike {
		made.Segments = append(made.Segments, terms.Segments...)
		made.Menus = append(made.Menus, controls.Split(x, x.DrilledAlone()))
	}
	if measures, _ := controls.Measures(x); x.Address.Measure == "" && len(measures) > 1 {
		made.More = append(made.More, layers.Segment{Name: "measures", Title: x.Say("view.measure"), Choices: measures})
	}
	if beside := measuresBeside(x, y); len(beside) > 1 {
		made.Menus = append(made.Menus, layers.Menu{Name: "others", Title: x.Say("compare.other-measure"), Links: beside})
	}
	if menu := controls.Compare(x, w.look, w.others); menu != nil {
		made.Menus = append(made.Menus, *menu)
	}
	return made
}

// inAllYears is the comparison over all years, which its address names, since one that names no year is of the latest.
func inAllYears(s *selection.Selection) site.Address {
	level := selection.YearColumn(s.Cube.Model)
	cut := query.Cut{Ref: query.Ref{Name: level.Name}}
	for _, year := range s.Cube.Coverage.Years {
		cut.Items = append(cut.Items, s.ToYear(year).Items...)
	}
	if level.Missing > 0 {
		cut.Items = append(cut.Items, query.CutTo("", "").Items...)
	}
	a := s.Address.With(cut)
	if selection.IsPerHead(s.Asked()) { // amounts per person of several years are no sum
		a.Query.Aggregates = []query.AggregateRef{selection.Bare(s.Asked())}
	}
	return a
}

// dataOfBoth leads to the amounts of two selections in one answer: of two members of a level, by which it is broken down first. It has no
// shares, which would be of both together.
func dataOfBoth(x, y *reading.Reading) (site.Address, bool) {
	a := dataOf(x, "aggregate")
	of, other := onlyIn(x.Address.Query.Cuts, y.Address.Query.Cuts), onlyIn(y.Address.Query.Cuts, x.Address.Query.Cuts)
	if len(of) != 1 || len(other) != 1 || x.Main().Name != y.Main().Name {
		return a, false
	}
	cut, second := of[0], other[0]
	level, isLevel := x.Cube.Model.Level(cut.Ref.Name)
	if !isLevel || cut.Ref.Name != second.Ref.Name || !isOneMember(cut) || !isOneMember(second) {
		return a, false
	}
	cut.Items = append(slices.Clone(cut.Items), second.Items...)
	a = a.With(cut)
	first := query.Ref{Name: level.Ref}
	a.Query.Drilldown = append([]query.Ref{first}, a.Query.Drilldown...)
	a.Query.Aggregates = a.Query.Aggregates[:1]
	a.Query.Order = []query.Order{{Ref: first}, selection.ByAggregate(a.Query.Aggregates[0])}
	a.Query.Compare = x.Question.Compare
	return a, true
}

// isOneMember tells whether a cut admits one member by its key.
func isOneMember(c query.Cut) bool {
	return !c.Not && len(c.Items) == 1 && c.Items[0].Op == query.OpEqual
}

// onlyIn are the cuts that others do not have.
func onlyIn(cuts, others []query.Cut) []query.Cut {
	return each.Where(cuts, func(c query.Cut) bool {
		return !slices.ContainsFunc(others, func(o query.Cut) bool { return o.String() == c.String() })
	})
}

// cutApart names what two selections have different cuts on.
func cutApart(x, y *selection.Selection) []string {
	apart := append(onlyIn(x.Address.Query.Cuts, y.Address.Query.Cuts), onlyIn(y.Address.Query.Cuts, x.Address.Query.Cuts)...)
	return each.Text(apart, func(c query.Cut) string { return c.Ref.Name })
}

// namesApart names each of two selections by the filters that the other does not have, or by its measure, and names the filters of both.
func namesApart(x, y *selection.Selection) (one, other, both string) {
	var common []selection.Filter
	own := func(s, o *selection.Selection) string {
		common = nil
		var filters []selection.Filter
		for _, f := range s.Filters {
			if selection.IsLeftOut(s.Cube, f.Cut) { // which a note says
				continue
			}
			if slices.ContainsFunc(o.Filters, func(of selection.Filter) bool { return of.Level == f.Level && of.Members == f.Members }) {
				common = append(common, f)
			} else {
				filters = append(filters, f)
			}
		}
		name := selection.TitleOf(filters, "")
		if s.Unit() != o.Unit() {
			name = strings.TrimPrefix(name+", "+s.Unit(), ", ")
		}
		if name == "" {
			return s.TitleOfCube(s.Cube)
		}
		return name
	}
	one, other = own(x, y), own(y, x)
	return one, other, selection.TitleOf(common, "")
}

// unlike says why the amounts of two selections cannot stand side by side, or nothing.
func unlike(s, other *selection.Selection) string {
	x, y := s.Measure(), other.Measure()
	switch {
	case x.IsLike(y):
		return ""
	case x.Currency != y.Currency || x.Unit != y.Unit:
		return s.Say("compare.unlike-units", "One", prose.MeasureTitle(x, s.Language), "Other", prose.MeasureTitle(y, s.Language))
	case x.Direction != y.Direction:
		return s.Say("compare.unlike-directions", "One", s.Unit(), "Other", other.Unit())
	}
	return s.Say("compare.unlike-phases", "One", s.Unit(), "Phase", prose.Phase(x.Phase, x.Direction, s.Locale), "Other", other.Unit(), "OtherPhase", prose.Phase(y.Phase, y.Direction, s.Locale))
}

// measuresBeside are the choices of what is added up on the other side.
func measuresBeside(s, other *selection.Selection) (list []site.Choice) {
	for _, m := range controls.InOrder(s.Cube.Model) {
		if m.IsLike(s.Measure()) {
			a := s.Address
			a.Measure = m.Ref
			list = append(list, site.Choice{Text: prose.MeasureTitle(m, s.Language), Link: a.String(), Taken: m.Ref == other.Measure().Ref})
		}
	}
	return list
}
