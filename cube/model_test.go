package cube_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
)

func text(names ...string) []cube.Column {
	var list []cube.Column
	for _, name := range names {
		list = append(list, cube.Column{Name: name, Type: cube.TypeText})
	}
	return list
}

func dimension(name string, levels ...cube.Level) cube.Dimension {
	return cube.Dimension{Name: name, Levels: levels}
}

func TestNewModelRefuses(t *testing.T) {
	abc := text("a", "b", "c")
	for _, tt := range []struct {
		name       string
		columns    []cube.Column
		dimensions []cube.Dimension
		measures   []cube.Measure
		want       string
	}{
		{"a field without a name", text("a", ""), nil, nil, "a field has no name"},
		{"a name of ours", text("_line"), nil, nil, `field "_line": names beginning with _ are fiscube's own`},
		{"a name with a NUL", text("a\x00"), nil, nil, `field "a\x00": a name cannot hold a NUL character`},
		{"one name twice", text("a", "b", "a"), nil, nil, `fields "a" and "a" have one name, ignoring case`},
		{"one name in two cases", text("año", "AÑO"), nil, nil, `fields "año" and "AÑO" have one name, ignoring case`},
		{"a measure that is no field", abc, nil, []cube.Measure{{Ref: "m"}}, `measure "m" is no field`},
		{"a measure that is a level", abc, []cube.Dimension{dimension("d", cube.Level{Ref: "a"})},
			[]cube.Measure{{Ref: "a"}}, `"a" is both a measure and a level of "d"`},
		{"a measure that is a label", abc, []cube.Dimension{dimension("d", cube.Level{Ref: "a", LabelRef: "b"})},
			[]cube.Measure{{Ref: "b"}}, `"b" is both a measure and a level of "d"`},
		{"a measure twice", abc, nil, []cube.Measure{{Ref: "a"}, {Ref: "b"}, {Ref: "a"}}, `measure "a" is declared twice`},
		{"an amount as a level", []cube.Column{{Name: "a", Type: cube.TypeDecimal}},
			[]cube.Dimension{dimension("d", cube.Level{Ref: "a"})}, nil,
			`dimension "d", level "a": an amount cannot be a level`},
		{"two dimensions of one name", abc,
			[]cube.Dimension{dimension("d", cube.Level{Ref: "a"}), dimension("d", cube.Level{Ref: "b", Parent: "a"})}, nil,
			`dimension "d" is declared twice`},
		{"a level without a field", abc, []cube.Dimension{dimension("d", cube.Level{LabelRef: "b"})}, nil,
			`dimension "d", level "": it needs a key field and a label field of its own`},
		{"a level that is its own label", abc, []cube.Dimension{dimension("d", cube.Level{Ref: "a", LabelRef: "a"})}, nil,
			`dimension "d", level "a": it needs a key field and a label field of its own`},
		{"a level that is no field", abc, []cube.Dimension{dimension("d", cube.Level{Ref: "x"})}, nil,
			`dimension "d", level "x": "x" is no field`},
		{"a label that is no field", abc, []cube.Dimension{dimension("d", cube.Level{Ref: "a", LabelRef: "x"})}, nil,
			`dimension "d", level "a": "x" is no field`},
		{"a parent that is no field", abc, []cube.Dimension{dimension("d", cube.Level{Ref: "a", Parent: "x"})}, nil,
			`dimension "d", level "a": "x" is no field`},
		{"within what is no field", abc, []cube.Dimension{dimension("d", cube.Level{Ref: "a", Within: []string{"b", "x"}})}, nil,
			`dimension "d", level "a": "x" is no field`},
		{"a field that is a level of two dimensions", abc,
			[]cube.Dimension{dimension("d", cube.Level{Ref: "a"}), dimension("e", cube.Level{Ref: "a"})}, nil,
			`dimension "d", level "a": "a" belongs to level "a" of dimension "e" too`},
		{"a field that is two levels of one dimension", abc,
			[]cube.Dimension{dimension("d", cube.Level{Ref: "a"}, cube.Level{Ref: "a"})}, nil,
			`dimension "d", level "a": "a" belongs to level "a" of dimension "d" too`},
		{"a label of two levels", abc,
			[]cube.Dimension{dimension("d", cube.Level{Ref: "a", LabelRef: "c"}, cube.Level{Ref: "b", LabelRef: "c"})}, nil,
			`dimension "d", level "a": "c" belongs to level "b" of dimension "d" too`},
		{"a label that is a later level", abc,
			[]cube.Dimension{dimension("d", cube.Level{Ref: "a", LabelRef: "b"}), dimension("e", cube.Level{Ref: "b"})}, nil,
			`dimension "d", level "a": "b" belongs to level "b" of dimension "e" too`},
		{"a label that is an earlier level", abc,
			[]cube.Dimension{dimension("e", cube.Level{Ref: "b"}), dimension("d", cube.Level{Ref: "a", LabelRef: "b"})}, nil,
			`dimension "e", level "b": "b" belongs to level "a" of dimension "d" too`},
		{"a parent that is no level", abc, []cube.Dimension{dimension("d", cube.Level{Ref: "a", Parent: "b"})}, nil,
			`dimension "d", level "a": its parent "b" is no level of the dimension`},
		{"a parent of another dimension", abc,
			[]cube.Dimension{dimension("d", cube.Level{Ref: "a", Parent: "b"}), dimension("e", cube.Level{Ref: "b"})}, nil,
			`dimension "d", level "a": its parent "b" is no level of the dimension`},
		{"a level that is its own parent", abc, []cube.Dimension{dimension("d", cube.Level{Ref: "a", Parent: "a"})}, nil,
			`dimension "d": the parents of "a" form a ring`},
		{"parents in a ring", abc, []cube.Dimension{dimension("d", cube.Level{Ref: "a", Parent: "c"},
			cube.Level{Ref: "b", Parent: "a"}, cube.Level{Ref: "c", Parent: "b"})}, nil,
			`dimension "d": the parents of "c" form a ring`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := cube.NewModel(tt.columns, tt.dimensions, tt.measures)
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestLevelsKnowTheirPath(t *testing.T) {
	var got []string
	for i, l := range newModel(t).Levels() {
		got = append(got, fmt.Sprintf("%s %s %s %v %v", l.Dimension, strings.Join(l.Path, "/"), l.Type, l.Listed, l.Index == i))
	}
	want := []string{
		"date Year integer true true",
		"date Year/quarter integer true true",
		"administrative-classification admin1_code text true true",
		"administrative-classification admin1_code/admin2_code text true true",
		"economic econ1_code text true true",
		"economic econ1_code/econ2_code text true true",
		"economic econ1_code/econ2_alt text true true",
		"ramo ID_RAMO text true true",
		"ramo ID_RAMO/ID_UR text true true",
		"programa ID_MODALIDAD text true true",
		"programa ID_MODALIDAD/ID_RAMO/ID_PP text true true",
		"actividad ID_UR/ID_AI text true true",
		"linea line_id text false true",
		"año y función. función: a|b text true true",
		"año y función. función: a|b/50% & more integer true true",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func TestPathsAcrossLevels(t *testing.T) {
	for _, tt := range []struct {
		name   string
		levels []cube.Level
		want   string // the paths, in the order of the levels
	}{
		{"a parent may come after its child", []cube.Level{{Ref: "b", Parent: "a"}, {Ref: "a"}}, "a/b a"},
		{"what the parent is within counts for the child",
			[]cube.Level{{Ref: "a", Within: []string{"x"}}, {Ref: "b", Parent: "a", Within: []string{"y"}}}, "x/a x/a/y/b"},
		{"a field counts once", []cube.Level{{Ref: "a", Within: []string{"x"}}, {Ref: "b", Parent: "a", Within: []string{"x", "a"}}},
			"x/a x/a/b"},
		{"two children of one parent", []cube.Level{{Ref: "a"}, {Ref: "b", Parent: "a", Within: []string{"x"}},
			{Ref: "c", Parent: "a", Within: []string{"y"}}}, "a a/x/b a/y/c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := cube.NewModel(text("a", "b", "c", "x", "y"), []cube.Dimension{dimension("d", tt.levels...)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var paths []string
			for _, l := range m.Levels() {
				paths = append(paths, strings.Join(l.Path, "/"))
			}
			if got := strings.Join(paths, " "); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if d, _ := m.Dimension("d"); !reflect.DeepEqual(d.Levels, m.Levels()) {
				t.Errorf("the dimension has %+v, the model %+v", d.Levels, m.Levels())
			}
		})
	}
}

func TestChains(t *testing.T) {
	for _, tt := range []struct {
		name   string
		levels []cube.Level
		want   string
	}{
		{"no level has no chain", nil, ""},
		{"a level is a chain", []cube.Level{{Ref: "a"}}, "a"},
		{"levels without parents are chains of one", []cube.Level{{Ref: "a"}, {Ref: "b"}}, "a b"},
		{"parents make a chain, top to bottom", []cube.Level{{Ref: "c", Parent: "b"}, {Ref: "b", Parent: "a"}, {Ref: "a"}}, "a>b>c"},
		{"a level of two children begins two chains",
			[]cube.Level{{Ref: "a"}, {Ref: "b", Parent: "a"}, {Ref: "c", Parent: "a"}, {Ref: "x"}}, "a>b a>c x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := cube.NewModel(text("a", "b", "c", "x"), []cube.Dimension{dimension("d", tt.levels...)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			d, _ := m.Dimension("d")
			if got := chainsOf(d); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func chainsOf(d cube.Dimension) string {
	var chains []string
	for _, chain := range d.Chains() {
		var refs []string
		for _, l := range chain {
			refs = append(refs, l.Ref)
		}
		chains = append(chains, strings.Join(refs, ">"))
	}
	return strings.Join(chains, " ")
}
