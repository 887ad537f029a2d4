package cube

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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

// yearsText lists years, three and more in a row as a range: 2008 to 2010, 2013.
func yearsText(years []int64) string {
	var runs []string
	for start := 0; start < len(years); {
		end := start + 1
		for end < len(years) && years[end] == years[end-1]+1 {
			end++
		}
		if end-start < 3 {
			end = start + 1
			runs = append(runs, strconv.FormatInt(years[start], 10))
		} else {
			runs = append(runs, fmt.Sprintf("%d to %d", years[start], years[end-1]))
		}
		start = end
	}
	return strings.Join(runs, ", ")
}
