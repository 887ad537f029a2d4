package explorer

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// view is an answer as a page shows it.
type view struct {
	*visit
	cb       *cube.Cube
	a        site.Address // of this page
	answer   *answer.Answer
	answers  query.Query     // what it answers: the question of the page, with what that shows beside it
	fixed    map[string]bool // the levels of which a cut admits one member
	apart    []string        // what the view beside it has other cuts on
	called   map[string]int  // how often the cells of the answer have a name (nameOf); nil until that is asked
	chips    []chip          // its filters
	withheld []string        // why it is not compared, though nobody asked for that
	title    string          // names what it is of
	heading  string          // the same without what is above other members of it
	trail    []site.Choice   // leads to that
}

// asked is the address of the view that the request asks for.
func (v *visit) asked(cb *cube.Cube) (site.Address, error) {
	a := v.Explore(cb)
	var err error
	a.Query, err = query.Parse(v.Given)
	a.View, a.Financing = v.PageParameter("_view"), v.PageParameter("_financing")
	return a, err
}

// view asks the question of an address.
func (v *visit) view(cb *cube.Cube, a site.Address) (w *view, err error) {
	w = &view{visit: v, cb: cb, a: withoutFinancing(cb, a)}
	a = w.a
	if w.answers, w.answer, w.withheld, err = v.askMore(cb, a.Query); err != nil {
		return nil, err
	}
	if w.answer, err = v.withLines(w.answer); err != nil {
		return nil, err
	}
	return w, w.describe()
}

// describe finds what the cuts of a view fix, and what they are called.
func (w *view) describe() (err error) {
	w.fixed = fixedBy(w.answer.Plan)
	if w.chips, err = w.filters(); err != nil {
		return err
	}
	w.title = titleOf(w.chips, w.TitleOfCube(w.cb))
	last := slices.DeleteFunc(slices.Clone(w.chips), func(c chip) bool { return c.Below != "" })
	for i, c := range last {
		isAbove := func(other chip) bool { return other.Below != "" && strings.EqualFold(other.Members, c.Members) }
		if slices.ContainsFunc(w.chips, isAbove) {
			last[i].Members += " (" + c.Level + ")" // or it would be taken for the one above
		}
	}
	w.heading = titleOf(last, w.TitleOfCube(w.cb))
	for _, c := range w.chips {
		if c.Below == "" {
			continue
		}
		w.trail = append(w.trail, site.Choice{Text: c.Members, Link: c.Below})
	}
	return nil
}

// fixedBy names the levels of which the cuts admit one member.
func fixedBy(p *plan.Plan) map[string]bool {
	fixed := map[string]bool{}
	for _, f := range p.FiltersAsked() {
		if f.Not || len(f.Any) != 1 {
			continue
		}
		for _, test := range f.Any[0] {
			if len(test.In) == 1 {
				fixed[test.Column.Name] = true
			}
		}
	}
	return fixed
}

// titleOf names what a view is of: the members of its filters or else the whole, the time last.
func titleOf(chips []chip, whole string) string {
	var names, times []string
	for _, c := range chips {
		if c.IsTime {
			times = append(times, cmp.Or(c.year, c.Members))
		} else {
			names = append(names, c.Members)
		}
	}
	if isChosen := func(c chip) bool { return !c.IsTime && !c.not }; whole != "" && !slices.ContainsFunc(chips, isChosen) {
		names = append([]string{whole}, names...) // what filters leave out is left out of all
	}
	return strings.Join(append(site.Once(names), times...), ", ")
}

// sum writes what all cells add up to, in words and with all its digits; "" if there is nothing to add up.
func (w *view) sum() (inWords, exact string) {
	sum, main := w.answer.Summary.Values[0], w.answer.Plan.Aggregates()[0]
	if !sum.Valid {
		return "", ""
	}
	inWords = w.InWords(sum.Decimal, currencyOf(w.cb.Model, main))
	if main.IsFraction() {
		inWords = w.exact(sum.Decimal)
	}
	return inWords, w.Decimal(sum.Decimal, main.Scale)
}

// matchesNothing tells whether no row of the budget is in the answer.
func (w *view) matchesNothing() bool {
	return (w.has(cube.WarnNothingMatches) || w.has(cube.WarnNoSuchMember)) && !w.answer.Summary.Values[0].Valid
}

