package storetest

import (
	"math"
	"slices"

	"fiscube/cube"
)

// The question to compare with is the same of rows so far away on the axis. Here the cuts stay and the rows move: a
// row is asked for if it would be, stood it at the place it is compared with. Of years only those are, that the
// question is about.

// earlier groups the rows to compare with. Where a period is on the axis, the statement of a row counts if it is the
// one that counts of the period it is compared with.
func (o *oracle) earlier(q inquiry) map[string]*node {
	moved := func(row []string) func(cube.Column) (cube.Value, bool) {
		return func(c cube.Column) (cube.Value, bool) {
			if c.Name == q.along() {
				return o.back(q, row, c), true
			}
			return o.value(row, c), true
		}
	}
	passes := func(row []string) bool { return o.faces(q, row) && o.passesMoved(q, moved(row)) }
	last, counted := o.lastStatements(q.plan, q.every()), true
	if s := o.model.Snapshots(); s != nil && !q.every() && !o.statementsApart(q.keys) {
		if o.knows(q) {
			last = o.withGaps(q, o.aligned(q, last), moved)
		} else {
			last = o.lastMoved(q, moved)
		}
		counted = slices.ContainsFunc(o.rows, last.counts)
	}
	if !counted || q.axis() < 0 && !o.facesAll(q) {
		return map[string]*node{}
	}
	return o.grouped(q, last, passes)
}

// back is the place that a row is compared with. The missing one is compared with itself, though no cell is; one
// that is too great to be told is next to the greatest, or the least.
func (o *oracle) back(q inquiry, row []string, c cube.Column) cube.Value {
	here := o.value(row, c)
	there := shifted(here, -q.compare.Offset)
	if n, ok := here.Int(); ok && there.IsMissing() {
		return cube.Integer(max(min(n, math.MaxInt64-1), math.MinInt64+1))
	}
	return there
}

func (o *oracle) passesMoved(q inquiry, cell func(cube.Column) (cube.Value, bool)) bool {
	return !slices.ContainsFunc(asked(q.plan), func(f cube.Filter) bool { return o.judge(f, cell) == no })
}

// aligned gives of each earlier period the statement that counts of the later one, if the earlier has it. Along the
// statements themselves it is the one so far from that of the same period.
func (o *oracle) aligned(q inquiry, later statements) statements {
	earlier := statements{snapshots: later.snapshots, cells: later.cells, last: map[string]int64{}}
	axis := slices.Index(later.snapshots.Per, q.along())
	for _, row := range o.rows {
		period, rank := later.of(row)
		key, stated := o.cells(row, later.snapshots.Per...), rank
		if axis >= 0 {
			key[axis] = shifted(key[axis], -q.compare.Offset)
		} else {
			stated = rank - q.compare.Offset
		}
		if counted, ok := later.last[pathText(key)]; ok && (axis < 0 || !key[axis].IsMissing()) && counted == stated {
			earlier.last[period] = rank
		}
	}
	return earlier
}

// withGaps adds the periods that years without rows stand beside: of each it is the last statement that is asked for.
func (o *oracle) withGaps(q inquiry, earlier statements, moved func(row []string) func(cube.Column) (cube.Value, bool)) statements {
	axis, any := slices.Index(earlier.snapshots.Per, q.along()), o.lastMoved(q, moved)
	for _, row := range o.rows {
		period, _ := any.of(row)
		last, asked := any.last[period]
		if asked && axis >= 0 && o.fills(q, shifted(o.cells(row, q.along())[0], -q.compare.Offset)) {
			earlier.last[period] = last
		}
	}
	return earlier
}

// lastMoved gives the last statement of each period that the moved cuts admit.
func (o *oracle) lastMoved(q inquiry, moved func(row []string) func(cube.Column) (cube.Value, bool)) statements {
	s := statements{snapshots: o.model.Snapshots(), cells: o.cells, last: map[string]int64{}}
	fields := append(slices.Clone(s.snapshots.Per), s.snapshots.By)
	for _, row := range o.rows {
		period, rank := s.of(row)
		known, ok := s.last[period]
		if ok && rank <= known {
			continue
		}
		cell := moved(row)
		if o.passesMoved(q, func(c cube.Column) (cube.Value, bool) {
			value, _ := cell(c)
			return value, slices.Contains(fields, c.Name)
		}) {
			s.last[period] = rank
		}
	}
	return s
}

// admitsMoved tells which fiscal years the moved cuts admit.
func (o *oracle) admitsMoved(q inquiry) func(year int64) bool {
	fiscal, ok := o.model.FiscalYear()
	return func(year int64) bool {
		value := cube.Integer(year)
		if year == earliest {
			value = cube.Missing
		}
		if q.compare != nil && o.isYear(q.along()) {
			value = shifted(value, -q.compare.Offset)
			return !value.IsMissing() && (q.about[value] || q.faced[value])
		}
		return !ok || o.passesMoved(q, func(c cube.Column) (cube.Value, bool) { return value, c.Name == fiscal.Name })
	}
}

// movedAlong names the fields of which a cell that is made may have values that no row has in their place.
func (o *oracle) movedAlong(q inquiry, n *node) []string {
	var fields []string
	if q.compare != nil {
		fields = append(fields, q.along())
	}
	if n.Change != cube.ChangeGone && q.query.Fill != cube.FillNone {
		fields = append(fields, q.keys[o.fillAxis(q)].Name)
	}
	return fields
}

// along is the field that is compared along.
func (q inquiry) along() string { return q.compare.Ref.Name }
