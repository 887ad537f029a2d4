package sqlgen

import (
	"iter"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Members makes the query for a statement for members. Each of its rows has, in this order:
//
//	n        the number of members on all pages
//	one      1, or NULL if the page has no member
//	k0 …     the path
//	label    the label to show, or the empty text
//	rows     the number of facts that pass the filters
//	first    the first fiscal year of its facts
//	last     the last
//	h        of a level with labels: one of the labels, or NULL if the member has none
//	year     a year in which rows have this label, or NULL
//
// A member has consecutive rows for its labels and years, the latest first.
func Members(s *plan.MemberStatement) SQL {
	r := &renderer{}
	r.write("WITH c AS (")
	if s.Level().Listed {
		r.listedMembers(s)
	} else {
		r.budgetLines(s)
	}
	r.write("),\ns AS (SELECT count(*) AS n FROM c),\np AS (SELECT c.*, 1 AS one FROM c ORDER BY ", r.memberOrder(s, "c"))
	r.limit(s.Page())
	r.write(")\nSELECT s.n, p.one, ", list(len(s.Path()), ", ", func(i int) string { return numbered("p.k", i) }),
		", p.label, p.rows, p.first_year, p.last_year")
	if !s.Level().HasLabels() {
		r.write("\nFROM s LEFT JOIN p ON true ORDER BY ", r.memberOrder(s, "p"))
		return r.sql()
	}
	r.write(", h.label, h._year\nFROM s LEFT JOIN p ON true\nLEFT JOIN ", LabelTable(s.Cube().ID, s.Level()), " AS h ON ",
		samePath(s.Path(), "h.p", "p.k"), " AND h.label <> '' ORDER BY ", r.memberOrder(s, "p"),
		", h._year DESC NULLS LAST, h.rows DESC, h.label")
	return r.sql()
}

// listedMembers writes the members of the member table. If the statement has filters, only members with facts that pass them
// are left, and these facts are counted.
func (r *renderer) listedMembers(s *plan.MemberStatement) {
	counted, named := len(s.Filters()) > 0, s.Level().HasLabels() && len(plan.LabelYears(s.Cube(), s.Filters())) > 0
	from := func(table string, other bool) string {
		if other {
			return table
		}
		return "f."
	}
	label := from("m.", named)
	r.write("SELECT ", list(len(s.Path()), "", func(i int) string { return numbered("f.p", i) + numbered(" AS k", i) + ", " }),
		from("g.", counted), "rows AS rows, f.first_year, f.last_year, ", label, "label AS label, ", label, "_rank AS _rank",
		" FROM ", MemberTable(s.Cube().ID, s.Level()), " AS f")
	if counted {
		r.write("\nJOIN (")
		r.countedFacts(s)
		r.write(") AS g ON ", samePath(s.Path(), "g.p", "f.p"))
	}
	if named {
		r.write("\nLEFT JOIN ")
		r.members(s.Cube(), s.Filters(), s.Level())
		r.write(" AS m ON ", samePath(s.Path(), "m.p", "f.p"))
	}
	above := parents(s, func(i int) string { return numbered("p", i) })
	r.where(above)
	if s.Search() != "" {
		and := " AND "
		if len(above) == 0 {
			and = " WHERE "
		}
		r.write(and, r.isFound(s))
	}
}

// isFound writes the condition that the key of a member, or a label of the years that the filters admit, has the text.
func (r *renderer) isFound(s *plan.MemberStatement) string {
	if len(s.SearchYears()) == 0 {
		return r.holds("f", s.Search())
	}
	path := []string{pathIn("f", s.Path())}
	return isIn(path, pathIn("f", s.Path())+r.labelsOf(s.Cube().ID, s.Level(), s.SearchYears())+r.holds("f", s.Search()))
}

func (r *renderer) countedFacts(s *plan.MemberStatement) {
	r.write("SELECT ", list(len(s.Path()), "", func(i int) string {
		return "f." + column(s.Path()[i].Name) + numbered(" AS p", i) + ", "
	}), "count(*) AS rows FROM ", FactTable(s.Cube().ID), " AS f")
	r.where(s.Filters())
	r.groupByPath(s)
}

func (r *renderer) groupByPath(s *plan.MemberStatement) {
	r.write(" GROUP BY ", list(len(s.Path()), ", ", func(i int) string { return "f." + column(s.Path()[i].Name) }))
}

// budgetLines writes the members of a level without a member table, from the facts. If a member has several labels, the
// greatest one is shown; the empty text is the least.
func (r *renderer) budgetLines(s *plan.MemberStatement) {
	label, first, last := "CAST('' AS text)", "CAST(NULL AS bigint)", "CAST(NULL AS bigint)"
	if ref := s.Level().LabelRef; ref != "" {
		label = "CAST(max(f." + column(ref) + ") AS text)"
	}
	if year, ok := s.Cube().Model.FiscalYear(); ok {
		first, last = "min(f."+column(year.Name)+")", "max(f."+column(year.Name)+")"
	}
	r.write("SELECT ", list(len(s.Path()), "", func(i int) string {
		return "f." + column(s.Path()[i].Name) + numbered(" AS k", i) + ", "
	}), "count(*) AS rows, ", first, " AS first_year, ", last, " AS last_year, ", label, " AS label FROM ",
		FactTable(s.Cube().ID), " AS f")
	filters := append(slices.Clone(s.Filters()), parents(s, func(i int) string { return s.Path()[i].Name })...)
	r.where(filters)
	r.groupByPath(s)
}

// parents gives the filter on the parent of the members, if there is one, with the names of the columns in the table.
func parents(s *plan.MemberStatement, name func(i int) string) []plan.Filter {
	if len(s.Parent()) == 0 {
		return nil
	}
	tests := slices.Clone(s.Parent())
	for i := range tests {
		tests[i].Column.Name = name(i)
	}
	return []plan.Filter{{Any: [][]plan.Test{tests}}}
}

// samePath compares the columns of two paths, named by a prefix and a number, so that NULL equals NULL.
func samePath(path []cube.Column, a, b string) string {
	return list(len(path), " AND ", func(i int) string {
		left, right := present(numbered(a, i), path[i]), present(numbered(b, i), path[i])
		return list(len(left), " AND ", func(j int) string { return "(" + left[j] + ") = (" + right[j] + ")" })
	})
}

// memberOrder writes the complete order over the columns of from, which is c or p.
func (r *renderer) memberOrder(s *plan.MemberStatement, from string) string {
	path, desc := s.Path(), s.Order().Desc
	byKey := func(i int, desc bool) string {
		return r.columnOrder(s.Cube(), path[i], from+numbered(".k", i), desc, false)
	}
	var keys []string
	switch s.Order().By {
	case query.ByMemberLabel:
		keys = append(keys, from+"._rank"+direction(desc)+" NULLS LAST")
	case query.ByMemberRows:
		keys = append(keys, from+".rows"+direction(desc))
	case query.ByMemberKey:
		last := len(path) - 1
		keys = append(keys, byKey(last, desc))
	}
	for i := range path {
		keys = append(keys, byKey(i, false))
	}
	return list(len(keys), ", ", func(i int) string { return keys[i] })
}

// readMembers reads the rows of the query that Members makes for the statement.
func readMembers(s *plan.MemberStatement, rows iter.Seq2[[]any, error]) (plan.MemberRows, error) {
	c, row, err := begin(rows)
	if err != nil {
		return plan.MemberRows{}, err
	}
	members := func(yield func(plan.MemberRow, error) bool) {
		r := &memberReader{MemberStatement: s, keys: len(s.Path())}
		r.take(row)
		for row, err := range c.rest {
			if err != nil {
				yield(plan.MemberRow{}, err)
				return
			}
			if whole, ok := r.take(row); ok && !yield(whole, nil) {
				return
			}
		}
		if r.begun {
			yield(r.member, nil)
		}
	}
	return plan.MemberRows{Count: row[0].(int64), Members: members, Close: c.close}, nil
}

// memberReader joins the consecutive rows of each member.
type memberReader struct {
	*plan.MemberStatement
	keys   int // the number of columns of the path
	begun  bool
	member plan.MemberRow
}

// take adds a row to its member. If the row begins a new member, take gives the one before, which is complete.
func (r *memberReader) take(row []any) (whole plan.MemberRow, ok bool) {
	if row[1] == nil {
		return plan.MemberRow{}, false
	}
	path := make([]cube.Value, r.keys)
	for i := range path {
		path[i] = value(row[2+i])
	}
	if !r.begun || !slices.Equal(path, r.member.Path) {
		whole, ok = r.member, r.begun
		r.member, r.begun = r.begin(path, row[2+r.keys:]), true
	}
	if r.Level().HasLabels() {
		r.addLabel(row[2+r.keys+4:])
	}
	return whole, ok
}

// begin reads the columns label, rows, first and last.
func (r *memberReader) begin(path []cube.Value, row []any) plan.MemberRow {
	m := plan.MemberRow{Path: path, Label: cube.Text(row[0].(string)), Rows: row[1].(int64), First: value(row[2]), Last: value(row[3])}
	if m.Label.IsMissing() {
		m.Label = cube.Text(path[len(path)-1].String())
	}
	return m
}

// addLabel adds a label of a year. The latest year comes first and is listed last.
func (r *memberReader) addLabel(row []any) {
	text, ok := row[0].(string)
	if !ok {
		return
	}
	i := slices.IndexFunc(r.member.Labels, func(l plan.LabelUse) bool { return l.Text == text })
	if i < 0 {
		i = len(r.member.Labels)
		r.member.Labels = append(r.member.Labels, plan.LabelUse{Text: text})
	}
	if year, ok := row[1].(int64); ok {
		r.member.Labels[i].Years = slices.Insert(r.member.Labels[i].Years, 0, year)
	}
}
