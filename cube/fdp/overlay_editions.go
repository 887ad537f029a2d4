package fdp

import (
	"maps"
	"slices"

	"fiscube/cube"
	"fiscube/cube/words"
)

// editionsDimension holds the levels with the editions of other levels.
const editionsDimension = "editions"

// editionsOverlay lists the fiscal years from which a level is numbered anew.
type editionsOverlay struct {
	ref
	years []int64
}

func readEditionsOverlay(v member) editionsOverlay {
	e := editionsOverlay{ref: v.key()}
	for _, item := range v.strictList() {
		year := item.whole(1, 9999)
		if n := len(e.years); year != 0 && n > 0 && e.years[n-1] >= year {
			item.problem("%d does not come after %d: write the first years of the editions in order", year, e.years[n-1])
		}
		e.years = append(e.years, year)
	}
	return e
}

// makeEditions gives levels their editions: a field with the edition of each row, which is a level of its own. A level below
// one with the same editions has those already.
func (a *applying) makeEditions() {
	for _, e := range a.overlay.editions {
		level := a.level(e.ref)
		year := a.draft.FiscalYearIndex()
		switch {
		case level == nil:
		case year < 0:
			a.add(e.place, "the package has no fiscal year, which would tell the editions apart")
		case a.draft.Columns[year].Name == e.name:
			a.add(e.place, "%s is the fiscal year, which is numbered once", quote(e.name))
		case a.hasEditionsAbove(*level, e.years):
		case !a.addColumn(e.place, cube.Column{Name: e.name + cube.EditionSuffix, Type: cube.TypeInteger, From: &cube.Derivation{
			Rule: cube.RuleEdition, Fields: []string{a.draft.Columns[year].Name}, Years: slices.Clone(e.years),
		}}):
		default:
			level.Edition = e.name + cube.EditionSuffix
			if a.dimension(editionsDimension) == nil {
				a.dimensions = append(a.dimensions, cube.Dimension{Name: editionsDimension, Type: "other",
					Titles: titlesOf("edition.dimension")})
			}
			a.addLevel(editionsDimension, cube.Level{Ref: e.name + cube.EditionSuffix, Titles: editionTitles(*level)})
		}
	}
}

// hasEditionsAbove tells whether a level above has all these editions.
func (a *applying) hasEditionsAbove(level cube.Level, years []int64) bool {
	for range len(a.draft.Columns) { // parents may form a ring, which is reported
		above := a.draft.Level(level.Parent)
		if above == nil {
			return false
		}
		i := slices.IndexFunc(a.overlay.editions, func(e editionsOverlay) bool { return e.name == above.Ref })
		if i >= 0 && !slices.ContainsFunc(years, func(y int64) bool { return !slices.Contains(a.overlay.editions[i].years, y) }) {
			return true
		}
		level = *above
	}
	return false
}

// titlesOf says a message in every language.
func titlesOf(message string) cube.Titles {
	titles := cube.Titles{}
	for _, l := range words.Languages() {
		titles[string(l)] = words.Locale{Language: l}.Say(message)
	}
	return titles
}

// editionTitles names the field with the editions of a level, in the languages in which the level has a title.
func editionTitles(level cube.Level) cube.Titles {
	titles := maps.Clone(level.Titles)
	maps.DeleteFunc(titles, func(language, _ string) bool { return !words.IsLanguage(cube.Language(language)) })
	for language, title := range titles {
		titles[language] = words.Locale{Language: cube.Language(language)}.Say("edition.of-level", "Level", title)
	}
	return titles
}
