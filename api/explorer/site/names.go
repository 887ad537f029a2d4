package site

import (
	"cmp"
	"time"

	"fiscube/cube"
)

// TitleOfCube names a cube for people: by its title, else by its name.
func (v *Visit) TitleOfCube(cb *cube.Cube) string { return cmp.Or(cb.TitleIn(v.Language), cb.Name) }

// LevelTitle names a level for people: by its title, else by the field with its labels, else by that with its keys.
func (v *Visit) LevelTitle(m *cube.Model, l cube.Level) string {
	return cmp.Or(l.Titles.In(v.Language), l.LabelRef, l.Ref)
}

// DateOf is the day on which a cube was loaded (ISO 8601).
func DateOf(cb *cube.Cube) string { return cb.LoadedAt.Format(time.DateOnly) }

// YearsOf writes the fiscal years of a cube, or "".
func YearsOf(cb *cube.Cube) string {
	first, last, ok := cb.Years()
	if !ok {
		return ""
	}
	return Span(cube.Integer(first), cube.Integer(last))
}

// Span writes the years from the first to the last.
func Span(first, last cube.Value) string {
	switch {
	case first.IsMissing():
		return ""
	case first.Compare(last) == 0:
		return last.String()
	}
	return first.String() + "–" + last.String()
}
