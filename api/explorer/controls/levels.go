package controls

import (
	"cmp"
	"slices"
	"strings"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/internal/each"
)

// Levels are the choices of what to break down by: of each chain the first level that the cuts leave open, and the one taken.
func Levels(s *selection.Selection, taken string) (list []site.Choice) {
	if isDivided := len(s.Drilled()) > 0; isDivided || taken == "" {
		list = append(list, site.Choice{Text: s.Say("view.nothing"), Link: s.Address.Drilling().Asking(s.NameMeasure).String(), Taken: !isDivided})
	}
	seen := map[string]bool{}
	for _, chain := range s.OpenBelow() {
		for i, level := range chain {
			if seen[level.Ref] || level.Ref != taken && (i > 0 || s.HasNone(level.Ref)) {
				continue
			}
			seen[level.Ref] = true
			list = append(list, site.Choice{Text: s.LevelTitle(level), Link: s.Address.Drilling(level.Ref).String(), Taken: level.Ref == taken})
		}
	}
	return list
}

// deeper offers the levels below the first ones that are open, by their dimensions.
func deeper(s *selection.Selection, taken string) (groups []layers.Group) {
	seen, of := map[string]bool{}, ""
	for _, chain := range s.OpenBelow() {
		for _, level := range chain[1:] {
			if seen[level.Ref] || level.Ref != taken && s.HasNone(level.Ref) {
				continue
			}
			seen[level.Ref] = true
			if len(groups) == 0 || of != level.Dimension {
				dimension, _ := s.Cube.Model.Dimension(level.Dimension)
				groups, of = append(groups, layers.Group{Title: cmp.Or(dimension.Titles.In(s.Language), dimension.Name)}), level.Dimension
			}
			last := &groups[len(groups)-1]
			last.Choices = append(last.Choices, site.Choice{Text: s.LevelTitle(level), Value: level.Ref, Taken: level.Ref == taken})
		}
	}
	return groups
}

// Split breaks down by another level than the one taken: by the first ones by links, by those below by a form.
func Split(s *selection.Selection, level string) layers.Menu {
	levels := Levels(s, level)
	menu := layers.Menu{Name: "split", Title: s.Say("view.break-down"), Taken: taken(levels), Links: levels}
	groups := deeper(s, level)
	if len(groups) == 0 {
		return menu
	}
	menu.Forms = []layers.Form{{
		Title: s.Say("view.deeper"), Hidden: s.Address.Drilling().Clauses(), Name: "drilldown", Groups: groups, Button: s.Say("view.break-it"),
	}}
	for _, g := range groups {
		menu.Taken = cmp.Or(menu.Taken, taken(g.Choices))
	}
	return menu
}

// taken is the text of what is taken of some choices.
func taken(choices []site.Choice) string {
	taken := slices.DeleteFunc(slices.Clone(choices), func(c site.Choice) bool { return !c.Taken })
	return strings.Join(each.Text(taken, func(c site.Choice) string { return c.Text }), ", ")
}

// SecondLevels break down by one more level.
func SecondLevels(s *selection.Selection, first cube.Level) []site.Choice {
	var list []site.Choice
	for _, level := range s.Open() {
		if level.Ref != first.Ref && !selection.IsOfTime(s.Cube.Model, level) {
			list = append(list, site.Choice{Text: s.LevelTitle(first) + " → " + s.LevelTitle(level), Link: s.Address.Drilling(first.Ref, level.Ref).String()})
		}
	}
	return list
}
