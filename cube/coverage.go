package cube

import (
	"slices"
	"strings"
	"unicode"
)

// YearCoverage lists the fiscal years of the rows, the columns that are empty in all rows of some of them, as a publisher adds and drops
// measures and levels over the years, the measures whose amounts are all 0 in some, which probably means that they are not known, and the
// months, or other parts of the year, that rows are of.
type YearCoverage struct {
	Years []int64   `json:"years"`           // of the rows, ascending
	Gaps  []YearGap `json:"gaps,omitempty"`  // in the order of the columns
	Zeros []YearGap `json:"zeros,omitempty"` // likewise; none in a version that was loaded before fiscube looked

	Periods []YearPeriods `json:"periods,omitempty"` // by column, then year; likewise
}

// YearGap is a column that is empty, or 0, in every row of some years.
type YearGap struct {
	Column string  `json:"column"`
	Years  []int64 `json:"years"` // ascending
}

// YearPeriods are the months, or other parts of a fiscal year, that its rows are of: the members of a level of time that are numbered from
// 1 to 12 at most. They are no snapshots, which repeat the money of others.
type YearPeriods struct {
	Column  string  `json:"column"`
	Year    int64   `json:"year"`
	Numbers []int64 `json:"numbers"` // ascending
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

// PartOfYear gives the periods that rows of a fiscal year are of, if these are not all, and the level that names them.
//
// How many a year has, the level says by its name, as Month or trimestre do. Otherwise it is the smallest number, from halves to months, that
// no year of the rows exceeds. A year that has the last period alone may be whole: December may report all that came before.
func (c *Cube) PartOfYear(year int64) (level Level, numbers []int64, ok bool) {
	if c.Coverage == nil {
		return level, nil, false
	}
	for _, of := range c.Coverage.Periods {
		if of.Year != year || len(of.Numbers) == 0 {
			continue
		}
		level, known := c.Model.LevelOfKey(of.Column)
		if whole := c.periodsOfYear(level); known && int64(len(of.Numbers)) < whole && of.Numbers[0] < whole {
			return level, of.Numbers, true
		}
	}
	return Level{}, nil, false
}

// periodsOfYear is how many periods a level has in a whole year.
func (c *Cube) periodsOfYear(level Level) int64 {
	dimension, _ := c.Model.Dimension(level.Dimension)
	names := []string{level.Ref, dimension.Name}
	for _, titles := range []Titles{level.Titles, dimension.Titles} {
		for _, title := range titles {
			names = append(names, title)
		}
	}
	most := int64(0)
	for _, of := range c.Coverage.Periods {
		if of.Column == level.Ref {
			most = max(most, of.Numbers[len(of.Numbers)-1])
		}
	}
	words := strings.FieldsFunc(strings.ToLower(strings.Join(names, " ")), func(r rune) bool { return !unicode.IsLetter(r) })
	unnamed := int64(0)
	for _, of := range periodNames {
		switch isNamed := slices.ContainsFunc(words, func(word string) bool { return slices.Contains(of.words, word) }); {
		case of.count < most:
		case isNamed:
			return of.count
		case unnamed == 0:
			unnamed = of.count
		}
	}
	return unnamed
}

// periodNames are words for the parts of a year, by how many there are.
var periodNames = []struct {
	count int64
	words []string
}{
	{2, []string{"half", "semestre", "polugodište"}},
	{3, []string{"cuatrimestre"}},
	{4, []string{"quarter", "trimestre", "kvartal", "tromjesečje"}},
	{6, []string{"bimestre"}},
	{12, []string{"month", "mes", "mjesec"}},
}
