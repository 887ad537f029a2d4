package sqlgen

import (
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Plain is what an analyst writes for the groups of a statement: over the facts as published, without labels, pages and
// totals, but in the order that is asked for first, and with as many groups as the first page has.
func Plain(s *plan.Statement) SQL {
	r := &renderer{}
	r.groups(s)
	if order := s.Order(); len(order) > 0 && order[0].By == plan.ByAggregate {
		r.write(" ORDER BY ", numbered("a", 0), map[bool]string{false: "", true: " DESC"}[order[0].Desc], " NULLS LAST",
			list(len(s.Keys()), "", func(i int) string { return numbered(", k", i) }))
	}
	if page := s.Page(); page != query.Every && page.Number == 1 && page.Size > 0 {
		r.limit(page)
	}
	return r.sql()
}

// PlainMembers looks for the members of a level whose label has a word, in the facts.
func PlainMembers(c *cube.Cube, l cube.Level, word string) SQL {
	r := &renderer{}
	r.write("SELECT DISTINCT ", list(len(l.Path), ", ", func(i int) string { return "f." + column(l.Path[i]) }), ", f."+column(l.LabelRef),
		" FROM ", FactTable(c.ID), " AS f WHERE f."+column(l.LabelRef)+" ILIKE ", r.bind("%"+word+"%"))
	return r.sql()
}
