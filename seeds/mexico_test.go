package seeds_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestMexico(t *testing.T) {
	testQuirks(t, "example-mexico", mexicoQuirks)
}

// mexicoMeasures says which amounts a year tells.
var mexicoMeasures = map[string][]string{
	"2008-2012": {"MONTO_APROBADO", "MONTO_EJERCIDO"},
	"2013-2013": {"MONTO_APROBADO", "MONTO_EJERCICIO"},
	"2014-2018": {
		"MONTO_ADEFAS", "MONTO_APROBADO", "MONTO_DEVENGADO", "MONTO_EJERCICIO", "MONTO_MODIFICADO", "MONTO_PAGADO",
	},
	"2019-2019": {"MONTO_ADEFAS", "MONTO_APROBADO", "MONTO_DEVENGADO", "MONTO_MODIFICADO", "MONTO_PAGADO"},
	"2020-2020": {"MONTO_APROBADO", "MONTO_MODIFICADO", "MONTO_PAGADO"},
}

var mexicoObject = []string{"ID_CAPITULO", "ID_CONCEPTO", "ID_PARTIDA_GENERICA", "ID_PARTIDA_ESPECIFICA"}

// during returns the rows of some years, both ends included.
func during(rows []row, first, last string) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r["CICLO"] < first || r["CICLO"] > last })
}

