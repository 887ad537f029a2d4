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
	"fiscube/internal/each"
	"fiscube/internal/fold"
)

// unknown lists the members that do not exist, the first of them with what may have been meant. Those that exist for certain are not
// looked up.
func unknown(ctx context.Context, c *cube.Cube, named []plan.NamedMember, most int, ask Ask) ([]plan.UnknownMember, error) {
	exists := make([]bool, len(named))
	if err := find(ctx, c, named, exists, ask); err != nil {
		return nil, err
	}
	var list []plan.UnknownMember
	var sought []plan.NamedMember
	for i, m := range named {
		if exists[i] {
			continue
		}
		list = append(list, plan.UnknownMember{Index: i})
		if len(sought) < most {
			sought = append(sought, m)
		}
	}
	found, err := near(ctx, c, sought, ask)
	for i := range found {
		list[i].Near = found[i]
	}
	return list, err
}

// find looks up members of a cube with one query, and marks those that exist.
func find(ctx context.Context, c *cube.Cube, named []plan.NamedMember, exists []bool, ask Ask) error {
	r := &renderer{}
	for _, indexes := range searches(named) {
		r.unite()
		r.search(c, named, indexes)
	}
	if r.Len() == 0 {
		return nil
	}
	for row, err := range ask(ctx, r.sql()) {
		if err != nil {
			return err
		}
		exists[row[0].(int64)] = true
	}
	return nil
}

// searches groups the members that are looked up in one table by the same columns, as indexes in named. Groups are in the
// order of their first members.
func searches(named []plan.NamedMember) [][]int {
	var all [][]int
	type kind struct {
		level          int
		by             plan.NamedBy
		columns, years string
	}
	known := map[kind]int{}
	for i, w := range named {
		columns := strings.Join(each.Text(w.Columns, func(c cube.Column) string { return c.Name }), "\x00")
		kind := kind{w.Level.Index, w.By, columns, w.YearsID()}
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
	r.write(r.soughtIn(c, named[indexes[0]], columns))
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
func (r *renderer) soughtIn(c *cube.Cube, w plan.NamedMember, columns []cube.Column) string {
	from := " FROM " + MemberTable(c.ID, w.Level) + " AS f"
	switch {
	case len(w.Years) > 0:
		from = " FROM " + LabelTable(c.ID, w.Level) + " AS f WHERE " + r.allFilters(inLabelTable(w.Years))
	case w.By == plan.ByLabelText:
		from = " FROM " + LabelTable(c.ID, w.Level) + " AS f"
	}
	if w.By == plan.ByPart {
		return "EXISTS (SELECT 1 FROM (SELECT f._fold" + from + ") AS m WHERE strpos(m._fold, w.c0) > 0)"
	}
	var asked, stored []string
	for i, column := range columns {
		column.Missing = 1 // the value may be missing even if no cell is
		asked = append(asked, present(numbered("w.c", i), column)...)
		stored = append(stored, present("f."+column.Name, column)...)
	}
	return isIn(asked, strings.Join(stored, ", ")+from)
}

// Bounds of the search for what was probably meant.
const (
	longestSlip = 100 // characters; a longer text was hardly typed by hand
	mostNear    = 1000
)

// near gives for each member that does not exist the keys or labels of its level that may have been meant, those with most
// rows first: the texts that are about as long, and those that contain it. If the cuts admit some years only, it also gives
// the other years in which rows have the label.
func near(ctx context.Context, c *cube.Cube, named []plan.NamedMember, ask Ask) ([]plan.Near, error) {
	texts, years, found := &renderer{}, &renderer{}, make([]plan.Near, len(named))
	for i, w := range named {
		if n := len([]rune(w.Asked())); n > 0 && n <= longestSlip {
			texts.unite()
			texts.near(c, i, w, int64(n))
		}
		if len(w.Years) > 0 {
			years.unite()
			years.yearsOf(c, i, w)
		}
	}
	if years.Len() > 0 {
		for row, err := range ask(ctx, years.sql()) {
			if err != nil {
				return nil, err
			}
			found[row[0].(int64)].Years = append(found[row[0].(int64)].Years, row[1].(int64))
		}
		for i := range found {
			slices.Sort(found[i].Years)
		}
	}
	if texts.Len() == 0 {
		return found, nil
	}
	return found, collectNear(ask(ctx, texts.sql()), found)
}

// unite begins another query, whose rows are added to those of the queries before it.
func (r *renderer) unite() {
	if r.Len() > 0 {
		r.write("\nUNION ALL ")
	}
}

// yearsOf writes a query for the index of the member, and each year in which rows have its label.
func (r *renderer) yearsOf(c *cube.Cube, index int, w plan.NamedMember) {
	r.write("SELECT CAST(", strconv.Itoa(index), " AS bigint) AS i, f._year AS v", r.labelsOf(c.ID, w.Level, nil))
	if w.By == plan.ByPart {
		r.write(r.holds("f", w.Text))
	} else {
		r.write("f.label = ", r.bind(w.Text))
	}
	r.write(" AND f._year IS NOT NULL GROUP BY f._year")
}

// near writes a query for the index of the member, and the text and rows of each candidate. Their lengths differ by no more
// than the typing errors that suggest.Nearest allows.
func (r *renderer) near(c *cube.Cube, index int, w plan.NamedMember, length int64) {
	table, text := nearNames(c, w)
	errors := max(1, length/3)
	r.write("(SELECT CAST(", strconv.Itoa(index), " AS bigint) AS i, ", text, " AS v, CAST(sum(f.rows) AS bigint) AS n FROM ",
		table, " AS f WHERE ")
	if len(w.Years) > 0 {
		r.write(r.allFilters(inLabelTable(w.Years)), " AND ")
	}
	r.write(text, " <> '' AND (length(", text, ") BETWEEN ", r.bind(length-errors), " AND ", r.bind(length+errors), " OR ")
	if len(w.Years) > 0 {
		r.write(r.holds("f", w.Asked()))
	} else {
		var path []cube.Column
		for _, field := range w.Level.Path {
			column, _ := c.Model.Column(field)
			path = append(path, column)
		}
		r.write(isIn([]string{pathIn("f", path)}, pathIn("h", path)+" FROM "+MemberTable(c.ID, w.Level)+" AS h WHERE "+
			r.holds("h", w.Asked())))
	}
	r.write(") GROUP BY ", text, " ORDER BY n DESC, v LIMIT ", r.bind(int64(mostNear)), ")")
}

// nearNames gives the table and the column of the candidates: labels if the cut has labels or texts, else keys.
func nearNames(c *cube.Cube, w plan.NamedMember) (table, text string) {
	last := len(w.Level.Path) - 1
	switch {
	case w.Level.HasLabels() && (w.By == plan.ByLabelText || w.By == plan.ByPart):
		return LabelTable(c.ID, w.Level), "f.label"
	case w.By == plan.ByPath:
		last = slices.Index(w.Level.Path, w.Columns[len(w.Columns)-1].Name)
	}
	return MemberTable(c.ID, w.Level), "CAST(" + numbered("f.p", last) + " AS text)"
}

// collectNear adds the candidates and sorts them, since a UNION ALL has no order.
func collectNear(rows iter.Seq2[[]any, error], near []plan.Near) error {
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
		near[index].Names = append(near[index].Names, text)
	}
	for index := range near {
		slices.SortFunc(near[index].Names, func(a, b string) int {
			return cmp.Or(cmp.Compare(counts[index][b], counts[index][a]), cmp.Compare(a, b))
		})
	}
	return nil
}
