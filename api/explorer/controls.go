package explorer

import (
	"cmp"
	"slices"
	"strings"

	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/search"
	"fiscube/internal/each"
)

// measures are the choices of what is added up. Apart from the others are those without amounts in the years of the view, and those that
// another one is put together from, unless they are taken.
func (w *view) measures() (list, apart []site.Choice) {
	isPart := func(ref string) bool {
		return slices.ContainsFunc(w.cb.Model.Measures(), func(m cube.Measure) bool { return slices.Contains(w.cb.Model.FirstOf(m.Ref), ref) })
	}
	taken, asked := w.answer.Plan.Aggregates()[0].Name, mainAggregates(w.cb.Model, w.a.Query.Aggregates)[0]
	for _, m := range measuresInOrder(w.cb.Model) {
		ref := inTermsOf(asked, query.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)})
		a := w.a.Asking(func(q *query.Query) { q.Aggregates, q.Order = []query.AggregateRef{ref}, nil })
		choice := site.Choice{Text: prose.MeasureTitle(m, w.Language), Hint: w.madeOf(w.cb, m), Value: m.Ref, Link: a.String(), Taken: ref.String() == taken}
		if w.hasNone(m.Ref) {
			choice.Text += " (" + cmp.Or(site.Spans(yearsWith(w.cb, m.Ref)), w.Say("figure.no-data")) + ")"
		}
		if !choice.Taken && (w.hasNone(m.Ref) || isPart(m.Ref)) {
			apart = append(apart, choice)
		} else {
			list = append(list, choice)
		}
	}
	return list, apart
}

// hasNone tells whether a measure or a level has no cells in all the years of the view.
func (w *view) hasNone(field string) bool {
	years := w.answer.Plan.Years()
	return len(years) > 0 && len(w.cb.Coverage.Gap(field, years)) == len(years)
}

// yearsWith lists the years in which a measure has amounts.
func yearsWith(cb *cube.Cube, measure string) []int64 {
	all := cb.Coverage.Years
	gap := cb.Coverage.Gap(measure, all)
	return slices.DeleteFunc(slices.Clone(all), func(year int64) bool { return slices.Contains(gap, year) })
}

// instead offers the measures that have amounts in the years of a view whose measure has none.
func (w *view) instead() *instead {
	measures := w.answer.Plan.Aggregates()[0].Measures()
	if len(measures) != 1 || w.answer.Summary.Values[0].Valid || !w.hasNone(measures[0]) { // a count of no amounts is 0
		return nil
	}
	made := &instead{Text: w.Say("caveat.instead", "Years", w.Years(w.answer.Plan.Years()))}
	choices, _ := w.measures()
	made.Measures = slices.DeleteFunc(choices, func(c site.Choice) bool { return c.Taken })
	if len(made.Measures) == 0 {
		return nil
	}
	return made
}

// measuresInOrder are the measures as a budget goes: what is proposed, approved, adjusted, executed, and what has no phase. Within a
// phase, what is put together from fields comes first, and those fields come last: each has a part of its years.
func measuresInOrder(m *cube.Model) []cube.Measure {
	phases := []string{"proposed", "approved", "adjusted", "executed", ""}
	places := map[string]int{}
	for _, measure := range m.Measures() {
		for i, field := range m.FirstOf(measure.Ref) {
			places[measure.Ref], places[field] = -1, 1+i
		}
	}
	return slices.SortedStableFunc(slices.Values(m.Measures()), func(a, b cube.Measure) int {
		return cmp.Or(cmp.Compare(slices.Index(phases, a.Phase), slices.Index(phases, b.Phase)), cmp.Compare(places[a.Ref], places[b.Ref]))
	})
}

