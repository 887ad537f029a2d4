package storetest

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/functions"
	"fiscube/cube/plan"
)

// functions checks the amounts by division of each year that has any: those of the store are those of the rows, and the parts with what is
// not assigned make the whole.
func (e *examination) functions() {
	if _, ok := e.version.FunctionLevel(); !ok {
		return
	}
	years, reason := functions.Years(e.version)
	switch {
	case reason == nil:
	case reason.Code == functions.Excerpt, reason.Code == functions.PartOfYear:
		return
	default:
		e.Fatalf("it has functions, and is left out: %s", reason.Code)
	}
	for _, year := range years {
		b, reason := functions.Of(e.version, year)
		if reason != nil {
			e.Fatalf("%d is left out: %s", year, reason.Code)
		}
		got, err := e.answer(b.Query())
		if err != nil {
			e.Fatal(err)
		}
		var rows []functions.Row
		for _, cell := range got.Cells {
			rows = append(rows, functions.Row{Keys: cell.Keys, Amount: cell.Values[0]})
		}
		sums := b.Add(got.Plan.Keys(), rows)
		want := e.rowsByDivision(b)
		total, parts := decimal.Zero, decimal.Zero
		for _, amount := range want {
			total = total.Add(amount)
		}
		for _, part := range append(slices.Clone(sums.Parts), sums.Total) {
			parts = parts.Add(part.Amount)
			if amount := want[part.Division]; part.Division != "" && !part.Amount.Equal(amount) {
				e.Errorf("%d: %s has %s, the rows %s", year, part.Division, part.Amount, amount)
			}
		}
		if rest := sums.Parts[len(sums.Parts)-1]; !rest.Amount.Equal(want[""]) || !sums.Total.Amount.Equal(total) || !parts.Equal(total.Add(total)) {
			e.Errorf("%d: %s is of none, the rows have %s; all is %s, the rows have %s", year, rest.Amount, want[""], sums.Total.Amount, total)
		}
	}
}

// rowsByDivision adds up the rows of the files, by the paths of the overlay.
func (e *examination) rowsByDivision(b functions.Budget) map[string]decimal.Decimal {
	divisions := map[string]string{}
	for _, d := range e.version.Functions.Divisions {
		for _, path := range d.Members {
			divisions[strings.Join(path, "\x00")+"\x00"] = d.Code
		}
	}
	sums := map[string]decimal.Decimal{}
	year, _ := e.version.Model.FiscalYear()
	q := b.Query()
	q.Drilldown = nil
	p, err := plan.Bind(e.version, q)
	if err != nil {
		e.Fatal(err)
	}
	for _, g := range e.adder.groups(p, append([]cube.Column{year}, e.version.Model.PathOf(b.Level)...), false) {
		if n, _ := g.keys[0].Int(); n != b.Year {
			continue
		}
		code := divisions[pathText(g.keys[1:])]
		if key := g.keys[len(g.keys)-1].String(); len(divisions) == 0 && slices.Contains(cube.Divisions, key) {
			code = key
		}
		for _, r := range g.rows {
			amount, _ := e.adder.amount(r, b.Measure.Ref)
			sums[code] = sums[code].Add(amount)
		}
	}
	if len(sums) < 2 {
		e.Errorf("%d has %v", b.Year, sums)
	}
	return sums
}
