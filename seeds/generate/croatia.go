package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// croatia is modelled on D2, the Croatian central government's budget.
func croatia() seed {
	return seed{
		name: "example-croatia",
		id:   "example-D2",
		about: object{
			{"title", "Croatian Budget and Spending (synthetic example)"},
			{"description", madeUp("the spending of the central government of Croatia")},
			{"years_included", years(2016, 2019)},
			{"pub_institutional_name", publisher},
			{"budget_stage", texts("Enacted")},
			{"govt_level", "National"},
			{"continent", "Europe"},
			{"country", "Croatia"},
			{"periodicity", "Yearly"},
			{"start_date", "2016-01-01"},
			{"end_date", "2019-12-31"},
			{"tags", texts("Revenue")},
			{"createdAt", "2021-10-01T09:00:00Z"},
			{"updatedAt", "2021-10-15T09:00:00Z"},
			{"image", ""},
		},
		copied:    true,
		fields:    croatiaFields,
		resources: yearly("example-croatia__%d.csv", 2016, 2019, croatiaYear),
	}
}

var croatiaFields = []field{
	{"Year", "integer", "date:fiscal-year"},
	{"admin1_code", "string", "administrative-classification:generic:level1:code"},
	{"admin1_label", "string", "administrative-classification:generic:level1:label"},
	{"admin2_code", "string", "administrative-classification:generic:level2:code"},
	{"admin2_label", "string", "administrative-classification:generic:level2:label"},
	{"activity1_code", "string", "activity:generic:program:code"},
	{"activity1_label", "string", "activity:generic:program:label"},
	{"activity2_code", "string", "activity:generic:subprogram:code"},
	{"activity2_label", "string", "activity:generic:subprogram:label"},
	{"activity3_code", "string", "activity:generic:project:code"},
	{"activity3_label", "string", "activity:generic:project:label"},
	{"func1_code", "string", "functional-classification:generic:level1:code"},
	{"func1_label", "string", "functional-classification:generic:level1:label"},
	{"fin_source_code", "string", "fin-source:generic:level1:code"},
	{"fin_source_label", "string", "fin-source:generic:level1:label"},
	{"econ1_code", "string", "economic-classification:generic:level1:code"},
	{"econ1_label", "string", "economic-classification:generic:level1:label"},
	{"econ2_code", "string", "economic-classification:generic:level2:code"},
	{"econ2_label", "string", "economic-classification:generic:level2:label"},
	{"econ3_code", "string", "economic-classification:generic:level3:code"},
	{"econ3_label", "string", "economic-classification:gfsm:level3:label"},
	{"approved_value", "number", "value"},
	{"executed_value", "number", "value"},
}

// croatiaYear makes the rows of a year. The plan of a line is drawn alike for every year and then grown,
// so that a line can be followed over time; what came of it is drawn anew.
func croatiaYear(year int) []record {
	plan, outcome := rand.New(rand.NewPCG(2016, 0)), rand.New(rand.NewPCG(2016, uint64(year)))
	books := croatiaMembers()
	var records []record
	for _, w := range croatiaWork {
		for source := range strings.FieldsSeq(w.sources) {
			for item := range strings.FieldsSeq(w.objects) {
				base := amount(plan, w.digits)
				if w.inForce(year) && (item == leftover || chance(outcome, base) >= 5) {
					r := books.record(year, w, source, item)
					r["approved_value"], r["executed_value"] = croatiaAmounts(outcome, growth(base, year))
					records = append(records, r)
				}
			}
		}
	}
	return records
}

// growth returns what a line of 2016 is planned at in a later year.
func growth(base int64, year int) int64 {
	return round(percent(base, 100+4*(year-2016)), 10)
}

// record returns the row's members, without amounts.
func (b croatiaBooks) record(year int, w croatiaLine, source, item string) record {
	r := record{"Year": strconv.Itoa(year)}
	r.put(year, b.admin.path(w.unit), "admin1_code", "admin1_label", "admin2_code", "admin2_label")
	r.put(year, b.activity.path(w.activity), "activity1_code", "activity1_label",
		"activity2_code", "activity2_label", "activity3_code", "activity3_label")
	r.put(year, b.function.path(w.function), "func1_code", "func1_label")
	r.put(year, b.source.path(source), "fin_source_code", "fin_source_label")
	r.put(year, b.economic.path(item), "econ1_code", "econ1_label", "econ2_code", "econ2_label",
		"econ3_code", "econ3_label")
	return r
}

// croatiaAmounts returns the approved and the executed cell. About one row in eight was never executed
// and one in thirty never approved, which is missing and not zero; both never happens, but true zeros
// and repaid money (negative) do.
func croatiaAmounts(r *rand.Rand, planned int64) (approved, executed string) {
	spent := percent(planned, 60+r.IntN(46))*100 + r.Int64N(100)
	switch r.IntN(10) {
	case 0, 1:
		spent = round(spent, 100)
	case 2:
		spent = round(spent, 10)
	}
	approved, executed = whole(planned), decimal(spent)
	switch p := chance(r, planned); {
	case p < 12:
		return approved, ""
	case p < 14:
		return "", executed
	case p < 15:
		return "", decimal(-spent / 10)
	case p < 16:
		return approved, "0"
	case p < 17:
		return "0", executed
	}
	return approved, executed
}
