package main

import (
	"strconv"
)

// mexico is modelled on D7, the federal spending of Mexico: thirteen years in which codes, labels and
// measures came and went. As there, the descriptor promises a year more than the files hold.
func mexico() seed {
	return seed{
		name: "example-mexico",
		id:   "example-D7",
		about: object{
			{"description", madeUp("the spending of the Federal Government of Mexico")},
			{"title", "Presupuesto de Mexico 2008-2020 (synthetic example)"},
			{"tags", texts("National")},
			{"govt_level", "National"},
			{"years_included", years(2008, 2021)},
			{"periodicity", "Quarterly"},
			{"budget_stage", texts("Quarterly reports", "Year-end", "Proposed", "Enacted")},
			{"disaggregation", texts("Public programs", "Line item", "Public investments", "State own enterprises")},
			{"author_website", "https://example.org/"},
			{"author_email", "budget@example.org"},
			{"pub_institutional_name", publisher},
			{"continent", "North America"},
			{"country", "Mexico"},
			{"start_date", "2008-01-01"},
			{"end_date", "2021-12-31"},
			{"createdAt", "2021-10-01T09:00:00Z"},
			{"updatedAt", "2021-10-15T09:00:00Z"},
			{"image", tinyImage},
		},
		fields:    mexicoFields,
		resources: yearly("example-mexico__%d.csv", 2008, 2020, mexicoYear),
	}
}

var mexicoFields = []field{
	{"CICLO", "integer", "date:fiscal-year"},
	{"DESC_AI", "string", "functional-classification:generic:level4:label"},
	{"DESC_CAPITULO", "string", "economic-classification:generic:level1:label"},
	{"DESC_CONCEPTO", "string", "economic-classification:generic:level2:label"},
	{"DESC_FF", "string", "fin-source:generic:label"},
	{"DESC_FUNCION", "string", "functional-classification:generic:level2:label"},
	{"DESC_GPO_FUNCIONAL", "string", "functional-classification:generic:level1:label"},
	{"DESC_MODALIDAD", "string", "activity:generic:program:label"},
	{"DESC_PARTIDA_ESPECIFICA", "string", "economic-classification:generic:level4:label"},
	{"DESC_PARTIDA_GENERICA", "string", "economic-classification:generic:level3:label"},
	{"DESC_PP", "string", "activity:generic:project:label"},
	{"DESC_RAMO", "string", "administrative-classification:generic:level1:label"},
	{"DESC_SUBFUNCION", "string", "functional-classification:generic:level3:label"},
	{"DESC_TIPOGASTO", "string", "expenditure-type:label"},
	{"DESC_UR", "string", "administrative-classification:generic:level2:label"},
	{"ENTIDAD_FEDERATIVA", "string", "geo-source:target:title"},
	{"GPO_FUNCIONAL", "string", "functional-classification:generic:level1:code"},
	{"ID_AI", "string", "functional-classification:generic:level4:code"},
	{"ID_CAPITULO", "string", "economic-classification:generic:level1:code"},
	{"ID_CLAVE_CARTERA", "string", "budget-line-id"},
	{"ID_CONCEPTO", "string", "economic-classification:generic:level2:code"},
	{"ID_ENTIDAD_FEDERATIVA", "string", "geo-source:target:code"},
	{"ID_FF", "string", "fin-source:generic:code"},
	{"ID_FUNCION", "string", "functional-classification:generic:level2:code"},
	{"ID_MODALIDAD", "string", "activity:generic:program:code"},
	{"ID_PARTIDA_ESPECIFICA", "string", "economic-classification:generic:level4:code"},
	{"ID_PARTIDA_GENERICA", "string", "economic-classification:generic:level3:code"},
	{"ID_PP", "string", "activity:generic:program:code"}, // published as a programme, beside ID_MODALIDAD
	{"ID_RAMO", "string", "administrative-classification:generic:level1:code"},
	{"ID_SUBFUNCION", "string", "functional-classification:generic:level3:code"},
	{"ID_TIPOGASTO", "string", "expenditure-type:code"},
	{"ID_UR", "string", "administrative-classification:generic:level2:code"},
	{"MONTO_ADEFAS", "number", "value"},
	{"MONTO_APROBADO", "number", "value"},
	{"MONTO_DEVENGADO", "number", "value"},
	{"MONTO_EJERCICIO", "number", "value"},
	{"MONTO_EJERCIDO", "number", "value"},
	{"MONTO_MODIFICADO", "number", "value"},
	{"MONTO_PAGADO", "number", "value"},
}

