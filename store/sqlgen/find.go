package sqlgen

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/fold"
)

// find tells for each of some members of a cube whether it exists, with one query.
func find(ctx context.Context, c *cube.Cube, named []plan.NamedMember, ask Ask) ([]bool, error) {
	exists := make([]bool, len(named))
	if len(named) == 0 {
		return exists, nil
	}
	r := &renderer{}
	for i, indexes := range searches(named) {
		if i > 0 {
			r.write("\nUNION ALL ")
		}
		r.search(c, named, indexes)
	}
	for row, err := range ask(ctx, r.sql()) {
		if err != nil {
			return nil, err
		}
		exists[row[0].(int64)] = true
	}
	return exists, nil
}

// searches groups the members that are looked up in one table by the same columns, as indexes in named. Groups are in the
// order of their first members.
func searches(named []plan.NamedMember) [][]int {
	var all [][]int
	type kind struct {
		level   int
		by      plan.NamedBy
		columns string
	}
	known := map[kind]int{}
	for i, w := range named {
		kind := kind{w.Level.Index, w.By, strings.Join(cube.Texts(w.Columns, func(c cube.Column) string { return c.Name }), "\x00")}
		if _, ok := known[kind]; !ok {
			known[kind] = len(all)
			all = append(all, nil)
		}
		all[known[kind]] = append(all[known[kind]], i)
	}
	return all
}

// search writes a query for the indexes of the members that exist: a list of all of them with their indexes, filtered by
// whether the table has them.
func (r *renderer) search(c *cube.Cube, named []plan.NamedMember, indexes []int) {
	columns := soughtColumns(named[indexes[0]])
	r.write("SELECT w.i FROM (VALUES ", list(len(indexes), ", ", func(i int) string {
		texts := sought(named[indexes[i]])
		return "(CAST(" + strconv.Itoa(indexes[i]) + " AS bigint), " +
			list(len(texts), ", ", func(j int) string { return r.cast(texts[j], columns[j]) }) + ")"
	}), ") AS w(i, ", list(len(columns), ", ", func(i int) string { return numbered("c", i) }), ") WHERE ")
	r.write(soughtIn(c, named[indexes[0]], columns))
}

// soughtColumns are the columns to compare, with their names in the table.
func soughtColumns(w plan.NamedMember) []cube.Column {
	switch w.By {
	case plan.ByLabelText:
		return []cube.Column{{Name: "label", Type: cube.TypeText}}
	case plan.ByPart:
		return []cube.Column{{Name: "_fold", Type: cube.TypeText}}
	}
	columns := slices.Clone(w.Columns)
	for i, c := range columns {
		columns[i].Name = numbered("p", slices.Index(w.Level.Path, c.Name))
	}
	return columns
}

// sought are the values to compare.
func sought(w plan.NamedMember) []cube.Value {
	switch w.By {
	case plan.ByLabelText:
		return []cube.Value{cube.Text(w.Text)}
	case plan.ByPart:
		return []cube.Value{cube.Text(fold.Text(w.Text))}
	}
	return w.Path
}

func (r *renderer) cast(v cube.Value, c cube.Column) string {
	switch {
	case c.Type != cube.TypeInteger:
		return "CAST(" + r.bind(v.String()) + " AS text)"
	case v.IsMissing():
		return "CAST(NULL AS bigint)"
	}
	return "CAST(" + r.bindValue(v) + " AS bigint)"
}

// soughtIn writes the condition that the table has the values. IN costs one hash lookup for each, if nothing is NULL.
func soughtIn(c *cube.Cube, w plan.NamedMember, columns []cube.Column) string {
	table := MemberTable(c.ID, w.Level)
	switch w.By {
	case plan.ByPart:
		return "EXISTS (SELECT 1 FROM " + table + " AS m WHERE strpos(m._fold, w.c0) > 0)"
	case plan.ByLabelText:
		table = LabelTable(c.ID, w.Level)
	}
	var asked, stored []string
	for i, column := range columns {
		column.Missing = 1 // the value may be missing even if no cell is
		asked = append(asked, present(numbered("w.c", i), column)...)
		stored = append(stored, present("m."+column.Name, column)...)
	}
	return "(" + strings.Join(asked, ", ") + ") IN (SELECT " + strings.Join(stored, ", ") + " FROM " + table + " AS m)"
}

