package explorer

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Two selections are shown side by side. The parameter _with has the cuts of the other one: it asks what the page asks, with these
// cuts in the place of those on the same levels and on the levels above and below them, but for levels of time. The parameter
// _measure names the measure of the other one, where that is another: some packages have one phase in several fields.

// comparePage is what the page of two selections has.
type comparePage struct {
	site.Reader
	Title, Subtitle       string
	CubeTitle, CubeLink   string
	Pinned                *pinning
	Sides                 []selection
	Difference            string // a sentence
	Refused               string // why they are not compared, or not broken down
	Noted                 noted
	Without               string // leads to the same comparison without financing
	Levels, Years         []site.Choice
	Measures, Beside      []site.Choice // of both sides, and of the other one alone
	YearBefore, YearAfter string        // links
	YearTaken             site.Choice   // says which year is compared, where nobody chose one, and leads to all
	Deeper                *levelForm
	Finder                *finder
	Table                 *pairTable
	Downloads             []site.Choice
	TwoFiles              string // why there is no file of both
	Permanent             string
	Adjusted              string // the source of amounts in real terms or per head
}

// selection is one of the two.
type selection struct {
	Name, Unit, InWords, Exact, Change string
	Link, Number, CSV, JSON, Served    string // Number leads to the page of the sum
}

// compare shows two selections. Those that differ in the year alone are a change.
func (v *visit) compare(cb *cube.Cube, a site.Address) (*site.Frame, error) {
	a.View = ""
	a.Query = query.Query{
		Drilldown: a.Query.Drilldown, Cuts: a.Query.Cuts, Aggregates: mainAggregates(cb.Model, a.Query.Aggregates)[:1], Snapshots: a.Query.Snapshots, Page: a.Query.Page,
	}
	other, err := otherSide(cb, a)
	if err != nil {
		return nil, err
	}
	taken, err := v.commonYear(cb, a, other)
	if err != nil {
		return nil, err
	}
	level := yearOf(cb.Model).Name
	if taken != 0 {
		cut := query.CutTo(level, strconv.FormatInt(taken, 10))
		a, other = a.With(cut), other.With(cut)
	}
	x, err := v.wholeView(cb, a)
	if err != nil {
		return nil, err
	}
	y, err := v.wholeView(cb, other)
	if err != nil {
		return nil, err
	}
	if link, ok := x.changeFrom(y); ok {
		return nil, v.Redirect(http.StatusSeeOther, link)
	}
	main, err := x.comparePage(y)
	if err != nil {
		return nil, err
	}
	if taken != 0 {
		main.YearTaken = site.Choice{Text: v.Say("compare.year-taken", "Year", v.Years([]int64{taken})), Link: x.inAllYears().String()}
	}
	f := v.Frame(templates["compare"], main.Title, main)
	f.MadeUp = cb.Synthetic
	return f, nil
}

// commonYear is the latest fiscal year that is complete and in which both selections have an amount, if neither says of which time it is;
// else, and where there is none, it is 0.
func (v *visit) commonYear(cb *cube.Cube, a, other site.Address) (int64, error) {
	level, ok := cb.Model.YearLevel()
	isOfYear := func(c query.Cut) bool { return related(cb.Model, c.Ref.Name, level.Ref) }
	if !ok || drillsTime(cb.Model, a.Query) || slices.ContainsFunc(slices.Concat(a.Query.Cuts, other.Query.Cuts), isOfYear) {
		return 0, nil
	}
	var common []int64
	for i, selected := range []site.Address{a, other} {
		w := &view{visit: v, cb: cb, a: selected}
		found, err := w.inYears(selected, level)
		if err != nil {
			return 0, err
		}
		w.answer = found
		years, _ := w.withAmount()
		early := w.early()
		common = slices.DeleteFunc(years, func(year int64) bool {
			_, _, isPart := cb.PartOfYear(year)
			return isPart || early[strconv.FormatInt(year, 10)] != "" || len(w.zeros(0, []int64{year})) > 0 || i > 0 && !slices.Contains(common, year)
		})
	}
	if len(common) == 0 {
		return 0, nil
	}
	return slices.Max(common), nil
}

