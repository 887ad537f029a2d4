package storetest

import (
	"slices"

	"fiscube/cube"
)

// Two years are compared if there are rows of both and the levels that the question drills or cuts are empty in both or
// in neither: where one year says nothing of a level, nothing is new or gone in it.

// yearsFaced gives the years that rows stand beside: those that the question is about and, if it fills the axis, those
// without rows between them.
func (o *oracle) yearsFaced(q inquiry) map[cube.Value]bool {
	faced := map[cube.Value]bool{}
	for there := range o.yearly() {
		year := shifted(there, -q.compare.Offset)
		if q.about[year] && o.standBeside(q, year, there) || o.fills(q, year) {
			faced[year] = true
		}
	}
	return faced
}

// standBeside tells whether the rows of a year can be compared with those of another.
func (o *oracle) standBeside(q inquiry, year, there cube.Value) bool {
	tells, known := o.yearly()[there]
	return known && !there.IsMissing() && !slices.ContainsFunc(o.levelsOf(q), func(field string) bool {
		return tells[field] != o.yearly()[year][field]
	})
}

// levelsOf names the fields that the question drills or cuts, but for its axis.
func (o *oracle) levelsOf(q inquiry) []string {
	fields := fieldsOf(q.keys)
	for _, f := range asked(q.plan) {
		for _, t := range slices.Concat(f.Any...) {
			fields = append(fields, t.Column.Name)
		}
	}
	return slices.DeleteFunc(fields, func(field string) bool { return field == q.along() })
}

// fills tells whether a year of no rows may have cells of its own.
func (o *oracle) fills(q inquiry, year cube.Value) bool {
	at, whole := year.Int()
	if !whole || q.query.Fill == cube.FillNone || q.axis() < 0 || o.fillAxis(q) != q.axis() || o.yearly()[year] != nil {
		return false
	}
	before, after := false, false
	for asked := range q.about {
		n, whole := asked.Int()
		before, after = before || whole && n < at, after || whole && n > at
	}
	return before && after && o.admitsAt(q.plan, q.keys[q.axis()], year)
}

// spansAll tells whether what is summed up by some fields is of all places of an axis of which one is known to stand
// beside nothing.
func (r *rows) spansAll(fields []string) bool {
	return r.compare != nil && r.axis() >= 0 && !slices.Contains(fields, r.along()) && r.knows(r.inquiry) && !r.facesAll(r.inquiry)
}

// sumBy adds up all cells that have the same in some fields.
func (r *rows) sumBy(fields []string, cells []*node) *node {
	sum := together(cells)
	if r.spansAll(fields) {
		sum.earlier, sum.parts = nil, ""
	}
	return sum
}

func fieldsOf(columns []cube.Column) []string {
	var fields []string
	for _, c := range columns {
		fields = append(fields, c.Name)
	}
	return fields
}
