package resident

import (
	"cmp"
	"context"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/dictionary"
)

// mostInMemory is how many members are looked for in memory. To find one under any parent takes a look at all parents; many are found
// sooner by one query.
const mostInMemory = 20

// Unknown implements answer.Store. It asks nothing if the members in memory have all.
func (s *Store) Unknown(ctx context.Context, c *cube.Cube, named []plan.NamedMember, near int) ([]plan.UnknownMember, error) {
	if len(c.Cuboids) == 0 || len(named) > mostInMemory { // without cuboids members have no numbers
		return s.Inner.Unknown(ctx, c, named, near)
	}
	for _, m := range named {
		if m.By != plan.ByPath && m.By != plan.ByOwnKey || len(m.Years) > 0 {
			return s.Inner.Unknown(ctx, c, named, near)
		}
		members, err := s.members.Members(ctx, c, m.Level)
		if err != nil {
			return nil, err
		}
		if !members.Has(m.Columns, m.Path) {
			return s.Inner.Unknown(ctx, c, named, near)
		}
	}
	return nil, nil
}

// Members implements answer.Store: the members of listed levels are in memory.
func (s *Store) Members(ctx context.Context, statement *plan.MemberStatement) (plan.MemberRows, error) {
	if len(statement.Cube().Cuboids) == 0 || !statement.Level().Listed {
		return s.Inner.Members(ctx, statement)
	}
	l := &listing{MemberStatement: statement}
	counted, err := s.count(ctx, l)
	switch {
	case err != nil:
		return plan.MemberRows{}, err
	case !counted:
		return s.Inner.Members(ctx, statement)
	}
	if err := s.names(ctx, l); err != nil {
		return plan.MemberRows{}, err
	}
	return l.result(), nil
}

// listing are the members that a statement asks for.
type listing struct {
	*plan.MemberStatement
	label   labelOf
	labels  *dictionary.Labels // in all years; nil where the level has none
	rows    []int64            // by number: those that pass the filters; nil without filters
	numbers []int32
}

// count counts the rows of the members under filters. It gives false if only the store can.
func (s *Store) count(ctx context.Context, l *listing) (ok bool, err error) {
	if l.label.members, err = s.members.Members(ctx, l.Cube(), l.Level()); err != nil || len(l.Filters()) == 0 {
		return true, err
	}
	counting := plan.Counting(l.Cube(), l.Path(), l.Filters())
	q, t, err := s.question(ctx, counting)
	if q == nil || err != nil {
		return false, err
	}
	g, err := s.groups(ctx, q, t)
	if g == nil || err != nil {
		return false, err
	}
	l.rows = make([]int64, l.label.members.Size)
	numbers := g.from.numbers[q.groups[0].Level.Index]
	for i, row := range g.rows {
		l.rows[numbers.at(row)] = g.parts[0].low[i]
	}
	return true, nil
}

// names finds the members that have rows, the parent and the text that are asked for, and their labels.
func (s *Store) names(ctx context.Context, l *listing) error {
	var filters []plan.Filter
	if len(l.Parent()) > 0 {
		filters = append(filters, plan.Filter{Any: [][]plan.Test{l.Parent()}})
	}
	c, level := l.Cube(), l.Level()
	if l.Search() != "" {
		filters = append(filters, plan.Filter{Any: [][]plan.Test{{{Members: &plan.MemberTest{
			CubeID: c.ID, Level: level, Path: l.Path(), Substrings: []string{l.Search()}, Years: l.SearchYears()}}}}})
	}
	admitted, err := s.members.Where(ctx, c, &cube.Cuboid{Levels: []int{level.Index}}, filters)
	if err != nil {
		return err
	}
	for n := range l.label.members.Size {
		switch {
		case admitted.Op == dictionary.Never, admitted.Op == dictionary.Member && !admitted.Set.Has(n), l.rows != nil && l.rows[n] == 0:
		default:
			l.numbers = append(l.numbers, n)
		}
	}
	if !level.HasLabels() {
		return nil
	}
	if l.labels, err = s.members.Labels(ctx, c, level); err != nil {
		return err
	}
	if years := plan.LabelYears(c, l.Filters()); len(years) > 0 {
		l.label.byYear = l.labels
		l.label.years, err = s.members.LabelYears(ctx, c, l.labels, years)
	}
	return err
}

// result sorts the members and gives those of the page.
func (l *listing) result() plan.MemberRows {
	members := l.label.members
	places := make(map[int32]int64, len(l.numbers))
	byKey := members.KeyOrder(len(l.Path())-1, l.Order().Desc)
	for _, n := range l.numbers {
		switch l.Order().By {
		case query.ByMemberLabel:
			_, rank := l.label.of(n)
			places[n] = placeOf(rank, l.Order().Desc)
		case query.ByMemberRows:
			if places[n] = l.rowsOf(n); l.Order().Desc {
				places[n] = -places[n]
			}
		case query.ByMemberKey:
			places[n] = int64(byKey[n])
		}
	}
	slices.SortFunc(l.numbers, func(a, b int32) int { return cmp.Or(cmp.Compare(places[a], places[b]), cmp.Compare(a, b)) })
	page := onPage(l.numbers, l.Page())
	return plan.MemberRows{Count: int64(len(l.numbers)), Close: func() {}, Members: func(yield func(plan.MemberRow, error) bool) {
		for _, n := range page {
			row := plan.MemberRow{Path: members.Path(n), Rows: l.rowsOf(n)}
			row.Label, _ = l.label.of(n)
			row.First, row.Last = members.Years(n)
			if l.labels != nil {
				row.Labels = l.labels.Uses(n)
			}
			if !yield(row, nil) {
				return
			}
		}
	}}
}

func (l *listing) rowsOf(number int32) int64 {
	if l.rows != nil {
		return l.rows[number]
	}
	return l.label.members.Rows(number)
}