// record returns the members of a line and an object of expenditure in a state.
func (b mexicoBooks) record(year int, w mexicoLine, item, state string) record {
	r := record{"CICLO": strconv.Itoa(year), "ID_CLAVE_CARTERA": mexicoPortfolio(year, w, item)}
	r.put(year, b.admin.path(w.unit), "ID_RAMO", "DESC_RAMO", "ID_UR", "DESC_UR")
	function := append(b.function.path(w.function), parseMember(w.activity))
	r.put(year, function, "GPO_FUNCIONAL", "DESC_GPO_FUNCIONAL", "ID_FUNCION", "DESC_FUNCION",
		"ID_SUBFUNCION", "DESC_SUBFUNCION", "ID_AI", "DESC_AI")
	program := append(b.mode.path(w.mode), parseMember(w.program))
	r.put(year, program, "ID_MODALIDAD", "DESC_MODALIDAD", "ID_PP", "DESC_PP")
	r.put(year, b.fund.path(w.fund), "ID_FF", "DESC_FF")
	r.put(year, b.kind.path(mexicoKindOf(item)), "ID_TIPOGASTO", "DESC_TIPOGASTO")
	r.merge(b.place(year, state))
	r.merge(b.object(year, item))
	return r
}

// mexicoStatesSince is the first year that tells the state.
const mexicoStatesSince = 2012

// place returns the state, if the year tells it.
func (b mexicoBooks) place(year int, state string) record {
	r := record{"ID_ENTIDAD_FEDERATIVA": "", "ENTIDAD_FEDERATIVA": ""}
	if year >= mexicoStatesSince {
		r.put(year, b.state.path(state), "ID_ENTIDAD_FEDERATIVA", "ENTIDAD_FEDERATIVA")
	}
	return r
}

// object returns the object of expenditure. There are two systems of codes, with nothing in common below
// the chapter: to 2010 the object has four digits and is a generic item, since then it has five and is a
// specific one. The file of 2017 holds nothing but the five digits, in the field of the level above.
func (b mexicoBooks) object(year int, item string) record {
	r := record{"ID_PARTIDA_ESPECIFICA": "", "DESC_PARTIDA_ESPECIFICA": ""}
	object := mexicoObjects[item]
	if year <= 2010 {
		r.put(year, b.formerObject.path(object.former), mexicoObjectFields...)
		return r
	}
	path := b.specificObject.path(object.specific)
	r.put(year, path, mexicoObjectFields...)
	if year == 2017 {
		for _, name := range mexicoObjectFields {
			r[name] = ""
		}
		r.put(year, path[len(path)-1:], "ID_CONCEPTO", "DESC_CONCEPTO")
	}
	return r
}

var mexicoObjectFields = []string{
	"ID_CAPITULO", "DESC_CAPITULO", "ID_CONCEPTO", "DESC_CONCEPTO", "ID_PARTIDA_GENERICA", "DESC_PARTIDA_GENERICA",
	"ID_PARTIDA_ESPECIFICA", "DESC_PARTIDA_ESPECIFICA",
}

// mexicoPortfolio returns the code of a public work, which before 2012 is not told; what is none is
// written one way in some years and another in others.
func mexicoPortfolio(year int, w mexicoLine, item string) string {
	switch {
	case year <= 2011:
		return ""
	case item == "works" && w.portfolio != "":
		return w.portfolio
	case year == 2016 || year == 2017 || year == 2019:
		return "00000000000"
	}
	return "0"
}
