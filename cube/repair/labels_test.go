package repair_test

import (
	"testing"

	"fiscube/cube/repair"
)

const byTag, byName = "columnType", "name"

// pairedBy is what label-paired says of a level.
func pairedBy(why, level string) string {
	return "no labelfor; its " + why + " is the label's of " + level + ", so it labels " + level
}

func TestLabelPairedByColumnType(t *testing.T) {
	for name, test := range map[string]struct {
		from, to, label, level string
		tags                   map[string]string
	}{
		"D2: another taxonomy": {
			"econ: e1=l1 > e2=l2 > e3, l3", "econ: e1=l1 > e2=l2 > e3=l3", "l3", "e3",
			map[string]string{
				"e1": "economic-classification:generic:level1:code", "l1": "economic-classification:generic:level1:label",
				"e2": "economic-classification:generic:level2:code", "l2": "economic-classification:generic:level2:label",
				"e3": "economic-classification:generic:level3:code", "l3": "economic-classification:gfsm:level3:label",
			},
		},
		"the same taxonomy": {"f: a, b", "f: a=b", "b", "a", map[string]string{
			"a": "functional-classification:cofog:group:code", "b": "functional-classification:cofog:group:label"}},
		"no taxonomy": {"f: a, b", "f: a=b", "b", "a", map[string]string{
			"a": "fin-source:code", "b": "fin-source:label"}},
		"in another dimension": {"f: a, c; g: b", "f: a=b, c", "b", "a", map[string]string{
			"a": "geo:source:region:code", "b": "geo:target:region:label"}},
		"a field that is no level": {"f: a; - b", "f: a=b", "b", "a", map[string]string{
			"a": "x:y:z:code", "b": "x:y:z:label"}},
		"a level with a label has another tag": {"f: a, b, c=d", "f: a=b, c=d", "b", "a", map[string]string{
			"a": "x:y:z:code", "b": "x:y:z:label", "c": "x:y:z:code", "d": "x:y:z:label"}},
		"tag before name": {"f: a, desc_b, b", "f: a=desc_b, b", "desc_b", "a", map[string]string{
			"a": "x:y:z:code", "desc_b": "x:y:z:label"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := sick{model: test.from, tags: test.tags}
			s.isMended(t, repair.LabelPaired, test.label, test.to, pairedBy(byTag, test.level))
		})
	}
}

func TestLabelIsNotPairedByColumnType(t *testing.T) {
	for name, test := range map[string]struct {
		model string
		tags  map[string]string
	}{
		"D7: two levels have the tag": {"activity: ID_PP, DESC_LABEL, ID_MODALIDAD", map[string]string{
			"ID_PP": "activity:generic:program:code", "ID_MODALIDAD": "activity:generic:program:code",
			"DESC_LABEL": "activity:generic:program:label"}},
		"D1: everything is a code": {"activity: a, b", map[string]string{
			"a": "activity:generic:contract:code", "b": "activity:generic:contract:code"}},
		"another level":   {"f: a, b", map[string]string{"a": "x:y:level1:code", "b": "x:y:level2:label"}},
		"another concept": {"f: a, b", map[string]string{"a": "x:y:z:code", "b": "w:y:z:label"}},
		"a whole number":  {"f: a, b#", map[string]string{"a": "x:y:z:code", "b": "x:y:z:label"}},
		"no tags":         {"f: a, b", nil},
		"a declared label": {"f: a, c=b", map[string]string{
			"a": "x:y:z:code", "c": "x:y:w:code", "b": "x:y:z:label"}},
		"a fact": {"line!: a; f: b", map[string]string{"a": "x:y:z:code", "b": "x:y:z:label"}},
	} {
		t.Run(name, func(t *testing.T) { sick{model: test.model, tags: test.tags}.stays(t) })
	}
}

