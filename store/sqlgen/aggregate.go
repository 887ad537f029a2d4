package sqlgen

import (
	"slices"

	"fiscube/cube"
)

// Aggregate answers a plan in one statement, of which every row holds, in this order:
//
//	n        how many cells there are on all pages
//	t0 …     the parts over all cells
//	one      1, or NULL where the page has no cell
//	k0 …     the keys
//	l0 …     the labels of Labelled(plan)
//	r0 …     the ranks of Ranked(plan)
//	a0 …     the parts of the cell
//
// A page past the end, or of size 0, is one row with one NULL: the counts and totals are there all the same.
func Aggregate(p *cube.Plan) Statement {
	r := &renderer{}
	r.write("WITH g AS (")
	r.cells(p)
	r.write("),\ns AS (SELECT count(*) AS n", totals(p), " FROM g),\np AS (SELECT g.*, 1 AS one FROM g")
	r.sortJoins(p, "g")
	r.orderBy(p, "g")
	r.limit(p.Page())
	r.write(")\nSELECT s.n", columns(p), "\nFROM s LEFT JOIN p ON true")
	r.labelJoins(p, "p")
	r.orderBy(p, "p")
	return r.statement()
}

// Labelled lists the places among plan.Levels of the levels that have labels to show.
func Labelled(p *cube.Plan) []int {
	var places []int
	for i, l := range p.Levels() {
		if l.LabelRef != "" {
			places = append(places, i)
		}
	}
	return places
}

// Ranked lists the places among plan.Levels of the levels whose labels the plan is ordered by.
func Ranked(p *cube.Plan) []int {
	var places []int
	for i := range p.Levels() {
		if slices.ContainsFunc(p.Order(), func(s cube.Sort) bool { return s.By == cube.ByLabel && s.Index == i }) {
			places = append(places, i)
		}
	}
	return places
}

// cells writes the groups that pass the conditions on them.
func (r *renderer) cells(p *cube.Plan) {
	if len(p.Having()) == 0 {
		r.groups(p)
		return
	}
	r.write("SELECT h.* FROM (")
	r.groups(p)
	r.write(") AS h WHERE ", r.conditions(p))
}

// groups writes the groups of facts: keys and parts by group. Labels never enter the grouping.
func (r *renderer) groups(p *cube.Plan) {
	keys, parts := p.Keys(), p.Parts()
	selected := make([]string, 0, len(keys)+len(parts))
	for i, k := range keys {
		selected = append(selected, "f."+column(k.Name)+numbered(" AS k", i))
	}
	guard := r.guard(p)
	for i, part := range parts {
		selected = append(selected, partOf(part, guard)+numbered(" AS a", i))
	}
	r.write("SELECT ", list(len(selected), ", ", func(i int) string { return selected[i] }))
	r.write(" FROM ", FactTable(p.Cube().ID), " AS f")
	r.where(p.Filters())
	if len(keys) > 0 {
		r.write(" GROUP BY ", list(len(keys), ", ", func(i int) string { return "f." + column(keys[i].Name) }))
	}
}

// guard writes the condition that some parts are under. They share its arguments.
func (r *renderer) guard(p *cube.Plan) string {
	if p.Guard() == nil {
		return ""
	}
	return " FILTER (WHERE " + r.anyOf(p.Guard().Any) + ")"
}

func partOf(part cube.Part, guard string) string {
	if !part.Guarded {
		guard = ""
	}
	if part.Func == cube.Rows {
		return "count(*)" + guard
	}
	return string(part.Func) + "(f." + column(part.Measure) + ")" + guard
}

// totals writes the parts over all cells. Counts are added as bigint: their sum is numeric in one store and
// hugeint in the other. Of no cells they are 0, as counts of no rows are, while sums of nothing are null.
func totals(p *cube.Plan) string {
	return list(len(p.Parts()), "", func(i int) string {
		a, t := numbered("a", i), numbered(" AS t", i)
		switch p.Parts()[i].Func {
		case cube.Rows, cube.Count:
			return ", CAST(coalesce(sum(" + a + "), 0) AS bigint)" + t
		case cube.Min, cube.Max:
			return ", " + string(p.Parts()[i].Func) + "(" + a + ")" + t
		}
		return ", sum(" + a + ")" + t
	})
}

func columns(p *cube.Plan) string {
	labelled, ranked := Labelled(p), Ranked(p)
	return list(len(p.Parts()), "", func(i int) string { return numbered(", s.t", i) }) +
		", p.one" +
		list(len(p.Keys()), "", func(i int) string { return numbered(", p.k", i) }) +
		list(len(labelled), "", func(i int) string { return numbered(", m", labelled[i]) + ".label" }) +
		list(len(ranked), "", func(i int) string { return numbered(", m", ranked[i]) + "._rank" }) +
		list(len(p.Parts()), "", func(i int) string { return numbered(", p.a", i) })
}

// limit writes the page; an export has none.
func (r *renderer) limit(page cube.Page) {
	if page.Size < 0 {
		return
	}
	offset := int64(page.Number-1) * int64(page.Size)
	r.write(" LIMIT ", r.bind(int64(page.Size)), " OFFSET ", r.bind(offset))
}
