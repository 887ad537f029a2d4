package sqlgen

import (
	"fmt"
	"iter"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// Cells reads the rows of the statement that Aggregate made for the plan: the summary first, then the cells.
// A row holds nil, int32, int64, string and decimal.Decimal alone, whichever the store.
func Cells(p *cube.Plan, rows iter.Seq2[[]any, error]) iter.Seq2[cube.Cell, error] {
	return func(yield func(cube.Cell, error) bool) {
		r := newRowReader(p)
		first := true
		for row, err := range rows {
			if err != nil {
				yield(cube.Cell{}, err)
				return
			}
			if first && !yield(r.summary(row), nil) {
				return
			}
			first = false
			if r.hasCell(row) && !yield(r.cell(row), nil) {
				return
			}
		}
	}
}

// rowReader knows at which column of a row each group of values begins.
type rowReader struct {
	plan                                       *cube.Plan
	labelled, ranked                           []int
	totals, one, keys, labels, ranks, parts, n int
	total                                      []decimal.NullDecimal // the parts over all cells
}

func newRowReader(p *cube.Plan) *rowReader {
	r := &rowReader{plan: p, labelled: Labelled(p), ranked: Ranked(p), totals: 1, n: len(p.Parts())}
	r.one = r.totals + r.n
	r.keys = r.one + 1
	r.labels = r.keys + len(p.Keys())
	r.ranks = r.labels + len(r.labelled)
	r.parts = r.ranks + len(r.ranked)
	return r
}

func (r *rowReader) hasCell(row []any) bool { return row[r.one] != nil }

func (r *rowReader) summary(row []any) cube.Cell {
	r.total = numbers(row[r.totals : r.totals+r.n])
	return cube.Cell{Count: row[0].(int64), Parts: r.total, Values: r.plan.SummaryValues(r.total)}
}

func (r *rowReader) cell(row []any) cube.Cell {
	keys, levels := len(r.plan.Keys()), len(r.plan.Levels())
	texts := make([]cube.Value, keys+2*levels) // one piece of memory for all three
	cell := cube.Cell{
		Keys:   texts[:keys:keys],
		Labels: texts[keys : keys+levels : keys+levels],
		Ranks:  texts[keys+levels:],
		Parts:  numbers(row[r.parts : r.parts+r.n]),
	}
	cell.Values = r.plan.Values(cell.Parts, r.total)
	for i := range cell.Keys {
		cell.Keys[i] = value(row[r.keys+i])
	}
	for i, level := range r.labelled {
		cell.Labels[level] = r.label(row[r.labels+i], level, cell.Keys)
	}
	for i, level := range r.ranked {
		cell.Ranks[level] = value(row[r.ranks+i])
	}
	return cell
}

// label is what a member is shown by: its label or, where it has none, its key.
func (r *rowReader) label(text any, level int, keys []cube.Value) cube.Value {
	if s, ok := text.(string); ok && s != "" {
		return cube.Text(s)
	}
	for i, k := range r.plan.Keys() {
		if k.Name == r.plan.Levels()[level].Ref && !keys[i].IsMissing() {
			return cube.Text(keys[i].String())
		}
	}
	return cube.Missing
}

func numbers(parts []any) []decimal.NullDecimal {
	list := make([]decimal.NullDecimal, len(parts))
	for i, part := range parts {
		list[i] = number(part)
	}
	return list
}

func value(v any) cube.Value {
	switch v := v.(type) {
	case nil:
		return cube.Missing
	case string:
		return cube.Text(v)
	case int32:
		return cube.Integer(int64(v))
	case int64:
		return cube.Integer(v)
	}
	panic(fmt.Sprintf("a key of type %T", v))
}

func number(v any) decimal.NullDecimal {
	switch v := v.(type) {
	case nil:
		return decimal.NullDecimal{}
	case int64:
		return decimal.NewNullDecimal(decimal.NewFromInt(v))
	case decimal.Decimal:
		return decimal.NewNullDecimal(v)
	}
	panic(fmt.Sprintf("an amount of type %T", v))
}
