package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// costaRicaEgresos is modelled on D8, the spending of Costa Rica. Its rows are year-to-date, as those of
// D5, and the names of its files lie about the year, as the published ones do.
func costaRicaEgresos() seed {
	return seed{
		name: "example-costa-rica-egresos",
		id:   "example-D8",
		about: object{
			{"title", "Test Costa Rica Egresos (synthetic example)"},
			{"description", madeUp("the spending of the central government of Costa Rica")},
			{"tags", texts("National")},
			{"govt_level", "National"},
			{"budget_stage", texts("Enacted")},
			{"pub_institutional_name", publisher},
			{"periodicity", "Yearly"},
			{"years_included", years(2017, 2020)},
			{"start_date", "2017-01-01"},
			{"end_date", "2018-12-31"},
			{"continent", "South America"}, // as published
			{"createdAt", "2021-11-01T09:00:00Z"},
			{"updatedAt", "2021-11-15T09:00:00Z"},
		},
		fields: egresosFields,
		resources: []resource{
			{"egreso2019ene_dic__2018.csv", egresosYear(2020, 2)},
			{"egreso2019ene_dic__2019.csv", egresosYear(2019, monthsOfYear)},
			{"egreso2019ene_dic__2020.csv", egresosYear(2017, monthsOfYear)},
		},
	}
}

var egresosFields = []field{
	{"ejercicio", "integer", "date:fiscal-year"},
	{"mes", "string", "unknown:string"},
	{"titulo_codigo", "string", "administrative-classification:generic:level1:code"},
	{"titulo_descripcion", "string", "administrative-classification:generic:level1:label"},
	{"programa_codigo", "string", "administrative-classification:generic:level2:code"},
	{"programa_descripcion", "string", "administrative-classification:generic:level2:label"},
	{"subprograma_codigo", "string", "administrative-classification:generic:level3:code"},
	{"subprograma_descripcion", "string", "administrative-classification:generic:level3:label"},
	{"cog_partida_codigo", "string", "unknown:string"},
	{"cog_partida_descripcion", "string", "unknown:string"},
	{"cog_grupo_codigo", "string", "unknown:string"},
	{"cog_grupo_descripcion", "string", "unknown:string"},
	{"cog_subpartida_codigo", "string", "unknown:string"},
	{"cog_subpartida_descripcion", "string", "unknown:string"},
	{"ce_partida_codigo", "string", "economic-classification:generic:level1:code"},
	{"ce_partida_descripcion", "string", "economic-classification:generic:level1:label"},
	{"ce_grupo_codigo", "string", "economic-classification:generic:level2:code"},
	{"ce_grupo_descripcion", "string", "economic-classification:gfsm:level2:label"},
	{"ce_subpartida_codigo", "string", "economic-classification:generic:level3:code"},
	{"ce_subpartida_descripcion", "string", "economic-classification:generic:level3:label"},
	{"ce_renglon_codigo", "string", "economic-classification:generic:level4:code"},
	{"ce_renglon_descripcion", "string", "economic-classification:generic:level4:label"},
	{"cf_clase_codigo", "string", "functional-classification:generic:level1:code"},
	{"cf_clase_descripcion", "string", "functional-classification:generic:level1:label"},
	{"cf_subclase_codigo", "string", "functional-classification:generic:level2:code"},
	{"cf_subclase_descripcion", "string", "functional-classification:generic:level2:label"},
	{"cf_grupo_codigo", "string", "functional-classification:generic:level3:code"},
	{"cf_grupo_descripcion", "string", "functional-classification:generic:level3:label"},
	{"cf_subgrupo_codigo", "string", "functional-classification:generic:level4:code"},
	{"cf_subgrupo_descripcion", "string", "functional-classification:generic:level4:label"},
	{"ff_codigo", "string", "fin-source:generic:code"},
	{"ff_descripcion", "string", "fin-source:generic:label"},
	{"ff_clase1", "string", "unknown:string"},
	{"ff_clase2", "string", "unknown:string"},
	{"pi_monto", "number", "value"},
	{"pp_monto", "number", "value"},
	{"li_monto", "number", "value"},
	{"so_monto", "number", "value"},
	{"co_monto", "number", "value"},
	{"rm_monto", "number", "value"},
	{"de_monto", "number", "value"},
	{"pa_monto", "number", "value"},
}

