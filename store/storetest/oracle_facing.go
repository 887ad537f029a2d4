package storetest

import (
	"slices"

	"fiscube/cube"
)

// A comparison is of places of its axis: those that the question is about, and as many so far from them.

// yearly names the measures that have amounts and the other fields that are not empty, by the fiscal year of the rows.
type yearly map[cube.Value]map[string]bool

func (o *oracle) yearly() yearly {
	column, ok := o.model.FiscalYear()
	if !ok || o.years != nil {
		return o.years
	}
	o.years = yearly{}
	for _, row := range o.rows {
		year := o.value(row, column)
		if o.years[year] == nil {
			o.years[year] = map[string]bool{}
		}
		for _, c := range o.model.Columns() {
			if o.tells(row, c) {
				o.years[year][c.Name] = true
			}
		}
	}
	return o.years
}

// tells tells whether a row has something in a column.
func (o *oracle) tells(row []string, column cube.Column) bool {
	if _, measured := o.model.Measure(column.Name); measured {
		_, ok := o.amount(row, column.Name)
		return ok
	}
	return !o.value(row, column).IsMissing()
}

func (o *oracle) isYear(field string) bool {
	year, ok := o.model.FiscalYear()
	return ok && year.Name == field
}

// asksAbout gives the places of the axis that the question is about: the years of all rows, as far as the cuts admit them
// and they count, and of another axis what cuts name.
func (o *oracle) asksAbout(q inquiry) map[cube.Value]bool {
	axis, _ := o.model.Column(q.along())
	var counted map[cube.Value]bool
	if !o.statementsApart(q.keys) && o.isYear(q.along()) {
		counted = o.yearsCounted(q)
	}
	about := map[cube.Value]bool{}
	for _, at := range o.mentioned(q) {
		if o.admitsAt(q.plan, axis, at) && (counted == nil || counted[at]) {
			about[at] = true
		}
	}
	return about
}

func (o *oracle) mentioned(q inquiry) []cube.Value {
	var places []cube.Value
	if o.isYear(q.along()) {
		for year := range o.yearly() {
			places = append(places, year)
		}
		return places
	}
	for _, f := range asked(q.plan) {
		for _, t := range slices.Concat(f.Any...) {
			if t.Members == nil && t.Column.Name == q.along() {
				places = append(append(places, t.In...), t.From, t.To)
			}
		}
	}
	return places
}

// admitsAt tells whether the cuts admit a value of a column, whatever else they ask of a row.
func (o *oracle) admitsAt(plan *cube.Plan, column cube.Column, at cube.Value) bool {
	return !slices.ContainsFunc(asked(plan), func(f cube.Filter) bool {
		return o.judge(f, func(c cube.Column) (cube.Value, bool) { return at, c.Name == column.Name }) == no
	})
}

// faces tells whether a row is of a place that the question is compared with.
func (o *oracle) faces(q inquiry, row []string) bool {
	if !o.isYear(q.along()) {
		return true
	}
	later := shifted(o.cells(row, q.along())[0], -q.compare.Offset)
	return !later.IsMissing() && q.faced[later]
}

// facesAll tells whether rows are to be found for all places that the question is about: of their years and, where
// they state money again, of the statements that count.
func (o *oracle) facesAll(q inquiry) bool {
	if o.isYear(q.along()) && len(q.about) == 0 {
		return false
	}
	for at := range q.about {
		there := shifted(at, q.compare.Offset)
		if there.IsMissing() || o.isYear(q.along()) && !o.standBeside(q, at, there) {
			return false
		}
	}
	s := o.model.Snapshots()
	if s == nil || q.every() || o.statementsApart(q.keys) || !o.knows(q) {
		return true
	}
	later := o.lastStatements(q.plan, false)
	return len(o.aligned(q, later).last) == len(later.last)
}

// unevenOf names the measures that have amounts in some year that the question is about and none in the year that it is
// compared with, or the other way round. A year that has nothing to be compared with at all is not one of these: what
// it is a part of is null anyway.
func (o *oracle) unevenOf(q inquiry) []string {
	return o.measuresWhere(q, func(here, there bool) bool { return here != there })
}

// patchyOf names the measures that have no amounts in some of the years that are compared.
func (o *oracle) patchyOf(q inquiry) []string {
	return o.measuresWhere(q, func(here, there bool) bool { return !here || !there })
}

// measuresWhere names the measures that, in a year that has a counterpart, have amounts here and there as is asked.
func (o *oracle) measuresWhere(q inquiry, asked func(here, there bool) bool) []string {
	if !o.isYear(q.along()) {
		return nil
	}
	var measures []string
	for _, m := range o.model.Measures() {
		for year := range q.about {
			there := shifted(year, q.compare.Offset)
			if o.standBeside(q, year, there) && asked(o.yearly()[year][m.Ref], o.yearly()[there][m.Ref]) {
				measures = append(measures, m.Ref)
				break
			}
		}
	}
	return measures
}

// isUneven tells whether amounts of several years are not there in the same years of both sides.
func (r *rows) isUneven(ref cube.AggregateRef) bool {
	return len(r.about) > 1 && slices.ContainsFunc(r.uneven, func(measure string) bool { return r.isOf(ref, measure) })
}

// isPatchy tells whether a row that one side has not may only be one of a measure that was not told there: in the year
// that the row is of, or in any if it is of several.
func (r *rows) isPatchy(ref cube.AggregateRef, n, parent *node) bool {
	q := r.inquiry
	at := slices.IndexFunc(q.keys, func(c cube.Column) bool { return r.isYear(c.Name) })
	if at >= 0 && at < len(n.Keys) && !r.isOfYears(n, parent, ref) {
		q.about = map[cube.Value]bool{n.Keys[at]: true}
	}
	return slices.ContainsFunc(r.patchyOf(q), func(measure string) bool { return r.isOf(ref, measure) })
}
