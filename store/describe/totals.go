package describe

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/store/load"
)

// Total is what the rows of a fiscal year add up to: of those that state the same money again, the last.
type Total struct{ Year, Measure, Sum string }

// sums are amounts by year and measure.
type sums map[[2]string]decimal.Decimal

// totalsOf lists the sums of the measures of a surveyed package by year.
func totalsOf(ctx context.Context, taken *load.Survey) ([]Total, error) {
	all, m := sums{}, taken.Package().Model
	if h := m.History(); h != nil {
		if err := all.addLast(ctx, taken, h); err != nil {
			return nil, err
		}
	} else {
		for _, t := range taken.Report().Totals {
			if sum, err := decimal.NewFromString(t.Sum); err == nil {
				all.add(t.Year, t.Measure, sum)
			}
		}
	}
	var list []Total
	years := map[string]bool{}
	for key := range all {
		years[key[0]] = true
	}
	for _, year := range slices.Sorted(maps.Keys(years)) {
		for _, measure := range m.Measures() {
			if sum, ok := all[[2]string{year, measure.Ref}]; ok {
				list = append(list, Total{year, measure.Ref, sum.String()})
			}
		}
	}
	return list, nil
}

func (s sums) add(year, measure string, amount decimal.Decimal) {
	s[[2]string{year, measure}] = s[[2]string{year, measure}].Add(amount)
}

// addLast adds up the rows of the last statement of each period.
func (s sums) addLast(ctx context.Context, taken *load.Survey, h *cube.History) error {
	pkg := taken.Package()
	textOf, last := func(key []cube.Value) string { return fmt.Sprintf("%q", key) }, map[string]cube.Value{}
	for _, p := range h.Periods {
		last[textOf(p.Key)] = p.Last().Value
	}
	year, hasYear := pkg.Model.FiscalYear()
	at := map[string]int{} // by column
	for i, c := range pkg.Model.Columns() {
		at[c.Name] = i
	}
	for i := range pkg.Resources {
		if pkg.Resources[i].LeftOut != "" || !hasYear {
			continue
		}
		for row, err := range taken.Facts(ctx, i) {
			if err != nil {
				return err
			}
			var key []cube.Value
			for _, c := range h.Columns {
				value, _ := c.Value(row.Cells[at[c.Name]])
				key = append(key, value)
			}
			if of := len(key) - 1; last[textOf(key[:of])] != key[of] {
				continue
			}
			for _, m := range pkg.Model.Measures() {
				if amount, err := decimal.NewFromString(row.Cells[at[m.Ref]]); err == nil {
					s.add(row.Cells[at[year.Name]], m.Ref, amount)
				}
			}
		}
	}
	return nil
}
