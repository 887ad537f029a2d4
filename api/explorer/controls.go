package explorer

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// measures are the choices of what is added up.
func (w *view) measures() []choice {
	var list []choice
	taken := w.answer.Plan.Aggregates()[0].Name
	for _, m := range w.cb.Model.Measures() {
		ref := query.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)}
		a := w.a.asking(func(q *query.Query) { q.Aggregates, q.Order = []query.AggregateRef{ref}, nil })
		list = append(list, choice{Text: prose.MeasureTitle(m, w.Language), Link: a.String(), Taken: ref.String() == taken})
	}
	return list
}

// levels are the choices of what to break down by: of each chain the first level that the cuts leave open.
func (w *view) levels() []choice {
	drilled := each.Text(w.drilled(), func(l cube.Level) string { return l.Ref })
	list := []choice{{Text: w.Words.Nothing, Link: w.a.drilling().asking(w.nameMeasure).String(), Taken: len(drilled) == 0}}
	seen := map[string]bool{}
	for _, level := range w.open() {
		if seen[level.Ref] {
			continue
		}
		seen[level.Ref] = true
		list = append(list, choice{
			Text: w.levelTitle(w.cb.Model, level), Link: w.a.drilling(level.Ref).String(), Taken: len(drilled) == 1 && drilled[0] == level.Ref,
		})
	}
	return list
}

// nameMeasure names the measure, so that an address without drilldown and cuts is not that of the overview.
func (w *view) nameMeasure(q *query.Query) { q.Aggregates = mainAggregates(w.cb.Model, q.Aggregates) }

// open lists the levels that a view can be broken down by.
func (w *view) open() []cube.Level {
	var list []cube.Level
	for _, d := range w.cb.Model.Dimensions() {
		for _, chain := range d.Chains() {
			next := 0
			for i, level := range chain {
				if w.fixed[level.Ref] {
					next = i + 1
				}
			}
			if next < len(chain) && chain[next].Listed && !w.isApart(chain[next].Ref) && !w.cb.Model.IsEdition(chain[next].Ref) {
				list = append(list, chain[next])
			}
		}
	}
	return list
}

// years are the choices of the fiscal year, with links to the years before and after the one that is cut.
func (w *view) years() (list []choice, before, after string) {
	level, ok := w.cb.Model.YearLevel()
	if !ok || w.cb.Coverage == nil || slices.ContainsFunc(w.drilled(), func(l cube.Level) bool { return l.Ref == level.Ref }) {
		return nil, "", ""
	}
	taken := -1
	for i, year := range w.cb.Coverage.Years {
		text := strconv.FormatInt(year, 10)
		is := slices.ContainsFunc(w.a.q.Cuts, func(c query.Cut) bool { return c.String() == equal(level.Ref, text).String() })
		if is {
			taken = i
		}
		list = append(list, choice{Text: text, Link: w.a.with(equal(level.Ref, text)).String(), Taken: is})
	}
	if taken > 0 {
		before = list[taken-1].Link
	}
	if taken >= 0 && taken+1 < len(list) {
		after = list[taken+1].Link
	}
	all := w.a.without(func(field string) bool { return field == level.Ref }).asking(w.nameMeasure)
	return append(list, choice{Text: w.Words.AllYears, Link: all.String(), Taken: taken < 0 && !w.fixed[level.Ref]}), before, after
}

// chip is a filter, which a link removes.
type chip struct {
	Level, Members, Remove string
	IsTime                 bool
}

