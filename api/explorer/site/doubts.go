package site

import (
	"fiscube/cube"
	"fiscube/cube/words"
)

// ExcerptMark says in a few words that a budget may be an excerpt; "" if it does not look like one.
func (v *Visit) ExcerptMark(cb *cube.Cube) string {
	if cb.Larger != nil || cb.MayBeExcerpt() {
		return v.Say("caveat.excerpt-short")
	}
	return ""
}

// Periods names the periods of a part of a year.
func (v *Visit) Periods(part cube.PartOfYears) string {
	return v.LevelTitle(part.Level) + " " + words.Periods(part.Numbers)
}

// PartMarks say in a few words of which periods alone a budget has amounts, in those of the years of which it has a part.
func (v *Visit) PartMarks(cb *cube.Cube, years []int64) (marks []string) {
	for _, part := range cb.PartsOf(years) {
		marks = append(marks, v.Say("caveat.part-short", "Months", v.Periods(part), "Year", v.Years(part.Years)))
	}
	return marks
}

// Marks say in a few words why the amounts of a budget should not be cited as they stand.
func (v *Visit) Marks(cb *cube.Cube) (marks []string) {
	if excerpt := v.ExcerptMark(cb); excerpt != "" {
		marks = append(marks, excerpt)
	}
	if cb.Coverage == nil {
		return marks
	}
	return append(marks, v.PartMarks(cb, cb.Coverage.Years)...)
}
