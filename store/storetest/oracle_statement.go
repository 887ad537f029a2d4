package storetest

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// statements knows which rows count where rows state the same money again (design, section 7): of the statements
// of each period that the cuts admit, those of the last.
type statements struct {
	snapshots *cube.Snapshots
	cells     func(row []string, fields ...string) []cube.Value
	last      map[string]int64 // by period
}

// lastStatements looks for the last statement of each period; without snapshots, or where every statement is
// wanted, all rows count.
func (o *oracle) lastStatements(plan *cube.Plan, every bool) statements {
	s := statements{snapshots: o.model.Snapshots(), cells: o.cells, last: map[string]int64{}}
	if s.snapshots == nil || every {
		return statements{}
	}
	seen := map[string]bool{}
	for _, row := range o.rows {
		period, rank := s.of(row)
		statement := period + strconv.FormatInt(rank, 10)
		if seen[statement] {
			continue
		}
		seen[statement] = true
		if known, ok := s.last[period]; (!ok || rank > known) && o.admitsStatement(plan, row) {
			s.last[period] = rank
		}
	}
	return s
}

// admitsStatement tells whether the cuts admit a row as far as its statement goes, whatever its other cells.
func (o *oracle) admitsStatement(plan *cube.Plan, row []string) bool {
	fields := append(slices.Clone(o.model.Snapshots().Per), o.model.Snapshots().By)
	return !slices.ContainsFunc(asked(plan), func(f cube.Filter) bool {
		return o.judge(f, func(c cube.Column) (cube.Value, bool) { return o.value(row, c), slices.Contains(fields, c.Name) }) == no
	})
}

// statementsApart tells whether grouping by the keys gives each statement a cell of its own.
func (o *oracle) statementsApart(keys []cube.Column) bool {
	s := o.model.Snapshots()
	return s != nil && slices.ContainsFunc(keys, func(c cube.Column) bool { return c.Name == s.By })
}

func (s statements) counts(row []string) bool {
	if s.snapshots == nil {
		return true
	}
	period, rank := s.of(row)
	last, ok := s.last[period]
	return ok && rank == last
}

// of gives the period of a row, and the rank of its statement: its place in the declared order, or the number
// that it is.
func (s statements) of(row []string) (period string, rank int64) {
	name := s.cells(row, s.snapshots.By)[0].String()
	period = pathText(s.cells(row, s.snapshots.Per...))
	if len(s.snapshots.Order) > 0 {
		return period, int64(slices.Index(s.snapshots.Order, name))
	}
	rank, err := strconv.ParseInt(strings.TrimSpace(name), 10, 64)
	if err != nil {
		panic(err) // the package was loaded, so every statement has a number
	}
	return period, rank
}

func (o *oracle) cells(row []string, fields ...string) []cube.Value {
	values := make([]cube.Value, len(fields))
	for i, field := range fields {
		column, _ := o.model.Column(field)
		values[i] = o.value(row, column)
	}
	return values
}
