package cube_test

import (
	"reflect"
	"testing"

	"fiscube/cube"
)

func TestModelLookups(t *testing.T) {
	m := newModel(t)
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

func TestFiscalYearIsAWholeNumber(t *testing.T) {
	m, err := cube.NewModel([]cube.Column{{Name: "y", Type: cube.TypeText, FiscalYear: true}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := m.FiscalYear(); ok {
		t.Errorf("a year of text is %+v", c)
	}
}

func TestMeasuresAreDecimal(t *testing.T) {
	m, err := cube.NewModel([]cube.Column{{Name: "m", Type: cube.TypeInteger}}, nil, []cube.Measure{{Ref: "m"}})
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := m.Column("m"); c.Type != cube.TypeDecimal {
		t.Errorf("the column of a measure is %s", c.Type)
	}
}

func TestNewModelChangesNothingItIsGiven(t *testing.T) {
	given, wanted := []cube.Column{{Name: "m", Type: cube.TypeInteger}, {Name: "a", Type: cube.TypeText}}, cube.TypeInteger
	levels := []cube.Level{{Ref: "a"}}
	if _, err := cube.NewModel(given, []cube.Dimension{dimension("d", levels...)}, []cube.Measure{{Ref: "m"}}); err != nil {
		t.Fatal(err)
	}
	if given[0].Type != wanted || !reflect.DeepEqual(levels, []cube.Level{{Ref: "a"}}) {
		t.Errorf("given %+v, %+v", given, levels)
	}
}

func TestYearsOfACube(t *testing.T) {
	years := func(pairs ...int64) *cube.Cube {
		c := &cube.Cube{Package: &cube.Package{}}
		for i := 0; i < len(pairs); i += 2 {
			c.Resources = append(c.Resources, cube.Resource{Found: cube.Found{FirstYear: pairs[i], LastYear: pairs[i+1]}})
		}
		return c
	}
	for _, tt := range []struct {
		name        string
		cube        *cube.Cube
		first, last int64
		ok          bool
	}{
		{"no resource", years(), 0, 0, false},
		{"resources without years", years(0, 0, 0, 0), 0, 0, false},
		{"one resource", years(2016, 2018), 2016, 2018, true},
		{"the widest over all resources", years(2016, 2017, 0, 0, 2011, 2012, 2015, 2019), 2011, 2019, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first, last, ok := tt.cube.Years()
			if first != tt.first || last != tt.last || ok != tt.ok {
				t.Errorf("got %d to %d, %v", first, last, ok)
			}
		})
	}
}
