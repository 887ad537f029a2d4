package load

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/store/load/coded"
	"fiscube/store/load/numeric"
)

// typer puts the cells of a file's rows into the order of the model's columns, in canonical form.
type typer struct {
	columns []typedColumn
	row     []string
	codes   []uint32
}

// typedColumn makes the cells of a column.
type typedColumn struct {
	make  maker
	field int         // the index of the only field that it is made of, or -1
	known []typedCell // by the code of that field's cell
	codes *columnCodes
}

// typedCell is what a column makes of a cell of its field.
type typedCell struct {
	made bool
	code uint32
	text string
}

// newTyper makes the typer of a resource; noise has the rule of each published field of amounts, codes the codes of each column.
func newTyper(m *cube.Model, r *cube.Resource, noise map[string]numeric.NoiseRule, codes []*columnCodes) *typer {
	t := &typer{row: make([]string, len(m.Columns())), codes: make([]uint32, len(m.Columns()))}
	b := &makerBuilder{resource: r, missing: isMissing(r.Schema), noise: noise}
	for i, c := range m.Columns() {
		column := typedColumn{make: b.typed(c, b.column(c)), field: -1, codes: codes[i]}
		if fields := sourcesOf(c); len(fields) == 1 && (c.From == nil || c.From.Rule != cube.RuleWhere) { // which looks at more cells
			column.field = r.Field(fields[0])
		}
		t.columns = append(t.columns, column)
	}
	return t
}

// constantsOf gives the cells of the columns that the constants of a data point alone make, as facts have them.
func constantsOf(m *cube.Model, r *cube.Resource, point cube.Point) map[string]string {
	b := &makerBuilder{resource: r, missing: isMissing(r.Schema)}
	row, constants := make([]string, len(point.Cells)), map[string]string{}
	for i, c := range point.Cells {
		row[i] = c.Text
	}
	isConstant := func(field string) bool {
		i := r.Field(field)
		return i >= 0 && point.Cells[i].From == cube.OriginConstant
	}
	for _, c := range m.Columns() {
		if !slices.ContainsFunc(fieldsOf(c), func(field string) bool { return !isConstant(field) }) {
			constants[c.Name] = b.typed(c, b.column(c))(row)
		}
	}
	return constants
}

// fieldsOf lists the published fields whose cells a column's are made of.
func fieldsOf(c cube.Column) []string {
	if c.From == nil {
		return []string{c.Name}
	}
	return c.From.Fields
}

// cells gives one cell for each column, with its code; the slices are used again for the next row.
func (t *typer) cells(row coded.Row) ([]string, []uint32) {
	for i := range t.columns {
		t.row[i], t.codes[i] = t.columns[i].cell(row)
	}
	return t.row, t.codes
}

func (c *typedColumn) cell(row coded.Row) (string, uint32) {
	if c.field < 0 {
		text := c.make(row.Cells)
		return text, c.codes.of(text)
	}
	code := int(row.Codes[c.field])
	if code == 0 {
		return c.make(row.Cells), 0
	}
	if code >= len(c.known) {
		c.known = append(c.known, make([]typedCell, code+1-len(c.known))...)
	}
	known := &c.known[code]
	if !known.made {
		text := c.make(row.Cells)
		*known = typedCell{true, c.codes.of(text), text}
	}
	return known.text, known.code
}

// columnCodes gives the cells of a column their codes, the same in all files. Nil gives none.
type columnCodes struct {
	byText map[string]uint32
	last   string
	code   uint32 // of last, if that has one
	left   *int   // bytes that the cells of all columns may still take
}

// mostCodeBytes bounds what the codes of all columns take; further cells get none.
const mostCodeBytes = 32 << 20

// newColumnCodes makes the codes of all columns but those of amounts, which hardly repeat.
func newColumnCodes(m *cube.Model) []*columnCodes {
	left := mostCodeBytes
	codes := make([]*columnCodes, len(m.Columns()))
	for i, c := range m.Columns() {
		if c.Type != cube.TypeDecimal {
			codes[i] = &columnCodes{byText: map[string]uint32{}, left: &left}
		}
	}
	return codes
}

func (c *columnCodes) of(text string) uint32 {
	if c == nil {
		return 0
	}
	if c.code != 0 && c.last == text {
		return c.code
	}
	code, ok := c.byText[text]
	const entryBytes = 64
	if !ok && *c.left >= len(text)+entryBytes {
		*c.left -= len(text) + entryBytes
		code = uint32(len(c.byText) + 1)
		c.byText[strings.Clone(text)] = code
	}
	c.last, c.code = text, code
	return code
}
