package cube

import "slices"

// YearCoverage lists the fiscal years of the rows, and the columns that are empty in all rows of some of them: a
// publisher adds and drops measures and levels over the years.
type YearCoverage struct {
	Years []int64   `json:"years"`          // of the rows, ascending
	Gaps  []YearGap `json:"gaps,omitempty"` // in the order of the columns
}

// YearGap is a column that is empty in every row of some years.
type YearGap struct {
	Column string  `json:"column"`
	Years  []int64 `json:"years"` // ascending
}

// Gap gives which of the years have no cells in the column.
func (c *YearCoverage) Gap(column string, years []int64) []int64 {
	i := slices.IndexFunc(c.Gaps, func(g YearGap) bool { return g.Column == column })
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.Gaps[i].Years), func(y int64) bool { return !slices.Contains(years, y) })
}