// inAllYears is the comparison over all years, which its address names, since one that names no year is of the latest.
func (w *view) inAllYears() site.Address {
	level := yearOf(w.cb.Model)
	cut := query.Cut{Ref: query.Ref{Name: level.Name}}
	for _, year := range w.cb.Coverage.Years {
		cut.Items = append(cut.Items, query.CutTo("", strconv.FormatInt(year, 10)).Items...)
	}
	if level.Missing > 0 {
		cut.Items = append(cut.Items, query.CutTo("", "").Items...)
	}
	return w.a.With(cut)
}

// wholeView asks for all cells of a view.
func (v *visit) wholeView(cb *cube.Cube, a site.Address) (*view, error) {
	page := a.Query.Page
	a.Query.Page = query.Page{Number: 1, Size: query.MaxPageSize}
	w, err := v.view(cb, a)
	if err != nil {
		return nil, err
	}
	w.a.Query.Page = page
	return w, nil
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
		a.Query.Aggregates = []query.AggregateRef{inTermsOf(asked, ref)}
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
	d, _ := m.Dimension(level.Dimension)
	return related(m, other, own) && (other == own || d.Type != cube.DimensionTime)
}

// changeFrom leads to the change since the year of the other view, if the two differ in nothing else.
func (w *view) changeFrom(other *view) (link string, ok bool) {
	year, ok := w.yearCut()
	from, too := other.yearCut()
	if !ok || !too || year == from {
		return "", false
	}
	level := yearOf(w.cb.Model).Name
	besidesYear := func(a site.Address) string {
		q := a.Without(func(field string) bool { return field == level }).Query
		slices.SortFunc(q.Cuts, func(a, b query.Cut) int { return strings.Compare(a.String(), b.String()) })
		return query.JoinClauses(q.Clauses())
	}
	if besidesYear(w.a) != besidesYear(other.a) {
		return "", false
	}
	a := w.a.Alone().Asking(func(q *query.Query) { q.Compare = &query.Compare{Ref: query.Ref{Name: level}, Offset: from - year} })
	a.View = asChange
	return a.String(), true
}

func (x *view) comparePage(y *view) (*comparePage, error) {
	x.apart = cutApart(x, y)
	one, other, both := namesApart(x, y)
	page := &comparePage{
		Reader: x.Reader, CubeTitle: x.TitleOfCube(x.cb), CubeLink: x.Explore(x.cb).String(), Permanent: x.permanent(), Adjusted: x.adjusted(),
		Title: x.Say("compare.two-of", "One", one, "Other", other), Sides: []selection{x.selection(one), y.selection(other)}, Levels: x.levels(), Deeper: x.deeper(), Beside: x.measuresBeside(y),
		Noted: x.noted(x.answer.Caveats, nil),
	}
	if both != "" {
		page.Title += ", " + both
	}
	ofOther := y.noted(y.answer.Caveats, nil)
	page.Noted.Stops = site.Once(slices.Concat(page.Noted.Stops, ofOther.Stops))
	page.Noted.add(x, append(ofOther.all(), append(slices.Concat(x.withheld, y.withheld), x.notCompared(x.reusedIn(y, nil)))...))
	if x.has(cube.WarnFinancing) || y.has(cube.WarnFinancing) {
		page.Without = leavingOut(x.a, x.cb.Financing).String()
	}
	if x.a.Measure == "" {
		page.Measures, _ = x.measures()
	}
	if !x.isApart(yearOf(x.cb.Model).Name) {
		page.Years, page.YearBefore, page.YearAfter = x.years()
		if last := len(page.Years) - 1; last > 0 {
			page.Years[last].Link = x.inAllYears().String()
		}
	}
	var err error
	for i, w := range []*view{x, y} {
		pinned, err := w.pinned()
		if err != nil {
			return nil, err
		}
		if pinned != nil { // each side says how it is answered now, and the page leads there
			page.Sides[i].Served, pinned.Served = pinned.Served, ""
			page.Pinned = cmp.Or(page.Pinned, pinned)
		}
	}
	if page.Finder, err = x.finder(); err != nil {
		return nil, err
	}
	if page.Refused = x.unlike(y); page.Refused != "" {
		page.Levels = nil
		return page, nil
	}
	if !x.isStopped() && !y.isStopped() {
		page.Difference = x.differenceTo(y, one, other)
	}
	if len(x.drilled()) == 0 {
		return page, nil
	}
	page.Table, page.Refused = x.pairs(y, one, other)
	if page.Table == nil {
		return page, nil
	}
	page.Subtitle = x.subtitle()
	if data, ok := x.dataOfBoth(y); ok {
		page.Downloads = x.downloads(data)
	} else {
		page.TwoFiles = x.Say("compare.two-files")
	}
	return page, nil
}

