package api

import (
	"context"
	"iter"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// exportFacts answers with every fact of a plan as they come from the store.
func (a *api) exportFacts(c echo.Context, plan *cube.FactPlan, q factQuestion) error {
	ctx := c.Request().Context()
	plan, err := checked(ctx, a, func(ctx context.Context) (*cube.FactPlan, error) {
		return a.engine.CheckFactStream(ctx, plan)
	})
	if err != nil {
		return err
	}
	s, table := a.factSheet(c, plan, q)
	if s.format.most > 0 {
		count, err := a.countFacts(ctx, plan)
		if err == nil {
			err = s.fits(count)
		}
		if err != nil {
			return err
		}
	}
	return export(c, s, rowsOf(a.streamFacts(ctx, timingOf(c), plan), table.take))
}

// streamFacts asks for facts one by one.
func (a *api) streamFacts(ctx context.Context, t *timing, plan *cube.FactPlan) iter.Seq2[cube.Fact, error] {
	return stream(ctx, a, t, func(ctx context.Context) iter.Seq2[cube.Fact, error] { return a.engine.StreamFacts(ctx, plan) })
}

// countFacts asks how many facts there are.
func (a *api) countFacts(ctx context.Context, plan *cube.FactPlan) (int64, error) {
	page, err := checked(ctx, a, func(ctx context.Context) (*cube.FactPage, error) { return a.engine.Facts(ctx, plan.Limited(0)) })
	if err != nil {
		return 0, err
	}
	return page.Total, nil
}

// factSheet describes the facts of a plan as a table.
func (a *api) factSheet(c echo.Context, plan *cube.FactPlan, q factQuestion) (sheet, *factTable) {
	table := newFactTable(plan)
	clauses := factClauses(plan, q)
	one := plan.Cube()
	said := append(append([]string{"facts"}, admitted(plan.CountPlan())...), worded(clauses, "cut", "after")...)
	return sheet{
		writing: q.writing, one: one, file: fileName(one, said, clauses),
		columns: table.columns, measures: one.Model.Measures(), question: clauses,
		link: a.base(c) + permanent(one, "facts", clauses), warnings: carried(plan.CountPlan()),
	}, table
}

// factClauses gives the canonical question by clauses, as Plan.Question does.
func factClauses(plan *cube.FactPlan, q factQuestion) [][2]string {
	var clauses [][2]string
	add := func(name, separator string, items []string) {
		if len(items) > 0 {
			clauses = append(clauses, [2]string{name, strings.Join(items, separator)})
		}
	}
	if len(q.Fields) > 0 {
		var refs []string
		for _, field := range plan.Fields() {
			refs = append(refs, cube.Ref{Name: field.Name}.String())
		}
		add("fields", "|", refs)
	}
	clauses = append(clauses, clausesOf(plan.CountPlan(), "cut", "snapshots")...)
	var order []string
	for _, s := range plan.OrderAsked() {
		order = append(order, plan.SortName(s)+":"+s.Direction())
	}
	add("order", ",", order)
	if plan.Size() != cube.EveryFact {
		add("pagesize", "", []string{strconv.Itoa(plan.Size())})
	}
	if q.After != "" {
		add("after", "", []string{q.After})
	}
	return clauses
}

// clausesOf gives those of the clauses of a plan that are named.
func clausesOf(plan *cube.Plan, names ...string) [][2]string {
	var clauses [][2]string
	for _, clause := range plan.Question() {
		for _, name := range names {
			if clause[0] == name {
				clauses = append(clauses, clause)
			}
		}
	}
	return clauses
}

// factTable writes facts as rows of a table: their fields, and where they stand.
type factTable struct {
	plan    *cube.FactPlan
	columns []column
	row     []datum
}

func newFactTable(plan *cube.FactPlan) *factTable {
	t := &factTable{plan: plan}
	for _, field := range plan.Fields() {
		t.columns = append(t.columns, fieldColumn(field))
	}
	t.columns = append(t.columns, column{name: cube.ResourceField}, column{name: cube.LineField, kind: kindWhole})
	return t
}

// fieldColumn is the column of the cells of a field.
func fieldColumn(field cube.Column) column {
	if field.Type != cube.TypeDecimal {
		return column{name: field.Name, kind: kindOf(field)}
	}
	return column{name: field.Name, kind: kindAmount, scale: int32(field.Scale), digits: int32(field.Digits)}
}

// take makes a row of a fact. The slice is used again for the next.
func (t *factTable) take(fact cube.Fact) ([]datum, error) {
	t.row = appendFields(t.row[:0], t.plan, fact)
	t.row = append(t.row, datum{value: cube.Text(t.plan.Cube().Resources[fact.Resource].Name)}, datum{value: cube.Integer(fact.Line)})
	return t.row, nil
}

func appendFields(row []datum, plan *cube.FactPlan, fact cube.Fact) []datum {
	for i := range plan.Fields() {
		row = append(row, datum{value: fact.Values[i].Value, amount: fact.Values[i].Amount})
	}
	return row
}
