package cube_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// memory is a store of a few rows. It filters, groups and adds up as a plan says, and no more: what is finished in
// memory is the engine's work. Values of text and numbers are as published.
type memory struct {
	cube.Backend
	model *cube.Model
	rows  [][]string // a cell for each of the model's columns
}

// remember makes a store of lines of cells, of which spaces stand for commas and - for nothing.
func remember(m *cube.Model, lines ...string) *cube.Engine {
	store := memory{model: m}
	for _, line := range lines {
		store.rows = append(store.rows, strings.Fields(line))
	}
	return cube.NewEngine(store)
}

func (m memory) cell(row []string, c cube.Column) cube.Value {
	i := slices.IndexFunc(m.model.Columns(), func(x cube.Column) bool { return x.Name == c.Name })
	switch {
	case row[i] == "-":
		return cube.Missing
	case c.Type == cube.TypeInteger:
		return cube.Integer(decimal.RequireFromString(row[i]).IntPart())
	}
	return cube.Text(row[i])
}

func (m memory) Run(_ context.Context, p *cube.Plan) iter.Seq2[cube.Cell, error] {
	return func(yield func(cube.Cell, error) bool) {
		cells := m.cells(p)
		total := make([]decimal.NullDecimal, len(p.Parts()))
		for i := range cells {
			for j, part := range p.Parts() {
				total[j] = merged(part.Func, total[j], cells[i].Parts[j])
			}
		}
		if !yield(cube.Cell{Count: int64(len(cells)), Parts: total, Values: p.SummaryValues(total)}, nil) {
			return
		}
		if size := p.Page().Size; size >= 0 { // else it is cube.Every
			cells = cells[:min(len(cells), size)]
		}
		for _, cell := range cells {
			cell.Values = p.Values(cell.Parts, total)
			if !yield(cell, nil) {
				return
			}
		}
	}
}

// cells groups the rows in the order of their keys.
func (m memory) cells(p *cube.Plan) []cube.Cell {
	var cells []cube.Cell
	for _, row := range m.rows {
		if slices.ContainsFunc(p.Filters(), func(f cube.Filter) bool { return m.admits(f, row) == f.Not }) {
			continue
		}
		var keys []cube.Value
		for _, c := range p.Keys() {
			keys = append(keys, m.cell(row, c))
		}
		i := slices.IndexFunc(cells, func(c cube.Cell) bool { return slices.Equal(c.Keys, keys) })
		if i < 0 {
			i = len(cells)
			cells = append(cells, m.empty(p, keys))
		}
		for j, part := range p.Parts() {
			if !part.Guarded || m.admits(*p.Guard(), row) {
				cells[i].Parts[j] = merged(part.Func, cells[i].Parts[j], m.part(part, row))
			}
		}
	}
	cells = slices.DeleteFunc(cells, func(c cube.Cell) bool {
		return slices.ContainsFunc(p.Having(), func(h cube.Having) bool { return h.AlwaysNull || !meets(h, c.Parts) })
	})
	slices.SortFunc(cells, func(a, b cube.Cell) int { return slices.CompareFunc(a.Keys, b.Keys, cube.Value.Compare) })
	return cells
}

// empty is a cell of no rows. Its members are called by their keys in capitals.
func (m memory) empty(p *cube.Plan, keys []cube.Value) cube.Cell {
	cell := cube.Cell{Keys: keys, Labels: make([]cube.Value, len(p.Levels())), Ranks: make([]cube.Value, len(p.Levels())),
		Parts: make([]decimal.NullDecimal, len(p.Parts()))}
	for i, level := range p.Levels() {
		if level.LabelRef != "" {
			place := slices.IndexFunc(p.Keys(), func(c cube.Column) bool { return c.Name == level.Ref })
			cell.Labels[i] = cube.Text(strings.ToUpper(keys[place].String()))
		}
	}
	for i, part := range p.Parts() {
		if part.Func == cube.Rows || part.Func == cube.Count {
			cell.Parts[i] = decimal.NewNullDecimal(decimal.Zero)
		}
	}
	return cell
}

