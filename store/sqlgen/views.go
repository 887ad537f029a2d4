package sqlgen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// ViewSchema is the schema of the views for SQL tools.
const ViewSchema = "cube"

// View is a view of a version for SQL tools:
//
//  1. Every field of the package in published order, then _resource, the name of the file, _line, and _period (periodStart).
//  2. A key is as published, and missing text is the empty text: with NULL, a condition such as code <> '01' would leave
//     money out. A label is not the published cell but the one to show for the fiscal year of the row, since a code may mean
//     another thing in another year. If no row of the year has a label, it is the one that an answer without a cut has.
//  3. An amount is multiplied by its measure's factor, as answers are.
//  4. The view with the name of the package has the rows that a question without a cut counts, so that its sums are those
//     of the API. If some measures add up over snapshots (cube.Measure.Flow) it has every row, and the other amounts are
//     NULL in rows that are not counted.
//  5. The other view has every row, also those that repeat the same money.
type View struct {
	Name    string
	Comment string
	Columns []ViewColumn
	from    string
}

// ViewColumn is a column of a View.
type ViewColumn struct {
	Name    string
	Comment string
	text    string
}

// ViewNames gives the names of the views of a package: the one with the counted rows, and the one with all.
func ViewNames(pkg string) []string {
	const all = " (all)"
	counted, every := pkg, pkg
	if len(counted) > longestName {
		counted = shortened(pkg)
	}
	if len(every)+len(all) > longestName {
		every = shortened(pkg)
	}
	return []string{counted, every + all}
}

// QualifiedView quotes the name of a view.
func QualifiedView(name string) string { return ViewSchema + "." + ident(name) }

// Views makes the views of a version, in the order of ViewNames.
func Views(c *cube.Cube) ([]View, error) {
	counted, err := plan.Bind(c, query.Query{Page: query.FirstPage})
	if err != nil {
		return nil, err
	}
	every, err := plan.Bind(c, query.Query{Page: query.FirstPage, Snapshots: query.AllSnapshots})
	if err != nil {
		return nil, err
	}
	names := ViewNames(c.Name)
	return []View{
		newView(counted.Main(), names[0], rowsOf(counted.Main())),
		newView(every.Main(), names[1], "every row, also those that state an amount again"),
	}, nil
}

// rowsOf says which rows the view of a statement has.
func rowsOf(s *plan.Statement) string {
	switch {
	case s.Guard() != nil:
		return "every row, without the amounts that other rows state again"
	case len(s.Filters()) > 0:
		return "the rows that count, which state each amount once"
	}
	return "every row"
}

func newView(s *plan.Statement, name, rows string) View {
	c, r := s.Cube(), &renderer{inView: true}
	r.write(" FROM ", FactTable(c.ID), " AS f")
	for _, l := range c.Model.Levels() {
		r.labelJoin(c, l)
	}
	r.where(s.Filters())
	v := View{Name: name, Comment: viewComment(c, rows), from: r.String()}
	for _, column := range c.Model.Columns() {
		v.Columns = append(v.Columns, ViewColumn{columnName(column.Name), columnComment(c, column), r.viewed(s, column)})
	}
	v.Columns = append(v.Columns,
		ViewColumn{"_resource", "the file that the row stands in", resourceName(c)},
		ViewColumn{"_line", "the line that the row begins in", `f."_line"`},
		ViewColumn{PeriodColumn, "the day on which the period of the row begins", periodStart(c)})
	return v
}

// Create makes the view, or replaces it. A store can replace a view only if its former columns keep their positions, so
// new columns come after the former ones.
func (v View) Create(former []string) string {
	columns := slices.Clone(v.Columns)
	position := func(c ViewColumn) int {
		if i := slices.Index(former, c.Name); i >= 0 {
			return i
		}
		return len(former)
	}
	slices.SortStableFunc(columns, func(a, b ViewColumn) int { return position(a) - position(b) })
	return "CREATE OR REPLACE VIEW " + QualifiedView(v.Name) + " AS SELECT " +
		list(len(columns), ", ", func(i int) string { return columns[i].text + " AS " + ident(columns[i].Name) }) + v.from
}

