package repair_test

import (
	"slices"
	"testing"

	"fiscube/cube"
	"fiscube/cube/repair"
)

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
			s := sick{model: test.from, fields: map[string]*repair.Field{"f": test.field}}
			s.isMended(t, repair.CodeLabelSplit, "f", test.to, test.says)
		})
	}
}

func TestCodeAndLabelAreNotSplit(t *testing.T) {
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
			sick{model: test.model, fields: map[string]*repair.Field{"f": test.field}}.stays(t)
		})
	}
}

// One code with two labels says that the code alone means nothing: splitting would join two members.
func TestCodesWithTwoLabelsStayWhole(t *testing.T) {
	for _, model := range []string{"econ: f", "econ: code=f", "econ: code, f"} {
		field := joins(402, 0, "code")
		field.Conflicts = []string{"1000000", "2"}
		s := sick{model: model, fields: map[string]*repair.Field{"f": field}}
		s.becomes(t, model,
			"info field f: its cells join codes and labels, but the code 1000000 has two labels, so they stay whole [code-label-split]")
		s.off = repair.CodeLabelSplit + " f"
		s.stays(t)
	}
}

// Code and label are made of the same cells, so what says nothing in one says nothing in the other.
func TestHalvesShareTheirMarkers(t *testing.T) {
	r := sick{model: "econ: f", fields: map[string]*repair.Field{"f": joins(9, 0)}}.prepare(t)
	r.Draft.Column("f").Markers = []string{"No Informado"}
	repair.Run(r)
	if label := r.Draft.Column("f_label"); !slices.Equal(label.Markers, []string{"No Informado"}) || r.Draft.Column("f_cell").Markers != nil {
		t.Errorf("the columns are %+v", r.Draft.Columns)
	}
}

// A chain of joined fields, as in D3, stays a chain of their codes.
func TestEveryLevelOfAChainIsSplit(t *testing.T) {
	s := sick{model: "econ: a > b", fields: map[string]*repair.Field{"a": joins(9, 0), "b": joins(9, 0)}}
	s.becomes(t, "econ: a=a_label > b=b_label; a:code(a); b:code(b); a_cell:cell(a); a_label:label(a); b_cell:cell(b); b_label:label(b)",
		"info field a: 9 of 9 cells join a code and a label, so it is both [code-label-split]",
		"info field b: 9 of 9 cells join a code and a label, so it is both [code-label-split]")
}

// A label that label-paired finds loses the code of its level, and an integer column made text splits too: D1's
// departamento goes through three passes.
func TestDepartamento(t *testing.T) {
	s := sick{
		model:  "unknown: codigoDepartamento#, departamento#",
		fields: map[string]*repair.Field{"departamento": {Cells: 29, NotIntegers: 29, Joined: 29, SameCode: []string{"codigoDepartamento"}}},
	}
	s.becomes(t, "unknown: codigoDepartamento#=departamento; departamento:label(departamento); departamento_cell:cell(departamento)",
		"info field departamento: declared integer; 29 of its 29 cells are none, so it is text [type-widened]",
		"info field departamento: no labelfor; its name is the label's of codigoDepartamento, so it labels codigoDepartamento [label-paired]",
		"info field departamento: its 29 cells begin with the code of codigoDepartamento, which the label leaves out [code-label-split]")
}

// The values of snapshots are declared as they stand in the cells, so those stay whole.
func TestSnapshotsAreNotSplit(t *testing.T) {
	fields := map[string]*repair.Field{"mes": joins(24, 0), "ano": joins(24, 0)}
	sick{model: "date: ano > mes", fields: fields, snapshots: "mes ano"}.stays(t)
}

// What an overlay made of a field is left alone.
func TestMadeColumnsAreLeftAlone(t *testing.T) {
	for _, rule := range []cube.Rule{cube.RuleCode, cube.RuleLabel, cube.RulePrefix} {
		s := sick{model: "econ: codigo, f, monto#", fields: map[string]*repair.Field{
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
				s := sick{model: "econ: f", fields: map[string]*repair.Field{"f": {Cells: 9, Spellings: test.spellings}}, off: off}
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
