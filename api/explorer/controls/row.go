package controls

import (
	"slices"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
)

// Row is what a reader may choose, in one row: the year and how amounts are counted, and in the sheet of a phone the stage of the budget, the split, the
// pictures, other measures, and what the searches lead to. The split and the picture that it shows as taken are those of drawn, which
// the page draws.
func Row(s, drawn *selection.Selection, searches ...*layers.Menu) layers.Controls {
	made := layers.Controls{Title: s.Say("figure.controls")}
	for _, segment := range []layers.Segment{Years(s), {Name: "terms", Title: s.Say("view.terms"), Choices: Terms(s)}} {
		if len(segment.Choices) < 2 {
			continue
		}
		whole := layers.Menu{Name: layers.OnPhones, Title: segment.Title, Links: segment.Choices}
		if len(segment.Choices) > mostBeside {
			whole.Name, segment.Choices = segment.Name, near(segment.Choices)
		}
		made.Segments, made.Menus = append(made.Segments, segment), append(made.Menus, whole)
	}
	measures, more := Measures(s)
	if len(measures) > 1 || len(more) > 0 {
		made.More = append(made.More, layers.Segment{Name: "measures", Title: s.Say("view.measure"), Choices: byStage(s, measures)})
	}
	ways := Ways(s, drawn)
	made.Menus = append(made.Menus, Split(s, drawn.DrilledAlone()), layers.Menu{Name: "ways", Title: s.Say("view.show"), Taken: taken(ways), Links: ways})
	if len(more) > 0 {
		made.Menus = append(made.Menus, layers.Menu{Name: "others", Title: s.Say("view.others", "Count", len(more)), Links: more})
	}
	for _, menu := range searches {
		if menu != nil {
			made.Menus = append(made.Menus, *menu)
		}
	}
	return made
}

// mostBeside is how many choices of a segment stand side by side. Of more, those near the one taken do, and a menu has all of them. Of fewer, phones alone
// have that menu: they show the one taken.
const mostBeside = 6

// near are the five years around the one taken, or the last five if none is, and then the last choice, which is all years.
func near(years []site.Choice) []site.Choice {
	all := len(years) - 1
	at := slices.IndexFunc(years[:all], func(c site.Choice) bool { return c.Taken })
	if at < 0 {
		at = all - 1
	}
	const beside = 2
	from := max(0, min(at-beside, all-2*beside-1))
	return append(slices.Clone(years[from:min(all, from+2*beside+1)]), years[all])
}

// Counted is how the amounts of a number are counted: as they are, for each person, and in prices of a year.
func Counted(s *selection.Selection) (made layers.Controls) {
	if terms := Terms(s); len(terms) > 0 {
		made.Segments = append(made.Segments, layers.Segment{Name: "terms", Title: s.Say("view.terms"), Choices: terms})
	}
	return made
}
