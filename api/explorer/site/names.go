package site

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"fiscube/cube"
	"fiscube/cube/prose"
)

// titled is what cubes have alike that readers would take for one another.
type titled struct {
	title  string
	madeUp bool
}

// TitleOfCube names a cube for people: by its title, else by its name, and by both where others have the same title.
func (g *Guest) TitleOfCube(cb *cube.Cube) string {
	title := cmp.Or(cb.TitleIn(g.Language), cb.Name)
	if title != cb.Name && len(g.TitledAlike(cb)) > 0 {
		title += " (" + cb.Name + ")"
	}
	return title
}

// TitledAlike are the other cubes that are served with the title of a cube, and like it are made up or not. It is nil where there is no catalogue.
func (g *Guest) TitledAlike(cb *cube.Cube) []*cube.Cube {
	if g.titled == nil {
		return nil
	}
	others := g.titled()[titled{cb.TitleIn(g.Language), cb.Synthetic}]
	return slices.DeleteFunc(slices.Clone(others), func(other *cube.Cube) bool { return other.Name == cb.Name })
}

// byTitle groups cubes by what readers would take for the same, once: what a page asks side by side may name them.
func byTitle(cubes []*cube.Cube, l cube.Language) func() map[titled][]*cube.Cube {
	return sync.OnceValue(func() map[titled][]*cube.Cube {
		groups := map[titled][]*cube.Cube{}
		for _, cb := range cubes {
			kind := titled{cb.TitleIn(l), cb.Synthetic}
			groups[kind] = append(groups[kind], cb)
		}
		return groups
	})
}

// LevelTitle names a level for people.
func (g *Guest) LevelTitle(l cube.Level) string { return prose.LevelTitle(l, g.Language) }

// ByLevel says that amounts are divided by a level.
func (g *Guest) ByLevel(l cube.Level) string { return prose.ByLevel(l, g.Locale) }

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
