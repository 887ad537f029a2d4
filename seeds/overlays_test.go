package seeds_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/seeds"
)

func readReal(t *testing.T, folder string) *cube.Package {
	t.Helper()
	return readPackage(t, realDescriptor(t, folder))
}

func readSeed(t *testing.T, name string) *cube.Package {
	t.Helper()
	return readPackage(t, read(t, open(t, name), "datapackage.json"))
}

func readPackage(t *testing.T, text []byte) *cube.Package {
	t.Helper()
	p, err := fdp.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// overlaid applies the overlay that ships for p.
func overlaid(t *testing.T, p *cube.Package) *cube.Package {
	t.Helper()
	text, ok := seeds.OverlayFor(p)
	if !ok {
		t.Fatalf("no overlay is for %s, %s", p.Name, p.ID)
	}
	o, err := fdp.ReadOverlay(text)
	if err != nil {
		t.Fatal(err)
	}
	applied, err := o.Apply(p)
	if err != nil {
		t.Fatalf("%s:\n%v", p.Name, err)
	}
	return applied
}

// chains writes every chain of a model, a line each.
func chains(m *cube.Model) string {
	var b strings.Builder
	for _, d := range m.Dimensions() {
		for _, chain := range d.Chains() {
			fmt.Fprintf(&b, "%s (%s): ", d.Name, strings.TrimSpace(d.Type+" "+d.Classification))
			for i, l := range chain {
				if i > 0 {
					b.WriteString(" > ")
				}
				b.WriteString(levelText(l))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func levelText(l cube.Level) string {
	text := l.Ref
	if l.LabelRef != "" {
		text += "=" + l.LabelRef
	}
	if len(l.Within) > 0 {
		text += " within " + strings.Join(l.Within, ",")
	}
	return text
}

// details writes what else an overlay says: measures, columns that a rule makes, snapshots, notes.
func details(p *cube.Package) string {
	var b strings.Builder
	for _, m := range p.Model.Measures() {
		fmt.Fprintf(&b, "%s: %s, %s %d %s %s\n", m.Ref, m.Title, m.Currency, m.Unit, m.Phase, m.Direction)
	}
	for _, c := range p.Model.Columns() {
		if c.From != nil && c.From.Rule != cube.RuleCell {
			from := strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %d %d %s", strings.Join(c.From.Fields, " "), c.From.Pattern,
				strings.Join(c.Markers, ","), c.From.Length, c.From.Digits, c.From.Suffix)), " ")
			fmt.Fprintf(&b, "%s %s: %s\n", c.Name, c.From.Rule, strings.TrimSuffix(from, " 0 0"))
		}
	}
	if s := p.Model.Snapshots(); s != nil {
		fmt.Fprintf(&b, "snapshots by %s per %s: %s\n", s.By, strings.Join(s.Per, ","), strings.Join(s.Order, ","))
	}
	for _, f := range p.Financing {
		fmt.Fprintf(&b, "financing %s: %s\n", f.Level, strings.Join(f.Keys, ","))
	}
	for _, note := range p.Notes {
		fmt.Fprintf(&b, "note: %s\n", note["en"])
	}
	return b.String()
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
	}
}

func TestOverlays_MakeTheModels(t *testing.T) {
	for name, want := range overlaidModels {
		for _, real := range want.real {
			t.Run(real, func(t *testing.T) {
				p := overlaid(t, readReal(t, real))
				same(t, "chains", chains(p.Model), want.chains)
				same(t, "details", details(p), want.details)
			})
		}
		t.Run(name, func(t *testing.T) {
			p := overlaid(t, readSeed(t, name))
			same(t, "chains", chains(p.Model), want.chains)
			same(t, "details", details(p), want.details)
		})
	}
}

func TestOverlays_AreForEverySeed(t *testing.T) {
	var names []string
	for _, s := range seeds.All() {
		names = append(names, s.Name)
	}
	if want := slices.Sorted(maps.Keys(overlaidModels)); !slices.Equal(names, want) {
		t.Errorf("the models of %v are checked, the seeds are %v", want, names)
	}
	if got := len(seeds.Overlays()); got != len(names) {
		t.Errorf("%d overlays for %d seeds", got, len(names))
	}
}

func TestOverlays_GiveTitlesInTwoLanguages(t *testing.T) {
	for _, s := range seeds.All() {
		p := overlaid(t, readSeed(t, s.Name))
		check := func(what string, titles cube.Titles) {
			if titles["en"] == "" || titles["es"] == "" {
				t.Errorf("%s: %s has the titles %v", s.Name, what, titles)
			}
		}
		check("package", p.Titles)
		for _, m := range p.Model.Measures() {
			check("measure "+m.Ref, m.Titles)
			if m.Title != m.Titles["en"] || m.Currency == "" || m.Unit == 0 || m.Phase == "" || m.Direction == "" {
				t.Errorf("%s: something is missing in %+v", s.Name, m)
			}
		}
		for _, d := range p.Model.Dimensions() {
			if s.Name == "example-ciudad-de-mexico" && d.Name == "activity" {
				continue
			}
			check("dimension "+d.Name, d.Titles)
			for _, l := range d.Levels {
				check("level "+l.Ref, l.Titles)
			}
		}
		for _, note := range p.Notes {
			check("a note", note)
		}
	}
}

func TestOverlayFor_NameAlone(t *testing.T) {
	city := readSeed(t, "example-ciudad-de-mexico")
	city.Name, city.ID = "ciudad-de-mexico", "R_unknown"
	if text, ok := seeds.OverlayFor(city); !ok || !strings.Contains(string(text), "Mexico City") {
		t.Error("the overlay of D4 is not found by its name")
	}
	other := readSeed(t, "example-croatia")
	other.Name, other.ID = "mexico", "R_unknown"
	if text, ok := seeds.OverlayFor(other); ok {
		t.Errorf("another package called mexico gets\n%s", text)
	}
	if _, ok := seeds.OverlayFor(&cube.Package{Name: "x", Model: other.Model}); ok {
		t.Error("there is an overlay for an unknown package")
	}
}

// Each row of the table of keys has an example.
// Titles are the words of people: money is spent and not executed, ministries are no sections, and a year is called as pages call it.
func TestOverlays_TitlesAreForPeople(t *testing.T) {
	ofTrade := regexp.MustCompile(`^(Executed|Accrued|Section|Chapter|Ejecutado|Devengado|Sección|Capítulo|Ciclo|Ejercicio|Izvršeno|Obračunato)$`)
	for _, seed := range seeds.All() {
		m := overlaid(t, readSeed(t, seed.Name)).Model
		var titles []cube.Titles
		for _, measure := range m.Measures() {
			titles = append(titles, measure.Titles)
		}
		for _, level := range m.Levels() {
			titles = append(titles, level.Titles)
		}
		for _, title := range titles {
			for _, text := range title {
				if ofTrade.MatchString(text) {
					t.Errorf("%s: %s", seed.Name, text)
				}
			}
		}
	}
}

func TestOverlays_ReadTheExamplesOfTheREADME(t *testing.T) {
	text, err := os.ReadFile("overlays/README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		if len(cells) != 5 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		rows++
		example := strings.ReplaceAll(strings.Trim(cells[3], " `"), "\x00", "|")
		if _, err := fdp.ReadOverlay([]byte(example)); err != nil {
			t.Errorf("%s: %v", example, err)
		}
		if key := strings.FieldsFunc(cells[1], func(c rune) bool { return strings.ContainsRune(" `.,", c) })[0]; !strings.HasPrefix(example, key) {
			t.Errorf("the example of %s is %s", cells[1], example)
		}
	}
	if rows != 54 {
		t.Errorf("the table has %d rows", rows)
	}
}

// overlaidModels are the models that descriptor and overlay make together, before the repairs: levels as
// key=label, and what else the overlay says but the cells kept beside the made columns.
var overlaidModels = map[string]struct {
	real            []string // folders of real packages that have the same model
	chains, details string
}{
	"example-ciudad-de-mexico": {
		nil, `
budget-line-id (fact): clave_presupuestaria
date (datetime): ciclo
activity (activity): desc_gobierno_general
activity (activity): desc_sector
activity (activity): desc_subsector
activity (activity): desc_unidad_responsable
activity (activity): desc_finalidad
activity (activity): desc_funcion
activity (activity): desc_subfuncion
activity (activity): desc_area_funcional
activity (activity): desc_modalidad
activity (activity): desc_programa_presupuestario
activity (activity): desc_eje
activity (activity): desc_objetivo_desarrollo_sostenible
activity (activity): desc_tipo_recurso
activity (activity): desc_fuente_financiamiento
activity (activity): desc_fuente_generica
activity (activity): desc_fuente_especifica
activity (activity): desc_origen_recurso
activity (activity): desc_fondo
activity (activity): desc_gasto_programable
activity (activity): desc_tipo_gasto
activity (activity): desc_capitulo
activity (activity): desc_concepto
activity (activity): desc_partida_generica
activity (activity): desc_partida_especifica
activity (activity): desc_consolidado
activity (activity): desc_detalle_consolidado
activity (activity): desc_tipo_proyecto
activity (activity): modalidad > programa_presupuestario
period (datetime): periodo
administrative-classification (classification administrative): gobierno_general > sector > subsector > unidad_responsable
functional-classification (classification functional): finalidad > funcion > subfuncion > area_funcional
policy (other): eje
sustainable-development-goal (other): objetivo_desarrollo_sostenible
fin-source (other): tipo_recurso > fuente_financiamiento > fuente_generica > fuente_especifica > fondo
fund-origin (other): origen_recurso
fund-year (datetime): ciclo_original
programmable (other): gasto_programable
expenditure-type (other): tipo_gasto
economic-classification (classification economic): capitulo > concepto > partida_generica > partida_especifica
consolidation (other): consolidado > detalle_consolidado
project (activity): tipo_proyecto > proyecto_inv=desc_proy_inv
`, `
monto_aprobado: Approved, MXN 1 approved expenditure
monto_modificado: Modified, MXN 1 adjusted expenditure
monto_ejercido: Spent, MXN 1 executed expenditure
snapshots by periodo per ciclo: Aprobado,Enero-Marzo,Enero-Junio,Enero-Septiembre,Enero-Diciembre,Cuenta Pública
`,
	},
	"example-costa-rica-egresos": {
		[]string{"D8-costa-rica-egresos"}, `
date (datetime): ejercicio
administrative-classification (classification administrative): titulo_codigo=titulo_descripcion > programa_codigo=programa_descripcion > subprograma_codigo=subprograma_descripcion
economic-classification (classification economic): ce_partida_codigo=ce_partida_descripcion > ce_grupo_codigo > ce_subpartida_codigo=ce_subpartida_descripcion > ce_renglon_codigo=ce_renglon_descripcion
functional-classification (classification functional): cf_clase_codigo=cf_clase_descripcion > cf_subclase_codigo=cf_subclase_descripcion > cf_grupo_codigo=cf_grupo_descripcion > cf_subgrupo_codigo=cf_subgrupo_descripcion
fin-source (other): ff_clase2 > ff_clase1 > ff_codigo=ff_descripcion
month (datetime): mes
object-of-expenditure (classification economic): cog_partida_codigo=cog_partida_descripcion > cog_grupo_codigo=cog_grupo_descripcion > cog_subpartida_codigo=cog_subpartida_descripcion
`, `
pi_monto: Initial budget, CRC 1 approved expenditure
pp_monto: Budget in force, CRC 1 adjusted expenditure
li_monto: Released, CRC 1 adjusted expenditure
so_monto: Requested, CRC 1 adjusted expenditure
co_monto: Committed, CRC 1 adjusted expenditure
rm_monto: rm: meaning not published, CRC 1 adjusted expenditure
de_monto: Spent (accrued), CRC 1 executed expenditure
pa_monto: Paid, CRC 1 executed expenditure
snapshots by mes per ejercicio: 
`,
	},
	"example-costa-rica-ingresos": {
		[]string{"D5-costa-rica-ingresos"}, `
date (datetime): ejercicio
administrative-classification (classification administrative): titulo_codigo=titulo_descripcion
month (datetime): mes
economic-classification (classification economic): ci_clase_codigo=ci_clase_descripcion > ci_subclase_codigo=ci_subclase_descripcion > ci_grupo_codigo=ci_grupo_descripcion > ci_subgrupo_codigo=ci_subgrupo_descripcion > ci_partida_codigo=ci_partida_descripcion > ci_subpartida_codigo=ci_subpartida_descripcion > ci_renglon_codigo=ci_renglon_descripcion > ci_subrenglon_codigo=ci_subrenglon_descripcion > ci_fuente_codigo=ci_fuente_descripcion
fin-source (other): ff_clase2 > ff_codigo=ff_descripcion
`, `
pi_monto: Initial budget, CRC 1 approved revenue
pp_monto: Budget in force, CRC 1 adjusted revenue
de_monto: Received (accrued), CRC 1 executed revenue
pa_monto: Paid in, CRC 1 executed revenue
snapshots by mes per ejercicio: 
`,
	},
	"example-croatia": {
		[]string{"D2-croatia"}, `
date (datetime): Year
administrative-classification (classification administrative): admin1_code=admin1_label > admin2_code=admin2_label
activity (activity): activity1_code=activity1_label > activity2_code=activity2_label > activity3_code=activity3_label
functional-classification (classification functional): func1_code=func1_label
fin-source (other): fin_source_code=fin_source_label
economic-classification (classification economic): econ1_code=econ1_label > econ2_code=econ2_label > econ3_code
`, `
approved_value: Approved, HRK 1 approved expenditure
executed_value: Spent, HRK 1 executed expenditure
financing econ1_code: 5
`,
	},
	"example-dominicana": {
		[]string{"D3-dominicana-ingresos"}, `
economic-classification (classification economic): economica_titulo=economica_titulo_label > economica_subtitulo=economica_subtitulo_label > economica_grupo=economica_grupo_label
date (datetime): periodo
snapshot (other): corte
`, `
pres_inicial: Initial budget, DOP 1 approved revenue
pres_reformulado_aprobado: Revised budget, DOP 1 adjusted revenue
percibido_aprobado: Received, DOP 1 executed revenue
economica_titulo code: economica_titulo No Informado
economica_subtitulo code: economica_subtitulo No Informado
economica_grupo code: economica_grupo No Informado
economica_titulo_label label: economica_titulo No Informado
economica_subtitulo_label label: economica_subtitulo No Informado
economica_grupo_label label: economica_grupo No Informado
corte resource: (abril|septiembre)
snapshots by corte per periodo: abril,septiembre
financing economica_titulo: 3.1
`,
	},
	"example-mexico": {
		[]string{"D7-mexico", "D7-mexico-2017-sample"}, `
date (datetime): CICLO
functional-classification (classification functional): GPO_FUNCIONAL=DESC_GPO_FUNCIONAL > ID_FUNCION=DESC_FUNCION > ID_SUBFUNCION=DESC_SUBFUNCION > ID_AI=DESC_AI within ID_RAMO
economic-classification (classification economic): ID_CAPITULO=DESC_CAPITULO > ID_CONCEPTO=DESC_CONCEPTO > ID_PARTIDA_GENERICA=DESC_PARTIDA_GENERICA > ID_PARTIDA_ESPECIFICA=DESC_PARTIDA_ESPECIFICA
fin-source (other): ID_FF=DESC_FF
activity (activity): ID_MODALIDAD=DESC_MODALIDAD > ID_PP=DESC_PP within ID_RAMO
administrative-classification (classification administrative): ID_RAMO=DESC_RAMO > ID_UR=DESC_UR
expenditure-type (other): ID_TIPOGASTO=DESC_TIPOGASTO
geo-source (location): ID_ENTIDAD_FEDERATIVA=ENTIDAD_FEDERATIVA
budget-line-id (fact): ID_CLAVE_CARTERA
editions (other): ID_FUNCION_edition
editions (other): ID_TIPOGASTO_edition
`, `
MONTO_ADEFAS: Debts of former years (ADEFAS), MXN 1 executed expenditure
MONTO_APROBADO: Approved, MXN 1 approved expenditure
MONTO_DEVENGADO: Spent (accrued), MXN 1 executed expenditure
MONTO_EJERCICIO: Spent, from 2013, MXN 1 executed expenditure
MONTO_EJERCIDO: Spent, to 2012, MXN 1 executed expenditure
MONTO_MODIFICADO: Modified, MXN 1 adjusted expenditure
MONTO_PAGADO: Paid, MXN 1 executed expenditure
MONTO_GASTADO: Spent, MXN 1 executed expenditure
ID_CAPITULO prefix: ID_CAPITULO ID_CONCEPTO 5 1 000
MONTO_GASTADO first_of: MONTO_EJERCIDO MONTO_EJERCICIO
ID_FUNCION_edition edition: CICLO
ID_TIPOGASTO_edition edition: CICLO
`,
	},
	"example-paraguay": {
		[]string{"D1-paraguay"}, `
date (datetime): anio
activity (activity): codigoPrograma=descripcionPrograma within codigoNivel,codigoEntidad,codigoTipoPresupuesto > codigoSubprograma=descripcionSubprograma > codigoProyecto=descripcionProyecto
month (datetime): mes
administrative-classification (classification administrative): codigoNivel=descripcionNivel > codigoEntidad=descripcionEntidad > codigoUnidadResponsable=descripcionUnidadResponsable
financial-unit (classification administrative): codigoUAF=descripcionUAF within codigoNivel,codigoEntidad
budget-type (other): codigoTipoPresupuesto=descripcionTipoPresupuesto
functional-classification (classification functional): subfuncion=subfuncion_label > funcion=funcion_label
economic-classification (classification economic): grupoEconomico=grupoEconomico_label > subgrupoEconomico=subgrupoEconomico_label > categoriaEconomica=categoriaEconomica_label
object-of-expenditure (classification economic): grupoObjetoGasto=grupoObjetoGasto_label > subgrupoObjetoGasto=subgrupoObjetoGasto_label > codigoObjetoGasto=objetoGasto
fin-source (other): codigoFuenteFinanciamiento=descripcionFuenteFinanciamiento
financing-body (other): codigoOrganismoFinanciador=descripcionOrganismoFinanciador
financial-level (other): codigoNivelFinanciero=nombreNivelFinanciero
geo (location): codigoDepartamento=departamento
report-date (datetime): anioCorte > mesCorte > fechaCorte
`, `
presupuestoInicialAprobado: Approved budget, PYG 1 approved expenditure
montoVigente: Budget in force, PYG 1 adjusted expenditure
montoPlanFinancieroVigente: Financial plan in force, PYG 1 adjusted expenditure
montoEjecutado: Spent, PYG 1 executed expenditure
montoTransferido: Transferred, PYG 1 executed expenditure
montoPagado: Paid, PYG 1 executed expenditure
descripcionNivel label: descripcionNivel
descripcionEntidad label: descripcionEntidad
descripcionUnidadResponsable label: descripcionUnidadResponsable
descripcionTipoPresupuesto label: descripcionTipoPresupuesto
descripcionPrograma label: descripcionPrograma
descripcionSubprograma label: descripcionSubprograma
descripcionProyecto label: descripcionProyecto
funcion code: funcion
subfuncion code: subfuncion
grupoEconomico code: grupoEconomico
subgrupoEconomico code: subgrupoEconomico
categoriaEconomica code: categoriaEconomica
grupoObjetoGasto code: grupoObjetoGasto
subgrupoObjetoGasto code: subgrupoObjetoGasto
objetoGasto label: objetoGasto
descripcionFuenteFinanciamiento label: descripcionFuenteFinanciamiento
departamento label: departamento
descripcionUAF label: descripcionUAF
nombreNivelFinanciero label: nombreNivelFinanciero
descripcionOrganismoFinanciador label: descripcionOrganismoFinanciador
subfuncion_label label: subfuncion
funcion_label label: funcion
grupoEconomico_label label: grupoEconomico
subgrupoEconomico_label label: subgrupoEconomico
categoriaEconomica_label label: categoriaEconomica
grupoObjetoGasto_label label: grupoObjetoGasto
subgrupoObjetoGasto_label label: subgrupoObjetoGasto
`,
	},
	"example-uruguay": {
		[]string{"D6-uruguay"}, `
date (datetime): ANO
functional-classification (classification functional): AP_ID=AP_NOMBRE > PROGRAMA_ID=PROGRAMA_NOMBRE
fin-source (other): FINANC_ID=FINANC_NOMBRE > FUENTE_FINANC_ID=FUENTE_FINANC_NOMBRE
economic-classification (classification economic): GRUPO_ID=GRUPO_NOMBRE > SUBGRUPO_ID=SUBGRUPO_NOMBRE > ODGYAUX_ID=ODGYAUX_NOMBRE
administrative-classification (classification administrative): ORG_ID=ORG_NOMBRE > UE_ID=UE_NOMBRE
activity (activity): PROYECTO_ID=PROYECTO_NOMBRE within ORG_ID,PROGRAMA_ID
expenditure-type (other): TIPO_GASTO_ID=TIPO_GASTO_NOMBRE
`, `
MONTO_APROBADO: Approved, UYU 1 approved expenditure
MONTO_EJECUTADO: Spent, UYU 1 executed expenditure
MONTO_VIGENTE: Budget in force, UYU 1 adjusted expenditure
`,
	},
}

// What an overlay says in one language it says in all.
func TestOverlays_SpeakEveryLanguage(t *testing.T) {
	for _, seed := range seeds.All() {
		p := overlaid(t, readSeed(t, seed.Name))
		speaks := func(what string, titles cube.Titles) {
			for _, l := range []string{"en", "es", "hr"} {
				if len(titles) > 0 && titles[l] == "" {
					t.Errorf("%s: %s has no title in %s", seed.Name, what, l)
				}
			}
		}
		speaks("the package", p.Titles)
		speaks("the country", p.CountryNames)
		speaks("the description", p.Descriptions)
		for _, note := range p.Notes {
			speaks("a note", note)
		}
		amounts := map[string]string{} // by language and title
		for _, m := range p.Model.Measures() {
			speaks("measure "+m.Ref, m.Titles)
			code, _, _ := strings.Cut(m.Ref, "_")
			for language, title := range m.Titles {
				if other := amounts[language+title]; other != "" {
					t.Errorf("%s: %s and %s are both %s", seed.Name, other, m.Ref, title)
				}
				if amounts[language+title] = m.Ref; strings.Contains(title, "("+code+")") {
					t.Errorf("%s: the title of %s has its code, and no other is %s", seed.Name, m.Ref, title)
				}
			}
		}
		for _, d := range p.Model.Derived() {
			speaks("formula "+d.Ref, d.Titles)
		}
		for _, d := range p.Model.Dimensions() {
			speaks("dimension "+d.Name, d.Titles)
		}
		named := map[string]string{} // by language and title
		for _, l := range p.Model.Levels() {
			speaks("level "+l.Ref, l.Titles)
			for language, title := range l.Titles {
				if other := named[language+title]; other != "" {
					t.Errorf("%s: %s and %s are both %s", seed.Name, other, l.Ref, title)
				}
				named[language+title] = l.Ref
			}
		}
		if len(p.Titles) == 0 || len(p.CountryNames) == 0 || p.Country != p.CountryNames["en"] {
			t.Errorf("%s has no title or no country: %q, %v", seed.Name, p.Country, p.CountryNames)
		}
	}
}
