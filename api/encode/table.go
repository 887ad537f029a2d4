package encode

import (
	"iter"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// column is one column of an answer that is a table: every format writes the same columns.
type column struct {
	Name  string
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

// Datum is one cell of a table. A datum that is absent is left out where a format can tell that from one that is
// missing: a subtotal has no key of what it adds up.
type Datum struct {
	value  cube.Value          // of text and whole numbers
	amount decimal.NullDecimal // of an amount
	absent bool
}

func textDatum(s string) Datum { return Datum{value: cube.Text(s), absent: s == ""} }

// CellTable writes the cells of a plan as rows of a table.
type CellTable struct {
	Plan    *cube.Plan
	Columns []column
	fill    []func(cell cube.Cell) Datum // one for each column
}

// NewCellTable makes the columns of a plan's answer: each key with its label, the aggregates, and what else is asked
// of cells.
func NewCellTable(plan *cube.Plan, linked bool) *CellTable {
	t := &CellTable{Plan: plan}
	for i, key := range plan.Keys() {
		t.add(column{Name: key.Name, kind: kindOf(key)}, func(c cube.Cell) Datum {
			if i >= len(c.Keys) {
				return Datum{absent: true}
			}
			return Datum{value: c.Keys[i]}
		})
		if l := plan.LabelOf(key); l >= 0 {
			t.addLabel(plan.Levels()[l].LabelRef, l, i)
		}
	}
	t.addValues(plan)
	t.addMarks(plan, linked)
	return t
}

func (t *CellTable) add(c column, fill func(cube.Cell) Datum) {
	t.Columns = append(t.Columns, c)
	t.fill = append(t.fill, fill)
}

func (t *CellTable) addLabel(name string, level, key int) {
	t.add(column{Name: name}, func(c cube.Cell) Datum {
		if key >= len(c.Keys) {
			return Datum{absent: true}
		}
		return Datum{value: c.Labels[level]}
	})
}

func (t *CellTable) addValues(plan *cube.Plan) {
	for i, a := range plan.Aggregates() {
		if kindOfAggregate(a) == kindWhole {
			t.add(column{Name: a.Name, kind: kindWhole}, func(c cube.Cell) Datum { return wholeDatum(c.Values[i]) })
			continue
		}
		t.add(column{Name: a.Name, kind: kindAmount, scale: a.Scale, rounded: isQuotient(a)},
			func(c cube.Cell) Datum { return Datum{amount: c.Values[i]} })
	}
}

// addMarks adds the columns that say what a row is, where rows differ.
func (t *CellTable) addMarks(plan *cube.Plan, linked bool) {
	if plan.Rollup() {
		t.add(column{Name: "_level"}, func(c cube.Cell) Datum { return textDatum(c.Level) })
	}
	if plan.Remainder() {
		t.add(column{Name: "_others", kind: kindWhole}, func(c cube.Cell) Datum {
			return Datum{value: cube.Integer(c.Others), absent: c.Others == 0}
		})
	}
	if plan.Compared() {
		t.add(column{Name: "_change"}, func(c cube.Cell) Datum { return textDatum(string(c.Change)) })
	}
	if linked {
		t.add(column{Name: "_cut"}, func(c cube.Cell) Datum { return linkDatum(c, plan.CutOf) })
		t.add(column{Name: "_drilldown"}, func(c cube.Cell) Datum { return linkDatum(c, plan.Below) })
	}
}

// linkDatum leaves links out of what is added up from members that have no cells of their own.
func linkDatum(c cube.Cell, link func(cube.Cell) string) Datum {
	if c.Others > 0 {
		return Datum{absent: true}
	}
	return textDatum(link(c))
}

// SummaryTable writes the summary of a plan, which has its aggregates alone.
func SummaryTable(plan *cube.Plan) *CellTable {
	t := &CellTable{Plan: plan}
	t.addValues(plan)
	return t
}

// Row fills one row. The slice is used again for the next.
func (t *CellTable) Row(cell cube.Cell, into []Datum) []Datum {
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

func wholeDatum(n decimal.NullDecimal) Datum {
	if !n.Valid {
		return Datum{}
	}
	return Datum{value: cube.Integer(n.Decimal.IntPart())}
}

// FactTable writes facts as rows of a table: their fields, and where they stand.
type FactTable struct {
	plan    *cube.FactPlan
	Columns []column
	row     []Datum
}

// NewFactTable makes the columns of a plan's facts.
func NewFactTable(plan *cube.FactPlan) *FactTable {
	t := &FactTable{plan: plan}
	for _, field := range plan.Fields() {
		t.Columns = append(t.Columns, FieldColumn(field))
	}
	t.Columns = append(t.Columns, column{Name: cube.ResourceField}, column{Name: cube.LineField, kind: kindWhole})
	return t
}

// FieldColumn is the column of the cells of a field.
func FieldColumn(field cube.Column) column {
	if field.Type != cube.TypeDecimal {
		return column{Name: field.Name, kind: kindOf(field)}
	}
	return column{Name: field.Name, kind: kindAmount, scale: int32(field.Scale), digits: int32(field.Digits)}
}

// Row makes a row of a fact. The slice is used again for the next.
func (t *FactTable) Row(fact cube.Fact) ([]Datum, error) {
	t.row = AppendFields(t.row[:0], t.plan, fact)
	t.row = append(t.row, Datum{value: cube.Text(t.plan.Cube().Resources[fact.Resource].Name)}, Datum{value: cube.Integer(fact.Line)})
	return t.row, nil
}

// AppendFields appends the cells of a fact.
func AppendFields(row []Datum, plan *cube.FactPlan, fact cube.Fact) []Datum {
	for i := range plan.Fields() {
		row = append(row, Datum{value: fact.Values[i].Value, amount: fact.Values[i].Amount})
	}
	return row
}

// MemberColumns are the columns of a plan's members.
func MemberColumns(plan *cube.MemberPlan) []column {
	var columns []column
	for _, key := range plan.Path() {
		columns = append(columns, column{Name: key.Name, kind: kindOf(key)})
	}
	if label := plan.Level().LabelRef; label != "" {
		columns = append(columns, column{Name: label})
	}
	year := kindText
	if column, ok := plan.Cube().Model.FiscalYear(); ok {
		year = kindOf(column)
	}
	return append(columns, column{Name: "_rows", kind: kindWhole}, column{Name: "_first_year", kind: year},
		column{Name: "_last_year", kind: year})
}

// AppendMemberRow appends the cells of a member.
func AppendMemberRow(row []Datum, m cube.MemberRow, labelled bool) []Datum {
	for _, key := range m.Path {
		row = append(row, Datum{value: key})
	}
	if labelled {
		row = append(row, Datum{value: m.Label})
	}
	return append(row, Datum{value: cube.Integer(m.Rows)}, Datum{value: m.First}, Datum{value: m.Last})
}

// Rows makes rows of what the store yields. What is no row, as a summary is, makes nil.
func Rows[T any](items iter.Seq2[T, error], make func(T) ([]Datum, error)) iter.Seq2[[]Datum, error] {
	return func(yield func([]Datum, error) bool) {
		for item, err := range items {
			var row []Datum
			if err == nil {
				row, err = make(item)
			}
			if err == nil && row == nil {
				continue
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// All gives items that are there already.
func All[T any](items []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}
