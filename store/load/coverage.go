package load

import (
	"maps"
	"slices"
	"strconv"

	"fiscube/cube"
)

// yearCoverage tells which columns have no cells in which years of the rows that are loaded; nil where rows have
// no year. A column that is made of others counts as having cells where one of those has.
func (s *surveyor) yearCoverage() *cube.YearCoverage {
	filled := map[int64]map[string]bool{}
	for i, r := range s.surveys {
		if s.pkg.Resources[i].LeftOut == "" {
			r.addFilled(filled)
		}
	}
	if len(filled) == 0 {
		return nil
	}
	coverage := &cube.YearCoverage{Years: slices.Sorted(maps.Keys(filled))}
	for _, c := range s.draft.Columns {
		sources := sourcesOf(c)
		gap := cube.YearGap{Column: c.Name}
		for _, year := range coverage.Years {
			if len(sources) > 0 && !slices.ContainsFunc(sources, func(name string) bool { return filled[year][name] }) {
				gap.Years = append(gap.Years, year)
			}
		}
		if len(gap.Years) > 0 {
			coverage.Gaps = append(coverage.Gaps, gap)
		}
	}
	return coverage
}

// addFilled notes the fields of the file that have cells, by year. Rows without a year are of none.
func (r *resourceSurvey) addFilled(filled map[int64]map[string]bool) {
	for text, stats := range r.years {
		year, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			continue
		}
		if filled[year] == nil {
			filled[year] = map[string]bool{}
		}
		for i, f := range r.fields {
			if stats.filled[i] {
				filled[year][f.name] = true
			}
		}
	}
}
