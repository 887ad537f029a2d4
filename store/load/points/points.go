// Package points makes data points of the rows of a file: what Fiscal Data Package 1.0 calls denormalising.
//
// A Maker is made once from a resource, as a list of functions of a row, one for each field of its data points: it takes the cell of a
// column, a constant, or the cell of a code list's row that the row refers to, and cleans it. It keeps no row, so that a file of any size
// streams through it, and a resource whose rows are data points as they stand has none.
package points

import (
	"fmt"
	"slices"

	"fiscube/cube"
	"fiscube/store/load/numeric"
)

// Maker makes the data points of the rows of a resource.
type Maker struct {
	lists   []*list
	points  [][]cell // of each row, in order
	fields  []cube.Field
	made    []string // the cells of the last data point
	entries [][]string
	checks  []check // of the fields; nil for one without constraints
	note    func(Mistake)
}

// Mistake is what is wrong with a cell, which is loaded as it is.
type Mistake struct {
	Code  string
	Field string
	Cell  string
	List  string // CodeNotListed: the resource of the code list

	Constraint string // CodeConstraint: its name
}

// The codes of mistakes, which are those of findings.
const (
	CodeNotListed  = "code-not-listed"
	CodeOtherType  = "cell-of-other-type"
	CodeConstraint = "constraint-broken"
)

// cell gives the cell of a field in a data point.
type cell struct {
	from   cube.Origin
	column int
	list   int
	text   string // of a constant
	clean  clean  // nil where cells are taken as they are
}

// isSame tells whether a field of two data points has one cell of the row.
func (c cell) isSame(other cell) bool {
	return c.from == other.from && c.column == other.column && c.list == other.list && c.text == other.text
}

// BadConstant is the error of a field that the descriptor gives a value of another type, by constant or by normalize.
type BadConstant struct {
	Field cube.Field
	Text  string
}

// Error implements error.
func (e *BadConstant) Error() string {
	return fmt.Sprintf("the descriptor gives the field, by constant or normalize, the value %q, which is no %s: write one, or another type", e.Text, e.Field.Type)
}

// constant gives a value of the descriptor as facts have it, and whether it is one of its field's type.
func constant(f cube.Field, clean clean, text string) (string, bool) {
	ok := true
	if clean != nil {
		text, ok = clean(text)
	}
	if (f.Type == "number" || f.Type == "integer") && text != "" {
		_, _, _, ok = numeric.FormOf(f).Read(text)
	}
	return text, ok
}

// Needed tells whether the rows of a resource become data points by more than their cells.
func Needed(r *cube.Resource) bool {
	if r.Points != nil {
		return true
	}
	return slices.ContainsFunc(r.Schema.Fields, func(f cube.Field) bool { return cleaner(f, f, r.Schema.MissingValues) != nil || f.Constraints != nil })
}

// New makes the Maker of a resource, whose code lists have these rows below their header, in the order of Points.Lists. Mistakes go to note.
// The error is of a code list with one code twice, or *BadConstant.
func New(r *cube.Resource, lists []Rows, note func(Mistake)) (*Maker, error) {
	m := &Maker{fields: r.Schema.Fields, made: make([]string, len(r.Schema.Fields)), note: note}
	for _, f := range r.Schema.Fields {
		m.checks = append(m.checks, checkOf(f, r.Schema.MissingValues))
	}
	perRow, file := []cube.Point{{}}, r.FileFields()
	if r.Points != nil {
		perRow = r.Points.PerRow
		for i, l := range r.Points.Lists {
			from := file
			if l.List != nil {
				from = r.Points.Lists[*l.List].Fields
			}
			read, err := newList(l, from[l.On[0]].Name, lists[i])
			if err != nil {
				return nil, err
			}
			m.lists = append(m.lists, read)
		}
		m.entries = make([][]string, len(m.lists))
	} else {
		for i := range file {
			perRow[0].Cells = append(perRow[0].Cells, cube.PointCell{From: cube.OriginColumn, Column: i})
		}
	}
	for _, p := range perRow {
		cells := make([]cell, len(p.Cells))
		for i, c := range p.Cells {
			from := r.Schema.Fields[i]
			switch c.From {
			case cube.OriginColumn:
				from = file[c.Column]
			case cube.OriginList:
				from = r.Points.Lists[c.List].Fields[c.Column]
			}
			cells[i] = cell{c.From, c.Column, c.List, c.Text, cleaner(r.Schema.Fields[i], from, r.Schema.MissingValues)}
			if c.From != cube.OriginConstant {
				continue
			}
			text, ok := constant(r.Schema.Fields[i], cells[i].clean, c.Text)
			if !ok && !slices.Contains(r.Schema.MissingValues, c.Text) {
				return nil, &BadConstant{Field: r.Schema.Fields[i], Text: c.Text}
			}
			cells[i].text, cells[i].clean = text, nil
		}
		m.points = append(m.points, cells)
	}
	return m, nil
}

// Loaded gives the points with their constants as facts have them.
func (m *Maker) Loaded(p cube.Points) *cube.Points {
	p.PerRow = slices.Clone(p.PerRow)
	for i, cells := range m.points {
		loaded := slices.Clone(p.PerRow[i].Cells)
		for at, c := range cells {
			loaded[at].Text = c.text
		}
		p.PerRow[i].Cells = loaded
	}
	return &p
}

// Each gives the data points of a row, whose cells are valid until the next one. An error of yield ends it.
func (m *Maker) Each(row []string, yield func(cells []string) error) error {
	for i, l := range m.lists {
		m.entries[i] = m.entry(l, row)
	}
	for nth, cells := range m.points {
		for i, c := range cells {
			m.made[i] = m.cell(i, c, row)
		}
		for i, check := range m.checks {
			if check == nil || nth > 0 && cells[i].isSame(m.points[0][i]) { // a cell of the row is looked at once
				continue
			}
			if broken := check(m.made[i]); broken != "" {
				m.note(Mistake{Code: CodeConstraint, Field: m.fields[i].Name, Cell: m.made[i], Constraint: broken})
			}
		}
		if err := yield(m.made); err != nil {
			return err
		}
	}
	return nil
}

// entry gives the row of a code list that a row refers to, or that of the code list within which it is; nil for none.
func (m *Maker) entry(l *list, row []string) []string {
	if l.within != nil {
		row = m.entries[*l.within]
		if row == nil {
			return nil
		}
	}
	found, code := l.find(row)
	if found == nil && code != "" {
		m.note(Mistake{Code: CodeNotListed, Field: l.field, Cell: shown(code), List: l.name})
	}
	return found
}

func (m *Maker) cell(i int, c cell, row []string) string {
	text := c.text
	switch c.from {
	case cube.OriginColumn:
		text = row[c.column]
	case cube.OriginList:
		if m.entries[c.list] == nil {
			return ""
		}
		text = m.entries[c.list][c.column]
	}
	if c.clean == nil || text == "" {
		return text
	}
	cleaned, ok := c.clean(text)
	if !ok {
		m.note(Mistake{Code: CodeOtherType, Field: m.fields[i].Name, Cell: text})
	}
	return cleaned
}
