package main

import (
	"math/rand/v2"
	"slices"
	"strconv"
)

// costaRicaIngresos is modelled on D5, the revenue of Costa Rica. Its rows are year-to-date: each month
// states the whole year again. As there, a file holds rows of the next year.
func costaRicaIngresos() seed {
	return seed{
		name: "example-costa-rica-ingresos",
		id:   "example-D5",
		about: object{
			{"title", "Presupuesto de Ingresos Costa Rica (synthetic example)"},
			{"description", madeUp("the revenue of the central government of Costa Rica")},
			{"tags", texts("ingresos")},
			{"govt_level", "National"},
			{"budget_stage", texts("Enacted")},
			{"pub_institutional_name", publisher},
			{"continent", "South America"}, // as published
			{"periodicity", "Yearly"},
			{"country", "Costa Rica"},
			{"years_included", years(2017, 2018)},
			{"start_date", "2017-01-01"},
			{"end_date", "2018-12-31"},
			{"createdAt", "2021-10-01T09:00:00Z"},
			{"updatedAt", "2021-10-15T09:00:00Z"},
		},
		fields:    ingresosFields,
		resources: yearly("ingreso%[1]dene_dic__%[1]d.csv", 2017, 2019, ingresosFile),
	}
}

var ingresosFields = []field{
	{"ejercicio", "integer", "date:fiscal-year"},
	{"mes", "string", "unknown:string"},
	{"titulo_codigo", "string", "administrative-classification:generic:level1:code"},
	{"titulo_descripcion", "string", "administrative-classification:generic:level1:label"},
	{"ci_clase_codigo", "string", "unknown:string"},
	{"ci_clase_descripcion", "string", "unknown:string"},
	{"ci_subclase_codigo", "string", "unknown:string"},
	{"ci_subclase_descripcion", "string", "unknown:string"},
	{"ci_grupo_codigo", "string", "unknown:string"},
	{"ci_grupo_descripcion", "string", "unknown:string"},
	{"ci_subgrupo_codigo", "string", "unknown:string"},
	{"ci_subgrupo_descripcion", "string", "unknown:string"},
	{"ci_partida_codigo", "string", "unknown:string"},
	{"ci_partida_descripcion", "string", "unknown:string"},
	{"ci_subpartida_codigo", "string", "unknown:string"},
	{"ci_subpartida_descripcion", "string", "unknown:string"},
	{"ci_renglon_codigo", "string", "unknown:string"},
	{"ci_renglon_descripcion", "string", "unknown:string"},
	{"ci_subrenglon_codigo", "string", "unknown:string"},
	{"ci_subrenglon_descripcion", "string", "unknown:string"},
	{"ci_fuente_codigo", "string", "unknown:string"},
	{"ci_fuente_descripcion", "string", "unknown:string"},
	{"ff_codigo", "string", "unknown:string"},
	{"ff_descripcion", "string", "unknown:string"},
	{"ff_clase2", "string", "unknown:string"},
	{"pi_monto", "number", "value"},
	{"pp_monto", "number", "value"},
	{"de_monto", "number", "value"},
	{"pa_monto", "number", "value"},
}

// ingresosFile makes the rows of a file. What was borrowed in the first days of 2019 stands in the file
// of 2018 already, and the file of 2019 does not repeat it.
func ingresosFile(year int) []record {
	records := ingresosYear(year)
	switch year {
	case 2018:
		next := slices.DeleteFunc(ingresosYear(2019), func(r record) bool { return !ahead(r) })
		return append(records, next...)
	case 2019:
		return slices.DeleteFunc(records, ahead)
	}
	return records
}

// ahead reports whether a row of 2019 was published with 2018.
func ahead(r record) bool { return r["mes"] == "01" && r["ci_clase_codigo"] == "3" }

// ingresosYear makes the rows of a fiscal year, all months of one source after the other.
func ingresosYear(year int) []record {
	plan, outcome := rand.New(rand.NewPCG(2017, 5)), rand.New(rand.NewPCG(2017, uint64(year)))
	books := ingresosMembers()
	var records []record
	for _, s := range ingresosSources {
		planned := percent(amount(plan, s.digits), 100+6*(year-2017))
		members := books.record(year, s)
		for m, amounts := range ingresosAmounts(outcome, planned) {
			r := record{"ejercicio": strconv.Itoa(year), "mes": month(m)}
			r.merge(members)
			r.merge(amounts)
			records = append(records, r)
		}
	}
	return records
}

// record returns the members of a source of revenue.
func (b ingresosBooks) record(year int, s ingresosSource) record {
	r := record{}
	r.put(year, b.title.path(s.title), "titulo_codigo", "titulo_descripcion")
	r.put(year, b.fund.path(s.fund), "ff_clase2", "", "ff_codigo", "ff_descripcion")
	for _, level := range ingresosLevels {
		code := s.code[:level.digits]
		r["ci_"+level.name+"_codigo"], r["ci_"+level.name+"_descripcion"] = code, b.revenueLabel(code, year)
	}
	return r
}

// ingresosAmounts returns the amounts of each month: the budget as enacted, which stays; as amended;
// what came in; and what of it was paid in.
func ingresosAmounts(r *rand.Rand, planned int64) []record {
	inForce := amended(r, planned, monthsOfYear)
	came := course(r, percent(planned, 90+r.IntN(16))*100+r.Int64N(100), monthsOfYear)
	paidIn := 97 + r.IntN(4)
	months := make([]record, monthsOfYear)
	for m := range months {
		months[m] = record{
			"pi_monto": fixed(planned * 100),
			"pp_monto": fixed(inForce[m] * 100),
			"de_monto": fixed(came[m]),
			"pa_monto": fixed(percent(came[m], paidIn)),
		}
	}
	return months
}
