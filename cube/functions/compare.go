package functions

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/series"
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

// Compare gives the budgets side by side, and why others are left out.
func Compare(budgets []*Sums, by Unit) (columns []Column, out []Reason) {
	var left []*Sums
	for _, s := range budgets {
		if reason := s.unusable(); reason != nil {
			out = append(out, *reason)
		} else {
			left = append(left, s)
		}
	}
	currency, base := prevailing(left), int64(0)
	for _, s := range left {
		base = max(base, s.Year)
	}
	for _, s := range left {
		var reason *Reason
		var value func(Part) decimal.NullDecimal
		switch by {
		case Growth:
			value, reason = s.growth()
		case PerPerson:
			value, reason = s.perPerson(currency, base)
		default:
			value = s.share
		}
		if reason != nil {
			reason.Cube = s.Cube
			out = append(out, *reason)
			continue
		}
		column := Column{Sums: s, Whole: value(s.Total)}
		for _, part := range s.Parts {
			column.Values = append(column.Values, value(part))
		}
		columns = append(columns, column)
	}
	return columns, out
}

// unusable says why nothing of a budget can be compared; nil if something can.
func (s *Sums) unusable() *Reason {
	if !s.Total.Amount.IsPositive() {
		return &Reason{Code: NoTotal, Cube: s.Cube, Years: []int64{s.Year}}
	}
	if share := s.share(s.Parts[len(s.Parts)-1]).Decimal; share.GreaterThan(half) {
		return &Reason{Code: Unassigned, Cube: s.Cube, Share: share}
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

// perPerson gives an amount in prices of a base year, divided by the inhabitants.
func (s *Sums) perPerson(currency string, base int64) (func(Part) decimal.NullDecimal, *Reason) {
	years := []int64{s.Year}
	switch {
	case s.Measure.Currency == "" || s.Measure.Unit == 0:
		return nil, &Reason{Code: NoUnit}
	case s.Measure.Currency != currency:
		return nil, &Reason{Code: Currency, Texts: []string{s.Measure.Currency, currency}}
	}
	factors := series.Plain(years)
	if s.Year != base {
		real, ok := s.prices(base, years)
		if !ok {
			return nil, &Reason{Code: NoPrices, Years: []int64{s.Year, base}}
		}
		factors = real
	}
	persons := slices.DeleteFunc(series.Of(s.Cube), cube.Series.IsOfPrices)
	if len(persons) == 0 {
		return nil, &Reason{Code: NoPersons, Years: years}
	}
	factors = factors.And(series.PerHead(persons[0], years))
	times, ok := factors.Times[s.Year]
	if !ok {
		return nil, &Reason{Code: NoPersons, Years: years}
	}
	unit := decimal.NewFromInt(s.Measure.Unit)
	return func(p Part) decimal.NullDecimal {
		return decimal.NewNullDecimal(p.Amount.Mul(unit).Mul(times).DivRound(factors.Divisor, mostDecimals))
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
