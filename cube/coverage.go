package cube

import "slices"

// YearCoverage tells which columns have no cells in which fiscal years: measures come and go, and so do the
// levels of a classification.
type YearCoverage struct {
	Years []int64   `json:"years"`          // of the rows, ascending
	Gaps  []YearGap `json:"gaps,omitempty"` // in the order of the columns
}

// YearGap is a column that is missing in every row of some years.
type YearGap struct {
	Column string  `json:"column"`
	Years  []int64 `json:"years"` // ascending
}

// gap gives those of the years in which the column has no cells.
func (c *YearCoverage) gap(column string, years []int64) []int64 {
	i := slices.IndexFunc(c.Gaps, func(g YearGap) bool { return g.Column == column })
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.Gaps[i].Years), func(y int64) bool { return !slices.Contains(years, y) })
}

// runs parts years where one does not follow the one before.
func runs(years []int64, follows func(before, year int64) bool) [][]int64 {
	var list [][]int64
	start := 0
	for i := range years {
		if end := i + 1; end == len(years) || !follows(years[i], years[end]) {
			list, start = append(list, years[start:end]), end
		}
	}
	return list
}

// isNext tells whether a year is the one after another.
func isNext(before, year int64) bool { return year == before+1 }
