package functions

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/internal/each"
)

// Row is a cell of the answer to Budget.Query: its keys, and the sum.
type Row struct {
	Keys   []cube.Value
	Amount decimal.NullDecimal
}

// Part is what a budget has of a division.
type Part struct {
	Division string // "": what is of none, or the whole
	Amount   decimal.Decimal
	Before   decimal.Decimal
	Members  [][]cube.Value // the paths that have amounts in the year
}

// Sums are the amounts of a budget: of each division in their order, then of what is of none; and the whole.
type Sums struct {
	Budget
	Parts []Part
	Total Part
}

// Add adds up the rows, whose keys are of some columns, by division.
func (b Budget) Add(columns []cube.Column, rows []Row) *Sums {
	s := &Sums{Budget: b}
	s.Parts = append(s.Parts, each.Of(cube.Divisions, func(code string) Part { return Part{Division: code} })...)
	s.Parts = append(s.Parts, Part{})
	year, _ := b.Cube.Model.FiscalYear()
	at := func(name string) int {
		return slices.IndexFunc(columns, func(c cube.Column) bool { return c.Name == name })
	}
	for _, row := range rows {
		path, texts := make([]cube.Value, len(b.Level.Path)), make([]string, len(b.Level.Path))
		for i, field := range b.Level.Path {
			path[i] = row.Keys[at(field)]
			texts[i] = path[i].String()
		}
		division := b.Cube.Functions.Of(texts)
		i := slices.IndexFunc(s.Parts, func(p Part) bool { return p.Division == division })
		for _, part := range []*Part{&s.Parts[i], &s.Total} {
			if n, _ := row.Keys[at(year.Name)].Int(); n != b.Year {
				part.Before = part.Before.Add(row.Amount.Decimal)
			} else if row.Amount.Valid {
				part.Amount = part.Amount.Add(row.Amount.Decimal)
				part.Members = append(part.Members, path)
			}
		}
	}
	s.Total.Members = nil // all
	return s
}