// data leads to what a route of the API answers to the question that the view answers, with a row for each member: what the view adds
// up as others, or has on other pages, is there too.
func (w *view) data(route string) site.Address {
	a := w.a.Alone().At("cubes/" + url.PathEscape(w.cb.Name) + "/" + route)
	a.View = ""
	given := a.Query
	if a.Query, a.Query.Page = w.answers, query.FirstPage; given.Top == 0 {
		a.Query.Top, a.Query.Remainder = 0, false
	}
	return a
}

// downloads lead to the data at an address as files.
func (w *view) downloads(data site.Address) []site.Choice {
	return []site.Choice{
		{Text: w.Say("view.csv"), Link: data.Plus("format", "csv")},
		{Text: w.Say("view.excel-csv"), Link: data.Plus("format", "csv") + "&excel=1"},
		{Text: w.Say("view.workbook"), Link: data.Plus("format", "xlsx")},
		{Text: w.Say("view.parquet"), Link: data.Plus("format", "parquet")},
		{Text: w.Say("view.package"), Link: data.At("cubes/" + url.PathEscape(w.cb.Name) + "/package.zip").String()},
	}
}

// asJSON leads to the data of the view as JSON, of which the API gives a page.
func (w *view) asJSON() string {
	a, rows := w.data("aggregate"), w.rowCount()
	if a.Query.Top > 0 {
		rows = w.answer.Summary.Count // the others that were asked for stay one row
	}
	if rows > query.DefaultPageSize {
		a.Query.Page = query.Page{Number: 1, Size: query.MaxPageSize}
	}
	return a.Plus("format", "json")
}

// permanent leads to this view of this version, for ever.
func (w *view) permanent() string {
	a := w.a
	a.Version = strconv.Itoa(w.cb.Version)
	return a.String()
}

// drilled lists the levels of the drilldown.
func (w *view) drilled() []cube.Level {
	var list []cube.Level
	for _, step := range w.answer.Plan.Steps() {
		if level, ok := w.cb.Model.LevelOfKey(step.Ref); ok {
			list = append(list, level)
		}
	}
	return list
}

// chip is a filter, which a link removes.
type chip struct {
	Level, Members, Remove string
	IsTime                 bool
	year                   string // the one year that it admits, as a title has it
	Below                  string // of what is above another filter: leads to the view without that
	level                  cube.Level
	not                    bool
	cut                    query.Cut
}

// filters are those of the question, with the names of their members: what is above before what is below it.
func (w *view) filters() ([]chip, error) {
	var list []chip
	asked := w.answer.Plan.FiltersAsked()
	place := func(f plan.Filter) int {
		level, _ := f.Level(w.cb.Model)
		return level.Index
	}
	slices.SortStableFunc(asked, func(a, b plan.Filter) int { return cmp.Compare(place(a), place(b)) })
	for _, f := range asked {
		c, m := cutOf(f), w.cb.Model
		level, known := f.Level(m)
		text, err := w.members(f, level, known)
		if err != nil {
			return nil, err
		}
		if f.Not {
			text = w.Say("view.without", "Filter", text)
		}
		title := f.Ref
		gone := func(field string) bool { return field == c.Ref.Name }
		if known {
			title = w.LevelTitle(level)
			below := belowIn(m, level)
			gone = func(field string) bool { return field == c.Ref.Name || below[field] }
		}
		dimension, _ := m.Dimension(level.Dimension)
		inTitle := ""
		if year, ok := yearCutOf(m, []query.Cut{c}); ok {
			inTitle = w.Years([]int64{year})
		}
		list = append(list, chip{
			Level: title, Members: text, Remove: w.a.Without(gone).Asking(w.nameMeasure).String(), IsTime: dimension.Type == cube.DimensionTime,
			year: inTitle, level: level, not: f.Not, cut: c,
		})
	}
	for i, c := range list {
		below := slices.IndexFunc(list, func(other chip) bool {
			return !c.not && !other.not && other.level.Ref != c.level.Ref && slices.Contains(other.level.Path, c.level.Ref)
		})
		if below >= 0 {
			list[i].Below = list[below].Remove
		}
	}
	return list, nil
}

// cutOf is a filter of a plan as a cut. A plan has its filters in an order of its own, and each once.
func cutOf(f plan.Filter) query.Cut {
	cuts, err := query.ParseCut(f.String())
	if err != nil || len(cuts) != 1 {
		return query.Cut{} // never: a plan prints what the parser reads
	}
	return cuts[0]
}

// belowIn names the levels below a level, by their keys and labels.
func belowIn(m *cube.Model, level cube.Level) map[string]bool {
	below := map[string]bool{}
	for _, l := range m.Levels() {
		if l.Ref != level.Ref && l.Dimension == level.Dimension && slices.Contains(l.Path, level.Ref) {
			below[l.Ref], below[l.LabelRef] = true, true
		}
	}
	return below
}

