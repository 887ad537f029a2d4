package describe

import (
	"context"
	"maps"
	"slices"

	"fiscube/store/load"
)

// Total is what the rows of a fiscal year add up to: of those that state the same money again, the last.
type Total struct{ Year, Measure, Sum string }

// totalsOf lists the sums of the measures of a surveyed package by year.
func totalsOf(ctx context.Context, taken *load.Survey) (list []Total, err error) {
	m, by := taken.Package().Model, []string(nil)
	if year, ok := m.FiscalYear(); ok {
		by = append(by, year.Name)
	}
	sums, err := taken.Sums(ctx, by...)
	for _, year := range slices.Sorted(maps.Keys(sums)) {
		for _, measure := range m.Measures() {
			if sum, ok := sums[year][measure.Ref]; ok {
				column, _ := m.Column(measure.Ref)
				list = append(list, Total{year, measure.Ref, sum.StringFixed(int32(column.Scale))})
			}
		}
	}
	return list, err
}
