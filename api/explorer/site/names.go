package site

import (
	"cmp"
	"time"

	"fiscube/cube"
	"fiscube/cube/prose"
)

// TitleOfCube names a cube for people: by its title, else by its name.
func (v *Visit) TitleOfCube(cb *cube.Cube) string { return cmp.Or(cb.TitleIn(v.Language), cb.Name) }

// LevelTitle names a level for people.
func (v *Visit) LevelTitle(l cube.Level) string { return prose.LevelTitle(l, v.Language) }

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
