package seeds_test

import (
	"slices"
	"strings"
	"testing"
)

func TestCiudadDeMexico(t *testing.T) {
	testQuirks(t, "example-ciudad-de-mexico", ciudadQuirks)
}

var ciudadStatements = []string{"Enero-Marzo", "Enero-Junio"}

var ciudadAmounts = []string{"monto_aprobado", "monto_modificado", "monto_ejercido"}

var ciudadQuirks = []quirk{
	{"a large file of two years and a smaller one", func(rows []row) bool {
		large := where(rows, fileName, "egresos-ciudad-de-mexico.csv")
		small := where(rows, fileName, "egresos-ciudad-de-mexico__2020.csv")
		return slices.Equal(distinct(large, "ciclo"), []string{"2018", "2019"}) && len(large)+len(small) == len(rows) &&
			slices.Equal(distinct(small, "ciclo"), []string{"2020"}) && len(large) == 2*len(small)
	}},
	{"two statements a year, not in the order of the alphabet", func(rows []row) bool {
		return len(distinct(rows, "ciclo", "periodo")) == 6 && !slices.IsSorted(ciudadStatements) &&
			slices.Equal(distinct(rows, "periodo"), slices.Sorted(slices.Values(ciudadStatements)))
	}},
	{"the later statement restates all of the earlier", func(rows []row) bool {
		return complete(courses(rows, "periodo", ciudadStatements, "monto_aprobado"), 2)
	}},
	{"approved stays, modified changes for some, spent grows", func(rows []row) bool {
		modified := courses(rows, "periodo", ciudadStatements, "monto_modificado")
		return all(courses(rows, "periodo", ciudadStatements, "monto_aprobado"), constant) && !all(modified, constant) &&
			all(courses(rows, "periodo", ciudadStatements, "monto_ejercido"), func(c []int64) bool { return c[0] < c[1] })
	}},
	{"a budget line id is unique in its statement and stays over the years", func(rows []row) bool {
		lines := distinct(rows, "clave_presupuestaria")
		return len(distinct(rows, "ciclo", "periodo", "clave_presupuestaria")) == len(rows) && 6*len(lines) == len(rows)
	}},
	{"amounts with 0, 1 or 2 decimals", func(rows []row) bool {
		return every(rows, "monto_aprobado", `^\d+$`) && every(rows, "monto_ejercido", `^\d+(\.\d\d?)?$`) &&
			some(rows, "monto_ejercido", `\.\d\d$`)
	}},
	{"subfunctions and programmes are unique only under those above", func(rows []row) bool {
		return varying(rows, "desc_subfuncion", "subfuncion") > 1 &&
			varying(rows, "desc_subfuncion", "finalidad", "funcion", "subfuncion") == 0 &&
			varying(rows, "desc_programa_presupuestario", "programa_presupuestario") > 0 &&
			varying(rows, "desc_programa_presupuestario", "modalidad", "programa_presupuestario") == 0
	}},
	{"leading zeros", func(rows []row) bool {
		return has(rows, "sector", "02") && has(rows, "programa_presupuestario", "001") && has(rows, "detalle_consolidado", "00")
	}},
	{"no project is a code without a label", func(rows []row) bool {
		none := where(rows, "proyecto_inv", "000000000")
		return len(none) > 0 && len(none) < len(rows) && slices.Equal(distinct(none, "desc_proy_inv"), []string{""})
	}},
	{"labels change with the government", func(rows []row) bool {
		return varying(rows, "desc_unidad_responsable", "unidad_responsable") > 0 && varying(rows, "desc_eje", "eje") > 0 &&
			varying(rows, "desc_eje", "ciclo", "eje") == 0
	}},
	{"quotes and commas in labels", func(rows []row) bool {
		return some(rows, "desc_area_funcional", `"`) && some(rows, "desc_area_funcional", ",")
	}},
}

// Amounts are text in the key of a dimension of nearly all fields; the package is quarterly.
func TestCiudadDeMexicoDescriptor(t *testing.T) {
	d := describe(t, open(t, "example-ciudad-de-mexico"))
	for _, r := range d.Resources {
		header := r.Schema.header()
		if len(header) != 63 || !slices.Equal(r.Model.Dimensions["activity"].PrimaryKey, header[2:]) {
			t.Errorf("%d fields, activity is keyed by %q", len(header), r.Model.Dimensions["activity"].PrimaryKey)
		}
		if !slices.Equal(r.Model.Dimensions["budget-line-id"].PrimaryKey, header[:1]) || len(r.Model.Measures) != 0 {
			t.Errorf("line id %q, measures %v", r.Model.Dimensions["budget-line-id"].PrimaryKey, r.Model.Measures)
		}
		for _, f := range r.Schema.Fields {
			if (f.Type == "string") == (f.Name == "ciclo") {
				t.Errorf("%s is %s", f.Name, f.Type)
			}
		}
		if got := strings.Join(header[len(header)-3:], " "); got != strings.Join(ciudadAmounts, " ") {
			t.Errorf("the last fields are %s", got)
		}
	}
	isJPEG(t, d.Image)
}