// chips are the filters of the question.
func (p *Pages) chips(w *view) ([]chip, error) {
	var list []chip
	for _, f := range w.answer.Plan.FiltersAsked() {
		c, m := cutOf(f), w.cb.Model
		level, known := levelOf(m, f)
		text, err := p.members(w, f, level, known)
		if err != nil {
			return nil, err
		}
		if f.Not {
			text = w.Fill(w.Words.Without, text)
		}
		title := f.Ref
		gone := func(field string) bool { return field == c.Ref.Name }
		if known {
			title = w.levelTitle(m, level)
			below := belowIn(m, level)
			gone = func(field string) bool { return field == c.Ref.Name || below[field] }
		}
		dimension, _ := m.Dimension(level.Dimension)
		list = append(list, chip{
			Level: title, Members: text, Remove: w.a.without(gone).asking(w.nameMeasure).String(), IsTime: dimension.Type == cube.DimensionTime,
		})
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

// levelOf gives the level whose members a filter names: the last one that it tests.
func levelOf(m *cube.Model, f plan.Filter) (cube.Level, bool) {
	if len(f.Any) == 0 || len(f.Any[0]) == 0 {
		return cube.Level{}, false
	}
	test := f.Any[0][len(f.Any[0])-1]
	if test.Members != nil {
		return test.Members.Level, true
	}
	return m.LevelOfKey(test.Column.Name)
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
func (p *Pages) members(w *view, f plan.Filter, level cube.Level, known bool) (string, error) {
	var texts []string
	byKey := known && level.Listed && level.LabelRef != ""
	for _, item := range f.Echo {
		switch {
		case item.Op == query.OpRange:
			texts = append(texts, strings.Join(item.Texts(), "–"))
		case item.Op == query.OpMatch:
			texts = append(texts, "“"+strings.Join(item.Texts(), " ")+"”")
		case item.Path:
			texts = append(texts, strings.Join(item.Texts(), "/"))
		default:
			texts = append(texts, item.Texts()...)
		}
		byKey = byKey && item.Op == query.OpEqual
	}
	if !byKey {
		return strings.Join(texts, ", "), nil
	}
	q := query.MemberQuery{Level: level.Ref, Page: query.Page{Number: 1, Size: mostNamed + 1}}
	for _, other := range w.answer.Plan.FiltersAsked() {
		of, ok := levelOf(w.cb.Model, other)
		if !other.Not && ok && (of.Dimension == level.Dimension || of.Ref == yearOf(w.cb.Model).Name) {
			q.Cuts = append(q.Cuts, cutOf(other))
		}
	}
	bound, err := plan.BindMembers(w.cb, q)
	if err != nil {
		return strings.Join(texts, ", "), nil // a filter that members cannot have
	}
	var names []string
	err = p.limiter.ReadMembers(w.Request().Context(), limits.TimingOf(w.Context), bound, w.Language, func(page *answer.MemberPage) error {
		for m, err := range page.Members {
			if err != nil {
				return err
			}
			names = append(names, m.Label.String())
		}
		return nil
	})
	switch {
	case err != nil:
		return "", err
	case len(names) < len(texts) || len(names) > mostNamed: // some have no name, or there are too many
		return strings.Join(texts, ", "), nil
	}
	return strings.Join(names, ", "), nil
}

func yearOf(m *cube.Model) cube.Column {
	year, _ := m.FiscalYear() // without one no column has an empty name
	return year
}

// find offers levels to filter by and, once a text is given, the members that have it.
func (p *Pages) find(w *view, page *viewPage) error {
	in, text := w.pageParameter("_in"), strings.TrimSpace(w.pageParameter("_find"))
	for _, level := range w.cb.Model.Levels() {
		if level.Listed && !w.cb.Model.IsEdition(level.Ref) {
			page.FilterLevels = append(page.FilterLevels, choice{Text: w.levelTitle(w.cb.Model, level), Value: level.Ref, Taken: level.Ref == in})
		}
	}
	page.Hidden = w.a.clauses()
	if in == "" || text == "" {
		return nil
	}
	page.Finding = text
	found, err := p.candidates(w, in, text)
	for _, c := range found {
		a := w.a
		for _, cut := range c.cuts {
			a = a.with(cut)
		}
		page.Found = append(page.Found, choice{Text: c.label, Link: a.String()})
	}
	return err
}

// mostFound is how many members a search inside a view lists.
const mostFound = 20

// candidate is a member that may be cut to.
type candidate struct {
	label string // with its path
	cuts  []query.Cut
}

// candidates are the first members of a level with a text in their names, in the years of the view.
func (p *Pages) candidates(w *view, in, text string) ([]candidate, error) {
	q := query.MemberQuery{Level: in, Search: text, Page: query.Page{Number: 1, Size: mostFound}}
	if year, ok := w.cb.Model.YearLevel(); ok {
		for _, c := range w.a.q.Cuts {
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
	err = p.limiter.ReadMembers(w.Request().Context(), limits.TimingOf(w.Context), bound, w.Language, func(found *answer.MemberPage) error {
		for m, err := range found.Members {
			if err != nil {
				return err
			}
			c := candidate{label: m.Label.String() + " (" + query.PathText(w.cb.Model.PathOf(bound.Level()), m.Path) + ")"}
			for i, field := range bound.Level().Path {
				c.cuts = append(c.cuts, equal(field, m.Path[i].String()))
			}
			list = append(list, c)
		}
		return nil
	})
	return list, err
}
