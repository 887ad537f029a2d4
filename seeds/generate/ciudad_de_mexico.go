package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// ciudadDeMexico is modelled on D4, the spending of Mexico City. Its publisher gave every field but two
// the same meaning, amounts among them, which are text. The first half of a year is stated twice: the
// statement of June says again what that of March said.
func ciudadDeMexico() seed {
	large := append(ciudadYear(2018), ciudadYear(2019)...)
	return seed{
		name: "example-ciudad-de-mexico",
		id:   "example-D4",
		about: object{
			{"title", "Ciudad de México (synthetic example)"},
			{"description", madeUp("the spending of Mexico City")},
			{"tags", texts("subnational")},
			{"govt_level", "Subnational"},
			{"budget_stage", texts("Quarterly reports")},
			{"pub_institutional_name", publisher},
			{"continent", "North America"},
			{"country", "Mexico"},
			{"periodicity", "Quarterly"},
			{"years_included", years(2018, 2020)},
			{"start_date", "2018-01-01"},
			{"end_date", "2020-12-31"},
			{"createdAt", "2021-10-01T09:00:00Z"},
			{"updatedAt", "2021-10-15T09:00:00Z"},
			{"image", tinyImage},
		},
		copied: true,
		fields: ciudadFields(),
		resources: []resource{
			{"egresos-ciudad-de-mexico.csv", large},
			{"egresos-ciudad-de-mexico__2020.csv", ciudadYear(2020)},
		},
	}
}

// ciudadStatements are the values of periodo, in the order of the year, which is not that of the letters.
var ciudadStatements = []string{"Enero-Marzo", "Enero-Junio"}

// ciudadFields returns the fields. Of a name X/Y the code is X and the label Y, in that order.
func ciudadFields() []field {
	fields := []field{
		{"clave_presupuestaria", "string", "budget-line-id"},
		{"ciclo", "integer", "date:fiscal-year"},
	}
	for name := range strings.FieldsSeq(ciudadNames) {
		fields = append(fields, field{name, "string", "activity:generic:contract:code"})
	}
	return fields
}

const ciudadNames = `
periodo
gobierno_general desc_gobierno_general sector desc_sector subsector desc_subsector
unidad_responsable desc_unidad_responsable
finalidad desc_finalidad funcion desc_funcion subfuncion desc_subfuncion area_funcional desc_area_funcional
modalidad desc_modalidad programa_presupuestario desc_programa_presupuestario
eje desc_eje objetivo_desarrollo_sostenible desc_objetivo_desarrollo_sostenible
tipo_recurso desc_tipo_recurso fuente_financiamiento desc_fuente_financiamiento
fuente_generica desc_fuente_generica fuente_especifica desc_fuente_especifica
ciclo_original origen_recurso desc_origen_recurso fondo desc_fondo
gasto_programable desc_gasto_programable tipo_gasto desc_tipo_gasto
capitulo desc_capitulo concepto desc_concepto
partida_generica desc_partida_generica partida_especifica desc_partida_especifica
consolidado desc_consolidado detalle_consolidado desc_detalle_consolidado
proyecto_inv desc_proy_inv tipo_proyecto desc_tipo_proyecto
monto_aprobado monto_modificado monto_ejercido
`

// ciudadYear makes the rows of a year, one statement after the other.
func ciudadYear(year int) []record {
	statements := make([][]record, len(ciudadStatements))
	plan, outcome := rand.New(rand.NewPCG(2018, 4)), rand.New(rand.NewPCG(2018, uint64(year)))
	books := ciudadMembers()
	for _, w := range ciudadWork {
		for item := range strings.FieldsSeq(w.objects) {
			approved := percent(amount(plan, w.digits), 100+5*(year-2018))
			members := books.record(year, w, item)
			for i, amounts := range ciudadAmounts(outcome, approved) {
				r := record{"periodo": ciudadStatements[i]}
				r.merge(members)
				r.merge(amounts)
				statements[i] = append(statements[i], r)
			}
		}
	}
	return append(statements[0], statements[1]...)
}

// record returns the members of a line and an object of expenditure.
func (b ciudadBooks) record(year int, w ciudadLine, item string) record {
	r := record{"ciclo": strconv.Itoa(year), "ciclo_original": strconv.Itoa(year)}
	function, fund, object := b.function.path(w.function), b.fund.path(w.fund), b.object.path(item)
	r.pairs(year, b.admin.path(w.unit), "gobierno_general", "sector", "subsector", "unidad_responsable")
	r.pairs(year, function, "finalidad", "funcion", "subfuncion", "area_funcional")
	r.pairs(year, b.program.path(w.program), "modalidad", "programa_presupuestario")
	r.pairs(year, b.axis.path(w.axis), "eje")
	r.pairs(year, b.goal.path(w.goal), "objetivo_desarrollo_sostenible")
	r.pairs(year, fund, "tipo_recurso", "fuente_financiamiento", "fuente_generica", "fuente_especifica",
		"origen_recurso", "fondo")
	r.pairs(year, object, "capitulo", "concepto", "partida_generica", "partida_especifica")
	r.pairs(year, b.kind.path(ciudadKindOf[object[0].code]), "gasto_programable", "tipo_gasto")
	r.pairs(year, b.consolidation.path("N/00"), "consolidado", "detalle_consolidado")
	r.put(year, b.project.path(w.projectOf(object[0].code)), "tipo_proyecto", "desc_tipo_proyecto",
		"proyecto_inv", "desc_proy_inv")
	r["clave_presupuestaria"] = strings.Join([]string{
		r["unidad_responsable"], r["area_funcional"], r["fondo"], r["partida_especifica"], r["tipo_gasto"],
	}, "-")
	return r
}

// pairs sets code and label of each member on the path, in the fields name and desc_name.
func (r record) pairs(year int, path []*member, names ...string) {
	for i, name := range names {
		r[name], r["desc_"+name] = path[i].code, path[i].label(year)
	}
}

// ciudadAmounts returns the amounts of each statement: as approved, which stays; as modified; spent since
// January.
func ciudadAmounts(r *rand.Rand, approved int64) []record {
	n := len(ciudadStatements)
	modified, spent := amended(r, approved, n), course(r, percent(approved, 30+r.IntN(25))*100+r.Int64N(100), n)
	statements := make([]record, n)
	for i := range statements {
		statements[i] = record{
			"monto_aprobado":   decimal(approved * 100),
			"monto_modificado": decimal(modified[i] * 100),
			"monto_ejercido":   decimal(spent[i]),
		}
	}
	return statements
}
