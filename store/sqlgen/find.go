package sqlgen

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/internal/fold"
)

// Ask runs a statement in a store, whose rows hold what Cells allows.
type Ask func(Statement) iter.Seq2[[]any, error]

// Find looks for members of a cube, all in one statement, and says for each whether it is there.
func Find(one *cube.Cube, wanted []cube.Wanted, ask Ask) ([]bool, error) {
	there := make([]bool, len(wanted))
	if len(wanted) == 0 {
		return there, nil
	}
	r := &renderer{}
	for i, places := range searches(wanted) {
		if i > 0 {
			r.write("\nUNION ALL ")
		}
		r.search(one, wanted, places)
	}
	for row, err := range ask(r.statement()) {
		if err != nil {
			return nil, err
		}
		there[row[0].(int64)] = true
	}
	return there, nil
}

// searches gathers the places of what is looked for in one table by the same columns, in the order of the first.
func searches(wanted []cube.Wanted) [][]int {
	var all [][]int
	known := map[[3]int]int{}
	for i, w := range wanted {
		kind := [3]int{w.Level.Index, int(w.By), len(w.Path)}
		if _, ok := known[kind]; !ok {
			known[kind] = len(all)
			all = append(all, nil)
		}
		all[known[kind]] = append(all[known[kind]], i)
	}
	return all
}

// search writes the places of what is there: a list of all with their places, of which those are left that the
// table has.
func (r *renderer) search(one *cube.Cube, wanted []cube.Wanted, places []int) {
	columns := soughtColumns(one.Model, wanted[places[0]])
	r.write("SELECT w.i FROM (VALUES ", list(len(places), ", ", func(i int) string {
		texts := sought(wanted[places[i]])
		return "(CAST(" + strconv.Itoa(places[i]) + " AS bigint), " +
			list(len(texts), ", ", func(j int) string { return r.cast(texts[j], columns[j]) }) + ")"
	}), ") AS w(i, ", list(len(columns), ", ", func(i int) string { return numbered("c", i) }), ") WHERE ")
	r.write(soughtIn(one, wanted[places[0]], columns))
}

// soughtColumns are the columns that are compared, named as the table has them.
func soughtColumns(m *cube.Model, w cube.Wanted) []cube.Column {
	var columns []cube.Column
	for i, field := range w.Level.Path {
		c, _ := m.Column(field)
		c.Name = numbered("p", i)
		columns = append(columns, c)
	}
	switch w.By {
	case cube.ByLabelText:
		return []cube.Column{{Name: "label", Type: cube.TypeText}}
	case cube.ByPart:
		return []cube.Column{{Name: "_fold", Type: cube.TypeText}}
	case cube.ByOwnKey:
		return columns[len(columns)-1:]
	}
	return columns[:len(w.Path)]
}

// sought are the values that are compared.
func sought(w cube.Wanted) []cube.Value {
	switch w.By {
	case cube.ByLabelText:
		return []cube.Value{cube.Text(w.Text)}
	case cube.ByPart:
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

// soughtIn writes that the table has the values. IN costs one lookup by hash for each, as long as nothing is NULL.
func soughtIn(one *cube.Cube, w cube.Wanted, columns []cube.Column) string {
	table := MemberTable(one.ID, w.Level)
	switch w.By {
	case cube.ByPart:
		return "EXISTS (SELECT 1 FROM " + table + " AS m WHERE strpos(m._fold, w.c0) > 0)"
	case cube.ByLabelText:
		table = LabelTable(one.ID, w.Level)
	}
	var asked, there []string
	for i, c := range columns {
		c.Missing = 1 // what is asked for may be missing where no cell is
		asked = append(asked, present(numbered("w.c", i), c)...)
		there = append(there, present("m."+c.Name, c)...)
	}
	return "(" + strings.Join(asked, ", ") + ") IN (SELECT " + strings.Join(there, ", ") + " FROM " + table + " AS m)"
}

// Bounds of what is looked through for what was probably meant.
const (
	longestSlip = 100 // characters; what is longer was hardly typed
	mostNear    = 1000
)

// Near gives for each of what is not there the keys or labels of its level that may have been meant, those of most
// rows first: they are about as long, or have it in them.
func Near(one *cube.Cube, wanted []cube.Wanted, ask Ask) ([][]string, error) {
	r, near := &renderer{}, make([][]string, len(wanted))
	for i, w := range wanted {
		if n := len([]rune(w.Asked())); n > 0 && n <= longestSlip {
			if r.Len() > 0 {
				r.write("\nUNION ALL ")
			}
			r.near(one, i, w, int64(n))
		}
	}
	if r.Len() == 0 {
		return near, nil
	}
	return near, collectNear(ask(r.statement()), near)
}

// near writes place, text and rows of the candidates. A slip of the finger for each three letters is what Nearest lets
// pass.
func (r *renderer) near(one *cube.Cube, place int, w cube.Wanted, length int64) {
	table, text := nearNames(one, w)
	slips := max(1, length/3)
	r.write("(SELECT CAST(", strconv.Itoa(place), " AS bigint) AS i, ", text, " AS v, CAST(sum(m.rows) AS bigint) AS n FROM ",
		table, " AS m WHERE ", text, " <> '' AND (length(", text, ") BETWEEN ", r.bind(length-slips), " AND ", r.bind(length+slips),
		" OR (", pathOf(one.Model, w.Level, "m.p"), ") IN (SELECT ", pathOf(one.Model, w.Level, "h.p"), " FROM ",
		MemberTable(one.ID, w.Level), " AS h WHERE ", r.holds("h", w.Asked()), ")) GROUP BY ", text, " ORDER BY n DESC, v LIMIT ",
		r.bind(int64(mostNear)), ")")
}

// nearNames gives the table and the column of what may have been meant: labels where those were asked for, else keys.
func nearNames(one *cube.Cube, w cube.Wanted) (table, text string) {
	last := len(w.Level.Path) - 1
	switch {
	case w.Level.HasLabels() && (w.By == cube.ByLabelText || w.By == cube.ByPart):
		return LabelTable(one.ID, w.Level), "m.label"
	case w.By == cube.ByPath:
		last = len(w.Path) - 1
	}
	return MemberTable(one.ID, w.Level), "CAST(" + numbered("m.p", last) + " AS text)"
}

// pathOf writes the path of a level's members as columns that are never NULL.
func pathOf(m *cube.Model, l cube.Level, prefix string) string {
	var columns []string
	for i, field := range l.Path {
		c, _ := m.Column(field)
		columns = append(columns, present(numbered(prefix, i), c)...)
	}
	return strings.Join(columns, ", ")
}

// collectNear puts the candidates into their places, in order: that of a UNION ALL is any.
func collectNear(rows iter.Seq2[[]any, error], near [][]string) error {
	counts := make([]map[string]int64, len(near))
	for row, err := range rows {
		if err != nil {
			return err
		}
		place, text := row[0].(int64), row[1].(string)
		if counts[place] == nil {
			counts[place] = map[string]int64{}
		}
		counts[place][text] = row[2].(int64)
		near[place] = append(near[place], text)
	}
	for place, texts := range near {
		slices.SortFunc(texts, func(a, b string) int {
			return cmp.Or(cmp.Compare(counts[place][b], counts[place][a]), cmp.Compare(a, b))
		})
	}
	return nil
}
