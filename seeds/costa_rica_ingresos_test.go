package seeds_test

import (
	"slices"
	"strings"
	"testing"
)

func TestCostaRicaIngresos(t *testing.T) {
	testQuirks(t, "example-costa-rica-ingresos", ingresosQuirks)
}

var months = []string{"01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"}

var ingresosQuirks = []quirk{
	{"a file per year of about eight keys in twelve months", func(rows []row) bool {
		files := perFile(rows)
		return len(files) == 3 && files["ingreso2017ene_dic__2017.csv"] == 96 &&
			files["ingreso2018ene_dic__2018.csv"] == 98 && files["ingreso2019ene_dic__2019.csv"] == 94
	}},
	{"the file of 2018 holds January of 2019 for two keys, which the file of 2019 leaves out", func(rows []row) bool {
		next := where(where(rows, fileName, "ingreso2018ene_dic__2018.csv"), "ejercicio", "2019")
		return len(next) == 2 && len(where(next, "mes", "01")) == 2 && len(where(rows, "ejercicio", "2019")) == 96
	}},
	{"months are text of two digits", func(rows []row) bool { return slices.Equal(distinct(rows, "mes"), months) }},
	{"every key has twelve months", func(rows []row) bool {
		return complete(courses(rows, "mes", months, "pi_monto"), 12)
	}},
	{"pi_monto is the same in all months", func(rows []row) bool {
		return all(courses(rows, "mes", months, "pi_monto"), constant)
	}},
	{"pp_monto changes a few times in the year", func(rows []row) bool {
		amended := courses(rows, "mes", months, "pp_monto")
		return slices.ContainsFunc(amended, stepped) && all(amended, func(c []int64) bool { return constant(c) || stepped(c) })
	}},
	{"de_monto and pa_monto never fall", func(rows []row) bool {
		return all(courses(rows, "mes", months, "de_monto"), slices.IsSorted) &&
			all(courses(rows, "mes", months, "pa_monto"), slices.IsSorted)
	}},
	{"two decimals", func(rows []row) bool {
		return every(rows, "pi_monto", `^\d+\.00$`) && every(rows, "de_monto", `^\d+\.\d\d$`) && some(rows, "de_monto", `[1-9]$`)
	}},
	{"a code begins with the code above", func(rows []row) bool {
		return !slices.ContainsFunc(rows, func(r row) bool {
			return !strings.HasPrefix(r["ci_fuente_codigo"], r["ci_subrenglon_codigo"]) ||
				!strings.HasPrefix(r["ci_subrenglon_codigo"], r["ci_grupo_codigo"]) || len(r["ci_fuente_codigo"]) != 13
		})
	}},
	{"a label changes its case", func(rows []row) bool {
		return has(rows, "ci_grupo_descripcion", "Impuestos sobre los ingresos") &&
			has(rows, "ci_grupo_descripcion", "IMPUESTOS SOBRE LOS INGRESOS")
	}},
	{"a label loses its accents", func(rows []row) bool {
		return has(where(rows, "ejercicio", "2017"), "ci_grupo_descripcion", "Emisión de títulos valores") &&
			has(where(rows, "ejercicio", "2018"), "ci_grupo_descripcion", "Emision de titulos valores")
	}},
	{"a label is cut off one character earlier", func(rows []row) bool {
		return some(where(rows, "ejercicio", "2018"), "ci_fuente_descripcion", "del sector publ$") &&
			some(where(rows, "ejercicio", "2019"), "ci_fuente_descripcion", "del sector pub$")
	}},
	{"a word broken in two", func(rows []row) bool { return some(rows, "ci_subgrupo_descripcion", "PERSON AS FÍSICAS") }},
	{"one label per code in a year", func(rows []row) bool {
		return varying(rows, "ci_fuente_descripcion", "ejercicio", "ci_fuente_codigo") == 0 &&
			varying(rows, "ci_grupo_descripcion", "ejercicio", "ci_grupo_codigo") == 0
	}},
	{"the lower levels repeat the label above", func(rows []row) bool {
		return count(rows, func(r row) bool { return r["ci_partida_descripcion"] == r["ci_fuente_descripcion"] }) > 0
	}},
	{"financing beside revenue, from inside and outside", func(rows []row) bool {
		return slices.Equal(distinct(where(rows, "ci_clase_codigo", "3"), "ff_clase2"), []string{"EXTERNO", "INTERNO"})
	}},
}

func TestCostaRicaIngresosDescriptor(t *testing.T) {
	d := describe(t, open(t, "example-costa-rica-ingresos"))
	if slices.Contains(d.YearsIncluded, "2019") {
		t.Error("it should promise fewer years than it holds, as the published one does")
	}
	if key := d.Resources[0].Model.Dimensions["unknown"].PrimaryKey; len(key) != 22 || key[0] != "mes" {
		t.Errorf("unknown is keyed by %q", key)
	}
}
