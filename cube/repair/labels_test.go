package repair_test

import (
	"slices"
	"testing"

	"fiscube/cube"
	"fiscube/cube/repair"
)

const byTag, byName = "columnType", "name"

// pairedBy is the message of label-paired about a level.
func pairedBy(why, level string) string {
	return "no labelfor; its " + why + " is the label's of " + level + ", so it labels " + level
}

func TestLabelPaired_ByColumnType(t *testing.T) {
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
			s := testPackage{model: test.from, tags: test.tags}
			s.isRepaired(t, repair.LabelPaired, test.label, test.to, pairedBy(byTag, test.level))
		})
	}
}

func TestLabelPaired_NotByColumnType(t *testing.T) {
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
		t.Run(name, func(t *testing.T) { testPackage{model: test.model, tags: test.tags}.stays(t) })
	}
}

func TestLabelPaired_ByName(t *testing.T) {
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
			s := testPackage{model: "d: " + label + ", " + level + ", other"}
			s.isRepaired(t, repair.LabelPaired, label, "d: "+level+"="+label+", other", pairedBy(byName, level))
		})
	}
}

func TestLabelPaired_NotByName(t *testing.T) {
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
		t.Run(name, func(t *testing.T) { testPackage{model: model}.stays(t) })
	}
}

// A level that somebody gave a label is not the label of another one: with it, its own would be lost.
func TestLabelPaired_LabelledLevelIsNoLabel(t *testing.T) {
	testPackage{model: "d: codigoSector, sector=sector_nombre"}.stays(t)
	testPackage{model: "d: sector, codigoSector, desc_sector"}.becomes(t, "d: codigoSector=sector, desc_sector",
		"info field sector: no labelfor; its name is the label's of codigoSector, so it labels codigoSector [label-paired]")
	testPackage{model: "d: desc_sector, sector, codigoSector"}.becomes(t, "d: sector=desc_sector, codigoSector",
		"info field desc_sector: no labelfor; its name is the label's of sector, so it labels sector [label-paired]")
}

// What lay below the label lies below the level it labels: otherwise codes that mean something only there would
// be one member.
func TestLabelPaired_KeepsChains(t *testing.T) {
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
			s := testPackage{model: test.from}
			s.isRepaired(t, repair.LabelPaired, "DESC_UR", test.to, pairedBy(byName, "ID_UR"))
		})
	}
}

// A field that names snapshots is a level, even if its name is that of a label.
func TestLabelPaired_LevelOfSnapshotsIsNoLabel(t *testing.T) {
	s := testPackage{model: "date: codigoPeriodo, periodo, codigoCiclo, ciclo", snapshots: "periodo ciclo"}
	s.stays(t)
}

// joins is a field of which so many cells join code and label, and so many do not.
func joins(joined, apart int64, sameCode ...string) *repair.Field {
	return &repair.Field{Cells: joined + apart, Joined: joined, NotJoined: apart, SameCode: sameCode}
}

