package cube

import "slices"

// YearCoverage lists the fiscal years of the rows, the columns that are empty in all rows of some of them, as a publisher adds and drops
// measures and levels over the years, and the measures whose amounts are all 0 in some, which probably means that they are not known.
type YearCoverage struct {
	Years []int64   `json:"years"`           // of the rows, ascending
	Gaps  []YearGap `json:"gaps,omitempty"`  // in the order of the columns
	Zeros []YearGap `json:"zeros,omitempty"` // likewise; none in a version that was loaded before fiscube looked
}

// YearGap is a column that is empty, or 0, in every row of some years.
type YearGap struct {
	Column string  `json:"column"`
	Years  []int64 `json:"years"` // ascending
}

// Gap gives which of the years have no cells in the column.
func (c *YearCoverage) Gap(column string, years []int64) []int64 { return among(years, c.Gaps, column) }

// Zero gives which of the years have no amount but 0 in the column of a measure.
func (c *YearCoverage) Zero(column string, years []int64) []int64 {
	return among(years, c.Zeros, column)
}

// among gives which of the years are those of a column.
func among(years []int64, gaps []YearGap, column string) []int64 {
	i := slices.IndexFunc(gaps, func(g YearGap) bool { return g.Column == column })
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(gaps[i].Years), func(y int64) bool { return !slices.Contains(years, y) })
}
