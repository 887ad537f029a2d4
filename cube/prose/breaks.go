package prose

import (
	"fmt"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/history"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// breakWords are the templates of warnings of names that change, in one language.
type breakWords struct {
	item       string // a level, the path of a member, a label, the last year with it, the next label, and the first year with that
	none       string // a member without a label
	sums       string // what it means that codes are reused: the rows add up different things
	names      string // the rows have the names of later years
	changed    string // other names of one thing
	notCompare string // reused codes are not compared
	renumbered string // a level, the year, the members that mean another thing, and of how many
}

var breakTexts = map[cube.Language]breakWords{
	cube.English: {
		item: "%s %s is “%s” to %d and “%s” from %d", none: "(no label)",
		sums:       "%s: its cells add up different things",
		names:      "%s: its cells of earlier years have the label of a later year",
		changed:    "%s: the label of the latest year is shown",
		notCompare: "%s: different things are not compared",
		renumbered: "%s was numbered anew in %d: %d of %d of its codes mean something else from then on",
	},
	cube.Spanish: {
		item: "%s %s es «%s» hasta %d y «%s» desde %d", none: "(sin nombre)",
		sums:       "%s: sus celdas suman cosas distintas",
		names:      "%s: sus celdas de años anteriores llevan el nombre de un año posterior",
		changed:    "%s: se muestra el nombre del último año",
		notCompare: "%s: no se comparan cosas distintas",
		renumbered: "%s se numeró de nuevo en %d: %d de %d de sus códigos significan otra cosa desde entonces",
	},
	cube.Croatian: {
		item: "%s %s je „%s“ do %d., a „%s“ od %d.", none: "(bez naziva)",
		sums:       "%s – u tim su ćelijama zbrojene različite stvari",
		names:      "%s – ćelije za ranije godine nose naziv iz kasnije godine",
		changed:    "%s – prikazan je naziv iz posljednje godine",
		notCompare: "%s – različite se stvari ne uspoređuju",
		renumbered: "%s ima novu numeraciju od %d.: otad %d od ukupno %d {šifre|šifre|šifara} ima drugo značenje",
	},
}

// mostBreaks bounds how many changes of names a warning lists.
const mostBreaks = 5

// labelBreaks warns of the names that change between the years of a row:
//
//  1. Codes that mean another thing are named where a row adds up both things, else where it has the later name, and where
//     it is not compared.
//  2. Things that only have another name are named in one warning.
//  3. A level that was numbered anew is named with the year, if rows add up or compare years before and after.
func (w *warner) labelBreaks() {
	words := in(breakTexts, w.language)
	if w.tells {
		telling := in(tellingTexts, w.language)
		words.sums, words.names, words.changed, words.notCompare = telling.sums, telling.names, telling.changed, telling.notCompare
	}
	list := func(admit func(history.Crossed) bool) []history.Crossed {
		return slices.DeleteFunc(slices.Clone(w.seen.Breaks), func(c history.Crossed) bool { return !admit(c) })
	}
	w.breaks(cube.WarnCodeReused, words.sums, list(func(c history.Crossed) bool { return c.Reused && c.Sums }))
	w.breaks(cube.WarnCodeReused, words.names, list(func(c history.Crossed) bool { return c.Reused && c.Names && !c.Sums }))
	w.breaks(cube.WarnNotCompared, words.notCompare, list(func(c history.Crossed) bool { return c.Reused && c.Compares }))
	w.breaks(cube.WarnLabelChanged, words.changed, list(func(c history.Crossed) bool { return !c.Reused }))
	for _, r := range w.LabelBreaks().Renumbered() {
		w.warn(cube.WarnLevelRenumbered, words.renumbered, w.name(r.Level), r.Year, r.Members, r.Of)
	}
}

// NotCompared says that years are not compared, since codes mean another thing in one than in the other.
func NotCompared(p *plan.Plan, breaks []cube.LabelBreak, l cube.Language) string {
	w := &warner{Plan: p, language: l, words: wordsToTell(l), name: func(field string) string { return fieldTitle(p.Cube().Model, field, l) }, tells: true}
	all := make([]history.Crossed, len(breaks))
	for i, b := range breaks {
		all[i].LabelBreak = b
	}
	w.breaks(cube.WarnNotCompared, in(tellingTexts, l).notCompare, all)
	if len(w.list) == 0 {
		return ""
	}
	return asSentence(w.list[0].Message)
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
	return strings.Join(each.Text(b.Path, func(key string) string { return w.words.value(cube.Text(key)) }), "/")
}

// breaks warns of breaks of one kind, if there are any.
func (w *warner) breaks(code, format string, all []history.Crossed) {
	if len(all) == 0 {
		return
	}
	words := in(breakTexts, w.language)
	named := func(label string) string {
		if label == "" {
			return words.none
		}
		return query.Clip(label)
	}
	items := each.Text(all[:min(len(all), mostBreaks)], func(c history.Crossed) string {
		return fmt.Sprintf(words.item, w.name(c.Level), w.pathText(c.LabelBreak), named(c.Before), c.Last, named(c.After), c.First)
	})
	if more := len(all) - len(items); more > 0 {
		items = append(items, fmt.Sprintf(w.words.more, more))
	}
	w.warn(code, format, strings.Join(items, "; "))
}
