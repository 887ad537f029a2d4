package encode

import (
	"iter"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Column is one column of an answer that is a table: every format writes the same columns.
type Column struct {
	Name  string
	kind  kind
	scale int32 // of an amount: its decimals

	digits  int32 // of an amount: the most before the point; 0 where that is unknown
	rounded bool  // an amount that was divided: its last decimals are as good as any
	long    bool  // of text: names rather than codes

	fill func(*answer.Cell, *Datum) // of a CellTable: sets a datum, which had another cell before, to what the column has of a cell
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
	Value  cube.Value          // of text and whole numbers
	Amount decimal.NullDecimal // of an amount
	Absent bool
}

func textDatum(s string) Datum { return Datum{Value: cube.Text(s), Absent: s == ""} }

// CellTable writes the cells of a plan as rows of a table.
type CellTable struct {
	Plan    *plan.Plan
	Columns []Column
	row     []Datum
}

// NewCellTable makes the columns of a plan's answer: each key with its label, the aggregates, and what else is asked
// of cells.
func NewCellTable(p *plan.Plan, linked bool) *CellTable {
	t := &CellTable{Plan: p}
	add := func(c Column) { t.Columns = append(t.Columns, c) }
	for i, key := range p.Keys() {
		add(Column{Name: key.Name, kind: kindOf(key), fill: func(c *answer.Cell, d *Datum) {
			if d.Absent = i >= len(c.Keys); !d.Absent {
				d.Value = c.Keys[i]
			}
		}})
		if l := p.LabelOf(key); l >= 0 {
			add(Column{Name: p.Levels()[l].LabelRef, long: true, fill: func(c *answer.Cell, d *Datum) {
				if d.Absent = i >= len(c.Keys); !d.Absent {
					d.Value = c.Labels[l]
				}
			}})
		}
	}
	for i, a := range p.Aggregates() {
		if a.Role != query.RolePercentage && (a.Func == cube.Rows || a.Func == cube.Count) { // a percentage is no count
			add(Column{Name: a.Name, kind: kindWhole, fill: func(c *answer.Cell, d *Datum) {
				if d.Value = cube.Missing; c.Values[i].Valid {
					d.Value = cube.Integer(c.Values[i].Decimal.IntPart())
				}
			}})
			continue
		}
		divided := a.Role == query.RolePercentage || a.IsDivided()
		add(Column{Name: a.Name, kind: kindAmount, scale: a.Scale, rounded: divided, fill: func(c *answer.Cell, d *Datum) { d.Amount = c.Values[i] }})
	}
	text := func(name string, of func(c *answer.Cell) string) {
		add(Column{Name: name, fill: func(c *answer.Cell, d *Datum) { *d = textDatum(of(c)) }})
	}
	if p.Rollup() {
		text("_level", func(c *answer.Cell) string { return c.Level })
	}
	if p.Remainder() {
		add(Column{Name: "_others", kind: kindWhole, fill: func(c *answer.Cell, d *Datum) {
			d.Value, d.Absent = cube.Integer(c.Others), c.Others == 0
		}})
	}
	if p.Comparison() != nil {
		text("_change", func(c *answer.Cell) string { return string(c.Change) })
	}
	if linked {
		qualifiers := p.Qualifiers()
		link := func(name string, of func(c *answer.Cell) string) {
			text(name, func(c *answer.Cell) string {
				if c.Others > 0 { // added up from members that have no cells of their own
					return ""
				}
				return of(c)
			})
		}
		link("_cut", func(c *answer.Cell) string { return p.FactsCutOf(c.Keys, qualifiers) })
		if choice := p.FactSnapshots(); choice != query.LastSnapshots {
			link("_snapshots", func(*answer.Cell) string { return string(choice) })
		}
		link("_drilldown", func(c *answer.Cell) string { return p.Below(len(c.Keys)) })
	}
	t.row = make([]Datum, len(t.Columns))
	return t
}

// Summary is the table of the aggregates alone, as the summary of an answer has them.
func (t *CellTable) Summary() *CellTable {
	first := len(t.Plan.Attributes())
	columns := t.Columns[first:min(first+len(t.Plan.Aggregates()), len(t.Columns))]
	return &CellTable{t.Plan, columns, make([]Datum, len(columns))}
}

// Row fills one row of the columns that are left. The slice is used again for the next.
func (t *CellTable) Row(cell *answer.Cell) []Datum {
	row := t.row[:len(t.Columns)]
	for i := range row {
		t.Columns[i].fill(cell, &row[i])
	}
	return row
}

func kindOf(c cube.Column) kind {
	if c.Type == cube.TypeInteger {
		return kindWhole
	}
	return kindText
}

// FactTable writes facts as rows of a table: their fields, which of these count them (plan.CountsField), and the resource and line
// they are from.
type FactTable struct {
	plan    *plan.FactPlan
	Columns []Column
	row     []Datum
}

// NewFactTable makes the columns of a plan's facts.
func NewFactTable(p *plan.FactPlan) *FactTable {
	t := &FactTable{plan: p}
	for _, field := range p.Fields() {
		t.Columns = append(t.Columns, FieldColumn(field))
	}
	if p.HasCounts() {
		t.Columns = append(t.Columns, Column{Name: plan.CountsField})
	}
	if p.HasColumn() {
		t.Columns = append(t.Columns, Column{Name: plan.ColumnField})
	}
	t.Columns = append(t.Columns, Column{Name: plan.ResourceField}, Column{Name: plan.LineField, kind: kindWhole})
	return t
}

// FieldColumn is the column of the cells of a field.
func FieldColumn(field cube.Column) Column {
	if field.Type != cube.TypeDecimal {
		return Column{Name: field.Name, kind: kindOf(field)}
	}
	return Column{Name: field.Name, kind: kindAmount, scale: int32(field.Scale), digits: int32(field.Digits)}
}

// Row makes a row of a fact. The slice is used again for the next.
func (t *FactTable) Row(fact plan.Fact) []Datum {
	t.row = AppendFields(t.row[:0], t.plan, fact)
	if t.plan.HasCounts() {
		t.row = append(t.row, Datum{Value: t.plan.Counts(fact)})
	}
	if t.plan.HasColumn() {
		t.row = append(t.row, Datum{Value: t.plan.ColumnOf(fact)})
	}
	t.row = append(t.row, Datum{Value: cube.Text(t.plan.Cube().Resources[fact.Resource].Name)}, Datum{Value: cube.Integer(fact.Line)})
	return t.row
}

// AppendFields appends the cells of a fact.
func AppendFields(row []Datum, p *plan.FactPlan, fact plan.Fact) []Datum {
	for i := range p.Fields() {
		row = append(row, Datum{Value: fact.Values[i].Value, Amount: fact.Values[i].Amount})
	}
	return row
}

// MemberColumns are the columns of a plan's members.
func MemberColumns(p *plan.MemberPlan) []Column {
	columns := each.Of(p.Path(), func(key cube.Column) Column { return Column{Name: key.Name, kind: kindOf(key)} })
	if label := p.Level().LabelRef; label != "" {
		columns = append(columns, Column{Name: label, long: true})
	}
	year := kindText
	if column, ok := p.Cube().Model.FiscalYear(); ok {
		year = kindOf(column)
	}
	return append(columns, Column{Name: "_rows", kind: kindWhole}, Column{Name: "_first_year", kind: year},
		Column{Name: "_last_year", kind: year})
}

// AppendMemberRow appends the cells of a member.
func AppendMemberRow(row []Datum, m plan.MemberRow, labelled bool) []Datum {
	for _, key := range m.Path {
		row = append(row, Datum{Value: key})
	}
	if labelled {
		row = append(row, Datum{Value: m.Label})
	}
	return append(row, Datum{Value: cube.Integer(m.Rows)}, Datum{Value: m.First}, Datum{Value: m.Last})
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

// maxDigits is how many digits fit into 64 bits, whichever they are.
const maxDigits = 18

// powers are those of ten that fit into 64 bits.
var powers = func() (list [maxDigits + 1]int64) {
	list[0] = 1
	for i := 1; i < len(list); i++ {
		list[i] = list[i-1] * 10
	}
	return list
}()

// unscaled gives an amount as a whole number of its last decimals, where that loses nothing and fits.
func unscaled(amount decimal.Decimal, scale int32) (int64, bool) {
	more := int(amount.Exponent() + scale)
	if more < 0 || more > maxDigits || amount.NumDigits()+more > maxDigits {
		return 0, false
	}
	return amount.CoefficientInt64() * powers[more], true
}

// zeros fill up an amount that is less than one.
var zeros = slices.Repeat([]byte{'0'}, maxDigits+1)

// appendFixed writes an amount with so many decimals, as StringFixed does, in no memory of its own where it fits into
// 64 bits.
func appendFixed(b []byte, amount decimal.Decimal, scale int32) []byte {
	n, ok := unscaled(amount, scale)
	if !ok || scale > maxDigits {
		return append(b, amount.StringFixed(scale)...)
	}
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	first := len(b)
	b = strconv.AppendInt(b, n, 10)
	if scale <= 0 {
		return b
	}
	if lack := int(scale) + 1 - (len(b) - first); lack > 0 {
		b = slices.Insert(b, first, zeros[:lack]...)
	}
	return slices.Insert(b, len(b)-int(scale), '.')
}

// significant counts the digits of a number from the first to the last that is not 0.
func significant(number string) int {
	count, zeros := 0, 0
	for _, c := range []byte(number) {
		switch {
		case c == '0' && count > 0:
			zeros++
		case c >= '1' && c <= '9':
			count, zeros = count+zeros+1, 0
		}
	}
	return count
}

// shortened writes a number with so many significant digits, rounded half to even.
func shortened(amount decimal.Decimal, digits int) string {
	return amount.RoundBank(int32(digits-amount.NumDigits()) - amount.Exponent()).String()
}
