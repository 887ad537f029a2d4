package sqlgen

import (
	"slices"

	"fiscube/cube"
)

// Members answers a plan in one statement, of which every row holds, in this order:
//
//	n        how many members there are on all pages
//	one      1, or NULL where the page has no member
//	k0 …     the path
//	label    that is shown, or the empty text
//	rows     that the filters admit
//	first    fiscal year of any row
//	last
//	h        of a level with labels: one of them, or NULL where the member has none
//	year     in which rows have it, or NULL
//
// A member has a row for each of its labels and years, one after the other, the latest first.
func Members(p *cube.MemberPlan) Statement {
	r := &renderer{}
	r.write("WITH c AS (")
	if p.Level().Listed {
		r.listedMembers(p)
	} else {
		r.budgetLines(p)
	}
	r.write("),\ns AS (SELECT count(*) AS n FROM c),\np AS (SELECT c.*, 1 AS one FROM c ORDER BY ", r.memberOrder(p, "c"))
	r.limit(p.Page())
	r.write(")\nSELECT s.n, p.one, ", list(len(p.Path()), ", ", func(i int) string { return numbered("p.k", i) }),
		", p.label, p.rows, p.first_year, p.last_year")
	if !p.Level().HasLabels() {
		r.write("\nFROM s LEFT JOIN p ON true ORDER BY ", r.memberOrder(p, "p"))
		return r.statement()
	}
	r.write(", h.label, h._year\nFROM s LEFT JOIN p ON true\nLEFT JOIN ", LabelTable(p.Cube().ID, p.Level()), " AS h ON ",
		samePath(p.Path(), "h.p", "p.k"), " AND h.label <> '' ORDER BY ", r.memberOrder(p, "p"),
		", h._year DESC NULLS LAST, h.rows DESC, h.label")
	return r.statement()
}

// listedMembers writes members of the member table. Where the plan has filters those are left that have facts under
// them, and counted are these.
func (r *renderer) listedMembers(p *cube.MemberPlan) {
	counted, named := len(p.Question().Filters()) > 0, p.Level().HasLabels() && len(labelYears(p.Question())) > 0
	from := func(table string, other bool) string {
		if other {
			return table
		}
		return "f."
	}
	label := from("m.", named)
	r.write("SELECT ", list(len(p.Path()), "", func(i int) string { return numbered("f.p", i) + numbered(" AS k", i) + ", " }),
		from("g.", counted), "rows AS rows, f.first_year, f.last_year, ", label, "label AS label, ", label, "_rank AS _rank",
		" FROM ", MemberTable(p.Cube().ID, p.Level()), " AS f")
	if counted {
		r.write("\nJOIN (")
		r.countedFacts(p)
		r.write(") AS g ON ", samePath(p.Path(), "g.p", "f.p"))
	}
	if named {
		r.write("\nLEFT JOIN ")
		r.members(p.Question(), p.Level())
		r.write(" AS m ON ", samePath(p.Path(), "m.p", "f.p"))
	}
	above := parents(p, func(i int) string { return numbered("p", i) })
	r.where(above)
	if p.Search() != "" {
		and := " AND "
		if len(above) == 0 {
			and = " WHERE "
		}
		r.write(and, r.holds("f", p.Search()))
	}
}

func (r *renderer) countedFacts(p *cube.MemberPlan) {
	r.write("SELECT ", list(len(p.Path()), "", func(i int) string {
		return "f." + column(p.Path()[i].Name) + numbered(" AS p", i) + ", "
	}), "count(*) AS rows FROM ", FactTable(p.Cube().ID), " AS f")
	r.where(p.Question().Filters())
	r.groupByPath(p)
}

func (r *renderer) groupByPath(p *cube.MemberPlan) {
	r.write(" GROUP BY ", list(len(p.Path()), ", ", func(i int) string { return "f." + column(p.Path()[i].Name) }))
}

// budgetLines writes the members of a level that has no member table from the facts themselves. A member with
// several labels shows the greatest; no text is the least.
func (r *renderer) budgetLines(p *cube.MemberPlan) {
	label, first, last := "CAST('' AS text)", "CAST(NULL AS bigint)", "CAST(NULL AS bigint)"
	if ref := p.Level().LabelRef; ref != "" {
		label = "CAST(max(f." + column(ref) + ") AS text)"
	}
	if year, ok := p.Cube().Model.FiscalYear(); ok {
		first, last = "min(f."+column(year.Name)+")", "max(f."+column(year.Name)+")"
	}
	r.write("SELECT ", list(len(p.Path()), "", func(i int) string {
		return "f." + column(p.Path()[i].Name) + numbered(" AS k", i) + ", "
	}), "count(*) AS rows, ", first, " AS first_year, ", last, " AS last_year, ", label, " AS label FROM ",
		FactTable(p.Cube().ID), " AS f")
	filters := append(slices.Clone(p.Question().Filters()), parents(p, func(i int) string { return p.Path()[i].Name })...)
	r.where(filters)
	r.groupByPath(p)
}

// parents gives the condition on what stands above the members, if any, with the columns named as the table has them.
func parents(p *cube.MemberPlan, name func(i int) string) []cube.Filter {
	if len(p.Parent()) == 0 {
		return nil
	}
	tests := slices.Clone(p.Parent())
	for i := range tests {
		tests[i].Column.Name = name(i)
	}
	return []cube.Filter{{Any: [][]cube.Test{tests}}}
}

// samePath compares columns that are numbered behind two prefixes, none of which compares as NULL.
func samePath(path []cube.Column, a, b string) string {
	return list(len(path), " AND ", func(i int) string {
		left, right := present(numbered(a, i), path[i]), present(numbered(b, i), path[i])
		return list(len(left), " AND ", func(j int) string { return "(" + left[j] + ") = (" + right[j] + ")" })
	})
}

// memberOrder writes the complete order over the columns of from, which is c or p.
func (r *renderer) memberOrder(p *cube.MemberPlan, from string) string {
	path, direction := p.Path(), ""
	if p.Order().Desc {
		direction = " DESC"
	}
	byKey := func(i int, direction string) string {
		return r.keyOrder(sortOrder(p.Cube(), path[i].Name), path[i].Type, from+numbered(".k", i), direction)
	}
	var keys []string
	switch p.Order().By {
	case cube.ByMemberLabel:
		keys = append(keys, from+"._rank"+direction+" NULLS LAST")
	case cube.ByMemberRows:
		keys = append(keys, from+".rows"+direction)
	case cube.ByMemberKey:
		last := len(path) - 1
		keys = append(keys, byKey(last, direction))
	}
	for i := range path {
		keys = append(keys, byKey(i, ""))
	}
	return list(len(keys), ", ", func(i int) string { return keys[i] })
}
