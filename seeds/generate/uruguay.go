package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// uruguay is modelled on D6, the Uruguayan central government's budget. As there, the descriptor
// promises other years than the files hold.
func uruguay() seed {
	return seed{
		name: "example-uruguay",
		id:   "example-D6",
		about: object{
			{"description", madeUp("the spending of the central government of Uruguay")},
			{"title", "Presupuesto de Uruguay (synthetic example)"},
			{"tags", texts("national")},
			{"govt_level", "National"},
			{"budget_stage", texts("Enacted", "Quarterly reports", "Year-end")},
			{"author_website", "https://example.org/"},
			{"author_email", "budget@example.org"},
			{"pub_institutional_name", publisher},
			{"continent", "South America"},
			{"country", "Uruguay"},
			{"region", "Americas"},
			{"periodicity", "Yearly"},
			{"years_included", years(2011, 2021)},
			{"start_date", "2015-01-01"},
			{"end_date", "2021-12-31"},
			{"createdAt", "2021-10-01T09:00:00Z"},
			{"updatedAt", "2021-10-15T09:00:00Z"},
			{"image", tinyImage},
		},
		fields:    uruguayFields,
		resources: yearly("example-uruguay__%d.csv", 2011, 2019, uruguayYear),
	}
}

var uruguayFields = []field{
	{"ANO", "integer", "date:fiscal-year"},
	{"AP_ID", "string", "functional-classification:generic:level1:code"},
	{"AP_NOMBRE", "string", "functional-classification:generic:level1:label"},
	{"FINANC_ID", "string", "fin-source:generic:level1:code"},
	{"FINANC_NOMBRE", "string", "fin-source:generic:level1:label"},
	{"FUENTE_FINANC_ID", "string", "fin-source:generic:level2:code"},
	{"FUENTE_FINANC_NOMBRE", "string", "fin-source:generic:level2:label"},
	{"GRUPO_ID", "string", "economic-classification:generic:level1:code"},
	{"GRUPO_NOMBRE", "string", "economic-classification:generic:level1:label"},
	{"MONTO_APROBADO", "number", "value"},
	{"MONTO_EJECUTADO", "number", "value"},
	{"MONTO_VIGENTE", "number", "value"},
	{"ODGYAUX_ID", "string", "economic-classification:generic:level3:code"},
	{"ODGYAUX_NOMBRE", "string", "economic-classification:generic:level3:label"},
	{"ORG_ID", "string", "administrative-classification:generic:level1:code"},
	{"ORG_NOMBRE", "string", "administrative-classification:generic:level1:label"},
	{"PROGRAMA_ID", "string", "functional-classification:generic:level2:code"},
	{"PROGRAMA_NOMBRE", "string", "functional-classification:generic:level2:label"},
	{"PROYECTO_ID", "string", "activity:generic:program:code"},
	{"PROYECTO_NOMBRE", "string", "activity:generic:program:label"},
	{"SUBGRUPO_ID", "string", "economic-classification:generic:level2:code"},
	{"SUBGRUPO_NOMBRE", "string", "economic-classification:generic:level2:label"},
	{"TIPO_GASTO_ID", "string", "expenditure-type:code"},
	{"TIPO_GASTO_NOMBRE", "string", "expenditure-type:label"},
	{"UE_ID", "string", "administrative-classification:generic:level2:code"},
	{"UE_NOMBRE", "string", "administrative-classification:generic:level2:label"},
}

// uruguayYear makes the rows of a year; plan and outcome are drawn as in croatiaYear.
func uruguayYear(year int) []record {
	plan, outcome := rand.New(rand.NewPCG(2011, 0)), rand.New(rand.NewPCG(2011, uint64(year)))
	books := uruguayMembers()
	var records []record
	for _, w := range uruguayWork {
		for source := range strings.FieldsSeq(w.sources) {
			for item := range strings.FieldsSeq(w.objects) {
				base := amount(plan, w.digits)
				if chance(outcome, base) < 4 {
					continue // a line of other years only
				}
				r := books.record(year, w, source, item)
				uruguayAmounts(r, outcome, percent(base, 100+9*(year-2011)), year)
				records = append(records, r)
			}
		}
	}
	return records
}

// record returns the row's members, without amounts.
func (b uruguayBooks) record(year int, w uruguayLine, source, item string) record {
	r := record{"ANO": strconv.Itoa(year), "PROYECTO_ID": w.project, "PROYECTO_NOMBRE": w.projectLabel}
	r.put(year, b.admin.path(w.unit), "ORG_ID", "ORG_NOMBRE", "UE_ID", "UE_NOMBRE")
	r.put(year, b.function.path(w.function), "AP_ID", "AP_NOMBRE", "PROGRAMA_ID", "PROGRAMA_NOMBRE")
	r.put(year, b.source.path(source), "FINANC_ID", "FINANC_NOMBRE", "FUENTE_FINANC_ID", "FUENTE_FINANC_NOMBRE")
	r.put(year, b.economic.path(item), "GRUPO_ID", "GRUPO_NOMBRE", "SUBGRUPO_ID", "SUBGRUPO_NOMBRE",
		"ODGYAUX_ID", "ODGYAUX_NOMBRE")
	r.put(year, b.kind.path(kindOfExpenditure(w, item)), "TIPO_GASTO_ID", "TIPO_GASTO_NOMBRE")
	return r
}

// kindOfExpenditure tells staff, investment and running costs apart.
func kindOfExpenditure(w uruguayLine, item string) string {
	switch {
	case strings.HasPrefix(item, "0/"):
		return "P"
	case w.project != "0":
		return "I"
	default:
		return "F"
	}
}

// uruguayAmounts sets the amounts: approved, in force after changes, executed. What is not known is
// written 0, not left empty, and of the last year nothing executed is known.
func uruguayAmounts(r record, outcome *rand.Rand, approved int64, year int) {
	inForce := percent(approved, 85+outcome.IntN(40))
	executed := percent(inForce, 55+outcome.IntN(46)) + outcome.Int64N(10)
	switch p := chance(outcome, approved); {
	case p < 15:
		approved = 0 // came up during the year
	case p < 20:
		inForce, executed = 0, 0
	case p < 26:
		executed = 0
	}
	if year == 2019 {
		executed = 0
	}
	r["MONTO_APROBADO"] = whole(approved)
	r["MONTO_VIGENTE"] = whole(inForce)
	r["MONTO_EJECUTADO"] = whole(executed)
}