// dataOfBoth leads to the amounts of two views in one answer: of two members of a level, by which it is broken down first. It has no
// shares, which would be of both together.
func (x *view) dataOfBoth(y *view) (site.Address, bool) {
	a := x.data("aggregate")
	of, other := onlyIn(x.a.Query.Cuts, y.a.Query.Cuts), onlyIn(y.a.Query.Cuts, x.a.Query.Cuts)
	if len(of) != 1 || len(other) != 1 || x.answer.Plan.Aggregates()[0].Name != y.answer.Plan.Aggregates()[0].Name {
		return a, false
	}
	cut, second := of[0], other[0]
	level, isLevel := x.cb.Model.Level(cut.Ref.Name)
	if !isLevel || cut.Ref.Name != second.Ref.Name || !isOneMember(cut) || !isOneMember(second) {
		return a, false
	}
	cut.Items = append(slices.Clone(cut.Items), second.Items...)
	a = a.With(cut)
	first := query.Ref{Name: level.Ref}
	a.Query.Drilldown = append([]query.Ref{first}, a.Query.Drilldown...)
	a.Query.Aggregates = a.Query.Aggregates[:1]
	a.Query.Order = []query.Order{{Ref: first}, byAggregate(a.Query.Aggregates[0])}
	a.Query.Compare = x.answers.Compare
	return a, true
}

// isOneMember tells whether a cut admits one member by its key.
func isOneMember(c query.Cut) bool {
	return !c.Not && len(c.Items) == 1 && c.Items[0].Op == query.OpEqual
}

// onlyIn are the cuts that others do not have.
func onlyIn(cuts, others []query.Cut) (list []query.Cut) {
	for _, c := range cuts {
		if !slices.ContainsFunc(others, func(o query.Cut) bool { return o.String() == c.String() }) {
			list = append(list, c)
		}
	}
	return list
}

// cutApart names what two views have different cuts on.
func cutApart(x, y *view) []string {
	apart := append(onlyIn(x.a.Query.Cuts, y.a.Query.Cuts), onlyIn(y.a.Query.Cuts, x.a.Query.Cuts)...)
	return each.Text(apart, func(c query.Cut) string { return c.Ref.Name })
}

// namesApart names each of two views by the filters that the other does not have, or by its measure, and names the filters of both.
func namesApart(x, y *view) (one, other, both string) {
	var common []chip
	own := func(w, o *view) string {
		common = nil
		var chips []chip
		for _, c := range w.chips {
			if slices.ContainsFunc(o.chips, func(oc chip) bool { return oc.Level == c.Level && oc.Members == c.Members }) {
				common = append(common, c)
			} else {
				chips = append(chips, c)
			}
		}
		name := titleOf(chips, "")
		if w.unit() != o.unit() {
			name = strings.TrimPrefix(name+", "+w.unit(), ", ")
		}
		if name == "" {
			return w.TitleOfCube(w.cb)
		}
		return name
	}
	one, other = own(x, y), own(y, x)
	return one, other, titleOf(common, "")
}

// selection is a view as one of two.
func (w *view) selection(name string) selection {
	s := selection{Name: name, Unit: w.sumOf(), Link: w.a.Alone().String(), Number: w.numberOf(w.a), CSV: w.data("aggregate").Plus("format", "csv"), JSON: w.asJSON()}
	s.InWords, s.Exact = w.sum()
	if i := w.growth(); i >= 0 && w.answer.Summary.Values[i].Valid {
		s.Change = w.Change(w.answer.Summary.Values[i])
		if year, ok := w.comparedYear(); ok {
			s.Change += " " + w.Say("number.from", "Year", strconv.FormatInt(year, 10))
		}
	}
	return s
}

// unlike says why the amounts of two views cannot stand side by side, or nothing.
func (w *view) unlike(other *view) string {
	x, y := w.measureOf(), other.measureOf()
	switch {
	case x.IsLike(y):
		return ""
	case x.Currency != y.Currency || x.Unit != y.Unit:
		return w.Say("compare.unlike-units", "One", prose.MeasureTitle(x, w.Language), "Other", prose.MeasureTitle(y, w.Language))
	case x.Direction != y.Direction:
		return w.Say("compare.unlike-directions", "One", w.unit(), "Other", other.unit())
	}
	return w.Say("compare.unlike-phases", "One", w.unit(), "Phase", prose.Phase(x.Phase, x.Direction, w.Locale), "Other", other.unit(), "OtherPhase", prose.Phase(y.Phase, y.Direction, w.Locale))
}

