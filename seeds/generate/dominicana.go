package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// dominicana is modelled on D3, the revenue of the Dominican Republic, though its title says expenditure,
// as the published one does. Each year is stated twice: September says again what April said, and more.
func dominicana() seed {
	s := seed{
		name: "example-dominicana",
		id:   "example-D3",
		about: object{
			{"title", "República Dominicana: gasto del gobierno central (synthetic example)"},
			{"description", madeUp("the revenue of the central government of the Dominican Republic")},
			{"tags", texts("national")},
			{"govt_level", "National"},
			{"budget_stage", texts("Quarterly reports", "Enacted")},
			{"author_website", "https://example.org/"},
			{"author_email", "budget@example.org"},
			{"pub_institutional_name", publisher},
			{"continent", "North America"},
			{"region", "Americas"},
			{"country", "Dominican Republic"},
			{"periodicity", "Yearly"},
			{"years_included", years(2014, 2021)},
			{"start_date", "2014-01-01"},
			{"end_date", "2021-12-31"},
			{"createdAt", "2021-10-01T09:00:00Z"},
			{"updatedAt", "2021-10-15T09:00:00Z"},
		},
		copied: true,
		fields: dominicanaFields,
	}
	for year := 2014; year <= 2021; year++ {
		for _, cut := range dominicanaCuts {
			name := fmt.Sprintf("ingresos-actualizacion-%s__%d.csv", cut, year)
			s.resources = append(s.resources, resource{name, dominicanaReport(year, cut)})
		}
	}
	return s
}

const (
	april     = "abril"
	september = "septiembre"
)

var dominicanaCuts = []string{april, september}

var dominicanaFields = []field{
	{"economica_titulo", "string", "economic-classification:generic:level1:code"},
	{"economica_subtitulo", "string", "economic-classification:generic:level2:code"},
	{"economica_grupo", "string", "economic-classification:generic:level3:code"},
	{"periodo", "integer", "date:fiscal-year"},
	{"pres_inicial", "number", "value"},
	{"pres_reformulado_aprobado", "number", "value"},
	{"percibido_aprobado", "number", "value"},
}

// dominicanaReport makes the rows of one report cut. Both cuts of a year draw the same numbers, so that
// September can only have more of what April had.
func dominicanaReport(year int, cut string) []record {
	plan, outcome := rand.New(rand.NewPCG(2014, 0)), rand.New(rand.NewPCG(2014, uint64(year)))
	books := tree(dominicanaRevenue)
	var records []record
	for _, s := range dominicanaSources {
		planned := percent(amount(plan, s.digits), 100+6*(year-2014))
		amounts := dominicanaAmounts(outcome, planned, cut)
		if cut == april && s.late {
			continue // came up between the cuts
		}
		r := record{"periodo": strconv.Itoa(year)}
		for i, m := range books.path(s.group) {
			r[dominicanaFields[i].name] = dominicanaCell(m, year, cut)
		}
		r.merge(amounts)
		records = append(records, r)
	}
	return records
}

// dominicanaCell joins code and label, as the published cells do. What has no third level is marked by
// a label without a code. The April files up to 2017 were typed with fewer accents.
func dominicanaCell(m *member, year int, cut string) string {
	if m.code == notInformed {
		return m.label(year) + " - "
	}
	cell := m.code + " - " + m.label(year)
	if cut == april && year <= 2017 {
		cell = strings.ReplaceAll(cell, "Administración", "Administracion")
	}
	return cell
}

// dominicanaAmounts returns the budget as enacted, as reformulated, which is sometimes missing, and what
// came in until the cut.
func dominicanaAmounts(r *rand.Rand, planned int64, cut string) record {
	came := planned*int64(20+r.IntN(14)) + r.Int64N(100) // in cents, so this is 20 to 33 % of the plan
	more := planned*int64(30+r.IntN(22)) + r.Int64N(100)
	raised, missing := percent(planned, 100+r.IntN(11)), chance(r, planned) < 8
	reformulated := planned
	if cut == september {
		came, reformulated = came+more, raised
	}
	amounts := record{
		"pres_inicial":              fixed(planned * 100),
		"pres_reformulado_aprobado": fixed(reformulated * 100),
		"percibido_aprobado":        fixed(came),
	}
	if missing {
		amounts["pres_reformulado_aprobado"] = ""
	}
	return amounts
}