// egresosYear makes the rows of a fiscal year up to some month, all months of a line one after the other.
func egresosYear(year, months int) []record {
	plan, outcome := rand.New(rand.NewPCG(2017, 8)), rand.New(rand.NewPCG(2018, uint64(year)))
	books := egresosMembers()
	var records []record
	for _, w := range egresosWork {
		for item := range strings.FieldsSeq(w.objects) {
			planned := percent(amount(plan, w.digits), 100+5*(year-2017))
			members := books.record(year, w, item)
			for m, amounts := range egresosAmounts(outcome, planned, item)[:months] {
				r := record{"ejercicio": strconv.Itoa(year), "mes": month(m)}
				r.merge(members)
				r.merge(amounts)
				records = append(records, r)
			}
		}
	}
	return records
}

// record returns the members of a line and an object of expenditure.
func (b egresosBooks) record(year int, w egresosLine, item string) record {
	r := record{}
	r.put(year, b.admin.path(w.unit), "titulo_codigo", "titulo_descripcion",
		"programa_codigo", "programa_descripcion", "subprograma_codigo", "subprograma_descripcion")
	r.put(year, b.object.path(item), "cog_partida_codigo", "cog_partida_descripcion",
		"cog_grupo_codigo", "cog_grupo_descripcion", "cog_subpartida_codigo", "cog_subpartida_descripcion")
	r.put(year, b.economic.path(egresosEconomicOf[item]), "ce_partida_codigo", "ce_partida_descripcion",
		"ce_grupo_codigo", "ce_grupo_descripcion", "ce_subpartida_codigo", "ce_subpartida_descripcion",
		"ce_renglon_codigo", "ce_renglon_descripcion")
	r.put(year, b.function.path(w.function), "cf_clase_codigo", "cf_clase_descripcion",
		"cf_subclase_codigo", "cf_subclase_descripcion", "cf_grupo_codigo", "cf_grupo_descripcion",
		"cf_subgrupo_codigo", "cf_subgrupo_descripcion")
	r.put(year, b.fund.path(w.fund), "ff_clase2", "", "ff_clase1", "", "ff_codigo", "ff_descripcion")
	return r
}

// egresosAmounts returns the amounts of each month: the budget as enacted, which stays; as amended; what
// of that is released; requested, committed and received, which come and go; accrued and paid, which
// only grow.
func egresosAmounts(r *rand.Rand, planned int64, item string) []record {
	inForce := amended(r, planned, monthsOfYear)
	accrued := course(r, percent(planned, 85+r.IntN(14))*100+r.Int64N(100), monthsOfYear)
	paid := 96 + r.IntN(5)
	months := make([]record, monthsOfYear)
	for m := range months {
		requested, committed, received := egresosPending(r, accrued[m], m, item)
		months[m] = record{
			"pi_monto": fixed(planned * 100),
			"pp_monto": fixed(inForce[m] * 100),
			"li_monto": fixed(inForce[m] * 100),
			"so_monto": fixed(requested),
			"co_monto": fixed(committed),
			"rm_monto": fixed(received),
			"de_monto": fixed(accrued[m]),
			"pa_monto": fixed(percent(accrued[m], paid)),
		}
	}
	return months
}

// egresosPending returns what is requested, committed and received in a month. For staff January brings
// a correction below zero that is gone in February; what is bought is pending until December.
func egresosPending(r *rand.Rand, accrued int64, m int, item string) (requested, committed, received int64) {
	staff := strings.HasPrefix(item, "0/")
	switch {
	case staff && m == 0:
		return 0, -percent(accrued, 20+r.IntN(30)), 0
	case staff || m == monthsOfYear-1:
		return 0, 0, 0
	}
	return percent(accrued, r.IntN(3)), percent(accrued, 5+r.IntN(30)), percent(accrued, r.IntN(2))
}
