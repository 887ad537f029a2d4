package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// mexicoYear makes the rows of a year; plan and outcome are drawn as in croatiaYear.
func mexicoYear(year int) []record {
	plan, outcome := rand.New(rand.NewPCG(2008, 0)), rand.New(rand.NewPCG(2008, uint64(year)))
	books := mexicoMembers()
	var records []record
	for _, w := range mexicoWork {
		for item := range strings.FieldsSeq(w.objects) {
			for _, share := range mexicoShares(plan, w, year) {
				r := books.record(year, w, item, share.state)
				r.merge(mexicoAmounts(outcome, percent(share.planned, 100+7*(year-2008)), year))
				records = append(records, r)
			}
		}
	}
	return records
}

// A mexicoShare is what is planned in one state.
type mexicoShare struct {
	state   string
	planned int64
}

// mexicoShares returns the plan of a line and object by state; in a year that does not tell the state,
// in one sum.
func mexicoShares(plan *rand.Rand, w mexicoLine, year int) []mexicoShare {
	var shares []mexicoShare
	all := mexicoShare{}
	for state := range strings.FieldsSeq(w.states) {
		share := mexicoShare{state, amount(plan, w.digits)}
		shares = append(shares, share)
		all.planned += share.planned
	}
	if year < mexicoStatesSince {
		return []mexicoShare{all}
	}
	return shares
}

// mexicoMeasures says which measures a year has; the others are empty in its file. What was spent is
// called EJERCIDO to 2012 and EJERCICIO from 2013; 2019 and 2020 have neither.
func mexicoMeasures(year int) []string {
	switch {
	case year <= 2012:
		return []string{"APROBADO", "EJERCIDO"}
	case year == 2013:
		return []string{"APROBADO", "EJERCICIO"}
	case year <= 2018:
		return []string{"ADEFAS", "APROBADO", "DEVENGADO", "EJERCICIO", "MODIFICADO", "PAGADO"}
	case year == 2019:
		return []string{"ADEFAS", "APROBADO", "DEVENGADO", "MODIFICADO", "PAGADO"}
	}
	return []string{"APROBADO", "MODIFICADO", "PAGADO"}
}

// mexicoAmounts returns the amounts of a row: approved, modified, accrued, spent, paid, and what is left
// to pay in the next year. Some lines were never approved and some never spent on; a few were paid back.
func mexicoAmounts(r *rand.Rand, approved int64, year int) record {
	modified := percent(approved, 85+r.IntN(35))*100 + r.Int64N(100)
	spent := percent(modified, 94+r.IntN(7))
	left := percent(spent, r.IntN(3))
	paid := spent - left
	switch p := chance(r, approved); {
	case p < 8:
		approved = 0
	case p < 14:
		modified, spent, paid, left = 0, 0, 0, 0
	case p < 20 && year == 2018:
		paid = -percent(spent, 10)
	}
	amounts := map[string]int64{
		"ADEFAS": left, "APROBADO": approved * 100, "DEVENGADO": spent, "EJERCICIO": spent, "EJERCIDO": spent,
		"MODIFICADO": modified, "PAGADO": paid,
	}
	cells, told := record{}, mexicoMeasures(year)
	for name, cents := range amounts {
		cells["MONTO_"+name] = ""
		if slices.Contains(told, name) {
			cells["MONTO_"+name] = mexicoCell(cents, year)
		}
	}
	return cells
}

// mexicoCell prints an amount the way of the year: with two decimals, which to 2016 are always 00, then
// with as many as it takes, at last with none.
func mexicoCell(cents int64, year int) string {
	switch {
	case year <= 2016:
		return fixed(round(cents, 100))
	case year == 2017:
		return fixed(cents)
	case year <= 2019:
		return decimal(cents)
	}
	return whole(cents / 100)
}
