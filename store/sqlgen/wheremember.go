package sqlgen

import (
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/fold"
)

// isMember writes that the path of a row is that of a member. IN over the member table costs one lookup by hash a row
// wherever it stands, also inside OR and NOT, where PostgreSQL would run EXISTS anew for each row. It holds no NULL,
// so that its complement is exact: a number that may be missing is compared as two columns.
//
// key is the column of the member's key, which may go by another name than its field (onYear).
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

// membersThat writes which members the test admits.
func (r *renderer) membersThat(t plan.MemberTest) string {
	if len(t.Parts) > 0 {
		holds := list(len(t.Parts), " OR ", func(i int) string { return r.holds("m", t.Parts[i]) })
		return " FROM " + MemberTable(t.CubeID, t.Level) + " AS m WHERE " + holds
	}
	labels := list(len(t.Labels), ", ", func(i int) string { return r.bind(t.Labels[i]) })
	return " FROM " + LabelTable(t.CubeID, t.Level) + " AS m WHERE m.label IN (" + labels + ")"
}

// holds writes that the key or a label of a member has the text in it.
func (r *renderer) holds(member, part string) string {
	return "strpos(" + member + "._fold, " + r.bind(fold.Text(part)) + ") > 0"
}
