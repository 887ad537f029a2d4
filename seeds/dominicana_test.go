package seeds_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestDominicana(t *testing.T) {
	testQuirks(t, "example-dominicana", dominicanaQuirks)
}

var dominicanaLevels = []string{"economica_titulo", "economica_subtitulo", "economica_grupo"}

var dominicanaQuirks = []quirk{
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
	{"the marker stands under several parents, spelled differently in one file", func(rows []row) bool {
		marked := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return informed(r["economica_grupo"]) })
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
}

var notInformed = regexp.MustCompile(`(?i)^no informado - $`)

func informed(cell string) bool { return !notInformed.MatchString(cell) }

// everyYear compares the cuts of each year, their rows by the codes of the path.
func everyYear(rows []row, holds func(april, september map[string]row) bool) bool {
	for _, year := range distinct(rows, "periodo") {
		cuts := map[string]map[string]row{"abril": {}, "septiembre": {}}
		for _, r := range where(rows, "periodo", year) {
			cut, _, _ := strings.Cut(strings.TrimPrefix(r[fileName], "ingresos-actualizacion-"), "__")
			var path []string
			for _, level := range dominicanaLevels {
				code, _, _ := strings.Cut(strings.ToLower(r[level]), " - ")
				path = append(path, code)
			}
			cuts[cut][strings.Join(path, "/")] = r
		}
		if !holds(cuts["abril"], cuts["septiembre"]) {
			return false
		}
	}
	return true
}

func TestDominicanaDescriptor(t *testing.T) {
	d := describe(t, open(t, "example-dominicana"))
	if d.Website != "https://example.org/" || d.Email != "budget@example.org" || d.Image != "" {
		t.Errorf("author %q, %q, image %q", d.Website, d.Email, d.Image)
	}
	if !strings.Contains(d.Title, "gasto") {
		t.Error("its title should say expenditure, as the published one does")
	}
	if !slices.Equal(d.Schema.header(), d.Resources[0].Schema.header()) || len(d.Sample) != 21 {
		t.Errorf("schema of %d fields, sample of %d rows", len(d.Schema.Fields), len(d.Sample))
	}
}