func TestCodeLabelSplit(t *testing.T) {
	const both = "; f:code(f); f_cell:cell(f); f_label:label(f)"
	for name, test := range map[string]struct {
		from  string
		field *repair.Field
		to    string
		says  string
	}{
		"D3: a level is its own label": {"econ: f", joins(311, 0), "econ: f=f_label" + both,
			"311 of 311 cells join a code and a label, so it is both"},
		"99 in a hundred": {"econ: f", joins(198, 2), "econ: f=f_label" + both,
			"198 of 200 cells join a code and a label, so it is both"},
		"its children stay below": {"econ: a > f > b > c", joins(5, 0), "econ: a > f=f_label > b > c" + both,
			"5 of 5 cells join a code and a label, so it is both"},
		"D1: the label of a code": {"geo: code=f", joins(402, 0, "code"), "geo: code=f; f:label(f); f_cell:cell(f)",
			"its 402 cells begin with the code of code, which the label leaves out"},
		"a level of the same code": {"geo: code, f", joins(7, 0, "code"), "geo: code=f; f:label(f); f_cell:cell(f)",
			"its 7 cells join the code of code and a label, so it labels that"},
		"the same code further up": {"geo: code > town; x: f", joins(7, 0, "code"), "geo: code=f > town; f:label(f); f_cell:cell(f)",
			"its 7 cells join the code of code and a label, so it labels that"},
		"a field that is no level": {"geo: code; - f", joins(7, 0, "code"), "geo: code=f; f:label(f); f_cell:cell(f)",
			"its 7 cells join the code of code and a label, so it labels that"},
		"what lay below lies below the code": {"geo: f > town, code", joins(7, 0, "code"), "geo: code=f > town; f:label(f); f_cell:cell(f)",
			"its 7 cells join the code of code and a label, so it labels that"},
		"the first of two such levels": {"geo: one, two, f", joins(7, 0, "one", "two"), "geo: one=f, two; f:label(f); f_cell:cell(f)",
			"its 7 cells join the code of one and a label, so it labels that"},
		"such a level that is free": {"geo: one=name, two, f", joins(7, 0, "one", "two"), "geo: one=name, two=f; f:label(f); f_cell:cell(f)",
			"its 7 cells join the code of two and a label, so it labels that"},
		"such a level is labelled already": {"geo: one=name, f", joins(7, 0, "one"), "geo: one=name, f=f_label" + both,
			"7 of 7 cells join a code and a label, so it is both"},
	} {
		t.Run(name, func(t *testing.T) {
			s := testPackage{model: test.from, fields: map[string]*repair.Field{"f": test.field}}
			s.isRepaired(t, repair.CodeLabelSplit, "f", test.to, test.says)
		})
	}
}

func TestCodeLabelSplit_Not(t *testing.T) {
	for name, test := range map[string]struct {
		model string
		field *repair.Field
	}{
		"below 99 in a hundred":            {"econ: f", joins(989, 11)},
		"dates, of which none joins":       {"date: f", joins(0, 402)},
		"no cells":                         {"econ: f", joins(0, 0)},
		"a label whose level is another":   {"geo: code=f, other", joins(9, 0, "other")},
		"a label of another code":          {"geo: code=f", joins(9, 0)},
		"a level that has a label":         {"geo: f=name", joins(9, 0)},
		"a labelled level of another code": {"geo: f=name, other", joins(9, 0, "other")},
		"no level, and no level's code":    {"geo: code; - f", joins(9, 0)},
		"a whole number":                   {"geo: f#", joins(9, 0)},
		"an amount":                        {"geo: code; $ f", joins(9, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			testPackage{model: test.model, fields: map[string]*repair.Field{"f": test.field}}.stays(t)
		})
	}
}

// A code with two labels means nothing alone: splitting would join two members.
func TestCodeLabelSplit_NotCodesWithTwoLabels(t *testing.T) {
	for _, model := range []string{"econ: f", "econ: code=f", "econ: code, f"} {
		field := joins(402, 0, "code")
		field.Conflicts = []string{"1000000", "2"}
		s := testPackage{model: model, fields: map[string]*repair.Field{"f": field}}
		s.becomes(t, model,
			"info field f: its cells join codes and labels, but the code 1000000 has two labels, so they stay whole [code-label-split]")
		s.off = repair.CodeLabelSplit + " f"
		s.stays(t)
	}
}

// Code and label are made of the same cells, so a marker of one is a marker of the other.
func TestCodeLabelSplit_HalvesShareTheirMarkers(t *testing.T) {
	r := testPackage{model: "econ: f", fields: map[string]*repair.Field{"f": joins(9, 0)}}.prepare(t)
	r.Draft.Column("f").Markers = []string{"No Informado"}
	repair.Run(r)
	if label := r.Draft.Column("f_label"); !slices.Equal(label.Markers, []string{"No Informado"}) || r.Draft.Column("f_cell").Markers != nil {
		t.Errorf("the columns are %+v", r.Draft.Columns)
	}
}

