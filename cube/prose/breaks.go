package prose

import (
	"fmt"
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

// NotCompared says that years are not compared, since codes mean another thing in one than in the other.
func NotCompared(p *plan.Plan, breaks []cube.LabelBreak, l cube.Language) string {
	if len(breaks) == 0 {
		return ""
	}
	all := make([]history.Crossed, len(breaks))
	for i, b := range breaks {
		all[i].LabelBreak = b
	}
	return asSentence(peopleOf(p, Locale{Language: l}).breaks(caveat.Breaks{Way: caveat.ComparesReused, Breaks: all}))
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

// breaks names changes of names.
func (w *warner) breaks(p caveat.Breaks) string {
	texts := in(breakTexts, w.language)
	if w.tells {
		telling := in(tellingTexts, w.language)
		texts.sums, texts.names, texts.changed, texts.notCompare = telling.sums, telling.names, telling.changed, telling.notCompare
	}
	format := []string{caveat.SumsReused: texts.sums, caveat.NamesReused: texts.names, caveat.ComparesReused: texts.notCompare, caveat.ChangesName: texts.changed}[p.Way]
	items := each.Text(p.Breaks[:min(len(p.Breaks), mostBreaks)], func(c history.Crossed) string {
		return fmt.Sprintf(texts.item, w.name(c.Level), w.pathText(c.LabelBreak), named(c.Before, texts.none), c.Last, named(c.After, texts.none), c.First)
	})
	if more := len(p.Breaks) - len(items); more > 0 {
		items = append(items, fmt.Sprintf(w.words.more, more))
	}
	return words.Fill(format, strings.Join(items, "; "))
}

func named(label, none string) string {
	if label == "" {
		return none
	}
	return query.Clip(label)
}
