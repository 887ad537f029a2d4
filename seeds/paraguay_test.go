package seeds_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestParaguay(t *testing.T) {
	testQuirks(t, "example-paraguay", paraguayQuirks)
}

var paraguayAmounts = []string{
	"presupuestoInicialAprobado", "montoVigente", "montoPlanFinancieroVigente", "montoEjecutado", "montoTransferido",
	"montoPagado",
}

// paraguayPairs are the integer codes beside a joined cell with the same code.
var paraguayPairs = [][2]string{
	{"codigoNivel", "descripcionNivel"}, {"codigoEntidad", "descripcionEntidad"},
	{"codigoUnidadResponsable", "descripcionUnidadResponsable"},
	{"codigoTipoPresupuesto", "descripcionTipoPresupuesto"}, {"codigoPrograma", "descripcionPrograma"},
	{"codigoSubprograma", "descripcionSubprograma"}, {"codigoProyecto", "descripcionProyecto"},
	{"codigoFuenteFinanciamiento", "descripcionFuenteFinanciamiento"},
	{"codigoOrganismoFinanciador", "descripcionOrganismoFinanciador"}, {"codigoDepartamento", "departamento"},
	{"codigoUAF", "descripcionUAF"}, {"codigoNivelFinanciero", "nombreNivelFinanciero"},
	{"codigoObjetoGasto", "objetoGasto"},
}

var paraguayQuirks = []quirk{
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
}

// leadingCode returns the number a joined cell begins with, without zeros in front.
func leadingCode(cell string) string {
	cell = strings.TrimLeft(cell, " ")
	end := strings.IndexFunc(cell, func(r rune) bool { return r < '0' || r > '9' })
	n, err := strconv.Atoi(cell[:max(end, 0)])
	if err != nil {
		return cell
	}
	return strconv.Itoa(n)
}

// Amounts are integers among the keys of a dimension, a text is declared integer, there is no measure.
func TestParaguayDescriptor(t *testing.T) {
	d := describe(t, open(t, "example-paraguay"))
	r := d.Resources[0]
	for _, name := range append([]string{"departamento"}, paraguayAmounts...) {
		if r.Schema.typeOf(name) != "integer" || !slices.Contains(r.Model.Dimensions["unknown"].PrimaryKey, name) {
			t.Errorf("%s: type %q, key %q", name, r.Schema.typeOf(name), r.Model.Dimensions["unknown"].PrimaryKey)
		}
	}
	if len(r.Model.Measures) != 0 || r.Schema.typeOf("fechaCorte") != "string" {
		t.Errorf("measures %v", r.Model.Measures)
	}
}