// measuresBeside are the choices of what is added up on the other side.
func (w *view) measuresBeside(other *view) []site.Choice {
	var list []site.Choice
	for _, m := range measuresInOrder(w.cb.Model) {
		if m.IsLike(w.measureOf()) {
			a := w.a
			a.Measure = m.Ref
			list = append(list, site.Choice{Text: prose.MeasureTitle(m, w.Language), Link: a.String(), Taken: m.Ref == other.measureOf().Ref})
		}
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

// isLess tells whether the sum of a view is less than that of another: the difference is then that of the other one.
func (w *view) isLess(other *view) bool {
	x, y := w.answer.Summary.Values[0], other.answer.Summary.Values[0]
	return x.Valid && y.Valid && x.Decimal.LessThan(y.Decimal)
}

// differenceTo says in a sentence by how much the sum of a view is more than that of another, or less; "" if one of them has none, or a
// code that both cut means different things in their years.
func (w *view) differenceTo(other *view, name, otherName string) string {
	x, y := w.answer.Summary.Values[0], other.answer.Summary.Values[0]
	if !x.Valid || !y.Valid || len(w.reusedIn(other, nil)) > 0 {
		return ""
	}
	if w.isLess(other) {
		x, y, name, otherName = y, x, otherName, name
	}
	main := w.answer.Plan.Aggregates()[0]
	d := x.Decimal.Sub(y.Decimal)
	if d.IsZero() {
		return w.Say("compare.as-much", "One", name, "Other", otherName)
	}
	text := w.Say("compare.more-than", "One", name, "Amount", w.InWords(d, currencyOf(w.cb.Model, main)), "Other", otherName, "Exact", w.Decimal(d, main.Scale))
	if y.Decimal.IsPositive() {
		text += " (" + w.Change(percentOf(d, y.Decimal)) + ")"
	}
	return text
}

// finder finds what else a member can be compared with.
type finder struct {
	Hidden  [][2]string // what the form keeps
	Levels  []site.Choice
	Finding string
	Asked   bool
	Found   []site.Choice
	None    string // that nothing else is called so
}

// finder offers the levels of which the view has one member and, once one of them is chosen, other members of it.
func (w *view) finder() (*finder, error) {
	in, text := w.PageParameter("_beside"), strings.TrimSpace(w.PageParameter("_like"))
	made := &finder{Hidden: w.a.Clauses(), Finding: text}
	for _, level := range w.cb.Model.Levels() {
		dimension, _ := w.cb.Model.Dimension(level.Dimension)
		if level.Listed && w.fixed[level.Ref] && !w.cb.Model.IsEdition(level.Ref) && dimension.Type != cube.DimensionTime {
			made.Levels = append(made.Levels, site.Choice{Text: w.LevelTitle(level), Value: level.Ref, Taken: level.Ref == in})
		}
	}
	if len(made.Levels) == 0 {
		return nil, nil
	}
	if !slices.ContainsFunc(made.Levels, func(c site.Choice) bool { return c.Taken }) {
		return made, nil
	}
	made.Asked, made.None = true, w.nothingCalled(in, text)
	found, err := w.candidates(in, text)
	for _, c := range found {
		a := w.a
		a.View, a.Beside = "", strings.Join(each.Text(c.cuts, query.Cut.Short), "|")
		if slices.ContainsFunc(w.drilled(), func(l cube.Level) bool { return related(w.cb.Model, in, l.Ref) }) {
			a = a.Drilling(w.openBeside(in)...).Asking(w.nameMeasure)
		}
		own := !slices.ContainsFunc(c.cuts, func(cut query.Cut) bool {
			return !slices.ContainsFunc(w.a.Query.Cuts, func(o query.Cut) bool { return o.String() == cut.String() })
		})
		if !own {
			made.Found = append(made.Found, site.Choice{Text: c.label, Link: a.String()})
		}
	}
	return made, err
}

// openBeside names the first level by which two members of a level can be broken down alike.
func (w *view) openBeside(level string) []string {
	for _, l := range w.open() {
		if d, _ := w.cb.Model.Dimension(l.Dimension); !related(w.cb.Model, level, l.Ref) && d.Type != cube.DimensionTime {
			return []string{l.Ref}
		}
	}
	return nil
}
