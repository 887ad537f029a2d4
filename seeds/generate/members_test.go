package main

import (
	"slices"
	"strings"
	"testing"
)

// A table is a classification of a seed and the fields that show a path of it: codes, or labels where
// the codes have no field of their own.
type table struct {
	root   *member
	fields string
}

// Every member in the tables is used: a seed has no dead lines.
func TestEveryMemberIsUsed(t *testing.T) {
	for _, s := range all() {
		t.Run(s.name, func(t *testing.T) {
			for _, c := range tables[s.name] {
				fields := strings.Fields(c.fields)
				used := shown(s, fields)
				for _, path := range leaves(c.root, nil) {
					if !used[path] {
						t.Errorf("no row of %s %s", c.fields, path)
					}
				}
			}
		})
	}
}

var tables = map[string][]table{
	"example-paraguay": {
		{paraguayMembers().admin, "codigoNivel codigoEntidad codigoUnidadResponsable"},
		{paraguayMembers().financial, "codigoNivel codigoEntidad codigoUAF"},
		{paraguayMembers().kind, "codigoTipoPresupuesto"},
		{paraguayMembers().program, "codigoNivel codigoEntidad codigoTipoPresupuesto codigoPrograma codigoSubprograma codigoProyecto"},
		{paraguayMembers().department, "codigoDepartamento"},
		{paraguayMembers().level, "codigoNivelFinanciero"},
		{paraguayMembers().source, "codigoFuenteFinanciamiento codigoOrganismoFinanciador"},
	},
	"example-croatia": {
		{croatiaMembers().admin, "admin1_code admin2_code"},
		{croatiaMembers().activity, "activity1_code activity2_code activity3_code"},
		{croatiaMembers().function, "func1_code"},
		{croatiaMembers().source, "fin_source_code"},
		{croatiaMembers().economic, "econ1_code econ2_code econ3_code"},
	},
	"example-ciudad-de-mexico": {
		{ciudadMembers().admin, "gobierno_general sector subsector unidad_responsable"},
		{ciudadMembers().function, "finalidad funcion subfuncion area_funcional"},
		{ciudadMembers().program, "modalidad programa_presupuestario"},
		{ciudadMembers().axis, "eje"},
		{ciudadMembers().goal, "objetivo_desarrollo_sostenible"},
		{ciudadMembers().fund, "tipo_recurso fuente_financiamiento fuente_generica fuente_especifica origen_recurso fondo"},
		{ciudadMembers().object, "capitulo concepto partida_generica partida_especifica"},
		{ciudadMembers().kind, "gasto_programable tipo_gasto"},
		{ciudadMembers().consolidation, "consolidado detalle_consolidado"},
		{ciudadMembers().project, "tipo_proyecto proyecto_inv"},
	},
	"example-costa-rica-ingresos": {
		{ingresosMembers().title, "titulo_codigo"},
		{ingresosMembers().fund, "ff_clase2 ff_codigo"},
	},
	"example-uruguay": {
		{uruguayMembers().admin, "ORG_ID UE_ID"},
		{uruguayMembers().function, "AP_ID PROGRAMA_ID"},
		{uruguayMembers().source, "FINANC_ID FUENTE_FINANC_ID"},
		{uruguayMembers().economic, "GRUPO_ID SUBGRUPO_ID ODGYAUX_ID"},
		{uruguayMembers().kind, "TIPO_GASTO_ID"},
	},
	"example-mexico": {
		{mexicoMembers().admin, "ID_RAMO ID_UR"},
		{mexicoMembers().function, "GPO_FUNCIONAL ID_FUNCION ID_SUBFUNCION"},
		{mexicoMembers().mode, "ID_MODALIDAD"},
		{mexicoMembers().fund, "ID_FF"},
		{mexicoMembers().kind, "ID_TIPOGASTO"},
		{mexicoMembers().state, "ID_ENTIDAD_FEDERATIVA"},
		{mexicoMembers().formerObject, "ID_CAPITULO ID_CONCEPTO ID_PARTIDA_GENERICA"},
		{mexicoMembers().specificObject, "ID_CAPITULO ID_CONCEPTO ID_PARTIDA_GENERICA ID_PARTIDA_ESPECIFICA"},
	},
	"example-costa-rica-egresos": {
		{egresosMembers().admin, "titulo_codigo programa_codigo subprograma_codigo"},
		{egresosMembers().object, "cog_partida_codigo cog_grupo_codigo cog_subpartida_codigo"},
		{egresosMembers().economic, "ce_partida_codigo ce_grupo_codigo ce_subpartida_codigo ce_renglon_codigo"},
		{egresosMembers().function, "cf_clase_codigo cf_subclase_codigo cf_grupo_codigo cf_subgrupo_codigo"},
		{egresosMembers().fund, "ff_clase2 ff_clase1 ff_codigo"},
	},
}

// Where the codes have no field of their own, the labels are the cells.
func TestEveryLabelIsUsed(t *testing.T) {
	p, d := paraguayMembers(), tree(dominicanaRevenue)
	for _, c := range []struct {
		seed seed
		root *member
		cell func(*member) string
	}{
		{paraguay(), p.function, func(m *member) string { return m.label(0) }},
		{paraguay(), p.object, func(m *member) string { return m.label(0) }},
		{paraguay(), p.economic, func(m *member) string { return m.label(0) }},
		{costaRicaIngresos(), ingresosMembers().revenue, func(m *member) string { return m.label(2017) }},
		{dominicana(), d, func(m *member) string { return dominicanaCell(m, 2021, september) }},
	} {
		used := map[string]bool{}
		for _, r := range c.seed.resources {
			for _, rec := range r.records {
				for _, cell := range rec {
					used[cell] = true
				}
			}
		}
		for _, m := range descendants(c.root) {
			if !used[c.cell(m)] {
				t.Errorf("%s: no row of %s", c.seed.name, c.cell(m))
			}
		}
	}
}

// shown returns the paths that the fields of some row show.
func shown(s seed, fields []string) map[string]bool {
	paths := map[string]bool{}
	for _, r := range s.resources {
		for _, rec := range r.records {
			var path []string
			for _, field := range fields {
				path = append(path, rec[field])
			}
			paths[strings.Join(path, "/")] = true
		}
	}
	return paths
}

// leaves returns the paths of the members that have no children.
func leaves(m *member, above []string) []string {
	var paths []string
	for _, c := range m.children {
		path := append(slices.Clone(above), c.code)
		if len(c.children) == 0 {
			paths = append(paths, strings.Join(path, "/"))
		}
		paths = append(paths, leaves(c, path)...)
	}
	return paths
}

// descendants returns the members below m.
func descendants(m *member) []*member {
	var all []*member
	for _, c := range m.children {
		all = append(append(all, c), descendants(c)...)
	}
	return all
}
