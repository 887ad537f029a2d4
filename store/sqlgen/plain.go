package sqlgen

import (
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Plain is what an analyst writes for the cells of a statement: over the facts as published, their keys, labels and parts, in the order
// that is asked for first and then by keys, and as many as the first page has. It neither counts the cells nor adds them up.
func Plain(s *plan.Statement) SQL {
	r := &renderer{}
	columns := r.groupColumns(s)
	for _, i := range labelled(s) {
		columns = append(columns, "min(f."+column(s.Levels()[i].LabelRef)+")"+numbered(" AS l", i))
	}
	r.groupsWith(s, columns)
	var order []string
	if asked := s.Order(); len(asked) > 0 && asked[0].By == plan.ByAggregate {
		order = append(order, numbered("a", 0)+direction(asked[0].Desc)+" NULLS LAST")
	}
	for i := range s.Keys() {
		order = append(order, numbered("k", i))
	}
	if len(order) > 0 {
		r.write(" ORDER BY ", strings.Join(order, ", "))
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