// madeOf says how the amounts of a measure are put together from those of others, each with its years; "" for one that is published.
func (v *visit) madeOf(cb *cube.Cube, measure cube.Measure) string {
	fields := cb.Model.FirstOf(measure.Ref)
	if len(fields) == 0 {
		return ""
	}
	title := func(m cube.Measure) string { return cmp.Or(m.Titles.In(v.Language), m.Title, m.Ref) }
	return v.Say("view.made-of", "Measure", title(measure), "Fields", v.And(each.Text(fields, func(field string) string {
		name := field
		if m, ok := cb.Model.Measure(field); ok {
			name = title(m)
		}
		if name = v.Quote(name); cb.Coverage == nil {
			return name
		}
		return name + " (" + cmp.Or(v.Years(yearsWith(cb, field)), v.Say("figure.no-data")) + ")"
	})))
}

// levels are the choices of what to break down by: of each chain the first level that the cuts leave open, and the one taken.
func (w *view) levels() []site.Choice {
	taken := w.drilledAlone()
	list := []site.Choice{{Text: w.Say("view.nothing"), Link: w.a.Drilling().Asking(w.nameMeasure).String(), Taken: len(w.drilled()) == 0}}
	seen := map[string]bool{}
	for _, chain := range w.openBelow() {
		for i, level := range chain {
			if seen[level.Ref] || level.Ref != taken && (i > 0 || w.hasNone(level.Ref)) {
				continue
			}
			seen[level.Ref] = true
			list = append(list, site.Choice{Text: w.LevelTitle(level), Link: w.a.Drilling(level.Ref).String(), Taken: level.Ref == taken})
		}
	}
	return list
}

// drilledAlone names the level by which the view is broken down, if it is one.
func (w *view) drilledAlone() string {
	if drilled := w.drilled(); len(drilled) == 1 {
		return drilled[0].Ref
	}
	return ""
}

// levelForm breaks a view down by a level below those that are choices at once.
type levelForm struct {
	Kept   [][2]string // what the form keeps
	Groups []levelGroup
}

// levelGroup are levels of a dimension.
type levelGroup struct {
	Title  string
	Levels []site.Choice
}

// deeper offers the levels below the first ones that are open, by their dimensions; nil if there is none.
func (w *view) deeper() *levelForm {
	form := &levelForm{Kept: w.a.Drilling().Clauses()}
	taken, seen, of := w.drilledAlone(), map[string]bool{}, ""
	for _, chain := range w.openBelow() {
		for _, level := range chain[1:] {
			if seen[level.Ref] || level.Ref != taken && w.hasNone(level.Ref) {
				continue
			}
			seen[level.Ref] = true
			if len(form.Groups) == 0 || of != level.Dimension {
				dimension, _ := w.cb.Model.Dimension(level.Dimension)
				form.Groups, of = append(form.Groups, levelGroup{Title: cmp.Or(dimension.Titles.In(w.Language), dimension.Name)}), level.Dimension
			}
			last := &form.Groups[len(form.Groups)-1]
			last.Levels = append(last.Levels, site.Choice{Text: w.LevelTitle(level), Value: level.Ref, Taken: level.Ref == taken})
		}
	}
	if len(form.Groups) == 0 {
		return nil
	}
	return form
}

// open lists the levels that a view can be broken down by at once: of each chain the first.
func (w *view) open() []cube.Level {
	var list []cube.Level
	for _, chain := range w.openBelow() {
		list = append(list, chain[0])
	}
	return list
}

// openBelow lists of each chain the levels that a view can be broken down by: those below what the cuts fix.
func (w *view) openBelow() [][]cube.Level {
	var list [][]cube.Level
	for _, d := range w.cb.Model.Dimensions() {
		for _, chain := range d.Chains() {
			next := 0
			for i, level := range chain {
				if w.fixed[level.Ref] {
					next = i + 1
				}
			}
			if next < len(chain) && chain[next].Listed && !w.isApart(chain[next].Ref) && !w.cb.Model.IsEdition(chain[next].Ref) {
				list = append(list, chain[next:])
			}
		}
	}
	return list
}

// filterForm adds a filter to a view: it offers levels and, once a text is given, the members that have it.
type filterForm struct {
	FilterLevels []site.Choice
	Hidden       [][2]string // what the form keeps
	Finding      string
	Found        []site.Choice
	None         string // that nothing is called so
}

