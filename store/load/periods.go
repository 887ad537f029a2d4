package load

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// mostPeriods is how many parts of a year are told apart, such as months.
const mostPeriods = 12

// periodField is a field whose cells may number the parts of the fiscal year that rows are of: the key of a level of time that is below
// nothing or below the year, and does not tell snapshots of the same money apart.
type periodField struct {
	name  string
	index int // of its cells
}

// periodFields lists the period fields of a draft that a file has.
func periodFields(d *cube.Draft, fields []*fieldStats) (list []periodField) {
	for _, f := range fields {
		if isPeriodLevel(d, f.name) {
			list = append(list, periodField{f.name, f.index})
		}
	}
	return list
}

func isPeriodLevel(d *cube.Draft, field string) bool {
	level, year := d.Level(field), d.FiscalYearIndex()
	if level == nil || year < 0 || d.Snapshots != nil && d.Snapshots.By == field {
		return false
	}
	isYear := func(name string) bool { return name == d.Columns[year].Name }
	ofTime := slices.ContainsFunc(d.Dimensions, func(dimension cube.Dimension) bool {
		return dimension.Type == cube.DimensionTime && slices.ContainsFunc(dimension.Levels, func(l cube.Level) bool { return l.Ref == field })
	})
	above := append(slices.Clone(level.Within), level.Parent)
	return ofTime && !isYear(field) && !slices.ContainsFunc(above, func(name string) bool { return name != "" && !isYear(name) })
}

// periodSet is a set of the numbers of periods; noPeriod is that of other cells, and of none.
type periodSet uint16

const noPeriod periodSet = 1

func periodOf(cell string) periodSet {
	n, err := strconv.ParseUint(strings.TrimSpace(cell), 10, 8)
	if err != nil || n < 1 || n > mostPeriods {
		return noPeriod
	}
	return 1 << n
}

// yearPeriods lists which periods the rows of each year are of, by the period fields that have a period in every row.
func (s *surveyor) yearPeriods() (list []cube.YearPeriods) {
	for _, c := range s.draft.Columns {
		if !isPeriodLevel(s.draft, c.Name) {
			continue
		}
		inYears := map[int64]periodSet{}
		for i, r := range s.surveys {
			if s.pkg.Resources[i].LeftOut != "" {
				continue
			}
			at := slices.IndexFunc(r.periods, func(f periodField) bool { return f.name == c.Name })
			for text, stats := range r.years {
				year, err := strconv.ParseInt(text, 10, 64)
				switch {
				case err != nil: // rows without a year are of none
				case at < 0:
					inYears[year] |= noPeriod
				default:
					inYears[year] |= stats.periods[at]
				}
			}
		}
		var ofField []cube.YearPeriods
		for _, year := range slices.Sorted(maps.Keys(inYears)) {
			of := cube.YearPeriods{Column: c.Name, Year: year}
			for n := range int64(mostPeriods + 1) {
				if inYears[year]&(1<<n) != 0 {
					of.Numbers = append(of.Numbers, n)
				}
			}
			if ofField = append(ofField, of); inYears[year]&noPeriod != 0 {
				ofField = nil
				break
			}
		}
		list = append(list, ofField...)
	}
	return list
}