// Comments lists the SQL texts that add comments to the view and its columns, as SQL tools show them.
func (v View) Comments() []string {
	view := QualifiedView(v.Name)
	return append([]string{"COMMENT ON VIEW " + view + " IS " + quoted(v.Comment)}, each.Text(v.Columns, func(c ViewColumn) string {
		return "COMMENT ON COLUMN " + view + "." + ident(c.Name) + " IS " + quoted(c.Comment)
	})...)
}

// viewed writes the column of a field.
func (r *renderer) viewed(s *plan.Statement, c cube.Column) string {
	model, field := s.Cube().Model, "f."+column(c.Name)
	if l, ok := model.Level(c.Name); ok && l.HasLabels() && l.LabelRef == c.Name {
		return shownLabel(model, l)
	}
	measure, ok := model.Measure(c.Name)
	if !ok {
		return field
	}
	if factor, err := decimal.NewFromString(measure.Factor); err == nil { // a model has checked it; without a factor it is empty
		field = "(" + field + " * (" + factor.String() + "))"
	}
	if s.Guard() != nil && !measure.Flow {
		return "CASE WHEN " + r.anyOf(s.Guard().Any) + " THEN " + field + " END"
	}
	return field
}

// shownLabel writes the label of a member or, if it has none, its key.
func shownLabel(m *cube.Model, l cube.Level) string {
	key, _ := m.Column(l.Ref)
	text := "f." + column(l.Ref)
	if key.Type != cube.TypeText {
		text = "CAST(" + text + " AS text), ''"
	}
	return "coalesce(nullif(" + numbered("m", l.Index) + ".label, ''), " + text + ")"
}

// labelJoin joins the labels of a level, by fiscal year if rows have one. PostgreSQL leaves out a join that no selected column
// needs if it can see that at most one row matches, which the GROUP BY ensures. It can hash, since all conditions are
// equalities of columns that are never NULL.
func (r *renderer) labelJoin(c *cube.Cube, l cube.Level) {
	if !l.HasLabels() {
		return
	}
	var stored, member, fact []string
	for i, name := range l.Path {
		field, _ := c.Model.Column(name)
		stored = append(stored, present(numbered("l.p", i), field)...)
		member = append(member, present(numbered("m.p", i), field)...)
		fact = append(fact, present("f."+column(name), field)...)
	}
	from, label := MemberTable(c.ID, l)+" AS l", "l.label"
	if year, ok := c.Model.FiscalYear(); ok && !slices.Contains(l.Path, year.Name) {
		from = LabelTable(c.ID, l) + " AS l JOIN " + MemberTable(c.ID, l) + " AS m ON " + equal(member, stored) + " WHERE l._shown"
		label = "coalesce(nullif(l.label, ''), m.label)"
		stored = append(stored, present("l._year", year)...)
		fact = append(fact, present("f."+column(year.Name), year)...)
	}
	m := numbered("m", l.Index)
	var keys, selected, numbers []string
	for i := range stored {
		key := numbered("k", i)
		keys, selected, numbers = append(keys, m+"."+key), append(selected, stored[i]+" AS "+key), append(numbers, strconv.Itoa(i+1))
	}
	r.write(" LEFT JOIN (SELECT ", strings.Join(selected, ", "), ", max(", label, ") AS label FROM ", from,
		" GROUP BY ", strings.Join(numbers, ", "), ") AS ", m, " ON ", equal(keys, fact))
}

// equal writes the condition that columns have the values of others.
func equal(columns, others []string) string {
	operand := func(column string) string {
		if strings.HasSuffix(column, " IS NULL") {
			return "(" + column + ")"
		}
		return column
	}
	return list(len(columns), " AND ", func(i int) string { return operand(columns[i]) + " = " + operand(others[i]) })
}

// resourceName writes the name of the resource of a row.
func resourceName(c *cube.Cube) string {
	return `CASE f."_resource"` + list(len(c.Resources), "", func(i int) string {
		return " WHEN " + strconv.Itoa(i) + " THEN " + quoted(c.Resources[i].Name)
	}) + " END"
}