func (w *view) filterForm() (filterForm, error) {
	in, text := w.PageParameter("_in"), strings.TrimSpace(w.PageParameter("_find"))
	form := filterForm{Hidden: w.a.Clauses()}
	for _, level := range w.cb.Model.Levels() {
		if level.Listed && !w.cb.Model.IsEdition(level.Ref) {
			form.FilterLevels = append(form.FilterLevels, site.Choice{Text: w.LevelTitle(level), Value: level.Ref, Taken: level.Ref == in})
		}
	}
	if in == "" || text == "" {
		return form, nil
	}
	form.Finding = text
	found, err := w.candidates(in, text)
	for _, c := range found {
		form.Found = append(form.Found, site.Choice{Text: c.label, Link: w.filteredBy(c).String()})
	}
	form.None = w.nothingCalled(in, text)
	return form, err
}

// filteredBy leads to the view with a member: beside those that a filter of its level has, if what is above it is the same, else in their
// place. Cuts on two levels would admit the one's members below the other's, too.
func (w *view) filteredBy(c candidate) site.Address {
	a, last := w.a, len(c.cuts)-1
	for _, cut := range c.cuts[:last] {
		a = a.With(cut)
	}
	if a.String() == w.a.String() {
		return a.Or(c.cuts[last])
	}
	return a.With(c.cuts[last])
}

// mostFound is how many members a search inside a view lists.
const mostFound = 20

// candidate is a member that may be cut to.
type candidate struct {
	label string // with its path
	cuts  []query.Cut
}

// nothingCalled says that no member of a level is called so.
func (w *view) nothingCalled(in, text string) string {
	if text == "" {
		return w.Say("figure.no-data")
	}
	level, _ := w.cb.Model.Level(in)
	return w.Say("search.nothing-called", "Level", w.LevelTitle(level), "Text", text)
}

// candidates are members of a level that a search for a text finds, and then the first ones with the text in their names, in the years of the view.
func (w *view) candidates(in, text string) ([]candidate, error) {
	q := query.MemberQuery{Level: in, Search: text, Page: query.Page{Number: 1, Size: mostFound}}
	if year, ok := w.cb.Model.YearLevel(); ok {
		for _, c := range w.a.Query.Cuts {
			if c.Ref.Name == year.Ref {
				q.Cuts = append(q.Cuts, c)
			}
		}
	}
	bound, err := plan.BindMembers(w.cb, q)
	if err != nil {
		return nil, err
	}
	var list []candidate
	known := map[string]bool{}
	add := func(label string, path []cube.Value) {
		if id := plan.KeysID(path); known[id] || len(list) == mostFound {
			return
		}
		known[plan.KeysID(path)] = true
		c := candidate{label: label + " (" + prose.CodesOfPath(w.cb.Model.PathOf(bound.Level()), path, w.Language) + ")"}
		for i, field := range bound.Level().Path {
			c.cuts = append(c.cuts, query.CutTo(field, path[i].String()))
		}
		list = append(list, c)
	}
	hits, err := w.searched(text, bound.Level())
	if err != nil {
		return nil, err
	}
	for _, hit := range hits {
		add(hit.Label, hit.Path)
	}
	found, err := w.Limiter.MemberPage(w.Request().Context(), limits.TimingOf(w.Context), bound, w.Language)
	if err != nil {
		return nil, err
	}
	for _, m := range found.Members {
		add(m.Label.String(), m.Path)
	}
	return list, nil
}

// searched are the members of a level that a search for a text finds, in the years of the view.
func (w *view) searched(text string, level cube.Level) ([]search.Hit, error) {
	q, err := search.Parse(text)
	if err != nil || w.search == nil { // a text without letters and digits is nothing to search for, but may be in a name
		return nil, nil
	}
	hits, err := w.search.FindMembers(w.Request().Context(), q, w.cb, level)
	years := w.answer.Plan.Years()
	isAsked := func(year int64) bool { return slices.Contains(years, year) }
	return slices.DeleteFunc(hits, func(hit search.Hit) bool {
		return len(years) > 0 && len(hit.Years) > 0 && !slices.ContainsFunc(hit.Years, isAsked)
	}), err
}
