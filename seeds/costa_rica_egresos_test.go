package seeds_test

import (
	"slices"
	"testing"
)

func TestCostaRicaEgresos(t *testing.T) {
	testQuirks(t, "example-costa-rica-egresos", egresosQuirks)
}

var egresosQuirks = []quirk{
	{"the names of the files lie about the year", func(rows []row) bool {
		return slices.Equal(distinct(rows, fileName, "ejercicio"), []string{
			"egreso2019ene_dic__2018.csv/2020", "egreso2019ene_dic__2019.csv/2019", "egreso2019ene_dic__2020.csv/2017",
		})
	}},
	{"twelve months of 2017 and 2019, two of 2020", func(rows []row) bool {
		return slices.Equal(distinct(where(rows, "ejercicio", "2017"), "mes"), months) &&
			slices.Equal(distinct(where(rows, "ejercicio", "2019"), "mes"), months) &&
			slices.Equal(distinct(where(rows, "ejercicio", "2020"), "mes"), months[:2])
	}},
	{"every key has every month of its year", func(rows []row) bool {
		return complete(courses(where(rows, "ejercicio", "2017"), "mes", months, "pi_monto"), 12) &&
			complete(courses(where(rows, "ejercicio", "2019"), "mes", months, "pi_monto"), 12) &&
			complete(courses(where(rows, "ejercicio", "2020"), "mes", months, "pi_monto"), 2)
	}},
	{"pi_monto stays, pp_monto and li_monto change a few times", func(rows []row) bool {
		amended := courses(rows, "mes", months, "pp_monto")
		return all(courses(rows, "mes", months, "pi_monto"), constant) && slices.ContainsFunc(amended, stepped) &&
			slices.ContainsFunc(courses(rows, "mes", months, "li_monto"), stepped)
	}},
	{"de_monto and pa_monto never fall", func(rows []row) bool {
		return all(courses(rows, "mes", months, "de_monto"), slices.IsSorted) &&
			all(courses(rows, "mes", months, "pa_monto"), slices.IsSorted)
	}},
	{"co_monto goes from below zero to zero", func(rows []row) bool {
		return slices.ContainsFunc(courses(rows, "mes", months, "co_monto"), func(c []int64) bool {
			return len(c) == 12 && c[0] < 0 && constant(c[1:]) && c[1] == 0
		})
	}},
	{"co_monto of what is bought comes and goes", func(rows []row) bool {
		return slices.ContainsFunc(courses(rows, "mes", months, "co_monto"), func(c []int64) bool {
			return len(c) == 12 && c[0] > 0 && !slices.IsSorted(c) && c[11] == 0
		})
	}},
	{"leading zeros", func(rows []row) bool {
		return has(rows, "cog_subpartida_codigo", "00101") && has(rows, "cog_grupo_codigo", "001") &&
			has(rows, "programa_codigo", "002") && has(rows, "ff_codigo", "001")
	}},
	{"subprogramme 00 has no description", func(rows []row) bool {
		return slices.Equal(distinct(where(rows, "subprograma_codigo", "00"), "subprograma_descripcion"), []string{""}) &&
			has(rows, "subprograma_descripcion", "Enseñanza Secundaria")
	}},
	{"a programme code is unique only in its title", func(rows []row) bool {
		return varying(rows, "programa_descripcion", "programa_codigo") == 2 &&
			varying(rows, "programa_descripcion", "titulo_codigo", "programa_codigo") == 0
	}},
	{"the object of expenditure is a chain of codes beside the economic one", func(rows []row) bool {
		return varying(rows, "cog_grupo_codigo", "cog_subpartida_codigo") == 0 &&
			varying(rows, "ce_renglon_codigo", "cog_subpartida_codigo") == 0 &&
			!slices.ContainsFunc(rows, func(r row) bool { return r["cog_subpartida_codigo"][:3] != r["cog_grupo_codigo"] })
	}},
	{"ff_clase1 and ff_clase2 group the funds", func(rows []row) bool {
		return slices.Equal(distinct(rows, "ff_clase2", "ff_clase1", "ff_codigo"), []string{
			"EXTERNO/Financiamiento/515", "INTERNO/Financiamiento/280", "INTERNO/Ingresos Corrientes/001",
		})
	}},
	{"a label gets its accents", func(rows []row) bool {
		return varying(rows, "cog_subpartida_descripcion", "cog_subpartida_codigo") == 1 &&
			varying(rows, "cog_subpartida_descripcion", "ejercicio", "cog_subpartida_codigo") == 0
	}},
	{"two decimals", func(rows []row) bool {
		return every(rows, "pi_monto", `^\d+\.00$`) && every(rows, "co_monto", `^-?\d+\.\d\d$`)
	}},
}

func TestCostaRicaEgresosDescriptor(t *testing.T) {
	r := describe(t, open(t, "example-costa-rica-egresos")).Resources[0]
	want := []string{
		"mes", "cog_partida_codigo", "cog_partida_descripcion", "cog_grupo_codigo", "cog_grupo_descripcion",
		"cog_subpartida_codigo", "cog_subpartida_descripcion", "ff_clase1", "ff_clase2",
	}
	if !slices.Equal(r.Model.Dimensions["unknown"].PrimaryKey, want) || len(r.Model.Measures) != 8 {
		t.Errorf("unknown is keyed by %q, %d measures", r.Model.Dimensions["unknown"].PrimaryKey, len(r.Model.Measures))
	}
}