func (m memory) admits(f cube.Filter, row []string) bool {
	return slices.ContainsFunc(f.Any, func(tests []cube.Test) bool {
		return !slices.ContainsFunc(tests, func(t cube.Test) bool {
			v := m.cell(row, t.Column)
			if len(t.In) > 0 {
				return !slices.Contains(t.In, v)
			}
			return v.IsMissing() || !t.From.IsMissing() && v.Compare(t.From) < 0 || !t.To.IsMissing() && v.Compare(t.To) > 0
		})
	})
}

// part is what one row adds to a part.
func (m memory) part(p cube.Part, row []string) decimal.NullDecimal {
	one := decimal.NewNullDecimal(decimal.NewFromInt(1))
	if p.Func == cube.Rows {
		return one
	}
	amount := m.cell(row, cube.Column{Name: p.Measure})
	switch {
	case amount.IsMissing():
		return decimal.NullDecimal{}
	case p.Func == cube.Count:
		return one
	}
	return decimal.NewNullDecimal(decimal.RequireFromString(amount.String()))
}

func merged(f cube.Func, a, b decimal.NullDecimal) decimal.NullDecimal {
	switch {
	case !a.Valid:
		return b
	case !b.Valid:
		return a
	case f == cube.Min:
		return decimal.NewNullDecimal(decimal.Min(a.Decimal, b.Decimal))
	case f == cube.Max:
		return decimal.NewNullDecimal(decimal.Max(a.Decimal, b.Decimal))
	}
	return decimal.NewNullDecimal(a.Decimal.Add(b.Decimal))
}

// meets divides, which stores do not.
func meets(h cube.Having, parts []decimal.NullDecimal) bool {
	value, ok := linear(h.Num, parts)
	if len(h.Den) > 0 && ok {
		var den decimal.Decimal
		if den, ok = linear(h.Den, parts); den.IsZero() {
			return false
		}
		value = value.Div(den)
	}
	order := value.Cmp(h.Number)
	return ok && map[cube.Comparison]bool{cube.Less: order < 0, cube.LessOrEqual: order <= 0, cube.Equal: order == 0,
		cube.GreaterOrEqual: order >= 0, cube.Greater: order > 0, cube.Unequal: order != 0}[h.Op]
}

func linear(terms []cube.Term, parts []decimal.NullDecimal) (sum decimal.Decimal, ok bool) {
	for _, t := range terms {
		if !parts[t.Part].Valid {
			return sum, false
		}
		sum = sum.Add(parts[t.Part].Decimal.Mul(t.Factor))
	}
	return sum, true
}

// answered asks a question and writes the answer: a line for each row, with its keys, its values and what is said of
// it, then the count and the summary.
func answered(t testing.TB, e *cube.Engine, c *cube.Cube, question string) string {
	t.Helper()
	return told(t, e, bindTo(t, c, question))
}

func told(t testing.TB, e *cube.Engine, plan *cube.Plan) string {
	t.Helper()
	result, err := e.Aggregate(t.Context(), plan)
	if err != nil {
		t.Fatalf("%s: %v", plan, err)
	}
	var lines []string
	for _, cell := range result.Cells {
		line := shownKeys(cell.Keys) + "= " + shownNumbers(cell.Values)
		for _, said := range []string{cell.Level, string(cell.Change)} {
			if said != "" {
				line += " " + said
			}
		}
		if cell.Others > 0 {
			line += " others " + decimal.NewFromInt(cell.Others).String()
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, decimal.NewFromInt(result.Summary.Count).String()+": "+shownNumbers(result.Summary.Values)), "\n")
}

func shownKeys(keys []cube.Value) string {
	text := ""
	for _, key := range keys {
		if key.IsMissing() {
			text += "-"
		}
		text += key.String() + " "
	}
	return text
}

func shownNumbers(values []decimal.NullDecimal) string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = showNumber(v)
	}
	return strings.Join(list, " ")
}
