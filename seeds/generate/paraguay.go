package main

import (
	"math/rand/v2"
	"strings"
)

// paraguay is modelled on D1, the national budget of Paraguay: one file, one month. Its publisher gave no
// field a meaning, so that amounts and a text stand among the integers and the descriptor names no measure.
func paraguay() seed {
	return seed{
		name: "example-paraguay",
		id:   "example-D1",
		about: object{
			{"title", "Paraguay (synthetic example)"},
			{"description", madeUp("the spending of the central government of Paraguay")},
			{"tags", texts("national")},
			{"govt_level", "National"},
			{"budget_stage", texts("Enacted")},
			{"pub_institutional_name", publisher},
			{"continent", "South America"},
			{"region", "Americas"},
			{"country", "Paraguay"},
			{"periodicity", "Yearly"},
			{"years_included", years(2017, 2017)},
			{"start_date", "2017-01-01"},
			{"end_date", "2017-12-31"},
		},
		fields:    paraguayFields,
		resources: []resource{{"pgn-gasto-2017.csv", paraguayMonth()}},
	}
}

var paraguayFields = []field{
	{"anio", "integer", "date:fiscal-year"},
	{"mes", "integer", "unknown:integer"},
	{"codigoNivel", "integer", "unknown:integer"},
	{"descripcionNivel", "string", "activity:generic:contract:code"},
	{"codigoEntidad", "integer", "unknown:integer"},
	{"descripcionEntidad", "string", "activity:generic:contract:code"},
	{"codigoUnidadResponsable", "integer", "unknown:integer"},
	{"descripcionUnidadResponsable", "string", "activity:generic:contract:code"},
	{"codigoTipoPresupuesto", "integer", "unknown:integer"},
	{"descripcionTipoPresupuesto", "string", "activity:generic:contract:code"},
	{"codigoPrograma", "integer", "unknown:integer"},
	{"descripcionPrograma", "string", "activity:generic:contract:code"},
	{"codigoSubprograma", "integer", "unknown:integer"},
	{"descripcionSubprograma", "string", "activity:generic:contract:code"},
	{"codigoProyecto", "integer", "unknown:integer"},
	{"descripcionProyecto", "string", "activity:generic:contract:code"},
	{"funcion", "string", "activity:generic:contract:code"},
	{"subfuncion", "string", "activity:generic:contract:code"},
	{"grupoEconomico", "string", "activity:generic:contract:code"},
	{"subgrupoEconomico", "string", "activity:generic:contract:code"},
	{"categoriaEconomica", "string", "activity:generic:contract:code"},
	{"grupoObjetoGasto", "string", "activity:generic:contract:code"},
	{"subgrupoObjetoGasto", "string", "activity:generic:contract:code"},
	{"objetoGasto", "string", "activity:generic:contract:code"},
	{"codigoFuenteFinanciamiento", "integer", "unknown:integer"},
	{"descripcionFuenteFinanciamiento", "string", "activity:generic:contract:code"},
	{"codigoOrganismoFinanciador", "integer", "unknown:integer"},
	{"codigoDepartamento", "integer", "unknown:integer"},
	{"departamento", "integer", "unknown:integer"}, // text in every row, as published
	{"codigoUAF", "integer", "unknown:integer"},
	{"descripcionUAF", "string", "activity:generic:contract:code"},
	{"codigoNivelFinanciero", "integer", "unknown:integer"},
	{"nombreNivelFinanciero", "string", "activity:generic:contract:code"},
	{"presupuestoInicialAprobado", "integer", "unknown:integer"},
	{"montoVigente", "integer", "unknown:integer"},
	{"montoPlanFinancieroVigente", "integer", "unknown:integer"},
	{"montoEjecutado", "integer", "unknown:integer"},
	{"montoTransferido", "integer", "unknown:integer"},
	{"montoPagado", "integer", "unknown:integer"},
	{"mesCorte", "integer", "unknown:integer"},
	{"anioCorte", "integer", "unknown:integer"},
	{"fechaCorte", "string", "activity:generic:contract:code"},
	{"codigoObjetoGasto", "integer", "unknown:integer"},
	{"descripcionOrganismoFinanciador", "string", "activity:generic:contract:code"},
}

