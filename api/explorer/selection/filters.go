package selection

import (
	"cmp"
	"slices"
	"strings"

	"fiscube/api/explorer/layers"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Filter is a part of the cuts, which a link removes.
type Filter struct {
	Level, Members, Remove string
	IsTime                 bool
	Year                   string // the one year that it admits, as a title has it
	Named                  string // the members as they are published, also of those that it leaves out
	Purpose                string // what its one member is for, as a sentence has it; "" of what has a name of its own
	Code                   string // of the one member that it admits or leaves out
	Below                  string // of what is above another filter: leads to the page without that
	Of                     cube.Level
	Not                    bool
	Cut                    query.Cut
}

// Names are the names of the members that filters admit, by the text of the filter.
type Names map[string][]string

// filters are those of the question, with the names of their members.
func (s *Selection) filters() (list []Filter) {
	asked, m := s.Plan.FiltersAsked(), s.Cube.Model
	place := func(f plan.Filter) int {
		level, _ := f.Level(m)
		return level.Index
	}
	slices.SortStableFunc(asked, func(a, b plan.Filter) int { return cmp.Compare(place(a), place(b)) })
	for _, f := range asked {
		cut := CutOf(f)
		level, known := f.Level(m)
		made := Filter{Level: f.Ref, Members: s.MembersOf(f), Of: level, Not: f.Not, Cut: cut}
		gone := func(field string) bool { return field == cut.Ref.Name }
		if known {
			made.Level = s.LevelTitle(level)
			gone = func(field string) bool { return field == cut.Ref.Name || isBelow(m, field, level) }
		}
		made.Named = made.Members
		if division := s.divisionOf(f, level); division != "" {
			made.Members, made.Purpose = s.Say("functions.division-"+division), s.Say("functions.on-"+division)
		}
		if f.Not {
			made.Members = s.Say("view.without", "Filter", made.Members)
		}
		dimension, _ := m.Dimension(level.Dimension)
		made.IsTime = dimension.Type == cube.DimensionTime
		if year, ok := YearCut(m, []query.Cut{cut}); ok {
			made.Year = s.Years([]int64{year})
		}
		if len(f.Echo) == 1 && f.Echo[0].Op == query.OpEqual {
			made.Code = strings.Join(prose.Codes(f, 0, s.Language), "")
		}
		made.Remove = s.Address.Without(gone).Asking(s.NameMeasure).String()
		list = append(list, made)
	}
	for i, f := range list {
		isOfBelow := func(other Filter) bool {
			return !f.Not && !other.Not && other.Of.Ref != f.Of.Ref && slices.Contains(other.Of.Path, f.Of.Ref)
		}
		if at := slices.IndexFunc(list, isOfBelow); at >= 0 {
			list[i].Below = list[at].Remove
		}
	}
	return list
}

// divisionOf is the division of COFOG that is the one member that a filter admits, or "".
func (s *Selection) divisionOf(f plan.Filter, level cube.Level) string {
	functions := s.Cube.Functions
	if functions == nil || f.Not || level.Ref != functions.Level || !s.IsFixed(level.Ref) {
		return ""
	}
	path, _ := PathOf(s, level)
	if len(path) != len(level.Path) {
		return ""
	}
	return functions.Is(level, path)
}

// CutOf is a filter of a plan as a cut. A plan has its filters in an order of its own, and each once.
func CutOf(f plan.Filter) query.Cut {
	cuts, err := query.ParseCut(f.String())
	if err != nil || len(cuts) != 1 {
		return query.Cut{} // never: a plan prints what the parser reads
	}
	return cuts[0]
}

// isBelow tells whether a field is the key or the label of a level below another.
func isBelow(m *cube.Model, field string, level cube.Level) bool {
	return slices.ContainsFunc(m.Levels(), func(l cube.Level) bool {
		return (field == l.Ref || field == l.LabelRef) && l.Ref != level.Ref && l.Dimension == level.Dimension && slices.Contains(l.Path, level.Ref)
	})
}

// mostNamed is how many members of a filter have their names shown.
const mostNamed = 4

// NamesToAsk gives the members whose names the filters of a plan need, by the text of the filter.
func NamesToAsk(p *plan.Plan) map[string]*plan.MemberPlan {
	m, list := p.Cube().Model, map[string]*plan.MemberPlan{}
	for _, f := range p.FiltersAsked() {
		level, known := f.Level(m)
		isOther := slices.ContainsFunc(f.Echo, func(item plan.EchoItem) bool { return item.Op != query.OpEqual })
		if !known || !level.Listed || level.LabelRef == "" || isOther {
			continue
		}
		q := query.MemberQuery{Level: level.Ref, Page: query.Page{Number: 1, Size: mostNamed + 1}}
		for _, other := range p.FiltersAsked() {
			of, ok := other.Level(m)
			cut := CutOf(other)
			switch {
			case other.String() == f.String():
				cut.Not = false // those that are left out have names too
			case other.Not || !ok || of.Dimension != level.Dimension && of.Ref != YearColumn(m).Name:
				continue
			}
			q.Cuts = append(q.Cuts, cut)
		}
		if bound, err := plan.BindMembers(p.Cube(), q); err == nil { // else it is a filter that members cannot have
			list[f.String()] = bound
		}
	}
	return list
}

// MembersOf names the members that a filter admits: by their names, if all have one and they are not too many, else by their codes.
func (s *Selection) MembersOf(f plan.Filter) string {
	var texts []string
	for i, item := range f.Echo {
		switch codes := prose.Codes(f, i, s.Language); item.Op {
		case query.OpRange:
			texts = append(texts, strings.Join(codes, "–"))
		case query.OpMatch:
			texts = append(texts, s.Quote(strings.Join(codes, " ")))
		default:
			texts = append(texts, each.Text(codes, func(code string) string { return cmp.Or(code, s.Say("view.missing")) })...)
		}
	}
	if names := s.names[f.String()]; len(names) >= len(texts) && len(names) <= mostNamed {
		texts = each.Text(names, func(name string) string { return cmp.Or(prose.ShownLabel(s.Cube, name), s.Say("view.missing")) })
	}
	return strings.Join(texts, ", ")
}

// Removable are the filters as a page shows them, but for those that others say.
func Removable(s *Selection, isSaid func(Filter) bool) (list []layers.Filter) {
	for _, f := range s.Filters {
		if !isSaid(f) {
			text := s.Say("view.remove") + ": " + f.Level + " " + f.Members
			list = append(list, layers.Filter{Level: f.Level, Members: f.Members, Remove: f.Remove, RemoveText: text})
		}
	}
	return list
}

// PathOf gives the path of the member of a level that the cuts admit or, where they do not name all that is above it, how it is asked for.
func PathOf(s *Selection, level cube.Level) (path []string, members *plan.MemberPlan) {
	for _, field := range level.Path {
		for _, f := range s.Plan.FiltersAsked() {
			for _, test := range slices.Concat(f.Any...) {
				if test.Column.Name == field && len(test.In) == 1 && !f.Not {
					path = append(path, test.In[0].String())
				}
			}
		}
	}
	if len(path) == len(level.Path) || !level.Listed {
		return path, nil
	}
	q := query.MemberQuery{Level: level.Ref, Page: query.Page{Number: 1, Size: 2}}
	for _, f := range s.Plan.FiltersAsked() {
		if of, ok := f.Level(s.Cube.Model); ok && (of.Dimension == level.Dimension || of.Ref == YearColumn(s.Cube.Model).Name) {
			q.Cuts = append(q.Cuts, CutOf(f))
		}
	}
	members, err := plan.BindMembers(s.Cube, q)
	if err != nil {
		return nil, nil // a filter that members cannot have
	}
	return nil, members
}
