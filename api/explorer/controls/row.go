package controls

import (
	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
)

// Row is what a reader may choose, in one row: the year and how amounts are counted, and in the sheet of a phone the stage of the budget, the split, the
// pictures, other measures, and what the searches lead to.
func Row(s *selection.Selection, brokenDown site.Address, searches ...*layers.Menu) layers.Controls {
	made := layers.Controls{Title: s.Say("figure.controls")}
	if years := Years(s); len(years.Choices) > 1 {
		made.Segments = append(made.Segments, years)
	}
	if terms := Terms(s); len(terms) > 0 {
		made.Segments = append(made.Segments, layers.Segment{Name: "terms", Title: s.Say("view.terms"), Choices: terms})
	}
	measures, more := Measures(s)
	if len(measures) > 1 || len(more) > 0 {
		made.More = append(made.More, layers.Segment{Name: "measures", Title: s.Say("view.measure"), Choices: byStage(s, measures)})
	}
	ways := Ways(s, brokenDown)
	made.Menus = append(made.Menus, Split(s), layers.Menu{Name: "ways", Title: s.Say("view.show"), Taken: taken(ways), Links: ways})
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

// Counted is how the amounts of a number are counted: as they are, for each person, and in prices of a year.
func Counted(s *selection.Selection) (made layers.Controls) {
	if terms := Terms(s); len(terms) > 0 {
		made.Segments = append(made.Segments, layers.Segment{Name: "terms", Title: s.Say("view.terms"), Choices: terms})
	}
	return made
}