// mostNamed is how many members of a filter have their names shown.
const mostNamed = 4

// members names the members that a filter admits.
func (w *view) members(f plan.Filter, level cube.Level, known bool) (string, error) {
	var texts []string
	byKey := known && level.Listed && level.LabelRef != ""
	for i, item := range f.Echo {
		switch codes := prose.Codes(f, i, w.Language); item.Op {
		case query.OpRange:
			texts = append(texts, strings.Join(codes, "–"))
		case query.OpMatch:
			texts = append(texts, w.Quote(strings.Join(codes, " ")))
		default:
			texts = append(texts, each.Text(codes, func(code string) string { return cmp.Or(code, w.Say("view.missing")) })...)
		}
		byKey = byKey && item.Op == query.OpEqual
	}
	if !byKey {
		return strings.Join(texts, ", "), nil
	}
	q := query.MemberQuery{Level: level.Ref, Page: query.Page{Number: 1, Size: mostNamed + 1}}
	for _, other := range w.answer.Plan.FiltersAsked() {
		of, ok := other.Level(w.cb.Model)
		cut := cutOf(other)
		switch {
		case other.String() == f.String():
			cut.Not = false // those that are left out have names too
		case other.Not || !ok || of.Dimension != level.Dimension && of.Ref != yearOf(w.cb.Model).Name:
			continue
		}
		q.Cuts = append(q.Cuts, cut)
	}
	bound, err := plan.BindMembers(w.cb, q)
	if err != nil {
		return strings.Join(texts, ", "), nil // a filter that members cannot have
	}
	page, err := w.Limiter.MemberPage(w.Request().Context(), limits.TimingOf(w.Context), bound, w.Language)
	if err != nil {
		return "", err
	}
	names := each.Text(page.Members, func(m plan.MemberRow) string { return m.Label.String() })
	if len(names) < len(texts) || len(names) > mostNamed { // some have no name, or there are too many
		return strings.Join(texts, ", "), nil
	}
	return strings.Join(names, ", "), nil
}

// nameMeasure names the measure, so that an address without drilldown and cuts is not that of the overview.
func (w *view) nameMeasure(q *query.Query) { q.Aggregates = mainAggregates(w.cb.Model, q.Aggregates) }

// measureOf is the measure that a view is of; counts of rows have none.
func (w *view) measureOf() cube.Measure {
	m, _ := w.cb.Model.Measure(w.answer.Plan.Aggregates()[0].Measure)
	return m
}

// isApart tells whether the view beside this one has other cuts on a level, or above or below it.
func (w *view) isApart(level string) bool {
	return slices.ContainsFunc(w.apart, func(name string) bool { return related(w.cb.Model, name, level) })
}

// related tells whether one of two names is of a level above the other, of the same level, or of a dimension that has it.
func related(m *cube.Model, name, other string) bool {
	x, _ := m.Level(name)
	y, _ := m.Level(other)
	return name == other || x.Dimension == other || y.Dimension == name || slices.Contains(x.Path, y.Ref) || slices.Contains(y.Path, x.Ref)
}

// subtitle names the levels by which the view is broken down.
func (w *view) subtitle() string {
	drilled := w.drilled()
	if len(drilled) == 0 {
		return ""
	}
	return prose.Begin(strings.Join(each.Text(drilled, w.ByLevel), ", "))
}

// unit names what is added up, and in what.
func (w *view) unit() string {
	return prose.AggregateTitle(w.answer.Plan, w.answer.Plan.Aggregates()[0], w.Language)
}

// sumOf names what the sum is of, also the years if it adds up several.
func (w *view) sumOf() string {
	if years := w.answer.Plan.Years(); len(years) > 1 {
		return w.unit() + ", " + w.Say("view.years-added", "Years", w.Years(years))
	}
	return w.unit()
}

// currencyOf is the currency of an aggregate whose amounts are counted in ones of it, or "".
func currencyOf(m *cube.Model, a plan.Aggregate) string {
	measure, _ := m.Measure(a.Measure) // counts and formulas have none
	if measure.Unit > 1 {
		return ""
	}
	return measure.Currency
}

// yearOf is the column of the fiscal year; of a model without years it has no name.
func yearOf(m *cube.Model) cube.Column {
	year, _ := m.FiscalYear() // without one no column has an empty name
	return year
}
