package controls

import (
	"slices"
	"strings"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/search"
	"fiscube/internal/each"
)

// Candidate is a member that may be cut to.
type Candidate struct {
	label string // with its path
	cuts  []query.Cut
}

// Sought is what a form looks for: members of a level with a text in their names.
type Sought struct{ Level, Text string }

// SoughtAs reads what a form looks for from the parameters that it gives. Nothing is looked for without a level.
func SoughtAs(g *site.Guest, level, text string) Sought {
	return Sought{g.PageParameter(level), strings.TrimSpace(g.PageParameter(text))}
}

// mostFound is how many members a search lists.
const mostFound = 20

// MembersToAsk asks for the first members with the text in their names, in the years of the selection.
func (look Sought) MembersToAsk(s *selection.Selection) (*plan.MemberPlan, error) {
	q := query.MemberQuery{Level: look.Level, Search: look.Text, Page: query.Page{Number: 1, Size: mostFound}}
	if year, ok := s.Cube.Model.YearLevel(); ok {
		for _, c := range s.Address.Query.Cuts {
			if c.Ref.Name == year.Ref {
				q.Cuts = append(q.Cuts, c)
			}
		}
	}
	return plan.BindMembers(s.Cube, q)
}

// Candidates are what the search finds, in the years of the selection, and then the first members with the text in their names.
func Candidates(s *selection.Selection, level cube.Level, hits []search.Hit, members []plan.MemberRow) (list []Candidate) {
	known, years := map[string]bool{}, s.Plan.Years()
	add := func(label string, path []cube.Value) {
		if id := plan.KeysID(path); known[id] || len(list) == mostFound {
			return
		}
		known[plan.KeysID(path)] = true
		c := Candidate{label: prose.ShownLabel(s.Cube, label) + " (" + prose.CodesOfPath(s.Cube.Model.PathOf(level), path, s.Language) + ")"}
		for i, field := range level.Path {
			c.cuts = append(c.cuts, query.CutTo(field, path[i].String()))
		}
		list = append(list, c)
	}
	isAsked := func(year int64) bool { return slices.Contains(years, year) }
	for _, hit := range hits {
		if len(years) == 0 || len(hit.Years) == 0 || slices.ContainsFunc(hit.Years, isAsked) {
			add(hit.Label, hit.Path)
		}
	}
	for _, m := range members {
		add(m.Label.String(), m.Path)
	}
	return list
}

// found shows what a form has found, or that no member of the level is called so.
func (look Sought) found(s *selection.Selection, links []site.Choice) *layers.Found {
	level, _ := s.Cube.Model.Level(look.Level)
	none := s.Say("figure.no-data")
	if look.Text != "" {
		none = s.Say("search.nothing-called", "Level", s.LevelTitle(level), "Text", look.Text)
	}
	return &layers.Found{Links: links, None: none}
}

// Filters adds a filter: it offers levels and, once a text is given, the members that have it.
func Filters(s *selection.Selection, look Sought, found []Candidate) *layers.Menu {
	form := layers.Form{Title: s.Say("view.add"), Hidden: s.Address.Clauses(), Name: "_in", Search: "_find", Text: look.Text, Hint: s.Say("view.add-hint"), Button: s.Say("view.find")}
	levels := levelsOf(s, look.Level, func(cube.Level) bool { return true })
	if len(levels) == 0 {
		return nil
	}
	form.Groups = []layers.Group{{Choices: levels}}
	menu := &layers.Menu{Name: "filters", Title: s.Say("view.filters"), Open: look.IsForFilter(), Forms: []layers.Form{form}}
	if menu.Open {
		links := each.Of(found, func(c Candidate) site.Choice { return site.Choice{Text: c.label, Link: filteredBy(s, c).String()} })
		menu.Found = look.found(s, links)
	}
	return menu
}

// IsForFilter tells whether members are looked for to filter by: a text is needed.
func (look Sought) IsForFilter() bool { return look.Level != "" && look.Text != "" }

// levelsOf are the levels whose members may be looked for.
func levelsOf(s *selection.Selection, taken string, fits func(cube.Level) bool) (list []site.Choice) {
	for _, level := range s.Cube.Model.Levels() {
		if level.Listed && !s.Cube.Model.IsEdition(level.Ref) && fits(level) {
			list = append(list, site.Choice{Text: s.LevelTitle(level), Value: level.Ref, Taken: level.Ref == taken})
		}
	}
	return list
}

// filteredBy leads to the selection with a member: beside those that a filter of its level has, if what is above it is the same, else in their
// place. Cuts on two levels would admit the one's members below the other's, too.
func filteredBy(s *selection.Selection, c Candidate) site.Address {
	a, last := s.Address, len(c.cuts)-1
	for _, cut := range c.cuts[:last] {
		a = a.With(cut)
	}
	if a.String() == s.Address.String() {
		return a.Or(c.cuts[last])
	}
	return a.With(c.cuts[last])
}

// compared are the levels of which the selection has one member, which may be compared with others of them.
func compared(s *selection.Selection, taken string) []site.Choice {
	return levelsOf(s, taken, func(l cube.Level) bool { return s.IsFixed(l.Ref) && !selection.IsOfTime(s.Cube.Model, l) })
}

// IsForComparison tells whether members are looked for to compare the selection with.
func (look Sought) IsForComparison(s *selection.Selection) bool {
	return slices.ContainsFunc(compared(s, look.Level), func(c site.Choice) bool { return c.Taken })
}

// Compare finds what else a member of the selection can be compared with; nil where it has none.
func Compare(s *selection.Selection, look Sought, found []Candidate) *layers.Menu {
	levels := compared(s, look.Level)
	if len(levels) == 0 {
		return nil
	}
	menu := &layers.Menu{Name: "compare", Title: s.Say("compare.compare-with"), Open: look.IsForComparison(s), Forms: []layers.Form{{
		Title: s.Say("compare.compare-with"), Hidden: s.Address.Clauses(), Name: "_beside", Groups: []layers.Group{{Choices: levels}}, Search: "_like",
		Text: look.Text, Hint: s.Say("view.add-hint"), Button: s.Say("view.find"),
	}}}
	if !menu.Open {
		return menu
	}
	var links []site.Choice
	for _, c := range found {
		isOther := func(cut query.Cut) bool {
			return !slices.ContainsFunc(s.Address.Query.Cuts, func(own query.Cut) bool { return own.String() == cut.String() })
		}
		if slices.ContainsFunc(c.cuts, isOther) {
			links = append(links, site.Choice{Text: c.label, Link: comparedWith(s, look.Level, c).String()})
		}
	}
	menu.Found = look.found(s, links)
	return menu
}

// comparedWith leads to the selection beside that of another member of a level, broken down by what both have.
func comparedWith(s *selection.Selection, level string, c Candidate) site.Address {
	a, _ := selection.PerPerson(s.Cube, s.Address) // what it is compared with may have more inhabitants
	a.View, a.Beside = "", strings.Join(each.Text(c.cuts, query.Cut.Short), "|")
	isRelated := func(l cube.Level) bool { return selection.Related(s.Cube.Model, level, l.Ref) }
	if !slices.ContainsFunc(s.Drilled(), isRelated) {
		return a
	}
	var levels []string
	if first, ok := s.OpenBeside(func(l cube.Level) bool { return !isRelated(l) }); ok {
		levels = append(levels, first.Ref)
	}
	return a.Drilling(levels...).Asking(s.NameMeasure)
}
