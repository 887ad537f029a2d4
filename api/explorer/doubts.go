package explorer

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

// What pages say of numbers that should not be cited as they stand.

// ofSums are the warnings that matter to whoever reads the sum of a budget.
var ofSums = []string{cube.WarnSnapshotsUndeclared, cube.WarnLooksLikeTotal, cube.WarnYearsOverlap, cube.WarnNote}

// told are the sentences of the warnings with one of some codes.
func (w *view) told(codes ...string) (list []string) {
	for _, warning := range w.answer.Warnings {
		if slices.Contains(codes, warning.Code) {
			list = append(list, warning.Told)
		}
	}
	return list
}

// fewestRows is how many rows a year a budget has at least, on average, so that nobody takes it for an excerpt.
const fewestRows = 100

// excerpt says that a budget has so few rows that it may be an excerpt. One that is made up says what it is.
func (w *view) excerpt() []string {
	years := int64(1)
	if w.cb.Coverage != nil {
		years = max(years, int64(len(w.cb.Coverage.Years)))
	}
	words, each := prose.Doubts(w.Language), w.cb.Rows/years
	switch {
	case w.cb.Synthetic || each >= fewestRows:
		return nil
	case years > 1:
		return []string{w.Fill(words.ExcerptOfYears, max(1, each))}
	}
	return []string{w.Fill(words.Excerpt, w.cb.Rows)}
}

// isJump tells whether an amount is more than ten times that of the year before, or less than a tenth of it.
func isJump(before, amount decimal.Decimal) bool {
	return before.IsPositive() && amount.IsPositive() && (amount.GreaterThan(before.Shift(1)) || amount.Shift(1).LessThan(before))
}

// jumps names the years with an amount of another order than the year before: of a table of years, or else the year of the view that is
// compared with the year before.
func (w *view) jumps(list []bar) []string {
	var years []int64
	for _, of := range list {
		if year, err := strconv.ParseInt(of.key, 10, 64); err == nil && of.jumps {
			years = append(years, year)
		}
	}
	if year, ok := w.yearCut(); ok && len(list) == 0 && w.offset() == -1 {
		before := slices.IndexFunc(w.answer.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Role == query.RoleEarlier })
		sums := w.answer.Summary.Values
		if before >= 0 && isJump(sums[before].Decimal, sums[0].Decimal) {
			years = append(years, year)
		}
	}
	if len(years) == 0 {
		return nil
	}
	return []string{w.Fill(prose.Doubts(w.Language).Jump, w.Years(years))}
}