var mexicoQuirks = []quirk{
	{"thirteen files of 60 to 90 rows", func(rows []row) bool {
		files := slices.Collect(maps.Values(perFile(rows)))
		return len(files) == 13 && slices.Min(files) >= 60 && slices.Max(files) <= 90 && len(distinct(rows, "CICLO")) == 13
	}},
	{"measures come and go, all or nothing in a year", func(rows []row) bool {
		for span, told := range mexicoMeasures {
			first, last, _ := strings.Cut(span, "-")
			for _, r := range during(rows, first, last) {
				for name, cell := range r {
					if strings.HasPrefix(name, "MONTO_") && (cell != "") != slices.Contains(told, name) {
						return false
					}
				}
			}
		}
		return true
	}},
	{"decimals are 00 to 2016, any in 2017, plain in 2018 and 2019, none in 2020", func(rows []row) bool {
		in2018 := during(rows, "2018", "2018")
		return every(during(rows, "2014", "2016"), "MONTO_MODIFICADO", `^\d+\.00$`) &&
			some(during(rows, "2017", "2017"), "MONTO_MODIFICADO", `\.[1-9]\d$`) &&
			has(in2018, "MONTO_MODIFICADO", "0") && some(in2018, "MONTO_MODIFICADO", `\.\d\d$`) &&
			every(during(rows, "2020", "2020"), "MONTO_MODIFICADO", `^\d+$`)
	}},
	{"true zeros beside missing amounts", func(rows []row) bool {
		return has(rows, "MONTO_APROBADO", "0.00") && has(rows, "MONTO_PAGADO", "0") && has(rows, "MONTO_PAGADO", "")
	}},
	{"a few negatives, paid in 2018", func(rows []row) bool {
		negative := slices.Clone(rows)
		negative = slices.DeleteFunc(negative, func(r row) bool { return !strings.HasPrefix(r["MONTO_PAGADO"], "-") })
		return len(negative) >= 3 && len(negative) <= 6 && slices.Equal(distinct(negative, "CICLO"), []string{"2018"})
	}},
	{"unit 100 under several branches", func(rows []row) bool {
		return len(distinct(where(rows, "ID_UR", "100"), "ID_RAMO")) >= 8 && varying(rows, "DESC_UR", "CICLO", "ID_UR") > 0 &&
			varying(rows, "DESC_UR", "CICLO", "ID_RAMO", "ID_UR") == 0
	}},
	{"18 units in 10 branches", func(rows []row) bool {
		return len(distinct(rows, "ID_RAMO", "ID_UR")) == 18 && len(distinct(rows, "ID_RAMO")) == 10
	}},
	{"functions and subfunctions reused under groups", func(rows []row) bool {
		year := during(rows, "2012", "2012")
		return varying(year, "DESC_FUNCION", "ID_FUNCION") > 0 && varying(year, "DESC_SUBFUNCION", "ID_SUBFUNCION") > 0 &&
			varying(year, "DESC_FUNCION", "GPO_FUNCIONAL", "ID_FUNCION") == 0 &&
			varying(year, "DESC_SUBFUNCION", "GPO_FUNCIONAL", "ID_FUNCION", "ID_SUBFUNCION") == 0
	}},
	{"an activity has two labels even under its full path, but not in a branch", func(rows []row) bool {
		path := []string{"CICLO", "GPO_FUNCIONAL", "ID_FUNCION", "ID_SUBFUNCION", "ID_AI"}
		return varying(rows, "DESC_AI", path...) > 0 && varying(rows, "DESC_AI", append(path, "ID_RAMO")...) == 0
	}},
	{"programme R/1 is another in every branch", func(rows []row) bool {
		first := where(where(during(rows, "2012", "2012"), "ID_MODALIDAD", "R"), "ID_PP", "1")
		return len(distinct(first, "DESC_PP")) >= 3 &&
			varying(rows, "DESC_PP", "CICLO", "ID_RAMO", "ID_MODALIDAD", "ID_PP") == 0
	}},
	{"labels drift, some in case only", func(rows []row) bool {
		return varying(rows, "DESC_UR", "ID_RAMO", "ID_UR") > 0 && varying(rows, "DESC_RAMO", "ID_RAMO") > 0 &&
			varying(rows, "ENTIDAD_FEDERATIVA", "ID_ENTIDAD_FEDERATIVA") > 0 &&
			has(during(rows, "2008", "2017"), "DESC_MODALIDAD", "Sujetos a Reglas de Operación") &&
			has(during(rows, "2018", "2020"), "DESC_MODALIDAD", "Sujetos a reglas de operación")
	}},
	{"to 2010 objects of four digits, no specific ones", func(rows []row) bool {
		early := during(rows, "2008", "2010")
		return every(early, "ID_PARTIDA_GENERICA", `^\d{4}$`) && every(early, "ID_PARTIDA_ESPECIFICA", `^$`)
	}},
	{"from 2011 objects of five digits, none of them known before", func(rows []row) bool {
		late := append(during(rows, "2011", "2016"), during(rows, "2018", "2020")...)
		return every(late, "ID_PARTIDA_GENERICA", `^\d{3}$`) && every(late, "ID_PARTIDA_ESPECIFICA", `^\d{5}$`)
	}},
	{"2017 has five digits in ID_CONCEPTO and no other level", func(rows []row) bool {
		year := during(rows, "2017", "2017")
		return slices.Equal(distinct(year, "ID_CAPITULO", "ID_PARTIDA_GENERICA", "ID_PARTIDA_ESPECIFICA"), []string{"//"}) &&
			slices.Equal(distinct(year, "DESC_CAPITULO", "DESC_PARTIDA_GENERICA", "DESC_PARTIDA_ESPECIFICA"), []string{"//"}) &&
			every(year, "ID_CONCEPTO", `^\d{5}$`) && some(year, "DESC_CONCEPTO", "Sueldos base")
	}},
	{"the levels above follow from the digits", func(rows []row) bool {
		return !slices.ContainsFunc(during(rows, "2018", "2020"), func(r row) bool {
			object := r["ID_PARTIDA_ESPECIFICA"]
			return r.path(mexicoObject...) != object[:1]+"000/"+object[:2]+"00/"+object[:3]+"/"+object
		})
	}},
	{"codes without labels in the first years", func(rows []row) bool {
		early := during(rows, "2008", "2010")
		return has(where(early, "ID_CONCEPTO", "1800"), "DESC_CONCEPTO", "") &&
			has(where(early, "ID_PARTIDA_GENERICA", "2602"), "DESC_PARTIDA_GENERICA", "")
	}},
	{"(Derogada) is a label", func(rows []row) bool {
		repealed := where(rows, "DESC_PARTIDA_ESPECIFICA", "(Derogada)")
		return slices.Equal(distinct(repealed, "ID_PARTIDA_ESPECIFICA"), []string{"11101"}) && total(repealed, "MONTO_APROBADO") > 0
	}},
	{"a space that does not break splits a label", func(rows []row) bool {
		return has(rows, "DESC_PP", "Atención a la Salud") && has(rows, "DESC_PP", "Atención a la\u00a0Salud") &&
			some(rows, "DESC_UR", "^Sala") && some(rows, "DESC_RAMO", "\u00a0")
	}},
	{"what is no public work is blank to 2011, then 0 or eleven zeros", func(rows []row) bool {
		zeros := where(rows, "ID_CLAVE_CARTERA", "00000000000")
		return every(during(rows, "2008", "2011"), "ID_CLAVE_CARTERA", `^$`) &&
			slices.Equal(distinct(zeros, "CICLO"), []string{"2016", "2017", "2019"}) &&
			slices.Equal(distinct(where(rows, "ID_CLAVE_CARTERA", "0"), "CICLO"),
				[]string{"2012", "2013", "2014", "2015", "2018", "2020"}) &&
			some(during(rows, "2012", "2012"), "ID_CLAVE_CARTERA", `^[1-9]\d{10}$`)
	}},
	{"the state is told from 2012", func(rows []row) bool {
		return every(during(rows, "2008", "2011"), "ID_ENTIDAD_FEDERATIVA", `^$`) &&
			every(during(rows, "2012", "2020"), "ID_ENTIDAD_FEDERATIVA", `^\d+$`)
	}},
	{"quotes, one of them at the end of a cell, commas and two spaces in labels", func(rows []row) bool {
		return some(rows, "DESC_UR", ` "A"$`) && some(rows, "DESC_PARTIDA_ESPECIFICA", `".*"`) &&
			some(rows, "DESC_PP", ",") && some(rows, "DESC_PARTIDA_GENERICA", `\S  \S`)
	}},
}

func TestMexicoDescriptor(t *testing.T) {
	d := describe(t, open(t, "example-mexico"))
	want := []string{"Public programs", "Line item", "Public investments", "State own enterprises"}
	if !slices.Equal(d.Disaggregation, want) || d.Website != "https://example.org/" || d.Email != "budget@example.org" {
		t.Errorf("disaggregation %q, author %q, %q", d.Disaggregation, d.Website, d.Email)
	}
	if !slices.Contains(d.YearsIncluded, "2021") {
		t.Error("it should promise a year that it does not hold, as the published one does")
	}
	for i, r := range d.Resources {
		if !slices.IsSorted(r.Schema.header()) || !strings.HasSuffix(r.Name, "__"+strconv.Itoa(2008+i)+".csv") {
			t.Errorf("%s: fields %q", r.Name, r.Schema.header())
		}
	}
	isJPEG(t, d.Image)
}
