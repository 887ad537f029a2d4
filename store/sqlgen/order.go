package sqlgen

import (
	"slices"
	"strings"

	"fiscube/cube"
)

// orderBy writes the complete order over the columns of from, which is g or p.
func (r *renderer) orderBy(p *cube.Plan, from string) {
	var keys []string
	for _, s := range p.Order() {
		keys = append(keys, sortKeys(p, s, from)...)
	}
	if len(keys) > 0 {
		r.write(" ORDER BY ", strings.Join(keys, ", "))
	}
}

func sortKeys(p *cube.Plan, s cube.Sort, from string) []string {
	direction := ""
	if s.Desc {
		direction = " DESC"
	}
	last := direction + " NULLS LAST"
	switch s.By {
	case cube.ByLabel:
		return []string{numbered("m", s.Index) + "._rank" + last}
	case cube.ByAggregate:
		return []string{amount(p, p.Aggregates()[s.Index], from) + amountDirection(s, p.Aggregates()[s.Index])}
	}
	key := from + numbered(".k", s.Index)
	if p.Keys()[s.Index].Type == cube.TypeInteger {
		return []string{key + last}
	}
	return []string{key + " = ''", "length(" + key + ")" + direction, key + direction}
}

// amountDirection sorts parts so that values come in the order asked: a negative factor turns them round.
func amountDirection(s cube.Sort, a cube.Aggregate) string {
	if s.Desc != a.Reversed() {
		return " DESC NULLS LAST"
	}
	return " NULLS LAST"
}

// amount is what an aggregate sorts by. An average sorts by the float quotient of its exact parts: the order
// may differ from the exact one only between values equal to fifteen digits.
func amount(p *cube.Plan, a cube.Aggregate, from string) string {
	if a.Func != cube.Avg {
		return from + numbered(".a", p.PartOf(a))
	}
	sum, count := p.SumCount(a)
	return "CAST(" + from + numbered(".a", sum) + " AS double precision) / nullif(" + from + numbered(".a", count) + ", 0)"
}

// sortJoins joins the members whose ranks the order needs.
func (r *renderer) sortJoins(p *cube.Plan, from string) {
	for i := range p.Levels() {
		if slices.ContainsFunc(p.Order(), func(s cube.Sort) bool { return s.By == cube.ByLabel && s.Index == i }) {
			r.memberJoin(p, i, from)
		}
	}
}

// labelJoins joins the members whose labels the answer shows.
func (r *renderer) labelJoins(p *cube.Plan, from string) {
	for _, i := range Labelled(p) {
		r.memberJoin(p, i, from)
	}
}

// memberJoin attaches the member that a cell's keys name, with its label and rank. Missing numbers are NULL
// and need a comparison that holds between NULLs; elsewhere = lets the store hash.
func (r *renderer) memberJoin(p *cube.Plan, level int, from string) {
	l, m := p.Levels()[level], numbered("m", level)
	on := list(len(l.Path), " AND ", func(i int) string {
		k := slices.IndexFunc(p.Keys(), func(c cube.Column) bool { return c.Name == l.Path[i] })
		equal := " = "
		if c := p.Keys()[k]; c.Type == cube.TypeInteger && c.Missing > 0 {
			equal = " IS NOT DISTINCT FROM "
		}
		return m + numbered(".p", i) + equal + from + numbered(".k", k)
	})
	r.write("\nLEFT JOIN ")
	r.members(p, l)
	r.write(" AS ", m, " ON ", on)
}