func TestLabelPairedByName(t *testing.T) {
	for label, level := range map[string]string{
		"descripcionNivel":      "codigoNivel",
		"nombreNivelFinanciero": "codigoNivelFinanciero",
		"departamento":          "codigoDepartamento",
		"ORG_NOMBRE":            "ORG_ID",
		"desc_sector":           "sector",
		"ci_clase_descripcion":  "ci_clase_codigo",
		"DESC_PP":               "ID_PP",
		"desc_pp":               "Id_Pp",
		"Descripcion_Nivel":     "codigo_nivel",
	} {
		t.Run(label, func(t *testing.T) {
			s := sick{model: "d: " + label + ", " + level + ", other"}
			s.isMended(t, repair.LabelPaired, label, "d: "+level+"="+label+", other", pairedBy(byName, level))
		})
	}
}

func TestLabelIsNotPairedByName(t *testing.T) {
	for name, model := range map[string]string{
		"no code of its own":      "d: descripcionNivel, codigoEntidad",
		"a prefix alone":          "d: desc_, descripcion, nombre, codigo, id_",
		"a word of another pair":  "d: descripcion_sector, sector_codigo",
		"a code that is labelled": "d: codigoNivel=nivel_texto, descripcionNivel",
		"a declared label":        "d: codigoNivel, otro=descripcionNivel",
		"a whole number":          "d: codigoMes, mes#",
		"the fiscal year":         "date: anio@; d: codigoAnio",
		"an amount":               "d: codigoMonto; $ monto",
		"the code of a fact":      "line!: codigoLinea; d: descripcionLinea",
	} {
		t.Run(name, func(t *testing.T) { sick{model: model}.stays(t) })
	}
}

// A level that somebody gave a label is not the label of another one: with it, its own would be lost.
func TestALabelledLevelIsNoLabel(t *testing.T) {
	sick{model: "d: codigoSector, sector=sector_nombre"}.stays(t)
	sick{model: "d: sector, codigoSector, desc_sector"}.becomes(t, "d: codigoSector=sector, desc_sector",
		"info field sector: no labelfor; its name is the label's of codigoSector, so it labels codigoSector [label-paired]")
	sick{model: "d: desc_sector, sector, codigoSector"}.becomes(t, "d: sector=desc_sector, codigoSector",
		"info field desc_sector: no labelfor; its name is the label's of sector, so it labels sector [label-paired]")
}

// What lay below the label lies below the level it labels: otherwise codes that mean something only there would
// be one member.
func TestChainsOutliveTheLabel(t *testing.T) {
	for name, test := range map[string]struct{ from, to string }{
		"the label at the end":        {"d: ramo > ID_UR > DESC_UR", "d: ramo > ID_UR=DESC_UR"},
		"the label between levels":    {"d: ramo > ID_UR > DESC_UR > line", "d: ramo > ID_UR=DESC_UR > line"},
		"the label at the top":        {"d: DESC_UR > line, ID_UR", "d: ID_UR=DESC_UR > line"},
		"the label beside the code":   {"d: ramo > ID_UR, ramo > DESC_UR > line", "d: ramo > ID_UR=DESC_UR > line"},
		"the label above its code":    {"d: ramo > DESC_UR > ID_UR > line", "d: ramo > ID_UR=DESC_UR > line"},
		"the code further down":       {"d: DESC_UR > line > ID_UR", "d: line > ID_UR=DESC_UR"},
		"the code in another's chain": {"d: ID_UR; e: DESC_UR > line", "d: ID_UR=DESC_UR; e: line within ID_UR"},
	} {
		t.Run(name, func(t *testing.T) {
			s := sick{model: test.from}
			s.isMended(t, repair.LabelPaired, "DESC_UR", test.to, pairedBy(byName, "ID_UR"))
		})
	}
}

// What the statements of a package are told apart by is a level, whatever its name.
func TestALevelOfSnapshotsIsNoLabel(t *testing.T) {
	s := sick{model: "date: codigoPeriodo, periodo, codigoCiclo, ciclo", snapshots: "periodo ciclo"}
	s.stays(t)
}
