package loadreport

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// report is the load report of a cube, whose control totals are beside what is answered now.
type report struct {
	*site.Visit
	*findings.Report
	cb         *cube.Cube
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

// read reads the load report of a cube and asks what its control totals are held against: the rows and the sum of each measure in every year, with all statements
// of the same money, which the files have too.
func read(v *site.Visit, cb *cube.Cube) (*report, error) {
	loaded, err := findings.Of(cb)
	if err != nil {
		return nil, err
	}
	measures, years := loaded.TotalsByYear()
	q := query.Query{Aggregates: []query.AggregateRef{{Func: string(cube.Rows)}}, Page: query.Page{Number: 1, Size: query.MaxPageSize}}
	var factors []decimal.Decimal
	measures = slices.DeleteFunc(measures, func(name string) bool { // the model may have lost one since the load
		_, isThere := cb.Model.Measure(name)
		return !isThere
	})
	for _, name := range measures {
		measure, _ := cb.Model.Measure(name)
		factor, _ := measure.Multiplier() // which the load checked
		q.Aggregates = append(q.Aggregates, query.AggregateRef{Measure: name, Func: string(cube.Sum)})
		factors = append(factors, factor)
	}
	made := &report{Visit: v, Report: loaded, cb: cb}
	if len(measures) == 0 {
		return made, nil
	}
	if cb.Model.Snapshots() != nil {
		q.Snapshots = query.AllSnapshots
	}
	if level, ok := cb.Model.YearLevel(); ok {
		q.Drilldown = []query.Ref{{Name: level.Ref}}
	} else {
		years = []findings.YearTotals{allYears(years)}
	}
	found, err := v.Ask(cb, q)
	if err != nil {
		return nil, err
	}
	made.aggregates = found.Plan.Aggregates()[1:]
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
func (r *report) add(year string, pairs []pair, answered []decimal.NullDecimal) {
	for i := range pairs {
		if i < len(answered) {
			pairs[i].answered = answered[i]
		}
		r.sums++
		if !pairs[i].same() {
			r.differ++
		}
	}
	r.years = append(r.years, controlledYear{year, pairs})
	slices.SortFunc(r.years, func(a, b controlledYear) int { return strings.Compare(a.year, b.year) })
}

// answeredByYear gives the values of the years of an answer or, where years are not drilled, its summary.
func answeredByYear(a *answer.Answer) map[string][]decimal.NullDecimal {
	if len(a.Plan.Keys()) == 0 {
		return map[string][]decimal.NullDecimal{"": a.Summary.Values}
	}
	byYear := map[string][]decimal.NullDecimal{}
	for _, cell := range a.Cells {
		byYear[cell.Keys[0].String()] = cell.Values
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

// Quality says in a line how the data of a cube was loaded.
func Quality(v *site.Visit, cb *cube.Cube) (string, error) {
	r, err := read(v, cb)
	if err != nil {
		return "", err
	}
	return r.quality(), nil
}

// quality says in a line how the data was loaded.
func (r *report) quality() string {
	said := r.Say("report.files-read", "Count", len(r.Resources))
	switch {
	case r.differ > 0:
		said += ", " + r.Say("report.totals-differ", "Count", r.differ)
	case r.sums > 0:
		said += ", " + r.Say("report.totals-match")
	}
	byKind := map[findings.Kind]int{}
	for _, f := range r.Findings {
		byKind[f.Kind()]++
	}
	var found []string
	for _, kind := range kinds {
		if n := byKind[kind]; n > 0 {
			found = append(found, r.Say("report."+string(kind), "Count", n))
		}
	}
	return strings.TrimSuffix(said+"; "+strings.Join(found, ", "), "; ")
}

// kinds of findings, those first that a reader must look at.
var kinds = []findings.Kind{findings.LooksWrong, findings.Assumed, findings.Repaired}
