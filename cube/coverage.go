package cube

import (
	"slices"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"
)

// YearCoverage lists the fiscal years of the rows, the columns that are empty in all rows of some of them, as a publisher adds and drops
// measures and levels over the years, the measures whose amounts are all 0 in some, which probably means that they are not known, and the
// months, or other parts of the year, that rows are of.
type YearCoverage struct {
	Years []int64   `json:"years"`           // of the rows, ascending
	Gaps  []YearGap `json:"gaps,omitempty"`  // in the order of the columns
	Zeros []YearGap `json:"zeros,omitempty"` // likewise; none in a version that was loaded before fiscube looked

	Periods []YearPeriods `json:"periods,omitempty"` // by column, then year; likewise
	Jumps   []YearJumps   `json:"jumps,omitempty"`   // by measure; likewise
}

// YearJumps are the years in which the amounts of a measure, of all rows that count, are of another order than those of the year with
// amounts before. Rows of that year, or of this one, are probably missing.
type YearJumps struct {
	Column string  `json:"column"`
	Up     []int64 `json:"up,omitempty"`   // more than ten times as much
	Down   []int64 `json:"down,omitempty"` // less than a tenth
}

// JumpOf tells whether an amount is more than ten times that of the year before (1) or less than a tenth of it (-1), or neither (0).
func JumpOf(before, amount decimal.Decimal) int {
	switch {
	case !before.IsPositive() || !amount.IsPositive():
		return 0
	case amount.GreaterThan(before.Shift(1)):
		return 1
	case amount.Shift(1).LessThan(before):
		return -1
	}
	return 0
}

// OnlyMember is a member that all rows are of, by the name of it.
type OnlyMember struct {
	Level string `json:"level"`
	Label string `json:"label"`
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
		if whole := c.PeriodsOfYear(level); known && int64(len(of.Numbers)) < whole && of.Numbers[0] < whole {
			return level, of.Numbers, true
		}
	}
	return Level{}, nil, false
}

// PartOfYears is which periods, such as months, the rows of some years are of, where these are not all of a year.
type PartOfYears struct {
	Level   Level
	Numbers []int64
	Years   []int64
}

// PartsOf lists the years of which the cube has a part alone, together where that is the same.
func (c *Cube) PartsOf(years []int64) (list []PartOfYears) {
	for _, year := range years {
		level, numbers, ok := c.PartOfYear(year)
		if !ok {
			continue
		}
		same := slices.IndexFunc(list, func(part PartOfYears) bool { return part.Level.Ref == level.Ref && slices.Equal(part.Numbers, numbers) })
		if same < 0 {
			same = len(list)
			list = append(list, PartOfYears{Level: level, Numbers: numbers})
		}
		list[same].Years = append(list[same].Years, year)
	}
	return list
}

// PeriodsOfYear is how many periods a level that has some (YearCoverage.Periods) has in a whole year.
func (c *Cube) PeriodsOfYear(level Level) int64 {
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
