package functions

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube/series"
	"fiscube/internal/each"
)

// Unit is what is compared.
type Unit string

// What is compared: shares of the whole in all budgets; growth in prices of one year, where these are known; amounts per person in prices of one
// year, among budgets of one currency.
const (
	Shares    Unit = "shares"
	Growth    Unit = "growth"
	PerPerson Unit = "per-person"
)

// Units lists them.
var Units = []Unit{Shares, Growth, PerPerson}

// Column is a budget with what is compared.
type Column struct {
	*Sums
	Values []decimal.NullDecimal // of each of Parts; growth is in per cent, and null from nothing
	Whole  decimal.NullDecimal   // likewise, of all of them
}

var (
	hundred = decimal.NewFromInt(100)
	half    = decimal.New(5, -1)
)

// mostDecimals are kept of a value that is divided. It is shown with fewer.
const mostDecimals = 12

// Compare gives the budgets side by side, and why others are left out. Amounts per person are in prices of a base year: the last of those that
// are compared.
func Compare(budgets []*Sums, by Unit) (columns []Column, base int64, out []Reason) {
	currency := prevailing(budgets)
	var left []*Sums
	for _, s := range budgets {
		reason := s.unusable()
		if reason == nil && by == PerPerson {
			reason = s.withoutPersons(currency)
		}
		if reason != nil {
			reason.Cube = s.Cube
			out = append(out, *reason)
			continue
		}
		left, base = append(left, s), max(base, s.Year)
	}
	for _, s := range left {
		var reason *Reason
		value := s.share
		switch by {
		case Growth:
			value, reason = s.growth()
		case PerPerson:
			value, reason = s.perPerson(base)
		}
		if reason != nil {
			reason.Cube = s.Cube
			out = append(out, *reason)
			continue
		}
		column := Column{Sums: s, Whole: value(s.Total)}
		column.Values = append(column.Values, each.Of(s.Parts, value)...)
		columns = append(columns, column)
	}
	return columns, base, out
}

// unusable says why nothing of a budget can be compared; nil if something can.
func (s *Sums) unusable() *Reason {
	if !s.Total.Amount.IsPositive() {
		return &Reason{Code: NoTotal, Years: []int64{s.Year}}
	}
	if share := s.share(s.Parts[len(s.Parts)-1]).Decimal; share.GreaterThan(half) {
		return &Reason{Code: Unassigned, Share: share}
	}
	return nil
}

func (s *Sums) share(p Part) decimal.NullDecimal {
	return decimal.NewNullDecimal(p.Amount.DivRound(s.Total.Amount, mostDecimals))
}

// growth gives by how much a part grew since the year before in prices of one year, in per cent.
func (s *Sums) growth() (func(Part) decimal.NullDecimal, *Reason) {
	if s.Before == 0 {
		return nil, &Reason{Code: YearBefore, Years: []int64{s.Year}}
	}
	years := []int64{s.Before, s.Year}
	factors, ok := s.prices(s.Year, years)
	if !ok {
		return nil, &Reason{Code: NoPrices, Years: years}
	}
	return func(p Part) decimal.NullDecimal {
		before := p.Before.Mul(factors.Times[s.Before])
		if !before.IsPositive() {
			return decimal.NullDecimal{}
		}
		more := p.Amount.Mul(factors.Times[s.Year]).Sub(before)
		return decimal.NewNullDecimal(more.Mul(hundred).DivRound(before, mostDecimals))
	}, nil
}

// withoutPersons says why amounts per person are not compared; nil if they can be.
func (s *Sums) withoutPersons(currency string) *Reason {
	switch {
	case s.Measure.Currency == "" || s.Measure.Unit == 0:
		return &Reason{Code: NoUnit}
	case s.Measure.Currency != currency:
		return &Reason{Code: Currency, Other: currency}
	case len(s.persons().Times) == 0:
		return &Reason{Code: NoPersons, Years: []int64{s.Year}}
	}
	return nil
}

// persons gives the factor that divides amounts of the year by the inhabitants, if they are known.
func (s *Sums) persons() (factors series.Factors) {
	for _, of := range series.Of(s.Cube) {
		if !of.IsOfPrices() {
			factors = series.PerHead(of, []int64{s.Year})
		}
	}
	return factors
}

// perPerson gives an amount in prices of a base year, divided by the inhabitants.
func (s *Sums) perPerson(base int64) (func(Part) decimal.NullDecimal, *Reason) {
	factors := s.persons()
	if s.Year != base {
		real, ok := s.prices(base, []int64{s.Year})
		if !ok {
			return nil, &Reason{Code: NoPrices, Years: []int64{s.Year, base}}
		}
		factors = factors.And(real)
	}
	times := factors.Times[s.Year].Mul(decimal.NewFromInt(s.Measure.Unit))
	return func(p Part) decimal.NullDecimal {
		return decimal.NewNullDecimal(p.Amount.Mul(times).DivRound(factors.Divisor, mostDecimals))
	}, nil
}

// prices gives the factors that put amounts of some years into prices of a base year, if the prices of all of them are known.
func (s *Sums) prices(base int64, years []int64) (series.Factors, bool) {
	for _, of := range series.Of(s.Cube) {
		if !of.IsOfPrices() {
			continue
		}
		factors, ok := series.Real(of, base, years)
		return factors, ok && len(factors.Times) == len(years)
	}
	return series.Factors{}, false
}

// prevailing is the currency of the most budgets, of several the first.
func prevailing(budgets []*Sums) (currency string) {
	counts, most := map[string]int{}, 0
	for _, s := range budgets {
		counts[s.Measure.Currency]++
	}
	for _, s := range budgets {
		if n := counts[s.Measure.Currency]; n > most {
			currency, most = s.Measure.Currency, n
		}
	}
	return currency
}

// Notes says what a reader must know of columns that stand side by side.
func Notes(columns []Column) (notes []Reason) {
	isNational := func(c Column) bool { return series.IsNational(c.Cube.Package) }
	for i, c := range columns {
		if i > 0 && c.Year != columns[0].Year {
			notes = append(notes, Reason{Code: YearsDiffer})
			break
		}
	}
	for _, c := range columns {
		if c.Measure.Phase != phases[0] {
			notes = append(notes, Reason{Code: ApprovedAlone, Cube: c.Cube, Years: []int64{c.Year}})
		}
		if !isNational(c) && slices.ContainsFunc(columns, isNational) {
			notes = append(notes, Reason{Code: LevelsDiffer, Cube: c.Cube})
		}
		if len(c.Cube.Financing) > 0 {
			notes = append(notes, Reason{Code: WithoutLoans, Cube: c.Cube})
		}
	}
	return notes
}
