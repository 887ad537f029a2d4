package site

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"fiscube/cube"
	"fiscube/cube/prose"
)

// TitleOfCube names a cube for people: by its title, else by its name.
func (v *Visit) TitleOfCube(cb *cube.Cube) string { return cmp.Or(cb.TitleIn(v.Language), cb.Name) }

// LevelTitle names a level for people.
func (v *Visit) LevelTitle(l cube.Level) string { return prose.LevelTitle(l, v.Language) }

// Once leaves out of names, from above, those that say the same as the next one: codes tell such members apart.
func Once(names []string) []string {
	return slices.CompactFunc(slices.Clone(names), strings.EqualFold)
}

// DateOf is the day on which a cube was loaded (ISO 8601).
func DateOf(cb *cube.Cube) string { return cb.LoadedAt.Format(time.DateOnly) }

// YearsOf writes the fiscal years of a cube, those that follow one another from the first to the last, or "".
func YearsOf(cb *cube.Cube) string {
	first, last, ok := cb.Years()
	switch {
	case !ok:
		return ""
	case cb.Coverage == nil || len(cb.Coverage.Years) == 0:
		return Span(cube.Integer(first), cube.Integer(last))
	}
	return Spans(cb.Coverage.Years)
}

// Spans writes years that ascend, those that follow one another from the first to the last.
func Spans(years []int64) string {
	var spans []string
	for begin, i := 0, 0; i < len(years); i++ {
		if i+1 == len(years) || years[i+1] != years[i]+1 {
			spans = append(spans, Span(cube.Integer(years[begin]), cube.Integer(years[i])))
			begin = i + 1
		}
	}
	return strings.Join(spans, ", ")
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
