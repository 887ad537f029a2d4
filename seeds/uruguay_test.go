package seeds_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestUruguay(t *testing.T) {
	testQuirks(t, "example-uruguay", uruguayQuirks)
}

var uruguayYears = []string{"2011", "2012", "2013", "2014", "2015", "2016", "2017", "2018", "2019"}

var uruguayAmounts = []string{"MONTO_APROBADO", "MONTO_EJECUTADO", "MONTO_VIGENTE"}

var uruguayQuirks = []quirk{
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
	{"whole uruguayAmounts of up to 12 digits", func(rows []row) bool {
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
}

func TestUruguayDescriptor(t *testing.T) {
	d := describe(t, open(t, "example-uruguay"))
	if d.Website != "https://example.org/" || d.Email != "budget@example.org" {
		t.Errorf("author %q, %q", d.Website, d.Email)
	}
	if !slices.Contains(d.YearsIncluded, "2021") {
		t.Error("it should promise years that it does not hold, as the published one does")
	}
	isJPEG(t, d.Image)
}