// A chain of joined fields, as in D3, stays a chain of their codes.
func TestCodeLabelSplit_EveryLevelOfAChain(t *testing.T) {
	s := testPackage{model: "econ: a > b", fields: map[string]*repair.Field{"a": joins(9, 0), "b": joins(9, 0)}}
	s.becomes(t, "econ: a=a_label > b=b_label; a:code(a); b:code(b); a_cell:cell(a); a_label:label(a); b_cell:cell(b); b_label:label(b)",
		"info field a: 9 of 9 cells join a code and a label, so it is both [code-label-split]",
		"info field b: 9 of 9 cells join a code and a label, so it is both [code-label-split]")
}

// A label that label-paired finds loses the code of its level, and an integer column made text splits too: D1's
// departamento goes through three passes.
func TestRun_Departamento(t *testing.T) {
	s := testPackage{
		model:  "unknown: codigoDepartamento#, departamento#",
		fields: map[string]*repair.Field{"departamento": {Cells: 29, NotIntegers: 29, Joined: 29, SameCode: []string{"codigoDepartamento"}}},
	}
	s.becomes(t, "unknown: codigoDepartamento#=departamento; departamento:label(departamento); departamento_cell:cell(departamento)",
		"info field departamento: declared integer; 29 of its 29 cells are none, so it is text [type-widened]",
		"info field departamento: no labelfor; its name is the label's of codigoDepartamento, so it labels codigoDepartamento [label-paired]",
		"info field departamento: its 29 cells begin with the code of codigoDepartamento, which the label leaves out [code-label-split]")
}

// The values of snapshots are declared as the cells have them, so those stay whole.
func TestCodeLabelSplit_NotSnapshots(t *testing.T) {
	fields := map[string]*repair.Field{"mes": joins(24, 0), "ano": joins(24, 0)}
	testPackage{model: "date: ano > mes", fields: fields, snapshots: "mes ano"}.stays(t)
}

// What an overlay made of a field is left alone.
func TestRun_MadeColumnsAreLeftAlone(t *testing.T) {
	for _, rule := range []cube.Rule{cube.RuleCode, cube.RuleLabel, cube.RulePrefix} {
		s := testPackage{model: "econ: codigo, f, monto#", fields: map[string]*repair.Field{
			"f": joins(9, 0, "codigo"), "monto": {Cells: 9, NotIntegers: 9}}}
		r := s.prepare(t)
		for _, name := range []string{"f", "monto"} {
			r.Draft.Column(name).From = &cube.Derivation{Rule: rule, Fields: []string{name}}
		}
		repair.Run(r)
		if len(r.Findings) > 0 || r.Draft.Level("f").LabelRef != "" || len(r.Draft.Columns) != 3 {
			t.Errorf("%s: %v", rule, r.Findings)
		}
	}
}

func TestNotInformed(t *testing.T) {
	for name, test := range map[string]struct {
		spellings []string
		want      string
	}{
		"D3: several spellings": {[]string{"NO INFORMADO", "No Informado", "No informado - "},
			`its cells "NO INFORMADO", "No Informado", "No informado - " are one member, "No Informado"`},
		"one other spelling":  {[]string{"No Informado - "}, `its cells "No Informado - " are one member, "No Informado"`},
		"the marker as it is": {[]string{"No Informado"}, ""},
		"no cells":            {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			says := func(off string) string {
				s := testPackage{model: "econ: f", fields: map[string]*repair.Field{"f": {Cells: 9, Spellings: test.spellings}}, off: off}
				r := s.prepare(t)
				r.Draft.Column("f").Markers = []string{"No Informado", "Sin datos"}
				repair.Run(r)
				return findingsText(r)
			}
			want := ""
			if test.want != "" {
				want = "info field f: " + test.want + " [not-informed]"
			}
			if got := says("not-informed other"); got != want {
				t.Errorf("it says\n%s\nwant\n%s", got, want)
			}
			for _, off := range []string{"not-informed", "not-informed f"} {
				if got := says(off); got != "" {
					t.Errorf("%s is off, and it says %s", off, got)
				}
			}
		})
	}
}
