package explorer

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// controlled is a load report whose control totals are beside what is answered now.
type controlled struct {
	*findings.Report
	aggregates []plan.Aggregate // a sum for each measure
	years      []controlledYear
	sums       int // how many were compared, with the numbers of rows
	differ     int // how many of these are not the same
}

// controlledYear are the totals of a fiscal year.
type controlledYear struct {
	year  string // "" where missing, or where years are no level
	pairs []pair // the number of rows, then the sum of each measure
}

// pair is a number as the files have it, and as it is answered.
type pair struct{ control, answered decimal.NullDecimal }

func (p pair) same() bool {
	return p.control.Valid == p.answered.Valid && p.control.Decimal.Equal(p.answered.Decimal)
}

// control reads the load report of a cube and asks what its control totals are held against: the rows and the sum of each measure in every year, with all statements
// of the same money, which the files have too.
func (v *visit) control(cb *cube.Cube) (*controlled, error) {
	report, err := findings.Of(cb)
	if err != nil {
		return nil, err
	}
	measures, years := report.TotalsByYear()
	q := query.Query{Aggregates: []query.AggregateRef{{Func: string(cube.Rows)}}, Page: query.Page{Number: 1, Size: query.MaxPageSize}}
	var factors []decimal.Decimal
	measures = slices.DeleteFunc(measures, func(name string) bool {
		measure, known := cb.Model.Measure(name)
		factor, err := measure.Multiplier()
		if !known || err != nil {
			return true // never: the load counted the measures of the model, which checked its factors
		}
		q.Aggregates = append(q.Aggregates, query.AggregateRef{Measure: name, Func: string(cube.Sum)})
		factors = append(factors, factor)
		return false
	})
	if len(measures) == 0 {
		return &controlled{Report: report}, nil
	}
	if cb.Model.Snapshots() != nil {
		q.Snapshots = query.AllSnapshots
	}
	if level, ok := cb.Model.YearLevel(); ok {
		q.Drilldown = []query.Ref{{Name: level.Ref}}
	} else {
		years = []findings.YearTotals{allYears(years)}
	}
	found, err := v.ask(cb, q)
	if err != nil {
		return nil, err
	}
	made := &controlled{Report: report, aggregates: found.Plan.Aggregates()[1:]}
	answered := answeredByYear(found)
	for _, y := range years {
		list := []pair{{control: decimal.NewNullDecimal(decimal.NewFromInt(y.Rows))}}
		for i, name := range measures {
			sum := y.Sums[name]
			sum.Decimal = sum.Decimal.Mul(factors[i])
			list = append(list, pair{control: sum})
		}
		made.add(y.Year, list, answered[y.Year])
		delete(answered, y.Year)
	}
	for year, values := range answered {
		made.add(year, make([]pair, len(values)), values)
	}
	return made, nil
}

// add notes what is answered beside the controls of a year.
func (c *controlled) add(year string, pairs []pair, answered []decimal.NullDecimal) {
	for i := range pairs {
		if i < len(answered) {
			pairs[i].answered = answered[i]
		}
		c.sums++
		if !pairs[i].same() {
			c.differ++
		}
	}
	c.years = append(c.years, controlledYear{year, pairs})
	slices.SortFunc(c.years, func(a, b controlledYear) int { return strings.Compare(a.year, b.year) })
}

// answeredByYear gives the values of the years of an answer or, where years are not drilled, its summary.
func answeredByYear(a *answer.Answer) map[string][]decimal.NullDecimal {
	if len(a.Plan.Keys()) == 0 {
		return map[string][]decimal.NullDecimal{"": a.Summary.Values}
	}
	byYear := map[string][]decimal.NullDecimal{}
	for _, cell := range a.Cells {
		year := ""
		if key := cell.Keys[0]; !key.IsMissing() {
			year = key.String()
		}
		byYear[year] = cell.Values
	}
	return byYear
}

// allYears adds the control totals of years up.
func allYears(years []findings.YearTotals) findings.YearTotals {
	all := findings.YearTotals{Sums: map[string]decimal.NullDecimal{}}
	for _, y := range years {
		all.Rows += y.Rows
		for measure, sum := range y.Sums {
			if sum.Valid {
				all.Sums[measure] = decimal.NewNullDecimal(all.Sums[measure].Decimal.Add(sum.Decimal))
			}
		}
	}
	return all
}

// quality says in a line how the data was loaded.
func (v *visit) quality(report *controlled) string {
	parts := []string{v.Fill(v.Words.FilesRead, len(report.Resources))}
	switch {
	case report.differ > 0:
		parts = append(parts, v.Fill(v.Words.TotalsDiffer, report.differ))
	case report.sums > 0:
		parts = append(parts, v.Words.TotalsMatch)
	}
	byKind := map[findings.Kind]int{}
	for _, f := range report.Findings {
		byKind[f.Kind()]++
	}
	for _, kind := range kinds {
		if n := byKind[kind]; n > 0 {
			parts = append(parts, v.Fill(v.Words.Found[kind].Count, n))
		}
	}
	return strings.Join(parts, ", ")
}

// kinds of findings, those first that a reader must look at.
var kinds = []findings.Kind{findings.LooksWrong, findings.Assumed, findings.Repaired}
