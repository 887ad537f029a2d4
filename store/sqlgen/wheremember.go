package sqlgen

import (
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/fold"
)

// isMember writes the condition that the path of a row is that of a member. IN over the member table costs one hash lookup a
// row, also inside OR and NOT, where PostgreSQL would run EXISTS for each row. A number that may be missing is compared as two
// columns that are never NULL, so that the complement is exact.
//
// key is the column of the member's key, whose name may differ from that of its field (onYear).
func (r *renderer) isMember(key string, t plan.Test) string {
	var row, member []string
	for i, c := range t.Members.Path {
		if c.Name == t.Members.Level.Ref {
			row = append(row, present(key, c)...)
		} else {
			row = append(row, present("f."+column(c.Name), c)...)
		}
		member = append(member, present(numbered("m.p", i), c)...)
	}
	return "(" + strings.Join(row, ", ") + ") IN (SELECT " + strings.Join(member, ", ") + r.membersThat(*t.Members) + ")"
}

// present writes a column of a path as columns that are never NULL.
func present(name string, c cube.Column) []string {
	if c.Type != cube.TypeInteger || c.Missing == 0 {
		return []string{name}
	}
	return []string{name + " IS NULL", "coalesce(" + name + ", 0)"}
}

// membersThat writes the rest of a subquery: the table, and the condition on the members that the test admits.
func (r *renderer) membersThat(t plan.MemberTest) string {
	if len(t.Substrings) > 0 {
		holds := list(len(t.Substrings), " OR ", func(i int) string { return r.holds("m", t.Substrings[i]) })
		return " FROM " + MemberTable(t.CubeID, t.Level) + " AS m WHERE " + holds
	}
	labels := list(len(t.Labels), ", ", func(i int) string { return r.bind(t.Labels[i]) })
	return " FROM " + LabelTable(t.CubeID, t.Level) + " AS m WHERE m.label IN (" + labels + ")"
}

// holds writes the condition that the key or a label of a member contains the text.
func (r *renderer) holds(member, part string) string {
	return "strpos(" + member + "._fold, " + r.bind(fold.Text(part)) + ") > 0"
}