// Bounds of the search for what was probably meant.
const (
	longestSlip = 100 // characters; a longer text was hardly typed by hand
	mostNear    = 1000
)

// near gives for each member that does not exist the keys or labels of its level that may have been meant, those with most
// rows first: the texts that are about as long, and those that contain it.
func near(ctx context.Context, c *cube.Cube, named []plan.NamedMember, ask Ask) ([][]string, error) {
	r, near := &renderer{}, make([][]string, len(named))
	for i, w := range named {
		if n := len([]rune(w.Asked())); n > 0 && n <= longestSlip {
			if r.Len() > 0 {
				r.write("\nUNION ALL ")
			}
			r.near(c, i, w, int64(n))
		}
	}
	if r.Len() == 0 {
		return near, nil
	}
	return near, collectNear(ask(ctx, r.sql()), near)
}

// near writes a query for the index of the member, and the text and rows of each candidate. Their lengths differ by no more
// than the typing errors that cube.Nearest allows.
func (r *renderer) near(c *cube.Cube, index int, w plan.NamedMember, length int64) {
	table, text := nearNames(c, w)
	errors := max(1, length/3)
	r.write("(SELECT CAST(", strconv.Itoa(index), " AS bigint) AS i, ", text, " AS v, CAST(sum(m.rows) AS bigint) AS n FROM ",
		table, " AS m WHERE ", text, " <> '' AND (length(", text, ") BETWEEN ", r.bind(length-errors), " AND ", r.bind(length+errors),
		" OR (", pathOf(c.Model, w.Level, "m.p"), ") IN (SELECT ", pathOf(c.Model, w.Level, "h.p"), " FROM ",
		MemberTable(c.ID, w.Level), " AS h WHERE ", r.holds("h", w.Asked()), ")) GROUP BY ", text, " ORDER BY n DESC, v LIMIT ",
		r.bind(int64(mostNear)), ")")
}

// nearNames gives the table and the column of the candidates: labels if the cut has labels or texts, else keys.
func nearNames(c *cube.Cube, w plan.NamedMember) (table, text string) {
	last := len(w.Level.Path) - 1
	switch {
	case w.Level.HasLabels() && (w.By == plan.ByLabelText || w.By == plan.ByPart):
		return LabelTable(c.ID, w.Level), "m.label"
	case w.By == plan.ByPath:
		last = slices.Index(w.Level.Path, w.Columns[len(w.Columns)-1].Name)
	}
	return MemberTable(c.ID, w.Level), "CAST(" + numbered("m.p", last) + " AS text)"
}

// pathOf writes the path of a level as columns that are never NULL.
func pathOf(m *cube.Model, l cube.Level, prefix string) string {
	var columns []string
	for i, field := range l.Path {
		c, _ := m.Column(field)
		columns = append(columns, present(numbered(prefix, i), c)...)
	}
	return strings.Join(columns, ", ")
}

// collectNear adds the candidates to near and sorts them, since a UNION ALL has no order.
func collectNear(rows iter.Seq2[[]any, error], near [][]string) error {
	counts := make([]map[string]int64, len(near))
	for row, err := range rows {
		if err != nil {
			return err
		}
		index, text := row[0].(int64), row[1].(string)
		if counts[index] == nil {
			counts[index] = map[string]int64{}
		}
		counts[index][text] = row[2].(int64)
		near[index] = append(near[index], text)
	}
	for index, texts := range near {
		slices.SortFunc(texts, func(a, b string) int {
			return cmp.Or(cmp.Compare(counts[index][b], counts[index][a]), cmp.Compare(a, b))
		})
	}
	return nil
}
