package seeds_test

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fiscube/seeds"
)

// A quirk is an irregularity of the published dataset that the example package must have too.
type quirk struct {
	name  string
	holds func(rows []row) bool
}

func TestPackages_HaveTheQuirksOfThePublishedOnes(t *testing.T) {
	for _, s := range seeds.All() {
		rows := load(t, s.FS)
		if len(quirks[s.Name]) == 0 {
			t.Errorf("no quirks of %s are listed", s.Name)
		}
		for _, q := range quirks[s.Name] {
			t.Run(s.Name+"/"+q.name, func(t *testing.T) {
				if !q.holds(rows) {
					t.Error("the rows do not have it")
				}
			})
		}
	}
}

var quirks = map[string][]quirk{
	"example-ciudad-de-mexico": {
		{"a large file of two years and a smaller one", func(rows []row) bool {
			large := where(rows, fileName, "egresos-ciudad-de-mexico.csv")
			small := where(rows, fileName, "egresos-ciudad-de-mexico__2020.csv")
			return slices.Equal(distinct(large, "ciclo"), []string{"2018", "2019"}) && len(large)+len(small) == len(rows) &&
				slices.Equal(distinct(small, "ciclo"), []string{"2020"}) && len(large) == 2*len(small)
		}},
		{"two snapshots a year, not in the order of the alphabet", func(rows []row) bool {
			return len(distinct(rows, "ciclo", "periodo")) == 6 && !slices.IsSorted(ciudadSnapshots) &&
				slices.Equal(distinct(rows, "periodo"), slices.Sorted(slices.Values(ciudadSnapshots)))
		}},
		{"the later snapshot has all keys of the earlier", func(rows []row) bool {
			return complete(courses(rows, "periodo", ciudadSnapshots, "monto_aprobado"), 2)
		}},
		{"approved stays, modified changes for some, spent grows", func(rows []row) bool {
			modified := courses(rows, "periodo", ciudadSnapshots, "monto_modificado")
			return all(courses(rows, "periodo", ciudadSnapshots, "monto_aprobado"), constant) && !all(modified, constant) &&
				all(courses(rows, "periodo", ciudadSnapshots, "monto_ejercido"), func(c []int64) bool { return c[0] < c[1] })
		}},
		{"a budget line id is unique in its snapshot and stays over the years", func(rows []row) bool {
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
		{"the code for no project has no label", func(rows []row) bool {
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
	},

	"example-costa-rica-egresos": {
		{"the names of the files give wrong years", func(rows []row) bool {
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
	},

	"example-costa-rica-ingresos": {
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
	},

	"example-croatia": {
		{"a file per year of 300 to 500 rows", func(rows []row) bool {
			return sizes(rows, "Year", []string{"2016", "2017", "2018", "2019"}, 300, 500)
		}},
		{"missing executed, about 12 %", func(rows []row) bool {
			n := count(rows, func(r row) bool { return r["executed_value"] == "" }) * 100 / len(rows)
			return n >= 10 && n <= 14
		}},
		{"missing approved, about 3 %", func(rows []row) bool {
			n := count(rows, func(r row) bool { return r["approved_value"] == "" }) * 100 / len(rows)
			return n >= 2 && n <= 4
		}},
		{"never both missing", func(rows []row) bool {
			return count(rows, func(r row) bool { return r["approved_value"] == "" && r["executed_value"] == "" }) == 0
		}},
		{"true zeros in both", func(rows []row) bool {
			return has(rows, "approved_value", "0") && has(rows, "executed_value", "0")
		}},
		{"about a dozen negatives, all executed", func(rows []row) bool {
			n := count(rows, func(r row) bool { return strings.HasPrefix(r["executed_value"], "-") })
			approved := count(rows, func(r row) bool { return strings.HasPrefix(r["approved_value"], "-") })
			return n >= 9 && n <= 15 && approved == 0
		}},
		{"0, 1 and 2 decimals in one column", func(rows []row) bool {
			seen := map[int]bool{}
			for _, r := range rows {
				_, fraction, _ := strings.Cut(r["executed_value"], ".")
				seen[len(fraction)] = true
			}
			return seen[0] && seen[1] && seen[2] && len(seen) == 3
		}},
		{"leading zeros", func(rows []row) bool {
			return has(rows, "admin1_code", "010") && has(rows, "admin2_code", "01005") &&
				has(rows, "func1_code", "01") && !has(rows, "func1_code", "1")
		}},
		{"labels drift over the years", func(rows []row) bool {
			return varying(rows, "admin1_label", "admin1_code") > 0 &&
				varying(rows, "admin2_label", "admin1_code", "admin2_code") > 0 &&
				varying(rows, "activity3_label", "activity2_code", "activity3_code") > 0 &&
				varying(rows, "econ3_label", "econ3_code") > 0
		}},
		{"one label per path within a year", func(rows []row) bool {
			return varying(rows, "admin2_label", "Year", "admin1_code", "admin2_code") == 0 &&
				varying(rows, "activity3_label", "Year", "activity1_code", "activity2_code", "activity3_code") == 0
		}},
		{"Ostalo is code and label at every level", func(rows []row) bool {
			return !slices.ContainsFunc(croatiaLevels, func(level string) bool {
				leftover := where(rows, level+"_code", "Ostalo")
				return len(leftover) == 0 || !slices.Equal(distinct(leftover, level+"_label"), []string{"Ostalo"})
			})
		}},
		{"Ostalo under several units", func(rows []row) bool {
			return len(distinct(where(rows, "admin2_code", "Ostalo"), "admin1_code")) >= 3
		}},
		{"a second func1 called Ostalo", func(rows []row) bool {
			return slices.Equal(distinct(where(rows, "func1_label", "Ostalo"), "func1_code"), []string{"99", "Ostalo"})
		}},
		{"quotes in labels", func(rows []row) bool {
			return count(rows, func(r row) bool { return strings.Contains(r["activity3_label"], `"`) }) > 0 &&
				count(rows, func(r row) bool { return strings.Contains(r["admin2_label"], `"`) }) > 0
		}},
		{"commas in labels", func(rows []row) bool {
			return count(rows, func(r row) bool { return strings.Contains(r["activity3_label"], ",") }) > 0
		}},
		{"a project code under two programmes in one year", func(rows []row) bool {
			digital := where(where(rows, "Year", "2018"), "activity3_code", "T360003")
			return slices.Equal(distinct(digital, "activity2_code"), []string{"3601", "3602"})
		}},
		{"a code that moves to another programme", func(rows []row) bool {
			fairs := where(rows, "activity3_code", "A310002")
			return slices.Equal(distinct(where(fairs, "Year", "2017"), "activity2_code"), []string{"3101"}) &&
				slices.Equal(distinct(where(fairs, "Year", "2018"), "activity2_code"), []string{"3103"})
		}},
		{"capitals and mixed case", func(rows []row) bool {
			return has(rows, "admin1_label", "HRVATSKI SABOR") && has(rows, "admin2_label", "Hrvatski sabor")
		}},
	},

	"example-dominicana": {
		{"two report cuts a year, 2014 to 2021, of 20 to 25 rows", func(rows []row) bool {
			files := perFile(rows)
			return len(files) == 16 && files["ingresos-actualizacion-abril__2014.csv"] == 20 &&
				files["ingresos-actualizacion-septiembre__2021.csv"] == 22 && slices.Max(slices.Collect(maps.Values(files))) <= 25
		}},
		{"a file holds its year only", func(rows []row) bool {
			return !slices.ContainsFunc(rows, func(r row) bool { return !strings.Contains(r[fileName], "__"+r["periodo"]+".csv") })
		}},
		{"code and label are joined by a hyphen", func(rows []row) bool {
			return every(rows, "economica_titulo", `^\d\.\d - \S`) && every(rows, "economica_subtitulo", `^\d\.\d\.\d - \S`) &&
				every(rows, "economica_grupo", `^(\d\.\d\.\d\.\d - \S|(?i)No Informado - $)`)
		}},
		{"a hyphen in a label", func(rows []row) bool { return some(rows, "economica_grupo", ` - .* - \S`) }},
		{"two spaces in a label", func(rows []row) bool { return some(rows, "economica_grupo", `\S  \S`) }},
		{"the marker is spelled in three ways", func(rows []row) bool {
			return has(rows, "economica_grupo", "No Informado - ") && has(rows, "economica_grupo", "NO INFORMADO - ") &&
				has(rows, "economica_grupo", "No informado - ")
		}},
		{"the marker is under several parents, spelled differently in one file", func(rows []row) bool {
			marked := filter(rows, func(r row) bool { return notInformed.MatchString(r["economica_grupo"]) })
			return len(distinct(marked, "economica_subtitulo")) == 3 && varying(marked, "economica_grupo", fileName) > 0
		}},
		{"one label with and without its accent in one year", func(rows []row) bool {
			year := where(rows, "periodo", "2017")
			return has(year, "economica_grupo", "1.1.3.3 - Derechos de la Administración") &&
				has(year, "economica_grupo", "1.1.3.3 - Derechos de la Administracion")
		}},
		{"title 3 is financing", func(rows []row) bool {
			return slices.Contains(distinct(rows, "economica_titulo"), "3.1 - Fuentes financieras")
		}},
		{"September has all keys of April and a few more", func(rows []row) bool {
			return everyYear(rows, func(april, september map[string]row) bool {
				for key := range april {
					if september[key] == nil {
						return false
					}
				}
				more := len(september) - len(april)
				return more >= 1 && more <= 4
			})
		}},
		{"from April to September no amount falls and what came in grows", func(rows []row) bool {
			return everyYear(rows, func(april, september map[string]row) bool {
				for key, a := range april {
					s := september[key]
					if a["pres_inicial"] != s["pres_inicial"] || cents(a["percibido_aprobado"]) >= cents(s["percibido_aprobado"]) ||
						cents(a["pres_reformulado_aprobado"]) > cents(s["pres_reformulado_aprobado"]) {
						return false
					}
				}
				return true
			})
		}},
		{"two decimals", func(rows []row) bool {
			return every(rows, "pres_inicial", `^\d+\.00$`) && every(rows, "percibido_aprobado", `^\d+\.\d\d$`) &&
				every(rows, "pres_reformulado_aprobado", `^(\d+\.\d\d)?$`)
		}},
		{"the reformulated budget is missing in a few rows", func(rows []row) bool {
			n := len(where(rows, "pres_reformulado_aprobado", ""))
			return n >= 5 && n <= 30
		}},
	},

	"example-mexico": {
		{"thirteen files of 60 to 90 rows", func(rows []row) bool {
			files := slices.Collect(maps.Values(perFile(rows)))
			return len(files) == 13 && slices.Min(files) >= 60 && slices.Max(files) <= 90 && len(distinct(rows, "CICLO")) == 13
		}},
		{"measures come and go, all or nothing in a year", func(rows []row) bool {
			for span, given := range mexicoMeasures {
				first, last, _ := strings.Cut(span, "-")
				for _, r := range during(rows, first, last) {
					for name, cell := range r {
						if strings.HasPrefix(name, "MONTO_") && (cell != "") != slices.Contains(given, name) {
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
			negative := filter(rows, func(r row) bool { return strings.HasPrefix(r["MONTO_PAGADO"], "-") })
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
		{"functions and subfunctions are numbered anew in 2012", func(rows []row) bool {
			named := func(from, to, function string) []string {
				year := where(where(during(rows, from, to), "GPO_FUNCIONAL", "2"), "ID_FUNCION", function)
				return distinct(year, "DESC_FUNCION")
			}
			return slices.Equal(named("2008", "2011", "1"), []string{"Salud"}) && slices.Equal(named("2012", "2020", "3"), []string{"Salud"}) &&
				slices.Equal(named("2012", "2020", "1"), []string{"Protección Ambiental"})
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
		{"the project code of what is no public work is blank to 2011, then 0 or eleven zeros", func(rows []row) bool {
			zeros := where(rows, "ID_CLAVE_CARTERA", "00000000000")
			return every(during(rows, "2008", "2011"), "ID_CLAVE_CARTERA", `^$`) &&
				slices.Equal(distinct(zeros, "CICLO"), []string{"2016", "2017", "2019"}) &&
				slices.Equal(distinct(where(rows, "ID_CLAVE_CARTERA", "0"), "CICLO"),
					[]string{"2012", "2013", "2014", "2015", "2018", "2020"}) &&
				some(during(rows, "2012", "2012"), "ID_CLAVE_CARTERA", `^[1-9]\d{10}$`)
		}},
		{"the state is given from 2012", func(rows []row) bool {
			return every(during(rows, "2008", "2011"), "ID_ENTIDAD_FEDERATIVA", `^$`) &&
				every(during(rows, "2012", "2020"), "ID_ENTIDAD_FEDERATIVA", `^\d+$`)
		}},
		{"quotes, one of them at the end of a cell, commas and two spaces in labels", func(rows []row) bool {
			return some(rows, "DESC_UR", ` "A"$`) && some(rows, "DESC_PARTIDA_ESPECIFICA", `".*"`) &&
				some(rows, "DESC_PP", ",") && some(rows, "DESC_PARTIDA_GENERICA", `\S  \S`)
		}},
	},

	"example-paraguay": {
		{"one file of about 400 rows, one month of 2017", func(rows []row) bool {
			n := perFile(rows)["pgn-gasto-2017.csv"]
			return n == len(rows) && n >= 350 && n <= 450 && slices.Equal(distinct(rows, "anio", "mes"), []string{"2017/1"})
		}},
		{"code and label are joined in many ways", func(rows []row) bool {
			return every(rows, "descripcionNivel", `^\d+-\S`) &&
				every(rows, "subfuncion", `^\d+ - \S`) &&
				every(rows, "descripcionUnidadResponsable", `^\d+- \S`) &&
				every(rows, "grupoEconomico", `^\d+ [A-Z]`) && has(rows, "grupoEconomico", "100 GASTOS  CORRIENTES") &&
				every(rows, "descripcionSubprograma", `^  \d+ - \S`) &&
				has(rows, "descripcionProyecto", "000-*") && some(rows, "descripcionProyecto", `^001-[A-Z]`)
		}},
		{"several spaces in a row", func(rows []row) bool {
			return some(rows, "grupoObjetoGasto", `\S   \S`) && some(rows, "categoriaEconomica", `\S    \S`)
		}},
		{"the code in the label is the integer code, but for zeros", func(rows []row) bool {
			return !slices.ContainsFunc(rows, func(r row) bool {
				return slices.ContainsFunc(paraguayPairs, func(p [2]string) bool { return leadingCode(r[p[1]]) != r[p[0]] })
			})
		}},
		{"leading zeros in the label only", func(rows []row) bool {
			return has(where(rows, "codigoEntidad", "3"), "descripcionEntidad", "03-UNIVERSIDAD DEL RÍO") &&
				every(rows, "codigoEntidad", `^[1-9]`)
		}},
		{"departamento is text with accents", func(rows []row) bool {
			return every(rows, "departamento", `^\d+-.*\p{L}`) && some(rows, "departamento", `[ÑÁ]`)
		}},
		{"an entity code is unique only in its level: 9 entities of 6 codes", func(rows []row) bool {
			return len(distinct(rows, "codigoNivel", "codigoEntidad")) == 9 && len(distinct(rows, "codigoEntidad")) == 6 &&
				varying(rows, "descripcionEntidad", "codigoEntidad") > 1 &&
				varying(rows, "descripcionEntidad", "codigoNivel", "codigoEntidad") == 0
		}},
		{"a programme code is unique only in level, entity and kind of budget", func(rows []row) bool {
			return varying(rows, "descripcionPrograma", "codigoTipoPresupuesto", "codigoPrograma") > 0 &&
				varying(rows, "descripcionPrograma", "codigoNivel", "codigoTipoPresupuesto", "codigoPrograma") > 0 &&
				varying(rows, "descripcionPrograma", "codigoNivel", "codigoEntidad", "codigoPrograma") > 0 &&
				varying(rows, "descripcionPrograma", "codigoNivel", "codigoEntidad", "codigoTipoPresupuesto",
					"codigoPrograma") == 0
		}},
		{"a UAF code is unique only in its entity", func(rows []row) bool {
			first := where(rows, "codigoUAF", "1000000")
			return len(distinct(first, "descripcionUAF")) > 5 &&
				varying(first, "descripcionUAF", "codigoNivel", "codigoEntidad") == 0
		}},
		{"funcion is the lower level, subfuncion the upper", func(rows []row) bool {
			return varying(rows, "funcion", "subfuncion") > 0 && varying(rows, "subfuncion", "funcion") == 0 &&
				!slices.ContainsFunc(rows, func(r row) bool { return r["funcion"][:2] != r["subfuncion"][:2] })
		}},
		{"an accent in one label and not in the next", func(rows []row) bool {
			return some(rows, "descripcionSubprograma", "FORMACION") && some(rows, "descripcionSubprograma", "FORMACIÓN")
		}},
		{"an object that is its own subgroup", func(rows []row) bool {
			return count(rows, func(r row) bool { return r["objetoGasto"] == r["subgrupoObjetoGasto"] }) > 0 &&
				count(rows, func(r row) bool { return r["objetoGasto"] != r["subgrupoObjetoGasto"] }) > 0
		}},
		{"a date as text", func(rows []row) bool { return every(rows, "fechaCorte", `^2017-\d\d-\d\d$`) }},
		{"whole amounts, many zeros, none missing", func(rows []row) bool {
			return !slices.ContainsFunc(paraguayAmounts, func(amount string) bool { return !every(rows, amount, `^\d+$`) }) &&
				len(where(rows, "montoEjecutado", "0")) > len(rows)/2
		}},
		{"commas in labels", func(rows []row) bool { return some(rows, "objetoGasto", ",") }},
	},

	"example-uruguay": {
		{"a file per year of 140 to 250 rows", func(rows []row) bool { return sizes(rows, "ANO", uruguayYears, 140, 250) }},
		{"UE_ID begins at 1 in every organisation", func(rows []row) bool {
			return len(distinct(where(rows, "UE_ID", "1"), "ORG_ID")) == len(distinct(rows, "ORG_ID")) &&
				varying(rows, "UE_NOMBRE", "UE_ID") == 3 && varying(rows, "ORG_ID", "UE_ID") == 3
		}},
		{"SUBGRUPO_ID is unique only in its group", func(rows []row) bool {
			return varying(rows, "SUBGRUPO_NOMBRE", "SUBGRUPO_ID") > 2 &&
				varying(rows, "SUBGRUPO_NOMBRE", "GRUPO_ID", "SUBGRUPO_ID") == 0
		}},
		{"PROYECTO_ID means something only with ORG_ID and PROGRAMA_ID", func(rows []row) bool {
			return varying(rows, "PROYECTO_NOMBRE", "PROYECTO_ID") >= 3 &&
				varying(rows, "PROYECTO_NOMBRE", "PROYECTO_ID", "ORG_ID") > 0 &&
				varying(rows, "PROYECTO_NOMBRE", "PROYECTO_ID", "ORG_ID", "PROGRAMA_ID") == 0
		}},
		{"object codes look decimal", func(rows []row) bool {
			return has(rows, "ODGYAUX_ID", "198.0") && has(rows, "ODGYAUX_ID", "91.17")
		}},
		{"42.4, 42.40 and 42.400 are three objects", func(rows []row) bool {
			return varying(rows, "ODGYAUX_NOMBRE", "ODGYAUX_ID") == 0 && has(rows, "ODGYAUX_ID", "42.4") &&
				has(rows, "ODGYAUX_ID", "42.40") && has(rows, "ODGYAUX_ID", "42.400") &&
				len(distinct(where(rows, "SUBGRUPO_NOMBRE", "Complementos"), "ODGYAUX_NOMBRE")) == 3
		}},
		{"Rentas generales, from 2017 Rentas Generales", func(rows []row) bool {
			return slices.Equal(distinct(where(rows, "FUENTE_FINANC_NOMBRE", "Rentas generales"), "ANO"), uruguayYears[:6]) &&
				slices.Equal(distinct(where(rows, "FUENTE_FINANC_NOMBRE", "Rentas Generales"), "ANO"), uruguayYears[6:])
		}},
		{"padded cells", func(rows []row) bool {
			return has(rows, "ODGYAUX_NOMBRE", "Útiles de oficina ")
		}},
		{"a label padded in some years only", func(rows []row) bool {
			return has(rows, "UE_NOMBRE", "Vialidad") && has(rows, "UE_NOMBRE", "Vialidad ")
		}},
		{"double spaces", func(rows []row) bool {
			return count(rows, func(r row) bool { return strings.Contains(r["PROGRAMA_NOMBRE"], "  ") }) > 0 &&
				count(rows, func(r row) bool { return strings.Contains(r["ODGYAUX_NOMBRE"], "  ") }) > 0
		}},
		{"zero instead of missing", func(rows []row) bool {
			return !slices.ContainsFunc(uruguayAmounts, func(amount string) bool {
				return has(rows, amount, "") || !has(rows, amount, "0")
			})
		}},
		{"nothing executed in 2019, but before", func(rows []row) bool {
			return slices.Equal(distinct(where(rows, "ANO", "2019"), "MONTO_EJECUTADO"), []string{"0"}) &&
				len(distinct(where(rows, "ANO", "2018"), "MONTO_EJECUTADO")) > 50
		}},
		{"whole amounts of up to 12 digits", func(rows []row) bool {
			longest := 0
			for _, r := range rows {
				for _, amount := range uruguayAmounts {
					if _, err := strconv.ParseInt(r[amount], 10, 64); err != nil {
						return false
					}
					longest = max(longest, len(r[amount]))
				}
			}
			return longest == 12
		}},
		{"quotes and commas in labels", func(rows []row) bool {
			return has(rows, "PROYECTO_NOMBRE", `Archivo "Memoria"`) &&
				has(rows, "PROYECTO_NOMBRE", "Obras, reformas y ampliaciones")
		}},
	},
}

// What several quirks of one package need.
var (
	months = []string{"01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"} // of both Costa Rican packages

	ciudadSnapshots = []string{"Enero-Marzo", "Enero-Junio"}
	ciudadAmounts   = []string{"monto_aprobado", "monto_modificado", "monto_ejercido"}

	croatiaLevels = []string{"admin2", "activity1", "activity2", "activity3", "func1", "fin_source", "econ1", "econ2", "econ3"}

	dominicanaLevels = []string{"economica_titulo", "economica_subtitulo", "economica_grupo"}
	notInformed      = regexp.MustCompile(`(?i)^no informado - $`)

	// mexicoMeasures are the amounts that the rows of these years have.
	mexicoMeasures = map[string][]string{
		"2008-2012": {"MONTO_APROBADO", "MONTO_EJERCIDO"},
		"2013-2013": {"MONTO_APROBADO", "MONTO_EJERCICIO"},
		"2014-2018": {
			"MONTO_ADEFAS", "MONTO_APROBADO", "MONTO_DEVENGADO", "MONTO_EJERCICIO", "MONTO_MODIFICADO", "MONTO_PAGADO",
		},
		"2019-2019": {"MONTO_ADEFAS", "MONTO_APROBADO", "MONTO_DEVENGADO", "MONTO_MODIFICADO", "MONTO_PAGADO"},
		"2020-2020": {"MONTO_APROBADO", "MONTO_MODIFICADO", "MONTO_PAGADO"},
	}
	mexicoObject = []string{"ID_CAPITULO", "ID_CONCEPTO", "ID_PARTIDA_GENERICA", "ID_PARTIDA_ESPECIFICA"}

	paraguayAmounts = []string{
		"presupuestoInicialAprobado", "montoVigente", "montoPlanFinancieroVigente", "montoEjecutado", "montoTransferido",
		"montoPagado",
	}
	// paraguayPairs are the integer codes, each with the cell that joins the same code and its label.
	paraguayPairs = [][2]string{
		{"codigoNivel", "descripcionNivel"}, {"codigoEntidad", "descripcionEntidad"},
		{"codigoUnidadResponsable", "descripcionUnidadResponsable"},
		{"codigoTipoPresupuesto", "descripcionTipoPresupuesto"}, {"codigoPrograma", "descripcionPrograma"},
		{"codigoSubprograma", "descripcionSubprograma"}, {"codigoProyecto", "descripcionProyecto"},
		{"codigoFuenteFinanciamiento", "descripcionFuenteFinanciamiento"},
		{"codigoOrganismoFinanciador", "descripcionOrganismoFinanciador"}, {"codigoDepartamento", "departamento"},
		{"codigoUAF", "descripcionUAF"}, {"codigoNivelFinanciero", "nombreNivelFinanciero"},
		{"codigoObjetoGasto", "objetoGasto"},
	}

	uruguayYears   = []string{"2011", "2012", "2013", "2014", "2015", "2016", "2017", "2018", "2019"}
	uruguayAmounts = []string{"MONTO_APROBADO", "MONTO_EJECUTADO", "MONTO_VIGENTE"}
)

// everyYear compares the two snapshots of each year of example-dominicana, their rows by the codes of the path.
func everyYear(rows []row, holds func(april, september map[string]row) bool) bool {
	for _, year := range distinct(rows, "periodo") {
		snapshots := map[string]map[string]row{"abril": {}, "septiembre": {}}
		for _, r := range where(rows, "periodo", year) {
			snapshot, _, _ := strings.Cut(strings.TrimPrefix(r[fileName], "ingresos-actualizacion-"), "__")
			var path []string
			for _, level := range dominicanaLevels {
				code, _, _ := strings.Cut(strings.ToLower(r[level]), " - ")
				path = append(path, code)
			}
			snapshots[snapshot][strings.Join(path, "/")] = r
		}
		if !holds(snapshots["abril"], snapshots["septiembre"]) {
			return false
		}
	}
	return true
}

// during returns the rows of some years of example-mexico, both ends included.
func during(rows []row, first, last string) []row {
	return filter(rows, func(r row) bool { return first <= r["CICLO"] && r["CICLO"] <= last })
}

// leadingCode returns the number that a joined cell begins with, without zeros in front.
func leadingCode(cell string) string {
	cell = strings.TrimLeft(cell, " ")
	end := strings.IndexFunc(cell, func(r rune) bool { return r < '0' || r > '9' })
	n, err := strconv.Atoi(cell[:max(end, 0)])
	if err != nil {
		return cell
	}
	return strconv.Itoa(n)
}
