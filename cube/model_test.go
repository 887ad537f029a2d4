package cube_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
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

func TestNewModel_Refuses(t *testing.T) {
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

func TestModel_LevelsHaveAPath(t *testing.T) {
	var got []string
	for i, l := range cubetest.Model(t).Levels() {
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

func TestModel_PathsAcrossLevels(t *testing.T) {
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

func TestDimension_Chains(t *testing.T) {
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

func TestModel_Lookups(t *testing.T) {
	m := cubetest.Model(t)
	if l, ok := m.Level("admin2_label"); !ok || l.Ref != "admin2_code" {
		t.Errorf("the level of a label field is %+v, %v", l, ok)
	}
	if l, ok := m.Level("admin2_code"); !ok || l.Ref != "admin2_code" {
		t.Errorf("the level of a key field is %+v, %v", l, ok)
	}
	if _, ok := m.LevelOfKey("admin2_label"); ok {
		t.Error("a label field is the key of a level")
	}
	if l, ok := m.LevelOfKey("admin2_code"); !ok || l.LabelRef != "admin2_label" {
		t.Errorf("the level of a key is %+v, %v", l, ok)
	}
	if x, ok := m.Measure("approved_value"); !ok || x.Title != "Approved" {
		t.Errorf("the measure is %+v, %v", x, ok)
	}
	if c, ok := m.FiscalYear(); !ok || c.Name != "Year" {
		t.Errorf("the fiscal year is %+v, %v", c, ok)
	}
	for _, name := range []string{"", "year", "date", "planet"} {
		_, level := m.Level(name)
		_, key := m.LevelOfKey(name)
		_, measure := m.Measure(name)
		_, column := m.Column(name)
		if level || key || measure || column {
			t.Errorf("there is something named %q", name)
		}
	}
	if _, ok := m.Dimension("Year"); ok {
		t.Error("a field is a dimension")
	}
}

func TestModel_FiscalYearIsAWholeNumber(t *testing.T) {
	m, err := cube.NewModel([]cube.Column{{Name: "y", Type: cube.TypeText, FiscalYear: true}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := m.FiscalYear(); ok {
		t.Errorf("a year of text is %+v", c)
	}
}

func TestModel_MeasuresAreDecimal(t *testing.T) {
	m, err := cube.NewModel([]cube.Column{{Name: "m", Type: cube.TypeInteger}}, nil, []cube.Measure{{Ref: "m"}})
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := m.Column("m"); c.Type != cube.TypeDecimal {
		t.Errorf("the column of a measure is %s", c.Type)
	}
}

func TestNewModel_ChangesNoArguments(t *testing.T) {
	given, wanted := []cube.Column{{Name: "m", Type: cube.TypeInteger}, {Name: "a", Type: cube.TypeText}}, cube.TypeInteger
	levels := []cube.Level{{Ref: "a"}}
	if _, err := cube.NewModel(given, []cube.Dimension{dimension("d", levels...)}, []cube.Measure{{Ref: "m"}}); err != nil {
		t.Fatal(err)
	}
	if given[0].Type != wanted || !reflect.DeepEqual(levels, []cube.Level{{Ref: "a"}}) {
		t.Errorf("given %+v, %+v", given, levels)
	}
}

func TestNewModel_AFactorIsADecimalNumber(t *testing.T) {
	_, err := cube.NewModel([]cube.Column{{Name: "debt"}}, nil, []cube.Measure{{Ref: "debt", Factor: "half"}})
	if err == nil || err.Error() != `measure "debt": the factor "half" is no decimal number` {
		t.Errorf("error %v", err)
	}
}

func TestModel_SnapshotsThatDoNotFit(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*cube.Draft)
		want   string
	}{
		"a period of too few values": {cubetest.Snapshots("1"), "snapshots: a statement names its period by 0 values, not 1"},
		"a year that is none":        {cubetest.Snapshots("x/1"), "ejercicio holds whole numbers"},
	} {
		d := cubetest.YearToDate(t, nil).Model.Draft()
		tt.change(d)
		if _, err := d.Model(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
