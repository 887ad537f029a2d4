package api

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// column is one column of an answer that is a table: every format writes the same columns.
type column struct {
	name  string
	kind  kind
	scale int32 // of an amount: its decimals

	digits  int32 // of an amount: the most before the point; 0 where nobody knows
	rounded bool  // an amount that was divided: its last decimals are as good as any
}

// kind is what the cells of a column hold.
type kind uint8

const (
	kindText   kind = iota
	kindWhole       // a whole number: a year, a count
	kindAmount      // an exact decimal
)

// datum is one cell of a table. A datum that is absent is left out where a format can tell that from one that is
// missing: a subtotal has no key of what it adds up.
type datum struct {
	value  cube.Value          // of text and whole numbers
	amount decimal.NullDecimal // of an amount
	absent bool
}

func textDatum(s string) datum { return datum{value: cube.Text(s), absent: s == ""} }

// cellTable writes the cells of a plan as rows of a table.
type cellTable struct {
	plan    *cube.Plan
	columns []column
	fill    []func(cell cube.Cell) datum // one for each column
}

// newCellTable makes the columns of a plan's answer: each key with its label, the aggregates, and what else is asked
// of cells.
func newCellTable(plan *cube.Plan, linked bool) *cellTable {
	t := &cellTable{plan: plan}
	for i, key := range plan.Keys() {
		t.add(column{name: key.Name, kind: kindOf(key)}, func(c cube.Cell) datum {
			if i >= len(c.Keys) {
				return datum{absent: true}
			}
			return datum{value: c.Keys[i]}
		})
		if l := plan.LabelOf(key); l >= 0 {
			t.addLabel(plan.Levels()[l].LabelRef, l, i)
		}
	}
	t.addValues(plan)
	t.addMarks(plan, linked)
	return t
}

func (t *cellTable) add(c column, fill func(cube.Cell) datum) {
	t.columns = append(t.columns, c)
	t.fill = append(t.fill, fill)
}

func (t *cellTable) addLabel(name string, level, key int) {
	t.add(column{name: name}, func(c cube.Cell) datum {
		if key >= len(c.Keys) {
			return datum{absent: true}
		}
		return datum{value: c.Labels[level]}
	})
}

func (t *cellTable) addValues(plan *cube.Plan) {
	for i, a := range plan.Aggregates() {
		if kindOfAggregate(a) == kindWhole {
			t.add(column{name: a.Name, kind: kindWhole}, func(c cube.Cell) datum { return wholeDatum(c.Values[i]) })
			continue
		}
		t.add(column{name: a.Name, kind: kindAmount, scale: a.Scale, rounded: isQuotient(a)},
			func(c cube.Cell) datum { return datum{amount: c.Values[i]} })
	}
}

// addMarks adds the columns that say what a row is, where rows differ.
func (t *cellTable) addMarks(plan *cube.Plan, linked bool) {
	if plan.Rollup() {
		t.add(column{name: "_level"}, func(c cube.Cell) datum { return textDatum(c.Level) })
	}
	if plan.Remainder() {
		t.add(column{name: "_others", kind: kindWhole}, func(c cube.Cell) datum {
			return datum{value: cube.Integer(c.Others), absent: c.Others == 0}
		})
	}
	if plan.Compared() {
		t.add(column{name: "_change"}, func(c cube.Cell) datum { return textDatum(string(c.Change)) })
	}
	if linked {
		t.add(column{name: "_cut"}, func(c cube.Cell) datum { return linkDatum(c, plan.CutOf) })
		t.add(column{name: "_drilldown"}, func(c cube.Cell) datum { return linkDatum(c, plan.Below) })
	}
}

// linkDatum leaves links out of what is added up from members that have no cells of their own.
func linkDatum(c cube.Cell, link func(cube.Cell) string) datum {
	if c.Others > 0 {
		return datum{absent: true}
	}
	return textDatum(link(c))
}

// summaryTable writes the summary of a plan, which has its aggregates alone.
func summaryTable(plan *cube.Plan) *cellTable {
	t := &cellTable{plan: plan}
	t.addValues(plan)
	return t
}

// row fills one row. The slice is used again for the next.
func (t *cellTable) row(cell cube.Cell, into []datum) []datum {
	into = into[:0]
	for _, fill := range t.fill {
		into = append(into, fill(cell))
	}
	return into
}

func kindOf(c cube.Column) kind {
	if c.Type == cube.TypeInteger {
		return kindWhole
	}
	return kindText
}

// kindOfAggregate tells counts from amounts: a count compared by percentage is no count.
func kindOfAggregate(a cube.Aggregate) kind {
	if a.Role != cube.RolePercentage && (a.Func == cube.Rows || a.Func == cube.Count) {
		return kindWhole
	}
	return kindAmount
}

// isQuotient tells amounts that were divided, and so rounded, from exact ones.
func isQuotient(a cube.Aggregate) bool {
	switch a.Func {
	case cube.Avg, cube.Ratio, cube.Share, cube.ShareOfParent:
		return true
	}
	return a.Role == cube.RolePercentage || slices.ContainsFunc(a.Args, isQuotient)
}

func wholeDatum(n decimal.NullDecimal) datum {
	if !n.Valid {
		return datum{}
	}
	return datum{value: cube.Integer(n.Decimal.IntPart())}
}
