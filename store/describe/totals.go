package describe

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/store/load"
	"fiscube/store/load/numeric"
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
	last := map[string]cube.Value{}
	for _, p := range h.Periods {
		last[textOf(p.Key)] = p.Last().Value
	}
	year, hasYear := pkg.Model.FiscalYear()
	for i := range pkg.Resources {
		r := &pkg.Resources[i]
		if r.LeftOut != "" || !hasYear {
			continue
		}
		cell := func(cells []string, field string) string {
			if at := r.Field(field); at >= 0 {
				return strings.TrimSpace(cells[at])
			}
			return ""
		}
		named := map[string]string{} // what the name of the file says
		for _, c := range h.Columns {
			if c.From != nil && c.From.Rule == cube.RuleResource {
				named[c.Name] = regexp.MustCompile(c.From.Pattern).FindStringSubmatch(r.Name)[1] // the survey has found it, too
			}
		}
		for row, err := range taken.Rows(ctx, i) {
			if err != nil {
				return err
			}
			if _, skipped := slices.BinarySearch(r.SkipLines, row.Line); skipped {
				continue
			}
			var key []cube.Value
			for _, c := range h.Columns {
				text, isNamed := named[c.Name]
				if !isNamed {
					text = cell(row.Cells, c.Name)
				}
				value, _ := c.Value(text)
				key = append(key, value)
			}
			if of := len(key) - 1; last[textOf(key[:of])] != key[of] {
				continue
			}
			for _, m := range pkg.Model.Measures() {
				if amount, ok := amountIn(pkg.Model, r, m, row.Cells); ok {
					s.add(cell(row.Cells, year.Name), m.Ref, amount)
				}
			}
		}
	}
	return nil
}

func textOf(values []cube.Value) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = v.String()
	}
	return strings.Join(texts, "\x00")
}

// amountIn gives the amount of a measure in a row, if it has one.
func amountIn(model *cube.Model, r *cube.Resource, m cube.Measure, cells []string) (decimal.Decimal, bool) {
	column, _ := model.Column(m.Ref)
	field := m.Ref
	if d := column.From; d != nil {
		if d.Rule != cube.RuleWhere {
			return decimal.Zero, false
		}
		field = d.Fields[0]
		is := false
		for values := range slices.Chunk(d.Values, len(d.Fields)-1) {
			all := true
			for i, value := range values {
				at := r.Field(d.Fields[i+1])
				all = all && at >= 0 && cells[at] == value
			}
			is = is || all
		}
		if !is {
			return decimal.Zero, false
		}
	}
	at := r.Field(field)
	if at < 0 {
		return decimal.Zero, false
	}
	digits, _, _, ok := numeric.FormOf(r.Schema.Fields[at]).Read(cells[at])
	if !ok {
		return decimal.Zero, false
	}
	amount, err := decimal.NewFromString(digits)
	return amount, err == nil
}
