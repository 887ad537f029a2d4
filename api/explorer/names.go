package explorer

import (
	"cmp"
	"time"

	"fiscube/cube"
	"fiscube/cube/plan"
)

func (v *visit) titleOfCube(cb *cube.Cube) string { return cmp.Or(cb.TitleIn(v.Language), cb.Name) }

// levelTitle names a level for people: by its title, else by the field with its labels, else by that with its keys.
func (v *visit) levelTitle(m *cube.Model, l cube.Level) string {
	return cmp.Or(l.Titles.In(v.Language), l.LabelRef, l.Ref)
}

// dateOf is the day on which a cube was loaded (ISO 8601).
func dateOf(cb *cube.Cube) string { return cb.LoadedAt.Format(time.DateOnly) }

// yearsOf writes the fiscal years of a cube, or "".
func yearsOf(cb *cube.Cube) string {
	first, last, ok := cb.Years()
	if !ok {
		return ""
	}
	return span(cube.Integer(first), cube.Integer(last))
}

// span writes the years from the first to the last.
func span(first, last cube.Value) string {
	switch {
	case first.IsMissing():
		return ""
	case first.Compare(last) == 0:
		return last.String()
	}
	return first.String() + "–" + last.String()
}

// currencyOf is the currency of an aggregate whose amounts are counted in ones of it, or "".
func currencyOf(m *cube.Model, a plan.Aggregate) string {
	measure, _ := m.Measure(a.Measure) // counts and formulas have none
	if measure.Unit > 1 {
		return ""
	}
	return measure.Currency
}

// yearOf is the column of the fiscal year; of a model without years it has no name.
func yearOf(m *cube.Model) cube.Column {
	year, _ := m.FiscalYear() // without one no column has an empty name
	return year
}
