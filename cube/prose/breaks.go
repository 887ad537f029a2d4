package prose

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/history"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// mostBreaks bounds how many changes of names a warning lists.
const mostBreaks = 5

// NotCompared says that years are not compared, since codes mean another thing in one than in the other.
func NotCompared(p *plan.Plan, breaks []cube.LabelBreak, l cube.Language) string {
	if len(breaks) == 0 {
		return ""
	}
	all := make([]history.Crossed, len(breaks))
	for i := range breaks {
		all[i].LabelBreak = &breaks[i]
	}
	return asSentence(peopleOf(p, words.Locale{Language: l}).breaks(caveat.Breaks{Way: caveat.ComparesReused, Breaks: all}))
}

// pathText writes the path of a member: with its editions as a cut names them, to people without them, as years are told beside it.
func (w *warner) pathText(b cube.LabelBreak) string {
	model := w.Cube().Model
	level, _ := model.LevelOfKey(b.Level)
	columns := model.PathOf(level)
	if len(columns) == len(b.Path) && slices.ContainsFunc(columns, cube.Column.IsEdition) {
		if !w.tells {
			return plan.PathText(columns, b.Path)
		}
		for i := len(columns) - 2; i >= 0; i-- {
			if columns[i].IsEdition() {
				b.Path = slices.Delete(slices.Clone(b.Path), i, i+1)
			}
		}
	}
	return strings.Join(each.Text(b.Path, func(key string) string { return w.value(cube.Text(key)) }), "/")
}

// breaks names changes of names.
func (w *warner) breaks(p caveat.Breaks) string {
	return w.say(string(p.Way), "Members", first(w, p.Breaks, mostBreaks, "; ", func(c history.Crossed) string {
		return w.say("named-anew", "Level", w.name(c.Level), "Code", w.pathText(*c.LabelBreak), "Before", w.label(c.Before), "Last", words.Digits(c.Last),
			"After", w.label(c.After), "First", words.Digits(c.First))
	}))
}

func (w *warner) label(label string) string {
	if label == "" {
		return w.say("no-label")
	}
	return query.Clip(label)
}