// paraguayMonth makes the rows of January 2017, as they stood in June.
func paraguayMonth() []record {
	r := rand.New(rand.NewPCG(2017, 1))
	books := paraguayMembers()
	var records []record
	for _, w := range paraguayWork {
		for source := range strings.FieldsSeq(w.sources) {
			for item := range strings.FieldsSeq(w.objects) {
				rec := record{
					"anio": "2017", "mes": "1", "anioCorte": "2017", "mesCorte": "6", "fechaCorte": "2017-06-12",
				}
				rec.merge(books.who(w))
				rec.merge(books.what(w, source, item))
				rec.merge(paraguayAmounts(r, amount(r, w.digits)))
				records = append(records, rec)
			}
		}
	}
	return records
}

// who returns the members that say who spends, where and in which programme. A programme and a financial
// unit mean something only in their entity, so their trees begin with it.
func (b paraguayBooks) who(w paraguayLine) record {
	r := record{}
	r.put(0, b.admin.path(w.unit), "codigoNivel", "descripcionNivel", "codigoEntidad", "descripcionEntidad",
		"codigoUnidadResponsable", "descripcionUnidadResponsable")
	entity := w.unit[:strings.LastIndex(w.unit, "/")]
	r.put(0, b.financial.path(entity + "/" + w.financial)[2:], "codigoUAF", "descripcionUAF")
	r.put(0, b.kind.path(w.program[:1]), "codigoTipoPresupuesto", "descripcionTipoPresupuesto")
	r.put(0, b.program.path(entity + "/" + w.program)[3:], "codigoPrograma", "descripcionPrograma",
		"codigoSubprograma", "descripcionSubprograma", "codigoProyecto", "descripcionProyecto")
	r.put(0, b.department.path(w.department), "codigoDepartamento", "departamento")
	return r
}

// what returns the members that say for what money is spent and where it comes from. As published, the
// field funcion holds the lower level and subfuncion the upper one.
func (b paraguayBooks) what(w paraguayLine, source, item string) record {
	r := record{}
	r.put(0, b.function.path(w.function), "", "subfuncion", "", "funcion")
	object := b.object.path(item)
	group := object[0].code
	r.put(0, object, "", "grupoObjetoGasto", "", "subgrupoObjetoGasto", "codigoObjetoGasto", "objetoGasto")
	r.put(0, b.economic.path(paraguayEconomicOf[group]), "", "grupoEconomico", "", "subgrupoEconomico",
		"", "categoriaEconomica")
	r.put(0, b.level.path(paraguayLevelOf[group]), "codigoNivelFinanciero", "nombreNivelFinanciero")
	r.put(0, b.source.path(source), "codigoFuenteFinanciamiento", "descripcionFuenteFinanciamiento",
		"codigoOrganismoFinanciador", "descripcionOrganismoFinanciador")
	return r
}

// paraguayAmounts returns the budget as enacted and in force, the plan for the month, and what of that
// was spent, transferred and paid. In January most lines have spent nothing yet.
func paraguayAmounts(r *rand.Rand, enacted int64) record {
	inForce := enacted
	if r.IntN(5) == 0 {
		inForce = percent(enacted, 80+r.IntN(40))
	}
	var planned, spent, transferred, paid int64
	if r.IntN(100) < 30 {
		planned = inForce / 12
		spent = percent(planned, 60+r.IntN(41))
		transferred, paid = percent(spent, r.IntN(3)*50), percent(spent, r.IntN(101))
	}
	return record{
		"presupuestoInicialAprobado": whole(enacted),
		"montoVigente":               whole(inForce),
		"montoPlanFinancieroVigente": whole(planned),
		"montoEjecutado":             whole(spent),
		"montoTransferido":           whole(transferred),
		"montoPagado":                whole(paid),
	}
}
