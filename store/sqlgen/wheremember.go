package sqlgen

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/fold"
)

// isMember writes the condition that the path of a row is that of a member. If the codes of the level mean different things,
// the row must also be of a year in which the code means the same as in a year that the labels are of. IN over a table costs
// one hash lookup a row, also inside OR and NOT, where PostgreSQL would run EXISTS for each row. A number that may be missing
// is compared as two columns that are never NULL, so that the complement is exact.
//
// key is the column of the member's key, whose name may differ from that of its field (inLabelTable).
func (r *renderer) isMember(key string, t plan.Test) string {
	m := t.Members
	var row, same []string // the same columns in a row and in the label table
	for i, c := range m.Path {
		name := "f." + column(c.Name)
		if c.Name == m.Level.Ref {
			name = key
		}
		row, same = append(row, present(name, c)...), append(same, present(numbered("h.p", i), c)...)
	}
	members := pathIn("f", m.Path)
	if !m.Reused {
		return isIn(row, members+r.membersThat(*m))
	}
	row = append(row, present("f."+column(m.Year.Name), m.Year)...)
	years := slices.Concat(same, present("h._year", m.Year))
	return isIn(row, strings.Join(years, ", ")+" FROM "+LabelTable(m.CubeID, m.Level)+" AS h WHERE "+
		isIn(append(same, "h._meaning"), members+", f._meaning"+r.membersThat(*m)))
}

// isIn writes the condition that a row of columns is one that a subquery gives.
func isIn(row []string, selected string) string {
	return "(" + strings.Join(row, ", ") + ") IN (SELECT " + selected + ")"
}

// pathIn writes the path of a table of members or labels as columns that are never NULL.
func pathIn(table string, path []cube.Column) string {
	var columns []string
	for i, c := range path {
		columns = append(columns, present(numbered(table+".p", i), c)...)
	}
	return strings.Join(columns, ", ")
}

// present writes a column of a path as columns that are never NULL.
func present(name string, c cube.Column) []string {
	if c.Type != cube.TypeInteger || c.Missing == 0 {
		return []string{name}
	}
	return []string{name + " IS NULL", "coalesce(" + name + ", 0)"}
}

// membersThat writes the rest of a subquery: the table, and the condition on the members that the test admits. The member
// table has the texts to search of all years, and fewer rows than the label table, which has those of each year.
func (r *renderer) membersThat(t plan.MemberTest) string {
	if len(t.Substrings) == 0 {
		return r.labelsOf(t.CubeID, t.Level, t.Years) + "f.label IN (" +
			list(len(t.Labels), ", ", func(i int) string { return r.bind(t.Labels[i]) }) + ")"
	}
	from := " FROM " + MemberTable(t.CubeID, t.Level) + " AS f WHERE "
	if t.Reused || len(t.Years) > 0 {
		from = r.labelsOf(t.CubeID, t.Level, t.Years)
	}
	return from + "(" + list(len(t.Substrings), " OR ", func(i int) string { return r.holds("f", t.Substrings[i]) }) + ")"
}

// labelsOf writes the label table, the condition that a label is of the years, and the beginning of another condition.
func (r *renderer) labelsOf(id int64, l cube.Level, years []plan.Filter) string {
	from := " FROM " + LabelTable(id, l) + " AS f WHERE "
	if len(years) > 0 {
		from += r.allFilters(inLabelTable(years)) + " AND "
	}
	return from
}

// holds writes the condition that the key or a label of a member contains the text.
func (r *renderer) holds(member, part string) string {
	return "strpos(" + member + "._fold, " + r.bind(fold.Text(part)) + ") > 0"
}
