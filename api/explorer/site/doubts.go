package site

import (
	"fiscube/cube"
	"fiscube/cube/words"
)

// ExcerptMark says in a few words that a budget may be an excerpt; "" if it does not look like one.
func (g *Guest) ExcerptMark(cb *cube.Cube) string {
	if cb.IsPart() {
		return g.Say("caveat.excerpt-short")
	}
	return ""
}

// Periods names the periods of a part of a year.
func (g *Guest) Periods(part cube.PartOfYears) string {
	return g.LevelTitle(part.Level) + " " + words.Periods(part.Numbers)
}

// PartMarks say in a few words of which periods alone a budget has amounts, in those of the years of which it has a part.
func (g *Guest) PartMarks(cb *cube.Cube, years []int64) (marks []string) {
	for _, part := range cb.PartsOf(years) {
		marks = append(marks, g.Say("caveat.part-short", "Months", g.Periods(part), "Year", g.Years(part.Years)))
	}
	return marks
}

// Marks say in a few words why the amounts of a budget should not be cited as they stand.
func (g *Guest) Marks(cb *cube.Cube) (marks []string) {
	if excerpt := g.ExcerptMark(cb); excerpt != "" {
		marks = append(marks, excerpt)
	}
	if cb.Coverage == nil {
		return marks
	}
	return append(marks, g.PartMarks(cb, cb.Coverage.Years)...)
}
